//! A log of nodes that ran, and gates at which nodes wait for a test.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::model::lock::lock;

/// How long a test waits for an expected event.
const PATIENCE: Duration = Duration::from_secs(30);

/// A log of nodes that ran, and the gates. Clones share both.
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: Vec<String>,
    open: BTreeSet<String>,
    /// The number of nodes that wait at each gate.
    waiting: HashMap<String, usize>,
}

impl Log {
    /// Adds a line.
    pub fn note(&self, line: impl Into<String>) {
        lock(&self.0.state).lines.push(line.into());
    }

    /// The lines since the last call. They are sorted, because nodes run in parallel.
    #[must_use]
    pub fn take(&self) -> Vec<String> {
        let mut lines = std::mem::take(&mut lock(&self.0.state).lines);
        lines.sort();
        lines
    }

    /// Waits until a line is in the log.
    ///
    /// # Panics
    /// If the line is not added in time.
    pub fn until_noted(&self, line: &str) {
        let started = Instant::now();
        let mut state = lock(&self.0.state);
        while !state.lines.iter().any(|noted| noted == line) {
            assert!(started.elapsed() < PATIENCE, "`{line}` is not noted: {state:?}");
            state = self.sleep(state);
        }
    }

    /// Opens a gate.
    pub fn open(&self, gate: &str) {
        lock(&self.0.state).open.insert(gate.to_owned());
        self.0.changed.notify_all();
    }

    /// Closes a gate again.
    pub fn close(&self, gate: &str) {
        lock(&self.0.state).open.remove(gate);
    }

    /// Waits until this many nodes wait at a gate.
    ///
    /// # Panics
    /// If they do not arrive in time.
    pub fn until_waiting(&self, gate: &str, nodes: usize) {
        let started = Instant::now();
        let mut state = lock(&self.0.state);
        while state.waiting.get(gate).copied().unwrap_or(0) < nodes {
            assert!(started.elapsed() < PATIENCE, "no {nodes} nodes wait at `{gate}`: {state:?}");
            state = self.sleep(state);
        }
    }

    /// Waits until a gate is open, as long as `continues` returns `true`. Returns whether the gate was
    /// opened.
    pub(super) fn pass(&self, gate: &str, continues: impl Fn() -> bool) -> bool {
        let started = Instant::now();
        let mut state = lock(&self.0.state);
        *state.waiting.entry(gate.to_owned()).or_default() += 1;
        self.0.changed.notify_all();
        let opened = loop {
            if state.open.contains(gate) {
                break true;
            }
            if !continues() || started.elapsed() > PATIENCE {
                break false;
            }
            state = self.sleep(state);
        };
        if let Some(waiting) = state.waiting.get_mut(gate) {
            *waiting -= 1;
        }
        opened
    }

    fn sleep<'a>(&self, state: std::sync::MutexGuard<'a, State>) -> std::sync::MutexGuard<'a, State> {
        let slept = self.0.changed.wait_timeout(state, Duration::from_millis(2));
        slept.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state)
    }
}
