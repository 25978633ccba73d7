//! Watches files for changes.
//!
//! Folders are watched instead of files, for two reasons. An editor that saves by renaming replaces the file,
//! and a file may not exist yet. A burst of events counts as one change. Some file systems send no events, so
//! files are also checked regularly.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use notify_debouncer_full::notify::{self, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, DebouncedEvent, Debouncer, NoCache, new_debouncer_opt};

use crate::model::files::{Files as Source, Stamp};
use crate::model::lock::lock;

/// The delay before an event is reported. It makes a burst of events one change.
const SETTLE: Duration = Duration::from_millis(40);
/// How often the debouncer checks for events that are old enough to be reported.
const TICK: Duration = Duration::from_millis(8);
/// How often files are checked if there are no events.
const CHECK: Duration = Duration::from_millis(500);

/// Watches a set of files. The set can be replaced at any time.
pub struct Watcher {
    folders: Arc<Mutex<Folders>>,
    state: Arc<Mutex<Files>>,
    changes: Receiver<()>,
}

/// The watched files with their last known stamps.
struct Files {
    source: Arc<dyn Source>,
    seen: BTreeMap<PathBuf, Option<Stamp>>,
}

/// The folders that the system watches, with their identities.
struct Folders {
    inner: Debouncer<RecommendedWatcher, NoCache>,
    watched: BTreeMap<PathBuf, Option<Identity>>,
}

/// Identifies a folder. The identity stays the same if the folder is renamed. A folder that replaces it has
/// another identity.
type Identity = (u64, u64);

fn identity(folder: &Path) -> Option<Identity> {
    let metadata = std::fs::metadata(folder).ok()?;
    #[cfg(unix)]
    return Some((
        std::os::unix::fs::MetadataExt::dev(&metadata),
        std::os::unix::fs::MetadataExt::ino(&metadata),
    ));
    #[cfg(not(unix))]
    return metadata.is_dir().then_some((0, 0));
}

impl Folders {
    /// Watches exactly these folders from now on.
    fn watch(&mut self, folders: BTreeSet<PathBuf>) {
        let gone: Vec<PathBuf> =
            self.watched.keys().filter(|folder| !folders.contains(*folder)).cloned().collect();
        for folder in gone {
            let _gone = self.inner.unwatch(&folder);
            self.watched.remove(&folder);
        }
        for folder in folders {
            // A folder that does not exist yet is found later, by the regular checks.
            self.watched.entry(folder).or_insert(None);
        }
        self.renew();
    }

    /// Also watches folders that were created or replaced since the last call. The system watches the folder
    /// itself and not its path, so a new folder with the same path must be watched again.
    fn renew(&mut self) {
        for (folder, watched) in &mut self.watched {
            let now = identity(folder);
            if now != *watched {
                let _gone = self.inner.unwatch(folder);
                *watched = now.filter(|_| self.inner.watch(folder, RecursiveMode::NonRecursive).is_ok());
            }
        }
    }
}

/// The absolute path, as events report it. Links in its folders are resolved, but a link at the file itself
/// is not.
fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match (absolute.parent().and_then(|folder| folder.canonicalize().ok()), absolute.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => absolute,
    }
}

impl Watcher {
    /// A watcher without files.
    ///
    /// # Errors
    /// If the system cannot watch files.
    pub fn new(source: Arc<dyn Source>) -> notify::Result<Self> {
        let (events_in, events) = unbounded();
        let (changes_in, changes) = bounded(1);
        let state = Arc::new(Mutex::new(Files { source, seen: BTreeMap::new() }));
        let tell = move |events: DebounceEventResult| {
            // Sending fails only after the listening thread has ended.
            let _gone = events_in.send(events);
        };
        // The debouncer has a cache of file identities, to follow files that move. It is not needed, since
        // only paths matter.
        let inner = new_debouncer_opt(SETTLE, Some(TICK), tell, NoCache, notify::Config::default())?;
        let folders = Arc::new(Mutex::new(Folders { inner, watched: BTreeMap::new() }));
        let (files, watched) = (Arc::clone(&state), Arc::downgrade(&folders));
        std::thread::Builder::new()
            .name("terrane-watch".to_owned())
            .spawn(move || listen(&events, &changes_in, &files, &watched))?;
        Ok(Self { folders, state, changes })
    }

    /// Watches exactly these files from now on.
    pub fn watch(&mut self, files: &[PathBuf]) {
        let files: BTreeSet<PathBuf> = files.iter().map(|file| absolute(file)).collect();
        let folders = files.iter().filter_map(|file| file.parent().map(Path::to_owned)).collect();
        lock(&self.folders).watch(folders);
        let mut state = lock(&self.state);
        let mut known = std::mem::take(&mut state.seen);
        let seen = |file: PathBuf| {
            let seen = known.remove(&file).unwrap_or_else(|| state.source.stamp(&file));
            (file, seen)
        };
        state.seen = files.into_iter().map(seen).collect();
    }

    /// The channel that receives a message after a change. Further changes before the message is read add no
    /// message.
    #[must_use]
    pub fn changes(&self) -> &Receiver<()> {
        &self.changes
    }
}

fn listen(
    events: &Receiver<DebounceEventResult>,
    changes: &Sender<()>,
    files: &Mutex<Files>,
    folders: &Weak<Mutex<Folders>>,
) {
    loop {
        let touched = match events.recv_timeout(CHECK) {
            Ok(Ok(events)) => events.iter().any(|event| concerns(event, files)),
            // An error may mean that an event was lost, so it counts as a change.
            Ok(Err(_)) => true,
            Err(RecvTimeoutError::Timeout) => {
                if let Some(folders) = folders.upgrade() {
                    lock(&folders).renew();
                }
                looks_different(files)
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if !touched {
            continue;
        }
        let _now_known = looks_different(files);
        // If the channel is full, a message is already waiting.
        let _pending = changes.try_send(());
    }
}

/// Whether an event is about one of the files. Read accesses do not count.
fn concerns(event: &DebouncedEvent, files: &Mutex<Files>) -> bool {
    if matches!(event.kind, notify::EventKind::Access(_)) {
        return false;
    }
    let files = lock(files);
    event.need_rescan() || event.paths.iter().any(|path| files.seen.contains_key(path))
}

fn looks_different(files: &Mutex<Files>) -> bool {
    let mut files = lock(files);
    let Files { source, seen } = &mut *files;
    let mut different = false;
    for (path, seen) in seen {
        let now = source.stamp(path);
        different |= now != *seen;
        *seen = now;
    }
    different
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(watcher: &Watcher) -> bool {
        watcher.changes().recv_timeout(Duration::from_secs(5)).is_ok()
    }

    fn quiet(watcher: &Watcher) -> bool {
        watcher.changes().recv_timeout(Duration::from_millis(700)).is_err()
    }

    #[test]
    fn writes_renames_deletions_and_recreations_are_changes_and_other_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("graph.ron");
        std::fs::write(&file, "one").unwrap();
        let mut watcher = Watcher::new(Arc::new(crate::Disk)).unwrap();
        watcher.watch(std::slice::from_ref(&file));
        std::fs::write(folder.path().join("other.png"), "x").unwrap();
        assert!(quiet(&watcher), "another file is not a change");
        std::fs::write(&file, "two").unwrap();
        assert!(heard(&watcher), "a write");
        std::fs::write(folder.path().join("new"), "three").unwrap();
        std::fs::rename(folder.path().join("new"), &file).unwrap();
        assert!(heard(&watcher), "a rename onto the file");
        std::fs::remove_file(&file).unwrap();
        assert!(heard(&watcher), "a deletion");
        std::fs::write(&file, "four").unwrap();
        assert!(heard(&watcher), "a recreation");
        assert!(quiet(&watcher), "and then nothing");
    }

    #[test]
    fn a_file_in_a_folder_that_does_not_exist_yet_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("later/graph.ron");
        let mut watcher = Watcher::new(Arc::new(crate::Disk)).unwrap();
        watcher.watch(std::slice::from_ref(&file));
        std::fs::create_dir(folder.path().join("later")).unwrap();
        std::fs::write(&file, "x").unwrap();
        assert!(heard(&watcher));
    }

    /// Creates a folder that contains the file `graph.ron` with this text.
    fn made(folder: &Path, text: &str) {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("graph.ron"), text).unwrap();
    }

    #[test]
    fn a_folder_that_replaces_another_is_watched() {
        let around = tempfile::tempdir().unwrap();
        let (folder, file) = (around.path().join("a"), around.path().join("a/graph.ron"));
        made(&folder, "one");
        let mut watcher = Watcher::new(Arc::new(crate::Disk)).unwrap();
        watcher.watch(std::slice::from_ref(&file));
        made(&around.path().join("b"), "two");
        std::fs::rename(&folder, around.path().join("c")).unwrap();
        std::fs::rename(around.path().join("b"), &folder).unwrap();
        assert!(heard(&watcher), "another folder");
        assert!(quiet(&watcher));
        let watched = || {
            let folders = watcher.folders.lock().unwrap();
            let (_, watched) = folders.watched.first_key_value().unwrap();
            *watched
        };
        assert_eq!(watched(), identity(&folder));
        // The file keeps its length and time, so only an event can report this save.
        let time = std::fs::metadata(&file).unwrap().modified().unwrap();
        std::fs::write(&file, "six").unwrap();
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
        assert!(heard(&watcher), "a save");
    }
}
