//! Whole runs of graphs from a stranger into a prepared folder: parameters that double, outputs of every kind
//! under every kind of name, links and pipes where files are wanted. Nothing is written outside.

use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use terrane::flow::{Registry, load};
use terrane::runs::outputs::run_all;
use terrane::values::TerrainKind;
use terrane::{Domain, Engine, EngineOptions, Heightmap, LoadOptions};
use terrane_io::{WriteOptions, write_heightmap};

use super::Target;
use super::mutate::Rng;
use crate::Result;

/// Nodes with a value of every kind, by names.
const NODES: &str = r#""ground": Perlin(wavelength: 5, amplitude: "$p0"),
    "worn": ThermalErosion(height: "ground", talus: 0.1, iterations: 3, history_every: 1),
    "film": Animate(frames: "worn.frames"), "mesh": Mesh(height: "worn"), "plot": Plot(table: "worn.history"),
    "relief": ColorRelief(height: "worn"), "lines": Contours(height: "worn", interval: 0.5),
    "water": Drainage(height: "worn"),
    "rivers": Rivers(receivers: "water.receivers", drainage: "water", threshold: 2.0),
    "grid": GridGraph(columns: 2, rows: 2), "section": Section(graph: "grid"),
    "roads": PathGraph(nodes: [(1, 1), (7, 6)], edges: [(0, 1)]),
    "points": Points(points: [(1, 2, 3)]),"#;

/// A node that reads what lies in the folder.
const FILE: &str = r#""file": Import(file: "input.npy"),"#;

/// Outputs of the nodes.
const OUTPUTS: [&str; 15] = [
    "ground",
    "worn.history",
    "worn.frames",
    "film",
    "mesh",
    "plot",
    "relief",
    "lines",
    "lines.lines",
    "rivers",
    "grid",
    "section",
    "roads",
    "points",
    "water.basins",
];

/// Names of outputs without extension. The folder holds links and pipes by some of these names.
const NAMES: [&str; 22] = [
    "a",
    "A",
    "b/c",
    "b/../a",
    "../away",
    "/tmp/away",
    "link",
    "link/x",
    "deep/link/x",
    "pipe",
    "loop",
    "con",
    "a ",
    "a.",
    "é",
    "e\u{301}",
    "\u{1b}[2J",
    "a\nb",
    "=1+1",
    "manifest",
    "b",
    "",
];

/// The target.
pub fn targets() -> Result<Vec<Box<dyn Target>>> {
    let engine = Engine::new(EngineOptions { threads: 1, memory: 64 << 20, ..EngineOptions::default() })?;
    Ok(vec![Box::new(Runs { registry: terrane::registry(), engine })])
}

/// `terrane run` into a folder that somebody else has prepared.
struct Runs {
    registry: Registry,
    engine: Engine,
}

impl Target for Runs {
    fn name(&self) -> &'static str {
        "run"
    }

    fn share(&self) -> u64 {
        1
    }

    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let mut text = format!("Graph(size: ({}, {}), params: {{ ", 1 + rng.below(20), 1 + rng.below(20));
        let depth = if rng.one_in(4) { rng.below(60) } else { rng.below(4) };
        let wide = rng.one_in(8);
        for level in (1..=depth).rev() {
            // Written from the innermost: each refers to the next twice.
            let name = depth - level;
            let of = match name {
                0 => "1.5".to_owned(),
                _ if wide => format!("[\"$q{0}\", \"$q{0}\"]", name - 1),
                _ => format!("\"$q{0} + $q{0}\"", name - 1),
            };
            let _infallible = write!(text, "\"q{name}\": {of}, ");
        }
        let first = if depth > 0 && !wide { format!("\"$q{}\"", depth - 1) } else { "3.0".to_owned() };
        let unused = if depth > 0 && wide {
            format!("\"u\": Curve(height: \"ground\", points: \"$q{}\"), ", depth - 1)
        } else {
            String::new()
        };
        let file = if rng.one_in(4) { FILE } else { "" };
        let _infallible =
            write!(text, "\"p0\": {first} }}, nodes: {{ {NODES} {file}{unused}}}, outputs: {{ ");
        for number in 0..rng.few(6) {
            let from = if rng.one_in(6) && !file.is_empty() { "file" } else { *rng.pick(&OUTPUTS) };
            let extension = self.extension(from, rng);
            let plain = format!("n{number}");
            let name = format!("{}.{extension}", if rng.one_in(6) { *rng.pick(&NAMES) } else { &plain });
            let _infallible = write!(text, "{}: \"{from}\", ", terrane::flow::syntax::literal::quoted(&name));
        }
        (text + "})").into_bytes()
    }

    fn run(&self, input: &[u8], folder: &Path) -> std::result::Result<bool, String> {
        let text = String::from_utf8_lossy(input);
        let (inside, outside) = (folder.join("inside"), folder.join("outside"));
        let prepared = prepare(&inside, &outside, input.len());
        prepared.map_err(|error| format!("the folder cannot be prepared: {error}"))?;
        let options = LoadOptions::default();
        let result = match load("g.ron", &text, &inside, &self.registry, &options) {
            Ok(loaded) => run_all(&self.engine, &Arc::new(loaded), &inside.join("out")).is_ok(),
            Err(mistakes) => {
                let _no_panic = mistakes.render(false);
                false
            }
        };
        let left = fs::read_dir(&outside).map_err(|error| error.to_string())?.count();
        let kept = fs::read(outside.join("kept")).unwrap_or_default();
        if left != 1 || kept != b"kept" {
            return Err(format!("{left} files lie outside, and the one there holds {kept:?}"));
        }
        match unfinished(&inside) {
            Some(name) => Err(format!("{name} is left")),
            None => Ok(result),
        }
    }
}

impl Runs {
    /// An extension for a value of an output: mostly one that its kind can be written as.
    fn extension(&self, from: &str, rng: &mut Rng) -> &'static str {
        let all: Vec<&'static str> =
            terrane::values::KINDS.iter().flat_map(TerrainKind::extensions).collect();
        if rng.one_in(8) {
            return all[rng.below(all.len())];
        }
        let nodes = format!("Graph(params: {{ \"p0\": 1 }}, nodes: {{ {NODES} }}, outputs: {{}})");
        let options = LoadOptions { allow_outside: true, ..LoadOptions::default() };
        let known = load("g.ron", &nodes, Path::new("."), &self.registry, &options).ok();
        let reference = terrane::flow::Reference::parse(from);
        let own = known.and_then(|loaded| {
            let (node, output) = loaded.graph.find(&reference).ok()?;
            let kind = loaded.graph.nodes[node].node().spec().outputs[output].kind;
            TerrainKind::find(kind).map(TerrainKind::extensions)
        });
        let of_kind = own.filter(|own| !own.is_empty()).unwrap_or(all);
        of_kind[rng.below(of_kind.len())]
    }
}

/// A folder with links out of it, a link to itself, and pipes, beside a folder that must not change.
fn prepare(inside: &Path, outside: &Path, variant: usize) -> std::io::Result<()> {
    for folder in [inside, outside] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
    }
    fs::write(outside.join("kept"), "kept")?;
    let out = inside.join("out");
    fs::create_dir_all(out.join("deep"))?;
    symlink(outside, out.join("link"))?;
    symlink(outside, out.join("deep/link"))?;
    for extension in ["png", "tif", "json", "geojson", "csv", "svg", "gif", "obj", "exr", "npy"] {
        symlink(outside.join("kept"), out.join(format!("link.{extension}")))?;
        let itself = out.join(format!("loop.{extension}"));
        symlink(&itself, &itself)?;
        pipe(&out.join(format!("pipe.{extension}")))?;
    }
    let input = inside.join("input.npy");
    match variant % 4 {
        0 => pipe(&input),
        1 => symlink(outside.join("kept"), input),
        2 => symlink("/dev/zero", input),
        _ => {
            let map = Heightmap::constant(Domain::new(5, 4), 1.0);
            write_heightmap(&input, &map, &WriteOptions::default()).map(drop).map_err(std::io::Error::other)
        }
    }
}

fn pipe(path: &Path) -> std::io::Result<()> {
    std::process::Command::new("mkfifo").arg(path).status().map(drop)
}

/// The name of a temporary file in a folder, which a run leaves only if it is killed.
fn unfinished(folder: &Path) -> Option<String> {
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if let Some(name) = unfinished(&entry.path()) {
                return Some(name);
            }
        } else if name.contains(".terrane-") || name.ends_with(".tmp") {
            return Some(name);
        }
    }
    None
}
