//! Time to write and read a heightmap of 2048 × 2048 samples in every format, and to fill missing samples.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use terrane_grid::{Domain, Heightmap};
use terrane_io::{ReadOptions, WriteOptions, read_heightmap, write_heightmap};

const SIDE: usize = 2048;

/// Smooth hills with some grain, as realistic input for compression.
fn hills() -> Heightmap {
    Heightmap::from_fn(Domain::new(SIDE, SIDE), |x, y| {
        let (u, v) = (x as f64 / 170.0, y as f64 / 230.0);
        let grain = ((x * 7919 + y * 104_729) % 97) as f64 * 0.01;
        (300.0 * libm::sin(u) * libm::cos(v) + 20.0 * libm::sin(9.0 * u + 5.0 * v) + grain) as f32
    })
}

fn formats(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("the system has a folder for temporary files");
    let map = hills();
    let mut group = c.benchmark_group("formats");
    group.sample_size(10).throughput(Throughput::Elements((SIDE * SIDE) as u64));
    for extension in ["png", "tif", "exr", "npy", "r16", "r32"] {
        let path = folder.path().join(format!("a.{extension}"));
        group.bench_function(format!("write {extension}"), |b| {
            b.iter(|| write_heightmap(&path, black_box(&map), &WriteOptions::default()));
        });
        let size = std::fs::metadata(&path).map_or(0, |m| m.len());
        group.bench_function(format!("read {extension} of {size} bytes"), |b| {
            b.iter(|| read_heightmap(&path, &ReadOptions::default()));
        });
    }
    let mut holed = map;
    for y in 400..1400 {
        holed.grid_mut().row_mut(y)[500..1500].fill(f32::NAN);
    }
    let path = folder.path().join("holed.npy");
    write_heightmap(&path, &holed, &WriteOptions::default()).expect("the folder was just created");
    group.bench_function("read npy, a quarter missing", |b| {
        b.iter(|| read_heightmap(&path, &ReadOptions::default()));
    });
    group.finish();
}

criterion_group!(benches, formats);
criterion_main!(benches);
