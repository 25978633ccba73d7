//! A world and a range of its patches.

use std::path::PathBuf;

use pyo3::prelude::*;
use terrane_flow::LoadOptions;
use terrane_runs::Failure;
use terrane_runs::patches::{Patches, Share};
use terrane_runs::world::{Asked, LoadedWorld};

use crate::graph::{Settings, texts};
use crate::problem::usage;
use crate::registry::registry;

/// A range of a world's patches, or a share of it, and the outputs and parameters to make them with.
#[pyclass(frozen, module = "pyterrane._pyterrane")]
pub struct WorldPart {
    path: PathBuf,
    /// The patches.
    pub patches: Patches,
    /// The names of the outputs. If empty, all.
    pub only: Vec<String>,
    /// The share of the patches to make. `None` means all.
    pub share: Option<Share>,
    options: LoadOptions,
    level: u32,
}

#[pymethods]
impl WorldPart {
    /// Describes the patches of a world's file from the lowest column and row to the highest.
    #[new]
    #[pyo3(signature = (
        path, patches, *, only = Vec::new(), set = Vec::new(), seed = None, level = 0, share = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of a constructor in Python")]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        patches: ((i64, i64), (i64, i64)),
        only: Vec<String>,
        set: Settings<'_>,
        seed: Option<u64>,
        level: u32,
        share: Option<(u32, u32)>,
    ) -> PyResult<Self> {
        let (low, high) = patches;
        let patches = Patches::of(low, high).ok_or_else(|| {
            let message = format!("the patches from {low:?} to {high:?} are too many, too far away, or none");
            usage(py, message, "give at most 2**20 patches, counted from -2**30 to 2**30")
        })?;
        let share = share.map(|(number, of)| {
            Share::new(number, of).ok_or_else(|| {
                let message = format!("share=({number}, {of}): shares of {of} are counted from 1 to {of}");
                usage(py, message, "write share=(1, 4) for the first of four, share=(4, 4) for the last")
            })
        });
        let options = LoadOptions { set: texts(&set)?, seed, ..LoadOptions::default() };
        Ok(Self { path, patches, only, share: share.transpose()?, options, level })
    }
}

impl WorldPart {
    /// Loads the world.
    pub fn load(&self) -> Result<LoadedWorld, Failure> {
        let asked = Asked { level: self.level, ..Asked::default() };
        Ok(LoadedWorld::load_asked(&self.path, &registry(), &self.options, &asked)?)
    }
}
