//! What happens in evaluations that come again and again, as JSON lines: `watch` and `view` print the same.

use std::time::Instant;

use serde_json::{Value as Json, json};
use terrane_flow::live::Finished;
use terrane_flow::{Diagnostics, Event};
use terrane_runs::outputs::Made;

use super::console;

/// Prints one object on a line.
pub fn print(object: &Json) {
    console::print(&format!("{object}\n"));
}

/// Prints what a node is told of.
pub fn event(event: &Event) {
    print(&event.to_json());
}

/// Prints the mistakes of a graph that does not load.
pub fn broken(diagnostics: &Diagnostics) {
    for diagnostic in diagnostics.to_json() {
        print(&json!({"event": "broken", "diagnostic": diagnostic}));
    }
}

/// The line at an evaluation's end, with what the command adds to it.
pub fn done(finished: &Finished, more: (&str, Json)) {
    let mut done = json!({
        "event": "done", "ran": finished.evaluation.ran(), "reused": reused(finished),
        "seconds": seconds(finished.started),
    });
    done[more.0] = more.1;
    print(&done);
}

/// Prints that an output is in its file.
pub fn written(made: &Made) {
    print(&json!({
        "event": "written", "file": made.path, "sidecar": made.sidecar, "changed": made.changed,
        "seconds": made.time.as_secs_f64(), "bytes": made.bytes,
    }));
}

/// How many nodes were not evaluated again.
pub fn reused(finished: &Finished) -> usize {
    finished.evaluation.nodes.len() - finished.evaluation.ran().len()
}

/// Seconds since then.
pub fn seconds(started: Instant) -> f64 {
    started.elapsed().as_secs_f64()
}
