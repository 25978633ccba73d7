//! Graphs in folders, their content and results.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use terrane_flow::testing::{Add, Count, Read, Take, edited, family};
use terrane_flow::{
    Digest, Engine, EngineOptions, GraphText, LoadOptions, Loaded, Reference, Registry, RewriteError,
    Setting, Wanted, load_file,
};

pub fn registry() -> Registry {
    let mut registry = Registry::new(family());
    registry.add::<Take>().unwrap();
    registry.add::<Add>().unwrap();
    registry.add::<Read>().unwrap();
    registry.add::<Count>().unwrap();
    registry
}

/// The texts of a graph and of the file to which some of its nodes move.
pub fn extract(text: &str, nodes: &[&str], file: &str, name: &str) -> Result<(String, String), RewriteError> {
    let mut graph = GraphText::new(text)?;
    let part = graph.extract_subgraph(nodes, file, name, &registry())?;
    Ok((graph.into_text(), part.into_text()))
}

/// The text of a graph with a subgraph inlined.
pub fn inline(text: &str, node: &str, part: &str, prefix: &str) -> Result<String, RewriteError> {
    let part = GraphText::new(part)?;
    edited(text, |graph| graph.inline_subgraph(node, &part, prefix, &registry()))
}

/// Writes the files of a graph into a folder and loads it.
pub fn loaded(folder: &Path, files: &[(&str, &str)], set: &[(&str, &str)]) -> Loaded {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let setting = |(name, value): &(&str, &str)| match name.strip_prefix('@') {
        Some(profile) => Setting::Profile(profile.to_owned()),
        None => Setting::param(*name, *value),
    };
    let set = set.iter().map(setting).collect();
    let options = LoadOptions { set, ..LoadOptions::default() };
    let (name, text) = files[0];
    load_file(&folder.join(name), &registry(), &options)
        .unwrap_or_else(|errors| panic!("{}\n{text}\n{}", errors.render(false), files.last().unwrap().1))
}

/// The content of a graph: its nodes by name, with parameters and wires, and its outputs. `name` converts the
/// names.
pub fn says(loaded: &Loaded, name: &dyn Fn(&str) -> String) -> BTreeMap<String, String> {
    let wire = |reference: &Reference| format!("{} {:?}", name(&reference.node), reference.output);
    let nodes = loaded.graph.nodes.iter().map(|(key, node)| {
        let node = node.node();
        let params: Vec<String> = (0..node.spec().params.len())
            .filter(|at| !["file", "others"].contains(&node.spec().params[*at].name))
            .map(|at| node.param(at))
            .collect();
        let ports: Vec<String> = (0..node.spec().inputs.len())
            .map(|at| node.port(at).source())
            .map(|source| source.wire().map_or_else(|| format!("{source:?}"), wire))
            .collect();
        (format!("node {}", name(key)), format!("{} {params:?} {ports:?}", node.spec().name))
    });
    let outputs = loaded.graph.outputs.iter();
    let outputs = outputs.map(|output| {
        (format!("output {}", output.file), format!("{} {:?}", wire(&output.from), output.options))
    });
    nodes.chain(outputs).collect()
}

/// The digests of the first outputs of all nodes, by name.
pub fn results(loaded: &Loaded, name: &dyn Fn(&str) -> String) -> HashMap<String, Digest> {
    let engine = Engine::new(EngineOptions { threads: 1, memory: 0, ..EngineOptions::default() }).unwrap();
    let names: Vec<String> = loaded.graph.nodes.keys().cloned().collect();
    let wanted: Vec<Wanted> = names
        .iter()
        .map(|name| Wanted::from(Reference { node: name.as_str().into(), output: None }))
        .collect();
    let evaluation = engine.start(&Arc::new(loaded.clone()), wanted).unwrap().wait();
    let pairs = names.iter().zip(evaluation.outputs);
    pairs.map(|(key, output)| (name(key), output.value.unwrap().digest())).collect()
}
