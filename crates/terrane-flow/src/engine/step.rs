//! A node on its way through a job.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::lock;
use crate::cache::Digests;
use crate::event::Outcome;
use crate::value::Value;

/// What a node gave.
#[derive(Clone)]
pub struct Made {
    /// Content of the outputs.
    pub digests: Digests,
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
    digests: Option<Digests>,
    values: Vec<Option<Value>>,
    /// Per output, readings still to come; wanted outputs have one that never comes.
    reads: Vec<u32>,
    time: Duration,
    bytes: u64,
}

impl Step {
    pub fn new(outputs: usize, digests: Option<Digests>) -> Self {
        let state =
            State { digests, values: vec![None; outputs], reads: vec![0; outputs], ..State::default() };
        Self { pending: AtomicU32::new(0), readers: Vec::new(), state: Mutex::new(state) }
    }

    /// Announces a reading of an output.
    pub fn expect_read(&self, output: usize) {
        lock(&self.state).reads[output] += 1;
    }

    pub fn digests(&self) -> Option<Digests> {
        lock(&self.state).digests.clone()
    }

    pub fn outcome(&self) -> Option<Outcome> {
        lock(&self.state).outcome.clone()
    }

    /// Time and bytes of what ran.
    pub fn cost(&self) -> (Duration, u64) {
        let state = lock(&self.state);
        (state.time, state.bytes)
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
    pub fn end_known(&self, digests: Digests) {
        let mut state = lock(&self.state);
        state.digests = Some(digests);
        state.outcome = Some(Outcome::Cached);
    }

    /// Ends with values: those that are still to be read are kept.
    pub fn end_made(&self, made: &Made, outcome: Outcome, time: Duration, bytes: u64) {
        let mut state = lock(&self.state);
        state.digests = Some(Arc::clone(&made.digests));
        for output in 0..state.values.len() {
            if state.reads[output] > 0 {
                state.values[output] = made.values.get(output).cloned();
            }
        }
        state.outcome = Some(outcome);
        state.time = time;
        state.bytes = bytes;
    }

    /// Reads an output: the last reader takes the value itself, so that it can be edited in place.
    pub fn read(&self, output: usize) -> Option<Value> {
        let mut state = lock(&self.state);
        state.reads[output] = state.reads[output].saturating_sub(1);
        if state.reads[output] == 0 { state.values[output].take() } else { state.values[output].clone() }
    }

    /// Looks at a value without reading it.
    pub fn value(&self, output: usize) -> Option<Value> {
        lock(&self.state).values[output].clone()
    }

    /// Keeps a value that was loaded for a reader, for the others.
    pub fn keep(&self, output: usize, value: &Value) {
        let mut state = lock(&self.state);
        if state.reads[output] > 0 {
            state.values[output] = Some(value.clone());
        }
    }
}
