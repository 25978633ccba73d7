//! Nodes that run on no worker of the engine's: they may wait for evaluations, which need the workers.

use std::sync::Arc;
use std::{io, thread};

use super::admit::Work;
use super::state::JobState;
use crate::engine::budget::Room;
use crate::engine::round::Round;
use crate::model::error::NodeError;

/// Threads at most for the foreign nodes of a job, however many run other nodes.
const MOST: usize = 64;

impl JobState {
    pub fn is_foreign(&self, node: usize) -> bool {
        self.graph.graph.nodes[node].node().is_foreign()
    }

    /// Lets a thread for foreign nodes run one more, when its turn comes: as many run at once as there are
    /// workers. Until then it has neither its key nor a place before others, since a node that runs may wait
    /// for what needs them.
    pub fn queue_foreign(self: &Arc<Self>, round: &Arc<Round>, node: usize) {
        self.close(round, node);
        let is_needed = self.foreign.push((Arc::clone(round), node), self.shared.threads.min(MOST));
        if is_needed && let Err(error) = self.start_thread() {
            for (round, node) in self.foreign.not_started() {
                let message = format!("no thread can be started for it: {error}");
                let help = "end other programs, or allow this one more threads";
                self.fail(&round, node, NodeError::failed(message, help));
                if let Some(next) = self.completed(&round, node) {
                    self.spawn(&round, next);
                }
            }
        }
    }

    fn start_thread(self: &Arc<Self>) -> io::Result<()> {
        let state = Arc::clone(self);
        let builder = thread::Builder::new().name("terrane-foreign".to_owned()).stack_size(8 << 20);
        builder.spawn(move || state.run_foreign()).map(drop)
    }

    fn run_foreign(self: &Arc<Self>) {
        while let Some((round, node)) = self.foreign.next() {
            self.open(&round, &[node]);
            let mut room = self.shared.budget.nothing_beside();
            if self.ends_unrun(&round, node) || self.obtain(&round, node, &mut room) {
                self.go_on_elsewhere(&round, node, room.seated());
            }
        }
    }

    /// Runs a foreign node on this thread, once there are the bytes that it needs, where they are worth
    /// counting. It keeps them while it runs, but has no seat: what it waits for may need one.
    pub fn lead_foreign(
        self: &Arc<Self>,
        round: &Arc<Round>,
        node: usize,
        work: &Work,
        (room, need): (&mut Room, Option<u64>),
    ) {
        if let Some(need) = need {
            let wish = (self.rank(round, node), need);
            self.shared.budget.enlarge_here(room, wish, &work.lead.cancel);
        }
        // It may wait for others, so nobody waits for its end.
        self.close(round, node);
        self.lead(round, node, work, room);
    }

    /// Goes on after a foreign node's end: with readers that are foreign too in their turn, with others on
    /// workers.
    fn go_on_elsewhere(self: &Arc<Self>, round: &Arc<Round>, node: usize, room: Room) {
        match self.completed(round, node) {
            Some(next) if self.is_foreign(next) => self.queue_foreign(round, next),
            Some(next) => self.spawn_in(round, next, room),
            None => drop(room),
        }
        if self.shared.store.is_full() {
            self.shared.store.help();
        }
    }
}
