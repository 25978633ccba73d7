//! Evaluation for somebody who looks at what nodes give, and keeps little of it.

use std::sync::Arc;

use super::job::JobState;
use super::{Engine, Job, Target, Wanted};
use crate::load::Loaded;
use crate::port::Reference;
use crate::report::Diagnostics;
use crate::value::{Digest, Value};

/// What a node gave.
#[derive(Debug)]
pub struct Seen<'a> {
    /// The node.
    pub node: &'a Arc<str>,
    /// Content of each output.
    pub digests: &'a [Digest],
    /// The outputs; `None` where they were known already and nobody loaded them.
    pub values: Option<&'a [Value]>,
}

/// Is shown what nodes give, on the engine's threads, before their readers run. It should be quick, and let values go.
pub type Observer = Arc<dyn Fn(&Seen<'_>) + Send + Sync>;

impl Engine {
    /// Starts evaluating a checked graph for an observer. The evaluation at the end holds digests but no values: each
    /// value is let go of once its readers are done, so that a look at every node of a graph takes no more memory than
    /// running it.
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
        Ok(JobState::start(&self.shared, graph, found.places.iter().map(target).collect(), Some(observer)))
    }
}
