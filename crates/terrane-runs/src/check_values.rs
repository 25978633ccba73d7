//! Checks a graph by its values.

use std::sync::Arc;

use terrane_flow::{Engine, Loaded, Wanted};

use crate::lint::{Subject, Warning, allowed};
use crate::{Failure, memory, outputs};

/// Evaluates all masks and outputs of a graph, and warns of what their values show. Nothing is written.
///
/// # Errors
/// If a node fails, or the graph does not fit into the engine's memory.
pub fn check_values(engine: &Engine, loaded: &Arc<Loaded>) -> Result<Vec<Warning>, Failure> {
    let graph = &loaded.graph;
    let subjects = Subject::all(loaded);
    let wanted: Vec<Wanted> =
        subjects.iter().map(|subject| Wanted::from(subject.reference(graph).clone())).collect();
    let targets: Vec<(usize, usize)> = wanted.iter().filter_map(|own| graph.find(&own.output).ok()).collect();
    memory::check_graph(loaded, &targets, engine)?;
    let evaluation = engine.start(loaded, wanted)?.wait();
    Failure::unless(outputs::failures(loaded, &evaluation))?;
    let values = evaluation.outputs.iter().map(|output| output.value.as_ref());
    let all = subjects.iter().zip(values).filter_map(|(subject, value)| subject.warning(graph, value?));
    Ok(allowed(graph, all.collect()))
}
