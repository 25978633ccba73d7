//! The cost of the kernels, on one thread and on two, compared with the memory's speed.

use std::time::Instant;

use terrane_grid::{Domain, Heightmap, Seed};
use terrane_kernels::displacement::{Boundary as Border, Distribution, Midpoint, midpoint_displacement};
use terrane_kernels::erosion::{
    Distance, Hydraulic, HydraulicScheme, Needles, Neighbourhood, Olsen, OlsenScheme, Scheme, Thermal,
    hydraulic_erosion, olsen_erosion, thermal_erosion,
};
use terrane_kernels::metric::statistics;
use terrane_kernels::noise::{Interpolation, Layout, Spectral, spectral_synthesis};
use terrane_kernels::shape::remap;
use terrane_kernels::voronoi::{Metric, Rescale, Search, Voronoi, voronoi};
use terrane_kernels::warp::perturb;
use terrane_kernels::{Boundary, ScalarMap, Silent};
use terrane_paths::path::{Costs, Prices, Road, Search as Ways, cheapest_way};

use crate::{Result, say};

/// Prints a table.
pub fn speed() -> Result<()> {
    let one = rayon_pool(1)?;
    let two = rayon_pool(2)?;
    let bandwidth = triad();
    say(&format!("memory: {bandwidth:.1} GB/s on one thread (a = b + c over 64 MiB arrays)\n"));
    say("| kernel | target, ms | 1 thread, ms | GB/s of output | share of memory | 2 threads, ms \
        | speed-up |");
    say("|---|---|---|---|---|---|---|");
    for (name, target, bytes, work) in kernels() {
        let (a, b) = (one.install(|| best(&*work)), two.install(|| best(&*work)));
        let rate = bytes / a / 1e6;
        say(&format!(
            "| {name} | {target} | {a:.1} | {rate:.2} | {:.0} % | {b:.1} | {:.2} |",
            rate / bandwidth * 100.0,
            a / b
        ));
    }
    Ok(())
}

fn rayon_pool(threads: usize) -> Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
}

type Work = Box<dyn Fn() + Sync + Send>;

/// Name, target in ms, bytes written, work.
fn kernels() -> Vec<(&'static str, u32, f64, Work)> {
    const MIB: f64 = 1_048_576.0;
    let domain = Domain::new(1024, 1024);
    let midpoint = Midpoint {
        persistence: 0.5,
        roughness: ScalarMap::Constant(1.0),
        distribution: Distribution::Uniform,
        smoothed: false,
        boundary: Border::Wrap,
        lattice: 4,
    };
    let spectral = Spectral {
        octaves: 9,
        wavelength: 512.0,
        persistence: 0.5,
        interpolation: Interpolation::Linear,
        layout: Layout::Straight,
    };
    let cells = Voronoi {
        side: None,
        regions: 16,
        points_per_region: 1,
        coefficients: vec![-1.0, 1.0],
        metric: Metric::Euclidean,
        search: Search::Exact,
        wrap: false,
        rescale: Rescale::World,
    };
    let height = midpoint_displacement(&domain, Seed(1), &midpoint, &Silent)
        .unwrap_or_else(|_| Heightmap::constant(domain, 0.0));
    let noise = spectral_synthesis(&domain, Seed(2), &spectral, &Silent).unwrap_or_else(|_| height.clone());
    let small = Domain::new(512, 512).with_spacing(1.0 / 512.0);
    let base = midpoint_displacement(&small, Seed(1), &midpoint, &Silent)
        .unwrap_or_else(|_| Heightmap::constant(small, 0.0));
    let thermal = |scheme, neighbourhood| {
        let base = base.clone();
        let thermal = Thermal {
            talus: ScalarMap::Constant(4.0),
            distance: Distance::Steps,
            iterations: 500,
            scheme,
            fraction: 0.5,
            neighbourhood,
            boundary: Boundary::Wrap,
        };
        Box::new(move || drop(thermal_erosion(&base, &thermal, &Silent, None))) as Work
    };
    let hydraulic = |scheme| {
        let base = base.clone();
        let boundary = Boundary::Wrap;
        let hydraulic = Hydraulic {
            rain: 0.01,
            solubility: 0.01,
            evaporation: 0.5,
            capacity: 0.01,
            iterations: 500,
            scheme,
            boundary,
        };
        Box::new(move || drop(hydraulic_erosion(&base, &hydraulic, &Silent, None))) as Work
    };
    let olsen = {
        let base = base.clone();
        let olsen = Olsen {
            talus: ScalarMap::Constant(16.0),
            iterations: 50,
            boundary: Boundary::Wrap,
            scheme: OlsenScheme::Text,
            needles: Needles::Keep,
        };
        Box::new(move || drop(olsen_erosion(&base, &olsen, &Silent, None))) as Work
    };
    // Heights in [0, 1] over a square of 128, as in Velzel's thesis.
    let unit = Domain::new(1025, 1025).with_spacing(0.125);
    let open = Midpoint { boundary: Border::Open, lattice: 2, ..midpoint.clone() };
    let ground = midpoint_displacement(&unit, Seed(0), &open, &Silent)
        .unwrap_or_else(|_| Heightmap::constant(unit, 0.0));
    let range = statistics(&ground);
    let ground = remap(ground, (range.min as f32, range.max as f32), (0.0, 1.0));
    let way = |costs, max_slope| {
        let (ground, corners) = (ground.clone(), (0, ground.samples().len() - 1));
        let road = Road { width: 8.0, max_slope };
        Box::new(move || drop(cheapest_way(&ground, corners, &Ways::by(costs), road, &Silent))) as Work
    };
    let path = 4.0 * 1025.0 * 1025.0;
    vec![
        (
            "route from corner to corner, thesis, 1025²",
            250,
            path,
            way(Costs::Thesis { alpha: 10_000.0, beta: 1.8 }, 0.0035),
        ),
        (
            "route from corner to corner, builder, 1025²",
            1000,
            path,
            way(Costs::Builder(Prices { excess: None, side: 0.1 }), 0.0035),
        ),
        (
            "midpoint displacement, 1024²",
            6,
            4.0 * MIB,
            Box::new(move || drop(midpoint_displacement(&domain, Seed(1), &midpoint, &Silent))),
        ),
        (
            "spectral synthesis, 9 octaves, linear, 1024²",
            12,
            4.0 * MIB,
            Box::new(move || drop(spectral_synthesis(&domain, Seed(1), &spectral, &Silent))),
        ),
        (
            "Voronoi F2 − F1, exact, 1024², 16 regions",
            12,
            8.0 * MIB,
            Box::new(move || drop(voronoi(&domain, Seed(1), &cells, &Silent))),
        ),
        (
            "perturb, 1024²",
            10,
            4.0 * MIB,
            Box::new(move || drop(perturb(&height, &noise, None, 0.25, Boundary::Wrap, &Silent))),
        ),
        (
            "thermal Fast, 512², 500 iterations",
            400,
            500.0 * MIB,
            thermal(Scheme::Fast, Neighbourhood::Rotated),
        ),
        (
            "thermal Reference, 512², 500 iterations",
            600,
            500.0 * MIB,
            thermal(Scheme::Reference, Neighbourhood::Moore),
        ),
        (
            "hydraulic Reference, 512², 500 iterations",
            1500,
            1500.0 * MIB,
            hydraulic(HydraulicScheme::Reference),
        ),
        ("hydraulic Fast, 512², 500 iterations", 400, 1000.0 * MIB, hydraulic(HydraulicScheme::Fast)),
        ("Olsen's new, 512², 50 iterations", 15, 50.0 * MIB, olsen),
    ]
}

/// The median of some runs, in ms.
fn best(work: &(dyn Fn() + Sync + Send)) -> f64 {
    let mut times: Vec<f64> = Vec::new();
    let started = Instant::now();
    while times.len() < 7 || (started.elapsed().as_secs_f64() < 0.5 && times.len() < 50) {
        let start = Instant::now();
        work();
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The GB/s at which one thread reads two arrays and writes a third.
pub fn triad() -> f64 {
    const COUNT: usize = 1 << 24;
    let (b, c) = (vec![1.0f32; COUNT], vec![2.0f32; COUNT]);
    let mut a = vec![0.0f32; COUNT];
    let mut best = f64::MAX;
    for _ in 0..7 {
        let start = Instant::now();
        for ((a, b), c) in a.iter_mut().zip(&b).zip(&c) {
            *a = b + c;
        }
        std::hint::black_box(&mut a);
        best = best.min(start.elapsed().as_secs_f64());
    }
    3.0 * 4.0 * COUNT as f64 / best / 1e9
}
