//! The cost of writing files: processor time, elapsed time and bytes for every format, on one thread and on
//! two.
//!
//! ```text
//! cargo bench -p terrane-io --bench files -- \
//!     [--side N] [--map FILE] [--picture FILE] [--only NAME] [--keep FOLDER]
//! ```
//!
//! The benchmark fails if bytes depend on the number of threads. Heights are 8193² samples of nine-octave
//! noise, or the heights of a file. Colours are a hypsometric tint with shading, or a PNG picture.

use std::{
    collections::BTreeMap,
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Instant,
};

use rayon::prelude::*;
use terrane_grid::{Domain, Grid, Heightmap, Mesh};
use terrane_io::{
    Effort, ReadOptions, Sample, SidecarPolicy, WriteOptions, read_heightmap, read_picture, write_heightmap,
    write_mesh, write_picture,
};

/// The samples per side, unless a file is given.
const SIDE: usize = 8193;
/// The vertices per side of the mesh.
const MESH_SIDE: usize = 2049;

fn main() -> Outcome {
    let arguments = Arguments::read();
    let map = match &arguments.map {
        Some(file) => read_heightmap(file, &ReadOptions::default())?.map,
        None => hills(arguments.side),
    };
    let picture = match &arguments.picture {
        Some(file) => read_picture(file, 1 << 30)?,
        None => tinted(map.grid()),
    };
    let mesh = mesh(map.grid());
    let temporary = tempfile::tempdir()?;
    let folder = arguments.keep.as_deref().unwrap_or(temporary.path());
    let (width, height) = map.grid().size();
    show(&format!("{width} x {height} samples, a mesh of {} triangles", mesh.triangles.len()));
    show("file                    threads   processor      clock       bytes");
    let digests = Mutex::new(BTreeMap::new());
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let write = |name: &str, what: &(dyn Fn(&Path) -> Outcome + Sync)| -> Outcome {
            if arguments.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
                return Ok(());
            }
            let path = folder.join(name);
            let _first = std::fs::remove_file(&path);
            let (clock, processor) = (Instant::now(), processor_seconds());
            pool.install(|| what(&path))?;
            let (clock, after) = (clock.elapsed().as_secs_f64(), processor_seconds());
            let processor = processor.zip(after).map_or(f64::NAN, |(before, after)| after - before);
            let bytes = std::fs::metadata(&path)?.len();
            show(&format!("{name:24} {threads:6} {processor:9.2} s {clock:8.2} s {bytes:11}"));
            let digest = blake3::Hasher::new().update_reader(File::open(&path)?)?.finalize();
            let mut digests = digests.lock().map_err(|_| "a thread panicked")?;
            if *digests.entry(name.to_owned()).or_insert(digest) != digest {
                return Err(format!("{name} has different bytes on {threads} threads").into());
            }
            Ok(())
        };
        for (effort, prefix) in [(Effort::Fast, ""), (Effort::Small, "small ")] {
            let of = |sample| WriteOptions {
                sample: Some(sample),
                effort,
                sidecar: SidecarPolicy::Never,
                ..WriteOptions::default()
            };
            let heights = |name: &str, sample| {
                write(&format!("{prefix}{name}"), &|path| {
                    write_heightmap(path, &map, &of(sample))?;
                    Ok(())
                })
            };
            heights("height.png", Sample::U16)?;
            write(&format!("{prefix}relief.png"), &|path| {
                write_picture(path, &picture, effort)?;
                Ok(())
            })?;
            heights("height.tif", Sample::F32)?;
            heights("codes.tif", Sample::U16)?;
            if effort == Effort::Fast {
                for (name, sample) in [
                    ("height.exr", Sample::F32),
                    ("height.npy", Sample::F32),
                    ("height.r32", Sample::F32),
                    ("height.r16", Sample::U16),
                ] {
                    heights(name, sample)?;
                }
                for name in ["ground.obj", "ground.gltf", "ground.glb"] {
                    write(name, &|path| {
                        write_mesh(path, &mesh)?;
                        Ok(())
                    })?;
                }
            }
        }
    }
    Ok(())
}

type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

struct Arguments {
    side: usize,
    map: Option<PathBuf>,
    picture: Option<PathBuf>,
    only: Option<String>,
    keep: Option<PathBuf>,
}

impl Arguments {
    fn read() -> Self {
        let mut read = Self { side: SIDE, map: None, picture: None, only: None, keep: None };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--side" => read.side = words.next().and_then(|n| n.parse().ok()).unwrap_or(SIDE),
                "--map" => read.map = words.next().map(PathBuf::from),
                "--picture" => read.picture = words.next().map(PathBuf::from),
                "--only" => read.only = words.next(),
                "--keep" => read.keep = words.next().map(PathBuf::from),
                _ => {}
            }
        }
        read
    }
}

fn show(line: &str) {
    use io::Write;
    // An error means that the reader has closed the output.
    let _closed = writeln!(io::stdout(), "{line}");
}

/// The processor time of this process on all its threads, if the system provides it in a file, in hundredths
/// of a second.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// Noise of nine octaves, from smooth hills down to grain of two samples.
fn hills(side: usize) -> Heightmap {
    let mut samples = vec![0.0f32; side * side];
    samples.par_chunks_mut(side).enumerate().for_each(|(y, row)| {
        for (x, sample) in row.iter_mut().enumerate() {
            *sample = (0..9u32)
                .map(|octave| {
                    let cell = (512 >> octave) as f32;
                    1000.0 / (1 << octave) as f32 * value(x as f32 / cell, y as f32 / cell, octave)
                })
                .sum();
        }
    });
    Heightmap::from_vec(Domain::new(side, side), samples)
}

/// Noise of one octave: values at the corners of cells, interpolated smoothly.
fn value(x: f32, y: f32, octave: u32) -> f32 {
    let corner = |i: u32, j: u32| {
        let mixed =
            (i.wrapping_mul(0x9E37_79B1) ^ j.wrapping_mul(0x85EB_CA77) ^ octave.wrapping_mul(0xC2B2_AE3D))
                .wrapping_mul(0x27D4_EB2F);
        ((mixed ^ mixed >> 15).wrapping_mul(0x1656_67B1) >> 8) as f32 / (1 << 24) as f32
    };
    let (i, j) = (x as u32, y as u32);
    let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
    let (u, v) = (smooth(x - i as f32), smooth(y - j as f32));
    let (north, south) = (
        corner(i, j) + u * (corner(i + 1, j) - corner(i, j)),
        corner(i, j + 1) + u * (corner(i + 1, j + 1) - corner(i, j + 1)),
    );
    north + v * (south - north)
}

/// Green valleys, brown slopes and white tops, lit from the north-west.
fn tinted(heights: &Grid<f32>) -> Grid<[u8; 3]> {
    const TINTS: [[f32; 3]; 4] =
        [[60.0, 110.0, 60.0], [140.0, 150.0, 90.0], [150.0, 120.0, 90.0], [250.0, 250.0, 250.0]];
    let (low, high) = heights.as_slice().iter().fold((f32::MAX, f32::MIN), |(a, b), &h| (a.min(h), b.max(h)));
    let (width, height) = heights.size();
    let mut colours = vec![[0; 3]; width * height];
    colours.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, colour) in row.iter_mut().enumerate() {
            let h = heights[(x, y)];
            let step = |other: f32| (other - h) / 4.0;
            let (east, south) =
                (step(heights[((x + 1).min(width - 1), y)]), step(heights[(x, (y + 1).min(height - 1))]));
            let light =
                ((1.0 + 0.7 * (east + south)) / (1.0 + east * east + south * south).sqrt()).clamp(0.2, 1.3);
            let level = (h - low) / (high - low).max(f32::MIN_POSITIVE) * 2.999;
            let (below, part) = (level as usize, level.fract());
            *colour = std::array::from_fn(|i| {
                let tint = TINTS[below][i] + part * (TINTS[below + 1][i] - TINTS[below][i]);
                (tint * light) as u8
            });
        }
    });
    Grid::from_vec(width, height, colours)
}

/// The first samples as a mesh, with two triangles between every four neighbouring samples.
fn mesh(heights: &Grid<f32>) -> Mesh {
    let (width, height) = (heights.width().min(MESH_SIDE), heights.height().min(MESH_SIDE));
    let mut mesh = Mesh::default();
    for y in 0..height {
        for x in 0..width {
            let (h, step) = (heights[(x, y)], |other: f32| (heights[(x, y)] - other) / 4.0);
            let east = step(heights[((x + 1).min(heights.width() - 1), y)]);
            let south = step(heights[(x, (y + 1).min(heights.height() - 1))]);
            let length = (1.0 + east * east + south * south).sqrt();
            mesh.positions.push([x as f32 * 4.0, h, y as f32 * 4.0]);
            mesh.normals.push([east / length, 1.0 / length, south / length]);
            mesh.uvs.push([x as f32 / (width - 1) as f32, y as f32 / (height - 1) as f32]);
            if x + 1 < width && y + 1 < height {
                let at = |x: usize, y: usize| (y * width + x) as u32;
                mesh.triangles.push([at(x, y), at(x, y + 1), at(x + 1, y)]);
                mesh.triangles.push([at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)]);
            }
        }
    }
    mesh
}
