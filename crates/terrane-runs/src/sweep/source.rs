//! The subject of a sweep: a graph, or a patch of a world.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_flow::{Diagnostics, Digest, Engine, LoadOptions, Loaded, Reference, Registry};

use super::graph_texts::GraphTexts;
use super::options::{OfWorld, Sweep};
use crate::Failure;
use crate::world::{Asked, LoadedWorld, PatchError, WorldFile};

/// The graph or patch that every run of a sweep evaluates.
pub struct Source {
    /// The graph's file; for a world, the file of the patch graph.
    graph: PathBuf,
    world: Option<World>,
}

/// The world as it was when the sweep started. Its file may be edited during the sweep.
struct World {
    file: WorldFile,
    content: Digest,
    of: OfWorld,
}

/// The graph of a run, before the surrounding patches are evaluated.
pub enum Prepared {
    Graph(Arc<Loaded>),
    /// A world, and the patch to run.
    World(Box<LoadedWorld>, (i64, i64)),
}

impl Source {
    pub fn of(sweep: &Sweep) -> Result<Self, Failure> {
        let Some(of) = sweep.patch else { return Ok(Self { graph: sweep.graph.clone(), world: None }) };
        let file = WorldFile::read(&sweep.graph, &sweep.load)?;
        let content = file.content();
        Ok(Self { graph: file.patch(), world: Some(World { file, content, of }) })
    }

    /// The graph alone, without additional outputs.
    pub fn plain(
        &self,
        texts: &GraphTexts,
        registry: &Registry,
        options: &LoadOptions,
    ) -> Result<Loaded, Diagnostics> {
        texts.load(&self.graph, registry, options)
    }

    /// The graph with additional outputs. In a patch, these cover only the patch's own samples.
    pub fn load(
        &self,
        texts: &GraphTexts,
        registry: &Registry,
        options: &LoadOptions,
        also: &[Reference],
    ) -> Result<Prepared, Diagnostics> {
        let loaded = self.plain(texts, registry, options)?;
        let Some(World { file, of, .. }) = &self.world else { return Ok(Prepared::Graph(Arc::new(loaded))) };
        let asked = Asked { level: of.level, also: also.to_vec() };
        let world = LoadedWorld::of(file.clone(), loaded, &asked)?;
        Ok(Prepared::World(Box::new(world), of.patch))
    }

    /// The key of the world, patch and level; `None` for a graph.
    pub fn key(&self) -> Option<Vec<u8>> {
        let World { content, of: OfWorld { patch: (i, j), level }, .. } = self.world.as_ref()?;
        Some([&i.to_le_bytes()[..], &j.to_le_bytes(), &level.to_le_bytes(), &content.0].concat())
    }

    /// The patch and level as text.
    pub fn patch(&self) -> Option<String> {
        let OfWorld { patch: (i, j), level } = self.world.as_ref()?.of;
        Some(format!("patch {i},{j} level {level}"))
    }

    /// Whether a file's content is already part of the key.
    pub fn knows(&self, file: &Path) -> bool {
        self.world.as_ref().is_some_and(|world| world.file.files().iter().any(|own| own == file))
    }
}

impl Prepared {
    /// The graph. For a world, it is at the position of patch (0, 0).
    pub fn graph(&self) -> &Loaded {
        match self {
            Self::Graph(loaded) => loaded,
            Self::World(world, _) => world.graph(),
        }
    }

    /// The names that the additional outputs have in this graph.
    pub fn own(&self, also: &[Reference]) -> Vec<Reference> {
        match self {
            Self::Graph(_) => also.to_vec(),
            Self::World(world, _) => {
                let outputs = &world.graph().graph.outputs;
                outputs[outputs.len() - also.len()..].iter().map(|entry| entry.from.clone()).collect()
            }
        }
    }

    /// Refuses a patch outside the possible range.
    pub fn check(&self) -> Result<(), Failure> {
        match self {
            Self::Graph(_) => Ok(()),
            Self::World(world, patch) => world.check_place(*patch).map_err(|PatchError { message, help }| {
                Failure::usage(format!("patch {},{}: {message}", patch.0, patch.1), help)
            }),
        }
    }

    /// The graph at the position of its patch. For a patch with paths, the engine first evaluates constraints
    /// from the surrounding patches.
    pub fn placed(&self, engine: &Engine) -> Result<Arc<Loaded>, PatchError> {
        match self {
            Self::Graph(loaded) => Ok(Arc::clone(loaded)),
            Self::World(world, patch) => world.patch(engine, *patch).map(Arc::new),
        }
    }
}
