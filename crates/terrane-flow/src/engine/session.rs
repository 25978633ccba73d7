//! Sessions: repeated evaluation of a changing graph.

use std::sync::Arc;

use terrane_syntax::Problem;

use super::handle::Engine;
use super::job::Job;
use super::located::LocatedOutputs;
use super::memo::Memo;
use super::observer::{Observer, Showing};
use super::wanted::{Target, Wanted};
use crate::language::Loaded;
use crate::model::lock::lock;
use crate::model::node_key::Key;
use crate::model::port::Reference;
use crate::report::{Diagnostic, Diagnostics};

/// Repeated evaluation of a graph that changes, as in an editor. A session keeps what the last evaluation
/// knew about each node, so the next evaluation checks only nodes that may have changed. Several sessions of
/// one engine are independent.
///
/// Cheap to clone; clones share their state.
#[derive(Clone)]
pub struct Session {
    engine: Engine,
    memo: Arc<Memo>,
}

impl Session {
    pub(super) fn new(engine: Engine) -> Self {
        Self { engine, memo: Arc::default() }
    }

    /// Declares that the running nodes with these keys wait for this session's evaluations. If a node in
    /// these evaluations has one of the keys, it fails instead of waiting forever. A running node finds its
    /// keys with [`Context::keys`](crate::Context::keys).
    #[must_use]
    pub fn within(self, keys: Vec<Key>) -> Self {
        Self { memo: Arc::new(Memo { within: keys, ..Memo::default() }), ..self }
    }

    /// The engine.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Starts evaluating a checked graph.
    ///
    /// # Errors
    /// If a wanted output is not in the graph.
    pub fn start(
        &self,
        graph: &Arc<Loaded>,
        wanted: impl IntoIterator<Item = Wanted>,
    ) -> Result<Job, Diagnostics> {
        self.start_for(graph, wanted, None)
    }

    /// Starts evaluating a checked graph, and passes the outputs of each node to an observer as soon as they
    /// are computed. Nodes that run together with their readers have no values. Wanted values are also held
    /// until the end.
    ///
    /// # Errors
    /// If a wanted output is not in the graph.
    pub fn start_shown(
        &self,
        graph: &Arc<Loaded>,
        wanted: impl IntoIterator<Item = Wanted>,
        observer: Observer,
    ) -> Result<Job, Diagnostics> {
        self.start_for(graph, wanted, Some(Showing::Made(observer)))
    }

    fn start_for(
        &self,
        graph: &Arc<Loaded>,
        wanted: impl IntoIterator<Item = Wanted>,
        observer: Option<Showing>,
    ) -> Result<Job, Diagnostics> {
        let wanted: Vec<Wanted> = wanted.into_iter().collect();
        let found = self.find(graph, &wanted)?;
        let targets = wanted.iter().zip(&*found.places);
        let target =
            |(wanted, &(node, output)): (&Wanted, _)| Target { node, output, have: wanted.have, keep: true };
        Ok(Job::start(&self.engine.shared, &self.memo, graph, targets.map(target).collect(), observer))
    }

    /// Starts evaluating a checked graph for an observer, which sees the values of all nodes. The final
    /// evaluation has identities but no values.
    /// Each value is released when its dependents are done, so observing every node takes no more memory than
    /// running the graph.
    ///
    /// # Errors
    /// If a wanted output is not in the graph.
    pub fn observe(
        &self,
        graph: &Arc<Loaded>,
        wanted: impl IntoIterator<Item = Reference>,
        observer: Observer,
    ) -> Result<Job, Diagnostics> {
        let wanted: Vec<Wanted> = wanted.into_iter().map(Wanted::from).collect();
        let found = self.find(graph, &wanted)?;
        let target = |&(node, output): &(usize, usize)| Target { node, output, have: None, keep: false };
        let targets = found.places.iter().map(target).collect();
        Ok(Job::start(&self.engine.shared, &self.memo, graph, targets, Some(Showing::All(observer))))
    }

    /// The positions of wanted outputs. A repeated request for the same plan skips the search.
    fn find(&self, graph: &Loaded, wanted: &[Wanted]) -> Result<Arc<LocatedOutputs>, Diagnostics> {
        let last = lock(&self.memo.located).clone();
        if let Some(last) = last.filter(|last| last.answers(&graph.plan, wanted)) {
            return Ok(last);
        }
        let (mut places, mut errors) = (Vec::with_capacity(wanted.len()), Vec::new());
        for wanted in wanted {
            match graph.graph.find(&wanted.output) {
                Ok(place) => places.push(place),
                Err(Problem { message, help }) => {
                    errors.push(Diagnostic::nowhere(message, help).coded("unknown-reference"));
                }
            }
        }
        Diagnostics(errors).into_result()?;
        let asked = wanted.iter().map(|wanted| wanted.output.clone()).collect();
        let found = Arc::new(LocatedOutputs { plan: Arc::clone(&graph.plan), asked, places });
        *lock(&self.memo.located) = Some(Arc::clone(&found));
        Ok(found)
    }
}
