//! A handle on an engine.

use std::sync::Arc;

use super::shared::Shared;

/// Evaluates graphs on its own threads, and caches results.
///
/// Cheap to clone; clones share threads and caches. Dropping the last clone waits until all results are
/// written.
#[derive(Clone)]
pub struct Engine {
    pub(super) shared: Arc<Shared>,
    _last: Arc<Flush>,
}

/// Waits on drop until results are written.
struct Flush(Arc<Shared>);

impl Drop for Flush {
    fn drop(&mut self) {
        self.0.store.flush();
    }
}

impl Engine {
    pub(super) fn of(shared: Arc<Shared>) -> Self {
        Self { _last: Arc::new(Flush(Arc::clone(&shared))), shared }
    }
}
