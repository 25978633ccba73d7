//! Claims of the pages of noise nodes.

use super::*;

/// Maps of ports of a graph of 65 x 65 samples, four world units apart.
fn noise(seed: u64, nodes: &str, ports: &[&str]) -> Vec<Arc<Map>> {
    let text =
        format!("Graph(size: ({SIDE}, {SIDE}), spacing: 4.0, seed: {seed}, nodes: {{ {nodes} }})");
    let out = run(&text, ports);
    (0..ports.len()).map(|at| value(&out, at)).collect()
}

#[test]
fn figures() {
    let mut ratios = vec![];
    for seed in 0..20 {
        let maps = noise(seed, "\"e\": Perlin(wavelength: 32, gradients: Exponential), \"p\": Perlin(wavelength: 32), \
          \"l\": SpectralSynthesis(wavelength: 32), \"c\": SpectralSynthesis(interpolation: Cubic, wavelength: 32), \"c1\": SpectralSynthesis(interpolation: Cubic, octaves: 1, wavelength: 12), \
          \"v\": Voronoi(), \"vh\": Voronoi(hills: 0.3, regions: 16), \"va\": Voronoi(regions: 16)", &["e", "p", "l", "c", "c1", "v", "vh", "vh.cells", "va"]);
        let r: Vec<(f32, f32)> = maps.iter().map(|m| range(m)).collect();
        ratios.push((r[0].1 - r[0].0) / (r[1].1 - r[1].0));
        let mut cells: Vec<u32> = maps[7].samples().iter().map(|&c| c as u32).collect();
        let mut hilly: Vec<u32> = samples().filter(|&at| maps[6][at] > 0.0).map(|at| maps[7][at] as u32).collect();
        cells.sort(); cells.dedup(); hilly.sort(); hilly.dedup();
        let same = samples().filter(|&at| maps[6][at] > 0.0).all(|at| maps[6][at] == maps[8][at]);
        println!("{seed} exp {:?} equal {:?} linear {:?} cubic {:?} one {:?} voronoi {:?} hills {} of {} same {same}", r[0], r[1], r[2], r[3], r[4], r[5], hilly.len(), cells.len());
    }
    println!("{ratios:.2?}");
}

/// At lattice points the slope times the cell's side is at most the gradient weight times the octave's
/// height.
#[test]
fn slopes() {
    for model in ["D2M1N3", "Hermite", "D2M2"] {
        let mut worst = 0.0f32;
        for seed in 0..20 {
            let maps = noise(seed, &format!("\"n\": PolynomialNoise(model: {model}, octaves: 1, gradient_weight: 2, wavelength: 16)"), &["n.slope_x", "n.slope_y"]);
            for (x, y) in samples().filter(|(x, y)| x % 4 == 0 && y % 4 == 0) {
                worst = worst.max(maps[0][(x, y)].abs() * 16.0).max(maps[1][(x, y)].abs() * 16.0);
            }
        }
        println!("{model} {worst}");
    }
}

#[test]
fn textures() {
    for seed in 0..20 {
        let maps = noise(seed, "\"n\": Perlin(wavelength: 60, normalise: true), \"m\": Texture(noise: \"n\"), \"w\": Texture(noise: \"n\", pattern: Wood), \"c\": Texture(noise: \"n\", pattern: Clouds)", &["m", "w", "c"]);
        for map in maps { let (low, high) = range(&map); assert!(low >= 0.0 && high <= 1.0, "{low} {high}"); }
    }
}
