//! One node of a job: its inputs, its run, and what came of it.

use super::state::JobState;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::engine::cache::{Damage, Digests};
use crate::engine::event::{Event, Outcome};
use crate::engine::lock::lock;
use crate::engine::round::Round;
use crate::engine::step::Made;
use crate::model::context::{Cancel, Context};
use crate::model::error::NodeError;
use crate::model::key::Key;
use crate::model::node::Node;
use crate::model::port::Source;
use crate::model::value::{Digest, Value};

/// The least time between two reports of a node's progress.
const REPORT_EVERY: Duration = Duration::from_millis(40);

impl JobState {
    pub fn unreadable(&self, node: usize) -> NodeError {
        let graph = &self.graph.graph;
        match crate::model::key::own_parts(
            graph.nodes[node].node(),
            graph.seed,
            &*graph.header,
            &self.shared.files,
        ) {
            Err(problem) => NodeError::failed(
                format!("cannot read `{}`: {}", problem.path.display(), problem.error),
                "check that the file is still there and readable",
            ),
            // The only other reason for no key is a giver without content, which was cancelled.
            Ok(_) => NodeError::Cancelled,
        }
    }

    /// A copy of the node with a value at every connected port.
    pub fn bind(&self, round: &Round, node: usize) -> Result<Box<dyn Node>, NodeError> {
        let mut bound = dyn_clone::clone_box(self.graph.graph.nodes[node].node());
        for wire in &self.graph.plan.wires[node] {
            let value = self.value(round, wire.node, wire.output).ok_or(NodeError::Cancelled)?;
            bound.port_mut(wire.input).connect(Source::Bound(value));
        }
        Ok(bound)
    }

    /// A value for a reader: from this job, or loaded; a damaged one ends the round.
    pub fn value(&self, round: &Round, node: usize, output: usize) -> Option<Value> {
        let step = round.step(node);
        if let Some(value) = step.read(output) {
            return Some(value);
        }
        let digest: Digest = round.digest(node, output)?;
        let kind = self.graph.graph.nodes[node].node().spec().outputs[output].kind;
        match self.shared.load(&digest, kind) {
            Ok(value) => {
                step.keep(output, &value);
                Some(value)
            }
            Err(damage) => {
                self.run_again(round, node, damage);
                None
            }
        }
    }

    pub fn run_again(&self, round: &Round, node: usize, damage: Option<Damage>) {
        if let Some(damage) = damage {
            let message = format!(
                "a stored result is damaged and is made again: {}: {}",
                damage.file.display(),
                damage.reason
            );
            self.warn(Some(node), message);
        }
        round.again.store(true, Ordering::Relaxed);
    }

    /// Runs a node with everything bound, and catches its panics.
    pub fn run(
        &self,
        (node, asked): (usize, u32),
        mut bound: Box<dyn Node>,
        cancel: &Cancel,
    ) -> Result<(Vec<Value>, Duration), NodeError> {
        let name = &self.graph.plan.names[node];
        self.emit(Event::Started { node: Arc::clone(name) });
        let started = Instant::now();
        let last_report = Mutex::new(started);
        let progress = |fraction: f64| {
            let mut last = lock(&last_report);
            if last.elapsed() >= REPORT_EVERY {
                *last = Instant::now();
                self.emit(Event::Progress { node: Arc::clone(name), fraction });
            }
        };
        let warn = |message: String| self.warn(Some(node), message);
        let graph = &self.graph.graph;
        let cx = Context::new(&*graph.header, graph.seed, cancel, &progress, &warn)
            .with_asked(asked)
            .with_files(&self.shared.files);
        let result = catch_unwind(AssertUnwindSafe(|| bound.run(&cx)));
        let values = result.unwrap_or_else(|panic| Err(NodeError::Panicked(panic_text(&*panic))))?;
        Ok((values, started.elapsed()))
    }

    /// Remembers what a node gave.
    pub fn keep(&self, node: usize, key: &Key, values: Vec<Value>, time: Duration) -> Made {
        let digests: Digests = values.iter().map(Value::digest).collect();
        {
            let mut memory = lock(&self.shared.memory);
            memory.record(*key, Arc::clone(&digests));
            for (digest, value) in digests.iter().zip(&values) {
                memory.keep(*digest, value, time);
            }
        }
        if let Some(disk) = &self.shared.disk
            && self.shared.reuse
            && let Err(error) = disk.store(key, &digests, &values)
        {
            let folder = disk.folder().display();
            self.warn(Some(node), format!("results cannot be kept in `{folder}`: {error}; going on without"));
        }
        Made { digests, values: values.into() }
    }

    pub fn made(&self, round: &Round, node: usize, made: &Made, outcome: Outcome, time: Duration) {
        let bytes = made.values.iter().map(|value| value.heap_bytes() as u64).sum();
        let unchanged = round.resolution.digests[node].as_ref() == Some(&made.digests);
        self.show(node, &made.digests, Some(&made.values));
        self.emit(Event::Finished { node: Arc::clone(&self.graph.plan.names[node]), time, bytes, unchanged });
        round.step(node).end_made(made, outcome, time, bytes);
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "no message".to_owned()
    }
}
