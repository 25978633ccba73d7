//! Writes `llms.txt`, which says what a language model should know to write graphs.

use std::io::Write as _;

use terrane_flow::NodeType;
use terrane_mcp::llms;

use crate::picture::Renderer;
use crate::{Result, root, say};

/// Writes the file, or compares it with the existing one.
pub fn llms(renderer: &Renderer, check: bool) -> Result<()> {
    let types = renderer.registry.nodes().map(NodeType::spec).chain(terrane::file_types());
    let text = llms::text(&types.collect::<Vec<_>>());
    let path = root().join("llms.txt");
    if !check {
        terrane_io::write_atomic(&path, false, |out| out.write_all(text.as_bytes()))?;
        say(&format!("{}: {} bytes", path.display(), text.len()));
    } else if std::fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
        return Err(format!("{} is stale: run `cargo xtask docs`", path.display()).into());
    }
    Ok(())
}
