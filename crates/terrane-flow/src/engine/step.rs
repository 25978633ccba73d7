//! A node on its way through a job.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::lock::lock;
use crate::engine::cache::Entry;
use crate::engine::event::Outcome;
use crate::model::value::{Digest, Value};

/// What a node gave.
#[derive(Clone)]
pub struct Made {
    /// What is known of them.
    pub entry: Entry,
    /// The outputs.
    pub values: Arc<[Value]>,
}

/// A node's place in a job.
pub struct Step {
    /// Givers that have not finished.
    pub pending: AtomicU32,
    /// Nodes that run and read this one.
    pub readers: Vec<u32>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    outcome: Option<Outcome>,
    known: Option<Entry>,
    /// Per output, up to the last that is read.
    slots: Vec<Slot>,
    time: Duration,
    bytes: u64,
}

/// An output on its way to its readers.
#[derive(Clone, Default)]
struct Slot {
    value: Option<Value>,
    /// Readings still to come; wanted outputs have one that never comes.
    reads: u32,
}

impl Step {
    pub fn new(known: Option<Entry>) -> Self {
        let state = State { known, ..State::default() };
        Self { pending: AtomicU32::new(0), readers: Vec::new(), state: Mutex::new(state) }
    }

    /// Announces a reading of an output.
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

    /// Content of one output, where it is known.
    pub fn digest(&self, output: usize) -> Option<Digest> {
        lock(&self.state).known.as_ref()?.digests.get(output).copied()
    }

    pub fn outcome(&self) -> Option<Outcome> {
        lock(&self.state).outcome.clone()
    }

    /// How it ended, with the time and bytes of what ran.
    pub fn ending(&self) -> (Option<Outcome>, Duration, u64) {
        let state = lock(&self.state);
        (state.outcome.clone(), state.time, state.bytes)
    }

    /// An output's content and value, where they are known; no content where the node did not end well.
    pub fn output(&self, output: usize) -> (Option<Digest>, Option<Value>) {
        let state = lock(&self.state);
        let ended_well = matches!(state.outcome, Some(Outcome::Cached | Outcome::Ran));
        let known = state.known.as_ref().filter(|_| ended_well);
        let digest = known.and_then(|entry| entry.digests.get(output).copied());
        (digest, state.slots.get(output).and_then(|slot| slot.value.clone()))
    }

    /// Whether one more giver has finished and none is left.
    pub fn ready(&self) -> bool {
        self.pending.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Ends without values.
    pub fn end(&self, outcome: Outcome) {
        lock(&self.state).outcome = Some(outcome);
    }

    /// Ends with known content that nobody has loaded.
    pub fn end_known(&self, entry: Entry) {
        let mut state = lock(&self.state);
        state.known = Some(entry);
        state.outcome = Some(Outcome::Cached);
    }

    /// Ends with values: those that are still to be read are kept.
    pub fn end_made(&self, made: &Made, outcome: Outcome, time: Duration, bytes: u64) {
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

    /// Reads an output: the last reader takes the value itself, so that it can be edited in place.
    pub fn read(&self, output: usize) -> Option<Value> {
        let mut state = lock(&self.state);
        let slot = state.slots.get_mut(output)?;
        slot.reads = slot.reads.saturating_sub(1);
        if slot.reads == 0 { slot.value.take() } else { slot.value.clone() }
    }

    /// Looks at a value without reading it.
    pub fn value(&self, output: usize) -> Option<Value> {
        lock(&self.state).slots.get(output)?.value.clone()
    }

    /// Whether a value is here.
    pub fn holds(&self, output: usize) -> bool {
        lock(&self.state).slots.get(output).is_some_and(|slot| slot.value.is_some())
    }

    /// Keeps a value that was loaded for a reader, for the others.
    pub fn keep(&self, output: usize, value: &Value) {
        let mut state = lock(&self.state);
        if let Some(slot) = state.slots.get_mut(output).filter(|slot| slot.reads > 0) {
            slot.value = Some(value.clone());
        }
    }
}
