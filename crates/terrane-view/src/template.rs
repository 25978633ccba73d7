//! Graphs that the page offers if the graph's file does not exist.

use std::path::PathBuf;

use crate::draft::WrittenFile;
use crate::set_text::put;

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
    /// Writes a template to the file, which must not exist; returns what was written.
    ///
    /// # Errors
    /// Why nothing was written.
    pub fn write(&self, name: &str) -> Result<WrittenFile, String> {
        let template = self.templates.iter().find(|template| template.name == name);
        let template = template.ok_or_else(|| format!("there is no template `{name}`"))?;
        let shown = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let after = template.text_for(&shown);
        put(&self.file, None, &after).map_err(|why| format!("cannot write {shown}: {why}"))?;
        Ok(WrittenFile { path: self.file.as_path().into(), shown, before: None, after })
    }
}
