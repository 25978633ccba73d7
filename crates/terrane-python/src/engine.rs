//! Engines.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use terrane_flow::EngineOptions;
use terrane_flow::cache::{DiskCache, Store};
use terrane_runs::settings;

use crate::problem::usage;

/// What evaluates graphs: threads, memory, and a cache that the command shares.
#[pyclass(frozen, module = "pyterrane._pyterrane")]
pub struct Engine {
    pub engine: terrane_flow::Engine,
    /// Where results are kept, if on disk.
    #[pyo3(get)]
    pub cache_dir: Option<PathBuf>,
}

#[pymethods]
impl Engine {
    /// An engine. `cache=False` keeps nothing; without `cache_dir` the cache is the command's.
    #[new]
    #[pyo3(signature = (*, threads = 0, memory = None, cache = true, cache_dir = None, cache_size = "8G", keep_all = false, keep_in_memory = "1G"))]
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
            return Err(usage(py, format!("threads={threads} are too many"), help));
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
        let engine = py.detach(|| terrane_flow::Engine::new(options));
        let engine =
            engine.map_err(|error| usage(py, format!("cannot start threads: {error}"), "ask for fewer"))?;
        Ok(Self { engine, cache_dir })
    }

    /// How many threads run nodes.
    #[getter]
    fn threads(&self) -> usize {
        self.engine.threads()
    }

    /// Bytes that values and running nodes may take together.
    #[getter]
    fn memory(&self) -> u64 {
        self.engine.budget()
    }

    /// Waits until all results are on disk.
    fn flush(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.engine.flush())
    }
}
