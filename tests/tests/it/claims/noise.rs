//! Claims of the pages of noise nodes.

use std::collections::BTreeSet;

use super::*;

/// Maps of ports of a graph of 65 x 65 samples, four world units apart.
fn noise(seed: u64, nodes: &str, ports: &[&str]) -> Vec<Arc<Map>> {
    let text = format!("Graph(size: ({SIDE}, {SIDE}), spacing: 4.0, seed: {seed}, nodes: {{ {nodes} }})");
    let out = run(&text, ports);
    (0..ports.len()).map(|at| value(&out, at)).collect()
}

/// With exponential gradients, heights fill about two fifths of the range of equal gradients.
#[test]
fn exponential_gradients_fill_two_fifths_of_the_range() {
    let nodes = "\"e\": Perlin(wavelength: 32.0, gradients: Exponential), \"p\": Perlin(wavelength: 32.0)";
    let ratio = |seed| {
        let width = |map: &Arc<Map>| range(map).1 - range(map).0;
        let maps = noise(seed, nodes, &["e", "p"]);
        width(&maps[0]) / width(&maps[1])
    };
    let mean = (0..20).map(ratio).sum::<f32>() / 20.0;
    assert!((0.35..0.45).contains(&mean), "{mean}");
}

#[test]
fn spectral_synthesis_stays_within_its_bounds() {
    for seed in 0..20 {
        for (octaves, persistence) in [(8, 0.5), (1, 0.5), (3, 1.0)] {
            for (interpolation, (low, high)) in [("Linear", (0.0, 1.0)), ("Cubic", (-0.282, 1.282))] {
                let node = format!(
                    "\"n\": SpectralSynthesis(wavelength: 30.0, octaves: {octaves}, persistence: \
                    {persistence:?}, interpolation: {interpolation})"
                );
                let found = range(&noise(seed, &node, &["n"])[0]);
                assert!(found.0 >= low && found.1 <= high, "{seed} {node}: {found:?}");
            }
        }
    }
}

/// Voronoi's heights at the defaults; and with `hills`, the share of cells that keep their hills, which do
/// not change.
#[test]
fn heights_and_hills_of_voronoi() {
    let nodes = "\"v\": Voronoi(), \"a\": Voronoi(regions: 16), \"h\": Voronoi(regions: 16, hills: 0.3)";
    let (mut hilly, mut all) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..20 {
        let maps = noise(seed, nodes, &["v", "a", "h", "h.cells"]);
        let (low, high) = range(&maps[0]);
        assert!(low >= 0.0 && (0.9..1.3).contains(&high), "{seed}: {low} {high}");
        for at in samples() {
            let cell = (seed, maps[3][at] as u32);
            all.insert(cell);
            if maps[2][at] > 0.0 {
                assert_eq!(maps[2][at], maps[1][at], "{seed} {at:?}");
                hilly.insert(cell);
            }
        }
    }
    // Four standard deviations of a share of 0.3 among about 6,000 cells are 0.024.
    let share = hilly.len() as f64 / all.len() as f64;
    assert!((share - 0.3).abs() < 0.024, "{share}");
}

#[test]
fn textures_stay_in_the_unit_interval() {
    let texture = |pattern: &str| format!("\"{pattern}\": Texture(noise: \"n\", pattern: {pattern})");
    let patterns = ["Marble", "Wood", "Clouds"];
    let nodes =
        format!("\"n\": Perlin(wavelength: 60.0, normalise: true), {}", patterns.map(texture).join(", "));
    for seed in 0..20 {
        for map in noise(seed, &nodes, &patterns) {
            let (low, high) = range(&map);
            assert!(low >= 0.0 && high <= 1.0, "{low} {high}");
        }
    }
}
