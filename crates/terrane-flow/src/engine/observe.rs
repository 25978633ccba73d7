//! Evaluation for somebody who looks at what nodes give, and keeps little of it.

use std::sync::Arc;

use super::job::Job;
use super::observer::Observer;
use super::start::Engine;
use super::wanted::{Target, Wanted};
use crate::language::Loaded;
use crate::model::port::Reference;
use crate::report::Diagnostics;

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
        Ok(Job::start(&self.shared, graph, found.places.iter().map(target).collect(), Some(observer)))
    }
}
