//! The options of an engine.

use std::sync::Arc;

use super::cache::Store;
use super::executor::Executor;

/// The options of an engine.
#[derive(Clone)]
pub struct EngineOptions {
    /// The number of threads that run nodes; 0 means one per core.
    pub threads: usize,
    /// An executor that runs nodes instead of the engine's threads.
    pub executor: Option<Arc<dyn Executor>>,
    /// The maximum number of bytes for values in memory and running nodes together. A node waits until the
    /// memory that it needs is free. Default: three quarters of the memory that the process may use.
    pub budget: Option<u64>,
    /// The maximum number of bytes of values kept in memory between evaluations. This memory is part of the
    /// budget. It is freed when nodes need it.
    pub memory: u64,
    /// The store that keeps values between runs.
    pub store: Option<Arc<dyn Store>>,
    /// Whether known results are used. If not, every needed node runs, and nothing is kept between runs.
    pub reuse: bool,
    /// Whether all results are kept between runs. This includes results that are as fast to compute as to
    /// read, and results of nodes with `keep: Never`.
    pub keep_all: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            threads: 0,
            executor: None,
            budget: None,
            memory: 1 << 30,
            store: None,
            reuse: true,
            keep_all: false,
        }
    }
}
