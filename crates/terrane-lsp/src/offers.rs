//! The outputs of a file's nodes, which wires can carry, also of nodes in the files of subgraphs.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use terrane_flow::suggest::nearest;
use terrane_flow::syntax::{Call, Form, Tree};
use terrane_flow::{Files, Kind, NodeSpec, Registry};

use crate::habits::Habits;
use crate::outline::{Outline, spec_of};
use crate::workspace::{real, text_of};

/// Files in files that are read for one request, at most.
const MOST: usize = 200;
/// Names of a folder that are proposed, at most.
const MOST_NAMES: usize = 1000;

/// An output that a wire can carry.
#[derive(Clone, Debug)]
pub struct Offer {
    /// `"node"` or `"node.output"`.
    pub reference: String,
    /// Whether a shorter reference means the same output.
    pub is_long: bool,
    /// The position of the node in its file.
    pub node: usize,
    /// Its kind.
    pub kind: &'static Kind,
    /// The output's own name.
    pub name: &'static str,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// What it is.
    pub docs: &'static str,
    /// The type of its node.
    pub of: &'static NodeSpec,
}

/// Whether a name in plain quotes is a reference.
fn can_be_quoted(name: &str) -> bool {
    !name.trim().is_empty() && !name.contains(['"', '\\', '$'])
}

/// Where files are read from.
pub struct Place<'a> {
    /// The node types.
    pub registry: &'a Registry,
    /// The files.
    pub files: &'a dyn Files,
    /// The file that is read, after those that name it.
    path: Vec<PathBuf>,
    /// How many files may still be read.
    left: Rc<Cell<usize>>,
    /// The folder below which files are read: that of the first file.
    root: PathBuf,
    /// What the other files of the folder usually write.
    pub habits: Option<&'a Habits>,
}

impl<'a> Place<'a> {
    /// Where a file lies.
    #[must_use]
    pub fn new(registry: &'a Registry, files: &'a dyn Files, path: &Path) -> Self {
        let root = real(path.parent().unwrap_or(Path::new("")));
        Self {
            registry,
            files,
            path: vec![path.to_owned()],
            left: Rc::new(Cell::new(MOST)),
            root,
            habits: None,
        }
    }

    /// The same place, with what the other files of the folder usually write.
    #[must_use]
    pub fn with_habits(self, habits: &'a Habits) -> Self {
        Self { habits: Some(habits), ..self }
    }

    /// The outputs of all nodes of a file.
    #[must_use]
    pub fn offers(&self, outline: &Outline<'_>) -> Vec<Offer> {
        let mut all = Vec::new();
        for (index, node) in outline.nodes.iter().enumerate() {
            // A name that needs another kind of quotes, or none at all, is the author's to write.
            let Some(call) = node.call().filter(|_| can_be_quoted(node.name)) else { continue };
            // A type that is misspelt, or half typed, is the one that is most like it.
            let nearest = || {
                let known: Vec<&str> = self.registry.nodes().map(|own| own.spec().name).collect();
                spec_of(self.registry, nearest(call.name(), &known)?)
            };
            let Some(spec) = spec_of(self.registry, call.name()).or_else(nearest) else { continue };
            if !spec.outputs.is_empty() {
                all.extend(own(spec, node.name, index));
                continue;
            }
            let Some((tree, place)) = self.inner(call) else { continue };
            let inner = Outline::of(&tree);
            let offered = place.offers(&inner);
            let by_name: HashMap<&str, &Offer> =
                offered.iter().map(|offer| (&*offer.reference, offer)).collect();
            let mut is_first = true;
            for output in &inner.outputs {
                let written = output.value.map(|value| {
                    let call = value.call().and_then(|call| call.group().get("from")?.value());
                    call.unwrap_or(value).text().trim_matches('"')
                });
                let Some(offer) = written.and_then(|written| by_name.get(written)) else { continue };
                let stem = Path::new(output.name).file_stem().unwrap_or_default().to_string_lossy();
                let named = format!("{}.{stem}", node.name);
                all.extend(names(node.name, named, is_first).map(|(reference, is_long)| Offer {
                    reference,
                    is_long,
                    node: index,
                    ..(*offer).clone()
                }));
                is_first = false;
            }
            all.extend(offered.iter().map(|offer| Offer {
                reference: format!("{}/{}", node.name, offer.reference),
                node: index,
                ..offer.clone()
            }));
        }
        all
    }

    /// The tree of the file that a subgraph or a repetition names, and where it lies.
    #[must_use]
    pub fn inner(&self, call: Call<'_>) -> Option<(Tree, Self)> {
        let value = call.group().get("file")?.value()?;
        let Form::Text(written) = value.form() else { return None };
        self.file(written.trim_matches('"'))
    }

    /// The file that is read.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.path.last().map_or(Path::new(""), PathBuf::as_path)
    }

    /// The path of a file that this one names.
    #[must_use]
    pub fn join(&self, given: &str) -> PathBuf {
        let folder = self.path.last().and_then(|path| path.parent()).unwrap_or(Path::new(""));
        folder.join(given)
    }

    /// Whether there is something at a path that this file could name.
    #[must_use]
    pub fn exists(&self, given: &str) -> bool {
        self.join(given).symlink_metadata().is_ok() || self.files.open(&self.join(given)).is_ok()
    }

    /// The tree of another file, and where it lies; `None` if it cannot be read or names this one.
    #[must_use]
    pub fn file(&self, given: &str) -> Option<(Tree, Self)> {
        let path = self.join(given);
        if self.path.contains(&path) || self.left.get() == 0 || !real(&path).starts_with(&self.root) {
            return None;
        }
        self.left.set(self.left.get() - 1);
        let text = text_of(self.files, &path)?;
        let path = self.path.iter().cloned().chain([path]).collect();
        let (left, root) = (Rc::clone(&self.left), self.root.clone());
        Some((
            Tree::parse(text),
            Self { registry: self.registry, files: self.files, path, left, root, habits: self.habits },
        ))
    }

    /// The files and folders to which a path that is begun may lead: those in its folder, and then the files
    /// in the folders there. Names of folders end in `/`.
    #[must_use]
    pub fn names(&self, begun: &str) -> Vec<String> {
        let folder = self.join(&begun[..begun.rfind('/').map_or(0, |at| at + 1)]);
        let mut names = self.listed(&folder);
        let folders: Vec<String> = names.iter().filter(|name| name.ends_with('/')).cloned().collect();
        for inner in folders {
            let left = MOST_NAMES.saturating_sub(names.len());
            let files = self.listed(&folder.join(&inner)).into_iter().filter(|name| !name.ends_with('/'));
            names.extend(files.take(left).map(|name| format!("{inner}{name}")));
        }
        names
    }

    /// What is in a folder, unless the folder is outside the one that is open.
    fn listed(&self, folder: &Path) -> Vec<String> {
        if !real(folder).starts_with(&self.root) {
            return Vec::new();
        }
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<String> = entries
            .filter_map(Result::ok)
            .take(MOST_NAMES)
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
                Some(if entry.path().is_dir() { name + "/" } else { name })
            })
            .collect();
        names.sort();
        names
    }
}

/// The outputs of a node of a registered type.
fn own<'a>(spec: &'static NodeSpec, node: &'a str, index: usize) -> impl Iterator<Item = Offer> + 'a {
    spec.outputs.iter().enumerate().flat_map(move |(at, output)| {
        let named = format!("{node}.{}", output.name);
        names(node, named, at == 0).map(move |(reference, is_long)| Offer {
            is_long,
            reference,
            node: index,
            kind: output.kind,
            name: output.name,
            unit: output.unit,
            docs: output.docs,
            of: spec,
        })
    })
}

/// The references to an output, and whether there is a shorter one: the first output of a node has two.
fn names(node: &str, named: String, is_first: bool) -> impl Iterator<Item = (String, bool)> + use<> {
    let short = is_first.then(|| (node.to_owned(), false));
    short.into_iter().chain([(named, is_first)])
}
