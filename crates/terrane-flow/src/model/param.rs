//! Files as parameters, and the text of parameters.

use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
pub use terrane_param::{ChoiceSpec, Param, RecordField, RecordSpec, Shape};
use terrane_syntax::{Literally, Tree, read};

use crate::model::files::{Disk, Files};

/// Reads a value from text in the form that [`canonical`] writes. Returns `None` if the text has another
/// type. Parameters in the text are not resolved.
#[must_use]
pub fn read_value<T: DeserializeOwned>(text: &str) -> Option<T> {
    let tree = Tree::parse(text);
    let value = tree.value().filter(|_| tree.mistakes().is_empty())?;
    read(value, &Literally).ok()
}

/// The value as canonical RON, whatever form it was written in. This text is part of the node's key. Node
/// pages show defaults in this form.
#[must_use]
pub fn canonical<T: Serialize>(value: &T) -> String {
    // Parameters are plain data: numbers, text, lists and names, all of which RON can write.
    ron::to_string(value).unwrap_or_else(|error| unreachable!("a parameter that RON cannot write: {error}"))
}

/// A file that a node reads, written as a path relative to the graph's file.
///
/// The loader resolves it and rejects paths that lead outside the graph's folder. The file's content is part
/// of the node's key, so saving a file without changing it recomputes nothing. The file is also watched for
/// changes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FilePath {
    given: String,
    #[serde(skip)]
    resolved: Option<(PathBuf, Arc<dyn Files>)>,
}

impl FilePath {
    /// A path as written in a graph.
    #[must_use]
    pub fn new(given: impl Into<String>) -> Self {
        Self { given: given.into(), resolved: None }
    }

    /// The path as written in the graph.
    #[must_use]
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The path to open: as resolved by the loader, or otherwise as written.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.resolved.as_ref().map_or_else(|| PathBuf::from(&self.given), |(path, _)| path.clone())
    }

    /// The source to read it from: as set by the loader, or otherwise the disk.
    #[must_use]
    pub fn files(&self) -> &dyn Files {
        self.resolved.as_ref().map_or(&Disk, |(_, files)| &**files)
    }

    /// Calls `visit` with every file that a parameter names. The loader resolves these files, and the engine
    /// hashes their content into the key.
    pub fn each_in(parameter: &mut impl Param, visit: &mut dyn FnMut(&mut Self)) {
        parameter.files(&mut |file| {
            if let Some(file) = file.downcast_mut() {
                visit(file);
            }
        });
    }

    /// Sets the actual location of the file.
    pub fn resolve(&mut self, path: PathBuf, files: Arc<dyn Files>) {
        self.resolved = Some((path, files));
    }
}

/// Two paths are equal if they are written the same and lead to the same path.
impl PartialEq for FilePath {
    fn eq(&self, other: &Self) -> bool {
        self.given == other.given && self.path() == other.path()
    }
}

impl Eq for FilePath {}

impl Param for FilePath {
    fn shape() -> Shape {
        Shape::File
    }
    fn files(&mut self, visit: &mut dyn FnMut(&mut dyn Any)) {
        visit(self);
    }
}
