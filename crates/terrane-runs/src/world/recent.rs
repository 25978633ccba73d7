//! Values that are made once and kept while there is room.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::patch_error::PatchError;

/// A value that is made by whoever asks first, while others wait.
type Slot<T> = Arc<OnceLock<Result<Arc<T>, PatchError>>>;

/// Values by patch; those that were made first go first.
pub struct Recent<T> {
    most: usize,
    slots: Mutex<Slots<T>>,
}

struct Slots<T> {
    known: HashMap<(i64, i64), Slot<T>>,
    order: VecDeque<(i64, i64)>,
}

impl<T> Recent<T> {
    /// Keeps so many.
    pub fn new(most: usize) -> Self {
        Self { most, slots: Mutex::new(Slots { known: HashMap::new(), order: VecDeque::new() }) }
    }

    /// The value of a patch.
    pub fn get(
        &self,
        patch: (i64, i64),
        make: impl FnOnce() -> Result<T, PatchError>,
    ) -> Result<Arc<T>, PatchError> {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            let Slots { known, order } = &mut *slots;
            let slot = known.entry(patch).or_insert_with(|| {
                order.push_back(patch);
                Slot::default()
            });
            let slot = Arc::clone(slot);
            if order.len() > self.most
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
    fn what_is_kept_is_made_once() {
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
