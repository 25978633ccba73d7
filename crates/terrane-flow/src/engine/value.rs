//! One value of a graph, for programs that need no events and no other outputs.

use std::sync::Arc;

use super::evaluation::Evaluation;
use super::event::Outcome;
use super::handle::Engine;
use super::wanted::Wanted;
use crate::language::Loaded;
use crate::model::error::NodeError;
use crate::model::graph::Graph;
use crate::model::port::Output;
use crate::model::value::{Data, Value};
use crate::report::Diagnostics;

/// Why there is no value.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum NoValue {
    /// The graph has mistakes, or lacks the output.
    #[error("{0}")]
    Graph(#[from] Diagnostics),
    /// A node failed.
    #[error("`{node}` failed: {error}")]
    Failed {
        /// The node's name.
        node: Arc<str>,
        /// Its error.
        error: NodeError,
    },
    /// The evaluation was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The output has a value of another kind.
    #[error("the output is a {found}, not a {wanted}")]
    Kind {
        /// The kind of the output.
        found: &'static str,
        /// The kind that the caller asked for.
        wanted: &'static str,
    },
}

impl Engine {
    /// Evaluates one output of a graph built in code.
    ///
    /// # Errors
    /// [`NoValue`].
    pub fn value<T: Data>(&self, graph: &Graph, output: &Output<T>) -> Result<Arc<T>, NoValue> {
        typed(self.evaluate(graph, [output.into()])?)
    }

    /// Evaluates one output of a loaded graph, by its name: `"node"` or `"node.output"`.
    ///
    /// # Errors
    /// [`NoValue`].
    pub fn value_of<T: Data>(&self, graph: &Arc<Loaded>, output: &str) -> Result<Arc<T>, NoValue> {
        typed(self.start(graph, [Wanted::from(output)])?.wait())
    }
}

/// The only value of an evaluation.
fn typed<T: Data>(evaluation: Evaluation) -> Result<Arc<T>, NoValue> {
    let value: Option<Value> = evaluation.outputs.into_iter().find_map(|output| output.value);
    let Some(value) = value else {
        let failed = evaluation.nodes.into_iter().find_map(|node| match node.outcome {
            Outcome::Failed(error) => Some(NoValue::Failed { node: node.node, error }),
            _ => None,
        });
        return Err(failed.unwrap_or(NoValue::Cancelled));
    };
    let found = value.kind().name;
    value.downcast().ok_or(NoValue::Kind { found, wanted: T::KIND })
}
