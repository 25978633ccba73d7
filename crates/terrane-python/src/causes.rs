//! Exceptions that nodes raised, until the run's own exception names them as its cause.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// So many are remembered.
const MOST: usize = 16;

static CAUSES: Mutex<VecDeque<(String, PyErr)>> = Mutex::new(VecDeque::new());

/// Remembers an exception by its message.
pub fn remember(message: &str, error: PyErr) {
    let mut causes = CAUSES.lock().unwrap_or_else(PoisonError::into_inner);
    causes.truncate(MOST - 1);
    causes.push_front((message.to_owned(), error));
}

/// The exception whose message a text ends with.
pub fn take(text: &str) -> Option<PyErr> {
    let mut causes = CAUSES.lock().unwrap_or_else(PoisonError::into_inner);
    let at = causes.iter().position(|(message, _)| text.ends_with(message))?;
    causes.remove(at).map(|(_, error)| error)
}
