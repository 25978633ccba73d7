//! Shutdown: every call that released Python's lock returns before the interpreter ends.
//!
//! If a thread requests the lock of an interpreter that has ended, Python ends the thread in the middle of
//! Rust code, and the process aborts. Waits are therefore counted. When the interpreter ends, it stops them
//! and waits until they have returned.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::marker::Ungil;
use pyo3::prelude::*;

static WAITING: AtomicUsize = AtomicUsize::new(0);
static LEFT: AtomicBool = AtomicBool::new(false);

/// How long the interpreter waits for them when it ends.
const PATIENCE: Duration = Duration::from_secs(10);

/// A wait that is counted.
pub struct Waiting(());

impl Waiting {
    /// Counts a wait. `None` if the interpreter has begun to end.
    pub fn begin() -> Option<Self> {
        WAITING.fetch_add(1, Ordering::SeqCst);
        let waiting = Self(());
        (!has_left()).then_some(waiting)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether the interpreter has begun to end.
pub fn has_left() -> bool {
    LEFT.load(Ordering::SeqCst)
}

fn ended() -> PyErr {
    PyRuntimeError::new_err("Python is ending")
}

/// Runs work with Python's lock released.
///
/// # Errors
/// If the interpreter has begun to end.
pub fn detached<T: Ungil + Send>(py: Python<'_>, work: impl FnOnce() -> T + Ungil + Send) -> PyResult<T> {
    let waiting = Waiting::begin().ok_or_else(ended)?;
    let done = py.detach(work);
    drop(waiting);
    if has_left() { Err(ended()) } else { Ok(done) }
}

/// Called when the interpreter ends: stops all waits for evaluations, and waits until they have returned.
#[pyfunction]
pub fn leave(py: Python<'_>) {
    LEFT.store(true, Ordering::SeqCst);
    py.detach(|| {
        let begun = Instant::now();
        while WAITING.load(Ordering::SeqCst) > 0 && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}
