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
    let all = graph.nodes.iter();
    all.flat_map(|(name, node)| of_node(name, node).into_iter().chain(of_range(name, node))).collect()
}

/// A range of slopes: one from 10 on, or from 0 to more than 10. Without an end, a range goes far up.
fn of_range(name: &str, entry: &GraphNode) -> Option<Warning> {
    let (node, location) = (entry.node(), entry.location.as_ref());
    let at = |field: &str| node.spec().params.iter().position(|param| param.name == field);
    let (by, range) = (at("by")?, at("range")?);
    if node.spec().name != "Select" || node.param(by) != "Slope" {
        return None;
    }
    let text = node.param(range);
    let (low, high) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    let [low, high] = [low, high].map(|bound| bound.trim().parse::<f64>());
    let (low, high) = (low.ok()?, high.ok()?);
    if !(low >= STEEP || (low == 0.0 && high > STEEP)) || high >= 90.0 {
        return None;
    }
    let message = format!(
        "`range: ({low}, {high})` is from {:.1} to {:.1} degrees, since slopes are rise over run",
        libm::atan(low).to_degrees(),
        libm::atan(high).to_degrees()
    );
    let meant = format!("({:?}, {:?})", rise(low), rise(high));
    let span = location.and_then(|own| own.params.get(range)?.clone());
    let place = location.zip(span).map(|(own, span)| (Arc::clone(&own.source), span));
    let help = format!("for {low} to {high} degrees write {meant}");
    let mut warning = Warning::new("slope-in-degrees", name, place, message, help);
    let written = warning.diagnostic.place.as_ref().map(|(source, span)| (&source.text[span.clone()], span));
    let fix = written.filter(|(written, _)| !written.contains('$'));
    warning.diagnostic.fix = fix.map(|(_, span)| Edit { span: span.clone(), text: meant });
    Some(warning)
}

/// The slope of an angle in degrees.
fn rise(degrees: f64) -> f64 {
    (libm::tan(degrees.to_radians()) * 1000.0).round() / 1000.0
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
        let rise = rise(slope);
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
