//! `llms.txt`: what a language model should know to write graphs.

use std::fmt::Write as _;

use terrane_flow::NodeSpec;

const TEXT: &str = include_str!("llms.md");

/// The text, with a line of types for each category.
#[must_use]
pub fn text(specs: &[&'static NodeSpec]) -> String {
    let (mut types, mut category) = (String::new(), "");
    for spec in specs {
        let separator = if spec.category == category {
            ", ".to_owned()
        } else {
            category = spec.category;
            format!("{}- {category}: ", if types.is_empty() { "" } else { "\n" })
        };
        let _infallible = write!(types, "{separator}{}", short(spec));
    }
    TEXT.replace("{{types}}", &types)
}

/// The graphs of the text.
#[must_use]
pub fn graphs() -> Vec<&'static str> {
    let blocks = TEXT.split("```ron\n").skip(1);
    blocks.filter_map(|block| Some(block.split_once("```")?.0)).collect()
}

/// A type in a few words: its required ports and parameters, and its outputs.
fn short(spec: &NodeSpec) -> String {
    let ports = spec.inputs.iter().filter(|input| !input.optional).map(|input| input.name);
    let params = spec.params.iter().filter(|param| param.default.is_none()).map(|param| param.name);
    let needed: Vec<&str> = ports.chain(params).collect();
    let outputs: Vec<&str> = spec.outputs.iter().map(|output| output.name).collect();
    let needed = if needed.is_empty() { String::new() } else { format!("({})", needed.join(", ")) };
    let outputs = match &*outputs {
        [] | ["height"] => String::new(),
        outputs => format!(" -> {}", outputs.join(" ")),
    };
    format!("{}{needed}{outputs}", spec.name)
}
