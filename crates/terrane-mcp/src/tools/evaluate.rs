//! Evaluates ports of a graph within the limits of a call.

use terrane_flow::{Evaluation, Reference, Wanted};
use terrane_runs::explain::parts;
use terrane_runs::{Failure, memory, outputs};

use crate::failures;
use crate::graph::Opened;
use crate::refusal::Refusal;
use crate::setup::Shared;
use crate::stop::Stop;

/// Evaluates ports. All of them have a value then.
pub fn ports(
    shared: &Shared,
    opened: &Opened,
    ports: &[Reference],
    stop: &Stop,
) -> Result<Evaluation, Refusal> {
    let loaded = &opened.loaded;
    let targets = positions(opened, ports);
    memory::check_graph(loaded, &targets, &shared.engine).map_err(|failure| too_large(failure, shared))?;
    let job = shared
        .engine
        .start(loaded, ports.iter().cloned().map(Wanted::from))
        .map_err(|mistakes| failures::of_graph(&mistakes, &shared.folder))?;
    stop.follow(&job);
    let evaluation = job.wait();
    if let Some(refusal) = stop.reason().filter(|_| !evaluation.succeeded()) {
        return Err(refusal);
    }
    Failure::unless(outputs::failures(loaded, &evaluation))
        .map_err(|failure| failures::of(failure, &shared.folder))?;
    shared.remember(opened.path.clone(), parts(&shared.engine, loaded, &targets));
    match evaluation.outputs.iter().find(|output| output.value.is_none()) {
        Some(none) => {
            let what = format!("`{}` has no value after the evaluation", none.output);
            Err(Refusal::new(what, "call again").at(none.output.to_string()))
        }
        None => Ok(evaluation),
    }
}

/// The positions of ports.
pub fn positions(opened: &Opened, ports: &[Reference]) -> Vec<(usize, usize)> {
    ports.iter().filter_map(|port| opened.loaded.graph.find(port).ok()).collect()
}

/// A graph that needs more memory than the server may use.
pub fn too_large(failure: Failure, shared: &Shared) -> Refusal {
    let remedy = "evaluate fewer samples with `size`, or start the server with more --memory";
    failures::of(failure, &shared.folder).mended_by(remedy)
}
