//! The latest requests of pages. Only the latest value of each parameter is kept, however fast a slider
//! moves.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use indexmap::IndexMap;
use serde_json::Value as Json;
use terrane_flow::syntax::Tree;
use terrane_flow::{GraphText, Home, Loaded, Reference, lock};

use crate::editable::EditableValues;

/// An unwritten change of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The new value, as RON.
    pub value: String,
    /// The new value, as the page gave it.
    pub given: Json,
    /// The node whose parameter the page changed; `None` for a parameter of the graph.
    pub node: Option<String>,
    /// The parameter.
    pub parameter: String,
    /// The position in the file, as text.
    pub name: String,
    /// Why the change does not apply to the current file.
    pub problem: Option<String>,
}

/// Unwritten changes by their position in a file, oldest first. A value that several nodes share is one
/// change.
pub type Changes = IndexMap<Home, Change>;

/// The current requests of all pages.
#[derive(Default)]
pub struct Requests {
    /// Parameters that differ from the file.
    pub changes: Changes,
    /// The changes to write to the files, as they were at the time of the request.
    pub write: Option<Changes>,
    /// Whether the graph is to be read again, since changes differ.
    pub read: bool,
    /// The outputs that each page shows: node and position of the output.
    pub viewed: IndexMap<u64, Vec<(String, usize)>>,
}

/// The requests of all pages, and a sender that notifies the main loop. Cheap to clone.
#[derive(Clone)]
pub struct PageRequests {
    pending: Arc<Mutex<Requests>>,
    sender: Sender<()>,
}

impl PageRequests {
    /// Creates an empty set of requests, and the receiver of notifications.
    #[must_use]
    pub fn new() -> (Self, Receiver<()>) {
        let (sender, notified) = bounded(1);
        (Self { pending: Arc::default(), sender }, notified)
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

    /// A copy of the current changes.
    #[must_use]
    pub fn changes(&self) -> Changes {
        self.lock().changes.clone()
    }

    /// Marks changes of files that the graph no longer uses as problems.
    pub fn check(&self, editable: &EditableValues) {
        for (home, change) in &mut self.lock().changes {
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
        let reference = |(name, output): &(String, usize)| {
            let spec = loaded.graph.nodes.get(name)?.node().spec();
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

    /// A file's text with the changes applied. A change that does not apply is skipped, and its problem
    /// recorded.
    pub fn edit(&self, file: &Path, tree: Tree) -> Tree {
        let here = |(home, _): &(&Home, &Change)| &*home.file == file;
        let own = |(home, change): (&Home, &Change)| (home.clone(), change.clone());
        let mut tried: Changes = self.lock().changes.iter().filter(here).map(own).collect();
        // The lock is not held here, so that pages can send requests in the meantime.
        let tree = apply(&mut tried, file, tree);
        let found = tried.into_iter().map(|(home, change)| (home, change.value, change.problem));
        self.set_problems(found);
        tree
    }

    /// Sets or clears the problems of changes. Changes whose value has changed since are skipped.
    pub fn set_problems(&self, found: impl IntoIterator<Item = (Home, String, Option<String>)>) {
        let mut pending = self.lock();
        for (home, value, problem) in found {
            if let Some(now) = pending.changes.get_mut(&home).filter(|now| now.value == value) {
                now.problem = problem;
            }
        }
    }

    /// Requests writing the current changes, in addition to those of earlier requests.
    pub fn write(&self) {
        let mut pending = self.lock();
        let now = pending.changes.clone();
        pending.write.get_or_insert_default().extend(now);
    }
}

/// Applies the changes of a file to its text, which is parsed once.
pub fn apply(changes: &mut Changes, file: &Path, tree: Tree) -> Tree {
    let mut here = changes.iter_mut().filter(|(home, _)| &*home.file == file).peekable();
    if here.peek().is_none() {
        return tree;
    }
    let mut text = match GraphText::of(tree.clone()) {
        Ok(text) => text,
        Err(error) => {
            here.for_each(|(_, change)| change.problem = Some(error.to_string()));
            return tree;
        }
    };
    for (home, change) in here {
        change.problem = text.set_slot(&home.slot, &change.value).err().map(|error| error.to_string());
    }
    text.into_tree()
}

#[cfg(test)]
mod tests {
    use terrane_flow::Slot;

    use crate::testing::{changes, graph, load};

    use super::*;

    #[test]
    fn changes_apply_to_the_current_text_or_report_a_problem() {
        let (requests, notified) = PageRequests::new();
        let change = |value: &str| Change {
            value: value.to_owned(),
            given: Json::Null,
            node: None,
            parameter: String::new(),
            name: String::new(),
            problem: None,
        };
        let file = Path::new("/graphs/g.ron");
        let key = |node: &str| Home {
            file: file.into(),
            slot: Slot::Field { node: node.to_owned(), field: "amplitude".to_owned() },
        };
        requests.lock().changes.insert(key("hills"), change("2.5"));
        requests.lock().changes.insert(key("gone"), change("1.0"));
        requests
            .lock()
            .changes
            .insert(Home { file: Path::new("/graphs/other.ron").into(), ..key("hills") }, change("9.0"));
        requests.notify();
        requests.notify();
        assert!(notified.try_recv().is_ok() && notified.try_recv().is_err(), "two notifications are one");
        let text = "Graph(nodes: {\n  // Kept.\n  \"hills\": Perlin(amplitude: 1.0), // and this\n})";
        let edited = requests.edit(file, Tree::parse(text));
        assert_eq!(edited.text(), text.replace("1.0", "2.5"));
        assert!(requests.lock().changes[&key("gone")].problem.as_ref().unwrap().contains("gone"));
        assert_eq!(requests.edit(file, Tree::parse("Graph(")).text(), "Graph(");
        assert!(requests.lock().changes[&key("hills")].problem.is_some(), "a broken text keeps the change");
        requests.edit(file, Tree::parse(text));
        assert!(requests.lock().changes[&key("hills")].problem.is_none());
    }

    #[test]
    fn changes_are_written_as_they_were_at_the_time_of_the_request() {
        let (_folder, loaded) = graph(&[("g.ron", "Graph(nodes: { \"a\": Take(), \"b\": Take() })")], &[]);
        let editable = EditableValues::new(&loaded);
        let (requests, _rings) = PageRequests::new();
        requests.lock().changes = changes(&editable, &[("a", "amount", "2.0")]);
        requests.write();
        requests.lock().changes = changes(&editable, &[("b", "amount", "3.0")]);
        requests.write();
        requests.lock().changes.clear();
        let written = requests.lock().write.take().unwrap();
        let values: Vec<&str> = written.values().map(|change| &*change.value).collect();
        assert_eq!(values, ["2.0", "3.0"]);
    }

    #[test]
    fn the_problem_of_an_old_value_is_not_recorded_for_a_new_one() {
        let (_folder, loaded) = graph(&[("g.ron", "Graph(nodes: { \"a\": Take() })")], &[]);
        let (requests, _rings) = PageRequests::new();
        requests.lock().changes = changes(&EditableValues::new(&loaded), &[("a", "amount", "2.0")]);
        let home = requests.changes().get_index(0).unwrap().0.clone();
        requests.set_problems([(home.clone(), "1.0".to_owned(), Some("too little".to_owned()))]);
        assert_eq!(requests.changes()[0].problem, None);
        requests.set_problems([(home, "2.0".to_owned(), Some("too much".to_owned()))]);
        assert!(requests.changes()[0].problem.is_some());
    }

    #[test]
    fn a_change_of_an_unused_file_has_a_problem() {
        let part = ("sub/s.ron", "Graph(nodes: { \"x\": Take() })");
        let (folder, loaded) =
            graph(&[("g.ron", "Graph(nodes: { \"s\": Subgraph(file: \"sub/s.ron\") })"), part], &[]);
        let (requests, _rings) = PageRequests::new();
        let before = EditableValues::new(&loaded);
        requests.lock().changes = changes(&before, &[("s/x", "amount", "2.0")]);
        requests.check(&before);
        assert_eq!(requests.changes()[0].problem, None);
        let path = folder.path().join("g.ron");
        std::fs::write(&path, "Graph(nodes: { \"own\": Take() })").unwrap();
        requests.check(&EditableValues::new(&load(&path, &terrane_flow::LoadOptions::default())));
        let problem = requests.changes()[0].problem.clone().unwrap();
        assert!(problem.ends_with("s.ron is no longer part of the graph"), "{problem}");
    }
}
