//! Changing a graph that was read.

use std::sync::Arc;

use super::loaded::Loaded;
use crate::model::graph::GraphNode;
use crate::model::node::Node;
use crate::model::plan::Plan;
use crate::report::{Diagnostic, Diagnostics};

impl Loaded {
    /// Puts another node in the place of one, as when a parameter is changed by hand. Where its wires are the
    /// old one's, the plan stays as it is, and the next evaluation looks only at what depends on the node.
    ///
    /// # Errors
    /// When there is no such node, or its wires do not fit the graph, which is then left as it was.
    pub fn replace(&mut self, name: &str, node: Box<dyn Node>) -> Result<(), Diagnostics> {
        let Some(place) = self.graph.nodes.get_mut(name) else {
            let help = "a node is replaced under its own name".to_owned();
            return Err(Diagnostics(vec![Diagnostic::nowhere(format!("there is no node `{name}`"), help)]));
        };
        let same_wires = std::ptr::eq(place.node().spec(), node.spec())
            && (0..node.spec().inputs.len())
                .all(|index| place.node().port(index).source().wire() == node.port(index).source().wire());
        if same_wires {
            place.replace(node);
            return Ok(());
        }
        // A place in the text tells of the old node's ports.
        let former = std::mem::replace(place, GraphNode::new(node, None));
        match Plan::new(&self.graph) {
            Ok(plan) => {
                self.plan = Arc::new(plan);
                Ok(())
            }
            Err(errors) => {
                self.graph.nodes[name] = former;
                Err(errors)
            }
        }
    }
}
