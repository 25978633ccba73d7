//! Memory checks before evaluation.

use terrane_flow::{Engine, Loaded, memory};

use crate::Failure;

/// Refuses a graph if one of its nodes alone exceeds the engine's memory, and names the node. Returns the
/// memory that the graph requires.
///
/// # Errors
/// Fails if the graph does not fit into the engine's memory.
pub fn check_graph(loaded: &Loaded, positions: &[(usize, usize)], engine: &Engine) -> Result<u64, Failure> {
    let forecast = engine.forecast(loaded, positions);
    let at = forecast.worst.and_then(|node| loaded.graph.nodes.get_index(node)).map(|(name, node)| {
        let location = node.location.as_ref().map(|location| {
            let (line, column) = location.source.line_column(location.name.start);
            format!(" ({}:{line}:{column})", location.source.name)
        });
        format!(" when `{name}`{} runs", location.unwrap_or_default())
    });
    check_memory(forecast.serial, &at.unwrap_or_default(), engine.budget())?;
    Ok(forecast.serial)
}

/// Refuses a forecast that exceeds the budget.
///
/// # Errors
/// Fails if the forecast exceeds the budget.
pub fn check_memory(forecast: u64, at: &str, budget: u64) -> Result<(), Failure> {
    if forecast <= budget {
        return Ok(());
    }
    Err(Failure::usage(
        format!(
            "evaluating this needs about {} of memory{at}, but the limit is {}",
            memory::human(forecast),
            memory::human(budget)
        ),
        "reduce --size, select fewer outputs with --only, import smaller files, or raise the limit with \
        --memory",
    ))
}

/// A note for the user before a large evaluation.
#[must_use]
pub fn note(forecast: u64) -> Option<String> {
    const WORTH_SAYING: u64 = 1 << 30;
    (forecast >= WORTH_SAYING).then(|| format!("needs about {} of memory", memory::human(forecast)))
}
