//! Values that a budget counts.

use std::sync::{Arc, Weak};

use super::needs::SMALL;
use super::room::Budget;
use crate::model::value::{Counted, Digest, Value};

/// Counts a value's bytes until nobody holds it any more.
struct Charge {
    budget: Weak<Budget>,
    digest: Digest,
    bytes: u64,
}

/// The value, counted by the budget. Small ones are not worth it.
pub fn charged(budget: &Arc<Budget>, digest: &Digest, value: Value) -> Value {
    let bytes = value.heap_bytes() as u64;
    if bytes < SMALL {
        return value;
    }
    budget.add(bytes);
    value.counted_by(Arc::new(Charge { budget: Arc::downgrade(budget), digest: *digest, bytes }))
}

impl Counted for Charge {
    fn let_go(&self) {
        if let Some(budget) = self.budget.upgrade() {
            budget.store.let_go(&self.digest);
        }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if let Some(budget) = self.budget.upgrade() {
            budget.free(self.bytes);
        }
    }
}
