//! Files of every format and kind, read back by other libraries and compared value by value.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use terrane_grid::{Domain, Grid, Heightmap, Mesh};
use terrane_io::{
    CodeRange, Effort, Format, Kind, Sample, SidecarPolicy, WriteOptions, write_animation, write_heightmap,
    write_mesh, write_picture,
};

use crate::{Result, root, say};

/// Columns and rows of maps: one sample, one piece, many pieces, and a size for which TIFF uses tiles.
const SIZES: [(usize, usize); 4] = [(1, 1), (7, 5), (700, 431), (33_000, 40)];

/// Writes files into a folder and reads them with Python. Missing libraries are named.
pub fn readback(python: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut files = Vec::new();
    for (number, size) in SIZES.into_iter().enumerate() {
        for effort in [Effort::Fast, Effort::Small] {
            heights(folder.path(), (number, size), effort, &mut files)?;
            let name = format!("picture-{number}-{effort:?}.png");
            let picture =
                Grid::from_fn(size.0, size.1, |x, y| [(x / 3) as u8, (y * 7) as u8, ((x * y) >> 4) as u8]);
            write_picture(&folder.path().join(&name), &picture, effort)?;
            put(folder.path(), &name, picture.as_slice().as_flattened(), |sample| vec![*sample])?;
            files.push(json!({ "file": name, "kind": "picture", "type": "u8", "size": [size.0, size.1] }));
        }
    }
    frames(folder.path(), &mut files)?;
    meshes(folder.path(), &mut files)?;
    std::fs::write(folder.path().join("files.json"), serde_json::to_vec(&files)?)?;
    say(&format!("{} files", files.len()));
    let script = root().join("xtask/src/readback.py");
    let status = Command::new(python).arg(script).arg(folder.path()).status();
    match status.map_err(|error| format!("{python} does not start: {error}"))? {
        status if status.success() => Ok(()),
        _ => Err("other libraries read files differently".into()),
    }
}

/// Records the expected values next to the file, little-endian.
fn put<T>(folder: &Path, name: &str, values: &[T], bytes: impl Fn(&T) -> Vec<u8>) -> Result<()> {
    let all: Vec<u8> = values.iter().flat_map(bytes).collect();
    Ok(std::fs::write(folder.join(format!("{name}.wanted")), all)?)
}

/// Writes a map in every format and sample type. Codes equal the heights.
fn heights(
    folder: &Path,
    (number, (width, height)): (usize, (usize, usize)),
    effort: Effort,
    files: &mut Vec<Value>,
) -> Result<()> {
    for &format in Kind::Heightmap.formats().iter() {
        for &sample in format.samples() {
            let value = |x: usize, y: usize| match sample {
                Sample::F32 => (x * x) as f32 / 7.0 - 31.3 * y as f32,
                Sample::U8 => ((x * 3 + y * 7) % 256) as f32,
                Sample::I16 => ((x * 31 + y * 7919) % 65_536) as f32 - 32_768.0,
                _ => ((x * 31 + y * 7919) % 65_536) as f32,
            };
            let map = Heightmap::from_fn(Domain::new(width, height), value);
            let name = format!("heights-{number}-{effort:?}-{sample}.{}", format.extensions()[0]);
            let options = WriteOptions {
                sample: Some(sample),
                range: CodeRange::Whole,
                effort,
                sidecar: SidecarPolicy::Never,
                ..WriteOptions::default()
            };
            write_heightmap(&folder.join(&name), &map, &options)?;
            put(folder, &name, map.samples(), |h| h.to_le_bytes().to_vec())?;
            let (sample, size) = (sample.name(), [width, height]);
            files.push(json!({ "file": name, "kind": "heights", "type": sample, "size": size }));
        }
    }
    Ok(())
}

/// Writes three frames of one colour each, which fit into a palette.
fn frames(folder: &Path, files: &mut Vec<Value>) -> Result<()> {
    let (name, size) = ("frames.gif", [40, 30]);
    let colours: [[u8; 3]; 3] = [[255, 0, 0], [0, 128, 0], [10, 20, 30]];
    let pictures: Vec<_> = colours.iter().map(|&colour| Grid::filled(size[0], size[1], colour)).collect();
    write_animation(&folder.join(name), &pictures, 40)?;
    put(folder, name, &pictures, |picture| picture.as_slice().as_flattened().to_vec())?;
    files.push(json!({ "file": name, "kind": "frames", "type": "u8", "size": size }));
    Ok(())
}

/// Writes a terrain as a mesh in every format, in one piece and in many.
fn meshes(folder: &Path, files: &mut Vec<Value>) -> Result<()> {
    for (width, height) in [(3, 2), (200, 150)] {
        let mut mesh = Mesh::default();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            mesh.positions.push([x as f32 / 3.0, (x * x + y * y) as f32 / 7.0, y as f32 / 3.0]);
            mesh.normals.push([0.6, 0.8, 0.0]);
            mesh.uvs.push([x as f32 / (width - 1) as f32, y as f32 / (height - 1) as f32]);
            if x + 1 < width && y + 1 < height {
                let at = (y * width + x) as u32;
                let below = at + width as u32;
                mesh.triangles.extend([[at, below, at + 1], [at + 1, below, below + 1]]);
            }
        }
        for format in Kind::Mesh.formats() {
            let name = format!("mesh-{width}.{}", Format::extensions(format)[0]);
            write_mesh(&folder.join(&name), &mesh)?;
            put(folder, &name, mesh.positions.as_flattened(), |v| v.to_le_bytes().to_vec())?;
            put(folder, &format!("{name}.triangles"), mesh.triangles.as_flattened(), |i| {
                i.to_le_bytes().to_vec()
            })?;
            files.push(json!({ "file": name, "kind": "mesh", "type": "f32", "size": [width, height] }));
        }
    }
    Ok(())
}
