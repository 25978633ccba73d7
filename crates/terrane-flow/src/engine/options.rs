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
    /// The maximum number of bytes for values in memory and running nodes together. Default: three quarters
    /// of the machine's memory. A node waits until the memory that it needs is free.
    pub budget: Option<u64>,
    /// The maximum number of bytes of values kept in memory between evaluations. It is part of the budget,
    /// and freed when nodes need it.
    pub memory: u64,
    /// The store that keeps values between runs.
    pub store: Option<Arc<dyn Store>>,
    /// Whether known results are used. Otherwise every needed node runs, and nothing is kept between runs.
    pub reuse: bool,
    /// Whether all results are kept, even if computing them is as fast as reading them.
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
