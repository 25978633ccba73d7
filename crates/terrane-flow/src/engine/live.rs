//! A graph file that is evaluated again after every change: what `watch` and previews have in common.
//!
//! [`Live`] reads the file, watches it and all that it names, and follows one job at a time. A job that is
//! started while another runs takes its place: the old one is cancelled after the new one has begun, so that
//! what both need goes on. What to evaluate, and what to do with it, is the caller's: it takes [`Turn`] after
//! [`Turn`].

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

/// Changes the text of a graph's file, or of a subgraph's, before it is read; it is told the file's canonical
/// path.
pub type Edit = Box<dyn FnMut(&Path, Tree) -> Tree + Send>;

/// Reads the graph anew with the types, the options and what changes texts; tells every file that was looked
/// at, also where it fails.
pub type Read = Box<
    dyn FnMut(&Registry, &LoadOptions, &mut EditTree<'_>) -> (Result<Loaded, Diagnostics>, Touched) + Send,
>;

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
    /// The job, its graph, and when the reading of that began.
    running: Option<(Job, Arc<Loaded>, Instant)>,
}

/// What happened.
pub enum Turn<C> {
    /// The graph was read, for the first time or again. The caller starts a job and hands it to
    /// [`Live::follow`].
    Loaded(Arc<Loaded>),
    /// The graph has mistakes. What runs for the last good one goes on.
    Broken(Diagnostics),
    /// The job tells something.
    Event(Event),
    /// The job ended by itself.
    Finished(Finished),
    /// Somebody wants something.
    Asked(C),
    /// Nobody can want anything any more.
    Closed,
}

/// A job at its end.
pub struct Finished {
    /// What it gave.
    pub evaluation: Evaluation,
    /// Of which graph.
    pub loaded: Arc<Loaded>,
    /// When the reading of the graph began.
    pub started: Instant,
}

impl Live {
    /// A graph file, not yet read.
    ///
    /// # Errors
    /// When the system cannot watch files.
    pub fn new(path: &Path, registry: Registry, options: LoadOptions) -> notify::Result<Self> {
        let own = path.to_owned();
        let read: Read = Box::new(move |registry, options, edit| load_edited(&own, registry, options, edit));
        Self::of(path, read, registry, options)
    }

    /// A graph that is read from a file in another way, such as a patch of a world; not yet read.
    ///
    /// # Errors
    /// When the system cannot watch files.
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

    /// The same, with the files' texts changed by `edit` at every reading.
    #[must_use]
    pub fn with_edit(self, edit: Edit) -> Self {
        Self { edit, ..self }
    }

    /// Waits for the next thing to happen. `asked` is a channel of the caller's own.
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

    /// Follows a job from now on, and cancels the one that was followed.
    pub fn follow(&mut self, job: Job, loaded: Arc<Loaded>) {
        if let Some((old, ..)) = self.running.replace((job, loaded, self.started)) {
            old.cancel();
        }
    }

    /// Reads the graph again at the next turn, as if its file had changed.
    pub fn reload(&mut self) {
        self.stale = true;
    }

    /// Reads the graph with other header fields, such as another size; nothing is watched for it.
    ///
    /// # Errors
    /// Every mistake that the graph has with them.
    pub fn read_with(&mut self, header: Vec<(String, String)>) -> Result<Loaded, Diagnostics> {
        let mut options = self.options.clone();
        options.header.extend(header);
        (self.read)(&self.registry, &options, &mut self.edit).0
    }

    /// Reads the graph with the files' texts changed by `edit` in place of the usual; nothing is watched for
    /// it.
    ///
    /// # Errors
    /// Every mistake that the graph has with them.
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
            // Files that are new to the watcher may have changed since they were read: look once more.
            self.watcher.watch(&touched.0);
            self.watched = touched.0;
        }
    }
}
