//! What a node that is written in Python knows and tells while it runs.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use terrane_flow::Key;
use terrane_grid::Domain;

/// What a node tells, until whoever runs it hears of it.
#[derive(Default)]
pub struct Told {
    /// How far it is.
    pub fraction: f64,
    /// What its author should know.
    pub warnings: Vec<String>,
    /// Whether nobody wants its result any more.
    pub stops: bool,
}

/// What is shared by a node and the thread that waits for it.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Told>>);

impl Shared {
    pub fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a node that is written in Python knows of its graph, and whom it tells how far it is. It answers
/// while the node runs.
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
    /// Keys of the node and of those that wait for it.
    keys: Vec<Key>,
}

impl NodeContext {
    pub fn new(place: Domain, shared: Shared, keys: Vec<Key>) -> Self {
        Self { size: place.size, spacing: place.spacing, origin: place.origin, shared, keys }
    }
}

#[pymethods]
impl NodeContext {
    /// Tells how far the node is; whether it should go on.
    fn progress(&self, fraction: f64) -> bool {
        let mut told = self.shared.told();
        told.fraction = fraction;
        !told.stops
    }

    /// Whether nobody wants the result any more.
    #[getter]
    fn stops(&self) -> bool {
        self.shared.told().stops
    }

    /// Tells the author something.
    fn warn(&self, message: String) {
        self.shared.told().warnings.push(message);
    }

    /// Says that this thread runs the node: what it evaluates is evaluated within the node.
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

/// Keys of the node that this thread runs, and of those that wait for it.
pub fn keys() -> Vec<Key> {
    WITHIN.with_borrow(|within| within.as_ref().map_or_else(Vec::new, |within| within.keys.clone()))
}

/// Whether nobody wants the result any more of the node that this thread runs.
pub fn stops() -> bool {
    WITHIN.with_borrow(|within| within.as_ref().is_some_and(|within| within.shared.told().stops))
}
