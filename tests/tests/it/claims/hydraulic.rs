//! Claims of HydraulicErosion's page.

use super::*;

#[test]
fn reference_and_fast_conserve_ground_and_sediment() {
    for ground in grounds() {
        for scheme in ["Reference", "Fast"] {
            let node = format!("\"n\": HydraulicErosion(height: \"g\", scheme: {scheme})");
            let (before, out) = maps(&ground, &node, &["n.height", "n.sediment"]);
            let sum = mass(&out[0]) + mass(&out[1]);
            let (created, bound) = ((sum - mass(&before)).abs(), rounding(&before, 100));
            assert!(created <= bound, "{} {scheme}: {created} of {bound}", ground.name);
        }
    }
}

#[test]
fn some_parameters_have_no_effect_on_some_schemes() {
    for ground in random() {
        let out = |scheme: &str, more: &str| {
            let node = format!("HydraulicErosion(height: \"g\", scheme: {scheme}, iterations: 20{more})");
            eroded(&ground, &node)[1].samples().to_vec()
        };
        for (scheme, without) in [
            ("Fast", [", solubility: 0.3", ""]),
            ("Published", [", capacity: 0.4", ""]),
            ("PublishedFast", [", solubility: 0.3", ", capacity: 0.4"]),
        ] {
            for more in without {
                assert_eq!(out(scheme, more), out(scheme, ""), "{} {scheme}{more}", ground.name);
            }
        }
        assert_ne!(out("Reference", ", solubility: 0.3"), out("Reference", ""));
    }
}

/// The defaults with the depth of rain by hand, and what the page says of the paper's constants and of more
/// iterations.
#[test]
fn the_defaults_change_the_ground_as_the_page_says() {
    for ground in grounds() {
        let run = |more: &str| eroded(&ground, &format!("HydraulicErosion(height: \"g\"{more})"));
        let [before, after] = run("");
        let (low, high) = range(&before);
        let relief = f64::from(high) - f64::from(low);
        assert_eq!(
            run(&format!(", rain: {:?}", relief / 100.0))[1].samples(),
            after.samples(),
            "{}",
            ground.name
        );
        let change = |more: &str| rms(&before, &run(more)[1]) / relief;
        let (paper, default) = (change(", solubility: 0.01, capacity: 0.01"), change(""));
        assert!((0.005..0.015).contains(&paper), "{}: {paper}", ground.name);
        assert!((0.015..0.055).contains(&default), "{}: {default}", ground.name);
        let longer = change(", iterations: 200") / default;
        assert!((1.3..1.8).contains(&longer), "{}: {longer}", ground.name);
    }
}

/// The mean distance that ground moves, in samples, from the exact earth mover's distance: its sum over all
/// samples, relative to the height that rose.
#[test]
fn ground_moves_by_three_to_ten_samples() {
    for ground in grounds() {
        let nodes = "\"n\": HydraulicErosion(height: \"g\"), \"d\": EarthMoversDistance(a: \"g\", b: \"n\")";
        let (before, out) = maps(&ground, nodes, &["n", "d.right", "d.down"]);
        let total = |map: &Map| map.samples().iter().map(|&h| f64::from(h).abs()).sum::<f64>();
        let rose: f64 = samples().map(|at| f64::from(out[0][at] - before[at]).max(0.0)).sum();
        let distance = (total(&out[1]) + total(&out[2])) / rose;
        assert!((3.0..10.0).contains(&distance), "{}: {distance}", ground.name);
    }
}
