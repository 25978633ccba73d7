//! Foreign nodes. They run outside the engine's worker threads, because they may wait for evaluations that
//! need these threads.

use std::sync::Arc;
use std::{io, thread};

use super::admit::Work;
use super::state::JobState;
use crate::engine::budget::Room;
use crate::engine::round::Round;
use crate::model::error::NodeError;

/// The maximum number of threads for the foreign nodes of a job.
const MAX_THREADS: usize = 64;

impl JobState {
    pub fn is_foreign(&self, node: usize) -> bool {
        self.graph.graph.nodes[node].node().is_foreign()
    }

    /// Queues a node for the threads that run foreign nodes. There are at most as many of these threads as
    /// worker threads.
    ///
    /// A queued node has no lead on its key yet, and no rank in the budget. Otherwise a running foreign node
    /// could wait forever: for the result that the queued node leads, or for memory that is kept free for the
    /// queued node.
    pub fn queue_foreign(self: &Arc<Self>, round: &Arc<Round>, node: usize) {
        self.close(round, node);
        let is_needed = self.foreign.push((Arc::clone(round), node), self.shared.threads.min(MAX_THREADS));
        if is_needed && let Err(error) = self.start_thread() {
            for (round, node) in self.foreign.not_started() {
                let message = format!("cannot start a thread for the node: {error}");
                let help = "close other programs, or raise the limit on threads";
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
            let mut room = self.shared.budget.empty_for_foreign();
            if self.ends_without_running(&round, node) || self.obtain(&round, node, &mut room) {
                self.continue_elsewhere(&round, node, room.seated());
            }
        }
    }

    /// Runs a foreign node on this thread. If `need` states a number of bytes, they are reserved first, and
    /// held while the node runs. The node has no seat, since the nodes that it waits for may need one.
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
        // The foreign node may wait for other nodes, so it must not have priority over them.
        self.close(round, node);
        self.lead(round, node, work, room);
    }

    /// Continues after a foreign node's end: queues foreign dependents, and runs others on workers.
    fn continue_elsewhere(self: &Arc<Self>, round: &Arc<Round>, node: usize, room: Room) {
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
