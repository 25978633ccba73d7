//! Nodes of a job, one after the other as their givers are done.

use super::state::JobState;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::admit::Work;
use crate::engine::budget::{Needs, Room};
use crate::engine::cache::Entry;
use crate::engine::event::{Event, Outcome};
use crate::engine::lock::lock;
use crate::engine::resolve;
use crate::engine::round::Round;
use crate::engine::step::Made;
use crate::model::error::NodeError;

impl JobState {
    /// Resolves, and sets off what can run.
    pub fn begin(self: &Arc<Self>) {
        let last = if self.shared.reuse { lock(&self.memo.last).clone() } else { None };
        let resolution =
            resolve::resolve(&self.shared, &self.graph, &self.ground, &self.targets, last.as_deref());
        // Whoever ends the job brings it up to date, which takes that nobody else holds it.
        drop(last);
        if let Some(problem) = self.shared.store.problem() {
            self.warn(None, problem);
        }
        let needs = Needs::new(&self.graph, &resolution, &self.targets, self.shared.threads);
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
        // What another job is computing goes on when that job is cancelled now.
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
        self.spawn_in(round, node, self.shared.budget.nothing());
    }

    /// Lets another thread run a node, with the seat of its giver.
    pub fn spawn_in(self: &Arc<Self>, round: &Arc<Round>, node: usize, room: Room) {
        let (state, round) = (Arc::clone(self), Arc::clone(round));
        self.shared.executor.spawn(Box::new(move || state.run_from(&round, node, room)));
    }

    /// Runs a node, then the first reader that it made ready, and so on: a chain needs no stack.
    pub fn run_from(self: &Arc<Self>, round: &Arc<Round>, node: usize, mut room: Room) {
        if self.attempt(round, node, &mut room) {
            self.go_on_from(round, node, room);
        }
    }

    /// Goes on after a node's end, with the seat that it had.
    pub fn go_on_from(self: &Arc<Self>, round: &Arc<Round>, node: usize, mut room: Room) {
        let mut next = self.completed(round, node);
        loop {
            if self.shared.store.is_full() {
                // Readers do not wait for the disk, where there are threads for them.
                let room = std::mem::replace(&mut room, self.shared.budget.nothing());
                if let Some(next) = next.take() {
                    self.spawn_in(round, next, room);
                }
                self.shared.store.help();
            }
            let Some(node) = next else { return };
            next = if self.attempt(round, node, &mut room) { self.completed(round, node) } else { None };
        }
    }

    /// Brings a node to its end; `false` when another thread will do that, or this one when there is memory
    /// for it.
    pub fn attempt(self: &Arc<Self>, round: &Arc<Round>, node: usize, room: &mut Room) -> bool {
        if self.ends_unrun(round, node) {
            return true;
        }
        if self.is_foreign(node) {
            self.queue_foreign(round, node);
            return false;
        }
        self.obtain(round, node, room)
    }

    /// Ends a node that cannot run, or that nobody wants any more. Whether it did.
    pub fn ends_unrun(&self, round: &Round, node: usize) -> bool {
        let step = round.step(node);
        if let Some(because) = self.failed_giver(round, node) {
            self.emit(Event::Skipped {
                node: Arc::clone(&self.graph.plan.names[node]),
                because: Arc::clone(&because),
            });
            step.end(Outcome::Skipped(because));
            self.pass_over(round, node);
            return true;
        }
        if self.cancel.is_cancelled() || round.again.load(Ordering::Relaxed) {
            self.emit_cancelled(node);
            step.end(Outcome::Cancelled);
            return true;
        }
        false
    }

    /// Finds what a node gives, or runs it; `false` as above.
    pub fn obtain(self: &Arc<Self>, round: &Arc<Round>, node: usize, room: &mut Room) -> bool {
        let before = self.stamps(node);
        let Some(key) = self.key(round, node) else {
            self.fail(round, node, self.unreadable(node));
            return true;
        };
        // Early cutoff: a giver ran, but gave what is known to lead to known results.
        if round.resolution.keys.get(node).is_none() && self.is_known(round, node, self.shared.lookup(&key)) {
            return true;
        }
        if self.memo.within.contains(&key) {
            let message = "it is evaluated within itself: its own result would have to be there first";
            let help = "give what it evaluates other inputs or parameters than its own";
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
        // Whoever led may have come to the end between this job's looking and now.
        if self.is_known(round, node, self.shared.lookup_now(&key)) {
            for follower in self.shared.running.finish(&lead) {
                // They look for themselves.
                follower(Err(NodeError::Cancelled));
            }
            return true;
        }
        self.admit(round, node, Work { key, before, lead }, room)
    }

    /// A cancel that came before this job's last entry in `running` did not reach that entry.
    fn leave_if_cancelled(&self) {
        if self.cancel.is_cancelled() {
            self.shared.running.leave(self.id);
        }
    }

    /// Ends a node whose outputs are known, when those that are read can be loaded. Whether it did.
    fn is_known(&self, round: &Round, node: usize, entry: Option<Entry>) -> bool {
        let Some(entry) = entry.filter(|entry| self.is_enough(round, node, entry)) else { return false };
        self.was_known(node, &entry);
        round.step(node).end_known(entry);
        self.pass_over(round, node);
        true
    }

    /// Lets go of what a node would have read, since it does not run: other readers may edit it in place.
    fn pass_over(&self, round: &Round, node: usize) {
        for wire in &self.graph.plan.wires[node] {
            let _unread = round.step(wire.node).read(wire.output);
        }
    }

    /// Tells of a node that need not run, with what it warned of when it ran.
    fn was_known(&self, node: usize, entry: &Entry) {
        self.emit(self.cached(node));
        self.show_known(node, entry);
    }

    fn cached(&self, node: usize) -> Event {
        Event::Cached { node: Arc::clone(&self.graph.plan.names[node]) }
    }

    fn show_known(&self, node: usize, entry: &Entry) {
        self.show(node, &entry.digests, None);
        for warning in &*entry.warnings {
            self.warn(Some(node), warning.clone());
        }
    }

    fn is_enough(&self, round: &Round, node: usize, entry: &Entry) -> bool {
        let digests = &entry.digests;
        let outputs = self.graph.graph.nodes[node].node().spec().outputs.len();
        let readers_run = !round.step(node).readers.is_empty();
        let wanted = |output: usize| {
            readers_run || self.targets.iter().any(|t| t.keep && t.node == node && t.output == output)
        };
        digests.len() == outputs
            && (0..outputs).all(|output| !wanted(output) || self.shared.available(&digests[output]))
    }

    pub fn failed_giver(&self, round: &Round, node: usize) -> Option<Arc<str>> {
        self.graph.plan.wires[node].iter().find_map(|wire| match round.step(wire.node).outcome() {
            Some(Outcome::Failed(_)) => Some(Arc::clone(&self.graph.plan.names[wire.node])),
            Some(Outcome::Skipped(because)) => Some(because),
            _ => None,
        })
    }

    pub fn fail(&self, round: &Round, node: usize, error: NodeError) {
        if error == NodeError::Cancelled {
            self.emit_cancelled(node);
            return round.step(node).end(Outcome::Cancelled);
        }
        self.emit(Event::Failed { node: Arc::clone(&self.graph.plan.names[node]), error: error.clone() });
        round.step(node).end(Outcome::Failed(error));
    }

    pub fn emit_cancelled(&self, node: usize) {
        self.emit(Event::Cancelled { node: Arc::clone(&self.graph.plan.names[node]) });
    }

    /// Runs a node and tells everyone who waits for the same key.
    pub fn lead(self: &Arc<Self>, round: &Arc<Round>, node: usize, work: &Work, room: &mut Room) {
        let Work { key, before, lead } = work;
        // It may have waited for memory until nobody wanted it any more.
        let bound =
            if lead.cancel.is_cancelled() { Err(NodeError::Cancelled) } else { self.bind(round, node, room) };
        let result = match bound {
            Ok(bound) => self.run((node, round.resolution.asked[node]), (bound, *key), &lead.cancel),
            Err(error) => Err(error),
        };
        let result = match result {
            Err(NodeError::Cancelled) => Err(NodeError::Cancelled),
            result if self.has_read(round, node, (key, before)) => result,
            _ => Err(self.changed(round, node)),
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
            Ok(made) => self.made(round, node, made, Outcome::Ran, time),
            Err(error) => self.fail(round, node, error.clone()),
        }
        for follower in followers {
            follower(result.clone());
        }
    }

    /// Another computation of the same key came to its end.
    pub fn followed(self: &Arc<Self>, round: &Arc<Round>, node: usize, result: Result<Made, NodeError>) {
        match &result {
            Ok(made) => {
                self.emit(Event::Cached { node: Arc::clone(&self.graph.plan.names[node]) });
                self.show(node, &made.entry.digests, Some(&made.values));
                for warning in &*made.entry.warnings {
                    self.warn(Some(node), warning.clone());
                }
                let bytes = made.values.iter().map(|v| v.heap_bytes() as u64).sum();
                round.step(node).end_made(made, Outcome::Cached, Duration::ZERO, bytes);
                self.pass_over(round, node);
            }
            Err(NodeError::Cancelled) if !self.cancel.is_cancelled() => {
                // Whoever led gave up between our looking and now; this job still wants the result.
                self.open(round, &[node]);
                return self.spawn(round, node);
            }
            Err(error) => self.fail(round, node, error.clone()),
        }
        if let Some(next) = self.completed(round, node) {
            self.spawn(round, next);
        }
    }

    /// After a node's end: sets off ready readers, all but the first, which the caller goes on with.
    pub fn completed(self: &Arc<Self>, round: &Arc<Round>, node: usize) -> Option<usize> {
        let readers = round.step(node).readers.iter().map(|&reader| reader as usize);
        let ready: Vec<usize> = readers.filter(|&reader| round.step(reader).ready()).collect();
        // Readers come before others that wait for memory: they give some back.
        self.open(round, &ready);
        self.close(round, node);
        for &reader in ready.iter().skip(1) {
            self.spawn(round, reader);
        }
        if round.remaining.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.finish(round);
        }
        ready.first().copied()
    }
}
