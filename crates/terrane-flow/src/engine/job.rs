//! One evaluation: nodes run as soon as what they read is there.

mod changed;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::observe::{Observer, Seen};
use super::resolve::{self, Memory};
use super::round::Round;
use super::running::Lead;
use super::step::Made;
use super::{Evaluated, Evaluation, Job, Shared, Target, lock};
use crate::cache::{Damage, Digests};
use crate::context::{Cancel, Context};
use crate::error::NodeError;
use crate::event::{Event, NodeTiming, Outcome};
use crate::key::{Ground, Key};
use crate::load::Loaded;
use crate::node::Node;
use crate::port::{Reference, Source};
use crate::stamp::Stamp;
use crate::value::{Digest, Value};

/// The least time between two reports of a node's progress.
const REPORT_EVERY: Duration = Duration::from_millis(40);

/// One evaluation.
pub struct JobState {
    id: u64,
    shared: Arc<Shared>,
    graph: Arc<Loaded>,
    targets: Vec<Target>,
    observer: Option<Observer>,
    ground: Ground,
    cancel: Cancel,
    /// `None` once the job is over, so that readers of events see the end.
    events: Mutex<Option<Sender<Event>>>,
    warnings: Mutex<Vec<String>>,
    done: Sender<()>,
    round: Mutex<Option<Arc<Round>>>,
    /// How often a file changed while a node read it.
    changes: AtomicU32,
}

impl JobState {
    pub fn start(
        shared: &Arc<Shared>,
        graph: &Arc<Loaded>,
        targets: Vec<Target>,
        observer: Option<Observer>,
    ) -> Job {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let (events_in, events) = unbounded();
        let (done_in, done): (_, Receiver<()>) = unbounded();
        let state = Arc::new(Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            shared: Arc::clone(shared),
            ground: Ground::new(&*graph.graph.header, graph.graph.seed),
            graph: Arc::clone(graph),
            targets,
            observer,
            cancel: Cancel::new(),
            events: Mutex::new(Some(events_in)),
            warnings: Mutex::new(Vec::new()),
            done: done_in,
            round: Mutex::new(None),
            changes: AtomicU32::new(0),
        });
        state.begin();
        Job { state, events, done }
    }

    fn emit(&self, event: Event) {
        if let Some(events) = &*lock(&self.events) {
            // Nobody listening is no fault.
            let _unheard = events.send(event);
        }
    }

    fn show(&self, node: usize, digests: &[Digest], values: Option<&[Value]>) {
        if let Some(observer) = &self.observer {
            observer(&Seen { node: &self.graph.plan.names[node], digests, values });
        }
    }

    fn warn(&self, node: Option<usize>, message: String) {
        let node = node.map(|node| Arc::clone(&self.graph.plan.names[node]));
        let text = node.as_ref().map_or_else(|| message.clone(), |node| format!("{node}: {message}"));
        lock(&self.warnings).push(text);
        self.emit(Event::Warning { node, message });
    }

    pub fn cancel(&self) {
        self.cancel.cancel();
        self.shared.running.leave(self.id);
    }

    /// Resolves, and sets off what can run.
    fn begin(self: &Arc<Self>) {
        let last = if self.shared.reuse { lock(&self.shared.last).clone() } else { None };
        let resolution =
            resolve::resolve(&self.shared, &self.graph, &self.ground, &self.targets, last.as_deref());
        let round = Arc::new(Round::new(&self.graph, resolution, &self.targets));
        *lock(&self.round) = Some(Arc::clone(&round));
        let pairs: Vec<(usize, usize)> = self.targets.iter().map(|t| (t.node, t.output)).collect();
        let needed = round.resolution.needed.iter().filter(|&&needed| needed).count();
        self.emit(Event::Planned {
            nodes: needed,
            forecast: self.graph.plan.forecast(&self.graph.graph, &pairs),
        });
        for &node in self.graph.plan.order.iter().filter(|&&node| round.resolution.needed[node]) {
            if !round.resolution.runs[node] {
                self.emit(Event::Cached { node: Arc::clone(&self.graph.plan.names[node]) });
                if let Some(digests) = &round.resolution.digests[node] {
                    self.show(node, digests, None);
                }
            }
        }
        if round.remaining.load(Ordering::Acquire) == 0 {
            return self.finish(&round);
        }
        for node in round.ready() {
            self.spawn(&round, node);
        }
    }

    fn spawn(self: &Arc<Self>, round: &Arc<Round>, node: usize) {
        let (state, round) = (Arc::clone(self), Arc::clone(round));
        self.shared.pool.spawn(move || state.run_from(&round, node));
    }

    /// Runs a node, then the first reader that it made ready, and so on: a chain needs no stack.
    fn run_from(self: &Arc<Self>, round: &Arc<Round>, node: usize) {
        let mut next = Some(node);
        while let Some(node) = next {
            next = if self.attempt(round, node) { self.completed(round, node) } else { None };
        }
    }

    /// Brings a node to its end; `false` when another computation will do that.
    fn attempt(self: &Arc<Self>, round: &Arc<Round>, node: usize) -> bool {
        let step = round.step(node);
        if let Some(because) = self.failed_giver(round, node) {
            self.emit(Event::Skipped {
                node: Arc::clone(&self.graph.plan.names[node]),
                because: Arc::clone(&because),
            });
            step.end(Outcome::Skipped(because));
            return true;
        }
        if self.cancel.is_cancelled() || round.again.load(Ordering::Relaxed) {
            self.emit_cancelled(node);
            step.end(Outcome::Cancelled);
            return true;
        }
        let before = self.stamps(node);
        let Some(key) = self.key(round, node) else {
            self.fail(round, node, self.unreadable(node));
            return true;
        };
        if round.resolution.keys[node].is_none()
            && let Some(digests) = self.cut_off(round, node, &key)
        {
            self.show(node, &digests, None);
            step.end_known(digests);
            self.emit(Event::Cached { node: Arc::clone(&self.graph.plan.names[node]) });
            return true;
        }
        let follower = || -> super::running::Follower {
            let (state, round) = (Arc::clone(self), Arc::clone(round));
            Box::new(move |result| state.followed(&round, node, result))
        };
        let Some(lead) = self.shared.running.lead_or_follow(key, self.id, follower) else { return false };
        self.lead(round, node, (&key, &before), &lead);
        true
    }

    fn key(&self, round: &Round, node: usize) -> Option<Key> {
        let content = |giver: usize, output: usize| round.digest(giver, output);
        resolve::key_of(
            &self.shared,
            &self.graph,
            &self.ground,
            (node, round.resolution.asked[node]),
            content,
        )
    }

    /// Early cutoff: a giver ran, but gave what is known to lead to known results.
    fn cut_off(&self, round: &Round, node: usize, key: &Key) -> Option<Digests> {
        let digests = self.shared.lookup(key)?;
        let outputs = self.graph.graph.nodes[node].node().spec().outputs.len();
        let readers_run = !round.step(node).readers.is_empty();
        let wanted = |output: usize| {
            readers_run || self.targets.iter().any(|t| t.keep && t.node == node && t.output == output)
        };
        let fine = digests.len() == outputs
            && (0..outputs).all(|output| !wanted(output) || self.shared.available(&digests[output]));
        fine.then_some(digests)
    }

    fn failed_giver(&self, round: &Round, node: usize) -> Option<Arc<str>> {
        self.graph.plan.wires[node].iter().find_map(|wire| match round.step(wire.node).outcome() {
            Some(Outcome::Failed(_)) => Some(Arc::clone(&self.graph.plan.names[wire.node])),
            Some(Outcome::Skipped(because)) => Some(because),
            _ => None,
        })
    }

    fn unreadable(&self, node: usize) -> NodeError {
        let graph = &self.graph.graph;
        match crate::key::own_parts(graph.nodes[node].node(), graph.seed, &*graph.header, &self.shared.files)
        {
            Err(problem) => NodeError::failed(
                format!("cannot read `{}`: {}", problem.path.display(), problem.error),
                "check that the file is still there and readable",
            ),
            // The only other reason for no key is a giver without content, which was cancelled.
            Ok(_) => NodeError::Cancelled,
        }
    }

    fn fail(&self, round: &Round, node: usize, error: NodeError) {
        if error == NodeError::Cancelled {
            self.emit_cancelled(node);
            return round.step(node).end(Outcome::Cancelled);
        }
        self.emit(Event::Failed { node: Arc::clone(&self.graph.plan.names[node]), error: error.clone() });
        round.step(node).end(Outcome::Failed(error));
    }

    fn emit_cancelled(&self, node: usize) {
        self.emit(Event::Cancelled { node: Arc::clone(&self.graph.plan.names[node]) });
    }

    /// Runs a node and tells everyone who waits for the same key.
    fn lead(
        self: &Arc<Self>,
        round: &Arc<Round>,
        node: usize,
        (key, before): (&Key, &[Option<Stamp>]),
        lead: &Lead,
    ) {
        let bound = self.bind(round, node);
        let result = match bound {
            Ok(bound) => self.run((node, round.resolution.asked[node]), bound, &lead.cancel),
            Err(error) => Err(error),
        };
        let result = match result {
            Err(NodeError::Cancelled) => Err(NodeError::Cancelled),
            result if self.has_read(round, node, (key, before)) => result,
            _ => Err(self.changed(round, node)),
        };
        let (result, time) = match result {
            Ok((values, time)) => (Ok(self.keep(node, key, values, time)), time),
            Err(error) => (Err(error), Duration::ZERO),
        };
        let followers = self.shared.running.finish(lead);
        match &result {
            Ok(made) => self.made(round, node, made, Outcome::Ran, time),
            Err(error) => self.fail(round, node, error.clone()),
        }
        for follower in followers {
            follower(result.clone());
        }
    }

    /// Another computation of the same key came to its end.
    fn followed(self: &Arc<Self>, round: &Arc<Round>, node: usize, result: Result<Made, NodeError>) {
        match &result {
            Ok(made) => {
                self.emit(Event::Cached { node: Arc::clone(&self.graph.plan.names[node]) });
                self.show(node, &made.digests, Some(&made.values));
                let bytes = made.values.iter().map(|v| v.heap_bytes() as u64).sum();
                round.step(node).end_made(made, Outcome::Cached, Duration::ZERO, bytes);
            }
            Err(NodeError::Cancelled) if !self.cancel.is_cancelled() => {
                // Whoever led gave up between our looking and now; this job still wants the result.
                return self.spawn(round, node);
            }
            Err(error) => self.fail(round, node, error.clone()),
        }
        if let Some(next) = self.completed(round, node) {
            self.spawn(round, next);
        }
    }

    /// A copy of the node with a value at every connected port.
    fn bind(&self, round: &Round, node: usize) -> Result<Box<dyn Node>, NodeError> {
        let mut bound = dyn_clone::clone_box(self.graph.graph.nodes[node].node());
        for wire in &self.graph.plan.wires[node] {
            let value = self.value(round, wire.node, wire.output).ok_or(NodeError::Cancelled)?;
            bound.port_mut(wire.input).connect(Source::Bound(value));
        }
        Ok(bound)
    }

    /// A value for a reader: from this job, or loaded; a damaged one ends the round.
    fn value(&self, round: &Round, node: usize, output: usize) -> Option<Value> {
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

    fn run_again(&self, round: &Round, node: usize, damage: Option<Damage>) {
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
    fn run(
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
    fn keep(&self, node: usize, key: &Key, values: Vec<Value>, time: Duration) -> Made {
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

    fn made(&self, round: &Round, node: usize, made: &Made, outcome: Outcome, time: Duration) {
        let bytes = made.values.iter().map(|value| value.heap_bytes() as u64).sum();
        let unchanged = round.resolution.digests[node].as_ref() == Some(&made.digests);
        self.show(node, &made.digests, Some(&made.values));
        self.emit(Event::Finished { node: Arc::clone(&self.graph.plan.names[node]), time, bytes, unchanged });
        round.step(node).end_made(made, outcome, time, bytes);
    }

    /// After a node's end: sets off ready readers, all but the first, which the caller goes on with.
    fn completed(self: &Arc<Self>, round: &Arc<Round>, node: usize) -> Option<usize> {
        let mut first = None;
        for &reader in &round.step(node).readers {
            if round.step(reader as usize).ready() {
                if first.is_none() {
                    first = Some(reader as usize);
                } else {
                    self.spawn(round, reader as usize);
                }
            }
        }
        if round.remaining.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.finish(round);
        }
        first
    }

    fn finish(self: &Arc<Self>, round: &Arc<Round>) {
        self.load_targets(round);
        if round.again.load(Ordering::Relaxed) && !self.cancel.is_cancelled() {
            return self.begin();
        }
        if self.shared.reuse {
            let digests = (0..self.graph.plan.wires.len()).map(|node| round.digests(node));
            let asked = round.resolution.asked.clone();
            let memory = Memory::new(&self.graph, self.ground.clone(), asked, digests);
            *lock(&self.shared.last) = Some(Arc::new(memory));
        }
        self.shared.running.leave(self.id);
        *lock(&self.events) = None;
        // The job's owner may have let go of it.
        let _unheard = self.done.send(());
    }

    /// Loads wanted values that were known and did not run.
    fn load_targets(&self, round: &Round) {
        for target in self.targets.iter().filter(|target| target.keep) {
            let step = round.step(target.node);
            let known = round.digest(target.node, target.output);
            if known.is_some() && known == target.have || step.outcome() != Some(Outcome::Cached) {
                continue;
            }
            if step.value(target.output).is_none() && known.is_some() {
                let kind = self.graph.graph.nodes[target.node].node().spec().outputs[target.output].kind;
                match known.map(|digest| self.shared.load(&digest, kind)) {
                    Some(Ok(value)) => step.keep(target.output, &value),
                    Some(Err(damage)) => self.run_again(round, target.node, damage),
                    None => {}
                }
            }
        }
    }

    /// What came of it, once the job is over.
    pub fn evaluation(&self) -> Evaluation {
        let warnings = lock(&self.warnings).clone();
        let Some(round) = lock(&self.round).take() else {
            return Evaluation { outputs: Vec::new(), nodes: Vec::new(), warnings };
        };
        let nodes =
            self.graph.plan.order.iter().filter(|&&node| round.resolution.needed[node]).map(|&node| {
                let (time, bytes) = round.step(node).cost();
                let outcome = round.step(node).outcome().unwrap_or(Outcome::Cancelled);
                NodeTiming { node: Arc::clone(&self.graph.plan.names[node]), outcome, time, bytes }
            });
        let outputs = self.targets.iter().map(|target| {
            let step = round.step(target.node);
            let spec = self.graph.graph.nodes[target.node].node().spec();
            let output = Reference {
                node: Arc::clone(&self.graph.plan.names[target.node]),
                output: Some(spec.outputs[target.output].name.into()),
            };
            let digest = round.digest(target.node, target.output);
            let ended_well = matches!(step.outcome(), Some(Outcome::Cached | Outcome::Ran));
            Evaluated { output, digest: digest.filter(|_| ended_well), value: step.value(target.output) }
        });
        Evaluation { nodes: nodes.collect(), outputs: outputs.collect(), warnings }
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
