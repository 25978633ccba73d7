//! What a sweep is of: a graph, or a patch of a world.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_flow::{Diagnostics, Digest, Engine, LoadOptions, Loaded, Reference, Registry};

use super::options::{OfWorld, Sweep};
use super::texts::Texts;
use crate::Failure;
use crate::world::{Asked, LoadedWorld, PatchError, WorldFile};

/// What every run of a sweep is of.
pub struct Source {
    /// The graph's file: of a world, that of its patches.
    graph: PathBuf,
    world: Option<World>,
}

/// The world as it was when the sweep began: it may be edited while it runs.
struct World {
    file: WorldFile,
    content: Digest,
    of: OfWorld,
}

/// The graph of a run, before the patches around are looked at.
pub enum Given {
    Graph(Arc<Loaded>),
    /// A world, of which the run takes one patch.
    World(Box<LoadedWorld>, (i64, i64)),
}

impl Source {
    pub fn of(sweep: &Sweep) -> Result<Self, Failure> {
        let Some(of) = sweep.patch else { return Ok(Self { graph: sweep.graph.clone(), world: None }) };
        let file = WorldFile::read(&sweep.graph, &sweep.load)?;
        let content = file.content();
        Ok(Self { graph: file.patch(), world: Some(World { file, content, of }) })
    }

    /// The graph by itself, with the nodes that it names.
    pub fn plain(
        &self,
        texts: &Texts,
        registry: &Registry,
        options: &LoadOptions,
    ) -> Result<Loaded, Diagnostics> {
        texts.load(&self.graph, registry, options)
    }

    /// The graph, with outputs that are asked for beside its own: of a patch they are of its own samples.
    pub fn load(
        &self,
        texts: &Texts,
        registry: &Registry,
        options: &LoadOptions,
        also: &[Reference],
    ) -> Result<Given, Diagnostics> {
        let loaded = self.plain(texts, registry, options)?;
        let Some(World { file, of, .. }) = &self.world else { return Ok(Given::Graph(Arc::new(loaded))) };
        let asked = Asked { level: of.level, also: also.to_vec() };
        let world = LoadedWorld::of(file.clone(), loaded, &asked)?;
        Ok(Given::World(Box::new(world), of.patch))
    }

    /// What tells the rows of patches, levels and worlds apart; nothing of a graph.
    pub fn key(&self) -> Option<Vec<u8>> {
        let World { content, of: OfWorld { patch: (i, j), level }, .. } = self.world.as_ref()?;
        Some([&i.to_le_bytes()[..], &j.to_le_bytes(), &level.to_le_bytes(), &content.0].concat())
    }

    /// The patch, as text.
    pub fn patch(&self) -> Option<String> {
        let OfWorld { patch: (i, j), level } = self.world.as_ref()?.of;
        Some(format!("patch {i},{j} level {level}"))
    }

    /// Whether a file's content is in the key already.
    pub fn knows(&self, file: &Path) -> bool {
        self.world.as_ref().is_some_and(|world| world.file.files().iter().any(|own| own == file))
    }
}

impl Given {
    /// The graph; of a world, at any place.
    pub fn graph(&self) -> &Loaded {
        match self {
            Self::Graph(loaded) => loaded,
            Self::World(world, _) => world.graph(),
        }
    }

    /// What the outputs that were asked for are called in it.
    pub fn own(&self, also: &[Reference]) -> Vec<Reference> {
        match self {
            Self::Graph(_) => also.to_vec(),
            Self::World(world, _) => {
                let outputs = &world.graph().graph.outputs;
                outputs[outputs.len() - also.len()..].iter().map(|entry| entry.from.clone()).collect()
            }
        }
    }

    /// Refuses a patch that no world has.
    pub fn check(&self) -> Result<(), Failure> {
        match self {
            Self::Graph(_) => Ok(()),
            Self::World(world, patch) => world.check_place(*patch).map_err(|PatchError { message, help }| {
                Failure::usage(format!("patch {},{}: {message}", patch.0, patch.1), help)
            }),
        }
    }

    /// The graph at its place, with what the engine finds out about the patches around.
    pub fn placed(&self, engine: &Engine) -> Result<Arc<Loaded>, PatchError> {
        match self {
            Self::Graph(loaded) => Ok(Arc::clone(loaded)),
            Self::World(world, patch) => world.patch(engine, *patch).map(Arc::new),
        }
    }
}
