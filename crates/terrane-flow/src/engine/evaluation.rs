//! What an evaluation gave.

use std::sync::Arc;

use super::event::{NodeTiming, Outcome};
use crate::model::port::{Output, Reference};
use crate::model::value::{Data, Digest, Value};

/// What an evaluation gave.
#[derive(Debug)]
pub struct Evaluation {
    /// Per wanted output, in order of asking: its content, and the value unless the asker had it.
    pub outputs: Vec<Evaluated>,
    /// Per needed node, in order of the plan: what became of it.
    pub nodes: Vec<NodeTiming>,
    /// What the author should know.
    pub warnings: Vec<String>,
}

/// A wanted output, evaluated.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// Which.
    pub output: Reference,
    /// Its content; `None` when it could not be had.
    pub digest: Option<Digest>,
    /// The value; `None` when it could not be had, or the asker has that content.
    pub value: Option<Value>,
}

impl Evaluation {
    /// Whether every node was cached or ran.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.nodes.iter().all(|node| matches!(node.outcome, Outcome::Cached | Outcome::Ran))
    }

    /// The nodes that ran, in order of the plan.
    #[must_use]
    pub fn ran(&self) -> Vec<&str> {
        self.nodes.iter().filter(|node| node.outcome == Outcome::Ran).map(|node| &*node.node).collect()
    }

    /// The value of a wanted output.
    #[must_use]
    pub fn get<T: Data>(&self, output: &Output<T>) -> Option<Arc<T>> {
        let reference = output.reference();
        self.outputs.iter().find(|o| &o.output == reference)?.value.clone()?.downcast()
    }
}
