//! Temporary files of processes that were ended before they could remove them.
//!
//! Whoever fills a temporary file holds a lock on it. Systems let locks go with the process, however it
//! ended, so that a file without one is nobody's. A process's number would not tell that: it is given again,
//! and other machines and containers that share the folder have numbers of their own.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// What the names of temporary files begin with.
pub const PREFIX: &str = ".terrane-";
/// What they end with.
pub const SUFFIX: &str = ".tmp";

/// How long a file without a lock was not written to when it is nobody's: between being made and being
/// locked, and on Windows between being unlocked and being renamed, a file has none.
const NOBODYS: Duration = Duration::from_secs(120);

/// Holds a temporary file until it is closed. Where there are no locks nothing is held, and nothing is swept
/// either.
pub fn mark(file: &File) {
    let _unlocked_stays = file.try_lock();
}

/// Removes what ended processes left in a folder. A process looks once into each: while it lives, others
/// seldom end.
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
            // What cannot be removed is in nobody's way; the next process tries again.
            let _left = remove_if_nobodys(&entry.path());
        }
    }
}

fn remove_if_nobodys(path: &Path) -> io::Result<()> {
    let modified = fs::metadata(path)?.modified()?;
    // A time to come is that of another machine's clock.
    if !SystemTime::now().duration_since(modified).is_ok_and(|age| age > NOBODYS) {
        return Ok(());
    }
    // Network file systems lock only what may be written to.
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
    fn what_nobody_holds_goes_and_all_else_stays() {
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
