//! Counts the bytes of values in a budget.

use std::sync::{Arc, Weak};

use super::needs::SMALL;
use super::room::{Budget, Room};
use crate::model::value::{Counted, Value};
use crate::model::value_id::ValueId;

/// Counts a value's bytes until its last holder drops it.
struct Charge {
    budget: Weak<Budget>,
    id: ValueId,
    bytes: u64,
}

/// Counts a value in the budget. Small values are not counted.
pub fn charged(budget: &Arc<Budget>, id: &ValueId, value: Value) -> Value {
    let bytes = value.heap_bytes() as u64;
    if bytes < SMALL {
        return value;
    }
    budget.add(bytes);
    counted(budget, id, value)
}

/// Counts a value for which memory was reserved in `room`. The bytes that were counted as reserved are from
/// now on counted as bytes of the value.
pub fn charged_in(room: &mut Room, id: &ValueId, value: Value) -> Value {
    let bytes = value.heap_bytes() as u64;
    if bytes < SMALL {
        return value;
    }
    room.convert(bytes);
    counted(&room.budget, id, value)
}

fn counted(budget: &Arc<Budget>, id: &ValueId, value: Value) -> Value {
    let bytes = value.heap_bytes() as u64;
    value.counted_by(Arc::new(Charge { budget: Arc::downgrade(budget), id: *id, bytes }))
}

impl Counted for Charge {
    fn release_spare(&self) {
        if let Some(budget) = self.budget.upgrade() {
            budget.store.let_go(&self.id);
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
