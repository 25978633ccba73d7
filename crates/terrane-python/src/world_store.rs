//! Worlds in stores.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use terrane_runs::Failure;
use terrane_runs::patches::Share;
use terrane_stores::{BlockMade, Blocks, Listener, Objects, of_all, open};

use crate::engine::Engine;
use crate::leaving::detached;
use crate::problem::{raised, usage};
use crate::stop::{Teller, stoppable};
use crate::world_part::WorldPart;

/// A store that blocks of a world are written to, and the share of the blocks that is to be made.
#[pyclass(frozen, module = "pyterrane._pyterrane")]
pub struct WorldStore(Arc<Blocks>, Option<Share>);

/// The result for a block: a digest of its content, whether the store already had it, the number of nodes
/// that ran, and their warnings.
type MadeBlock<'py> = (Bound<'py, PyBytes>, bool, usize, Vec<String>);

#[pymethods]
impl WorldStore {
    /// Prepares a store for patches of a world, unless this has been done.
    #[new]
    #[pyo3(signature = (engine, world, to, *, block = None))]
    fn new(
        py: Python<'_>,
        engine: &Engine,
        world: &WorldPart,
        to: &str,
        block: Option<u32>,
    ) -> PyResult<Self> {
        let engine = engine.get(py)?.clone();
        let blocks = detached(py, || {
            let asked = terrane_stores::Asked { only: world.only.clone(), block };
            let store: Arc<dyn Objects> = open(to)?.into();
            Blocks::new(Arc::new(world.load()?), world.patches, asked, (engine, store))
        })?;
        blocks.map(|blocks| Self(Arc::new(blocks), world.share)).map_err(|failure| raised(py, failure))
    }

    /// The number of columns and rows of blocks.
    #[getter]
    fn blocks(&self) -> (i64, i64) {
        let last = self.0.layout().blocks().high;
        (last.0 + 1, last.1 + 1)
    }

    /// Notes for the user.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes().to_vec()
    }

    /// The key of a block, from the world, the program's version, the layout of the store and the block's
    /// position.
    fn key_of(&self, block: (i64, i64)) -> String {
        self.0.key_of(block)
    }

    /// Makes a block unless the store has it, with `threads` patches at once.
    #[pyo3(signature = (block, threads = 1))]
    fn make<'py>(&self, py: Python<'py>, block: (i64, i64), threads: usize) -> PyResult<MadeBlock<'py>> {
        let last = self.0.layout().blocks().high;
        if !(0..=last.0).contains(&block.0) || !(0..=last.1).contains(&block.1) {
            let message = format!("there is no block {},{}", block.0, block.1);
            let help = format!("blocks are from 0,0 to {},{}", last.0, last.1);
            return Err(usage(py, message, help));
        }
        let BlockMade { digest, was_there, ran, warnings, problems, .. } =
            detached(py, || self.0.block(block, threads))?;
        match digest {
            Some(digest) => Ok((PyBytes::new(py, &digest), was_there, ran, warnings)),
            None => Err(raised(py, Failure::Evaluation(problems))),
        }
    }

    /// Combines the digests of all blocks, row by row, into one.
    #[staticmethod]
    fn digest_of(digests: Vec<[u8; 32]>) -> String {
        of_all(&digests)
    }
}

impl Listener for Teller {
    fn begin(&mut self, blocks: usize) {
        self.tell(json!({"event": "planned", "nodes": blocks}));
    }

    fn goes_on(&self) -> bool {
        Self::goes_on(self)
    }

    fn made(&mut self, made: &BlockMade) {
        let (i, j) = made.block;
        let seconds = made.took.as_secs_f64();
        self.tell(json!({"event": "finished", "node": format!("{i},{j}"), "seconds": seconds}));
    }
}

/// Makes all blocks of a store, or the share of them that it was prepared for.
#[pyfunction]
#[pyo3(signature = (store, *, on_event = None))]
pub fn fill_store(py: Python<'_>, store: &WorldStore, on_event: Option<Py<PyAny>>) -> PyResult<()> {
    let (blocks, share) = (Arc::clone(&store.0), store.1);
    stoppable(py, on_event.as_ref(), move |teller| blocks.make(share, &mut teller.clone()))
}

/// Reads a whole store and compares it with its checksums. Returns the number of blocks and their digest.
#[pyfunction]
pub fn verify_store(py: Python<'_>, store: &str) -> PyResult<(usize, String)> {
    let verified = detached(py, || terrane_stores::verify(&*open(store)?, |_, _| ()))?;
    let verified = verified.map_err(|failure| raised(py, failure))?;
    Ok((verified.blocks, verified.digest))
}
