//! The memory that nodes use, compared with its forecast: every type, with its example, its defaults and
//! the extremes of its parameters, on few samples and on many.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

mod case;
mod measure;

use case::{Bench, Taken};
use measure::{Counting, alone, peak};
use terrane::io::{Effort, WriteOptions, write_animation, write_heightmap, write_mesh, write_picture};
use terrane::kernels::shade::terrain_mesh;
use terrane::{Domain, Grid, Heightmap};
use terrane_tests::variants::examples;

#[global_allocator]
static HEAP: Counting = Counting;

/// Differences below this number of bytes do not matter to a budget. It covers growing lists and per-thread
/// memory.
const UNSEEN: u64 = 256 << 10;

/// The error of a forecast, if any: it is exceeded, or so high that nodes wait for memory that is never used.
fn wrong(taken: &Taken) -> Option<&'static str> {
    if taken.peak > taken.forecast + taken.forecast / 5 + UNSEEN {
        Some("uses more than forecast")
    } else if taken.ended && taken.forecast > 2 * taken.peak + 4 * UNSEEN {
        Some("uses far less than forecast")
    } else {
        None
    }
}

#[test]
fn nodes_use_the_forecast_memory() {
    let _alone = alone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let mut problems = Vec::new();
    for (spec, example) in examples() {
        // The solver of this node cannot be stopped while it factorises.
        let many = if spec.name == "OptimalPath" { 129 } else { 257 };
        for side in [17, many] {
            let bench = Bench::new(spec, example, side);
            let all = (1u32 << spec.outputs.len()) - 1;
            let asked = if spec.lazy() == 0 { vec![all] } else { vec![all & !spec.lazy(), all] };
            for (name, text) in bench.variants() {
                for &asked in &asked {
                    let Some(taken) = bench.run(&text, asked, &pool) else { continue };
                    // Runs again: one-time setup, such as tables, does not belong to the node.
                    if wrong(&taken).is_some()
                        && let Some(taken) = bench.run(&text, asked, &pool)
                        && let Some(wrong) = wrong(&taken)
                    {
                        problems
                            .push(format!("{} {side}\u{b2} {name} {asked:b} {wrong}: {taken:?}", spec.name));
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn far_more_regions_than_samples_use_little_memory() {
    let _alone = alone();
    let (spec, example) = examples().into_iter().find(|(spec, _)| spec.name == "Voronoi").unwrap();
    let bench = Bench::new(spec, example, 17);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (_, text) = bench.variants().into_iter().find(|(name, _)| name == "regions: 65536").unwrap();
    let taken = bench.run(&text, 1, &pool).unwrap();
    assert!(taken.ended && taken.peak < 64 << 20, "{taken:?}");
}

/// What the `terrane` command reserves for each thread while it writes.
const PIECE: u64 = 2 << 20;

#[test]
fn rasters_and_meshes_are_written_in_pieces() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let map = Heightmap::from_fn(Domain::new(1025, 1025), |x, y| ((x * 31 + y * 17) % 1009) as f32);
    let picture = Grid::from_fn(1025, 1025, |x, y| [x as u8, y as u8, (x * y) as u8]);
    let mesh = terrain_mesh(&map, 4, 1.0).unwrap();
    let write = |name: &str| {
        let path = folder.path().join(name);
        let written = || match name.rsplit_once('.').unwrap().1 {
            "gif" => write_animation(&path, &[picture.clone(), picture.clone()], 40),
            "obj" | "glb" | "gltf" => write_mesh(&path, &mesh),
            _ if name.starts_with("picture") => write_picture(&path, &picture, Effort::Fast),
            _ => write_heightmap(&path, &map, &WriteOptions::default()),
        };
        let (written, peak) = peak(|| pool.install(written));
        written.unwrap();
        peak
    };
    let names =
        ["a.png", "a.tif", "a.exr", "a.npy", "a.r16", "a.r32", "picture.png", "a.obj", "a.glb", "a.gltf"];
    let large: Vec<_> =
        names.iter().map(|name| (name, write(name))).filter(|(_, peak)| *peak > 2 * PIECE).collect();
    assert!(large.is_empty(), "{large:?}");
    eprintln!("{:?}", names.iter().chain(&["a.gif"]).map(|name| (name, write(name))).collect::<Vec<_>>());
}
