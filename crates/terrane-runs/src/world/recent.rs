//! A bounded cache of values by patch.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock};

use terrane_flow::lock;

use super::patch_error::PatchError;

/// A value computed by the first thread that requests it, while others wait.
type Slot<T> = Arc<OnceLock<Result<Arc<T>, PatchError>>>;

/// Values by patch. The oldest are dropped first.
pub struct Recent<T> {
    capacity: usize,
    slots: Mutex<Slots<T>>,
}

struct Slots<T> {
    known: HashMap<(i64, i64), Slot<T>>,
    order: VecDeque<(i64, i64)>,
}

impl<T> Recent<T> {
    /// Creates a cache for this many values.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, slots: Mutex::new(Slots { known: HashMap::new(), order: VecDeque::new() }) }
    }

    /// The value of a patch, computed if it is not cached.
    pub fn get(
        &self,
        patch: (i64, i64),
        make: impl FnOnce() -> Result<T, PatchError>,
    ) -> Result<Arc<T>, PatchError> {
        let slot = {
            let mut slots = lock(&self.slots);
            let Slots { known, order } = &mut *slots;
            let slot = known.entry(patch).or_insert_with(|| {
                order.push_back(patch);
                Slot::default()
            });
            let slot = Arc::clone(slot);
            if order.len() > self.capacity
                && let Some(oldest) = order.pop_front()
            {
                known.remove(&oldest);
            }
            slot
        };
        slot.get_or_init(|| make().map(Arc::new)).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_value_is_computed_once() {
        let recent = Recent::new(2);
        let mut made = Vec::new();
        for patch in [(0, 0), (1, 0), (0, 0), (2, 0), (1, 0), (0, 0)] {
            let value = recent.get(patch, || {
                made.push(patch);
                Ok(patch.0)
            });
            assert_eq!(*value.unwrap(), patch.0);
        }
        assert_eq!(made, [(0, 0), (1, 0), (2, 0), (0, 0)]);
    }
}
