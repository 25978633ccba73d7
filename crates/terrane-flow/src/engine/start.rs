//! The engine, which starts evaluations.

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
use crate::model::forecast::Forecast;
use crate::model::graph::Graph;
use crate::model::key::{GraphHashes, KeyPart};
use crate::model::memory;
use crate::model::plan::Plan;
use crate::report::Diagnostics;

/// The maximum number of bytes of results that wait to be written. The bound is so large that
/// small results rarely reach it. About one large map fits.
const MAX_UNWRITTEN: u64 = 16 << 20;

/// Three quarters of the memory that this process may use, or no limit if this amount is unknown.
fn three_quarters() -> u64 {
    memory::total().map_or(u64::MAX, |bytes| bytes / 4 * 3)
}

impl Engine {
    /// An engine.
    ///
    /// # Errors
    /// If the system cannot create threads.
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
                // If no writer thread can be started, the threads that compute results also write them.
                let behind = Behind::new(Arc::clone(&far), MAX_UNWRITTEN.min(budget / 4))
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

    /// Evaluates a graph built in code and waits for the result.
    ///
    /// # Errors
    /// Mistakes in the graph. A failed node is not an error here: see [`Evaluation`].
    pub fn evaluate(
        &self,
        graph: &Graph,
        wanted: impl IntoIterator<Item = Wanted>,
    ) -> Result<Evaluation, Diagnostics> {
        let plan = Plan::new(graph)?;
        Ok(self.start(&Arc::new(Loaded { graph: graph.clone(), plan: Arc::new(plan) }), wanted)?.wait())
    }

    /// Starts evaluating a checked graph once. For repeated evaluations see [`Engine::session`].
    ///
    /// # Errors
    /// If a wanted output is not in the graph.
    pub fn start(
        &self,
        graph: &Arc<Loaded>,
        wanted: impl IntoIterator<Item = Wanted>,
    ) -> Result<Job, Diagnostics> {
        self.session().start(graph, wanted)
    }

    /// A session for repeated evaluations of a graph that changes.
    #[must_use]
    pub fn session(&self) -> Session {
        Session::new(self.clone())
    }

    /// What an evaluation would do, without running it: one item per needed node, in the order of the plan.
    ///
    /// A wanted output is given by the position of its node and its position among the node's outputs.
    #[must_use]
    pub fn resolve(&self, graph: &Loaded, wanted: &[(usize, usize)]) -> Vec<Resolved> {
        let targets: Vec<Target> =
            wanted.iter().map(|&(node, output)| Target { node, output, have: None, keep: true }).collect();
        let graph_hashes = GraphHashes::new(&*graph.graph.header, graph.graph.seed);
        let resolution = resolve::resolve(&self.shared, graph, &graph_hashes, &targets, None);
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

    /// The memory that an evaluation on this engine needs, if no results are known yet.
    #[must_use]
    pub fn forecast(&self, graph: &Loaded, wanted: &[(usize, usize)]) -> Forecast {
        let capacity = (!self.shared.keep_all).then(|| self.budget());
        graph.plan.forecast_on(&graph.graph, wanted, self.threads(), capacity)
    }

    /// The parts of the key of each needed node, with the position of the node.
    ///
    /// First come the parts that depend on the node alone. Then come its lazy outputs, and then its inputs.
    /// The part of a connected input is the identity of its value, if known.
    #[must_use]
    pub fn key_parts(&self, graph: &Loaded, wanted: &[(usize, usize)]) -> Vec<(usize, Vec<KeyPart>)> {
        let targets: Vec<Target> =
            wanted.iter().map(|&(node, output)| Target { node, output, have: None, keep: true }).collect();
        let graph_hashes = GraphHashes::new(&*graph.graph.header, graph.graph.seed);
        let resolution = resolve::resolve(&self.shared, graph, &graph_hashes, &targets, None);
        let order = graph.plan.order.iter().filter(|&&node| resolution.needed[node]);
        order.map(|&node| (node, resolve::parts(&self.shared, graph, &resolution, node))).collect()
    }

    /// Waits until all results are written, and returns a problem with writing them, if there is one. Each
    /// problem is reported once: here or by the next evaluation.
    pub fn flush(&self) -> Option<String> {
        self.shared.store.flush();
        self.shared.store.problem()
    }

    /// The number of threads that nodes run on.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.shared.threads
    }

    /// The maximum number of bytes for values and running nodes together.
    #[must_use]
    pub fn budget(&self) -> u64 {
        self.shared.budget.capacity()
    }

    /// The largest number of bytes that values and running nodes used at the same time, since the engine was
    /// created.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.shared.budget.peak()
    }

    /// Runs `work` on the engine's threads, and waits for it. Use this for work outside of nodes, such as
    /// writing a file.
    pub fn within<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let (mut work, mut done) = (Some(work), None);
        self.shared.executor.within(&mut || done = work.take().map(|work| work()));
        match (done, work) {
            (Some(done), _) => done,
            (None, Some(work)) => work(),
            (None, None) => unreachable!("started work ends or propagates its panic"),
        }
    }

    /// Reserves memory for work outside of nodes, such as writing a file. Waits until so much memory is free.
    /// Dropping the returned room releases the memory.
    pub fn set_aside(&self, bytes: u64) -> Room {
        self.shared.budget.set_aside(bytes)
    }

    /// Bytes of the values in the memory cache.
    #[must_use]
    pub fn memory_used(&self) -> u64 {
        self.shared.memory.used()
    }
}
