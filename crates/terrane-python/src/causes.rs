//! Keeps exceptions that nodes raised until the run's exception names them as its cause.

use std::collections::VecDeque;
use std::sync::Mutex;

use pyo3::prelude::*;
use terrane_flow::lock;

/// Maximum number of exceptions that are kept.
const MOST: usize = 16;

static CAUSES: Mutex<VecDeque<(String, PyErr)>> = Mutex::new(VecDeque::new());

/// Keeps an exception under its message.
pub fn remember(message: &str, error: PyErr) {
    let mut causes = lock(&CAUSES);
    causes.truncate(MOST - 1);
    causes.push_front((message.to_owned(), error));
}

/// Removes and returns the exception whose message a text ends with.
pub fn take(text: &str) -> Option<PyErr> {
    let mut causes = lock(&CAUSES);
    let at = causes.iter().position(|(message, _)| text.ends_with(message))?;
    causes.remove(at).map(|(_, error)| error)
}
