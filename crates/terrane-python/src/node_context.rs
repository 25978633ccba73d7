//! The context of a running node that is written in Python: what the node can query and report.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard};

use pyo3::prelude::*;
use terrane_flow::{Key, lock};
use terrane_grid::Domain;

/// The reports of a node that the waiting thread has not read yet.
#[derive(Default)]
pub struct Reports {
    /// Its progress.
    pub fraction: f64,
    /// Its warnings.
    pub warnings: Vec<String>,
    /// Whether its result is no longer needed.
    pub stops: bool,
}

/// The state that a node shares with the thread that waits for it.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Reports>>);

impl Shared {
    pub fn reports(&self) -> MutexGuard<'_, Reports> {
        lock(&self.0)
    }
}

/// The context of a running node that is written in Python: facts about its graph, and a receiver for
/// progress and warnings. It is valid while the node runs.
#[pyclass(frozen, module = "pyterrane._pyterrane")]
pub struct NodeContext {
    /// Columns and rows.
    #[pyo3(get)]
    size: (usize, usize),
    /// Distance between samples.
    #[pyo3(get)]
    spacing: f64,
    /// World x and y of the first sample.
    #[pyo3(get)]
    origin: (f64, f64),
    shared: Shared,
    /// The keys of the node and of the nodes that wait for it.
    keys: Vec<Key>,
}

impl NodeContext {
    pub fn new(place: Domain, shared: Shared, keys: Vec<Key>) -> Self {
        Self { size: place.size, spacing: place.spacing, origin: place.origin, shared, keys }
    }
}

#[pymethods]
impl NodeContext {
    /// Reports the node's progress; returns whether it should continue.
    fn progress(&self, fraction: f64) -> bool {
        let mut reports = self.shared.reports();
        reports.fraction = fraction;
        !reports.stops
    }

    /// Whether the result is no longer needed.
    #[getter]
    fn stops(&self) -> bool {
        self.shared.reports().stops
    }

    /// Records a warning.
    fn warn(&self, message: String) {
        self.shared.reports().warnings.push(message);
    }

    /// Marks this thread as running the node, so that its evaluations count as part of the node.
    fn enter(&self) {
        WITHIN.set(Some(Within { keys: self.keys.clone(), shared: self.shared.clone() }));
    }
}

/// The node that this thread runs.
struct Within {
    keys: Vec<Key>,
    shared: Shared,
}

thread_local! {
    static WITHIN: RefCell<Option<Within>> = const { RefCell::new(None) };
}

/// The keys of the node that this thread runs, and of the nodes that wait for it.
pub fn keys() -> Vec<Key> {
    WITHIN.with_borrow(|within| within.as_ref().map_or_else(Vec::new, |within| within.keys.clone()))
}

/// Whether the result of the node that this thread runs is no longer needed.
pub fn stops() -> bool {
    WITHIN.with_borrow(|within| within.as_ref().is_some_and(|within| within.shared.reports().stops))
}
