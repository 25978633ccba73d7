//! Edits of texts.

use crate::language::{GraphText, RewriteError};

/// A graph's text after an edit.
///
/// # Errors
/// If the text is not a valid graph, and the error of the edit.
pub fn edited(
    text: &str,
    edit: impl FnOnce(&mut GraphText) -> Result<(), RewriteError>,
) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    edit(&mut graph)?;
    Ok(graph.into_text())
}
