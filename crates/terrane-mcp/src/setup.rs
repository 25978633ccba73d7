//! What a server is started with, and what its calls share.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use terrane_flow::find::Finder;
use terrane_flow::{Engine, EngineOptions, NodeSpec, NodeType, Registry, lock};
use terrane_runs::Problem;
use terrane_runs::explain::Parts;

use crate::folder::Folder;

/// What a server is started with.
pub struct Setup {
    /// The node types.
    pub registry: Registry,
    /// Types of graph files that are no nodes.
    pub others: Vec<&'static NodeSpec>,
    /// The program's version.
    pub version: &'static str,
    /// The folder below which files are read and written.
    pub folder: PathBuf,
    /// The maximum number of bytes for values and running nodes.
    pub memory: u64,
    /// The maximum time of one call.
    pub timeout: Duration,
    /// The number of threads; 0 means one per core.
    pub threads: usize,
}

/// What all calls share.
pub struct Shared {
    pub setup: Setup,
    pub folder: Folder,
    pub engine: Engine,
    /// The index of node types, made when it is first needed.
    finder: OnceLock<Finder>,
    /// The digests of texts that the client was told, by file. Only such texts may be replaced.
    read: Mutex<BTreeMap<PathBuf, String>>,
    /// The parts of the keys of each graph's nodes at its last evaluation.
    parts: Mutex<BTreeMap<PathBuf, Parts>>,
}

impl Shared {
    pub fn new(setup: Setup) -> Result<Self, Problem> {
        let folder = Folder::new(&setup.folder)?;
        let options = EngineOptions {
            threads: setup.threads,
            budget: Some(setup.memory),
            memory: setup.memory / 4,
            ..EngineOptions::default()
        };
        let engine = Engine::new(options)
            .map_err(|error| Problem::new(format!("cannot start threads: {error}"), "use fewer threads"))?;
        Ok(Self {
            folder,
            engine,
            finder: OnceLock::new(),
            setup,
            read: Mutex::default(),
            parts: Mutex::default(),
        })
    }

    /// The index of node types.
    pub fn finder(&self) -> &Finder {
        self.finder.get_or_init(|| Finder::new(self.specs()))
    }

    /// All types: nodes, then the other types of graph files.
    pub fn specs(&self) -> Vec<&'static NodeSpec> {
        let nodes = self.setup.registry.nodes().map(NodeType::spec);
        nodes.chain(self.setup.others.iter().copied()).collect()
    }

    /// Notes that the client knows the text of a file.
    pub fn note_read(&self, path: PathBuf, digest: String) {
        lock(&self.read).insert(path, digest);
    }

    /// Whether the client was told this digest of the file's text.
    pub fn was_read(&self, path: &PathBuf, digest: &str) -> bool {
        lock(&self.read).get(path).is_some_and(|known| known == digest)
    }

    /// Replaces the parts of the keys at the last evaluation, and returns the former ones.
    pub fn remember(&self, path: PathBuf, parts: Parts) -> Option<Parts> {
        lock(&self.parts).insert(path, parts)
    }

    /// The parts of the keys at the last evaluation of a graph.
    pub fn remembered(&self, path: &PathBuf) -> Option<Parts> {
        lock(&self.parts).get(path).cloned()
    }
}
