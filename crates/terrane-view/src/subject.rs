//! What a preview is of.

use std::path::PathBuf;

/// What a preview is of, beside the graph that is read.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The file that names the graph, where it is none itself, such as a world's: it is never written, and of
    /// graphs those below its folder are.
    pub world: Option<PathBuf>,
    /// What pages call it; without, the name of the graph's file.
    pub title: Option<String>,
}

impl Subject {
    /// A part of what a file describes.
    pub fn part(world: PathBuf, part: &str) -> Self {
        let name = world.file_name().unwrap_or_default().to_string_lossy();
        Self { title: Some(format!("{name}, {part}")), world: Some(world) }
    }
}
