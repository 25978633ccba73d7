//! A graph file that is evaluated again after every change, for `watch` and previews.
//!
//! [`Live`] reads the file, watches it and all files that it refers to, and follows one job at a time. A new
//! job replaces a running one. The old job is cancelled only after the new job has started, so nodes that
//! both jobs need keep running. The caller handles each [`Turn`] and decides what to evaluate.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::{Receiver, select};
use notify_debouncer_full::notify;
use terrane_syntax::Tree;

use crate::engine::event::Event;
use crate::engine::watch::Watcher;
use crate::engine::{Evaluation, Job};
use crate::language::{EditTree, LoadOptions, Loaded, Touched, load_edited};
use crate::model::registry::Registry;
use crate::report::Diagnostics;

/// Loads the graph, with a registry, options and an edit of the files. Also returns all files that it
/// accessed, even if loading fails.
pub type Read = Box<
    dyn FnMut(&Registry, &LoadOptions, &mut EditTree<'_>) -> (Result<Loaded, Diagnostics>, Touched) + Send,
>;

/// Edits the tree of a file before it is read.
type Edit = Box<dyn FnMut(&Path, Tree) -> Tree + Send>;

/// A graph file, its watcher, and the job that runs for it.
pub struct Live {
    read: Read,
    registry: Registry,
    options: LoadOptions,
    edit: Edit,
    watcher: Watcher,
    watched: Vec<PathBuf>,
    stale: bool,
    started: Instant,
    /// The job, its graph, and when reading that graph began.
    running: Option<(Job, Arc<Loaded>, Instant)>,
}

/// The result of [`Live::next`].
pub enum Turn<C> {
    /// The graph was read, for the first time or again. The caller starts a job and passes it to
    /// [`Live::follow`].
    Loaded(Arc<Loaded>),
    /// The graph has mistakes. The job for the last valid graph continues.
    Broken(Diagnostics),
    /// An event of the job.
    Event(Event),
    /// The job ended, and no other job has replaced it.
    Finished(Finished),
    /// A message from the caller's channel.
    Asked(C),
    /// The caller's channel is closed.
    Closed,
}

/// A finished job.
pub struct Finished {
    /// Its result.
    pub evaluation: Evaluation,
    /// Its graph.
    pub loaded: Arc<Loaded>,
    /// When reading the graph began.
    pub started: Instant,
}

impl Live {
    /// Follows a graph file, which is not read yet.
    ///
    /// # Errors
    /// If the system cannot watch files.
    pub fn new(path: &Path, registry: Registry, options: LoadOptions) -> notify::Result<Self> {
        let own = path.to_owned();
        let read: Read = Box::new(move |registry, options, edit| load_edited(&own, registry, options, edit));
        Self::of(path, read, registry, options)
    }

    /// Like [`Live::new`], but the function `read` reads the graph from the file. Patches of a world are read
    /// in this way.
    ///
    /// # Errors
    /// If the system cannot watch files.
    pub fn of(path: &Path, read: Read, registry: Registry, options: LoadOptions) -> notify::Result<Self> {
        let mut watcher = Watcher::new(Arc::clone(&options.files))?;
        watcher.watch(&[path.to_owned()]);
        Ok(Self {
            read,
            registry,
            options,
            edit: Box::new(|_, tree| tree),
            watcher,
            watched: Vec::new(),
            stale: true,
            started: Instant::now(),
            running: None,
        })
    }

    /// Sets the edit that is applied to the files whenever they are read; see
    /// [`load_edited`](crate::load_edited).
    #[must_use]
    pub fn with_edit(self, edit: impl FnMut(&Path, Tree) -> Tree + Send + 'static) -> Self {
        Self { edit: Box::new(edit), ..self }
    }

    /// Waits for the next event, or for a message from `asked`, a channel of the caller.
    pub fn next<C>(&mut self, asked: &Receiver<C>) -> Turn<C> {
        loop {
            if std::mem::take(&mut self.stale) {
                return match self.read() {
                    Ok(loaded) => Turn::Loaded(Arc::new(loaded)),
                    Err(diagnostics) => Turn::Broken(diagnostics),
                };
            }
            let idle = crossbeam_channel::never();
            let events = self.running.as_ref().map_or(&idle, |(job, ..)| job.events());
            select! {
                recv(self.watcher.changes()) -> _ => self.stale = true,
                recv(asked) -> asked => return asked.map_or(Turn::Closed, Turn::Asked),
                recv(events) -> event => match event {
                    Ok(event) => return Turn::Event(event),
                    Err(_) => if let Some((job, loaded, started)) = self.running.take() {
                        return Turn::Finished(Finished { evaluation: job.wait(), loaded, started });
                    }
                }
            }
        }
    }

    /// Follows a job, and cancels the previous one.
    pub fn follow(&mut self, job: Job, loaded: Arc<Loaded>) {
        if let Some((old, ..)) = self.running.replace((job, loaded, self.started)) {
            old.cancel();
        }
    }

    /// A function that says whether a file has changed since the last call of [`Live::next`]. Work on an older
    /// result can be stopped then.
    pub fn has_changed(&self) -> impl Fn() -> bool + Send + Sync + use<> {
        let changes = self.watcher.changes().clone();
        move || !changes.is_empty()
    }

    /// Reads the graph again at the next call of [`Live::next`], as if its file had changed.
    pub fn reload(&mut self) {
        self.stale = true;
    }

    /// Reads the graph with other header fields, such as another size. This does not change which files are
    /// watched.
    ///
    /// # Errors
    /// Every mistake in the graph.
    pub fn read_with(&mut self, header: Vec<(String, String)>) -> Result<Loaded, Diagnostics> {
        let mut options = self.options.clone();
        options.header.extend(header);
        (self.read)(&self.registry, &options, &mut self.edit).0
    }

    /// Reads the graph with `edit` in place of the usual edit. This does not change which files are watched.
    ///
    /// # Errors
    /// Every mistake in the graph.
    pub fn read_edited(&mut self, edit: &mut EditTree<'_>) -> Result<Loaded, Diagnostics> {
        (self.read)(&self.registry, &self.options, edit).0
    }

    fn read(&mut self) -> Result<Loaded, Diagnostics> {
        loop {
            self.started = Instant::now();
            let (loaded, touched) = (self.read)(&self.registry, &self.options, &mut self.edit);
            if touched.0 == self.watched {
                return loaded;
            }
            // Newly watched files may have changed since they were read, so read once more.
            self.watcher.watch(&touched.0);
            self.watched = touched.0;
        }
    }
}
