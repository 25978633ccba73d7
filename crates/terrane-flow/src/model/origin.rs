//! The origin of values and nodes: the file, and the position in it, where they are written.

use std::collections::HashSet;
use std::ops::Range as Span;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use terrane_syntax::{Parameters, Problem, TokenKind, Tree, Value, parameter_name, parameter_names};

use crate::model::fields::Field;
use crate::model::parameter_help::unknown;
use crate::report::SourceText;
use crate::report::suggest;

/// A slot of a graph file, in which a value can be written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// A field of a node in this file.
    Field {
        /// The node, as this file calls it.
        node: String,
        /// The field.
        field: String,
    },
    /// A parameter that the graph declares in `params`.
    Param {
        /// Its name.
        name: String,
    },
    /// A field of the graph's header.
    Header {
        /// The field.
        field: String,
    },
    /// A parameter that a `Subgraph` node of this file passes with its `params`.
    Given {
        /// The node, as this file calls it.
        node: String,
        /// The parameter's name.
        name: String,
    },
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Field { node, field } => write!(f, "{node}.{field}"),
            Self::Param { name } => write!(f, "${name}"),
            Self::Header { field } => f.write_str(field),
            Self::Given { node, name } => write!(f, "{node}.params.{name}"),
        }
    }
}

/// A slot in one of a graph's files. If a graph uses a file twice, both copies of each node have the same
/// slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Home {
    /// The file, by its canonical path.
    pub file: Arc<Path>,
    /// The slot in it.
    pub slot: Slot,
}

/// The value of a parameter `"$name"`.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The value, as RON text. Copies of the value share it.
    pub text: Arc<str>,
    /// The value as a tree. It takes about 20 times as much memory as the text, and most values of large
    /// graphs are never read, so the text is parsed on first use.
    tree: Arc<OnceLock<Tree>>,
    /// The slot where the text is written. If files pass the value on to others, this is the slot in the
    /// first of these files. `None` if the value comes from outside all files, such as from the command line.
    pub home: Option<Home>,
}

impl Bound {
    /// A value that contains no parameter itself, and the slot where it is written.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>, home: Option<Home>) -> Self {
        Self { text: text.into(), tree: Arc::default(), home }
    }

    /// The value as a tree; `None` if the text is empty.
    fn value(&self) -> Option<Value<'_>> {
        self.tree.get_or_init(|| Tree::parse(Arc::clone(&self.text))).value()
    }

    /// The same value, written in another slot. The two share their memory.
    pub(crate) fn at(&self, home: Option<Home>) -> Self {
        Self { text: Arc::clone(&self.text), tree: Arc::clone(&self.tree), home }
    }
}

/// Values are equal if they have the same text from the same slot.
impl PartialEq for Bound {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.home == other.home
    }
}

impl Eq for Bound {}

/// The parameters that the nodes of a text can refer to.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The canonical path of the text's file, if it has one.
    pub file: Option<Arc<Path>>,
    /// The parameters, in order.
    pub params: IndexMap<String, Bound>,
    /// Parameters with invalid values. These were already reported, so uses of the parameters are not
    /// reported.
    pub(crate) wrong: HashSet<String>,
    /// Whether parameters may be missing because of a mistake that was already reported.
    pub(crate) is_broken: bool,
}

/// The origin of the value of a node's field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// The field itself, whether it is present or not.
    Own(Home),
    /// A parameter, with its name.
    Bound(&'a str, &'a Bound),
    /// The field, with parameters for parts of the value.
    Mixed(Vec<(&'a str, &'a Bound)>),
    /// The value comes from no file.
    Nowhere,
}

impl Parameters for Scope {
    fn has(&self, name: &str) -> bool {
        self.params.contains_key(name)
    }

    fn get(&self, name: &str) -> Result<Value<'_>, Problem> {
        self.params.get(name).and_then(Bound::value).ok_or_else(|| {
            let known: Vec<&str> = self.params.keys().map(String::as_str).collect();
            let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
            let help = if end < name.len() && known.contains(&&name[..end]) {
                format!("`${}` is a parameter: write +, -, * or / between it and what follows", &name[..end])
            } else {
                suggest::help(name, &known, "the graph's parameters are")
            };
            Problem { message: unknown(name), help }
        })
    }
}

impl Scope {
    /// Whether a value uses an invalid parameter, so that no other message about it is needed.
    pub(crate) fn is_reported(&self, value: Value<'_>) -> bool {
        if self.wrong.is_empty() && !self.is_broken || !value.text().contains('$') {
            return false;
        }
        let (tree, span) = (value.tree(), value.span());
        let within = tree.tokens_from(span.start).take_while(|(_, place)| place.start < span.end);
        let is_reported =
            |name: &str| self.wrong.contains(name) || self.is_broken && !self.params.contains_key(name);
        within
            .filter(|(kind, _)| *kind == TokenKind::Text)
            .any(|(_, place)| parameter_names(&tree.text()[place]).any(is_reported))
    }

    /// A field, marked as wrong if it uses an invalid parameter.
    pub(crate) fn field<'a>(&self, field: Field<'a>) -> Field<'a> {
        Field { is_wrong: field.is_wrong || field.tree.is_some_and(|value| self.is_reported(value)), ..field }
    }

    /// The slot of a declared parameter.
    pub(crate) fn declared(&self, name: &str) -> Option<Home> {
        let slot = Slot::Param { name: name.to_owned() };
        Some(Home { file: Arc::clone(self.file.as_ref()?), slot })
    }
}

/// The position of a node in a text.
#[derive(Clone, Debug)]
pub struct Location {
    /// The text.
    pub source: Arc<SourceText>,
    /// The node's name.
    pub name: Span<usize>,
    /// Its type.
    pub kind: Span<usize>,
    /// The value at each port, in the order of the spec.
    pub inputs: Vec<Option<Span<usize>>>,
    /// The value of each parameter that is present, in the order of the spec.
    pub params: Vec<Option<Span<usize>>>,
    /// The parameters that it can refer to.
    pub scope: Arc<Scope>,
}

impl Location {
    /// The origin of a field's value, as far as the text shows it. `written` is the span of the value, if it
    /// is present.
    #[must_use]
    pub fn origin(&self, field: &str, written: Option<&Span<usize>>) -> Origin<'_> {
        let text = written.and_then(|span| self.source.text.get(span.clone())).unwrap_or_default();
        let known =
            |name: &str| self.scope.params.get_key_value(name).map(|(name, bound)| (name.as_str(), bound));
        if let Some((name, bound)) = parameter_name(text).and_then(known) {
            return Origin::Bound(name, bound);
        }
        let tree = Tree::parse(text);
        let texts = tree.tokens_from(0).filter(|(kind, _)| *kind == TokenKind::Text);
        let names: Vec<(&str, &Bound)> =
            texts.flat_map(|(_, span)| parameter_names(&text[span])).filter_map(known).collect();
        if !names.is_empty() {
            return Origin::Mixed(names);
        }
        let node = self.source.text.get(self.name.clone()).unwrap_or_default().to_owned();
        match &self.scope.file {
            Some(file) => Origin::Own(Home {
                file: Arc::clone(file),
                slot: Slot::Field { node, field: field.to_owned() },
            }),
            None => Origin::Nowhere,
        }
    }
}
