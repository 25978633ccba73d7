//! The cost of writing files, beside other libraries that write the same values.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane::nodes::values::{KINDS, Map, MeshValue, Picture};
use terrane_flow::{Engine, EngineOptions, LoadOptions, Loaded, Reference, Value, Wanted, load};
use terrane_io::{Effort, Sample, SidecarPolicy, WriteOptions};

use crate::outputs::{Whose, processor};
use crate::{Result, root, say};

/// Runs of a file, of which the cheapest counts.
const RUNS: usize = 3;

/// A file whose cost is measured: its name, the node it holds, its samples and its effort.
struct File {
    name: &'static str,
    node: &'static str,
    sample: Option<Sample>,
    effort: Effort,
}

const fn file(name: &'static str, node: &'static str, sample: Option<Sample>, effort: Effort) -> File {
    File { name, node, sample, effort }
}

/// The files. `files.py` writes the same values under the same names.
const FILES: [File; 11] = [
    file("height.tif", "eroded", Some(Sample::F32), Effort::Fast),
    file("small height.tif", "eroded", Some(Sample::F32), Effort::Small),
    file("codes.tif", "eroded", Some(Sample::U16), Effort::Fast),
    file("height.exr", "eroded", Some(Sample::F32), Effort::Fast),
    file("height.png", "eroded", Some(Sample::U16), Effort::Fast),
    file("small height.png", "eroded", Some(Sample::U16), Effort::Small),
    file("relief.png", "relief", None, Effort::Fast),
    file("small relief.png", "relief", None, Effort::Small),
    file("height.npy", "eroded", Some(Sample::F32), Effort::Fast),
    file("lines.geojson", "lines.lines", None, Effort::Fast),
    file("ground.glb", "mesh", None, Effort::Fast),
];

/// Wall time on one thread and on two, processor time on one thread, and the bytes of a file.
struct Cost {
    walls: [Duration; 2],
    processor: Duration,
    bytes: u64,
}

/// What another library needs for a file.
struct Peer {
    file: String,
    library: String,
    processor: f64,
    bytes: u64,
}

/// Prints a table of files with `side` × `side` samples (meshes: half of them), and the cheapest of the
/// libraries that `python` has, on one thread.
pub fn files(side: usize, python: &str) -> Result<()> {
    let loaded = Arc::new(graph(side)?);
    let folder = tempfile::tempdir()?;
    let mut costs = Vec::new();
    for file in &FILES {
        costs.push(cost(&loaded, file, folder.path())?);
    }
    let peers = peers(&loaded, python, folder.path(), side)?;
    say(
        "| file | MB | processor, ms | 1 thread, ms | 2 threads, ms | library: MB, ms | times the library |\n\
        |---|---|---|---|---|---|---|",
    );
    for (file, cost) in FILES.iter().zip(&costs) {
        say(&row(file.name, cost, &peers));
    }
    Ok(())
}

/// A row of the table. A library may need one per cent more bytes.
fn row(name: &str, cost: &Cost, peers: &[Peer]) -> String {
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let of_file = || peers.iter().filter(|peer| peer.file == name.trim_start_matches("small "));
    let fits = |peer: &&Peer| peer.bytes as f64 <= 1.01 * cost.bytes as f64;
    let cheapest = of_file().filter(fits).min_by(|a, b| a.processor.total_cmp(&b.processor));
    // Where none is as small, the smallest.
    let peer = match cheapest.or_else(|| of_file().min_by_key(|peer| peer.bytes)) {
        Some(Peer { library, processor, bytes, .. }) => {
            let times = ms(cost.processor) / processor;
            format!("{library}: {:.1}, {processor:.0} | {times:.2}", megabytes(*bytes))
        }
        None => "– | –".to_owned(),
    };
    format!(
        "| {name} | {:.1} | {:.0} | {:.0} | {:.0} | {peer} |",
        megabytes(cost.bytes),
        ms(cost.processor),
        ms(cost.walls[0]),
        ms(cost.walls[1])
    )
}

fn graph(side: usize) -> Result<Loaded> {
    let text = format!(
        r#"Graph(size: ({side}, {side}), spacing: 4.0, seed: 3, nodes: {{
            "noise": Perlin(octaves: 9, wavelength: 8000.0, amplitude: 1500.0),
            "eroded": ThermalErosion(height: "noise", talus: 0.7, iterations: 20),
            "shade": Hillshade(height: "eroded"),
            "relief": ColorRelief(height: "eroded", shade: "shade"),
            "lines": Contours(height: "eroded", interval: 20.0),
            "mesh": Mesh(height: "eroded", stride: 2),
        }})"#
    );
    Ok(load("files.ron", &text, &root(), &terrane::registry(), &LoadOptions::default())?)
}

/// The value of a node.
fn value(loaded: &Arc<Loaded>, engine: &Engine, node: &str) -> Result<Value> {
    let evaluation = engine.start(loaded, [Wanted::from(Reference::parse(node))])?.wait();
    let value = evaluation.outputs.into_iter().find_map(|output| output.value);
    Ok(value.ok_or_else(|| format!("the node `{node}` fails: {:?}", evaluation.nodes))?)
}

/// Writes a file on one thread and on two.
fn cost(loaded: &Arc<Loaded>, file: &File, folder: &Path) -> Result<Cost> {
    let path = folder.join(file.name);
    let options = WriteOptions {
        sample: file.sample,
        effort: file.effort,
        sidecar: SidecarPolicy::Never,
        ..WriteOptions::default()
    };
    let mut cost = Cost { walls: [Duration::MAX; 2], processor: Duration::MAX, bytes: 0 };
    for threads in [1, 2] {
        let engine = Engine::new(EngineOptions { threads, ..EngineOptions::default() })?;
        let value = value(loaded, &engine, file.node)?;
        let kind = KINDS.iter().find(|kind| kind.kind.name == value.kind().name);
        let kind = kind.ok_or("the node's kind has no files")?;
        for _ in 0..RUNS {
            // A file that exists would be compared first.
            let _first = std::fs::remove_file(&path);
            let (started, before) = (Instant::now(), processor(Whose::Own)?);
            engine.within(|| kind.write(&value, &path, &options, &|| false))?;
            let wall = started.elapsed();
            cost.walls[threads - 1] = cost.walls[threads - 1].min(wall);
            if threads == 1 {
                cost.processor = cost.processor.min(processor(Whose::Own)?.saturating_sub(before));
            }
        }
        cost.bytes = std::fs::metadata(&path)?.len();
    }
    Ok(cost)
}

/// What other libraries need for the values of the same graph. Lines are read from the file that is in
/// `folder`.
fn peers(loaded: &Arc<Loaded>, python: &str, folder: &Path, side: usize) -> Result<Vec<Peer>> {
    let engine = Engine::new(EngineOptions::default())?;
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let (heights, relief) = (value(loaded, &engine, "eroded")?, value(loaded, &engine, "relief")?);
    let mesh = value(loaded, &engine, "mesh")?;
    let (heights, relief) = (heights.get::<Map>(), relief.get::<Picture>());
    let (Some(heights), Some(relief), Some(mesh)) = (heights, relief, mesh.get::<MeshValue>()) else {
        return Err("the nodes have other kinds than expected".into());
    };
    std::fs::write(folder.join("heights"), floats(heights.samples()))?;
    std::fs::write(folder.join("colours"), relief.as_slice().as_flattened())?;
    std::fs::write(folder.join("positions"), floats(mesh.positions.as_flattened()))?;
    std::fs::write(folder.join("normals"), floats(mesh.normals.as_flattened()))?;
    std::fs::write(folder.join("uvs"), floats(mesh.uvs.as_flattened()))?;
    let triangles = mesh.triangles.as_flattened().iter().flat_map(|corner| corner.to_le_bytes());
    std::fs::write(folder.join("triangles"), triangles.collect::<Vec<u8>>())?;

    let script = root().join("xtask/src/files.py");
    let output = Command::new(python).arg(script).arg(folder).arg(side.to_string()).output();
    let output = output.map_err(|error| format!("{python} does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("files.py fails: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let peer = |line: &str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let [file, library, processor, bytes] = parts[..] else { return None };
        let (processor, bytes) = (processor.parse().ok()?, bytes.parse().ok()?);
        Some(Peer { file: file.into(), library: library.into(), processor, bytes })
    };
    text.lines().map(|line| peer(line).ok_or_else(|| format!("files.py prints `{line}`").into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_table_is_written() {
        let loaded = Arc::new(graph(65).unwrap());
        let folder = tempfile::tempdir().unwrap();
        for file in &FILES {
            assert!(cost(&loaded, file, folder.path()).unwrap().bytes > 0, "{}", file.name);
        }
    }

    #[test]
    fn a_library_counts_if_its_file_is_as_small() {
        let ms = Duration::from_millis;
        let cost = Cost { walls: [ms(22), ms(11)], processor: ms(20), bytes: 100_000_000 };
        let peer = |library: &str, processor, bytes| Peer {
            file: "height.tif".into(),
            library: library.into(),
            processor,
            bytes,
        };
        let large = peer("large", 1.0, 102_000_000);
        let peers = [large, peer("slow", 50.0, 90_000_000), peer("quick", 40.0, 101_000_000)];
        let start = "| small height.tif | 100.0 | 20 | 22 | 11 |";
        assert_eq!(row("small height.tif", &cost, &peers), format!("{start} quick: 101.0, 40 | 0.50 |"));
        assert_eq!(row("small height.tif", &cost, &peers[..1]), format!("{start} large: 102.0, 1 | 20.00 |"));
        assert_eq!(row("small height.tif", &cost, &[]), format!("{start} – | – |"));
    }
}
