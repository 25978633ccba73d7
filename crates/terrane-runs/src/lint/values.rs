//! Warnings that only values tell: constant masks, and files that lose most of the heights.

use std::path::Path;

use terrane_flow::{Graph, Loaded, OutputEntry, Value};
use terrane_io::WriteOptions;
use terrane_nodes::values::Map;

use super::warning::{Warning, of_node};

/// The share of heights that a file may clip.
const CLIPPED: f64 = 0.5;
/// The share of its whole numbers that a file has to use.
const USED: f64 = 1.0 / 256.0;

/// The masks that something reads, as positions of nodes and outputs. The mask of a source says where it has
/// data, which is mostly everywhere.
#[must_use]
pub fn masks(loaded: &Loaded) -> Vec<(usize, usize)> {
    let graph = &loaded.graph;
    let is_mask = |(node, output): &(usize, usize)| {
        let spec = graph.nodes[*node].node().spec();
        spec.outputs[*output].name == "mask" && spec.category != "sources"
    };
    let wires = loaded.plan.wires.iter().flatten().map(|wire| (wire.node, wire.output));
    let files = graph.outputs.iter().filter_map(|entry| graph.find(&entry.from).ok());
    let mut all: Vec<(usize, usize)> = wires.chain(files).filter(is_mask).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The warning of a mask that has the same value everywhere. A map of one sample has no other.
#[must_use]
pub fn constant_mask(graph: &Graph, node: &str, value: &Value) -> Option<Warning> {
    let map = value.clone().downcast::<Map>()?;
    let samples = map.samples();
    let (first, rest) = samples.split_first().filter(|(_, rest)| !rest.is_empty())?;
    if rest.iter().any(|sample| sample != first) {
        return None;
    }
    let selects = match *first {
        0.0 => "selects nothing",
        1.0 => "selects everything",
        _ => "is the same everywhere",
    };
    let message = format!("the mask of `{node}` {selects}: each sample is {first}");
    let mut warning = of_node(graph, "constant-mask", node.to_owned(), message);
    warning.diagnostic.help = "compare its ranges with the values that it reads".to_owned();
    Some(warning)
}

/// The warning of a file that clips most of the heights, or uses few of its whole numbers.
#[must_use]
pub fn export_warning(
    graph: &Graph,
    entry: &OutputEntry,
    options: &WriteOptions,
    value: &Value,
) -> Option<Warning> {
    let map = value.clone().downcast::<Map>()?;
    let ((low, high), count) = options.coded_range(Path::new(&entry.file))?;
    let samples = map.samples();
    let outside =
        samples.iter().filter(|&&height| f64::from(height) < low || f64::from(height) > high).count();
    let of = |lint, message: String, help: String| {
        let mut warning = of_node(graph, lint, entry.file.clone(), message);
        warning.diagnostic.help = help;
        warning
    };
    let heights = samples.iter().filter(|height| height.is_finite());
    let (least, most) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), &h| (a.min(h), b.max(h)));
    if least > most {
        return None;
    }
    let found = format!("heights are from {least} to {most}");
    if outside as f64 > CLIPPED * samples.len() as f64 {
        let share = 100.0 * outside as f64 / samples.len() as f64;
        let message = format!("the file clips {share:.0} % of the heights to {low} to {high}: {found}");
        return Some(of("clipped-export", message, "widen its `range`, or leave `range` out".to_owned()));
    }
    let used = (f64::from(most).min(high) - f64::from(least).max(low)).max(0.0) / (high - low);
    // A constant map needs one number.
    if least < most && used < USED {
        let message = format!(
            "the file stores the heights in {} of its {count} whole numbers: {found}, and its range is \
            {low} to {high}",
            (used * (count - 1.0)).floor() + 1.0
        );
        return Some(of(
            "coarse-export",
            message,
            "narrow its `range`, or write floating-point numbers".to_owned(),
        ));
    }
    None
}
