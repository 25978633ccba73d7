//! Changes of a loaded graph.

use std::sync::Arc;

use super::loaded::Loaded;
use crate::model::graph::GraphNode;
use crate::model::node::Node;
use crate::model::plan::Plan;
use crate::report::{Diagnostic, Diagnostics};

impl Loaded {
    /// Replaces a node, for example to change a parameter. If the new node has the same wires, the plan is
    /// kept. The next evaluation then checks only the nodes that depend on the new one.
    ///
    /// # Errors
    /// If there is no such node, or if the wires of the new node do not fit the graph. The graph is then
    /// unchanged.
    pub fn replace(&mut self, name: &str, node: Box<dyn Node>) -> Result<(), Diagnostics> {
        let Some(place) = self.graph.nodes.get_mut(name) else {
            let help = "give the name of a node in the graph".to_owned();
            return Err(Diagnostics(vec![Diagnostic::nowhere(format!("there is no node `{name}`"), help)]));
        };
        let same_wires = std::ptr::eq(place.node().spec(), node.spec())
            && (0..node.spec().inputs.len())
                .all(|index| place.node().port(index).source().wire() == node.port(index).source().wire());
        if same_wires {
            place.replace(node);
            return Ok(());
        }
        // The location describes the ports of the old node, so it is dropped.
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
