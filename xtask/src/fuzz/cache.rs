//! The disk cache and the encodings of values: damage is detected and never yields another value.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane::flow::cache::{DiskCache, Found, Store};
use terrane::flow::{Digest, Key, Reference, Registry, ValueId, load};
use terrane::{Engine, EngineOptions, LoadOptions, Loaded};

use super::mutate::{self, Rng};
use super::{Target, texts};
use crate::Result;

/// A graph with a value of every kind.
const GRAPH: &str = r#"Graph(size: (9, 9), seed: 3, nodes: {
    "ground": Perlin(wavelength: 5, amplitude: 3),
    "cells": Voronoi(regions: 3),
    "worn": ThermalErosion(height: "ground", talus: 0.1, iterations: 3, history_every: 1),
    "film": Animate(frames: "worn.frames"),
    "mesh": Mesh(height: "worn"),
    "plot": Plot(table: "worn.history"),
    "shade": Hillshade(height: "worn"),
    "relief": ColorRelief(height: "worn", shade: "shade"),
    "grid": GridGraph(columns: 2, rows: 2),
    "section": Section(graph: "grid"),
    "land": AssignTerrain(fields: "section", descriptions: [("hills", Noise(amplitude: 5)),
        ("flat", Noise(amplitude: 1))]),
    "roads": PathGraph(nodes: [(1, 1), (7, 6)], edges: [(0, 1)]),
    "bounds": SubdividePath(height: "ground", graph: "roads", width: 1.0),
})"#;

/// Targets for files of the cache and encoded values.
pub fn targets(folder: &Path) -> Result<Vec<Box<dyn Target>>> {
    let whole = Arc::new(Whole::new(&folder.join("whole"))?);
    Ok(vec![Box::new(Cache(Arc::clone(&whole))), Box::new(Values(whole))])
}

/// An intact cache and its contents.
struct Whole {
    graph: Arc<Loaded>,
    registry: Registry,
    /// The requested outputs and their content.
    wanted: Vec<(Reference, Option<Digest>)>,
    /// Files by their paths in the cache.
    files: BTreeMap<PathBuf, Vec<u8>>,
    names: Vec<PathBuf>,
}

impl Whole {
    fn new(folder: &Path) -> Result<Self> {
        let registry = terrane::registry();
        let graph = load("cache.ron", GRAPH, &texts::graphs(), &registry, &LoadOptions::default())?;
        let mut wanted = Vec::new();
        for (name, node) in &graph.graph.nodes {
            let outputs = node.node().spec().outputs;
            let reference =
                |output: &'static str| Reference { node: name.as_str().into(), output: Some(output.into()) };
            wanted.extend(outputs.iter().map(|output| (reference(output.name), None)));
        }
        let mut this =
            Self { graph: Arc::new(graph), registry, wanted, files: BTreeMap::new(), names: Vec::new() };
        let found = this.evaluate(folder)?;
        for ((_, content), digest) in this.wanted.iter_mut().zip(found) {
            *content = Some(digest);
        }
        for table in ["objects-3", "index-3"] {
            for shelf in std::fs::read_dir(folder.join(table))? {
                for file in std::fs::read_dir(shelf?.path())? {
                    let path = file?.path();
                    this.files.insert(path.strip_prefix(folder)?.to_owned(), std::fs::read(&path)?);
                }
            }
        }
        this.names = this.files.keys().cloned().collect();
        Ok(this)
    }

    /// Evaluates the graph's outputs with a cache and checks each value.
    fn evaluate(&self, folder: &Path) -> std::result::Result<Vec<Digest>, String> {
        let store: Arc<dyn Store> = Arc::new(DiskCache::new(folder, u64::MAX));
        let options = EngineOptions { threads: 1, memory: 0, store: Some(store), ..EngineOptions::default() };
        let engine = Engine::new(options).map_err(|error| error.to_string())?;
        let wanted = self.wanted.iter().map(|(reference, _)| reference.clone().into());
        let job = engine
            .start(&self.graph, wanted.collect::<Vec<_>>())
            .map_err(|mistakes| mistakes.render(false))?;
        let evaluation = job.wait();
        let digest = |output: &terrane::flow::Evaluated| {
            let value = output.value.as_ref().ok_or_else(|| format!("`{}` is missing", output.output))?;
            Ok(value.digest())
        };
        evaluation.outputs.iter().map(digest).collect()
    }

    /// Reads one damaged file of a cache.
    fn read(&self, disk: &DiskCache, name: &Path, bytes: &[u8]) -> std::result::Result<bool, String> {
        let right = &self.files[name];
        let hex = name.file_name().and_then(|name| name.to_str()).ok_or("no name of the cache")?;
        if name.starts_with("index-3") {
            return match disk.lookup(&Key(Digest::from_hex(hex).ok_or("no key")?)) {
                Found::Here(_) if bytes == right => Ok(true),
                Found::Here(_) => Err("damaged identities are accepted".to_owned()),
                _ if bytes == right => Err("an intact value is rejected".to_owned()),
                _ => Ok(false),
            };
        }
        let kind = right.split(|&byte| byte == 0).next().and_then(|name| std::str::from_utf8(name).ok());
        let kind = kind.and_then(|name| self.registry.kind(name)).ok_or("no kind")?;
        match disk.load(&ValueId::from_hex(hex).ok_or("no identity")?, kind) {
            Found::Here(_) if bytes != right => Err("a damaged value is accepted".to_owned()),
            Found::Here(value) => {
                let mut own = format!("{}\0", kind.name).into_bytes();
                value.encode(&mut own).map_err(|error| error.to_string())?;
                // A checksum follows.
                if right.strip_prefix(&*own).is_some_and(|rest| rest.len() == 32) {
                    Ok(true)
                } else {
                    Err("a different value is accepted".to_owned())
                }
            }
            _ if bytes == right => Err("an intact value is rejected".to_owned()),
            _ => Ok(false),
        }
    }
}

/// A damaged file of the cache. An input is its path in the cache and, after the line break, its contents.
struct Cache(Arc<Whole>);

impl Target for Cache {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn share(&self) -> u64 {
        1
    }

    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let name = rng.pick(&self.0.names);
        let mut data = self.0.files[name].clone();
        let other = &self.0.files[rng.pick(&self.0.names)];
        if rng.one_in(12) {
            // The bytes of another entry, valid in themselves.
            data.clone_from(other);
        } else {
            mutate::bytes(rng, &mut data, other);
        }
        let mut input = format!("{}\n", name.display()).into_bytes();
        input.extend(data);
        input
    }

    fn run(&self, input: &[u8], folder: &Path) -> std::result::Result<bool, String> {
        let text = |error: std::io::Error| error.to_string();
        let end = input.iter().position(|&byte| byte == b'\n').ok_or("no line break")?;
        let name = PathBuf::from(String::from_utf8_lossy(&input[..end]).into_owned());
        let (bytes, own) = (&input[end + 1..], folder.join("cache"));
        let at = own.join(&name);
        if !own.exists() {
            for (name, bytes) in &self.0.files {
                let path = own.join(name);
                std::fs::create_dir_all(path.parent().ok_or("no folder")?).map_err(text)?;
                std::fs::write(&path, bytes).map_err(text)?;
            }
        }
        let disk = DiskCache::new(&own, u64::MAX);
        std::fs::write(&at, bytes).map_err(text)?;
        // The file is read once during the graph's evaluation, and once directly.
        let found = self.0.evaluate(&own)?;
        if self.0.wanted.iter().zip(&found).any(|((_, known), found)| known.as_ref() != Some(found)) {
            return Err("an evaluation has other values".to_owned());
        }
        std::fs::write(&at, bytes).map_err(text)?;
        let accepted = self.0.read(&disk, &name, bytes)?;
        std::fs::write(&at, bytes).map_err(text)?;
        let damage = disk.verify();
        if accepted != damage.is_empty() {
            return Err(format!("accepted: {accepted}, verification: {damage:?}"));
        }
        std::fs::write(&at, &self.0.files[&name]).map_err(text)?;
        Ok(accepted)
    }
}

/// Length of the checksum at the end of a file.
const CHECKSUM: usize = 32;

/// Bytes of a value, without the cache's checksum. An input is the name of a kind, a zero and the bytes.
struct Values(Arc<Whole>);

impl Target for Values {
    fn name(&self) -> &'static str {
        "value"
    }

    fn share(&self) -> u64 {
        6
    }

    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let objects: Vec<&PathBuf> =
            self.0.names.iter().filter(|name| name.starts_with("objects-3")).collect();
        let whole = &self.0.files[*rng.pick(&objects)];
        let end = whole.iter().position(|&byte| byte == 0).map_or(whole.len(), |end| end + 1);
        let (name, body) = whole.split_at(end);
        let mut body = body[..body.len().saturating_sub(CHECKSUM)].to_vec();
        let other = &self.0.files[*rng.pick(&objects)];
        mutate::bytes(rng, &mut body, other);
        [name, &body].concat()
    }

    fn run(&self, input: &[u8], _: &Path) -> std::result::Result<bool, String> {
        let end = input.iter().position(|&byte| byte == 0).ok_or("no kind")?;
        let kind = std::str::from_utf8(&input[..end])
            .ok()
            .and_then(|name| self.0.registry.kind(name))
            .ok_or("no kind")?;
        let Ok(value) = kind.decode(&input[end + 1..]) else { return Ok(false) };
        let bytes = |value: &terrane::flow::Value| {
            let mut bytes = Vec::new();
            value.encode(&mut bytes).map(|()| bytes).map_err(|error| error.to_string())
        };
        let first = bytes(&value)?;
        let again =
            kind.decode(&first).map_err(|error| format!("an encoded value cannot be decoded: {error}"))?;
        if bytes(&again)? != first {
            return Err("decoding does not restore the value".to_owned());
        }
        let (_size, _json) = (value.heap_bytes(), value.to_json());
        Ok(true)
    }
}
