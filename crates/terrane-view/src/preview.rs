//! The main loop of a preview: loads the graph, evaluates it coarsely and then in full, and updates pages.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crossbeam_channel::Receiver;
use serde_json::Value as Json;
use terrane_flow::live::{Live, Turn};
use terrane_flow::{
    Diagnostic, Diagnostics, EditTree, Home, Job, Loaded, Observer, Reference, Seen, Session,
};

use crate::connected::connected;
use crate::display::Faces;
use crate::draft::{Asked, Desired, Draft, Moment, Step, Structure};
use crate::editable::EditableValues;
use crate::load_check::{self, Read};
use crate::page_requests::{PageRequests, Request, Requests};
use crate::preview_source::PreviewSource;
use crate::set_text::turn;
use crate::shared_state::SharedState;
use crate::stages::{Stage, Work, keys, last_of, positions, stages, unasked};
use crate::store::Store;
use crate::template::Start;
use crate::thumbnail::{thumbnail, thumbnail_name};
use crate::view_event::Told;
use crate::write::{Apply, Outcome, write};

/// If a side has more samples than this, a coarse terrain is shown first.
const FINE: usize = 600;
/// Samples along the longest side of a coarse terrain.
const COARSE: usize = 257;

/// A preview's loop, and what it shares with the server.
pub struct Preview {
    /// Evaluates the graph.
    pub session: Session,
    /// How values are displayed.
    pub faces: Faces,
    /// The file that the preview shows.
    pub source: PreviewSource,
    /// How a missing file is begun.
    pub start: Start,
    /// The state that is sent to pages.
    pub shared: SharedState,
    /// The requests of pages.
    pub requests: PageRequests,
    /// Cached values and pictures.
    pub store: Arc<Store>,
    /// Maximum bytes of memory for values and running nodes, if there is a limit.
    pub machine: Option<u64>,
}

/// The state of the main loop.
struct Progress {
    live: Live,
    generation: u64,
    /// The last graph that was read, unless it needs too much memory.
    loaded: Option<Arc<Loaded>>,
    /// The same graph with fewer samples, with its size, if its maps are large.
    small: Option<(Arc<Loaded>, (usize, usize))>,
    /// What pages showed when the running evaluation was chosen.
    shown: Vec<Reference>,
    /// The running evaluation, and those that follow it.
    stages: VecDeque<Stage>,
}

impl Preview {
    /// Runs until the channel of requests closes, and reports events.
    pub fn run(&self, live: Live, notified: &Receiver<()>, tell: &mut dyn FnMut(Told<'_>)) {
        let requests = self.requests.clone();
        let live = live.with_edit(move |file, tree| requests.edit(file, tree));
        let mut at = Progress {
            live,
            generation: 0,
            loaded: None,
            small: None,
            shown: Vec::new(),
            stages: VecDeque::new(),
        };
        loop {
            match at.live.next(notified) {
                Turn::Loaded(loaded) => {
                    if let Err(diagnostics) = self.loaded(&mut at, &loaded) {
                        tell(Told::Broken(&diagnostics));
                        self.shared.change(|state| state.broken(&diagnostics));
                    }
                }
                Turn::Broken(diagnostics) => {
                    tell(Told::Broken(&diagnostics));
                    self.broken(&diagnostics, &mut |edit| at.live.read_edited(edit).map(|_| ()));
                }
                Turn::Event(event) => {
                    tell(Told::Event(&event));
                    self.shared.change(|state| state.event(&event));
                }
                Turn::Finished(finished) => {
                    let Stage { all, coarse } = at.stages.pop_front().unwrap_or_default();
                    tell(Told::Finished { finished: &finished, coarse, all });
                    if !coarse {
                        let keys = keys(&self.session, &finished.loaded);
                        self.shared.change(|state| state.keys(&finished.loaded, &keys));
                    }
                    self.next_stage(&mut at);
                }
                Turn::Asked(()) => self.handle_requests(&mut at),
                Turn::Closed => return,
            }
        }
    }

    fn loaded(&self, at: &mut Progress, loaded: &Arc<Loaded>) -> Result<(), Diagnostics> {
        let size = self.show(loaded);
        (at.loaded, at.small) = (None, None);
        if let Some(diagnostics) = self.too_large(loaded) {
            return Err(diagnostics);
        }
        at.loaded = Some(Arc::clone(loaded));
        if let Some(size) = size.filter(|size| size.0 * size.1 > FINE * FINE) {
            let coarse = crate::shrink::fitting(size, COARSE);
            if let Ok(mut small) = at.live.read_with(vec![(self.faces.resize)(coarse)]) {
                self.shorten(&mut small);
                at.small = Some((Arc::new(small), coarse));
            }
        }
        let keys = keys(&self.session, loaded);
        self.shared.change(|state| state.known(&keys));
        self.evaluate(at, loaded);
        Ok(())
    }

    /// Gives scenes less work.
    fn shorten(&self, small: &mut Loaded) {
        for node in 0..small.graph.nodes.len() {
            if (self.faces.is_scene)(small.graph.nodes[node].node()) {
                (self.faces.shorten)(small.graph.nodes[node].node_mut());
            }
        }
    }

    /// Evaluates a graph in stages, of which those for pages come first.
    fn evaluate(&self, at: &mut Progress, loaded: &Arc<Loaded>) {
        at.shown = self.requests.viewed_outputs(loaded);
        let shown: Vec<Reference> =
            at.shown.iter().filter(|output| self.is_due(loaded, output)).cloned().collect();
        let work = |wanted: &[(usize, usize)]| Work::of(&self.session, &self.shared, loaded, wanted);
        let shown = (!shown.is_empty()).then(|| work(&positions(loaded, &shown)));
        let all = work(&last_of(loaded, &unasked(loaded, &self.faces)));
        at.stages = stages(shown, all, at.small.is_some());
        self.shared.change(|state| state.begin(Instant::now()));
        self.next_stage(at);
    }

    /// Whether pages show an output that was not evaluated since the graph was read.
    fn is_due(&self, loaded: &Loaded, output: &Reference) -> bool {
        let lazy =
            |&(node, output): &(usize, usize)| loaded.graph.nodes[node].node().spec().outputs[output].lazy;
        // Whether a lazy output was evaluated is not known.
        !self.shared.is_full(&output.node) || positions(loaded, std::slice::from_ref(output)).iter().any(lazy)
    }

    /// Starts the first of the stages that are left, if any.
    fn next_stage(&self, at: &mut Progress) {
        let Some(&stage) = at.stages.front() else {
            return self.shared.change(crate::shared_state::PageState::done);
        };
        let (loaded, coarse) = match (&at.loaded, &at.small) {
            (_, Some((small, size))) if stage.coarse => (Arc::clone(small), Some(*size)),
            (Some(loaded), _) => (Arc::clone(loaded), None),
            _ => return,
        };
        at.generation += 1;
        self.shared.change(|state| state.begin_stage(at.generation, coarse));
        match self.observe(at.generation, &loaded, stage) {
            Ok(job) => at.live.follow(job, loaded),
            Err(diagnostics) => self.shared.change(|state| state.broken(&diagnostics)),
        }
    }

    /// Publishes a graph to pages; returns the size of its maps.
    pub(crate) fn show(&self, loaded: &Arc<Loaded>) -> Option<(usize, usize)> {
        let size = (self.faces.size)(&*loaded.graph.header);
        self.shared.change(|state| {
            let header = self.requests.registry.family().graph;
            let editable = state.graph(loaded, &self.source, size, &self.faces, header);
            self.requests.check(&editable);
            state.draft(&self.requests.lock());
        });
        size
    }

    /// Publishes a graph's errors to pages, with the changes that caused them.
    pub(crate) fn broken(&self, diagnostics: &Diagnostics, read: &mut Read<'_>) {
        self.mark_failing_changes(read);
        let missing = !self.start.templates.is_empty() && self.start.file.symlink_metadata().is_err();
        self.shared.change(|state| {
            state.missing(missing);
            state.broken(diagnostics);
            state.draft(&self.requests.lock());
        });
    }

    /// The error if the graph needs more memory than allowed.
    fn too_large(&self, loaded: &Loaded) -> Option<Diagnostics> {
        let all = last_of(loaded, &connected(loaded));
        let forecast = loaded.plan.forecast(&loaded.graph, &all, self.session.engine().threads());
        let (needs, has) = (forecast.serial, self.machine?);
        let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
        (needs > has).then(|| {
            let message = format!(
                "evaluating the graph needs about {:.1} GiB of memory; {:.1} GiB are allowed",
                gib(needs),
                gib(has)
            );
            Diagnostic::nowhere(
                message,
                "use fewer samples (--size, or `size` in the graph), or import smaller files",
            )
            .into()
        })
    }

    /// Evaluates a stage. When a node finishes, its first value gets a thumbnail, and values that pages show
    /// are kept.
    fn observe(&self, generation: u64, loaded: &Arc<Loaded>, stage: Stage) -> Result<Job, Diagnostics> {
        let nodes = if stage.all { last_of(loaded, &unasked(loaded, &self.faces)) } else { Vec::new() };
        let wanted: Vec<Reference> = nodes
            .into_iter()
            .map(|(node, _)| Reference { node: Arc::clone(&loaded.plan.names[node]), output: None })
            // Lazy outputs and scenes are evaluated only if requested.
            .chain(self.requests.viewed_outputs(loaded))
            .collect();
        let coarse = stage.coarse;
        let (shared, store, requests, graph) =
            (self.shared.clone(), Arc::clone(&self.store), self.requests.clone(), Arc::clone(loaded));
        let faces = self.faces;
        let observer: Observer = Arc::new(move |seen: &Seen<'_>| {
            for (output, value) in seen.values.unwrap_or_default().iter().enumerate() {
                let id = seen.ids[output];
                if requests.is_viewed(seen.node, output) {
                    store.keep(id, value);
                }
                let name = thumbnail_name(&id);
                if output == 0
                    && store.blob(&name).is_none()
                    && let Some(blob) =
                        thumbnail(&(faces.of)(value), faces.has_heights(&graph, seen.node, output))
                {
                    store.keep_blob(name, &blob);
                }
            }
            shared.change(|state| {
                if state.generation == generation {
                    state.set_outputs(seen.node, seen.ids, &graph, coarse);
                }
            });
        });
        self.session.observe(loaded, wanted, observer)
    }

    fn handle_requests(&self, at: &mut Progress) {
        self.handle(&mut |edit| at.live.read_edited(edit));
        if std::mem::take(&mut self.requests.lock().read) {
            return at.live.reload();
        }
        // Pages show other outputs than before.
        let Some(loaded) = at.loaded.clone() else { return };
        let due = |output: &Reference| !at.shown.contains(output) && self.is_due(&loaded, output);
        if self.requests.viewed_outputs(&loaded).iter().any(due) {
            self.evaluate(at, &loaded);
        }
    }

    /// Marks the changes that stop the graph from loading.
    fn mark_failing_changes(&self, read: &mut Read<'_>) {
        let changes = self.requests.draft().changes;
        let requests = &self.requests;
        // Steps are applied in any case.
        let steps = requests.draft().steps;
        let with_steps = &mut |edit: &mut EditTree<'_>| {
            let mut draft = Draft { steps: steps.clone(), ..Draft::default() };
            read(&mut |file, tree| edit(file, requests.apply(&mut draft, file, tree)))
        };
        let failing = load_check::failing_changes(with_steps, &changes);
        let value = |home: &Home| changes.get(home).map(|change| change.value.clone()).unwrap_or_default();
        self.requests
            .set_problems(failing.into_iter().map(|(home, why)| (home.clone(), value(&home), Some(why))));
    }

    /// Handles what pages requested, in order. `read` loads the graph.
    pub(crate) fn handle(&self, read: &mut ReadGraph<'_>) {
        let queue = std::mem::take(&mut self.requests.lock().queue);
        for request in queue {
            let notice = match request {
                Request::Edit { asked, given, tag } => match self.edit(*asked, given, read) {
                    Ok((notice, made)) => {
                        self.shared.change(|state| state.made(tag, made));
                        notice
                    }
                    Err(why) => Some(why),
                },
                Request::Write(draft) => Some(self.write(&draft, &mut |edit| read(edit).map(|_| ()))),
                Request::Start(name) => Some(self.begin(&name)),
                Request::Undo => Some(self.step(true)),
                Request::Redo => Some(self.step(false)),
            };
            self.requests.lock().read = true;
            self.shared.change(|state| state.notice(notice));
        }
    }

    /// Writes a template to the graph's file, which does not exist; returns what the page is told.
    fn begin(&self, template: &str) -> String {
        match self.start.write(template) {
            Ok(file) => {
                let notice = format!("wrote {}", file.shown);
                let mut pending = self.requests.lock();
                let draft = pending.draft.clone();
                let said = format!("start with the template `{template}`");
                pending.history.record(Moment { draft, said, written: vec![file] });
                notice
            }
            Err(why) => why,
        }
    }

    /// Adds a step to the draft. Returns what the page is told, and the node that it shows next.
    fn edit(
        &self,
        asked: Asked,
        given: Json,
        read: &mut ReadGraph<'_>,
    ) -> Result<(Option<String>, Option<String>), String> {
        let requests = &self.requests;
        let mut steps = Draft { steps: requests.draft().steps, ..Draft::default() };
        let loaded = read(&mut |file, tree| requests.apply(&mut steps, file, tree))
            .map_err(|mistakes| format!("correct the graph's text first: {}", first_of(mistakes)))?;
        let loaded = Arc::new(loaded);
        let editable = EditableValues::of(&loaded, self.source.world.as_deref());
        let file = editable.own_file()?;
        let desired = Desired { loaded: &loaded, registry: &requests.registry, faces: &self.faces };
        let structure = asked.resolve(&desired)?;
        if let Structure::Group(.., inner) = &structure
            && !editable.may_make(&file.with_file_name(inner))
        {
            return Err(match file.with_file_name(inner).symlink_metadata() {
                Ok(_) => format!("the file {inner} exists already"),
                Err(_) => {
                    "the graph's file is a link to another folder: open the file itself to group its nodes"
                        .to_owned()
                }
            });
        }
        let number = NEXT_STEP.fetch_add(1, Ordering::Relaxed);
        let mut step = Step { number, file, structure, given, problem: None };
        let mut is_step = self.try_step(&step, read);
        if is_step.is_err()
            && let Some(other) = step.structure.as_in_example(&requests.registry)
        {
            // The type has no defaults that suit: it is added as in the example of its page.
            step.structure = other;
            step.number = NEXT_STEP.fetch_add(1, Ordering::Relaxed);
            is_step = self.try_step(&step, read).or(is_step);
        }
        let (said, made) = (step.structure.said(), step.structure.makes().map(str::to_owned));
        let is_step = is_step?;
        // Pages may have changed values in the meantime.
        let mut pending = requests.lock();
        if pending.draft.steps.len() >= MAX_STEPS {
            return Err(format!("the limit of {MAX_STEPS} edits is reached: write or discard them"));
        }
        pending.remember(&said);
        pending.draft.follow(&step.file, &step.structure);
        if is_step {
            pending.draft.steps.push(Arc::new(step));
        }
        Ok((None, made))
    }

    /// Whether a step is one of the text, or only takes back a value of the draft.
    ///
    /// # Errors
    /// Why the step is not possible.
    fn try_step(&self, step: &Step, read: &mut ReadGraph<'_>) -> Result<bool, String> {
        let requests = &self.requests;
        let before = requests.draft();
        let mut tried = before.clone();
        tried.follow(&step.file, &step.structure);
        let takes_back = tried.changes.len() < before.changes.len();
        // A value that does not fit does not stand in the way of the structure.
        tried.changes.clear();
        tried.steps.push(Arc::new(step.clone()));
        let result = read(&mut |file, tree| requests.apply(&mut tried, file, tree));
        match tried.steps.last().and_then(|step| step.problem.clone()) {
            // A value that is only in the draft is taken back.
            Some(_) if takes_back && matches!(step.structure, Structure::Clear(..)) => Ok(false),
            Some(problem) => Err(problem),
            None => result.map(|_| true).map_err(first_of),
        }
    }

    /// Undoes or repeats a step; returns what the page is told.
    fn step(&self, back: bool) -> String {
        let mut pending = self.requests.lock();
        let Requests { draft, history, .. } = &mut *pending;
        let done = history.step(draft, back, &mut |files| {
            let which = if back { "earlier" } else { "later" };
            turn(files, back).map_err(|why| format!("{why}; {which} steps are forgotten"))
        });
        match done {
            Ok(Some(said)) => format!("{}: {said}", if back { "undone" } else { "redone" }),
            Ok(None) => format!("there is nothing to {}", if back { "undo" } else { "redo" }),
            Err(why) => why,
        }
    }

    /// Writes a draft into the current texts of the files; returns what the page is told.
    fn write(&self, draft: &Draft, read: &mut Read<'_>) -> String {
        let Some(editable) = self.shared.editable() else {
            return "there are no changes to write".to_owned();
        };
        let with = (&*self.requests.registry, &*self.requests.memo);
        let apply: &mut Apply<'_> = &mut |draft, file, tree, made| draft.apply(file, tree, with, made);
        let Outcome { written, notice } = write(draft, &editable, apply, read);
        if written.is_empty() {
            return notice;
        }
        let mut pending = self.requests.lock();
        let before = pending.draft.clone();
        let is_written = |file: &Arc<Path>| written.iter().any(|other| other.path == *file);
        // Values that changed again in the meantime remain unwritten changes.
        pending.draft.changes.retain(|home, now| {
            !is_written(&home.file) || draft.changes.get(home).is_none_or(|old| old.value != now.value)
        });
        pending.draft.steps.retain(|step| {
            !is_written(&step.file) || draft.steps.iter().all(|other| other.number != step.number)
        });
        pending.history.record(Moment { draft: before, said: "write".to_owned(), written });
        notice
    }
}

/// The first mistake with its remedy.
fn first_of(mistakes: Diagnostics) -> String {
    mistakes.0.into_iter().next().map_or_else(String::new, |mistake| {
        if mistake.help.is_empty() {
            mistake.message
        } else {
            format!("{}: {}", mistake.message, mistake.help)
        }
    })
}

/// Maximum number of unwritten steps.
const MAX_STEPS: usize = 1000;

static NEXT_STEP: AtomicU64 = AtomicU64::new(1);

/// Loads the graph with its files' texts edited by a function.
pub type ReadGraph<'a> = dyn FnMut(&mut EditTree<'_>) -> Result<Loaded, Diagnostics> + 'a;
