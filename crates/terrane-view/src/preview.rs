//! The main loop of a preview: loads the graph, evaluates it coarsely and then in full, and updates pages.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use terrane_flow::live::{Live, Turn};
use terrane_flow::{Diagnostic, Diagnostics, Home, Job, Loaded, Observer, Reference, Seen, Session};

use crate::display::Faces;
use crate::load_check::{self, Read};
use crate::page_requests::{Changes, PageRequests};
use crate::preview_source::PreviewSource;
use crate::shared_state::SharedState;
use crate::store::Store;
use crate::thumbnail::thumbnail;
use crate::view_event::Told;
use crate::write::write;

/// If a side has more samples than this, a coarse terrain is shown first.
const FINE: usize = 600;
/// Samples along the longest side of a coarse terrain.
const COARSE: usize = 257;
/// If the nodes took less than this in total, no coarse terrain is shown first.
const SOON: Duration = Duration::from_millis(150);

/// A preview's loop, and what it shares with the server.
pub struct Preview {
    /// Evaluates the graph.
    pub session: Session,
    /// How values are displayed.
    pub faces: Faces,
    /// The file that the preview shows.
    pub source: PreviewSource,
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
    /// The graph at full size, while a coarse one is evaluated.
    full: Option<Arc<Loaded>>,
}

impl Preview {
    /// Runs until the channel of requests closes, and reports events.
    pub fn run(&self, live: Live, notified: &Receiver<()>, tell: &mut dyn FnMut(Told<'_>)) {
        let requests = self.requests.clone();
        let live = live.with_edit(move |file, tree| requests.edit(file, tree));
        let mut at = Progress { live, generation: 0, full: None };
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
                    tell(Told::Finished { finished: &finished, coarse: at.full.is_some() });
                    self.finished(&mut at);
                }
                Turn::Asked(()) => self.handle_requests(&mut at),
                Turn::Closed => return,
            }
        }
    }

    fn finished(&self, at: &mut Progress) {
        if let Some(full) = at.full.take() {
            return self.start(at, &full, None);
        }
        self.shared.change(crate::shared_state::PageState::done);
    }

    fn loaded(&self, at: &mut Progress, loaded: &Arc<Loaded>) -> Result<(), Diagnostics> {
        let size = self.show(loaded);
        at.full = None;
        if let Some(diagnostics) = self.too_large(loaded) {
            return Err(diagnostics);
        }
        if let Some(size) = size
            && size.0 * size.1 > FINE * FINE
            && self.takes_long(loaded)
        {
            let coarse = crate::shrink::fitting(size, COARSE);
            if let Ok(small) = at.live.read_with(vec![(self.faces.resize)(coarse)]) {
                at.full = Some(Arc::clone(loaded));
                self.start(at, &Arc::new(small), Some(coarse));
                return Ok(());
            }
        }
        self.start(at, loaded, None);
        Ok(())
    }

    /// Publishes a graph to pages; returns the size of its maps.
    pub(crate) fn show(&self, loaded: &Arc<Loaded>) -> Option<(usize, usize)> {
        let size = (self.faces.size)(&*loaded.graph.header);
        self.shared.change(|state| {
            let editable = state.graph(loaded, &self.source, size, self.faces.is_height);
            self.requests.check(&editable);
            state.changes(&self.requests.changes());
        });
        size
    }

    /// Publishes a graph's errors to pages, with the changes that caused them.
    pub(crate) fn broken(&self, diagnostics: &Diagnostics, read: &mut Read<'_>) {
        self.mark_failing_changes(read);
        let changes = self.requests.changes();
        self.shared.change(|state| {
            state.broken(diagnostics);
            state.changes(&changes);
        });
    }

    /// The error if the graph needs more memory than allowed.
    fn too_large(&self, loaded: &Loaded) -> Option<Diagnostics> {
        let positions: Vec<(usize, usize)> = last_nodes(loaded).into_iter().map(|node| (node, 0)).collect();
        let forecast = loaded.plan.forecast(&loaded.graph, &positions, self.session.engine().threads());
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

    /// Whether evaluation is expected to take noticeably long.
    fn takes_long(&self, loaded: &Loaded) -> bool {
        let all: Vec<(usize, usize)> = last_nodes(loaded).into_iter().map(|node| (node, 0)).collect();
        let runs = self.session.engine().resolve(loaded, &all).into_iter().filter(|resolved| !resolved.known);
        let costs: Vec<Option<Duration>> =
            runs.map(|node| self.shared.cost(&loaded.plan.names[node.node])).collect();
        costs.iter().any(Option::is_none) || costs.into_iter().flatten().sum::<Duration>() > SOON
    }

    fn start(&self, at: &mut Progress, loaded: &Arc<Loaded>, coarse: Option<(usize, usize)>) {
        at.generation += 1;
        self.shared.change(|state| state.begin(at.generation, coarse, Instant::now()));
        match self.observe(at.generation, loaded, coarse.is_some()) {
            Ok(job) => at.live.follow(job, Arc::clone(loaded)),
            Err(diagnostics) => self.shared.change(|state| state.broken(&diagnostics)),
        }
    }

    /// Evaluates every node. When a node finishes, its first value gets a thumbnail, and values that pages
    /// show are kept.
    fn observe(&self, generation: u64, loaded: &Arc<Loaded>, coarse: bool) -> Result<Job, Diagnostics> {
        let wanted: Vec<Reference> = last_nodes(loaded)
            .into_iter()
            .map(|node| Reference { node: Arc::clone(&loaded.plan.names[node]), output: None })
            // Lazy outputs are evaluated only if requested.
            .chain(self.requests.viewed_outputs(loaded))
            .collect();
        let (shared, store, requests, graph) =
            (self.shared.clone(), Arc::clone(&self.store), self.requests.clone(), Arc::clone(loaded));
        let faces = self.faces;
        let observer: Observer = Arc::new(move |seen: &Seen<'_>| {
            for (output, value) in seen.values.unwrap_or_default().iter().enumerate() {
                let id = seen.ids[output];
                if requests.is_viewed(seen.node, output) {
                    store.keep(id, value);
                }
                let name = format!("{}/thumbnail", id.hex());
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
        self.write(&mut |edit| at.live.read_edited(edit).map(|_| ()));
        at.live.reload();
    }

    /// Marks the changes that stop the graph from loading.
    fn mark_failing_changes(&self, read: &mut Read<'_>) {
        let changes = self.requests.changes();
        let failing = load_check::failing_changes(read, &changes);
        let value = |home: &Home| changes.get(home).map(|change| change.value.clone()).unwrap_or_default();
        self.requests
            .set_problems(failing.into_iter().map(|(home, why)| (home.clone(), value(&home), Some(why))));
    }

    /// Writes the requested changes into the current texts of the files, and publishes the result.
    pub(crate) fn write(&self, read: &mut Read<'_>) {
        let Some(changes) = self.requests.lock().write.take() else { return };
        let notice = self.written(&changes, read);
        self.shared.change(|state| state.notice(Some(notice)));
    }

    fn written(&self, changes: &Changes, read: &mut Read<'_>) -> String {
        let Some(editable) = self.shared.editable() else {
            return "there are no changes to write".to_owned();
        };
        let outcome = write(changes, &editable, read);
        // Values that changed again in the meantime remain unwritten changes.
        self.requests.lock().changes.retain(|home, now| {
            !outcome.written.contains(&home.file)
                || changes.get(home).is_none_or(|old| old.value != now.value)
        });
        outcome.notice
    }
}

/// The nodes without dependents. Evaluating them evaluates every node.
fn last_nodes(loaded: &Loaded) -> Vec<usize> {
    let mut read = vec![false; loaded.plan.wires.len()];
    for wire in loaded.plan.wires.iter().flatten() {
        read[wire.node] = true;
    }
    (0..read.len()).filter(|&node| !read[node]).collect()
}
