//! What pages want, the latest of it: however fast a slider moves, there is one value per parameter, not a
//! queue of them.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use indexmap::IndexMap;
use serde_json::Value as Json;
use terrane_flow::syntax::Tree;
use terrane_flow::{GraphText, Home, Loaded, Reference};

use crate::places::Places;

/// A change of a parameter that is not in its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The new value, as RON.
    pub value: String,
    /// The new value, as the page gave it.
    pub given: Json,
    /// The node that the page turned; nothing where it was a parameter of the graph.
    pub node: Option<String>,
    /// The parameter.
    pub parameter: String,
    /// The place as people read it.
    pub name: String,
    /// Why it cannot be made in the file as it is now.
    pub problem: Option<String>,
}

/// Changes by the place where they are written, in the order in which they were first made: what several
/// nodes share is one.
pub type Changes = IndexMap<Home, Change>;

/// What pages want.
#[derive(Default)]
pub struct Wants {
    /// Parameters that differ from the file.
    pub changes: Changes,
    /// The changes that should be written into the files, as they were when somebody said so.
    pub write: Option<Changes>,
    /// The ports that pages look at, by page: node and position of the output.
    pub looks: IndexMap<u64, Vec<(String, usize)>>,
}

/// What pages want, and a bell that tells of it. Cheap to clone.
#[derive(Clone)]
pub struct Wishes {
    wants: Arc<Mutex<Wants>>,
    bell: Sender<()>,
}

impl Wishes {
    /// No wishes yet, and the bell's other end.
    #[must_use]
    pub fn new() -> (Self, Receiver<()>) {
        let (bell, rings) = bounded(1);
        (Self { wants: Arc::default(), bell }, rings)
    }

    /// What is wanted, to look at and to change.
    pub fn wants(&self) -> MutexGuard<'_, Wants> {
        self.wants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells that something is wanted. A bell that rings already rings once.
    pub fn ring(&self) {
        match self.bell.try_send(()) {
            Ok(()) | Err(TrySendError::Full(()) | TrySendError::Disconnected(())) => {}
        }
    }

    /// The changes as they are now.
    #[must_use]
    pub fn changes(&self) -> Changes {
        self.wants().changes.clone()
    }

    /// Notes changes of files that a graph does not use any more: they can be made nowhere.
    pub fn check(&self, places: &Places) {
        for (home, change) in &mut self.wants().changes {
            if !places.may_write(&home.file) {
                change.problem =
                    Some(format!("{} is no part of the graph any more", places.shown(&home.file)));
            }
        }
    }

    /// The outputs of a graph that pages look at.
    #[must_use]
    pub fn looks(&self, loaded: &Loaded) -> Vec<Reference> {
        let wants = self.wants();
        let reference = |(name, output): &(String, usize)| {
            let spec = loaded.graph.nodes.get(name)?.node().spec();
            Some(Reference {
                node: name.as_str().into(),
                output: Some(spec.outputs.get(*output)?.name.into()),
            })
        };
        wants.looks.values().flatten().filter_map(reference).collect()
    }

    /// Whether a page looks at an output.
    #[must_use]
    pub fn looked_at(&self, node: &str, output: usize) -> bool {
        self.wants().looks.values().flatten().any(|(name, index)| name == node && *index == output)
    }

    /// A file's text with the changes made in it. A change that cannot be made is left out and says why.
    pub fn edit(&self, file: &Path, tree: Tree) -> Tree {
        let here = |(home, _): &(&Home, &Change)| &*home.file == file;
        let own = |(home, change): (&Home, &Change)| (home.clone(), change.clone());
        let mut tried: Changes = self.wants().changes.iter().filter(here).map(own).collect();
        // Meanwhile others must be able to say what they want.
        let tree = apply(&mut tried, file, tree);
        let found = tried.into_iter().map(|(home, change)| (home, change.value, change.problem));
        self.judge(found);
        tree
    }

    /// Notes of changes that they cannot be made, or can; those that have another value by now are left
    /// alone.
    pub fn judge(&self, found: impl IntoIterator<Item = (Home, String, Option<String>)>) {
        let mut wants = self.wants();
        for (home, value, problem) in found {
            if let Some(now) = wants.changes.get_mut(&home).filter(|now| now.value == value) {
                now.problem = problem;
            }
        }
    }

    /// Notes that the changes are to be written as they are now. What was to be written before still is.
    pub fn write(&self) {
        let mut wants = self.wants();
        let now = wants.changes.clone();
        wants.write.get_or_insert_default().extend(now);
    }
}

/// Makes the changes of a file in its text, which is parsed once.
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
    fn changes_go_into_the_newest_text_and_what_does_not_fit_says_why() {
        let (wishes, rings) = Wishes::new();
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
        wishes.wants().changes.insert(key("hills"), change("2.5"));
        wishes.wants().changes.insert(key("gone"), change("1.0"));
        wishes
            .wants()
            .changes
            .insert(Home { file: Path::new("/graphs/other.ron").into(), ..key("hills") }, change("9.0"));
        wishes.ring();
        wishes.ring();
        assert!(rings.try_recv().is_ok() && rings.try_recv().is_err(), "two rings are one");
        let text = "Graph(nodes: {\n  // Kept.\n  \"hills\": Perlin(amplitude: 1.0), // and this\n})";
        let edited = wishes.edit(file, Tree::parse(text));
        assert_eq!(edited.text(), text.replace("1.0", "2.5"));
        assert!(wishes.wants().changes[&key("gone")].problem.as_ref().unwrap().contains("gone"));
        assert_eq!(wishes.edit(file, Tree::parse("Graph(")).text(), "Graph(");
        assert!(wishes.wants().changes[&key("hills")].problem.is_some(), "a broken text keeps the change");
        wishes.edit(file, Tree::parse(text));
        assert!(wishes.wants().changes[&key("hills")].problem.is_none());
    }

    #[test]
    fn what_is_written_is_what_was_there_when_somebody_said_so() {
        let (_folder, loaded) = graph(&[("g.ron", "Graph(nodes: { \"a\": Take(), \"b\": Take() })")], &[]);
        let places = Places::new(&loaded);
        let (wishes, _rings) = Wishes::new();
        wishes.wants().changes = changes(&places, &[("a", "amount", "2.0")]);
        wishes.write();
        wishes.wants().changes = changes(&places, &[("b", "amount", "3.0")]);
        wishes.write();
        wishes.wants().changes.clear();
        let written = wishes.wants().write.take().unwrap();
        let values: Vec<&str> = written.values().map(|change| &*change.value).collect();
        assert_eq!(values, ["2.0", "3.0"]);
    }

    #[test]
    fn a_change_that_got_another_value_meanwhile_is_not_judged_by_the_old_one() {
        let (_folder, loaded) = graph(&[("g.ron", "Graph(nodes: { \"a\": Take() })")], &[]);
        let (wishes, _rings) = Wishes::new();
        wishes.wants().changes = changes(&Places::new(&loaded), &[("a", "amount", "2.0")]);
        let home = wishes.changes().get_index(0).unwrap().0.clone();
        wishes.judge([(home.clone(), "1.0".to_owned(), Some("too little".to_owned()))]);
        assert_eq!(wishes.changes()[0].problem, None);
        wishes.judge([(home, "2.0".to_owned(), Some("too much".to_owned()))]);
        assert!(wishes.changes()[0].problem.is_some());
    }

    #[test]
    fn a_change_of_a_file_that_is_used_no_more_says_so() {
        let part = ("sub/s.ron", "Graph(nodes: { \"x\": Take() })");
        let (folder, loaded) =
            graph(&[("g.ron", "Graph(nodes: { \"s\": Subgraph(file: \"sub/s.ron\") })"), part], &[]);
        let (wishes, _rings) = Wishes::new();
        let before = Places::new(&loaded);
        wishes.wants().changes = changes(&before, &[("s/x", "amount", "2.0")]);
        wishes.check(&before);
        assert_eq!(wishes.changes()[0].problem, None);
        let path = folder.path().join("g.ron");
        std::fs::write(&path, "Graph(nodes: { \"own\": Take() })").unwrap();
        wishes.check(&Places::new(&load(&path, &terrane_flow::LoadOptions::default())));
        let problem = wishes.changes()[0].problem.clone().unwrap();
        assert!(problem.ends_with("s.ron is no part of the graph any more"), "{problem}");
    }
}
