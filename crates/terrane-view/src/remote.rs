//! What a program can ask of a running preview, such as an editor that shows a node in it.

use crate::shared_state::SharedState;

/// A handle to a running preview. Cheap to clone.
#[derive(Clone)]
pub struct Remote {
    pub(crate) shared: SharedState,
}

impl Remote {
    /// Selects a node in all pages.
    ///
    /// # Errors
    /// If the graph has no such node.
    pub fn show(&self, node: &str) -> Result<(), String> {
        if !self.shared.has_node(node) {
            return Err(format!("the graph has no node `{node}`"));
        }
        self.shared.change(|state| state.show(node));
        Ok(())
    }
}
