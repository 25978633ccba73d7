//! Evaluation of the patches of a block.

use std::sync::Arc;
use std::time::Duration;

use terrane_flow::syntax::Problem;
use terrane_flow::{Cancel, Engine, Outcome, Wanted};
use terrane_runs::patches::folder;
use terrane_runs::workers::{self, Go};
use terrane_runs::world::LoadedWorld;
use terrane_runs::{Failure, outputs};

use crate::block::Samples;
use crate::layout::Layout;

/// The result of computing a block.
#[derive(Debug)]
pub struct BlockMade {
    /// The block's column and row.
    pub block: (i64, i64),
    /// Whether the store already had the block.
    pub was_there: bool,
    /// How many nodes ran.
    pub ran: usize,
    /// How many nodes were cache hits.
    pub cached: usize,
    /// Warnings of nodes.
    pub warnings: Vec<String>,
    /// A digest of the block's contents; `None` if the block failed.
    pub digest: Option<[u8; 32]>,
    /// What went wrong.
    pub problems: Vec<Problem>,
    /// How long it took.
    pub took: Duration,
}

/// A world's graph with everything that evaluating its patches requires.
pub struct Evaluator {
    pub world: Arc<LoadedWorld>,
    pub engine: Engine,
    /// Names of the outputs to evaluate. If empty, all are evaluated.
    pub only: Vec<String>,
    pub layout: Layout,
    /// Stops the evaluation before its next patch.
    pub stop: Cancel,
}

/// The values and statistics of a patch.
struct PatchValues {
    ran: usize,
    cached: usize,
    values: Vec<terrane_flow::Value>,
    warnings: Vec<String>,
}

impl Evaluator {
    /// Computes the samples of all outputs in a block. Records statistics and warnings in `made`.
    ///
    /// # Errors
    /// Returns the problems of the block's patches. No further patch starts after the first problem.
    pub fn block(&self, made: &mut BlockMade, threads: usize) -> Result<Vec<Samples>, Vec<Problem>> {
        let layers = &self.layout.layers;
        let mut samples: Vec<Samples> =
            layers.iter().map(|layer| Samples::new(&self.layout, layer)).collect();
        let patches = self.layout.patches_of(made.block);
        let mut problems = Vec::new();
        workers::each(
            threads.min(patches.count()).max(1),
            patches.count(),
            |number| patches.nth(number).map(|patch| (patch, self.patch(patch))),
            |_, done| {
                let Some((patch, result)) = done else { return Go::Stop };
                let position = ((patch.0 - patches.low.0) as usize, (patch.1 - patches.low.1) as usize);
                match result {
                    Ok(done) => {
                        made.ran += done.ran;
                        made.cached += done.cached;
                        made.warnings.extend(done.warnings);
                        for (samples, value) in samples.iter_mut().zip(&done.values) {
                            if !samples.put(value, position) {
                                let what = format!(
                                    "patch {}: an output is not a raster of the patch's size",
                                    folder(patch)
                                );
                                let help = "this is a defect in Terrane: please report it with the world";
                                problems.push(Problem::new(what, help));
                            }
                        }
                    }
                    Err(wrong) => problems.extend(wrong.into_iter().map(|mut problem| {
                        problem.message = format!("patch {},{}: {}", patch.0, patch.1, problem.message);
                        problem
                    })),
                }
                if problems.is_empty() { Go::On } else { Go::Stop }
            },
        );
        // A warning that several patches share is kept once. Sorting makes the order independent of threads.
        made.warnings.sort();
        made.warnings.dedup();
        if problems.is_empty() { Ok(samples) } else { Err(problems) }
    }

    /// Evaluates a patch.
    fn patch(&self, patch: (i64, i64)) -> Result<PatchValues, Vec<Problem>> {
        if self.stop.is_cancelled() {
            return Err(vec![Problem::new("the run was stopped", "run again: finished blocks are kept")]);
        }
        let loaded = self
            .world
            .patch(&self.engine, patch)
            .map_err(|error| vec![Problem::new(error.message, error.help)])?;
        let loaded = Arc::new(loaded);
        let problems_of = |failure: Failure| match failure {
            Failure::Evaluation(problems) => problems,
            Failure::Usage(problem) => vec![problem],
            Failure::Graph(_) => vec![Problem::new(failure.in_short(), "")],
        };
        let entries = outputs::entries(&loaded, &self.only).map_err(problems_of)?;
        let wanted: Vec<Wanted> = self
            .layout
            .layers
            .iter()
            .filter_map(|layer| Some(entries.get(layer.entry)?.from.clone().into()))
            .collect();
        let job = self.engine.start(&loaded, wanted).map_err(|wrong| problems_of(wrong.into()))?;
        let evaluation = job.wait();
        let problems = outputs::failures(&loaded, &evaluation);
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(PatchValues {
            ran: evaluation.ran().len(),
            cached: evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Cached).count(),
            values: evaluation.outputs.into_iter().filter_map(|output| output.value).collect(),
            warnings: evaluation.warnings,
        })
    }
}
