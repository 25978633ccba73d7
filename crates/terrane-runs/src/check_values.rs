//! Checks a graph by its values.

use std::sync::Arc;

use terrane_flow::{Engine, Loaded, OutputEntry, Reference, Wanted};

use crate::lint::{Warning, allowed, constant_mask, export_warning, masks};
use crate::{Failure, memory, outputs};

/// Evaluates all masks and outputs of a graph, and warns of what their values show. Nothing is written.
///
/// # Errors
/// If a node fails, or the graph does not fit into the engine's memory.
pub fn check_values(engine: &Engine, loaded: &Arc<Loaded>) -> Result<Vec<Warning>, Failure> {
    let graph = &loaded.graph;
    let entries: Vec<&OutputEntry> = graph.outputs.iter().collect();
    let ends = entries.iter().filter_map(|entry| Some(graph.find(&entry.from).ok()?.0));
    let needed = loaded.plan.needed(ends);
    // Masks that no output needs are not made: they have a warning of their own.
    let masks = masks(loaded).into_iter().filter(|(node, _)| needed[*node]);
    let masks: Vec<Reference> = masks
        .map(|(node, output)| {
            let name = graph.nodes[node].node().spec().outputs[output].name;
            Reference { node: (&*loaded.plan.names[node]).into(), output: Some(name.into()) }
        })
        .collect();
    let mut wanted: Vec<Wanted> = entries.iter().map(|entry| Wanted::from(entry.from.clone())).collect();
    wanted.extend(masks.iter().cloned().map(Wanted::from));
    let targets: Vec<(usize, usize)> = wanted.iter().filter_map(|own| graph.find(&own.output).ok()).collect();
    memory::check_graph(loaded, &targets, engine)?;
    let job = engine.start(loaded, wanted)?;
    let evaluation = job.wait();
    Failure::unless(outputs::failures(loaded, &evaluation))?;
    let values = evaluation.outputs.iter().map(|output| output.value.as_ref());
    let mut all = Vec::new();
    for (entry, value) in entries.iter().zip(values.clone()) {
        let options = outputs::options(graph, entry).ok();
        all.extend(
            options.zip(value).and_then(|(options, value)| export_warning(graph, entry, &options, value)),
        );
    }
    for (mask, value) in masks.iter().zip(values.skip(entries.len())) {
        all.extend(value.and_then(|value| constant_mask(graph, &mask.node, value)));
    }
    Ok(allowed(graph, all))
}
