//! The main loop of a preview: loads the graph, evaluates it coarsely and then in full, and updates pages.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Receiver;
use terrane_flow::live::{Live, Turn};
use terrane_flow::{
    Diagnostic, Diagnostics, EditTree, Home, Job, Loaded, Observer, Reference, Seen, Session,
};

use crate::connected::connected;
use crate::display::Faces;
use crate::draft::Draft;
use crate::load_check::{self, Read};
use crate::page_requests::PageRequests;
use crate::preview_source::PreviewSource;
use crate::shared_state::SharedState;
use crate::stages::{Stage, Work, keys, last_of, positions, stages, unasked};
use crate::store::Store;
use crate::template::Start;
use crate::thumbnail::{thumbnail, thumbnail_name};
use crate::view_event::Told;
use crate::warnings::Warnings;

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
    /// Warns of what is probably not meant in a graph.
    pub warnings: Option<Arc<dyn Warnings>>,
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
                    self.publish_texts();
                }
                Turn::Broken(diagnostics) => {
                    tell(Told::Broken(&diagnostics));
                    self.publish_texts();
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
                Turn::Asked(()) => {
                    self.handle_requests(&mut at);
                    let sources = std::mem::take(&mut self.requests.lock().sources);
                    for (file, line, column) in &sources {
                        tell(Told::Source { file, line: *line, column: *column });
                    }
                }
                Turn::Closed => return,
            }
        }
    }

    fn loaded(&self, at: &mut Progress, loaded: &Arc<Loaded>) -> Result<(), Diagnostics> {
        let size = self.show(loaded);
        self.warn(loaded, false);
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

    /// Publishes what is probably not meant in a graph, with what values show if they are `made`.
    fn warn(&self, loaded: &Arc<Loaded>, made: bool) {
        let Some(warnings) = &self.warnings else { return };
        let mut all = warnings.of_text(loaded, self.source.world.is_none());
        if made {
            all.extend(warnings.of_values(self.session.engine(), loaded));
        }
        let reach = self.reach();
        self.shared.change(|state| state.lints(&all, reach.as_ref()));
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
            if let Some(loaded) = &at.loaded {
                self.warn(loaded, true);
            }
            return self.shared.change(crate::page_state::PageState::done);
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
        let (read, turned) = {
            let mut pending = self.requests.lock();
            (std::mem::take(&mut pending.read), std::mem::take(&mut pending.turned_page))
        };
        if read {
            return at.live.reload();
        }
        if turned {
            self.publish_texts();
            // A page may ask for a text that another one shows already.
            self.shared.change(|_| ());
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
}
