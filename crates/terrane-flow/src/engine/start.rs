//! The engine: it starts evaluations.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use super::cache::{DiskCache, MemoryCache};
use super::evaluation::Evaluation;
use super::job::Job;
use super::lock::lock;
use super::options::EngineOptions;
use super::placed::Placed;
use super::resolve;
use super::running::Running;
use super::shared::Shared;
use super::wanted::{Resolved, Target, Wanted};
use crate::language::Loaded;
use crate::model::files::FileDigests;
use crate::model::graph::Graph;
use crate::model::key::{Ground, KeyPart};
use crate::model::plan::Plan;
use crate::report::{Diagnostic, Diagnostics};

/// Evaluates graphs on its own threads, and remembers results.
///
/// Cheap to clone; clones share threads and caches.
#[derive(Clone)]
pub struct Engine {
    pub(super) shared: Arc<Shared>,
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
        Ok(Job::start(&self.shared, graph, targets.map(target).collect(), None))
    }

    /// Where wanted outputs are. Whoever asks for the same of the same plan again, as an editor does, is spared the search.
    pub(super) fn find(&self, graph: &Loaded, wanted: &[Wanted]) -> Result<Arc<Placed>, Diagnostics> {
        let last = lock(&self.shared.placed).clone();
        if let Some(last) = last.filter(|last| last.answers(&graph.plan, wanted)) {
            return Ok(last);
        }
        let (mut places, mut errors) = (Vec::with_capacity(wanted.len()), Vec::new());
        for wanted in wanted {
            match graph.graph.find(&wanted.output) {
                Ok(place) => places.push(place),
                Err((message, help)) => {
                    errors.push(Diagnostic::nowhere(message, help).coded("unknown-reference"));
                }
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
    pub fn key_parts(&self, graph: &Loaded, wanted: &[(usize, usize)]) -> Vec<(usize, Vec<KeyPart>)> {
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
