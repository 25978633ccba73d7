//! Power of noise by direction: no lattice shows at the nodes' defaults.

use terrane_flow::Node;
use terrane_grid::{Domain, Heightmap};

use super::tests::height;
use super::{Fractal, Interpolation, Model, OpenSimplex, Perlin, PolynomialNoise, SpectralSynthesis};

/// Samples along each side of a map.
const SIDE: usize = 256;

type Complex = (f64, f64);

/// The discrete Fourier transform of a row whose length is a power of two.
fn transform(row: &mut [Complex]) {
    if row.len() < 2 {
        return;
    }
    let half = |first: usize| row.iter().skip(first).step_by(2).copied().collect::<Vec<_>>();
    let (mut even, mut odd) = (half(0), half(1));
    transform(&mut even);
    transform(&mut odd);
    let count = even.len();
    for at in 0..count {
        let (sin, cos) = libm::sincos(-std::f64::consts::PI * at as f64 / count as f64);
        let (a, b) = (even[at], odd[at]);
        let b = (b.0 * cos - b.1 * sin, b.0 * sin + b.1 * cos);
        row[at] = (a.0 + b.0, a.1 + b.1);
        row[at + count] = (a.0 - b.0, a.1 - b.1);
    }
}

/// The power of a map at each wave vector. A Hann window removes the map's border.
fn power(map: &Heightmap) -> Vec<f64> {
    let mean = map.samples().iter().map(|&h| f64::from(h)).sum::<f64>() / map.samples().len() as f64;
    let window = |at: usize| 0.5 - 0.5 * libm::cos(std::f64::consts::TAU * at as f64 / SIDE as f64);
    let value = |at: usize| {
        let (x, y) = (at % SIDE, at / SIDE);
        (window(x) * window(y) * (f64::from(map.samples()[at]) - mean), 0.0)
    };
    let mut values: Vec<Complex> = (0..SIDE * SIDE).map(value).collect();
    for _ in 0..2 {
        values.chunks_mut(SIDE).for_each(transform);
        values = (0..SIDE * SIDE).map(|at| values[at % SIDE * SIDE + at / SIDE]).collect();
    }
    values.into_iter().map(|(a, b)| a * a + b * b).collect()
}

/// The power within 6° of the axes and within 6° of the diagonals, relative to the mean over all directions,
/// of twelve maps, at 16 to 64 cycles per side.
fn axes_and_diagonals(node: &dyn Fn() -> Box<dyn Node>) -> [f64; 2] {
    let domain = Domain::new(SIDE, SIDE).with_spacing(2.0);
    let maps: Vec<_> = (0..12).map(|seed| power(&height(node(), domain, seed).0)).collect();
    let mut rings = vec![Vec::new(); 64];
    for at in 0..SIDE * SIDE {
        let [x, y] = [at % SIDE, at / SIDE].map(|k| k.min(SIDE - k) as f64);
        let radius = libm::hypot(x, y) as usize;
        if (16..64).contains(&radius) {
            let sum: f64 = maps.iter().map(|map| map[at]).sum();
            rings[radius].push((libm::atan2(y, x).to_degrees(), sum));
        }
    }
    let (mut sums, mut counts) = ([0.0; 2], [0.0; 2]);
    for ring in &rings[16..] {
        let mean = ring.iter().map(|(_, power)| power).sum::<f64>() / ring.len() as f64;
        for (degrees, power) in ring {
            let off = [degrees.min(90.0 - degrees), (degrees - 45.0).abs()];
            for class in (0..2).filter(|&class| off[class] < 6.0) {
                sums[class] += power / mean;
                counts[class] += 1.0;
            }
        }
    }
    [0, 1].map(|class| sums[class] / counts[class])
}

#[test]
fn no_direction_has_more_power_at_the_defaults() {
    let mut nodes: Vec<(String, Box<dyn Node>)> = Vec::new();
    for fractal in [Fractal::Ridged, Fractal::Billow, Fractal::Turbulence] {
        nodes.push((format!("Perlin {fractal:?}"), Box::new(Perlin { fractal, ..Perlin::default() })));
        if fractal != Fractal::Ridged {
            continue;
        }
        nodes.push((
            format!("simplex {fractal:?}"),
            Box::new(OpenSimplex { fractal, ..OpenSimplex::default() }),
        ));
        for model in [Model::D2M1N3, Model::ZeroGradient, Model::D2M2] {
            let node = PolynomialNoise { model, fractal, ..PolynomialNoise::default() };
            nodes.push((format!("{model:?} {fractal:?}"), Box::new(node)));
        }
    }
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let node = SpectralSynthesis { interpolation, ..SpectralSynthesis::default() };
        nodes.push((format!("spectral {interpolation:?}"), Box::new(node)));
    }
    let mut out = Vec::new();
    for (name, node) in nodes {
        let found = axes_and_diagonals(&|| node.clone());
        println!("{name} {found:.2?}");
        if found.iter().any(|power| !(0.85..=1.15).contains(power)) {
            out.push(format!("{name}: {found:?}"));
        }
    }
    assert!(out.is_empty(), "{}", out.join("\n"));
}
