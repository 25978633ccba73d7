//! JSON lines about repeated evaluations, shared by `watch` and `view`.

use std::time::Instant;

use serde_json::{Value as Json, json};
use terrane_flow::live::Finished;
use terrane_flow::{Diagnostics, Event};
use terrane_runs::outputs::Made;

use super::console;

/// Prints an object on one line.
pub fn print(object: &Json) {
    console::json(&object);
}

/// Prints an event of a node.
pub fn event(event: &Event) {
    print(&event.to_json());
}

/// Prints the errors of a graph that does not load.
pub fn broken(diagnostics: &Diagnostics) {
    for diagnostic in diagnostics.to_json() {
        print(&json!({"event": "broken", "diagnostic": diagnostic}));
    }
}

/// Prints the line that ends an evaluation, with one field that the command adds.
pub fn done(finished: &Finished, more: &[(&str, Json)]) {
    let mut done = json!({
        "event": "done", "ran": finished.evaluation.ran(), "reused": reused(finished),
        "seconds": seconds(finished.started),
    });
    for (name, value) in more {
        done[name] = value.clone();
    }
    print(&done);
}

/// Prints that an output was written.
pub fn written(made: &Made) {
    print(&json!({
        "event": "written", "file": made.path, "sidecar": made.sidecar, "changed": made.changed,
        "seconds": made.time.as_secs_f64(), "bytes": made.bytes,
    }));
}

/// The number of nodes that were not evaluated again.
pub fn reused(finished: &Finished) -> usize {
    finished.evaluation.nodes.len() - finished.evaluation.ran().len()
}

/// Seconds since `started`.
pub fn seconds(started: Instant) -> f64 {
    started.elapsed().as_secs_f64()
}
