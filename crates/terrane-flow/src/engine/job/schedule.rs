//! Schedules the nodes of a job as their upstream nodes finish.

use super::state::JobState;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::admit::Work;
use crate::engine::budget::{Needs, Room};
use crate::engine::cache::Entry;
use crate::engine::event::{Event, Outcome};
use crate::engine::observer::Showing;
use crate::engine::resolve;
use crate::engine::round::Round;
use crate::engine::step::Computed;
use crate::model::error::NodeError;
use crate::model::lock::lock;
use crate::model::node_key::Key;
use crate::model::panics::catch_panics;

impl JobState {
    /// Resolves the graph, and starts the nodes that can run.
    pub fn begin(self: &Arc<Self>) {
        let last = if self.shared.reuse { lock(&self.memo.previous).clone() } else { None };
        let resolution =
            resolve::resolve(&self.shared, &self.graph, &self.graph_hashes, &self.targets, last.as_deref());
        // At the end of the job, the previous state is updated in place. This requires that there is no other
        // reference to it.
        drop(last);
        if let Some(problem) = self.shared.store.problem() {
            self.warn(None, problem);
        }
        let machine = (self.shared.threads, self.shared.budget.capacity());
        let all = self.shared.keep_all || matches!(self.showing, Some(Showing::All(_)));
        let needs = Needs::new(&self.graph, &resolution, &self.targets, all, machine);
        let round = Arc::new(Round::new(&self.graph, resolution, needs, &self.targets));
        *lock(&self.round) = Some(Arc::clone(&round));
        let needed = round.resolution.needed.iter().filter(|&&needed| needed).count();
        self.emit(Event::Planned {
            nodes: needed,
            forecast: round.needs.total(self.shared.budget.capacity()),
        });
        let rest = |&&node: &&usize| round.resolution.needed[node] && !round.resolution.runs[node];
        let known = self.graph.plan.order.iter().filter(rest);
        let known = known.filter_map(|&node| Some((node, round.resolution.known[node].as_ref()?)));
        self.emit_all(known.clone().map(|(node, _)| self.cached(node)));
        known.for_each(|(node, entry)| self.show_known(node, entry));
        if round.remaining.load(Ordering::Acquire) == 0 {
            return self.finish(&round);
        }
        // Nodes that are already running for another job continue, even if that job is cancelled now.
        self.shared.running.join(self.id, round.running_keys());
        self.leave_if_cancelled();
        let ready = round.ready();
        self.shared.budget.begin(self.id, round.needs.serial());
        self.open(&round, &ready);
        for node in ready {
            self.spawn(&round, node);
        }
    }

    pub fn spawn(self: &Arc<Self>, round: &Arc<Round>, node: usize) {
        self.spawn_in(round, node, self.shared.budget.empty());
    }

    /// Runs a node on another thread. `room` is the room of its upstream node.
    pub fn spawn_in(self: &Arc<Self>, round: &Arc<Round>, node: usize, room: Room) {
        let (state, round) = (Arc::clone(self), Arc::clone(round));
        self.shared.executor.spawn(Box::new(move || state.run_from(&round, node, room)));
    }

    /// Runs a node, then its first ready dependent, and so on.
    pub fn run_from(self: &Arc<Self>, round: &Arc<Round>, node: usize, mut room: Room) {
        if self.attempt(round, node, &mut room) {
            self.continue_from(round, node, room);
        }
    }

    /// Continues with the dependents after a node's end. `room` is the room of that node. This is a loop, so
    /// that a long chain of nodes does not overflow the stack.
    pub fn continue_from(self: &Arc<Self>, round: &Arc<Round>, node: usize, mut room: Room) {
        let mut next = self.completed(round, node);
        loop {
            if self.shared.store.is_full() {
                // The next node runs on another thread, since this thread helps to write results and may wait
                // for the disk.
                let room = std::mem::replace(&mut room, self.shared.budget.empty());
                if let Some(next) = next.take() {
                    self.spawn_in(round, next, room);
                }
                self.shared.store.help();
            }
            let Some(node) = next else { return };
            next = if self.attempt(round, node, &mut room) { self.completed(round, node) } else { None };
        }
    }

    /// Runs a node, or ends it without running. Returns `false` if the node will end later: on another
    /// thread, or after waiting for memory.
    pub fn attempt(self: &Arc<Self>, round: &Arc<Round>, node: usize, room: &mut Room) -> bool {
        if self.ends_without_running(round, node) {
            return true;
        }
        if self.is_foreign(node) {
            self.queue_foreign(round, node);
            return false;
        }
        self.obtain(round, node, room)
    }

    /// Finds the result of a node, or runs the node. Returns `false` if the node will end later, like
    /// [`JobState::attempt`].
    pub fn obtain(self: &Arc<Self>, round: &Arc<Round>, node: usize, room: &mut Room) -> bool {
        let before = self.stamps(node);
        let Some((inner, key)) = self.keys(round, node) else {
            self.fail(round, node, self.unreadable(node));
            return true;
        };
        // Early cutoff: an upstream node ran, and with its result, the result of this node is known.
        let is_new = round.resolution.keys.get(node).is_none();
        if is_new && self.is_known(round, node, &inner, self.shared.lookup(&key)) {
            return true;
        }
        if self.memo.within.contains(&key) {
            let message = "it evaluates a graph that contains itself, so it would wait for its own result";
            let help = "use other inputs or parameters in the graph that it evaluates";
            self.fail(round, node, NodeError::failed(message, help));
            return true;
        }
        let follower = || -> crate::engine::running::Follower {
            let (state, round) = (Arc::clone(self), Arc::clone(round));
            Box::new(move |result| state.followed(&round, node, result))
        };
        let lead = self.shared.running.lead_or_follow(key, self.id, follower);
        self.leave_if_cancelled();
        let Some(lead) = lead else {
            self.close(round, node);
            return false;
        };
        // The previous lead may have ended since this job's lookup.
        if self.is_known(round, node, &inner, self.shared.lookup_now(&key)) {
            for follower in self.shared.running.finish(&lead) {
                // The followers look up the result themselves.
                follower(Err(NodeError::Cancelled));
            }
            return true;
        }
        self.admit(round, node, Work { key, inner, before, lead }, room)
    }

    /// Removes the job from `running` if the job is cancelled. Cancelling the job already does this, but the
    /// job may have added entries since.
    fn leave_if_cancelled(&self) {
        if self.cancel.is_cancelled() {
            self.shared.running.leave(self.id);
        }
    }

    /// Ends a node with the outputs of `entry`, if the outputs that are read can be loaded. Returns whether
    /// the node has ended.
    fn is_known(&self, round: &Round, node: usize, inner: &[(usize, Key)], entry: Option<Entry>) -> bool {
        let Some(entry) = entry.filter(|entry| self.is_enough(round, node, entry)) else { return false };
        // Without the entry of a node within a fusion, its warnings are unknown.
        let known = inner.iter().map(|(node, key)| Some((*node, self.shared.lookup(key)?)));
        let Some(known) = known.collect::<Option<Vec<_>>>() else { return false };
        self.end_inner_known(round, known.into_iter());
        self.report_known(node, &entry);
        round.step(node).end_known(entry);
        self.skip_reads(round, node);
        true
    }

    /// Marks the reads of a node as done, if the node does not run. The last of the other readers can then
    /// edit the value in place.
    pub fn skip_reads(&self, round: &Round, node: usize) {
        for wire in round.wires(&self.graph, node) {
            let _unread = round.step(wire.node).read(wire.output);
        }
    }

    /// Reports a node that need not run, with its stored warnings.
    pub fn report_known(&self, node: usize, entry: &Entry) {
        self.emit(self.cached(node));
        self.show_known(node, entry);
    }

    fn cached(&self, node: usize) -> Event {
        Event::Cached { node: Arc::clone(&self.graph.plan.names[node]) }
    }

    fn show_known(&self, node: usize, entry: &Entry) {
        self.show(node, &entry.ids, None);
        for warning in &*entry.warnings {
            self.warn(Some(node), warning.clone());
        }
    }

    fn is_enough(&self, round: &Round, node: usize, entry: &Entry) -> bool {
        let ids = &entry.ids;
        let outputs = self.graph.graph.nodes[node].node().spec().outputs.len();
        let dependents_run = !round.step(node).dependents.is_empty();
        let wanted = |output: usize| {
            dependents_run || self.targets.iter().any(|t| t.keep && t.node == node && t.output == output)
        };
        ids.len() == outputs
            && (0..outputs).all(|output| !wanted(output) || self.shared.available(&ids[output]))
    }

    /// Runs a node, and passes the result to all followers of its lead.
    pub fn lead(self: &Arc<Self>, round: &Arc<Round>, node: usize, work: &Work, room: &mut Room) {
        let Work { key, inner, before, lead } = work;
        // The node may have become unneeded while it waited for memory.
        let result = if lead.cancel.is_cancelled() {
            Err((node, NodeError::Cancelled))
        } else if inner.is_empty() {
            let bound = self.bind(round, node, room);
            bound.and_then(|bound| self.run(round, node, (bound, *key), &lead.cancel)).map_err(|e| (node, e))
        } else {
            let ran = catch_panics(|| self.run_fusion(round, node, work, room));
            ran.unwrap_or_else(|panic| Err((node, NodeError::Panicked(panic))))
        };
        let culprit = result.as_ref().err().map_or(node, |(member, _)| *member);
        let result = result.map_err(|(_, error)| error);
        let result = match result {
            Err(NodeError::Cancelled) => Err(NodeError::Cancelled),
            result if self.files_unchanged(round, node, (key, before)) => result,
            _ => Err(self.file_changed(round, node)),
        };
        let (result, time) = match result {
            Ok(ran) => {
                let time = ran.time;
                (Ok(self.keep(node, key, ran, room)), time)
            }
            Err(error) => {
                room.clear();
                (Err(error), Duration::ZERO)
            }
        };
        let followers = self.shared.running.finish(lead);
        match &result {
            Ok(made) => self.finish_computed(round, node, made, Outcome::Ran, time),
            Err(error) => self.fail_in_fusion(round, node, culprit, error.clone()),
        }
        // The error of another node of the fusion is not the node's own: followers find it themselves.
        let result = result.map_err(|error| if culprit == node { error } else { NodeError::Cancelled });
        for follower in followers {
            follower(result.clone());
        }
    }

    /// Ends a node that has followed another node with the same key, with the result of that node.
    pub fn followed(self: &Arc<Self>, round: &Arc<Round>, node: usize, result: Result<Computed, NodeError>) {
        match &result {
            Ok(made) => {
                self.end_inner_followed(round, node, made);
                self.emit(Event::Cached { node: Arc::clone(&self.graph.plan.names[node]) });
                self.show(node, &made.entry.ids, Some(&made.values));
                for warning in &*made.entry.warnings {
                    self.warn(Some(node), warning.clone());
                }
                let bytes = made.values.iter().map(|v| v.heap_bytes() as u64).sum();
                round.step(node).end_computed(made, Outcome::Cached, Duration::ZERO, bytes);
                self.skip_reads(round, node);
            }
            Err(NodeError::Cancelled) if !self.cancel.is_cancelled() => {
                // The lead was cancelled, but this job still needs the result.
                self.open(round, &[node]);
                return self.spawn(round, node);
            }
            Err(error) => self.fail(round, node, error.clone()),
        }
        if let Some(next) = self.completed(round, node) {
            self.spawn(round, next);
        }
    }

    /// Starts the ready dependents after a node's end, except the first one. The first is returned, and the
    /// caller continues with it.
    pub fn completed(self: &Arc<Self>, round: &Arc<Round>, node: usize) -> Option<usize> {
        let dependents = round.step(node).dependents.iter().map(|&dependent| dependent as usize);
        let ready: Vec<usize> = dependents.filter(|&dependent| round.step(dependent).ready()).collect();
        // Dependents free memory, so they have priority over nodes that wait for memory. `close` may start
        // those, so the dependents are registered first.
        self.open(round, &ready);
        self.close(round, node);
        for &dependent in ready.iter().skip(1) {
            self.spawn(round, dependent);
        }
        if round.remaining.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.finish(round);
        }
        ready.first().copied()
    }
}
