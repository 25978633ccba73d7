//! Docs of nodes and fields as Markdown for editors.

use terrane_flow::{InputSpec, NodeSpec, ParamSpec, Range};

/// Docs as Markdown: graphs in them are marked as RON.
#[must_use]
pub fn markdown(docs: &str) -> String {
    docs.trim().to_owned()
}

/// Bytes of a type's docs beside a text, at most, apart from its first paragraph.
const SHORT: usize = 700;

/// The first paragraphs of the docs of a node type, and its outputs.
#[must_use]
pub fn node_docs(spec: &NodeSpec) -> String {
    let whole = spec.docs.split("\n# Example").next().unwrap_or_default().trim();
    let ends = whole.match_indices("\n\n").map(|(end, _)| end).chain([whole.len()]);
    let first = whole.find("\n\n").unwrap_or(whole.len());
    let end = ends.filter(|end| *end <= SHORT).max().unwrap_or(first);
    let more = if end < whole.len() { "\n\n…" } else { "" };
    let docs = format!("{}{more}", &whole[..end]);
    let outputs: Vec<String> = spec
        .outputs
        .iter()
        .map(|output| {
            format!("- `{}`: {}{}. {}", output.name, output.kind.name, unit(output.unit), output.docs)
        })
        .collect();
    let mut text = format!("**{}** ({})\n\n{docs}", spec.name, spec.category);
    if !outputs.is_empty() {
        let tiles = spec.under_tiles();
        text += &format!(
            "\n\nOutputs:\n\n{}\n\nUnder tiles, with default parameters: {tiles}",
            outputs.join("\n")
        );
    }
    text
}

/// The docs of a port.
#[must_use]
pub fn input_docs(input: &InputSpec) -> String {
    let range = range(&input.range);
    format!("{}\n\n{}{}{range}; {}", input.docs, input.kinds(), unit(input.unit), input.need())
}

/// The docs of a parameter.
#[must_use]
pub fn param_docs(param: &ParamSpec) -> String {
    let default = match param.default {
        Some(default) => format!("; default `{}`", shortened(spaced(&default()))),
        None => "; required".to_owned(),
    };
    let (shape, range) = ((param.shape)(), range(&param.range));
    let choices = match &shape {
        terrane_flow::Shape::Choice(choices) => {
            choices.iter().map(|choice| format!("\n- `{}`: {}", choice.name, choice.docs)).collect::<String>()
        }
        _ => String::new(),
    };
    format!("{}\n\n{shape}{}{range}{default}{choices}", param.docs, unit(param.unit))
}

fn unit(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(", {unit}") }
}

fn range(range: &Range) -> String {
    let Range { min, max, above } = range;
    let low = min.map(|min| if *above { format!("above {min}") } else { format!("at least {min}") });
    let high = max.map(|max| format!("at most {max}"));
    low.into_iter().chain(high).map(|bound| format!(", {bound}")).collect()
}

/// A value with a blank behind each comma.
#[must_use]
pub fn spaced(value: &str) -> String {
    let mut is_quoted = false;
    let mut text = String::with_capacity(value.len() + 8);
    let mut rest = value.chars().peekable();
    while let Some(c) = rest.next() {
        is_quoted ^= c == '"';
        text.push(c);
        if c == ',' && !is_quoted && rest.peek().is_some_and(|next| !next.is_whitespace()) {
            text.push(' ');
        }
    }
    text
}

/// The beginning of a text that is too long for a line.
#[must_use]
pub fn shortened(text: String) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Whether a word is a number.
#[must_use]
pub fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['+', '-', '.']);
    digits.starts_with(|c: char| c.is_ascii_digit()) || ["inf", "NaN"].contains(&digits)
}
