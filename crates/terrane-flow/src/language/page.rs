//! The page of a node type as text.

use std::fmt::Write as _;

use crate::model::spec::NodeSpec;

/// The page of a type as text: its docs, ports, parameters and outputs, with units, ranges and defaults.
#[must_use]
pub fn text(spec: &NodeSpec) -> String {
    let is_node = !spec.outputs.is_empty();
    let tiles = if is_node { format!("; under tiles {}", spec.under_tiles()) } else { String::new() };
    let holes = spec.under_holes().map_or_else(String::new, |holes| format!("; holes are {holes}"));
    let mut text = format!("{} ({}{tiles}{holes})\n\n{}\n", spec.name, spec.category, spec.docs);
    if !spec.paper.is_empty() {
        let _infallible = writeln!(text, "\nSource: {}", spec.paper);
    }
    if is_node {
        text.push_str("\nPorts\n");
    }
    for input in spec.inputs {
        let need = input.need();
        entry(&mut text, input.name, &format!("{}, {need}", input.kinds()), input.unit, input.docs);
    }
    text.push_str(if is_node { "\nParameters\n" } else { "\nFields\n" });
    for param in spec.params {
        let default =
            param.default.map_or_else(|| "required".to_owned(), |default| format!("default {}", default()));
        let range = if param.range.is_open() { String::new() } else { format!(", {}", param.range) };
        entry(
            &mut text,
            param.name,
            &format!("{}{range}; {default}", (param.shape)()),
            param.unit,
            param.docs,
        );
    }
    if is_node {
        text.push_str("\nOutputs\n");
    }
    for output in spec.outputs {
        entry(&mut text, output.name, output.kind.name, output.unit, output.docs);
    }
    text
}

fn entry(text: &mut String, name: &str, what: &str, unit: &str, docs: &str) {
    let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
    let _infallible = writeln!(text, "  {name}{unit}: {what}\n      {}", docs.replace('\n', " "));
}
