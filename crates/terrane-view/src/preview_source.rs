//! The file that a preview shows.

use std::path::PathBuf;

/// The world file and the title of a preview, if it does not show a graph file directly.
#[derive(Clone, Debug, Default)]
pub struct PreviewSource {
    /// The world file that names the graph. It is never written; graphs are written only below its folder.
    pub world: Option<PathBuf>,
    /// The page's title. Default: the name of the graph's file.
    pub title: Option<String>,
}

impl PreviewSource {
    /// A part of a world, such as a patch.
    pub fn part(world: PathBuf, part: &str) -> Self {
        let name = world.file_name().unwrap_or_default().to_string_lossy();
        Self { title: Some(format!("{name}, {part}")), world: Some(world) }
    }
}
