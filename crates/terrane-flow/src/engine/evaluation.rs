//! The result of an evaluation.

use std::sync::Arc;

use super::event::{NodeTiming, Outcome};
use crate::model::port::{Output, Reference};
use crate::model::value::{Data, Value};
use crate::model::value_id::ValueId;

/// The result of an evaluation.
#[derive(Debug)]
pub struct Evaluation {
    /// One item per wanted output, in the requested order.
    pub outputs: Vec<Evaluated>,
    /// One item per needed node, in the order of the plan.
    pub nodes: Vec<NodeTiming>,
    /// Warnings for the author of the graph.
    pub warnings: Vec<String>,
}

/// A wanted output with its result.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The output.
    pub output: Reference,
    /// The identity of its value; `None` if the value could not be computed.
    pub id: Option<ValueId>,
    /// The value; `None` if it could not be computed, if the caller already has it, or if values are not
    /// kept.
    pub value: Option<Value>,
}

impl Evaluation {
    /// Whether every needed node was cached or ran.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.nodes.iter().all(|node| matches!(node.outcome, Outcome::Cached | Outcome::Ran))
    }

    /// The nodes that ran, in the order of the plan.
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
