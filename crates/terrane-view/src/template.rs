//! Graphs that the page offers if the graph's file does not exist.

use std::path::PathBuf;

/// A graph to start from.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// Its name: letters.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Its picture as JPEG; may be empty.
    pub picture: &'static [u8],
}

impl Template {
    /// The text for a file of a name: comments name the file that they are in.
    #[must_use]
    pub fn text_for(&self, file: &str) -> String {
        self.text.replace(&format!("graphs/{}.ron", self.name), file)
    }
}

/// The file that a template is written to.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The file.
    pub file: PathBuf,
    /// The templates.
    pub templates: &'static [Template],
}

impl Start {
    /// Writes a template to the file, which must not exist; returns what the page is told.
    pub fn write(&self, name: &str) -> String {
        let Some(template) = self.templates.iter().find(|template| template.name == name) else {
            return format!("there is no template `{name}`");
        };
        let shown = self.file.file_name().unwrap_or_default().to_string_lossy();
        match crate::set_text::put(&self.file, None, &template.text_for(&shown)) {
            Ok(()) => format!("wrote {shown}"),
            Err(why) => format!("cannot write {shown}: {why}"),
        }
    }
}
