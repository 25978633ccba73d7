//! The loop behind a preview: the graph is read, evaluated coarse and then whole, and pages are told.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use terrane_flow::live::{Live, Turn};
use terrane_flow::{Diagnostic, Diagnostics, Home, Job, Loaded, Observer, Reference, Seen, Session};

use crate::board::Board;
use crate::face::Faces;
use crate::store::Store;
use crate::subject::Subject;
use crate::thumbnail::thumbnail;
use crate::told::Told;
use crate::trial::{self, Read};
use crate::wishes::{Changes, Wishes};
use crate::write::write;

/// Samples of a side above which a coarser terrain is shown first.
const FINE: usize = 600;
/// Samples of the longest side of a coarse terrain.
const COARSE: usize = 257;
/// Nodes that took less than this together need no coarse terrain first.
const SOON: Duration = Duration::from_millis(150);

/// A preview's loop, and what it shares with the server.
pub struct Preview {
    /// Evaluates.
    pub session: Session,
    /// What can be shown of values.
    pub faces: Faces,
    /// What pages are told that it is of.
    pub subject: Subject,
    /// What pages see.
    pub board: Board,
    /// What pages want.
    pub wishes: Wishes,
    /// What is kept of values.
    pub store: Arc<Store>,
    /// Bytes of memory that values and running nodes may take, where that is bounded.
    pub machine: Option<u64>,
}

/// Where the loop is.
struct Progress {
    live: Live,
    generation: u64,
    /// The graph at full size, while a coarse one is evaluated.
    full: Option<Arc<Loaded>>,
}

impl Preview {
    /// Runs until nobody can want anything any more; tells what happens.
    pub fn run(&self, live: Live, rings: &Receiver<()>, tell: &mut dyn FnMut(Told<'_>)) {
        let wishes = self.wishes.clone();
        let live = live.with_edit(Box::new(move |file, tree| wishes.edit(file, tree)));
        let mut at = Progress { live, generation: 0, full: None };
        loop {
            match at.live.next(rings) {
                Turn::Loaded(loaded) => {
                    if let Err(diagnostics) = self.loaded(&mut at, &loaded) {
                        tell(Told::Broken(&diagnostics));
                        self.board.change(|state| state.broken(&diagnostics));
                    }
                }
                Turn::Broken(diagnostics) => {
                    tell(Told::Broken(&diagnostics));
                    self.broken(&diagnostics, &mut |edit| at.live.read_edited(edit).map(|_| ()));
                }
                Turn::Event(event) => {
                    tell(Told::Event(&event));
                    self.board.change(|state| state.event(&event));
                }
                Turn::Finished(finished) => {
                    tell(Told::Finished { finished: &finished, coarse: at.full.is_some() });
                    self.finished(&mut at);
                }
                Turn::Asked(()) => self.asked(&mut at),
                Turn::Closed => return,
            }
        }
    }

    fn finished(&self, at: &mut Progress) {
        if let Some(full) = at.full.take() {
            return self.start(at, &full, None);
        }
        self.board.change(crate::board::State::done);
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

    /// Puts a graph on the board; gives the size of its maps.
    pub(crate) fn show(&self, loaded: &Arc<Loaded>) -> Option<(usize, usize)> {
        let size = (self.faces.size)(&*loaded.graph.header);
        self.board.change(|state| {
            let places = state.graph(loaded, &self.subject, size, self.faces.is_height);
            self.wishes.check(&places);
            state.changes(&self.wishes.changes());
        });
        size
    }

    /// Puts a graph's mistakes on the board, with what made them.
    pub(crate) fn broken(&self, diagnostics: &Diagnostics, read: &mut Read<'_>) {
        self.blame(read);
        let changes = self.wishes.changes();
        self.board.change(|state| {
            state.broken(diagnostics);
            state.changes(&changes);
        });
    }

    /// Why a graph is not evaluated: the machine does not hold it.
    fn too_large(&self, loaded: &Loaded) -> Option<Diagnostics> {
        let positions: Vec<(usize, usize)> = ends(loaded).into_iter().map(|node| (node, 0)).collect();
        let forecast = loaded.plan.forecast(&loaded.graph, &positions, self.session.engine().threads());
        let (needs, has) = (forecast.serial, self.machine?);
        let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
        (needs > has).then(|| {
            let message = format!(
                "evaluating this needs about {:.1} GiB of memory, and it may take {:.1} GiB",
                gib(needs),
                gib(has)
            );
            Diagnostic::nowhere(
                message,
                "take fewer samples (--size, or `size` in the graph), or smaller files to import",
            )
            .into()
        })
    }

    /// Whether evaluation will take longer than one waits without noticing, as far as is known.
    fn takes_long(&self, loaded: &Loaded) -> bool {
        let all: Vec<(usize, usize)> = ends(loaded).into_iter().map(|node| (node, 0)).collect();
        let runs = self.session.engine().resolve(loaded, &all).into_iter().filter(|resolved| !resolved.known);
        let costs: Vec<Option<Duration>> =
            runs.map(|node| self.board.cost(&loaded.plan.names[node.node])).collect();
        costs.iter().any(Option::is_none) || costs.into_iter().flatten().sum::<Duration>() > SOON
    }

    fn start(&self, at: &mut Progress, loaded: &Arc<Loaded>, coarse: Option<(usize, usize)>) {
        at.generation += 1;
        self.board.change(|state| state.begin(at.generation, coarse, Instant::now()));
        match self.observe(at.generation, loaded, coarse.is_some()) {
            Ok(job) => at.live.follow(job, Arc::clone(loaded)),
            Err(diagnostics) => self.board.change(|state| state.broken(&diagnostics)),
        }
    }

    /// Evaluates every node. As each gives its values, a thumbnail is made of the first, and those that pages
    /// look at are kept; the others go.
    fn observe(&self, generation: u64, loaded: &Arc<Loaded>, coarse: bool) -> Result<Job, Diagnostics> {
        let wanted: Vec<Reference> = ends(loaded)
            .into_iter()
            .map(|node| Reference { node: Arc::clone(&loaded.plan.names[node]), output: None })
            // Outputs that are made only when they are asked for, and are.
            .chain(self.wishes.looks(loaded))
            .collect();
        let (board, store, wishes, graph) =
            (self.board.clone(), Arc::clone(&self.store), self.wishes.clone(), Arc::clone(loaded));
        let faces = self.faces;
        let observer: Observer = Arc::new(move |seen: &Seen<'_>| {
            for (output, value) in seen.values.unwrap_or_default().iter().enumerate() {
                let digest = seen.digests[output];
                if wishes.looked_at(seen.node, output) {
                    store.keep(digest, value);
                }
                let name = format!("{}/thumbnail", digest.hex());
                if output == 0
                    && store.blob(&name).is_none()
                    && let Some(blob) =
                        thumbnail(&(faces.of)(value), faces.has_heights(&graph, seen.node, output))
                {
                    store.keep_blob(name, &blob);
                }
            }
            board.change(|state| {
                if state.generation == generation {
                    state.gave(seen.node, seen.digests, &graph, coarse);
                }
            });
        });
        self.session.observe(loaded, wanted, observer)
    }

    fn asked(&self, at: &mut Progress) {
        self.write(&mut |edit| at.live.read_edited(edit).map(|_| ()));
        at.live.reload();
    }

    /// Tells of changes that the graph does not load with that it is they.
    fn blame(&self, read: &mut Read<'_>) {
        let changes = self.wishes.changes();
        let blamed = trial::blamed(read, &changes);
        let value = |home: &Home| changes.get(home).map(|change| change.value.clone()).unwrap_or_default();
        self.wishes.judge(blamed.into_iter().map(|(home, why)| (home.clone(), value(&home), Some(why))));
    }

    /// Writes the changes that are to be written into the newest texts of the files, and tells what became of
    /// it.
    pub(crate) fn write(&self, read: &mut Read<'_>) {
        let Some(changes) = self.wishes.wants().write.take() else { return };
        let notice = self.written(&changes, read);
        self.board.change(|state| state.notice(Some(notice)));
    }

    fn written(&self, changes: &Changes, read: &mut Read<'_>) -> String {
        let Some(places) = self.board.places() else { return "there is nothing to write".to_owned() };
        let outcome = write(changes, &places, read);
        // What was changed further in the meantime stays a change.
        self.wishes.wants().changes.retain(|home, now| {
            !outcome.written.contains(&home.file)
                || changes.get(home).is_none_or(|old| old.value != now.value)
        });
        outcome.notice
    }
}

/// Nodes that nobody reads: with them, every node is evaluated.
fn ends(loaded: &Loaded) -> Vec<usize> {
    let mut read = vec![false; loaded.plan.wires.len()];
    for wire in loaded.plan.wires.iter().flatten() {
        read[wire.node] = true;
    }
    (0..read.len()).filter(|&node| !read[node]).collect()
}
