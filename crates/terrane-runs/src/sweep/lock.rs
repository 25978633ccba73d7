//! One sweep at a time writes a table.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::Failure;

/// Held while a sweep has a table: another one to the same table would write over what this one adds.
pub struct Lock {
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the table, by a file beside it that goes again at the end.
    ///
    /// # Errors
    /// When another sweep has it, or no file can be made beside it.
    pub fn take(table: &Path) -> Result<Self, Failure> {
        let mut name = table.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        if let Some(folder) = path.parent() {
            // What is wrong with it is told below.
            let _best_effort = fs::create_dir_all(folder);
        }
        loop {
            let opened = File::options().create(true).truncate(false).write(true).open(&path);
            let file = opened.map_err(|error| {
                Failure::usage(
                    format!("cannot make {}: {error}", path.display()),
                    "choose another file with -o",
                )
            })?;
            match file.try_lock() {
                Ok(()) if is_still(&file, &path) => return Ok(Self { _file: file, path }),
                // Whoever had it has just removed it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Failure::usage(
                        format!("another sweep is writing {}", table.display()),
                        "wait for its end, or choose another file with -o",
                    ));
                }
                // A file system without locks: as it was before there were any.
                Err(TryLockError::Error(_)) => return Ok(Self { _file: file, path }),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // It is in nobody's way.
        let _best_effort = fs::remove_file(&self.path);
    }
}

/// Whether an open file is still the one at a path.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(a), Ok(b)) if of(&a) == of(&b))
}

#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}
