//! A graph that is evaluated again and again.

use std::sync::Arc;

use terrane_syntax::Problem;

use super::handle::Engine;
use super::job::Job;
use super::lock::lock;
use super::memo::Memo;
use super::observer::Observer;
use super::placed::Placed;
use super::wanted::{Target, Wanted};
use crate::language::Loaded;
use crate::model::node_key::Key;
use crate::model::port::Reference;
use crate::report::{Diagnostic, Diagnostics};

/// A graph that is evaluated again and again while it changes, as in an editor. A session remembers what the
/// last evaluation knew of each node, so that the next one looks only at what changed. Several sessions of
/// one engine do not disturb each other.
///
/// Cheap to clone; clones share what is remembered.
#[derive(Clone)]
pub struct Session {
    engine: Engine,
    memo: Arc<Memo>,
}

impl Session {
    pub(super) fn new(engine: Engine) -> Self {
        Self { engine, memo: Arc::default() }
    }

    /// The same, for evaluations that nodes wait for which run under these keys
    /// ([`Context::keys`](crate::Context::keys)): what would wait for one of them in turn fails, rather than
    /// for ever.
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
    /// When something wanted is not in the graph.
    pub fn start(
        &self,
        graph: &Arc<Loaded>,
        wanted: impl IntoIterator<Item = Wanted>,
    ) -> Result<Job, Diagnostics> {
        self.start_for(graph, wanted, None)
    }

    /// Starts evaluating a checked graph, and shows an observer what each node gives as soon as it does.
    /// Values that are wanted are also held to the end.
    ///
    /// # Errors
    /// When something wanted is not in the graph.
    pub fn start_shown(
        &self,
        graph: &Arc<Loaded>,
        wanted: impl IntoIterator<Item = Wanted>,
        observer: Observer,
    ) -> Result<Job, Diagnostics> {
        self.start_for(graph, wanted, Some(observer))
    }

    fn start_for(
        &self,
        graph: &Arc<Loaded>,
        wanted: impl IntoIterator<Item = Wanted>,
        observer: Option<Observer>,
    ) -> Result<Job, Diagnostics> {
        let wanted: Vec<Wanted> = wanted.into_iter().collect();
        let found = self.find(graph, &wanted)?;
        let targets = wanted.iter().zip(&*found.places);
        let target =
            |(wanted, &(node, output)): (&Wanted, _)| Target { node, output, have: wanted.have, keep: true };
        Ok(Job::start(&self.engine.shared, &self.memo, graph, targets.map(target).collect(), observer))
    }

    /// Starts evaluating a checked graph for an observer. The evaluation at the end holds digests but no
    /// values: each value is let go of once its readers are done, so that a look at every node of a graph
    /// takes no more memory than running it.
    ///
    /// # Errors
    /// When something wanted is not in the graph.
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
        Ok(Job::start(&self.engine.shared, &self.memo, graph, targets, Some(observer)))
    }

    /// Where wanted outputs are. Whoever asks for the same of the same plan again is spared the search.
    fn find(&self, graph: &Loaded, wanted: &[Wanted]) -> Result<Arc<Placed>, Diagnostics> {
        let last = lock(&self.memo.placed).clone();
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
        let found = Arc::new(Placed { plan: Arc::clone(&graph.plan), asked, places });
        *lock(&self.memo.placed) = Some(Arc::clone(&found));
        Ok(found)
    }
}
