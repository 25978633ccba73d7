//! Compares noise with noise-rs and, with the feature `fastnoise2`, with FastNoise2: samples · octaves per
//! second, on one thread.
//!
//! `cargo bench -p xtask --bench noise`

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use noise::{Fbm, MultiFractal, NoiseFn, OpenSimplex, Perlin};
use terrane_grid::{Domain, Heightmap, Seed};
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};
use terrane_kernels::simd::{self, Level};
use terrane_kernels::{ScalarMap, Silent};

const SIDE: usize = 1024;

fn bases() -> Vec<(&'static str, Basis)> {
    let gradient_weight = 0.01;
    vec![
        ("ZeroGradient", Basis::ZeroGradient(Smoothstep::CUBIC)),
        ("Value", Basis::Value(Smoothstep::CUBIC)),
        ("Perlin", Basis::Perlin(Smoothstep::CUBIC)),
        ("D2M1N3", Basis::D2M1N3 { gradient_weight }),
        ("Hermite", Basis::Hermite { gradient_weight }),
        ("D2M2", Basis::D2M2 { gradient_weight }),
        ("OpenSimplex", Basis::OpenSimplex),
    ]
}

/// The paper's setting: the first octave has two cells along a side.
fn fbm(basis: Basis, octaves: u32, wavelength: f64) -> Noise {
    Noise { basis, fractal: Fractal::Fbm, octaves, wavelength, lacunarity: 2.0, layout: Layout::Straight }
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

fn ours(criterion: &mut Criterion) {
    let domain = Domain::new(SIDE, SIDE);
    let mut out = vec![0.0; domain.len()];
    for level in Level::available().into_iter().rev() {
        simd::limit(level);
        let mut group = criterion.benchmark_group(format!("1024², 8 octaves, {level:?}"));
        group.throughput(Throughput::Elements((domain.len() * 8) as u64));
        for threads in [1, 2] {
            let pool = pool(threads);
            for (name, basis) in bases() {
                let noise = fbm(basis, 8, 512.0);
                group.bench_function(BenchmarkId::new(name, format!("{threads} threads")), |bencher| {
                    bencher.iter(|| {
                        pool.install(|| noise.fill(&domain, Seed(1), &Drive::default(), &mut out, &Silent))
                    });
                });
            }
        }
        group.finish();
    }
    simd::limit(Level::Avx512);
}

/// Cases that cannot use tables: a warped domain, and cells smaller than two samples.
fn arbitrary(criterion: &mut Criterion) {
    let domain = Domain::new(SIDE, SIDE);
    let mut out = vec![0.0; domain.len()];
    let (x, y) = (
        Heightmap::from_fn(domain, |x, y| ((x * 7 + y * 3) % 101) as f32 - 50.0),
        Heightmap::from_fn(domain, |x, y| ((x * 5 + y * 11) % 97) as f32 - 48.0),
    );
    let warped = Drive { warp: Some([ScalarMap::Map(&x), ScalarMap::Map(&y)]), ..Drive::default() };
    let pool = pool(1);
    for level in Level::available().into_iter().rev() {
        simd::limit(level);
        let mut group = criterion.benchmark_group(format!("arbitrary places, 1 octave, {level:?}"));
        group.throughput(Throughput::Elements(domain.len() as u64));
        for (name, basis) in bases() {
            for (setting, wavelength, drive, layout) in [
                ("warped", 64.0, warped, Layout::Straight),
                ("warped and wrapped", 64.0, warped, Layout::Wrapped),
                ("turned", 64.0, Drive::default(), Layout::Turned),
                ("cells of 1.5 samples", 1.5, Drive::default(), Layout::Straight),
            ] {
                let noise = Noise { layout, ..fbm(basis, 1, wavelength) };
                group.bench_function(BenchmarkId::new(name, setting), |bencher| {
                    bencher.iter(|| pool.install(|| noise.fill(&domain, Seed(1), &drive, &mut out, &Silent)));
                });
            }
        }
        group.finish();
    }
    simd::limit(Level::Avx512);
}

fn noise_rs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("noise-rs, 1024²");
    group.sample_size(10);
    let mut out = vec![0.0f64; SIDE * SIDE];
    let mut fill = |noise: &dyn Fn([f64; 2]) -> f64, wavelength: f64| {
        for (y, row) in out.chunks_mut(SIDE).enumerate() {
            for (x, out) in row.iter_mut().enumerate() {
                *out = noise([x as f64 / wavelength, y as f64 / wavelength]);
            }
        }
    };
    group.throughput(Throughput::Elements((SIDE * SIDE) as u64));
    let (perlin, simplex) = (Perlin::new(1), OpenSimplex::new(1));
    group.bench_function("Perlin, 1 octave", |b| b.iter(|| fill(&|at| perlin.get(at), 64.0)));
    group.bench_function("OpenSimplex, 1 octave", |b| b.iter(|| fill(&|at| simplex.get(at), 64.0)));
    let fbm = Fbm::<Perlin>::new(1).set_octaves(8).set_frequency(1.0);
    group.throughput(Throughput::Elements((SIDE * SIDE * 8) as u64));
    group.bench_function("Perlin, 8 octaves", |b| b.iter(|| fill(&|at| fbm.get(at), 512.0)));
    group.finish();
}

#[cfg(feature = "fastnoise2")]
fn fast_noise_2(criterion: &mut Criterion) {
    use fastnoise2::SafeNode;
    use fastnoise2::generator::perlin::perlin;
    use fastnoise2::generator::prelude::*;
    use fastnoise2::generator::simplex::simplex;
    use fastnoise2::generator::value::value;

    let mut group = criterion.benchmark_group("FastNoise2, its widest level, 1024²");
    let (samples, side) = (SIDE * SIDE, SIDE as i32);
    let mut out = vec![0.0f32; samples];
    let (x, y): (Vec<f32>, Vec<f32>) = (0..samples)
        .map(|i| ((i % SIDE) as f32 + (i * 7 % 101) as f32, (i / SIDE) as f32 + (i * 5 % 97) as f32))
        .unzip();
    let mut bench = |name: &str, node: SafeNode, octaves: u64| {
        group.throughput(Throughput::Elements(samples as u64 * octaves));
        group.bench_function(BenchmarkId::new(name, "grid"), |bencher| {
            bencher.iter(|| node.gen_uniform_grid_2d(&mut out, 0.0, 0.0, side, side, 1.0, 1.0, 1));
        });
        group.bench_function(BenchmarkId::new(name, "positions"), |bencher| {
            bencher.iter(|| node.gen_position_array_2d(&mut out, &x, &y, 0.0, 0.0, 1));
        });
    };
    bench("Perlin", perlin().build().0, 1);
    bench("Simplex", simplex().build().0, 1);
    bench("Value", value().build().0, 1);
    bench("Perlin, 8 octaves", perlin().fbm(0.5, 0.0, 8, 2.0).build().0, 8);
    group.finish();
}

#[cfg(not(feature = "fastnoise2"))]
fn fast_noise_2(_: &mut Criterion) {}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1))
        .sample_size(20);
    targets = ours, arbitrary, noise_rs, fast_noise_2
}
criterion_main!(benches);
