//! Claims of the pages of FluvialErosion and UpliftErosion about maps of the same ground with more samples.

use super::*;

/// The ground, what a node makes of it, and the drainage area of that.
fn eroded(side: usize, spacing: f64, ground: &str, node: &str) -> [Arc<Map>; 3] {
    let text = format!(
        "Graph(size: ({side}, {side}), spacing: {spacing:?}, seed: 3, nodes: {{ \"g\": {ground}, \
        \"n\": {node}, \"d\": Drainage(height: \"n\") }})"
    );
    let out = run(&text, &["g", "n", "d"]);
    [0, 1, 2].map(|at| value(&out, at))
}

/// How a map of half the spacing differs.
struct Compared {
    /// The mean change, as a share.
    eroded: f64,
    /// The correlation of the change, means over five samples along each side.
    correlation: f64,
    /// The share of the rivers within two samples of the other map's.
    rivers: f64,
}

/// Compares a map of `side` samples along each side with one of half the spacing.
fn compared(side: usize, few: &[Arc<Map>; 3], many: &[Arc<Map>; 3]) -> Compared {
    let every = |step: usize| move |at: usize| (at % side * step, at / side * step);
    let change = |[ground, out, _]: &[Arc<Map>; 3], step: usize| {
        let of = |at| f64::from(out[every(step)(at)]) - f64::from(ground[every(step)(at)]);
        (0..side * side).map(of).collect::<Vec<f64>>()
    };
    let changes = [change(few, 1), change(many, 2)];
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let near = |at: usize, reach: usize| {
        let range = move |at: usize| at.saturating_sub(reach)..(at + reach + 1).min(side);
        range(at / side).flat_map(move |y| range(at % side).map(move |x| y * side + x))
    };
    let smooth = changes.each_ref().map(|change| {
        let mean_of = |at: usize| mean(&near(at, 2).map(|at| change[at]).collect::<Vec<f64>>());
        (0..side * side).map(mean_of).collect::<Vec<f64>>()
    });
    let means = smooth.each_ref().map(|change| mean(change));
    let product = |a: usize, b: usize| {
        let pairs = smooth[a].iter().zip(&smooth[b]);
        pairs.map(|(x, y)| (x - means[a]) * (y - means[b])).sum::<f64>()
    };
    // A river of the finer map counts at the coarser map's samples beside it.
    let least = 250.0 * (few[0].spacing() * few[0].spacing()) as f32;
    let fine = many[2].width();
    let beside = |at: usize| {
        let range = move |at: usize| (2 * at).saturating_sub(1)..(2 * at + 2).min(fine);
        range(at / side).flat_map(move |y| range(at % side).map(move |x| (x, y)))
    };
    let rivers: [Vec<bool>; 2] = [
        (0..side * side).map(|at| few[2][every(1)(at)] > least).collect(),
        (0..side * side).map(|at| beside(at).any(|at| many[2][at] > least)).collect(),
    ];
    let share = |[a, b]: [&Vec<bool>; 2]| {
        let all: Vec<usize> = (0..side * side).filter(|&at| a[at]).collect();
        all.iter().filter(|&&at| near(at, 2).any(|at| b[at])).count() as f64 / all.len() as f64
    };
    Compared {
        eroded: mean(&changes[1]) / mean(&changes[0]),
        correlation: product(0, 1) / (product(0, 0) * product(1, 1)).sqrt(),
        rivers: share([&rivers[0], &rivers[1]]).min(share([&rivers[1], &rivers[0]])),
    }
}

/// What the pages state. The widths are the defaults: the rivers of the smaller map are one sample wide.
#[test]
fn a_map_with_more_samples_has_the_same_valleys() {
    let hills = "PolynomialNoise(wavelength: 2600.0, octaves: 7, amplitude: 600.0, offset: 180.0)";
    let flat = "Constant(value: 0.0)";
    let cases = [
        ("FluvialErosion(height: \"g\")", hills, 20.0, 0.8..1.1, 0.65, 0.75),
        ("FluvialErosion(height: \"g\", drain: true)", hills, 20.0, 1.0..1.2, 0.95, 0.9),
        ("UpliftErosion(height: \"g\")", hills, 20.0, 1.1..1.3, 0.8, 0.85),
        ("UpliftErosion()", flat, 200.0, 0.95..1.0, 0.8, 0.5),
    ];
    for (node, ground, spacing, shares, correlation, rivers) in cases {
        let side = 257;
        let few = eroded(side, spacing, ground, node);
        let many = eroded(2 * side - 1, spacing / 2.0, ground, node);
        let found = compared(side, &few, &many);
        let what = format!("{node}: {} {} {}", found.eroded, found.correlation, found.rivers);
        assert!(shares.contains(&found.eroded), "{what}");
        assert!(found.correlation >= correlation && found.rivers >= rivers, "{what}");
    }
}

/// The plain beside a range that rises for five million years. Rivers one sample wide would leave half as
/// much at half the spacing.
#[test]
fn plains_are_as_thick_at_half_the_spacing() {
    let mean = |side: usize| {
        let spacing = 25_600.0 / (side - 1) as f64;
        let text = format!(
            "Graph(size: ({side}, {side}), spacing: {spacing:?}, seed: 5, nodes: {{ \"n\": OpenSimplex( \
            wavelength: 12000.0, octaves: 2, amplitude: 0.0016, offset: -0.0008), \"u\": Clamp(height: \
            \"n\", min: 0.0, max: 1.0), \"e\": UpliftErosion(uplift: \"u\", iterations: 50, time_step: \
            100000.0, border: Sea, erodibility: 0.0000015, deposition: 1.0, valley_width: 200.0) }})"
        );
        let out = run(&text, &["u", "e"]);
        let [uplift, ground]: [Arc<Map>; 2] = [0, 1].map(|at| value(&out, at));
        let inside = |at: &usize| [at % side, at / side].iter().all(|&at| at > 0 && at + 1 < side);
        let plain: Vec<usize> =
            (0..side * side).filter(inside).filter(|&at| uplift.samples()[at] == 0.0).collect();
        plain.iter().map(|&at| f64::from(ground.samples()[at])).sum::<f64>() / plain.len() as f64
    };
    let [few, many] = [129, 257].map(mean);
    assert!(few > 10.0 && (many / few - 1.0).abs() < 0.15, "{few} {many}");
}
