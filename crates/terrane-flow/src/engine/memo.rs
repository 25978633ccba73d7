//! The state that a session keeps between evaluations.

use std::sync::{Arc, Mutex};

use super::located::LocatedOutputs;
use super::previous::PreviousState;
use crate::model::node_key::Key;

/// The state that a session keeps between evaluations.
#[derive(Default)]
pub struct Memo {
    /// Keys of running nodes that wait for the evaluations of this session.
    pub within: Vec<Key>,
    /// The positions of the outputs that were requested last.
    pub located: Mutex<Option<Arc<LocatedOutputs>>>,
    /// The state after the last evaluation.
    pub previous: Mutex<Option<Arc<PreviousState>>>,
}
