//! A file beside another one, held by whoever changes that one: processes that read, change and write it
//! would undo what the others did.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Held while a file is changed; the lock's own file goes with it.
#[derive(Debug)]
pub struct Lock {
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock of a file; nothing where another process has it.
    ///
    /// # Errors
    /// That no file can be made there.
    pub fn take(of: &Path) -> io::Result<Option<Self>> {
        Self::taken(of, |file| match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        })
    }

    /// Takes the lock of a file, as soon as nobody else has it.
    ///
    /// # Errors
    /// That no file can be made there.
    pub fn wait(of: &Path) -> io::Result<Self> {
        let taken = Self::taken(of, |file| file.lock().map(|()| true))?;
        taken.ok_or_else(|| io::Error::other("it is held"))
    }

    /// `lock` says whether it got the lock of an open file.
    fn taken(of: &Path, lock: impl Fn(&File) -> io::Result<bool>) -> io::Result<Option<Self>> {
        let mut name = of.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        if let Some(folder) = path.parent() {
            // What is wrong with it is told below.
            let _best_effort = fs::create_dir_all(folder);
        }
        // Through a link the lock would lie elsewhere, and opening a pipe waits.
        if fs::symlink_metadata(&path).is_ok_and(|there| !there.is_file()) {
            return Err(io::Error::other(format!("{} is no regular file", path.display())));
        }
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            match lock(&file) {
                Ok(true) if is_still(&file, &path) => return Ok(Some(Self { _file: file, path })),
                // Whoever had it has just removed it.
                Ok(true) => {}
                Ok(false) => return Ok(None),
                // A file system without locks: everybody has them.
                Err(_) => return Ok(Some(Self { _file: file, path })),
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
