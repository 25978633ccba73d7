//! Runs one node of a job: binds its inputs, runs it, and stores the result.

use super::kept_holes::{kept, settled};
use super::state::JobState;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::engine::budget::{Room, charged_in};
use crate::engine::cache::{Damage, Entry, Ids, Known, NotKept, Reason, Record};
use crate::engine::event::{Event, Outcome};
use crate::engine::round::Round;
use crate::engine::step::Computed;
use crate::model::context::{Cancel, Context};
use crate::model::error::NodeError;
use crate::model::holes::HoleMask;
use crate::model::keep::Keep;
use crate::model::lock::lock;
use crate::model::node::Node;
use crate::model::node_key::Key;
use crate::model::panics::catch_panics;
use crate::model::plan::Wire;
use crate::model::port::Source;
use crate::model::spec::Cost;
use crate::model::value::Value;
use crate::model::value_id::ValueId;

/// The minimum time between two reports of a node's progress.
const REPORT_EVERY: Duration = Duration::from_millis(40);

/// Results up to this many bytes are kept even if they are cheap.
pub const SMALL: usize = 64 << 10;

/// The result of running a node.
pub struct RunResult {
    pub values: Vec<Value>,
    pub ids: Ids,
    pub warnings: Vec<String>,
    pub time: Duration,
    /// How long it would take to compute the values again.
    pub worth: Duration,
    /// The keys and entries of the other nodes of a fusion.
    pub inner: Vec<(Key, Entry)>,
}

impl JobState {
    pub fn unreadable(&self, node: usize) -> NodeError {
        let graph = &self.graph.graph;
        match crate::model::key::own_parts(
            graph.nodes[node].node(),
            graph.seed,
            graph.header_of(node),
            &self.shared.files,
        ) {
            Err(problem) => NodeError::failed(
                format!("cannot read `{}`: {}", problem.path.display(), problem.error),
                "check that the file is still there and readable",
            ),
            // The only other reason for a missing key is a cancelled upstream node.
            Ok(_) => NodeError::Cancelled,
        }
    }

    /// A copy of the node with a value at every connected port.
    pub fn bind(&self, round: &Round, node: usize, room: &mut Room) -> Result<Box<dyn Node>, NodeError> {
        let mut bound = dyn_clone::clone_box(self.graph.graph.nodes[node].node());
        for wire in &self.graph.plan.wires[node] {
            let value = self.value(round, wire, room).ok_or(NodeError::Cancelled)?;
            bound.port_mut(wire.input).connect(Source::Bound(value));
        }
        Ok(bound)
    }

    /// The value that a wire reads, from this job or from the store. If the value cannot be loaded, returns
    /// `None` and requests another round.
    pub fn value(&self, round: &Round, wire: &Wire, room: &mut Room) -> Option<Value> {
        let (node, output) = (wire.node, wire.output);
        let step = round.step(node);
        if let Some(value) = step.read(output) {
            return Some(value);
        }
        let id: ValueId = round.id(node, output)?;
        let kind = self.graph.graph.nodes[node].node().spec().outputs[output].kind;
        match self.shared.load(&id, kind) {
            Ok(value) => {
                // The value is already counted, so the memory that was reserved for loading it is released.
                room.release_counted(value.heap_bytes() as u64);
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
                "a stored result is damaged and is computed again: {}: {}",
                damage.file.display(),
                damage.reason
            );
            self.warn(Some(node), message);
        }
        round.again.store(true, Ordering::Relaxed);
    }

    /// Runs a node with bound inputs, and catches its panics.
    pub fn run(
        &self,
        round: &Round,
        node: usize,
        (mut bound, key): (Box<dyn Node>, Key),
        cancel: &Cancel,
    ) -> Result<RunResult, NodeError> {
        self.emit(Event::Started { node: Arc::clone(&self.graph.plan.names[node]) });
        let started = Instant::now();
        // Identities are computed here too, because encoding a value also runs code from outside the engine.
        let (made, warnings) = self.in_context(round, (node, key), cancel, |cx| {
            let holes = self.graph.plan.holes[node];
            let kept = if holes.inputs { kept(&*bound) } else { HoleMask::default() };
            let mut values = bound.run(cx)?;
            if holes.outputs {
                values = settled(values, &kept);
            }
            self.not_finite(round, node, &values).into_iter().for_each(|warning| cx.warn(warning));
            let cost = self.graph.graph.nodes[node].node().cost();
            let ids = ValueId::of_outputs(cost, &key, &values).collect();
            Ok((values, ids))
        });
        let (values, ids) = made?;
        let time = started.elapsed();
        Ok(RunResult { values, ids, warnings, time, worth: time, inner: Vec::new() })
    }

    /// Calls `act` in the context of a node, and catches its panics. Returns the warnings too.
    pub fn in_context<R>(
        &self,
        round: &Round,
        (node, key): (usize, Key),
        cancel: &Cancel,
        act: impl FnOnce(&Context<'_>) -> Result<R, NodeError>,
    ) -> (Result<R, NodeError>, Vec<String>) {
        let progress = self.progress(std::slice::from_ref(&node));
        let warnings = Mutex::new(Vec::new());
        let warn = |message: String| {
            lock(&warnings).push(message.clone());
            self.warn(Some(node), message);
        };
        let graph = &self.graph.graph;
        let cx = Context::new(graph.header_of(node), graph.seed, cancel, &progress, &warn)
            .with_asked(round.resolution.asked[node])
            .with_holes(self.graph.plan.holes[node].inputs)
            .for_node(graph.nodes[node].node().spec())
            .with_keys(key, &self.memo.within)
            .with_files(&self.shared.files);
        let made = catch_panics(|| act(&cx)).unwrap_or_else(|panic| Err(NodeError::Panicked(panic)));
        (made, warnings.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// A function that reports the progress of nodes, not too often.
    pub fn progress(&self, nodes: &[usize]) -> impl Fn(f64) + Sync {
        let last_report = Mutex::new(Instant::now());
        move |fraction: f64| {
            let mut last = lock(&last_report);
            if last.elapsed() >= REPORT_EVERY {
                *last = Instant::now();
                let names = nodes.iter().map(|&node| Arc::clone(&self.graph.plan.names[node]));
                self.emit_all(names.map(|node| Event::Progress { node, fraction }));
            }
        }
    }

    /// Stores the outputs of a node, counts their bytes, and releases the node's working memory.
    pub fn keep(&self, node: usize, key: &Key, ran: RunResult, room: &mut Room) -> Computed {
        let entry = Entry::from(Known {
            ids: ran.ids,
            warnings: ran.warnings.into(),
            not_kept: self.not_kept(node, &ran.values),
        });
        let counted = ran.values.into_iter().zip(&*entry.ids);
        let values: Arc<[Value]> = counted.map(|(value, id)| charged_in(room, id, value)).collect();
        room.clear();
        let record = Record { key, entry: &entry, values: &values, time: ran.worth };
        if let Err(error) = self.shared.store.store(&record) {
            self.warn(Some(node), error.to_string());
        }
        Computed { entry, values, inner: ran.inner.into() }
    }

    /// Why the outputs of a node are not kept for other runs; `None` if they are kept.
    fn not_kept(&self, node: usize, values: &[Value]) -> Option<NotKept> {
        let node = &self.graph.graph.nodes[node];
        let spec = node.node().spec();
        let bytes: usize = values.iter().map(Value::heap_bytes).sum();
        let reason = match node.keep {
            _ if self.shared.keep_all => return None,
            Some(Keep::Never) => Reason::Never,
            None if node.node().cost() == Cost::Cheap && bytes > SMALL => Reason::Cheap,
            Some(Keep::Always) | None => return None,
        };
        Some(NotKept { node: spec.name.into(), reason })
    }

    /// Why the output of a node is not kept for other runs, if it is not made at all.
    pub fn not_made(&self, node: usize) -> NotKept {
        let node = &self.graph.graph.nodes[node];
        let reason = if node.keep == Some(Keep::Never) { Reason::Never } else { Reason::Cheap };
        NotKept { node: node.node().spec().name.into(), reason }
    }

    pub fn finish_computed(
        &self,
        round: &Round,
        node: usize,
        made: &Computed,
        outcome: Outcome,
        time: Duration,
    ) {
        let bytes = made.values.iter().map(|value| value.heap_bytes() as u64).sum();
        let unchanged =
            round.resolution.known[node].as_ref().is_some_and(|known| known.ids == made.entry.ids);
        self.show(node, &made.entry.ids, Some(&made.values));
        self.emit(Event::Finished { node: Arc::clone(&self.graph.plan.names[node]), time, bytes, unchanged });
        round.step(node).end_computed(made, outcome, time, bytes);
    }
}
