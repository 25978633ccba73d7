//! Random graphs with comments, blanks and line ends anywhere, as people might write them.

use proptest::collection::vec;
use proptest::prelude::*;
use terrane::Loaded;
use terrane::flow::Source;

/// What may occur between any two tokens.
const GAPS: [&str; 14] = [
    "",
    " ",
    "",
    "\n",
    "\n    ",
    "\r\n\t",
    " // to the end, (of) \"it\"\n",
    "\n\n\n",
    "/* a /* b, */ ) */",
    " /* c */ ",
    "\n        ",
    " // d\r\n",
    "\n// e\n\n",
    " /* f\n  g */\n",
];

/// A node's type, with optional fields.
const TYPES: [(&str, &[&str]); 4] = [
    ("Constant", &["value"]),
    ("Perlin", &["octaves", "wavelength", "amplitude", "fractal"]),
    ("Curve", &["height", "points", "kind"]),
    ("Combine", &["a", "b", "weight", "mode"]),
];

/// Values that a field accepts, in the styles that people use.
#[must_use]
pub fn values(field: &str) -> &'static [&'static str] {
    match field {
        "octaves" => &["1", "3", "8"],
        "wavelength" => &["64.0", "128", "2.5e2"],
        "fractal" => &["Fbm", "Ridged"],
        "kind" => &["Smooth", "Linear"],
        "mode" => &["Add", "Lerp", "Max"],
        "points" => &["[(0.0, 0.0), (1.0, 2)]", "[(-1.50, 0), (0.25, 1e0), (3.0, -1.0),]"],
        "height" | "a" => &["\"n0\"", "\"n0.height\""],
        "b" => &["\"n0\"", "2.0"],
        _ => &["0.10", "-1.0", "1e-3", "3", "\"$k\""],
    }
}

/// A graph with `n0`, a `Constant`, and others that may read it.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Nodes and the fields that their types have.
    pub nodes: Vec<(String, &'static [&'static str])>,
}

/// Graphs with any fields present, in any style.
pub fn written() -> impl Strategy<Value = Written> {
    let node = (0..TYPES.len(), vec(0_usize..20, 4), any::<bool>());
    (vec(node, 0..4), vec(0..GAPS.len(), 1..80), any::<bool>()).prop_map(|(nodes, gaps, trailing)| {
        let mut writer = Writer { text: String::new(), gaps: gaps.into_iter().cycle() };
        writer.graph(&nodes, trailing)
    })
}

struct Writer<G> {
    text: String,
    gaps: G,
}

impl<G: Iterator<Item = usize>> Writer<G> {
    fn tokens(&mut self, tokens: &[&str]) {
        for token in tokens {
            self.text.push_str(token);
            self.text.push_str(self.gaps.next().map_or("", |gap| GAPS[gap]));
        }
    }

    fn graph(&mut self, nodes: &[(usize, Vec<usize>, bool)], trailing: bool) -> Written {
        self.tokens(&["", "Graph", "(", "size", ":", "(", "9", ",", "9", ")", ",", "params", ":", "{"]);
        self.tokens(&["\"k\"", ":", "0.50", ",", "\"other\"", ":", "[1, 2]", "}", ","]);
        self.tokens(&["nodes", ":", "{", "\"n0\"", ":", "Constant", "(", ")"]);
        let mut named = vec![("n0".to_owned(), TYPES[0].1)];
        for (kind, given, comma) in nodes {
            let (name, fields) = TYPES[*kind];
            let quoted = format!("\"n{}\"", named.len());
            self.tokens(&[",", &quoted, ":", name, "("]);
            // Required fields are always present.
            let chosen: Vec<(&str, usize)> = fields
                .iter()
                .zip(given)
                .filter(|(field, choice)| ["height", "a", "b"].contains(field) || **choice < 10)
                .map(|(field, choice)| (*field, *choice))
                .collect();
            for (at, (field, choice)) in chosen.iter().enumerate() {
                self.tokens(&[field, ":"]);
                self.value(values(field)[choice % values(field).len()]);
                if at + 1 < chosen.len() || *comma {
                    self.tokens(&[","]);
                }
            }
            self.tokens(&[")"]);
            named.push((format!("n{}", named.len()), fields));
        }
        self.tokens(&["}", ",", "outputs", ":", "{", "\"a.npy\"", ":", "\"n0\"", "}"]);
        self.tokens(if trailing { &[",", ")"] } else { &[")"] });
        Written { text: std::mem::take(&mut self.text), nodes: named }
    }

    /// Writes a value, with gaps inside lists too.
    fn value(&mut self, value: &str) {
        for piece in value.split_inclusive(['[', '(', ',', ')']) {
            self.tokens(&[piece.trim()]);
        }
    }
}

/// The content of a loaded graph as lines of text: nodes with parameters and wires, the header, outputs.
#[must_use]
pub fn facts(loaded: &Loaded) -> Vec<String> {
    let graph = &loaded.graph;
    let mut facts = vec![format!("{:?} {}", graph.header, graph.seed)];
    for (name, node) in &graph.nodes {
        let (node, spec) = (node.node(), node.node().spec());
        facts.push(format!("{name}: {}", spec.name));
        for (index, param) in spec.params.iter().enumerate() {
            facts.push(format!("{name}.{} = {}", param.name, node.param(index)));
        }
        for (index, input) in spec.inputs.iter().enumerate() {
            let source = match node.port(index).source() {
                Source::Wire(reference) => reference.to_string(),
                other => format!("{other:?}"),
            };
            facts.push(format!("{name}.{} = {source}", input.name));
        }
    }
    facts.extend(graph.outputs.iter().map(|o| format!("{} = {} {:?}", o.file, o.from, o.options)));
    facts
}
