//! The folder of a server: the only place where files are read and written.

use std::fs;
use std::path::{Component, Path, PathBuf};

use terrane_io::check_links_below;
use terrane_runs::Problem;

use crate::refusal::Refusal;

/// A folder, without links in its path.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder at a path.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn new(path: &Path) -> Result<Self, Problem> {
        let refused = |why: String| {
            Problem::new(format!("{}: {why}", path.display()), "name an existing folder with --folder")
        };
        let root = fs::canonicalize(path).map_err(|error| refused(error.to_string()))?;
        if !root.is_dir() {
            return Err(refused("it is not a folder".to_owned()));
        }
        Ok(Self { root })
    }

    /// The absolute path of the folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A text in which paths are relative to the folder.
    #[must_use]
    pub fn shown(&self, text: &str) -> String {
        let root = self.root.display().to_string();
        text.replace(&format!("{root}{}", std::path::MAIN_SEPARATOR), "").replace(&root, ".")
    }

    /// The path relative to the folder.
    #[must_use]
    pub fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    /// The path of an existing regular file.
    ///
    /// # Errors
    /// If it is not below the folder, does not exist, or is not a regular file.
    pub fn existing(&self, given: &str) -> Result<PathBuf, Refusal> {
        let path = self.below(given)?;
        let real = fs::canonicalize(&path).map_err(|error| {
            Refusal::new(format!("cannot read `{given}`: {error}"), "name a file below the server's folder")
                .at("path")
        })?;
        if !real.starts_with(&self.root) {
            return Err(outside(given, "a link leads out of the folder"));
        }
        if !real.is_file() {
            let wrong = Refusal::new(format!("`{given}` is not a regular file"), "name a file");
            return Err(wrong.at("path"));
        }
        Ok(real)
    }

    /// The path of a file or folder that is to be written. It need not exist.
    ///
    /// # Errors
    /// If it is not below the folder.
    pub fn writable(&self, given: &str) -> Result<PathBuf, Refusal> {
        let path = self.below(given)?;
        let below = path.strip_prefix(&self.root).unwrap_or(&path);
        check_links_below(&self.root, below).map_err(|found| outside(given, &found.to_string()))?;
        Ok(path)
    }

    /// The path below the folder, by its text alone.
    fn below(&self, given: &str) -> Result<PathBuf, Refusal> {
        if given.is_empty() || given.contains('\0') {
            return Err(Refusal::new("no file is named", "give a path below the server's folder").at("path"));
        }
        let path = Path::new(given);
        let relative = match path.strip_prefix(&self.root) {
            Ok(relative) => relative,
            Err(_) if path.is_absolute() || path.has_root() => return Err(outside(given, "it is absolute")),
            Err(_) => path,
        };
        let mut joined = self.root.clone();
        for part in relative.components() {
            match part {
                Component::Normal(part) => joined.push(part),
                Component::CurDir => {}
                _ => return Err(outside(given, "it has `..`")),
            }
        }
        Ok(joined)
    }
}

fn outside(given: &str, why: &str) -> Refusal {
    Refusal::new(format!("`{given}` is not below the server's folder: {why}"), "name a file below the folder")
        .at("path")
        .expected("a path relative to the folder, without `..` and without links that lead out", given)
}
