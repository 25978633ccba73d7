//! What does not fit into memory is refused before anything is evaluated.

use terrane_flow::{Engine, Loaded, memory};

use crate::Failure;

/// Refuses a graph of which a node alone does not fit into the engine's memory, and names the node. Gives
/// what the graph needs.
///
/// # Errors
/// That it does not fit.
pub fn check_graph(loaded: &Loaded, positions: &[(usize, usize)], engine: &Engine) -> Result<u64, Failure> {
    let forecast = loaded.plan.forecast(&loaded.graph, positions, engine.threads());
    let at = forecast.worst.and_then(|node| loaded.graph.nodes.get_index(node)).map(|(name, node)| {
        let place = node.location.as_ref().map(|location| {
            let (line, column) = location.source.line_column(location.name.start);
            format!(" ({}:{line}:{column})", location.source.name)
        });
        format!(" when `{name}`{} runs", place.unwrap_or_default())
    });
    check_memory(forecast.serial, &at.unwrap_or_default(), engine.budget())?;
    Ok(forecast.serial)
}

/// Refuses what memory cannot hold.
///
/// # Errors
/// That it does not fit.
pub fn check_memory(forecast: u64, at: &str, budget: u64) -> Result<(), Failure> {
    if forecast <= budget {
        return Ok(());
    }
    Err(Failure::usage(
        format!(
            "evaluating this needs about {} of memory{at}, and it may take {}",
            memory::human(forecast),
            memory::human(budget)
        ),
        "take fewer samples with --size, fewer outputs with --only, smaller files to import, or allow more \
        with --memory",
    ))
}

/// What to tell before something large is evaluated.
#[must_use]
pub fn note(forecast: u64) -> Option<String> {
    const WORTH_SAYING: u64 = 1 << 30;
    (forecast >= WORTH_SAYING).then(|| format!("needs about {} of memory", memory::human(forecast)))
}
