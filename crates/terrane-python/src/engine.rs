//! Engines.

use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::process;
use std::sync::Arc;

use pyo3::prelude::*;
use terrane_flow::cache::{DiskCache, Store};
use terrane_flow::{EngineOptions, Session};
use terrane_runs::settings;

use crate::leaving::detached;
use crate::node_context;
use crate::problem::usage;

/// Evaluates graphs, with threads, memory, and a cache that the command shares.
#[pyclass(frozen, subclass, module = "pyterrane._pyterrane")]
pub struct Engine {
    engine: ManuallyDrop<terrane_flow::Engine>,
    /// The process that created the engine. A fork of it lacks the engine's threads.
    process: u32,
    /// The folder of the disk cache, if there is one.
    #[pyo3(get)]
    pub cache_dir: Option<PathBuf>,
}

#[pymethods]
impl Engine {
    /// Creates an engine. `cache=False` disables the cache. Default of `cache_dir`: the command's cache.
    #[new]
    #[pyo3(signature = (
        *, threads = 0, memory = None, cache = true, cache_dir = None, cache_size = "8G", keep_all = false,
        keep_in_memory = "1G",
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of a constructor in Python")]
    fn new(
        py: Python<'_>,
        threads: usize,
        memory: Option<&str>,
        cache: bool,
        cache_dir: Option<PathBuf>,
        cache_size: &str,
        keep_all: bool,
        keep_in_memory: &str,
    ) -> PyResult<Self> {
        let size = |name: &str, text: &str| {
            settings::bytes(text).ok_or_else(|| {
                usage(py, format!("{name}={text:?} is not a size"), "write \"500M\", \"8G\" or \"1T\"")
            })
        };
        if threads > 1024 {
            let help = "give a whole number from 0 (one per core) to 1024";
            return Err(usage(py, format!("threads={threads} is too many"), help));
        }
        let cache_dir = settings::cache_dir(cache_dir.as_deref()).filter(|_| cache);
        let capacity = size("cache_size", cache_size)?;
        let store =
            cache_dir.clone().map(|folder| Arc::new(DiskCache::new(folder, capacity)) as Arc<dyn Store>);
        let options = EngineOptions {
            threads,
            budget: memory.map(|text| size("memory", text)).transpose()?,
            memory: size("keep_in_memory", keep_in_memory)?,
            store,
            reuse: cache,
            keep_all,
            ..EngineOptions::default()
        };
        if memory.is_some() {
            terrane_compute::LargePages::keep_nothing();
        }
        let engine = detached(py, || terrane_flow::Engine::new(options))?;
        let engine =
            engine.map_err(|error| usage(py, format!("cannot start threads: {error}"), "use fewer"))?;
        Ok(Self { engine: ManuallyDrop::new(engine), process: process::id(), cache_dir })
    }

    /// The number of threads that run nodes.
    #[getter]
    fn threads(&self) -> usize {
        self.engine.threads()
    }

    /// The maximum bytes of values and running nodes together.
    #[getter]
    fn memory(&self) -> u64 {
        self.engine.budget()
    }

    /// Waits until all results are on disk.
    fn flush(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let engine = self.get(py)?;
        detached(py, || engine.flush())
    }
}

impl Engine {
    /// The engine.
    ///
    /// # Errors
    /// In a fork of the process that created the engine, where it would wait forever.
    pub fn get(&self, py: Python<'_>) -> PyResult<&terrane_flow::Engine> {
        if self.process == process::id() {
            return Ok(&self.engine);
        }
        let help = "make another: pyterrane.Engine(); or start processes with \
            multiprocessing.get_context(\"spawn\")";
        Err(usage(py, "this engine belongs to the process that this one was forked from", help))
    }

    /// Creates a session for evaluations on this thread.
    pub fn session(&self, py: Python<'_>) -> PyResult<Session> {
        Ok(self.get(py)?.session().within(node_context::keys()))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // A fork has no engine threads to stop.
        if self.process == process::id() {
            // SAFETY: the engine is not used after this.
            #[expect(unsafe_code, reason = "a fork must leave the engine alone")]
            unsafe {
                ManuallyDrop::drop(&mut self.engine);
            }
        }
    }
}
