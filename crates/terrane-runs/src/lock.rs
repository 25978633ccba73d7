//! A lock file beside another file, for processes that read, change and write the other file. Without the
//! lock, one process would overwrite the changes of another.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The lock of a file, held while the file is changed. Dropping it removes the lock file.
#[derive(Debug)]
pub struct Lock {
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock of a file; `None` if another process holds it.
    ///
    /// # Errors
    /// Fails if the lock file cannot be created.
    pub fn take(of: &Path) -> io::Result<Option<Self>> {
        Self::taken(of, |file| match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        })
    }

    /// Takes the lock of a file, waiting while another process holds it.
    ///
    /// # Errors
    /// Fails if the lock file cannot be created.
    pub fn wait(of: &Path) -> io::Result<Self> {
        let taken = Self::taken(of, |file| file.lock().map(|()| true))?;
        taken.ok_or_else(|| io::Error::other("another process holds it"))
    }

    /// Opens the lock file. `lock` tries to lock it and returns whether it succeeded.
    fn taken(of: &Path, lock: impl Fn(&File) -> io::Result<bool>) -> io::Result<Option<Self>> {
        let mut name = of.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        terrane_io::check_links(&path)?;
        if let Some(folder) = path.parent() {
            // If this fails, opening the lock file reports it.
            let _best_effort = fs::create_dir_all(folder);
        }
        // A link would put the lock elsewhere, and opening a pipe would block.
        if fs::symlink_metadata(&path).is_ok_and(|there| !there.is_file()) {
            return Err(io::Error::other(format!("{} is not a regular file", path.display())));
        }
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            match lock(&file) {
                Ok(true) if is_still(&file, &path) => return Ok(Some(Self { _file: file, path })),
                // The previous holder has just removed the file: open a new one.
                Ok(true) => {}
                Ok(false) => return Ok(None),
                // The file system has no locks: continue without one.
                Err(_) => return Ok(Some(Self { _file: file, path })),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // If this fails, the lock file is left over, which does no harm.
        let _best_effort = fs::remove_file(&self.path);
    }
}

/// Whether an open file is still the one at this path.
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
