//! Hints between the words of a text: units of numbers, and the defaults of what matters most at a node.

use std::ops::Range as Span;

use terrane_flow::syntax::{Bracket, Value};
use terrane_flow::{NodeSpec, Registry};

use crate::document::Document;
use crate::outline::{Entry, Outline, entries, spec_of};
use crate::words::{is_number, shortened};

/// A text that an editor shows at a byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The byte.
    pub at: usize,
    /// The text.
    pub label: String,
    /// What it means.
    pub docs: &'static str,
    /// Whether it stands for a field that could be written there.
    pub is_default: bool,
}

/// Defaults that are shown at a node, at most.
const MOST: usize = 3;

/// The hints in some bytes.
#[must_use]
pub fn hints(document: &Document, registry: &Registry, within: &Span<usize>) -> Vec<Hint> {
    let outline = Outline::of(&document.tree);
    let mut all = Vec::new();
    for node in &outline.nodes {
        let overlaps = node.span.start < within.end && within.start < node.span.end;
        let Some(call) = node.call().filter(|_| overlaps) else { continue };
        let Some(spec) = spec_of(registry, call.name()) else { continue };
        let fields = entries(call.group());
        all.extend(fields.iter().filter_map(|field| unit(spec, field)));
        // Before the closing bracket.
        let end = call.group().span().end.saturating_sub(1);
        if document.text().get(end..).is_some_and(|rest| rest.starts_with(')')) {
            all.extend(defaults(spec, &fields, end));
        }
    }
    all.retain(|hint| within.start <= hint.at && hint.at <= within.end);
    all.sort_by_key(|hint| hint.at);
    all
}

/// The unit of a number, or of numbers in brackets.
fn unit(spec: &'static NodeSpec, field: &Entry<'_>) -> Option<Hint> {
    let value = field.value?;
    let of = spec.inputs.iter().find(|input| input.name == field.name).map(|input| (input.unit, input.docs));
    let of = of.or_else(|| {
        let param = spec.params.iter().find(|param| param.name == field.name)?;
        Some((param.unit, param.docs))
    });
    let (unit, docs) = of.filter(|(unit, _)| !unit.is_empty() && *unit != "sRGB")?;
    let is_written = is_number(value.text()) || numbers(value);
    is_written.then(|| Hint { at: value.span().end, label: format!(" {unit}"), docs, is_default: false })
}

/// Whether a value is a tuple of numbers.
fn numbers(value: Value<'_>) -> bool {
    let Some(group) = value.group(Bracket::Round) else { return false };
    group.items().all(|item| item.name().is_none() && item.value().is_some_and(|own| is_number(own.text())))
}

/// The defaults of the fields that matter most and are not written.
fn defaults(spec: &'static NodeSpec, fields: &[Entry<'_>], at: usize) -> Option<Hint> {
    let given = |name: &str| fields.iter().any(|field| field.name == name);
    let default = |name: &&'static str| {
        let text = match spec.params.iter().find(|param| param.name == *name) {
            Some(param) => param.default?(),
            None => format!("{:?}", spec.inputs.iter().find(|input| input.name == *name)?.default?),
        };
        (text != "None").then(|| format!("{name}: {}", shortened(text)))
    };
    let missing = spec.main.iter().filter(|name| !given(name)).filter_map(default).take(MOST);
    let missing: Vec<String> = missing.collect();
    if missing.is_empty() {
        return None;
    }
    let label = match fields.is_empty() {
        true => missing.join(", "),
        false => format!(", {}", missing.join(", ")),
    };
    Some(Hint { at, label, docs: "Defaults of fields that are not written.", is_default: true })
}
