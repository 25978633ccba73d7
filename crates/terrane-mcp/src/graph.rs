//! Reading and loading the graph that a call names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_flow::{Disk, LoadOptions, Loaded, Reference, Setting, described_type, load_file};

use crate::arguments::Arguments;
use crate::failures;
use crate::refusal::Refusal;
use crate::setup::Shared;

/// The maximum number of bytes of a graph's text.
const MAX_TEXT: u64 = 16 << 20;

/// A graph that a call names.
pub struct Opened {
    /// Its path.
    pub path: PathBuf,
    /// The graph.
    pub loaded: Arc<Loaded>,
}

/// The text of a file, and the digest of its bytes. The client may now replace this text.
pub fn text(shared: &Shared, path: &Path) -> Result<(String, String), Refusal> {
    let name = shared.folder.relative(path);
    let refused = |why: String| {
        Refusal::new(format!("cannot read `{name}`: {why}"), "name the file of a graph").at(name.as_str())
    };
    let length = std::fs::metadata(path).map_err(|error| refused(error.to_string()))?.len();
    if length > MAX_TEXT {
        return Err(refused(format!("it has {length} bytes, and the maximum is {MAX_TEXT}")));
    }
    let bytes = terrane_io::read_regular(path).map_err(|error| refused(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8".to_owned()))?;
    let digest = digest(&text);
    shared.note_read(path.to_owned(), digest.clone());
    Ok((text, digest))
}

/// The digest of a text: the BLAKE3 hash of its bytes.
pub fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Loads and checks the graph that a call names, with its settings.
pub fn open(shared: &Shared, arguments: &Arguments<'_>) -> Result<Opened, Refusal> {
    let path = shared.folder.existing(arguments.text("path")?)?;
    let name = shared.folder.relative(&path);
    if described_type(&Disk, &path).as_deref() == Some("World") {
        let remedy = "name the graph of its patches, or use the command `terrane run --patch`";
        return Err(Refusal::new(format!("`{name}` is a world, which is unbounded"), remedy).at(name));
    }
    let loaded = load_file(&path, &shared.setup.registry, &options(arguments)?)
        .map_err(|mistakes| failures::of_graph(&mistakes, &shared.folder))?;
    Ok(Opened { path, loaded: Arc::new(loaded) })
}

/// The settings of a call: seed, size, profile and parameters.
fn options(arguments: &Arguments<'_>) -> Result<LoadOptions, Refusal> {
    let mut set: Vec<Setting> = Vec::new();
    set.extend(arguments.optional_text("profile")?.map(|name| Setting::Profile(name.to_owned())));
    set.extend(arguments.values("set")?.into_iter().map(|(name, value)| Setting::param(name, value)));
    let size = arguments.optional_size("size")?;
    let header = size.map(|(columns, rows)| ("size".to_owned(), format!("({columns}, {rows})")));
    let seed = arguments.optional_number("seed")?;
    Ok(LoadOptions { set, seed, header: header.into_iter().collect(), ..LoadOptions::default() })
}

/// The ports that a call names: those of `ports`, or all outputs of the graph.
pub fn ports(opened: &Opened, named: &[&str]) -> Result<Vec<Reference>, Refusal> {
    let graph = &opened.loaded.graph;
    let outputs = || graph.outputs.iter().map(|entry| entry.from.clone()).collect();
    let ports: Vec<Reference> = match named {
        [] => outputs(),
        named => named.iter().map(|port| Reference::parse(port)).collect(),
    };
    if ports.is_empty() {
        let remedy = "name ports, NODE or NODE.OUTPUT, or add outputs: { \"height.png\": \"NODE\" }";
        return Err(Refusal::new("the graph has no outputs, and no port was named", remedy).at("ports"));
    }
    for port in &ports {
        graph.find(port).map_err(|problem| Refusal::new(problem.message, problem.help).at("ports"))?;
    }
    Ok(ports)
}
