//! The state that is sent to pages: the graph and the progress of its evaluation. Pages receive only the
//! latest state; states are not queued.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use terrane_flow::syntax::Problem;
use terrane_flow::{
    Diagnostic, Diagnostics, Event, Home, Key, Loaded, NodeError, NodeSpec, Slot, ValueId, lock,
};
use tokio::sync::watch;

use crate::changes::Change;
use crate::describe::{describe_graph, describe_mistake};
use crate::display::Faces;
use crate::draft::Step;
use crate::editable::EditableValues;
use crate::layout::{Heights, Layout};
use crate::page_requests::Requests;
use crate::page_texts::{Seen, Texts};
use crate::preview_source::PreviewSource;
use crate::reach::Reach;

/// Maximum number of errors sent to pages. Their total number is sent too.
const MAX_ERRORS: usize = 20;

/// The state that is sent to pages, and its subscribers. Cheap to clone.
#[derive(Clone)]
pub struct SharedState {
    state: Arc<Mutex<PageState>>,
    version: Arc<watch::Sender<u64>>,
}

/// The state that is sent to pages.
#[derive(Default)]
pub struct PageState {
    /// The number of the current job. Events of older jobs are ignored.
    pub generation: u64,
    phase: Phase,
    graph: Option<Arc<str>>,
    loaded: Option<Arc<Loaded>>,
    editable: Option<Arc<EditableValues>>,
    revision: u64,
    /// Where the nodes stand in the drawing of the graph.
    heights: Heights,
    size: Option<(usize, usize)>,
    /// The size of the coarse evaluation, while shown results may come from it.
    coarse: Option<(usize, usize)>,
    /// Whether the current job is a coarse evaluation.
    now_coarse: bool,
    nodes: IndexMap<Arc<str>, NodeState>,
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
    texts: Texts,
    /// The names of the texts that pages can show, and the graph's files.
    reach: Option<(Reach, Vec<String>)>,
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

/// The progress and the results of a node.
struct NodeState {
    status: &'static str,
    fraction: f64,
    time: Option<Duration>,
    /// How long the node took at full size.
    full_time: Option<Duration>,
    bytes: u64,
    error: Option<Problem>,
    /// The identities of the outputs, and the graph that they come from.
    outputs: Option<ContentSource>,
    /// The previous outputs, which a page may still request.
    before: Option<ContentSource>,
    coarse: bool,
    /// Whether the outputs are those of the current graph, at full size.
    full: bool,
    /// The key with which the outputs were evaluated at full size, if it is known.
    key: Option<Key>,
}

/// The identities of a node's outputs, and the graph that they come from.
type ContentSource = (Arc<[ValueId]>, Arc<Loaded>);

impl Default for SharedState {
    fn default() -> Self {
        Self { state: Arc::default(), version: Arc::new(watch::Sender::new(0)) }
    }
}

impl SharedState {
    /// Changes the state and notifies subscribers.
    pub fn change(&self, change: impl FnOnce(&mut PageState)) {
        change(&mut self.lock());
        self.version.send_modify(|version| *version += 1);
    }

    /// Subscribes to changes. Several changes may arrive as one notification.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The messages for a page: the graph, unless its revision is the `known` one that the page already has,
    /// then the state, and the current revision.
    #[must_use]
    pub fn tell(&self, known: Option<u64>) -> (Option<Arc<str>>, String, u64) {
        let state = self.lock();
        let graph = state.graph.clone().filter(|_| known != Some(state.revision));
        (graph, state.to_json().to_string(), state.revision)
    }

    /// The graph, the node and the output that content comes from.
    #[must_use]
    pub fn find(&self, id: &ValueId) -> Option<(Arc<Loaded>, Arc<str>, usize)> {
        self.lock().nodes.iter().find_map(|(name, node)| {
            node.outputs.iter().chain(&node.before).find_map(|(ids, loaded)| {
                let output = ids.iter().position(|known| known == id)?;
                Some((Arc::clone(loaded), Arc::clone(name), output))
            })
        })
    }

    /// Whether a node's outputs are those of the current graph, at full size.
    #[must_use]
    pub fn is_full(&self, node: &str) -> bool {
        self.lock().nodes.get(node).is_some_and(|node| node.full)
    }

    /// The values of the graph that can be changed.
    #[must_use]
    pub fn editable(&self) -> Option<Arc<EditableValues>> {
        self.lock().editable.clone()
    }

    /// How long a node took when it last ran at full size.
    #[must_use]
    pub fn cost(&self, node: &str) -> Option<Duration> {
        self.lock().nodes.get(node)?.full_time
    }

    /// Whether the graph has a node.
    #[must_use]
    pub fn has_node(&self, node: &str) -> bool {
        self.lock().loaded.as_ref().is_some_and(|loaded| loaded.graph.nodes.contains_key(node))
    }

    /// Where a node is in a text: the file, the line and the column, both counted from 1.
    #[must_use]
    pub fn place_of(&self, node: &str) -> Option<(PathBuf, usize, usize)> {
        let loaded = self.lock().loaded.clone()?;
        let location = loaded.graph.nodes.get(node)?.location.as_ref()?;
        let (line, column) = location.source.line_column(location.name.start);
        Some((location.scope.file.as_ref()?.to_path_buf(), line, column))
    }

    /// Sets the texts that pages show, and notifies pages if they have changed.
    pub fn texts(&self, texts: Texts, reach: Option<Reach>) {
        let names = reach.as_ref().map(Reach::texts).unwrap_or_default();
        let (now, mut state) = (reach.map(|reach| (reach, names)), self.lock());
        let is_same = state.texts == texts
            && now.as_ref().map(|(_, names)| names) == state.reach.as_ref().map(|(_, names)| names);
        state.reach = now;
        if !is_same {
            state.texts = texts;
            drop(state);
            self.version.send_modify(|version| *version += 1);
        }
    }

    /// The text of a file as a message for a page, and the last edit of the page that it contains.
    #[must_use]
    pub fn text(&self, file: &str, page: u64) -> Option<(Arc<Json>, Option<Seen>)> {
        let state = self.lock();
        Some((Arc::clone(state.texts.files.get(file)?), state.texts.seen.get(&page).cloned()))
    }

    fn lock(&self) -> MutexGuard<'_, PageState> {
        lock(&self.state)
    }
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

    fn to_json(&self) -> Json {
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

impl NodeState {
    fn new() -> Self {
        Self {
            status: "planned",
            fraction: 0.0,
            time: None,
            full_time: None,
            bytes: 0,
            error: None,
            outputs: None,
            before: None,
            coarse: false,
            full: false,
            key: None,
        }
    }

    fn to_json(&self) -> Json {
        let ids: Vec<String> =
            self.outputs.iter().flat_map(|(ids, _)| ids.iter().map(ValueId::hex)).collect();
        json!({
            "status": self.status, "fraction": self.fraction,
            "seconds": self.time.map(|time| time.as_secs_f64()),
            "bytes": self.bytes, "error": self.error.as_ref().map(|error| (&error.message, &error.help)),
            "ids": ids, "coarse": self.coarse,
        })
    }
}

#[cfg(test)]
mod tests;
