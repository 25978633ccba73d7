//! The engine: it starts evaluations.

use std::sync::Arc;

use super::budget::{Budget, Room};
use super::cache::{Behind, Both, MemoryStore, Store};
use super::evaluation::Evaluation;
use super::executor::Executor;
use super::handle::Engine;
use super::job::Job;
use super::options::EngineOptions;
use super::resolve;
use super::running::Running;
use super::session::Session;
use super::shared::Shared;
use super::wanted::{Resolved, Target, Wanted};
use crate::language::Loaded;
use crate::model::files::FileDigests;
use crate::model::graph::Graph;
use crate::model::key::{Ground, KeyPart};
use crate::model::memory;
use crate::model::plan::Plan;
use crate::report::Diagnostics;

/// Bytes of results that may wait for being written: enough that small ones do not stop anybody, while of
/// large maps one waits.
const WAITING: u64 = 16 << 20;

/// Three quarters of the memory that this process may use, or no bound where nobody knows how much that is.
fn three_quarters() -> u64 {
    memory::total().map_or(u64::MAX, |bytes| bytes / 4 * 3)
}

impl Engine {
    /// An engine.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn new(options: EngineOptions) -> Result<Self, rayon::ThreadPoolBuildError> {
        let (executor, threads): (Arc<dyn Executor>, usize) = match options.executor {
            Some(executor) => (executor, if options.threads == 0 { usize::MAX } else { options.threads }),
            None => {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(options.threads)
                    .thread_name(|index| format!("terrane-{index}"))
                    .stack_size(8 << 20)
                    .build()?;
                let threads = pool.current_num_threads();
                (Arc::new(pool), threads)
            }
        };
        let budget = options.budget.unwrap_or_else(three_quarters);
        let memory = Arc::new(match options.reuse {
            true => MemoryStore::new(options.memory),
            false => MemoryStore::without_keys(options.memory),
        });
        let near: Arc<dyn Store> = Arc::clone(&memory) as _;
        let store = match options.store.filter(|_| options.reuse) {
            Some(far) => {
                // Without a thread for it results are written by those that make them.
                let behind = Behind::new(Arc::clone(&far), WAITING.min(budget / 4))
                    .map(|behind| Arc::new(behind) as _);
                Arc::new(Both::new(near, behind.unwrap_or(far))) as _
            }
            None => near,
        };
        let budget = Arc::new(Budget::new(budget, threads, Arc::clone(&executor), Arc::clone(&store)));
        let shared = Arc::new(Shared {
            executor,
            threads,
            budget,
            memory,
            store,
            reuse: options.reuse,
            keep_all: options.keep_all,
            running: Running::default(),
            files: FileDigests::default(),
        });
        Ok(Self::of(shared))
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

    /// Starts evaluating a checked graph, once: see [`Engine::session`] for more.
    ///
    /// # Errors
    /// When something wanted is not in the graph.
    pub fn start(
        &self,
        graph: &Arc<Loaded>,
        wanted: impl IntoIterator<Item = Wanted>,
    ) -> Result<Job, Diagnostics> {
        self.session().start(graph, wanted)
    }

    /// A session: for a graph that is evaluated again and again while it changes.
    #[must_use]
    pub fn session(&self) -> Session {
        Session::new(self.clone())
    }

    /// What evaluation would do, without doing it: per needed node, in order, its key where the inputs'
    /// content is known, and whether its results are.
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
                key: resolution.keys.get(node).copied(),
                known: resolution.known[node].is_some(),
                not_kept: resolution.known[node].as_ref().and_then(|entry| entry.not_kept.clone()),
                runs: resolution.runs[node],
            })
            .collect()
    }

    /// The parts that a node's key is made of: its own, then the content of each connected input where it is
    /// known.
    #[must_use]
    pub fn key_parts(&self, graph: &Loaded, wanted: &[(usize, usize)]) -> Vec<(usize, Vec<KeyPart>)> {
        let targets: Vec<Target> =
            wanted.iter().map(|&(node, output)| Target { node, output, have: None, keep: true }).collect();
        let ground = Ground::new(&*graph.graph.header, graph.graph.seed);
        let resolution = resolve::resolve(&self.shared, graph, &ground, &targets, None);
        let order = graph.plan.order.iter().filter(|&&node| resolution.needed[node]);
        order.map(|&node| (node, resolve::parts(&self.shared, graph, &resolution, node))).collect()
    }

    /// Waits until all results are kept that can be, and gives what went wrong with that, once. Whoever does
    /// not ask is told by the next evaluation.
    pub fn flush(&self) -> Option<String> {
        self.shared.store.flush();
        self.shared.store.problem()
    }

    /// How many threads nodes run on.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.shared.threads
    }

    /// Bytes that values and running nodes may take together.
    #[must_use]
    pub fn budget(&self) -> u64 {
        self.shared.budget.capacity()
    }

    /// How many bytes values and running nodes were counted to take together, at most, since the engine was
    /// made.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.shared.budget.peak()
    }

    /// Does work that is no node's, such as writing a file, on the engine's threads, and waits for it.
    pub fn within<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let (mut work, mut done) = (Some(work), None);
        self.shared.executor.within(&mut || done = work.take().map(|work| work()));
        match (done, work) {
            (Some(done), _) => done,
            (None, Some(work)) => work(),
            (None, None) => unreachable!("work that has begun is done, or its panic goes on"),
        }
    }

    /// Waits until there is room for something that is done beside the evaluation of nodes, such as writing a
    /// file, and sets the memory aside until what is given is dropped.
    pub fn set_aside(&self, bytes: u64) -> Room {
        self.shared.budget.set_aside(bytes)
    }

    /// Bytes of values held in memory.
    #[must_use]
    pub fn memory_used(&self) -> u64 {
        self.shared.memory.used()
    }
}
