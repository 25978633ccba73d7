//! Slopes that look like degrees.

use std::sync::Arc;

use terrane_flow::syntax::Edit;
use terrane_flow::{Graph, GraphNode, Source};

use super::warning::Warning;

/// The unit of slopes.
const RISE: &str = "rise over run";
/// Slopes that are steeper look like degrees: 10 is 84 degrees.
const STEEP: f64 = 10.0;

/// Slopes above 10 and below 90.
pub fn slopes(graph: &Graph) -> Vec<Warning> {
    graph.nodes.iter().flat_map(|(name, node)| of_node(name, node)).collect()
}

fn of_node(name: &str, entry: &GraphNode) -> Vec<Warning> {
    let (node, location) = (entry.node(), entry.location.as_ref());
    let spec = node.spec();
    let ports =
        spec.inputs.iter().enumerate().filter(|(_, input)| input.unit == RISE).filter_map(|(at, input)| {
            let Source::Number(slope) = node.port(at).source() else { return None };
            Some((input.name, *slope, location.and_then(|own| own.inputs.get(at)?.clone())))
        });
    let params =
        spec.params.iter().enumerate().filter(|(_, param)| param.unit == RISE).filter_map(|(at, param)| {
            let slope = node.param(at).trim_start_matches("Some(").trim_end_matches(')').parse().ok()?;
            Some((param.name, slope, location.and_then(|own| own.params.get(at)?.clone())))
        });
    let steep = ports.chain(params).filter(|(_, slope, _)| (STEEP..90.0).contains(slope));
    let warning = |(field, slope, span): (&str, f64, Option<std::ops::Range<usize>>)| {
        let rise = (libm::tan(slope.to_radians()) * 1000.0).round() / 1000.0;
        let message = format!(
            "`{field}: {slope}` is {:.1} degrees steep, since slopes are rise over run",
            libm::atan(slope).to_degrees()
        );
        let help = format!("for {slope} degrees write {rise:?}");
        let place = location.zip(span).map(|(own, span)| (Arc::clone(&own.source), span));
        let mut warning = Warning::new("slope-in-degrees", name, place, message, help);
        let written =
            warning.diagnostic.place.as_ref().map(|(source, span)| (&source.text[span.clone()], span));
        let fix = written.filter(|(written, _)| written.parse::<f64>().is_ok());
        warning.diagnostic.fix = fix.map(|(_, span)| Edit { span: span.clone(), text: format!("{rise:?}") });
        warning
    };
    steep.map(warning).collect()
}
