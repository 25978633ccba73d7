//! Makes tasks: graphs with seeded faults, and the digest that the true graph gives.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use terrane_flow::{GraphText, LoadOptions, Reference, Registry, Slot, load};

use super::catalogue::text;
use super::client::Client;
use super::error::Error;
use super::faults::{KINDS, seed};
use super::random::Random;
use super::search::Asked;

/// The number of samples along a side.
const SIDE: f64 = 49.0;

/// The longest time for the value of an output.
const SLOWEST: Duration = Duration::from_secs(2);

/// The file of a task's graph.
pub const FILE: &str = "graph.ron";

/// A task.
pub struct Task {
    /// The name of the true graph.
    pub graph: String,
    /// The text with faults.
    pub text: String,
    /// The kinds of its faults.
    pub faults: Vec<&'static str>,
    /// The output and the digest to find.
    pub asked: Asked,
}

/// A true graph, with an output that is quick to compute.
pub struct Truth {
    name: String,
    text: String,
    asked: Asked,
    /// The nodes on which the output depends.
    needed: Vec<String>,
}

/// The graphs below a folder that need no other file, made small, with the digests of their outputs.
pub fn truths(program: &Path, graphs: &Path, registry: &Registry, most: usize) -> Result<Vec<Truth>, Error> {
    let folder = tempfile::tempdir()?;
    let mut client = Client::start(program, folder.path())?;
    let mut found = Vec::new();
    for (number, path) in files(graphs)?.into_iter().enumerate() {
        let own = std::fs::read_to_string(&path)?;
        let needs_files = ["file:", "World(", "Subgraph(", "Repeat(", "Import("];
        if needs_files.iter().any(|part| own.contains(part)) || found.len() == most {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(truth) = truth(name, &own, registry, &mut client, number)? {
            found.push(truth);
        }
    }
    Ok(found)
}

fn truth(
    name: String,
    own: &str,
    registry: &Registry,
    client: &mut Client,
    number: usize,
) -> Result<Option<Truth>, Error> {
    let Some((small, from)) = small(own, registry) else { return Ok(None) };
    let (file, output) = (format!("true_{number}.ron"), "asked_for.tif".to_owned());
    let mut graph = GraphText::new(&small)?;
    graph.add_output(&output, &from)?;
    let written = graph.into_text();
    client
        .call("edit", &json!({ "path": file, "create": true, "text": written }))?
        .map_err(|e| e.to_string())?;
    let begun = Instant::now();
    let Ok(answer) = client.call("digest", &json!({ "path": file, "ports": [from] }))? else {
        return Ok(None);
    };
    if begun.elapsed() > SLOWEST {
        return Ok(None);
    }
    let value = &answer["values"][0];
    // Ground without hills has the same digest for many wrong graphs.
    if value["kind"] != "map" || value["min"] == value["max"] {
        return Ok(None);
    }
    let digest = text(&value["digest"]).to_owned();
    let loaded = load(&file, &written, Path::new("."), registry, &LoadOptions::default())?;
    let at = loaded.graph.find(&Reference::parse(&from)).map_err(|problem| problem.message)?;
    let needed = loaded.plan.needed([at.0]);
    let names = loaded.graph.nodes.keys().zip(needed).filter(|(_, needed)| *needed);
    let needed = names.map(|(name, _)| name.clone()).collect();
    Ok(Some(Truth { name, text: written, asked: Asked { file: FILE.to_owned(), output, digest }, needed }))
}

/// The graph with fewer samples over the same extent, and a port of ground that many nodes lead to.
fn small(own: &str, registry: &Registry) -> Option<(String, String)> {
    let loaded = load("graph", own, Path::new("."), registry, &LoadOptions::default()).ok()?;
    let terrain = terrane::nodes::Terrain::of(&*loaded.graph.header)?;
    let ((columns, rows), spacing) = (terrain.domain.size, terrain.domain.spacing);
    let factor = (columns.max(rows) as f64 / SIDE).max(1.0);
    let scaled = |count: usize| ((count as f64 / factor) as usize).max(9);
    let mut graph = GraphText::new(own).ok()?;
    let size = format!("({}, {})", scaled(columns), scaled(rows));
    graph.set_slot(&Slot::Header { field: "size".to_owned() }, &size).ok()?;
    graph.set_slot(&Slot::Header { field: "spacing".to_owned() }, &format!("{:?}", spacing * factor)).ok()?;
    let mut best: Option<(usize, String)> = None;
    for (at, (name, node)) in loaded.graph.nodes.iter().enumerate() {
        let spec = node.node().spec();
        let is_map = spec.outputs.first().is_some_and(|output| output.kind.name == "map");
        let count = loaded.plan.needed([at]).iter().filter(|needed| **needed).count();
        if is_map
            && !["pictures", "metrics"].contains(&spec.category)
            && best.as_ref().is_none_or(|best| count > best.0)
        {
            best = Some((count, name.clone()));
        }
    }
    let (count, name) = best?;
    (count >= 2).then(|| (graph.into_text(), name))
}

/// The task of a number: one to three faults in one of the graphs.
pub fn task(truths: &[Truth], registry: &Registry, number: usize, random: &mut Random) -> Option<Task> {
    let truth = &truths[number % truths.len()];
    let (mut broken, mut faults) = (truth.text.clone(), Vec::new());
    let wanted = 1 + number % 3;
    for attempt in 0..KINDS.len() {
        let kind = KINDS[(number + number / KINDS.len() + attempt * 5) % KINDS.len()];
        // A slip of syntax hides the nodes after it, so it comes last.
        let is_syntax =
            kind.starts_with("missing") && ["comma", "bracket"].iter().any(|part| kind.ends_with(part));
        if faults.len() + 1 < wanted && is_syntax || faults.contains(&kind) {
            continue;
        }
        if let Some(text) = seed(&broken, kind, (registry, &truth.needed), random) {
            (broken, faults) = (text, [&faults[..], &[kind]].concat());
        }
        if faults.len() == wanted {
            break;
        }
    }
    let is_whole = load("graph", &broken, Path::new("."), registry, &LoadOptions::default())
        .is_ok_and(|loaded| loaded.graph.outputs.iter().any(|entry| entry.file == truth.asked.output));
    let asked = Asked {
        file: FILE.to_owned(),
        output: truth.asked.output.clone(),
        digest: truth.asked.digest.clone(),
    };
    let has_faults = !faults.is_empty() && !is_whole;
    has_faults.then(|| Task { graph: truth.name.clone(), text: broken, faults, asked })
}

/// The graph files below a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "ron") {
            found.push(path);
        }
    }
    Ok(found)
}
