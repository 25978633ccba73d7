//! The state of a node during a job.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::engine::cache::Entry;
use crate::engine::event::Outcome;
use crate::model::lock::lock;
use crate::model::node_key::Key;
use crate::model::value::Value;
use crate::model::value_id::ValueId;

/// The computed outputs of a node.
#[derive(Clone)]
pub struct Computed {
    /// The cache entry of the outputs.
    pub entry: Entry,
    /// The values.
    pub values: Arc<[Value]>,
    /// The keys and entries of the other nodes of a fusion.
    pub inner: Arc<[(Key, Entry)]>,
}

/// The state of a node during a job.
pub struct Step {
    /// The number of upstream nodes that have not finished.
    pub pending: AtomicU32,
    /// Downstream nodes that run.
    pub dependents: Vec<u32>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    outcome: Option<Outcome>,
    known: Option<Entry>,
    /// One slot per output, up to the last output that is read.
    slots: Vec<Slot>,
    time: Duration,
    bytes: u64,
}

/// An output that is held for its dependents.
#[derive(Clone, Default)]
struct Slot {
    value: Option<Value>,
    /// The number of reads still to come. Wanted outputs have one more, so that they are kept.
    reads: u32,
}

impl Step {
    pub fn new(known: Option<Entry>) -> Self {
        let state = State { known, ..State::default() };
        Self { pending: AtomicU32::new(0), dependents: Vec::new(), state: Mutex::new(state) }
    }

    /// Announces a read of an output.
    pub fn expect_read(&self, output: usize) {
        let slots = &mut lock(&self.state).slots;
        if slots.len() <= output {
            slots.resize(output + 1, Slot::default());
        }
        slots[output].reads += 1;
    }

    pub fn known(&self) -> Option<Entry> {
        lock(&self.state).known.clone()
    }

    /// The identity of an output, if known.
    pub fn id(&self, output: usize) -> Option<ValueId> {
        lock(&self.state).known.as_ref()?.ids.get(output).copied()
    }

    pub fn outcome(&self) -> Option<Outcome> {
        lock(&self.state).outcome.clone()
    }

    /// The outcome, the time, and the bytes of the outputs.
    pub fn ending(&self) -> (Option<Outcome>, Duration, u64) {
        let state = lock(&self.state);
        (state.outcome.clone(), state.time, state.bytes)
    }

    /// The identity and the value of an output, if known. There is no identity if the node did not succeed.
    pub fn output(&self, output: usize) -> (Option<ValueId>, Option<Value>) {
        let state = lock(&self.state);
        let ended_well = matches!(state.outcome, Some(Outcome::Cached | Outcome::Ran));
        let known = state.known.as_ref().filter(|_| ended_well);
        let id = known.and_then(|entry| entry.ids.get(output).copied());
        (id, state.slots.get(output).and_then(|slot| slot.value.clone()))
    }

    /// Records that an upstream node has finished. Returns whether it was the last.
    pub fn ready(&self) -> bool {
        self.pending.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Ends the node without values.
    pub fn end(&self, outcome: Outcome) {
        lock(&self.state).outcome = Some(outcome);
    }

    /// Ends the node with a known entry. Its values are not loaded.
    pub fn end_known(&self, entry: Entry) {
        let mut state = lock(&self.state);
        state.known = Some(entry);
        state.outcome = Some(Outcome::Cached);
    }

    /// Ends the node with values, and keeps the values that are still to be read.
    pub fn end_computed(&self, made: &Computed, outcome: Outcome, time: Duration, bytes: u64) {
        let mut state = lock(&self.state);
        state.known = Some(made.entry.clone());
        for (slot, value) in state.slots.iter_mut().zip(made.values.iter()) {
            if slot.reads > 0 {
                slot.value = Some(value.clone());
            }
        }
        state.outcome = Some(outcome);
        state.time = time;
        state.bytes = bytes;
    }

    /// Reads an output. The last reader takes the value out of the step, so that it can edit the value in
    /// place.
    pub fn read(&self, output: usize) -> Option<Value> {
        let mut state = lock(&self.state);
        let slot = state.slots.get_mut(output)?;
        slot.reads = slot.reads.saturating_sub(1);
        if slot.reads == 0 { slot.value.take() } else { slot.value.clone() }
    }

    /// The value of an output. This does not count as a read.
    pub fn value(&self, output: usize) -> Option<Value> {
        lock(&self.state).slots.get(output)?.value.clone()
    }

    /// Whether a value is in memory.
    pub fn holds(&self, output: usize) -> bool {
        lock(&self.state).slots.get(output).is_some_and(|slot| slot.value.is_some())
    }

    /// Keeps a value that was loaded for one reader, so that the other readers need not load it.
    pub fn keep(&self, output: usize, value: &Value) {
        let mut state = lock(&self.state);
        if let Some(slot) = state.slots.get_mut(output).filter(|slot| slot.reads > 0) {
            slot.value = Some(value.clone());
        }
    }
}
