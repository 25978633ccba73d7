//! The docstring of a node for Python's `help`.

use std::fmt::Write as _;

use terrane_flow::NodeSpec;

use super::arguments::{Wires, argument};

pub fn with_unit(docs: &str, unit: &str) -> String {
    let docs = docs.trim().replace('\n', " ");
    if unit.is_empty() { docs } else { format!("{docs} [{unit}]") }
}

pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"")
}

/// A node's page without its example, then its arguments with units and ranges.
pub fn docstring(spec: &NodeSpec, indent: &str, wires: &Wires, rest: &[&str]) -> String {
    let docs = spec.docs.split("# Example").next().unwrap_or_default().trim();
    let mut lines: Vec<String> = docs.lines().map(str::to_owned).collect();
    lines.extend([String::new(), "Args:".to_owned()]);
    for input in spec.inputs.iter().filter(|input| wires.takes(input)) {
        let range =
            if input.scalar && !input.range.is_open() { format!("; {}", input.range) } else { String::new() };
        let docs = with_unit(input.docs, input.unit);
        lines.push(format!("    {}: {docs} ({}{range})", argument(input.name, wires), input.kind.name));
    }
    for param in spec.params {
        let docs = with_unit(param.docs, param.unit);
        let range = if param.range.is_open() { String::new() } else { format!(", {}", param.range) };
        lines.push(format!("    {}: {docs} ({}{range})", argument(param.name, wires), (param.shape)()));
    }
    lines.extend(rest.iter().map(|line| format!("    {line}")));
    lines.extend([String::new(), "Outputs:".to_owned()]);
    for output in spec.outputs {
        lines.push(format!(
            "    {}: {} ({})",
            output.name,
            with_unit(output.docs, output.unit),
            output.kind.name
        ));
    }
    let mut text = format!("{indent}\"\"\"");
    for (at, line) in lines.iter().enumerate() {
        let line = escaped(line);
        let start = if at == 0 || line.is_empty() { "" } else { indent };
        let _infallible = writeln!(text, "{start}{line}");
    }
    text + &format!("{indent}\"\"\"\n")
}
