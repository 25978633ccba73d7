//! How an engine works.

use super::cache::DiskCache;

/// How an engine works.
#[derive(Debug)]
pub struct EngineOptions {
    /// Threads that run nodes; 0 is one per core.
    pub threads: usize,
    /// Bytes of values kept in memory between evaluations.
    pub memory: u64,
    /// Where values are kept between runs.
    pub disk: Option<DiskCache>,
    /// Whether known results are used; without, every needed node runs.
    pub reuse: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { threads: 0, memory: 1 << 30, disk: None, reuse: true }
    }
}
