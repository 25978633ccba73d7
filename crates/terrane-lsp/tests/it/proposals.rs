//! Each wire, field and choice of the graphs is left out in turn: what is proposed in its place?

use std::path::Path;
use std::sync::LazyLock;

use terrane_flow::syntax::{Form, Tree};
use terrane_flow::{Declare as _, Disk, Shape};
use terrane_lsp::completion::complete;
use terrane_lsp::document::Document;
use terrane_lsp::expected::Types;
use terrane_lsp::habits::Habits;
use terrane_lsp::lines::Encoding;
use terrane_lsp::offers::Place;
use terrane_lsp::outline::{Outline, entries, spec_of, uses};
use terrane_runs::world::World;

use crate::graphs::graphs;

/// What all graphs of the repository write: of each, its own is left out.
static HABITS: LazyLock<Habits> = LazyLock::new(|| {
    let mut habits = Habits::default();
    graphs().into_iter().for_each(|(path, text)| habits.take(&path, &Tree::parse(text)));
    habits
});

/// The labels that are proposed at a byte of a text.
pub fn proposed(path: &Path, text: String, offset: usize) -> Vec<String> {
    let registry = terrane_nodes::registry();
    let uri = "file:///graph.ron".parse().unwrap();
    let document = Document::new(uri, path.to_owned(), 1, text, Encoding::Utf8);
    let others = [World::spec()];
    let types = Types::new(&registry, &others);
    let place = Place::new(&registry, &Disk, path).with_habits(&HABITS);
    complete(&document, offset, &types, &place, true).0.into_iter().map(|item| item.label).collect()
}

/// How often the right proposal was among the first, of how many.
#[derive(Default)]
pub struct Rate {
    first: usize,
    three: usize,
    all: usize,
    misses: Vec<String>,
}

impl Rate {
    pub fn add(&mut self, wanted: &str, labels: &[String], place: String) {
        let rank = labels.iter().position(|label| label == wanted);
        self.all += 1;
        self.first += usize::from(rank == Some(0));
        self.three += usize::from(rank.is_some_and(|rank| rank < 3));
        if rank.is_none_or(|rank| rank >= 3) {
            self.misses.push(format!("{place}: {wanted} is {rank:?} of {}", labels.len()));
        }
    }

    /// Fails if fewer than a share of at least so many were among the first three, and names those.
    pub fn assert(&self, what: &str, share: f64, least: usize) {
        let reached = self.three as f64 / self.all as f64;
        let report = format!("{} of {} {what} among three, {} first", self.three, self.all, self.first);
        assert!(self.all >= least && reached >= share, "{report}\n{}", self.misses.join("\n"));
    }
}

/// Without any letter of it, and with its first letter, a wire is among the first three proposals.
#[test]
fn wires_that_are_left_out_are_proposed() {
    let registry = terrane_nodes::registry();
    let (mut none, mut one) = (Rate::default(), Rate::default());
    for (path, text) in graphs() {
        let tree = Tree::parse(&*text);
        let outline = Outline::of(&tree);
        for used in uses(&outline, &registry) {
            let Some(reader) = used.reader else { continue };
            let mut without = text.clone();
            without.replace_range(used.span.clone(), "");
            let labels = proposed(&path, without, used.span.start);
            let place = || format!("{}: {reader}.{}", path.display(), used.port);
            none.add(used.reference, &labels, place());
            let begun: String = used.reference.chars().take(1).collect();
            let labels: Vec<String> = labels.into_iter().filter(|label| label.starts_with(&begun)).collect();
            one.add(used.reference, &labels, place());
        }
    }
    none.assert("wires", 0.95, 100);
    one.assert("begun wires", 0.98, 100);
}

/// Without any letter of it, and with its first letter, a field is among the first three proposals. Most
/// fields can be left out: which one comes next is the author's choice, of which other graphs tell.
#[test]
fn fields_that_are_left_out_are_proposed() {
    let registry = terrane_nodes::registry();
    let (mut none, mut one) = (Rate::default(), Rate::default());
    for (path, text) in graphs() {
        let tree = Tree::parse(&*text);
        for node in Outline::of(&tree).nodes {
            let Some(call) = node.call() else { continue };
            if spec_of(&registry, call.name()).is_none() {
                continue;
            }
            for field in entries(call.group()) {
                let mut without = text.clone();
                without.replace_range(field.span.clone(), "");
                let labels = proposed(&path, without, field.span.start);
                none.add(field.name, &labels, format!("{}: {}", path.display(), node.name));
                let labels: Vec<String> =
                    labels.into_iter().filter(|label| label.starts_with(&field.name[..1])).collect();
                one.add(field.name, &labels, format!("{}: {}", path.display(), node.name));
            }
        }
    }
    none.assert("fields", 0.95, 100);
    one.assert("begun fields", 0.99, 100);
}

/// Without any letter of it, and with its first letter, a choice is among the first three proposals.
#[test]
fn choices_that_are_left_out_are_proposed() {
    let registry = terrane_nodes::registry();
    let (mut none, mut one) = (Rate::default(), Rate::default());
    for (path, text) in graphs() {
        let tree = Tree::parse(&*text);
        for node in Outline::of(&tree).nodes {
            let Some(call) = node.call() else { continue };
            let Some(spec) = spec_of(&registry, call.name()) else { continue };
            for field in entries(call.group()) {
                let param = spec.params.iter().find(|param| param.name == field.name);
                let is_choice = param.is_some_and(|param| matches!((param.shape)(), Shape::Choice(_)));
                let Some(value) = field.value.filter(|_| is_choice) else { continue };
                let Form::Word(word) = value.form() else { continue };
                let mut without = text.clone();
                without.replace_range(value.span(), "");
                let labels = proposed(&path, without, value.span().start);
                let place = || format!("{}: {}.{}", path.display(), node.name, field.name);
                none.add(word, &labels, place());
                let labels: Vec<String> =
                    labels.into_iter().filter(|label| label.starts_with(&word[..1])).collect();
                one.add(word, &labels, place());
            }
        }
    }
    none.assert("choices", 0.95, 100);
    one.assert("begun choices", 0.98, 100);
}

/// Each beginning of each graph, cut at each token, is answered without panic, and what is proposed where a
/// token was begun contains that token, if it is one that could be proposed.
#[test]
fn every_beginning_of_every_graph_is_answered() {
    let registry = terrane_nodes::registry();
    let others = [World::spec()];
    let types = Types::new(&registry, &others);
    let mut count = 0;
    for (path, text) in graphs() {
        let tree = Tree::parse(&*text);
        let ends: Vec<usize> = tree.tokens_from(0).map(|(_, span)| span.end).collect();
        // Long graphs have many tokens alike.
        let every = 1 + ends.len() / 300;
        for &end in ends.iter().step_by(every) {
            let uri = "file:///graph.ron".parse().unwrap();
            let document = Document::new(uri, path.clone(), 1, text[..end].to_owned(), Encoding::Utf16);
            let place = Place::new(&registry, &Disk, &path);
            let _proposed = complete(&document, end, &types, &place, true);
            let _hover = terrane_lsp::hover::hover(&document, end, &types, &place);
            let _symbols = terrane_lsp::symbols::symbols(&document);
            let _folds = terrane_lsp::symbols::folds(&document);
            let _definition = terrane_lsp::navigation::definition(&document.tree, end, &place);
            count += 1;
        }
    }
    assert!(count > 5000, "{count}");
}
