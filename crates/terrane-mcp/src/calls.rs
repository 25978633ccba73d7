//! The calls of tools that wait or run, so that the client can cancel them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::Value as Json;
use terrane_flow::lock;

use crate::stop::Stop;

/// Calls by the id of their request.
#[derive(Default)]
pub struct Calls(Mutex<BTreeMap<String, Arc<Stop>>>);

impl Calls {
    /// Adds a call; false if one with the same id is not answered yet.
    pub fn add(&self, id: &Json, stop: &Arc<Stop>) -> bool {
        let mut calls = lock(&self.0);
        let is_free = !calls.contains_key(&id.to_string());
        if is_free {
            calls.insert(id.to_string(), Arc::clone(stop));
        }
        is_free
    }

    /// Removes a call that was answered.
    pub fn remove(&self, id: &Json) {
        lock(&self.0).remove(&id.to_string());
    }

    /// Cancels a call, if it is not answered yet.
    pub fn cancel(&self, id: &Json) {
        if let Some(stop) = lock(&self.0).get(&id.to_string()) {
            stop.cancel();
        }
    }
}
