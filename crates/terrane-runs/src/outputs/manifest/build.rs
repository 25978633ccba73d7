//! Building the manifest of a run.

use std::path::{Component, Path, PathBuf};

use terrane_flow::{Digest, Disk, FileDigests, Loaded, OutputEntry, Value};
use terrane_io::Sidecar;
use terrane_nodes::Terrain;
use terrane_nodes::values::TerrainKind;

use super::format::{OutputFile, Run, Source, State, plain};

/// The description of a run, without its files.
pub fn run(loaded: &Loaded, digests: &FileDigests) -> Run {
    let graph = &loaded.graph;
    let domain = Terrain::of(&*graph.header).map(|terrain| terrain.domain);
    let own = graph.files.first().map(|file| file.canonicalize().unwrap_or_else(|_| file.clone()));
    let name = own.as_deref().and_then(Path::file_name).unwrap_or_default();
    let folder = own.as_deref().and_then(Path::parent);
    let mut sources: Vec<Source> = graph
        .files
        .iter()
        .filter_map(|file| {
            let real = file.canonicalize().ok()?;
            let path = folder.map_or_else(|| real.clone(), |folder| relative(folder, &real));
            // The file may have been edited since the graph was read, so the text as read is hashed.
            let blake3 = match graph.texts.get(&real) {
                Some(text) => blake3::hash(text.as_bytes()).to_hex().to_string(),
                None => digests.digest(&Disk, file).ok()?.hex(),
            };
            Some(Source { file: path.to_string_lossy().replace('\\', "/"), blake3 })
        })
        .collect();
    sources.sort_by(|a, b| a.file.cmp(&b.file));
    sources.dedup();
    let nodes = graph.nodes.values().map(|node| node.node().spec());
    Run {
        graph: name.to_string_lossy().into_owned(),
        terrane: env!("CARGO_PKG_VERSION").to_owned(),
        seed: graph.seed,
        size: domain.map_or((0, 0), |domain| domain.size),
        spacing: domain.map_or(0.0, |domain| domain.spacing),
        origin: domain.map_or((0.0, 0.0), |domain| domain.origin),
        parameters: graph
            .scope
            .params
            .iter()
            .map(|(name, bound)| (name.clone(), bound.text.to_string()))
            .collect(),
        nodes: nodes.map(|spec| (spec.name.to_owned(), spec.version)).collect(),
        sources,
        files: Vec::new(),
    }
}

/// The path from a folder to a file. It leads through `..` if the file is not below the folder. A manifest
/// with such paths does not reveal the machine on which it was written.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let shared = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(file.components().skip(shared)).collect()
}

/// The description of a written output; `None` if the file no longer exists.
pub fn file(
    path: &Path,
    loaded: &Loaded,
    entry: &OutputEntry,
    (value, content): (&Value, Digest),
) -> Option<OutputFile> {
    let (node, output) = loaded.graph.find(&entry.from).ok()?;
    let spec = &loaded.graph.nodes.get_index(node)?.1.node().spec().outputs[output];
    Some(OutputFile {
        file: plain(&entry.file),
        from: entry.from.to_string(),
        kind: value.kind().name.to_owned(),
        content: content.hex(),
        unit: spec.unit.to_owned(),
        options: options(entry),
        place: place(loaded),
        value: TerrainKind::find(value.kind()).map(|kind| kind.facts(value)).unwrap_or_default(),
        state: State::of(path).ok()??,
        sidecar: match TerrainKind::find(value.kind()) {
            Some(kind) if kind.has_sidecar => State::of(&Sidecar::path_of(path)).ok()?,
            _ => None,
        },
    })
}

/// Whether an output still matches its description and would be written in the same way.
pub fn is_still(listed: &OutputFile, path: &Path, loaded: &Loaded, entry: &OutputEntry) -> bool {
    listed.from == entry.from.to_string()
        && listed.options == options(entry)
        && listed.place == place(loaded)
        && State::of(path).is_ok_and(|state| state.as_ref() == Some(&listed.state))
        && listed.sidecar.as_ref().is_none_or(|sidecar| {
            State::of(&Sidecar::path_of(path)).is_ok_and(|state| state.as_ref() == Some(sidecar))
        })
}

/// A digest of a graph's place on a map; empty without one.
fn place(loaded: &Loaded) -> String {
    let place = Terrain::of(&*loaded.graph.header).and_then(|terrain| terrain.place.as_ref());
    place.map(|place| blake3::hash(&place.bytes()).to_hex()[..16].to_owned()).unwrap_or_default()
}

fn options(entry: &OutputEntry) -> std::collections::BTreeMap<String, String> {
    entry.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths() {
        for (folder, file, expected) in [
            ("/a/b", "/a/b/c/d.tif", "c/d.tif"),
            ("/a/b", "/a/d.tif", "../d.tif"),
            ("/a/b/c", "/x/d.tif", "../../../x/d.tif"),
        ] {
            assert_eq!(relative(Path::new(folder), Path::new(file)), Path::new(expected));
        }
    }
}
