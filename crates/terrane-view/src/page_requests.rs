//! The latest requests of pages. Only the latest value of each parameter is kept, however fast a slider
//! moves.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use indexmap::IndexMap;
use serde_json::Value as Json;
use terrane_flow::syntax::Tree;
use terrane_flow::{Home, Loaded, Overlay, Reference, Registry, lock};

use crate::connected::connected;
use crate::draft::{Asked, Draft, History, Made, Memo, Moment};
use crate::editable::EditableValues;
use crate::page_texts::{AllSeen, Seen, TextRequest};

/// Texts of which the last edit by a page is known, at most.
const MOST_SEEN: usize = 16;

/// A request that the main loop handles, in the order of arrival.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Change the structure. The page finds the result by its tag.
    Edit { asked: Box<Asked>, given: Json, tag: String },
    /// Write the draft as it was at the time of the request, or as it is after the edits of texts that wait;
    /// `anyway` even if the graph does not load then.
    Write { draft: Option<Draft>, anyway: bool },
    /// Write a text to a file that was deleted.
    Restore(String, String),
    /// Begin the graph's file with a template.
    Start(String),
    /// Return to the draft before the last step.
    Undo,
    /// Repeat the last step that was undone.
    Redo,
    /// Edit a text.
    Text(TextRequest),
    /// Show a node in the editor that runs the preview.
    Source(String),
}

/// The current requests of all pages.
#[derive(Default)]
pub struct Requests {
    /// What differs from the files.
    pub draft: Draft,
    /// The steps that led to the draft.
    pub history: History,
    /// Requests for the main loop.
    pub queue: Vec<Request>,
    /// Whether the graph is to be read again, since the draft differs.
    pub read: bool,
    /// The outputs that each page shows: node and position of the output.
    pub viewed: IndexMap<u64, Vec<(String, usize)>>,
    /// The file whose text each page shows.
    pub reading: HashMap<u64, String>,
    /// Whether other texts are shown than before.
    pub turned_page: bool,
    /// The last edits of texts by each page.
    pub seen: AllSeen,
    /// Places in texts that the editor is asked to show: the file, the line and the column.
    pub sources: Vec<(PathBuf, usize, usize)>,
}

impl Requests {
    /// Forgets a page that was closed.
    pub fn leave(&mut self, page: u64) {
        self.viewed.swap_remove(&page);
        self.reading.remove(&page);
        self.seen.remove(&page);
    }

    /// Records the last edit of a text by a page, of the last few texts that it edits.
    pub fn see(&mut self, page: u64, file: String, edit: Seen) {
        let all = self.seen.entry(page).or_default();
        all.retain(|(other, _)| *other != file);
        all.push((file, edit));
        all.drain(..all.len().saturating_sub(MOST_SEEN));
    }

    /// Records the draft before a step.
    pub fn remember(&mut self, said: &str) {
        let moment = Moment { draft: self.draft.clone(), said: said.to_owned(), written: Vec::new() };
        self.history.record(moment);
    }
}

/// The requests of all pages, and a sender that notifies the main loop. Cheap to clone.
#[derive(Clone)]
pub struct PageRequests {
    pending: Arc<Mutex<Requests>>,
    sender: Sender<()>,
    /// The node types.
    pub registry: Arc<Registry>,
    /// What the steps made of the texts.
    pub memo: Arc<Memo>,
    /// Files that steps make, until they are written.
    pub(crate) files: Arc<Overlay>,
    /// Those files, each after the file whose steps make it.
    made: Arc<Mutex<Vec<(PathBuf, PathBuf)>>>,
}

impl PageRequests {
    /// Creates an empty set of requests, and the receiver of notifications. The graph is loaded from `files`.
    #[must_use]
    pub fn new(registry: Arc<Registry>, files: Arc<Overlay>) -> (Self, Receiver<()>) {
        let (sender, notified) = bounded(1);
        (
            Self {
                pending: Arc::default(),
                sender,
                registry,
                memo: Arc::default(),
                files,
                made: Arc::default(),
            },
            notified,
        )
    }

    /// Locks the requests for reading and changing.
    pub fn lock(&self) -> MutexGuard<'_, Requests> {
        lock(&self.pending)
    }

    /// Notifies the main loop. Several notifications before it reads them count as one.
    pub fn notify(&self) {
        match self.sender.try_send(()) {
            Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
        }
    }

    /// A copy of the draft.
    #[must_use]
    pub fn draft(&self) -> Draft {
        self.lock().draft.clone()
    }

    /// Marks changes of files that the graph no longer uses as problems.
    pub fn check(&self, editable: &EditableValues) {
        for (home, change) in &mut self.lock().draft.changes {
            if !editable.may_write(&home.file) {
                change.problem =
                    Some(format!("{} is no longer part of the graph", editable.shown(&home.file)));
            }
        }
    }

    /// The outputs of a graph that pages show.
    #[must_use]
    pub fn viewed_outputs(&self, loaded: &Loaded) -> Vec<Reference> {
        let pending = self.lock();
        let connected = connected(loaded);
        let reference = |(name, output): &(String, usize)| {
            let (_, _, node) = loaded.graph.nodes.get_full(name).filter(|(at, ..)| connected[*at])?;
            let spec = node.node().spec();
            Some(Reference {
                node: name.as_str().into(),
                output: Some(spec.outputs.get(*output)?.name.into()),
            })
        };
        pending.viewed.values().flatten().filter_map(reference).collect()
    }

    /// Whether a page shows an output.
    #[must_use]
    pub fn is_viewed(&self, node: &str, output: usize) -> bool {
        self.lock().viewed.values().flatten().any(|(name, index)| name == node && *index == output)
    }

    /// A file's text with the draft applied. A change that does not apply is skipped, and its problem
    /// recorded.
    pub fn edit(&self, file: &Path, tree: Tree) -> Tree {
        let mut tried = self.draft();
        // The lock is not held here, so that pages can send requests in the meantime.
        let tree = self.apply(&mut tried, file, tree);
        let Draft { steps, changes } = tried;
        let same: Vec<(Home, String)> = changes
            .iter()
            .filter(|(home, change)| change.is_same && &*home.file == file)
            .map(|(home, change)| (home.clone(), change.value.clone()))
            .collect();
        let found = changes.into_iter().filter(|(home, _)| &*home.file == file);
        self.set_problems(found.map(|(home, change)| (home, change.value, change.problem)));
        let mut pending = self.lock();
        // A value typed back is no change.
        pending
            .draft
            .changes
            .retain(|home, now| !same.iter().any(|(of, value)| of == home && *value == now.value));
        for step in steps {
            let now = pending.draft.steps.iter_mut().find(|now| now.number == step.number);
            if let Some(now) = now.filter(|now| now.problem != step.problem) {
                *now = step;
            }
        }
        tree
    }

    /// Applies a draft to a file's text. Files that its steps make can then be read.
    pub fn apply(&self, draft: &mut Draft, file: &Path, tree: Tree) -> Tree {
        let mut made = Made::new();
        let tree = draft.apply(file, tree, (&self.registry, &self.memo), &mut made);
        // Files of former drafts are taken back when the file that makes them is read again.
        let mut known = lock(&self.made);
        known.retain(|(by, path)| {
            let stays = by != file || made.contains_key(path);
            if !stays {
                self.files.remove(path);
            }
            stays
        });
        for (path, text) in made {
            self.files.put(&path, text);
            let entry = (file.to_owned(), path);
            if !known.contains(&entry) {
                known.push(entry);
            }
        }
        tree
    }

    /// Sets or clears the problems of changes. Changes whose value has changed since are skipped.
    pub fn set_problems(&self, found: impl IntoIterator<Item = (Home, String, Option<String>)>) {
        let mut pending = self.lock();
        for (home, value, problem) in found {
            if let Some(now) = pending.draft.changes.get_mut(&home).filter(|now| now.value == value) {
                now.problem = problem;
            }
        }
    }

    /// Requests writing the draft as it is now.
    pub fn write(&self, anyway: bool) {
        let mut pending = self.lock();
        let waits = pending.queue.iter().any(|request| matches!(request, Request::Text(_)));
        let draft = (!waits).then(|| pending.draft.clone());
        pending.queue.push(Request::Write { draft, anyway });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{changes, graph, load, requests};

    use super::*;
    use crate::changes::Change;
    use terrane_flow::Slot;

    #[test]
    fn changes_apply_to_the_current_text_or_report_a_problem() {
        let (requests, notified) = requests();
        let change = |value: &str| Change {
            value: value.to_owned(),
            given: Json::Null,
            node: None,
            parameter: String::new(),
            name: String::new(),
            problem: None,
            keep: false,
            is_same: false,
        };
        let file = Path::new("/graphs/g.ron");
        let key = |node: &str| Home {
            file: file.into(),
            slot: Slot::Field { node: node.to_owned(), field: "amplitude".to_owned() },
        };
        requests.lock().draft.changes.insert(key("hills"), change("2.5"));
        requests.lock().draft.changes.insert(key("gone"), change("1.0"));
        requests
            .lock()
            .draft
            .changes
            .insert(Home { file: Path::new("/graphs/other.ron").into(), ..key("hills") }, change("9.0"));
        requests.notify();
        requests.notify();
        assert!(notified.try_recv().is_ok() && notified.try_recv().is_err(), "two notifications are one");
        let text = "Graph(nodes: {\n  // Kept.\n  \"hills\": Perlin(amplitude: 1.0), // and this\n})";
        let edited = requests.edit(file, Tree::parse(text));
        assert_eq!(edited.text(), text.replace("1.0", "2.5"));
        assert!(requests.lock().draft.changes[&key("gone")].problem.as_ref().unwrap().contains("gone"));
        assert_eq!(requests.edit(file, Tree::parse("Graph(")).text(), "Graph(");
        assert!(
            requests.lock().draft.changes[&key("hills")].problem.is_some(),
            "a broken text keeps the change"
        );
        requests.edit(file, Tree::parse(text));
        assert!(requests.lock().draft.changes[&key("hills")].problem.is_none());
    }

    #[test]
    fn changes_are_written_as_they_were_at_the_time_of_the_request() {
        let (_folder, loaded) = graph(&[("g.ron", "Graph(nodes: { \"a\": Take(), \"b\": Take() })")], &[]);
        let editable = EditableValues::new(&loaded);
        let (requests, _rings) = requests();
        requests.lock().draft.changes = changes(&editable, &[("a", "amount", "2.0")]);
        requests.write(false);
        requests.lock().draft.changes = changes(&editable, &[("b", "amount", "3.0")]);
        requests.write(false);
        requests.lock().draft.changes.clear();
        let queue = std::mem::take(&mut requests.lock().queue);
        let values = |request: &Request| match request {
            Request::Write { draft: Some(draft), .. } => {
                draft.changes.values().map(|change| change.value.clone()).collect()
            }
            other => panic!("{other:?}"),
        };
        let values: Vec<Vec<String>> = queue.iter().map(values).collect();
        assert_eq!(values, [["2.0"], ["3.0"]]);
    }

    #[test]
    fn the_problem_of_an_old_value_is_not_recorded_for_a_new_one() {
        let (_folder, loaded) = graph(&[("g.ron", "Graph(nodes: { \"a\": Take() })")], &[]);
        let (requests, _rings) = requests();
        requests.lock().draft.changes = changes(&EditableValues::new(&loaded), &[("a", "amount", "2.0")]);
        let home = requests.draft().changes.get_index(0).unwrap().0.clone();
        requests.set_problems([(home.clone(), "1.0".to_owned(), Some("too little".to_owned()))]);
        assert_eq!(requests.draft().changes[0].problem, None);
        requests.set_problems([(home, "2.0".to_owned(), Some("too much".to_owned()))]);
        assert!(requests.draft().changes[0].problem.is_some());
    }

    #[test]
    fn a_change_of_an_unused_file_has_a_problem() {
        let part = ("sub/s.ron", "Graph(nodes: { \"x\": Take() })");
        let (folder, loaded) =
            graph(&[("g.ron", "Graph(nodes: { \"s\": Subgraph(file: \"sub/s.ron\") })"), part], &[]);
        let (requests, _rings) = requests();
        let before = EditableValues::new(&loaded);
        requests.lock().draft.changes = changes(&before, &[("s/x", "amount", "2.0")]);
        requests.check(&before);
        assert_eq!(requests.draft().changes[0].problem, None);
        let path = folder.path().join("g.ron");
        std::fs::write(&path, "Graph(nodes: { \"own\": Take() })").unwrap();
        requests.check(&EditableValues::new(&load(&path, &terrane_flow::LoadOptions::default())));
        let problem = requests.draft().changes[0].problem.clone().unwrap();
        assert!(problem.ends_with("s.ron is no longer part of the graph"), "{problem}");
    }
}
