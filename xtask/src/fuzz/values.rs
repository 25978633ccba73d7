//! Values of parameters, in RON and as JSON, and their insertion into a graph's text.

use std::path::Path;

use terrane::flow::{GraphText, Literal as _, RewriteError, Shape, Slot, format_text};

use super::mutate::Rng;
use super::tokens::Corpus;
use super::{Target, texts};
use crate::Result;

/// Values as people write them, in addition to the defaults of parameters.
const VALUES: [&str; 22] = [
    "1",
    "-2.5e-3",
    "true",
    "None",
    "Some(1)",
    "\"text\"",
    "\"a\\\"b\\n\\u{e9}\"",
    "r#\"raw \"text\"\"#",
    "[1, 2, 3]",
    "(1, 2)",
    "[(0.0, 1.0), (2.0, 0.5)]",
    "[(\"hills\", Noise(amplitude: 5, octaves: 3)), (\"flat\", MidpointDisplacement())]",
    "Wrap",
    "[]",
    "()",
    "[ // one\n 1, /* two */ 2,\n]",
    "18446744073709551615",
    "-9223372036854775808",
    "0x1f",
    "1_000",
    "'a'",
    "b\"bytes\"",
];

/// Targets for shapes of values, and for changes of texts.
pub fn targets() -> Result<Vec<Box<dyn Target>>> {
    let registry = terrane::registry();
    let mut shapes: Vec<Shape> = Vec::new();
    for param in registry.nodes().flat_map(|node| node.spec().params) {
        let shape = (param.shape)();
        // File names can only be set in the graph's text: as JSON they are shown but not accepted.
        if !shapes.contains(&shape) && !format!("{shape:?}").contains("File") {
            shapes.push(shape);
        }
    }
    let defaults = registry.nodes().flat_map(|node| node.spec().params).filter_map(|param| param.default);
    let mut values: Vec<String> =
        VALUES.map(str::to_owned).into_iter().chain(defaults.map(|default| default())).collect();
    values.sort();
    values.dedup();
    let of = |shape: &Shape| -> Vec<String> {
        values.iter().filter(|value| shape.json(value).is_some()).cloned().collect()
    };
    let own =
        shapes.iter().map(of).map(|values| if values.is_empty() { vec!["1".to_owned()] } else { values });
    let own = own.map(|values| Corpus::new(values, [])).collect();
    Ok(vec![
        Box::new(Shapes { own, shapes, values: Corpus::new(values.clone(), []) }),
        Box::new(Rewrite { graphs: texts::corpus()?, values: Corpus::new(values, []) }),
    ])
}

/// Conversion from RON to JSON and back. An input is the number of a shape and, on the next line, a value.
struct Shapes {
    shapes: Vec<Shape>,
    /// Values of each shape.
    own: Vec<Corpus>,
    /// Values of any shape.
    values: Corpus,
}

impl Target for Shapes {
    fn name(&self) -> &'static str {
        "literal"
    }

    fn share(&self) -> u64 {
        6
    }

    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let shape = rng.below(self.shapes.len());
        let values = if rng.one_in(4) { &self.values } else { &self.own[shape] };
        format!("{shape}\n{}", values.mutated(rng)).into_bytes()
    }

    fn run(&self, input: &[u8], _: &Path) -> std::result::Result<bool, String> {
        let text = String::from_utf8_lossy(input);
        let (number, value) = text.split_once('\n').ok_or("no line break")?;
        let shape =
            number.parse::<usize>().ok().and_then(|number| self.shapes.get(number)).ok_or("no such shape")?;
        // Values longer than pages may send are shown but not accepted.
        let Some(json) = shape.json(value).filter(|_| value.len() < 60_000) else { return Ok(false) };
        let again = shape.ron(&json).map_err(|why| format!("{json} of a value is rejected: {why}"))?;
        match shape.json(&again) {
            Some(same) if same == json => Ok(true),
            other => Err(format!("{json} becomes {again}, which is {other:?}")),
        }
    }
}

/// A change of a text.
type Edit<'a> = dyn Fn(&mut GraphText) -> std::result::Result<(), RewriteError> + 'a;

/// Changes of a graph's text. An input is a node, a field and a value on separate lines, and the text.
struct Rewrite {
    graphs: Corpus,
    values: Corpus,
}

impl Target for Rewrite {
    fn name(&self) -> &'static str {
        "rewrite"
    }

    fn share(&self) -> u64 {
        6
    }

    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let text = if rng.one_in(2) { self.graphs.text(rng).to_owned() } else { self.graphs.mutated(rng) };
        let (node, field) = self.node_and_field(rng, &text);
        let value = self.values.mutated(rng).replace('\n', " ");
        format!("{node}\n{field}\n{value}\n{text}").into_bytes()
    }

    fn run(&self, input: &[u8], _: &Path) -> std::result::Result<bool, String> {
        let input = String::from_utf8_lossy(input);
        let mut lines = input.splitn(4, '\n');
        let mut line = || lines.next().ok_or("too few lines");
        let (node, field, value, text) = (line()?, line()?, line()?, line()?);
        let slot = if node.is_empty() {
            Slot::Param { name: field.to_owned() }
        } else if field.contains('.') {
            Slot::Given { node: node.to_owned(), name: field.replace('.', "") }
        } else {
            Slot::Field { node: node.to_owned(), field: field.to_owned() }
        };
        let edits: [&Edit<'_>; 3] = [
            &|graph| graph.set_field(node, field, value),
            &|graph| graph.set_parameter(node, field, value),
            &|graph| graph.set_slot(&slot, value),
        ];
        let edited = |text: &str, edit: &Edit<'_>| {
            let mut graph = GraphText::new(text).ok()?;
            edit(&mut graph).ok()?;
            Some(graph.into_text())
        };
        let mut changed = false;
        for (number, edit) in edits.into_iter().enumerate() {
            let Some(once) = edited(text, edit) else { continue };
            changed = true;
            if let Err(mistakes) = format_text("input.ron", &once) {
                return Err(format!("change {number} breaks the text: {}", mistakes.render(false)));
            }
            // A binding set by change 1 is not a value that can be set again at the same position.
            if !value.contains('$') && edited(&once, edit).as_deref() != Some(&*once) {
                return Err(format!("change {number} is not idempotent"));
            }
        }
        Ok(changed)
    }
}

impl Rewrite {
    /// Names of a node and of a field that are close together in a text, or others.
    fn node_and_field(&self, rng: &mut Rng, text: &str) -> (String, String) {
        let quoted: Vec<(usize, &str)> = text
            .match_indices("\": ")
            .map(|(at, _)| (at, text[..at].rsplit('"').next().unwrap_or_default()))
            .collect();
        if quoted.is_empty() || rng.one_in(8) {
            return (self.graphs.word(rng).trim_matches('"').to_owned(), self.graphs.word(rng).to_owned());
        }
        let (at, node) = *rng.pick(&quoted);
        let node = if rng.one_in(8) { "" } else { node };
        if node.is_empty() {
            return (String::new(), rng.pick(&quoted).1.to_owned());
        }
        let end = text.ceil_char_boundary((at + 200).min(text.len()));
        let fields: Vec<&str> = text[at..end]
            .match_indices(": ")
            .filter_map(|(colon, _)| {
                text[at..at + colon].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()
            })
            .filter(|name| !name.is_empty())
            .collect();
        let field =
            if fields.is_empty() || rng.one_in(4) { self.graphs.word(rng) } else { rng.pick(&fields) };
        let given = if rng.one_in(8) { "." } else { "" };
        (node.to_owned().replace('\n', " "), format!("{given}{}", field.replace('\n', " ")))
    }
}
