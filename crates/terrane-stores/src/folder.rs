//! Objects as files in a folder.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use terrane_flow::syntax::Problem;
use terrane_io::{IoError, LeadsOut, check_links, create_atomic, read_regular, write_atomic};

use crate::objects::Objects;

/// A folder, on this machine or shared between machines.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A folder that is created with the first object.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The path at which to write an object. Links are rejected, because they would lead out of the store.
    fn own_path(&self, name: &str) -> Result<PathBuf, Problem> {
        let mut path = self.0.clone();
        check_links(&path).map_err(|found| Problem::new(found.to_string(), LeadsOut::REMEDY))?;
        for part in name.split('/').filter(|part| !part.is_empty()) {
            path.push(part);
            if path.is_symlink() {
                let message = format!("{} is a link, which leads out of the store", path.display());
                return Err(Problem::new(message, "remove it, and run again"));
            }
        }
        Ok(path)
    }

    /// The path of an object.
    fn path(&self, name: &str) -> PathBuf {
        name.split('/').filter(|part| !part.is_empty()).fold(self.0.clone(), |path, part| path.join(part))
    }
}

fn problem(path: &Path, error: &dyn std::fmt::Display) -> Problem {
    let help = "free disk space, make the folder readable and writable, or use another store; existing \
        blocks are kept";
    Problem::new(format!("{}: {error}", path.display()), help)
}

fn of_file(error: &IoError) -> Problem {
    problem(&error.path, &error.problem)
}

impl Objects for Folder {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        let path = self.path(name);
        match read_regular(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                Err(Problem::new(format!("{} is not a file", path.display()), "remove it"))
            }
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(problem(&path, &error)),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        write_atomic(&self.own_path(name)?, false, |out| out.write_all(bytes))
            .map(|_| ())
            .map_err(|error| of_file(&error))
    }

    fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, Problem> {
        create_atomic(&self.own_path(name)?, |out| out.write_all(bytes)).map_err(|error| of_file(&error))
    }

    fn list(&self, below: &str) -> Result<Vec<String>, Problem> {
        let mut found = Vec::new();
        let mut open = vec![below.trim_end_matches('/').to_owned()];
        while let Some(folder) = open.pop() {
            let path = self.path(&folder);
            let entries = match fs::read_dir(&path) {
                Ok(entries) => entries,
                Err(error) if is_absent(&error) => continue,
                Err(error) => return Err(problem(&path, &error)),
            };
            for entry in entries {
                let entry = entry.map_err(|error| problem(&path, &error))?;
                let file = entry.file_name().to_string_lossy().into_owned();
                let name = if folder.is_empty() { file } else { format!("{folder}/{file}") };
                match entry.file_type().map_err(|error| problem(&path, &error))? {
                    kind if kind.is_dir() => open.push(name),
                    // Unfinished files have names with this ending.
                    _ if name.ends_with(".tmp") => {}
                    _ => found.push(name),
                }
            }
        }
        found.sort();
        Ok(found)
    }

    fn place(&self) -> String {
        self.0.display().to_string()
    }
}

/// Whether the file, or a folder on its path, does not exist.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
