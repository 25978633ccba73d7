//! Nodes that are evaluated together have the values and the warnings that they have apart.

use std::path::Path;
use std::sync::Arc;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use terrane::flow::{Evaluation, Outcome, load};
use terrane::io::{WriteOptions, write_heightmap};
use terrane::{Domain, Engine, EngineOptions, Heightmap, LoadOptions, Loaded, Wanted, registry};
use terrane_tests::engine;

/// More than 64 KB: smaller maps are always made.
const SIZE: (usize, usize) = (163, 131);

/// Nodes of one sample, which read `A` and other maps. Some make samples that are not finite, and some hide
/// them.
const NODES: [&str; 34] = [
    r#"Combine(a: "A", b: "B")"#,
    r#"Combine(a: "A", b: 3.5, mode: Subtract)"#,
    r#"Combine(a: "A", b: "B", mode: Subtract, weight: 0.5)"#,
    r#"Combine(a: "A", b: "B", mode: Multiply)"#,
    r#"Combine(a: "A", b: 1e25, mode: Multiply)"#,
    r#"Combine(a: "A", b: 1e-25, mode: Multiply)"#,
    r#"Combine(a: "A", b: "B", mode: Divide)"#,
    r#"Combine(a: "A", b: 0.25, mode: Divide)"#,
    r#"Combine(a: "A", b: "B", mode: Divide, weight: "C")"#,
    r#"Combine(a: "A", b: "B", mode: Min)"#,
    r#"Combine(a: "A", b: "B", mode: Max)"#,
    r#"Combine(a: "A", b: 40.0, mode: Max, weight: 0)"#,
    r#"Combine(a: "A", b: "B", mode: SmoothMin, radius: 5.0)"#,
    r#"Combine(a: "A", b: "B", mode: SmoothMax, radius: 5.0)"#,
    r#"Combine(a: "A", b: "B", mode: Lerp, weight: "C")"#,
    r#"Combine(a: "A", b: "B", mode: Lerp)"#,
    r#"Combine(a: "A", b: 9.0, mode: Power)"#,
    r#"Combine(a: "A", b: "B", mode: Power)"#,
    r#"Combine(a: "A", b: "A", mode: Difference)"#,
    r#"Combine(a: "A", b: "B", mode: Difference, weight: "C")"#,
    r#"Blend(a: "A", b: "B", mask: "C")"#,
    r#"Blend(a: "A", b: "B")"#,
    r#"Clamp(height: "A", min: -5.0, max: 60.0)"#,
    r#"Remap(height: "A", from: (0.0, 50.0), to: (-1.0, 2.0))"#,
    r#"Remap(height: "A", from: (5.0, 5.0), to: (1.0, 2.0))"#,
    r#"Remap(height: "A")"#,
    r#"Invert(height: "A", level: 12.0)"#,
    r#"Terrace(height: "A", step: 7.0, sharpness: 0.8)"#,
    r#"Curve(height: "A", points: [(0.0, 0.0), (50.0, 20.0), (70.0, 90.0)])"#,
    r#"Select(height: "A", range: (5.0, 30.0), falloff: 4.0)"#,
    r#"Select(height: "A", range: (900.0, 901.0))"#,
    r#"Select(height: "A", by: Slope, range: (0.1, 3.0))"#,
    r#"Flatten(height: "A", mask: "C", level: 12.0)"#,
    r#"Blur(height: "A", radius: 2.0)"#,
];

/// Ground with holes, and a ramp through 0.
fn ground(folder: &Path) {
    let lattice = terrane_grid::Seed(5).lattice();
    let height = |x: usize, y: usize| match (x / 9 + y / 7) % 11 {
        0 => f32::NAN,
        _ => 70.0 * lattice.unit(x as i64, y as i64) - 10.0,
    };
    let map = Heightmap::from_fn(Domain::new(SIZE.0, SIZE.1), height);
    write_heightmap(&folder.join("dem.npy"), &map, &WriteOptions::default()).unwrap();
}

fn random_graph(seed: u64, folder: &Path) -> (Arc<Loaded>, Vec<String>) {
    let mut random = StdRng::seed_from_u64(seed);
    let dem = if seed.is_multiple_of(2) {
        "Import(file: \"dem.npy\", voids: Keep)"
    } else {
        "Constant(value: 3.0)"
    };
    let mut names = vec!["dem".to_owned(), "ramp".to_owned(), "noise".to_owned()];
    let mut nodes = format!(
        "\"dem\": {dem}, \"ramp\": Ramp(from: (0, 0), to: (162, 0), low: -20.0, high: 60.0), \"noise\": \
        OpenSimplex(octaves: 2, wavelength: 30.0)"
    );
    for at in 0..random.random_range(2..24) {
        let mut text = (*NODES.choose(&mut random).unwrap()).to_owned();
        // Most nodes read the one before.
        let before = names.last().cloned().unwrap();
        for port in ["\"A\"", "\"B\"", "\"C\""] {
            let any = names.choose(&mut random).unwrap();
            let name = if port == "\"A\"" && random.random_bool(0.8) { &before } else { any };
            text = text.replace(port, &format!("\"{name}\""));
        }
        nodes += &format!(", \"n{at}\": {text}");
        names.push(format!("n{at}"));
    }
    let text = format!("Graph(size: {SIZE:?}, seed: {seed}, nodes: {{ {nodes} }})");
    let loaded = load("g.ron", &text, folder, &registry(), &LoadOptions::default());
    let loaded = loaded.unwrap_or_else(|mistakes| panic!("{}\n{text}", mistakes.render(false)));
    let wanted = vec![names.last().cloned().unwrap(), names.choose(&mut random).cloned().unwrap()];
    (Arc::new(loaded), wanted)
}

/// The digests of the outputs, and the warnings in any order.
fn results(
    engine: &Engine,
    loaded: &Arc<Loaded>,
    wanted: &[String],
) -> (Vec<String>, Vec<String>, Evaluation) {
    let wanted = wanted.iter().map(|name| Wanted::from(name.as_str()));
    let evaluation = engine.start(loaded, wanted).unwrap().wait();
    assert!(evaluation.succeeded(), "{:?}", evaluation.nodes);
    let digests =
        evaluation.outputs.iter().map(|output| output.value.as_ref().unwrap().digest().hex()).collect();
    let mut warnings = evaluation.warnings.clone();
    warnings.sort();
    (digests, warnings, evaluation)
}

#[test]
fn random_graphs_have_the_same_results_fused_and_apart() {
    let folder = tempfile::tempdir().unwrap();
    ground(folder.path());
    let (mut inner, mut warned) = (0, 0);
    for seed in 0..120 {
        let (loaded, wanted) = random_graph(seed, folder.path());
        let threads = 1 + seed as usize % 3;
        let apart = results(&engine(threads, None), &loaded, &wanted);
        let options = || EngineOptions { threads, ..EngineOptions::default() };
        let fused = results(&Engine::new(options()).unwrap(), &loaded, &wanted);
        assert_eq!((&fused.0, &fused.1), (&apart.0, &apart.1), "seed {seed}");
        let again = Engine::new(EngineOptions { memory: 0, reuse: false, ..options() }).unwrap();
        assert_eq!(results(&again, &loaded, &wanted).0, apart.0, "seed {seed}");
        let is_inner = |outcome: &Outcome, bytes: u64| *outcome == Outcome::Ran && bytes == 0;
        inner += fused.2.nodes.iter().filter(|node| is_inner(&node.outcome, node.bytes)).count();
        warned += usize::from(!fused.1.is_empty());
    }
    assert!(inner > 300 && warned > 20, "{inner} values are not made, and {warned} graphs have warnings");
}

/// A reader that keeps holes takes for a hole what a node before it lost.
#[test]
fn lost_samples_are_named_before_a_node_that_keeps_holes() {
    let folder = tempfile::tempdir().unwrap();
    ground(folder.path());
    let text = format!(
        r#"Graph(size: {SIZE:?}, nodes: {{
            "noise": OpenSimplex(octaves: 2, wavelength: 30.0), "dem": Import(file: "dem.npy", voids: Keep),
            "p": Combine(a: "noise", b: 1e30, mode: Multiply), "q": Combine(a: "p", b: 1e30, mode: Multiply),
            "r": Combine(a: "q", b: "q", mode: Subtract), "s": Combine(a: "r", b: "dem"),
        }})"#
    );
    let loaded = load("g.ron", &text, folder.path(), &registry(), &LoadOptions::default()).unwrap();
    let (loaded, wanted) = (Arc::new(loaded), ["s".to_owned()]);
    let fused = results(&Engine::new(EngineOptions::default()).unwrap(), &loaded, &wanted);
    assert!(fused.1.len() == 1 && fused.1[0].starts_with("q: "), "{:?}", fused.1);
    assert_eq!(fused.1, results(&engine(2, None), &loaded, &wanted).1);
}

#[test]
fn a_fusion_has_the_same_bits_at_every_vector_level() {
    let folder = tempfile::tempdir().unwrap();
    ground(folder.path());
    let graphs: Vec<_> = (200..212).map(|seed| random_graph(seed, folder.path())).collect();
    let run = || -> Vec<_> {
        let engine =
            Engine::new(EngineOptions { threads: 2, memory: 0, ..EngineOptions::default() }).unwrap();
        graphs.iter().map(|(loaded, wanted)| results(&engine, loaded, wanted).0).collect()
    };
    let expected = run();
    terrane::kernels::simd::at_each_level(|level| assert_eq!(run(), expected, "{level:?}"));
}
