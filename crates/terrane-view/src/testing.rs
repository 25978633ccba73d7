//! Node types, graphs and changes for tests.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crossbeam_channel::Receiver;
use serde_json::Value as Json;
use terrane_flow::declared;
use terrane_flow::testing::{self, Number};
use terrane_flow::{
    Choice, Context, Disk, Evaluate, FilePath, Input, LoadOptions, Loaded, Node, NodeError, Overlay,
    Registry, Setting, load_file,
};

use crate::changes::{Change, Changes};
use crate::display::{Face, Faces};
use crate::editable::EditableValues;
use crate::page_requests::PageRequests;

/// How values are displayed: not at all.
pub const FACES: Faces = Faces {
    of: |_| Face::Nothing,
    size: |_| None,
    resize: |_| (String::new(), String::new()),
    is_height: |_| true,
    is_scene: |_| false,
    shorten: |_| (),
    lines: |_| None,
    suited: |_, _, _| None,
};

/// A manner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, Choice)]
pub enum Manner {
    /// Straight.
    #[default]
    Plain,
    /// Round.
    Wrap,
}

/// A node with parameters of all shapes.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "The amount.")]
pub struct Take {
    /// The amount.
    #[param(default = 1.0, min = 0.0, max = 10.0)]
    amount: f64,
    /// The number of times.
    #[param(default = 2, min = 1.0)]
    times: u32,
    /// The range.
    #[param(default = (0.0, 1.0))]
    range: (f64, f64),
    /// The points.
    #[param(default = Vec::new())]
    points: Vec<(f64, f64)>,
    /// The manner.
    #[param(default = None)]
    manner: Option<Manner>,
    /// The title.
    #[param(default = String::new())]
    title: String,
    /// The file.
    #[param(default = None)]
    file: Option<FilePath>,
}

impl Evaluate for Take {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Number(self.amount),))
    }
}

/// Another node, without those parameters.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "The count.")]
pub struct Give {
    /// The count.
    #[param(default = 1)]
    count: u32,
}

impl Evaluate for Give {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Number(self.count.into()),))
    }
}

/// A node with ports that need a wire.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "The sum.")]
pub struct Sum {
    /// The one.
    #[input]
    left: Input<Number>,
    /// The other.
    #[input]
    right: Input<Number>,
}

impl Evaluate for Sum {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Number(self.left.get().0 + self.right.get().0),))
    }
}

pub fn registry() -> Registry {
    let mut registry = Registry::new(declared::family(|_, _| testing::header()));
    registry.add::<Take>().unwrap();
    registry.add::<Give>().unwrap();
    registry.add::<Sum>().unwrap();
    registry
}

/// Requests of pages, without any file that steps make.
pub fn requests() -> (PageRequests, Receiver<()>) {
    PageRequests::new(Arc::new(registry()), Arc::new(Overlay::new(Arc::new(Disk))))
}

/// A folder with files, and the graph in the first of them.
pub fn graph(files: &[(&str, &str)], set: &[(&str, &str)]) -> (tempfile::TempDir, Arc<Loaded>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let set = set.iter().map(|(name, value)| Setting::param(*name, *value)).collect();
    let loaded = load(&folder.path().join(files[0].0), &LoadOptions { set, ..LoadOptions::default() });
    (folder, loaded)
}

pub fn load(path: &Path, options: &LoadOptions) -> Arc<Loaded> {
    Arc::new(load_file(path, &registry(), options).unwrap_or_else(|errors| panic!("{errors}")))
}

/// A function that loads a graph with edits, as a preview does.
pub fn reader(path: &Path) -> Box<crate::load_check::Read<'static>> {
    let path = path.to_owned();
    Box::new(move |edit| {
        terrane_flow::load_edited(&path, &registry(), &LoadOptions::default(), edit).0.map(|_| ())
    })
}

/// Changes of fields of nodes. An empty node name means a parameter of the graph.
pub fn changes(editable: &EditableValues, all: &[(&str, &str, &str)]) -> Changes {
    let mut changes = Changes::default();
    for (node, parameter, value) in all {
        let place = if node.is_empty() { editable.param(parameter) } else { editable.field(node, parameter) };
        let place = place.unwrap();
        let change = Change {
            value: (*value).to_owned(),
            given: Json::Null,
            node: (!node.is_empty()).then(|| (*node).to_owned()),
            parameter: (*parameter).to_owned(),
            name: editable.name(&place.home),
            problem: None,
            keep: false,
            is_same: false,
        };
        changes.insert(place.home, change);
    }
    changes
}
