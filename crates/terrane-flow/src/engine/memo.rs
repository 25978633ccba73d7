//! What is remembered between the evaluations of a session.

use std::sync::{Arc, Mutex};

use super::last::Last;
use super::placed::Placed;
use crate::model::node_key::Key;

/// What is remembered between evaluations.
#[derive(Default)]
pub struct Memo {
    /// Keys of the nodes that wait for these evaluations.
    pub within: Vec<Key>,
    /// Where the outputs are that were asked for last.
    pub placed: Mutex<Option<Arc<Placed>>>,
    /// What the last evaluation left.
    pub last: Mutex<Option<Arc<Last>>>,
}
