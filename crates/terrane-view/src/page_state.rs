//! The state that is sent to pages: the graph and the progress of its evaluation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use terrane_flow::syntax::Problem;
use terrane_flow::{Diagnostic, Diagnostics, Event, Home, Key, Loaded, NodeError, NodeSpec, Slot, ValueId};

use crate::changes::Change;
use crate::describe::{describe_graph, describe_mistake};
use crate::display::Faces;
use crate::draft::Step;
use crate::editable::EditableValues;
use crate::layout::{Heights, Layout};
use crate::node_state::NodeState;
use crate::page_requests::Requests;
use crate::page_texts::Texts;
use crate::preview_source::PreviewSource;
use crate::reach::Reach;

/// Maximum number of errors sent to pages. Their total number is sent too.
const MAX_ERRORS: usize = 20;

/// The state that is sent to pages.
#[derive(Default)]
pub struct PageState {
    /// The number of the current job. Events of older jobs are ignored.
    pub generation: u64,
    phase: Phase,
    pub graph: Option<Arc<str>>,
    pub loaded: Option<Arc<Loaded>>,
    pub editable: Option<Arc<EditableValues>>,
    pub revision: u64,
    /// Where the nodes stand in the drawing of the graph.
    heights: Heights,
    size: Option<(usize, usize)>,
    /// The size of the coarse evaluation, while shown results may come from it.
    coarse: Option<(usize, usize)>,
    /// Whether the current job is a coarse evaluation.
    now_coarse: bool,
    pub nodes: IndexMap<Arc<str>, NodeState>,
    /// The first mistakes in the graph, at most `MAX_ERRORS`.
    errors: Vec<Json>,
    /// The total number of mistakes in the graph.
    mistakes: usize,
    warnings: Vec<String>,
    /// What is probably not meant in the graph.
    lints: Vec<Json>,
    notice: Option<String>,
    changes: Vec<Json>,
    steps: Vec<Json>,
    /// What *Undo* and *Redo* do.
    history: Json,
    /// Whether the graph's file does not exist.
    missing: bool,
    /// The tag of the last edit, and the node that it made.
    made: Json,
    /// Whether a page has requested a change.
    spoken: bool,
    /// The texts that pages show.
    pub texts: Texts,
    /// The names of the texts that pages can show, and the graph's files.
    pub reach: Option<(Reach, Vec<String>)>,
    /// The node that an editor wants to be seen, and how often it wanted one.
    show: (u64, String),
    began: Option<Instant>,
    took: Duration,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Waiting,
    Running,
    Done,
}

impl PageState {
    /// Sets the graph and returns its editable values. Nodes with the same name keep their results until they
    /// are evaluated again.
    pub fn graph(
        &mut self,
        loaded: &Arc<Loaded>,
        source: &PreviewSource,
        size: Option<(usize, usize)>,
        faces: &Faces,
        header: &'static NodeSpec,
    ) -> Arc<EditableValues> {
        self.revision += 1;
        let editable = EditableValues::of(loaded, source.world.as_deref()).with_header(header);
        let editable = Arc::new(editable);
        let layout = Layout::new(&loaded.plan, &self.heights);
        self.heights = layout.heights(&loaded.plan);
        let mut graph = describe_graph(loaded, &editable, self.revision, faces, &layout);
        if let Some(title) = &source.title {
            graph["title"] = json!(title);
        }
        self.graph = Some(graph.to_string().into());
        self.loaded = Some(Arc::clone(loaded));
        self.editable = Some(Arc::clone(&editable));
        self.size = size;
        self.coarse = None;
        self.errors.clear();
        self.missing = false;
        self.mistakes = 0;
        let mut old = std::mem::take(&mut self.nodes);
        for name in &loaded.plan.names {
            let mut node = old.swap_remove(name).unwrap_or_else(NodeState::new);
            node.full = false;
            self.nodes.insert(Arc::clone(name), node);
        }
        editable
    }

    /// Takes the keys of the nodes of a new graph. Nodes that have the same key as before keep their results.
    pub fn known(&mut self, keys: &[Option<Key>]) {
        for (node, key) in self.nodes.values_mut().zip(keys) {
            node.full = key.is_some() && node.key == *key;
        }
    }

    /// Records the keys with which nodes of a graph were evaluated.
    pub fn keys(&mut self, loaded: &Arc<Loaded>, keys: &[Option<Key>]) {
        if self.loaded.as_ref().is_some_and(|now| Arc::ptr_eq(now, loaded)) {
            for (node, key) in self.nodes.values_mut().zip(keys).filter(|(node, _)| node.full) {
                node.key = *key;
            }
        }
    }

    /// Starts evaluating what is not known.
    pub fn begin(&mut self, started: Instant) {
        self.phase = Phase::Running;
        self.began = Some(started);
        self.warnings.clear();
        for node in self.nodes.values_mut() {
            node.status = if node.full { "cached" } else { "planned" };
            node.fraction = 0.0;
            node.error = None;
        }
    }

    /// Starts a job; `coarse` is its size if it differs from the graph's.
    pub fn begin_stage(&mut self, generation: u64, coarse: Option<(usize, usize)>) {
        self.generation = generation;
        self.coarse = coarse.or(self.coarse);
        self.now_coarse = coarse.is_some();
        for node in self.nodes.values_mut().filter(|node| !node.full) {
            node.status = "planned";
            node.fraction = 0.0;
            node.error = None;
        }
    }

    /// Sets the errors of a graph that does not load. The results stay.
    pub fn broken(&mut self, diagnostics: &Diagnostics) {
        let reach = self.reach.as_ref().map(|(reach, _)| reach);
        let mistake = |mistake| describe_mistake(mistake, reach);
        self.errors = diagnostics.0.iter().take(MAX_ERRORS).map(mistake).collect();
        self.mistakes = diagnostics.0.len();
    }

    /// Sets what is probably not meant in the graph.
    pub fn lints(&mut self, warnings: &[(String, Diagnostic)], reach: Option<&Reach>) {
        let lint = |(node, warning): &(String, Diagnostic)| {
            let mut lint = describe_mistake(warning, reach);
            lint["node"] = json!(node);
            lint["excerpt"] = Json::Null;
            lint
        };
        self.lints = warnings.iter().take(MAX_ERRORS).map(lint).collect();
    }

    /// Sets the outputs of a node.
    pub fn set_outputs(&mut self, node: &str, ids: &[ValueId], loaded: &Arc<Loaded>, coarse: bool) {
        // Results of fewer samples replace no full ones.
        if let Some(node) = self.nodes.get_mut(node).filter(|node| !(coarse && node.full)) {
            let old = node.outputs.replace((ids.into(), Arc::clone(loaded)));
            if let Some(old) = old.filter(|(old, _)| **old != *ids) {
                node.before = Some(old);
            }
            (node.coarse, node.full) = (coarse, !coarse);
        }
    }

    /// Applies an event of the job.
    pub fn event(&mut self, event: &Event) {
        let (name, status) = match event {
            Event::Planned { .. } => return,
            // Those of fewer samples come again.
            Event::Warning { .. } if self.now_coarse => return,
            Event::Warning { node, message } => {
                const MOST: usize = 20;
                let of = node.as_ref().map_or_else(String::new, |node| format!("{node}: "));
                let warning = format!("{of}{message}");
                self.warnings.retain(|other| *other != warning);
                self.warnings.push(warning);
                let many = self.warnings.len().saturating_sub(MOST);
                self.warnings.drain(..many);
                return;
            }
            Event::Started { node } | Event::Progress { node, .. } => (node, "running"),
            Event::Finished { node, .. } => (node, "done"),
            Event::Cached { node } => (node, "cached"),
            Event::Failed { node, .. } => (node, "failed"),
            Event::Skipped { node, .. } => (node, "skipped"),
            Event::Cancelled { node } => (node, "cancelled"),
        };
        let Some(node) = self.nodes.get_mut(name).filter(|node| !(self.now_coarse && node.full)) else {
            return;
        };
        node.status = status;
        match event {
            Event::Progress { fraction, .. } => node.fraction = *fraction,
            Event::Finished { time, bytes, .. } => {
                (node.time, node.bytes) = (Some(*time), *bytes);
                if !self.now_coarse {
                    node.full_time = Some(*time);
                }
            }
            Event::Failed { error, .. } => {
                let help =
                    if let NodeError::Failed { help, .. } = error { help.clone() } else { String::new() };
                node.error = Some(Problem::new(error.to_string(), help));
            }
            Event::Skipped { because, .. } => {
                node.error = Some(Problem::new(format!("needs `{because}`, which failed"), String::new()));
            }
            _ => {}
        }
    }

    /// Marks the last job of a graph as done.
    pub fn done(&mut self) {
        self.phase = Phase::Done;
        self.coarse = None;
        // No page shows these.
        let planned = self.nodes.values_mut().filter(|node| node.status == "planned");
        planned.for_each(|node| node.status = "unseen");
        self.took = self.began.take().map_or(Duration::ZERO, |began| began.elapsed());
    }

    /// Sets the message that the page shows once, such as that a file was written.
    pub fn notice(&mut self, notice: Option<String>) {
        self.notice = notice;
    }

    /// Records that a page has requested a change.
    pub fn spoken(&mut self) {
        self.spoken = true;
    }

    /// Sets whether the graph's file does not exist.
    pub fn missing(&mut self, missing: bool) {
        self.missing = missing;
    }

    /// Asks all pages to select a node.
    pub fn show(&mut self, node: &str) {
        self.show = (self.show.0 + 1, node.to_owned());
    }

    /// Names the node that a request with this tag made.
    pub fn made(&mut self, tag: String, node: Option<String>) {
        self.made = json!({ "tag": tag, "node": node });
    }

    /// Sets what differs from the files, and what can be undone.
    pub fn draft(&mut self, requests: &Requests) {
        let change = |(home, change): (&Home, &Change)| {
            json!({
                "header": matches!(home.slot, Slot::Header { .. }), "home": change.name,
                "node": change.node, "parameter": change.parameter,
                "value": change.value,
                "given": change.given, "problem": change.problem,
            })
        };
        let step = |step: &Arc<Step>| {
            json!({
                "number": step.number, "said": step.structure.said(), "given": step.given,
                "problem": step.problem, "text": step.structure.is_text(),
            })
        };
        self.changes = requests.draft.changes.iter().map(change).collect();
        self.steps = requests.draft.steps.iter().map(step).collect();
        let history = &requests.history;
        self.history = json!({ "undo": history.last(), "redo": history.next(), "turned": history.turned() });
    }

    /// The message for pages.
    pub fn to_json(&self) -> Json {
        let phase = match self.phase {
            Phase::Waiting => "waiting",
            Phase::Running => "running",
            Phase::Done => "done",
        };
        let nodes: Vec<Json> = self.nodes.values().map(NodeState::to_json).collect();
        json!({
            "type": "state", "revision": self.revision, "phase": phase, "size": self.size,
            "coarse": self.coarse,
            "nodes": nodes, "errors": self.errors, "mistakes": self.mistakes, "spoken": self.spoken,
            "warnings": self.warnings, "lints": self.lints, "notice": self.notice,
            "changes": self.changes, "steps": self.steps, "history": self.history, "made": self.made,
            "missing": self.missing, "show": self.show,
            "files": self.reach.as_ref().map(|(_, names)| names),
            "took": self.took.as_secs_f64(),
        })
    }
}
