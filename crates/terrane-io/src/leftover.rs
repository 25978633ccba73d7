//! Removing temporary files of killed processes.
//!
//! A process that fills a temporary file holds a lock on it. The system releases locks when the process ends
//! in any way, so a file without a lock is abandoned. A process id would not show that: ids are reused, and
//! other machines and containers that share the folder have their own.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// The prefix of temporary files.
pub const PREFIX: &str = ".terrane-";
/// Their suffix.
pub const SUFFIX: &str = ".tmp";

/// How long an unlocked file must be unmodified to count as abandoned. A file is briefly unlocked between
/// creation and locking, and on Windows between unlocking and renaming.
const ABANDONED_AFTER: Duration = Duration::from_secs(120);

/// Locks a temporary file until it is closed. Without support for locks, nothing is locked, and nothing is
/// swept either.
pub fn mark(file: &File) {
    let _unlocked_stays = file.try_lock();
}

/// Removes abandoned files from a folder. A process does so once per folder: killed processes are rare.
pub fn sweep(folder: &Path) {
    static SEEN: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    let known = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.get_or_insert_default().insert(known) {
        drop(seen);
        remove_leftovers(folder);
    }
}

fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // A file that cannot be removed does no harm; the next process tries again.
            let _left = remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    let modified = fs::metadata(path)?.modified()?;
    // A time in the future comes from another machine's clock; such a file stays.
    if !SystemTime::now().duration_since(modified).is_ok_and(|age| age > ABANDONED_AFTER) {
        return Ok(());
    }
    // Network file systems lock only writable files.
    let file = OpenOptions::new().write(true).open(path)?;
    if file.try_lock().is_ok() {
        fs::remove_file(path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temporary(folder: &Path, name: &str, age: u64) -> File {
        let file = File::create(folder.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        file
    }

    #[test]
    fn only_abandoned_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        temporary(folder.path(), ".terrane-left00.tmp", 600);
        temporary(folder.path(), ".terrane-new000.tmp", 1);
        temporary(folder.path(), ".terrane-later0.tmp", 0)
            .set_modified(SystemTime::now() + Duration::from_secs(9999))
            .unwrap();
        temporary(folder.path(), "notes.tmp", 600);
        let held = temporary(folder.path(), ".terrane-held00.tmp", 600);
        mark(&held);
        fs::create_dir(folder.path().join(".terrane-folder.tmp")).unwrap();
        crate::write_atomic(&folder.path().join("a.bin"), false, |w| io::Write::write_all(w, b"x")).unwrap();
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        let stay =
            [".terrane-folder.tmp", ".terrane-held00.tmp", ".terrane-later0.tmp", ".terrane-new000.tmp"];
        assert_eq!(names(), [&stay[..], &["a.bin", "notes.tmp"]].concat());
        drop(held);
        remove_leftovers(folder.path());
        assert!(!names().contains(&".terrane-held00.tmp".to_owned()), "its process is gone");
    }
}
