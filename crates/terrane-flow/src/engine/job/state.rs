//! The state of one evaluation. Nodes run as soon as their inputs are ready.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::foreign_queue::ForeignQueue;
use crate::engine::event::Event;
use crate::engine::memo::Memo;
use crate::engine::observer::{Seen, Showing};
use crate::engine::resolve;
use crate::engine::round::Round;
use crate::engine::shared::Shared;
use crate::engine::wanted::Target;
use crate::language::Loaded;
use crate::model::context::Cancel;
use crate::model::key::GraphHashes;
use crate::model::lock::lock;
use crate::model::node_key::Key;
use crate::model::value::Value;
use crate::model::value_id::ValueId;

/// The state of one evaluation.
pub struct JobState {
    pub id: u64,
    pub shared: Arc<Shared>,
    pub memo: Arc<Memo>,
    pub graph: Arc<Loaded>,
    pub targets: Vec<Target>,
    pub showing: Option<Showing>,
    pub graph_hashes: GraphHashes,
    pub cancel: Cancel,
    /// `None` after the job has ended. This closes the channel.
    pub events: Mutex<Option<Sender<Event>>>,
    pub warnings: Mutex<Vec<String>>,
    pub done: Sender<()>,
    pub round: Mutex<Option<Arc<Round>>>,
    /// The queue of foreign nodes.
    pub foreign: ForeignQueue<(Arc<Round>, usize)>,
    /// How often a file changed while a node read it.
    pub changes: AtomicU32,
}

impl JobState {
    /// A job that has not begun, with two channels for its owner: one for events, and one for the end of the
    /// job.
    pub fn new(
        (shared, memo): (&Arc<Shared>, &Arc<Memo>),
        graph: &Arc<Loaded>,
        targets: Vec<Target>,
        showing: Option<Showing>,
    ) -> (Arc<Self>, Receiver<Event>, Receiver<()>) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let (events_in, events) = unbounded();
        let (done_in, done): (_, Receiver<()>) = unbounded();
        let state = Arc::new(Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            shared: Arc::clone(shared),
            memo: Arc::clone(memo),
            graph_hashes: GraphHashes::new(&*graph.graph.header, graph.graph.seed),
            graph: Arc::clone(graph),
            targets,
            showing,
            cancel: Cancel::new(),
            events: Mutex::new(Some(events_in)),
            warnings: Mutex::new(Vec::new()),
            done: done_in,
            round: Mutex::new(None),
            foreign: ForeignQueue::default(),
            changes: AtomicU32::new(0),
        });
        (state, events, done)
    }

    pub fn emit(&self, event: Event) {
        self.emit_all(std::iter::once(event));
    }

    /// Sends several events under one lock.
    pub fn emit_all(&self, all: impl Iterator<Item = Event>) {
        if let Some(events) = &*lock(&self.events) {
            for event in all {
                // The receiver may be gone.
                let _unheard = events.send(event);
            }
        }
    }

    pub fn show(&self, node: usize, ids: &[ValueId], values: Option<&[Value]>) {
        if let Some(showing) = &self.showing {
            showing.observer()(&Seen { node: &self.graph.plan.names[node], ids, values });
        }
    }

    pub fn warn(&self, node: Option<usize>, message: String) {
        let node = node.map(|node| Arc::clone(&self.graph.plan.names[node]));
        let text = node.as_ref().map_or_else(|| message.clone(), |node| format!("{node}: {message}"));
        lock(&self.warnings).push(text);
        self.emit(Event::Warning { node, message });
    }

    pub fn cancel(&self) {
        self.cancel.cancel();
        self.shared.running.leave(self.id);
        // Cancelled nodes that wait for memory can end now.
        self.shared.budget.reconsider();
    }

    pub fn key(&self, round: &Round, node: usize) -> Option<Key> {
        self.key_in_fusion(round, node, &[])
    }

    /// The key of a node, and before it the keys of the other nodes of the fusion that ends in it, with their
    /// positions.
    pub fn keys(&self, round: &Round, node: usize) -> Option<(Vec<(usize, Key)>, Key)> {
        let mut inner = Vec::new();
        for &member in round.fusions.inner(node) {
            let key = self.key_in_fusion(round, member, &inner)?;
            inner.push((member, key));
        }
        let key = self.key_in_fusion(round, node, &inner)?;
        Some((inner, key))
    }

    /// The key of a node. The keys of `inner` nodes of its fusion suffice as the identities of their values.
    pub fn key_in_fusion(&self, round: &Round, node: usize, inner: &[(usize, Key)]) -> Option<Key> {
        let id = |upstream: usize, output: usize| {
            let member = inner.iter().find(|(member, _)| *member == upstream);
            let by_key = member.map(|(_, key)| ValueId::of_cheap_output(key, output));
            by_key.or_else(|| round.id(upstream, output))
        };
        let asked = round.resolution.asked[node];
        resolve::key_of(&self.shared, &self.graph, &self.graph_hashes, (node, asked), id)
    }
}
