//! How an engine works.

use std::sync::Arc;

use super::cache::Store;
use super::executor::Executor;

/// How an engine works.
#[derive(Clone)]
pub struct EngineOptions {
    /// Threads that run nodes; 0 is one per core.
    pub threads: usize,
    /// Who runs nodes instead, where it is given.
    pub executor: Option<Arc<dyn Executor>>,
    /// Bytes that values in memory and running nodes may take together; three quarters of the machine's
    /// memory where nothing is said. A node waits until what it will need is free.
    pub budget: Option<u64>,
    /// Bytes of values kept in memory between evaluations, as part of the budget: they go when nodes need it.
    pub memory: u64,
    /// Where values are kept between runs.
    pub store: Option<Arc<dyn Store>>,
    /// Whether known results are used; without, every needed node runs, and nothing is kept between runs.
    pub reuse: bool,
    /// Whether all results are kept, also those that are made as fast as they are read.
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
