//! Claims of OlsenErosion's page.

use terrane::kernels::metric::{SlopeKind, slope_map, statistics};

use super::*;

#[test]
fn mass_is_conserved() {
    for ground in grounds() {
        for scheme in ["Text", "Published"] {
            let [before, after] = eroded(&ground, &format!("OlsenErosion(height: \"g\", scheme: {scheme})"));
            let (created, bound) = ((mass(&after) - mass(&before)).abs(), rounding(&before, 50));
            assert!(created <= bound, "{} {scheme}: {created} of {bound}", ground.name);
        }
    }
}

/// The default talus is 1.2 times the mean slope: the number, computed here, gives the bits of the default.
/// The erosion score after 50 iterations is three fifths to nine tenths of its final value.
#[test]
fn the_default_talus_and_the_score() {
    for ground in grounds() {
        let run = |more: &str| eroded(&ground, &format!("OlsenErosion(height: \"g\"{more})"));
        let [before, after] = run("");
        let talus = 1.2 * statistics(&slope_map(&before.0, SlopeKind::Olsen, Boundary::Open)).mean;
        assert_eq!(run(&format!(", talus: {talus:?}"))[1].samples(), after.samples(), "{}", ground.name);
        let means: Vec<f64> = [0.5, 1.0, 1.5, 2.0].map(|f| statistics(&slope_map(&run(&format!(", talus: {:?}", talus * f))[1].0, SlopeKind::Olsen, Boundary::Open)).mean).to_vec();
        let part: Vec<f64> = [1000, 3000, 20000].map(|n| score(&after) / score(&run(&format!(", iterations: {n}"))[1])).to_vec();
        println!("{}: {part:.3?} {means:.4?}", ground.name);
    }
}

#[test]
fn the_published_scheme_has_a_lower_score() {
    for ground in grounds() {
        let run = |scheme: &str| score(&eroded(&ground, &format!("OlsenErosion(height: \"g\", scheme: {scheme})"))[1]);
        assert!(run("Published") < run("Text"), "{}", ground.name);
    }
}

/// How many samples stand more than one spacing above their four neighbours along the axes, and did not
/// before.
fn needles(before: &Map, after: &Map) -> usize {
    let (width, height) = before.domain().size;
    let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let needle = |at: &(usize, usize)| {
        let [was, is] = [before, after].map(|map| prominence(map, *at, &AXES).0);
        is > was.max(before.spacing() as f32)
    };
    all.filter(needle).count()
}

#[test]
fn no_needle_remains() {
    for ground in grounds() {
        let [before, after] = eroded(&ground, "OlsenErosion(height: \"g\")");
        assert_eq!(needles(&before, &after), 0, "{}", ground.name);
    }
}

/// With the paper's rule, the number of needles on the whole model of Big Tujunga.
#[test]
fn the_papers_rule_makes_needles_on_mountains() {
    let file = root().join("graphs/data/bigtujunga_30m.tif");
    let text = format!(
        "Graph(size: (257, 257), spacing: 30.0, nodes: {{ \"g\": Import(file: \"{}\", origin: Some((0.0, 0.0))), \
        \"c\": Crop(height: \"g\", size: (257, 257)), \"n\": OlsenErosion(height: \"c\", needles: Keep) }})",
        file.display()
    );
    let out = run(&text, &["c", "n"]);
    println!("{}", needles(&value(&out, 0), &value(&out, 1)));
}
