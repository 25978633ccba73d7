//! Evaluates graphs.

mod job;
mod observe;
mod placed;
mod resolve;
mod round;
mod running;
mod step;

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use crossbeam_channel::Receiver;

use crate::cache::{Damage, Digests, DiskCache, Found, MemoryCache};
use crate::context::Cancel;
use crate::event::{Event, NodeTiming, Outcome};
use crate::graph::Graph;
use crate::key::{FileDigests, Ground, Key};
use crate::load::Loaded;
use crate::plan::Plan;
use crate::port::{Output, Reference};
use crate::report::{Diagnostic, Diagnostics};
use crate::value::{Data, Digest, Kind, Value};

use job::JobState;
pub use observe::{Observer, Seen};
use placed::Placed;
use resolve::Memory;
use running::Running;

/// How an engine works.
#[derive(Debug)]
pub struct EngineOptions {
    /// Threads that run nodes; 0 is one per core.
    pub threads: usize,
    /// Bytes of values kept in memory between evaluations.
    pub memory: u64,
    /// Where values are kept between runs.
    pub disk: Option<DiskCache>,
    /// Whether known results are used; without, every needed node runs.
    pub reuse: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { threads: 0, memory: 1 << 30, disk: None, reuse: true }
    }
}

/// Evaluates graphs on its own threads, and remembers results.
///
/// Cheap to clone; clones share threads and caches.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

/// What all jobs of an engine share.
struct Shared {
    pool: rayon::ThreadPool,
    memory: Mutex<MemoryCache>,
    disk: Option<DiskCache>,
    reuse: bool,
    running: Running,
    files: FileDigests,
    /// Where the outputs are that were asked for last.
    placed: Mutex<Option<Arc<Placed>>>,
    /// What the last evaluation left.
    last: Mutex<Option<Arc<Memory>>>,
    /// Digests whose entry on disk turned out damaged: never trusted again by this engine.
    damaged: Mutex<HashSet<Digest>>,
}

/// An output that somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Which.
    pub output: Reference,
    /// Content that the asker has already: when the output turns out to be just that, it is not loaded.
    pub have: Option<Digest>,
}

impl From<Reference> for Wanted {
    fn from(output: Reference) -> Self {
        Self { output, have: None }
    }
}

impl<T: Data> From<&Output<T>> for Wanted {
    fn from(output: &Output<T>) -> Self {
        output.reference().clone().into()
    }
}

impl Engine {
    /// An engine.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn new(options: EngineOptions) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads)
            .thread_name(|index| format!("terrane-{index}"))
            .stack_size(8 << 20)
            .build()?;
        Ok(Self {
            shared: Arc::new(Shared {
                pool,
                memory: Mutex::new(MemoryCache::new(options.memory)),
                disk: options.disk,
                reuse: options.reuse,
                running: Running::default(),
                files: FileDigests::default(),
                placed: Mutex::new(None),
                last: Mutex::new(None),
                damaged: Mutex::new(HashSet::new()),
            }),
        })
    }

    /// Evaluates a graph built in code and waits.
    ///
    /// # Errors
    /// What is wrong with the graph. A node that fails is no error here: see [`Evaluation`].
    pub fn evaluate(
        &self,
        graph: &Graph,
        wanted: impl IntoIterator<Item = Wanted>,
    ) -> Result<Evaluation, Diagnostics> {
        let plan = Plan::new(graph)?;
        Ok(self.start(&Arc::new(Loaded { graph: graph.clone(), plan: Arc::new(plan) }), wanted)?.wait())
    }

    /// Starts evaluating a checked graph.
    ///
    /// # Errors
    /// When something wanted is not in the graph.
    pub fn start(
        &self,
        graph: &Arc<Loaded>,
        wanted: impl IntoIterator<Item = Wanted>,
    ) -> Result<Job, Diagnostics> {
        let wanted: Vec<Wanted> = wanted.into_iter().collect();
        let found = self.find(graph, &wanted)?;
        let targets = wanted.iter().zip(&*found.places);
        let target =
            |(wanted, &(node, output)): (&Wanted, _)| Target { node, output, have: wanted.have, keep: true };
        Ok(JobState::start(&self.shared, graph, targets.map(target).collect(), None))
    }

    /// Where wanted outputs are. Whoever asks for the same of the same plan again, as an editor does, is spared the search.
    fn find(&self, graph: &Loaded, wanted: &[Wanted]) -> Result<Arc<Placed>, Diagnostics> {
        let last = lock(&self.shared.placed).clone();
        if let Some(last) = last.filter(|last| last.answers(&graph.plan, wanted)) {
            return Ok(last);
        }
        let (mut places, mut errors) = (Vec::with_capacity(wanted.len()), Vec::new());
        for wanted in wanted {
            match graph.graph.find(&wanted.output) {
                Ok(place) => places.push(place),
                Err((message, help)) => errors.push(Diagnostic::nowhere(message, help)),
            }
        }
        Diagnostics(errors).into_result()?;
        let asked = wanted.iter().map(|wanted| wanted.output.clone()).collect();
        let found = Arc::new(Placed { plan: Arc::clone(&graph.plan), asked, places });
        *lock(&self.shared.placed) = Some(Arc::clone(&found));
        Ok(found)
    }

    /// What evaluation would do, without doing it: per needed node, in order, its key where the inputs' content is
    /// known, and whether its results are.
    #[must_use]
    pub fn resolve(&self, graph: &Loaded, wanted: &[(usize, usize)]) -> Vec<Resolved> {
        let targets: Vec<Target> =
            wanted.iter().map(|&(node, output)| Target { node, output, have: None, keep: true }).collect();
        let ground = Ground::new(&*graph.graph.header, graph.graph.seed);
        let resolution = resolve::resolve(&self.shared, graph, &ground, &targets, None);
        let order = graph.plan.order.iter().filter(|&&node| resolution.needed[node]);
        order
            .map(|&node| Resolved {
                node,
                key: resolution.keys[node],
                known: resolution.digests[node].is_some(),
                runs: resolution.runs[node],
            })
            .collect()
    }

    /// The parts that a node's key is made of: its own, then the content of each connected input where it is known.
    #[must_use]
    pub fn key_parts(
        &self,
        graph: &Loaded,
        wanted: &[(usize, usize)],
    ) -> Vec<(usize, Vec<crate::key::KeyPart>)> {
        let targets: Vec<Target> =
            wanted.iter().map(|&(node, output)| Target { node, output, have: None, keep: true }).collect();
        let ground = Ground::new(&*graph.graph.header, graph.graph.seed);
        let resolution = resolve::resolve(&self.shared, graph, &ground, &targets, None);
        let order = graph.plan.order.iter().filter(|&&node| resolution.needed[node]);
        order.map(|&node| (node, resolve::parts(&self.shared, graph, &resolution, node))).collect()
    }

    /// The disk cache, where there is one.
    #[must_use]
    pub fn disk(&self) -> Option<&DiskCache> {
        self.shared.disk.as_ref()
    }

    /// Bytes of values held in memory.
    #[must_use]
    pub fn memory_used(&self) -> u64 {
        lock(&self.shared.memory).used()
    }
}

/// What evaluation would do with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Position in the graph.
    pub node: usize,
    /// The key; `None` when an input's content is not known before another node has run.
    pub key: Option<Key>,
    /// Whether the content of the outputs is known.
    pub known: bool,
    /// Whether the node would run, or may have to.
    pub runs: bool,
}

/// A wanted output by position.
#[derive(Clone, Copy, Debug)]
struct Target {
    node: usize,
    output: usize,
    have: Option<Digest>,
    /// Whether the value is to be there at the end; without, its content alone.
    keep: bool,
}

/// An evaluation under way.
pub struct Job {
    state: Arc<JobState>,
    events: Receiver<Event>,
    done: Receiver<()>,
}

impl Job {
    /// What happens, as it happens; ends when the job does.
    #[must_use]
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// A handle that cancels the job from anywhere.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.state))
    }

    /// Stops the job: nodes that no other job needs stop at their next report of progress.
    pub fn cancel(&self) {
        self.state.cancel();
    }

    /// Waits for the end.
    #[must_use]
    pub fn wait(self) -> Evaluation {
        // The sender lives in the state until it has sent; an error would mean it sent already.
        let _sent = self.done.recv();
        self.state.evaluation()
    }
}

/// Cancels a job.
#[derive(Clone)]
pub struct Canceller(Arc<JobState>);

impl Canceller {
    /// See [`Job::cancel`].
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

/// What an evaluation gave.
#[derive(Debug)]
pub struct Evaluation {
    /// Per wanted output, in order of asking: its content, and the value unless the asker had it.
    pub outputs: Vec<Evaluated>,
    /// Per needed node, in order of the plan: what became of it.
    pub nodes: Vec<NodeTiming>,
    /// What the author should know.
    pub warnings: Vec<String>,
}

/// A wanted output, evaluated.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// Which.
    pub output: Reference,
    /// Its content; `None` when it could not be had.
    pub digest: Option<Digest>,
    /// The value; `None` when it could not be had, or the asker has that content.
    pub value: Option<Value>,
}

impl Evaluation {
    /// Whether every node was cached or ran.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.nodes.iter().all(|node| matches!(node.outcome, Outcome::Cached | Outcome::Ran))
    }

    /// The nodes that ran, in order of the plan.
    #[must_use]
    pub fn ran(&self) -> Vec<&str> {
        self.nodes.iter().filter(|node| node.outcome == Outcome::Ran).map(|node| &*node.node).collect()
    }

    /// The value of a wanted output.
    #[must_use]
    pub fn get<T: Data>(&self, output: &Output<T>) -> Option<Arc<T>> {
        let reference = output.reference();
        self.outputs.iter().find(|o| &o.output == reference)?.value.clone()?.downcast()
    }
}

impl Shared {
    /// The outputs that belong to a key, from memory or disk.
    fn lookup(&self, key: &Key) -> Option<Digests> {
        if !self.reuse {
            return None;
        }
        if let Some(digests) = lock(&self.memory).lookup(key) {
            return Some(Arc::clone(digests));
        }
        // A damaged key is only a miss: whoever runs the node writes it again.
        let Found::Here(digests) = self.disk.as_ref()?.lookup(key) else { return None };
        lock(&self.memory).record(*key, Arc::clone(&digests));
        Some(digests)
    }

    /// Whether a value can probably be loaded.
    fn available(&self, digest: &Digest) -> bool {
        if lock(&self.memory).contains(digest) {
            return true;
        }
        self.reuse
            && self.disk.as_ref().is_some_and(|disk| disk.contains(digest))
            && !lock(&self.damaged).contains(digest)
    }

    /// A value from memory or disk.
    fn load(&self, digest: &Digest, kind: &Kind) -> Result<Value, Option<Damage>> {
        if let Some(value) = lock(&self.memory).get(digest) {
            return Ok(value);
        }
        let disk = self.disk.as_ref().ok_or(None)?;
        match disk.load(digest, kind) {
            Found::Here(value) => Ok(value),
            Found::Missing => Err(None),
            Found::Damaged(damage) => {
                lock(&self.damaged).insert(*digest);
                Err(Some(damage))
            }
        }
    }
}

/// A lock whatever happened to other holders: what they guard stays consistent between their statements, and a panic
/// in a node is caught before it reaches a lock.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A switch of a node's own, shared by all jobs that want its result.
type NodeCancel = Cancel;
