//! The engine: it starts evaluations.

use std::sync::Arc;

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
use crate::model::plan::Plan;
use crate::report::Diagnostics;

/// Bytes of results that may wait for being written.
const WAITING: u64 = 256 << 20;

impl Engine {
    /// An engine.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn new(options: EngineOptions) -> Result<Self, rayon::ThreadPoolBuildError> {
        let executor: Arc<dyn Executor> = match options.executor {
            Some(executor) => executor,
            None => Arc::new(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(options.threads)
                    .thread_name(|index| format!("terrane-{index}"))
                    .stack_size(8 << 20)
                    .build()?,
            ),
        };
        let memory = Arc::new(MemoryStore::new(options.memory));
        let near: Arc<dyn Store> = Arc::clone(&memory) as _;
        let store = match options.store.filter(|_| options.reuse) {
            Some(far) => {
                // Without a thread for it results are written by those that make them.
                let behind = Behind::new(Arc::clone(&far), WAITING).map(|behind| Arc::new(behind) as _);
                Arc::new(Both::new(near, behind.unwrap_or(far))) as _
            }
            None => near,
        };
        let shared = Arc::new(Shared {
            executor,
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
                known: resolution.known[node].is_some(),
                not_kept: resolution.known[node].as_ref().and_then(|entry| entry.not_kept.clone()),
                runs: resolution.runs[node],
            })
            .collect()
    }

    /// The parts that a node's key is made of: its own, then the content of each connected input where it is known.
    #[must_use]
    pub fn key_parts(&self, graph: &Loaded, wanted: &[(usize, usize)]) -> Vec<(usize, Vec<KeyPart>)> {
        let targets: Vec<Target> =
            wanted.iter().map(|&(node, output)| Target { node, output, have: None, keep: true }).collect();
        let ground = Ground::new(&*graph.graph.header, graph.graph.seed);
        let resolution = resolve::resolve(&self.shared, graph, &ground, &targets, None);
        let order = graph.plan.order.iter().filter(|&&node| resolution.needed[node]);
        order.map(|&node| (node, resolve::parts(&self.shared, graph, &resolution, node))).collect()
    }

    /// Waits until all results are kept that can be, and gives what went wrong with that, once. Whoever does not ask is
    /// told by the next evaluation.
    pub fn flush(&self) -> Option<String> {
        self.shared.store.flush();
        self.shared.store.problem()
    }

    /// Bytes of values held in memory.
    #[must_use]
    pub fn memory_used(&self) -> u64 {
        self.shared.memory.used()
    }
}
