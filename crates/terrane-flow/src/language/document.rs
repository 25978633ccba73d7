//! Reads the parts of a graph's text from its tree. This does not depend on node types.

use std::ops::Range as Span;
use std::sync::Arc;

use terrane_syntax::{Bracket, Call as CallView, Form, Group, Item, Tree, Value, literal};

use crate::model::fields::Field;
use crate::report::suggest::{self, shorten};
use crate::report::{Diagnostic, Diagnostics, SourceText};

/// A text with its tree, parsed once for all uses.
#[derive(Debug)]
pub struct Parsed {
    /// The text.
    pub source: Arc<SourceText>,
    /// The tree of the same bytes.
    pub tree: Tree,
}

impl Parsed {
    /// Parses a text.
    pub fn new(source: Arc<SourceText>) -> Self {
        let tree = Tree::parse(Arc::clone(&source.text));
        Self { source, tree }
    }

    /// A text that is already parsed; `name` is its name in messages.
    pub fn of(name: &str, tree: Tree) -> Self {
        let source = Arc::new(SourceText { name: name.to_owned(), text: tree.shared_text() });
        Self { source, tree }
    }

    /// The syntax mistakes.
    pub fn mistakes(&self) -> impl Iterator<Item = Diagnostic> {
        self.tree.mistakes().iter().map(|mistake| Diagnostic::of(&self.source, mistake))
    }

    /// The call `Type(field: value, ...)` in the text.
    pub fn call(&self) -> Result<Call<'_>, Diagnostics> {
        let source = &self.source;
        let is_reported = !self.tree.mistakes().is_empty();
        let Some(value) = self.tree.value() else {
            let help = "write Type(field: value, ...)";
            let empty = Diagnostic::at(source, source.beginning(), "the file is empty", help);
            return Err(unless_reported(is_reported, empty.coded("empty-file")));
        };
        call(source, value)
    }

    /// The fields of `Graph(…)`.
    pub fn graph(&self) -> Result<Vec<Entry<'_>>, Diagnostics> {
        let source = &self.source;
        let begins = "a graph file begins with Graph(";
        let Some(value) = self.tree.value() else {
            let is_reported = !self.tree.mistakes().is_empty();
            let place = source.beginning();
            let empty = Diagnostic::at(source, place, "the file is empty", begins);
            return Err(unless_reported(is_reported, empty.coded("empty-file")));
        };
        let call = call(source, value).map_err(|mut wrong| {
            if !value.text().starts_with("Graph") {
                wrong.0.iter_mut().for_each(|diagnostic| diagnostic.help = begins.to_owned());
            }
            wrong
        })?;
        if call.name.eq_ignore_ascii_case("Graph") && call.name != "Graph" {
            let message = "expected `Graph`: names are case-sensitive";
            let wrong = Diagnostic::at(source, call.name_span, message, "write Graph(").coded("file-type");
            return Err(wrong.mended_by(Some("Graph".to_owned())).into());
        }
        if call.name != "Graph" {
            let message = format!("this is a {}, not a graph", shorten(call.name));
            let near = suggest::nearest(call.name, &["Graph"]).map(str::to_owned);
            let help = match call.name {
                "World" => {
                    "run a world with `terrane run`; other commands need the graph that its `patch` names"
                }
                _ => begins,
            };
            let wrong = Diagnostic::at(source, call.name_span, message, help).coded("file-type");
            return Err(wrong.mended_by(near).into());
        }
        // What is in a map without its name is read too, so that one mistake remains one.
        let mut fields = call.fields;
        for item in call.group.items() {
            let lost = item.section().filter(|name| fields.iter().all(|field| field.name != *name));
            let entry = lost.zip(item.value()).map(|(name, value)| {
                let start = value.span().start;
                Entry { name, name_span: start..start, value, item }
            });
            fields.extend(entry);
        }
        Ok(fields)
    }
}

/// The mistake, or no mistake if the text has syntax mistakes that already cover it.
fn unless_reported(is_reported: bool, diagnostic: Diagnostic) -> Diagnostics {
    if is_reported { Diagnostics::default() } else { diagnostic.into() }
}

/// A name with its value.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The name of a field, node, parameter or file.
    pub name: &'a str,
    /// The position of the name, without quotes.
    pub name_span: Span<usize>,
    /// The value.
    pub value: Value<'a>,
    /// The whole entry.
    pub item: Item<'a>,
}

impl<'a> Entry<'a> {
    fn new(item: Item<'a>) -> Option<Self> {
        let (name, name_span) = (item.name()?, item.name_span()?);
        Some(Self { name, name_span, value: item.value()?, item })
    }

    /// The position of the name, with its quotes.
    #[must_use]
    pub fn key_span(&self) -> Span<usize> {
        self.item.key().map_or_else(|| self.name_span.clone(), Value::span)
    }

    /// The name that is meant, if it is written with escapes, which is a mistake.
    #[must_use]
    pub fn meant(&self) -> Option<String> {
        let key = self.item.key()?.text();
        let is_escaped = key.contains('\\') && !key.starts_with('r');
        is_escaped.then(|| literal::text(key).unwrap_or_else(|| self.name.to_owned()))
    }

    /// The entry as a field with its spans.
    #[must_use]
    pub fn field(&self) -> Field<'a> {
        Field {
            name: self.name,
            name_span: self.name_span.clone(),
            value: self.value.text(),
            value_span: self.value.span(),
            is_wrong: self.value.is_wrong(),
            tree: Some(self.value),
        }
    }
}

/// `Type(field: value, ...)`.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The name of the type.
    pub name: &'a str,
    /// The position of the name.
    pub name_span: Span<usize>,
    /// The fields.
    pub fields: Vec<Entry<'a>>,
    /// The brackets.
    pub group: Group<'a>,
    /// Whether the brackets contain syntax mistakes, so that fields may be missing.
    pub is_wrong: bool,
}

/// Reads `name(field: value, ...)`.
pub fn call<'a>(source: &Arc<SourceText>, value: Value<'a>) -> Result<Call<'a>, Diagnostics> {
    match value.form() {
        Form::Call(call) => fields(source, value, call),
        Form::Word(name)
            if !value.is_wrong() && !name.starts_with(|c: char| !c.is_alphabetic() && c != '_') =>
        {
            let message = format!("`{name}` needs parentheses");
            let help = format!("write {name}(), or {name}(field: value, ...)");
            let wrong = Diagnostic::at(source, value.span(), message, help).coded("no-parentheses");
            Err(wrong.mended_by(Some(format!("{name}()"))).into())
        }
        _ if value.is_wrong() => Err(Diagnostics::default()),
        form => {
            let as_json = || {
                let Form::Group(group) = form else { return None };
                let Form::Text(kind) = group.get("type")?.value()?.form() else { return None };
                Some(format!(
                    "write {}(...), with the other fields in round brackets",
                    kind.trim_matches('"')
                ))
            };
            let (message, help) = match as_json() {
                Some(help) => ("expected a node, found a map: a node begins with its type", help),
                None => ("expected a node here", "write Type(field: value, ...)".to_owned()),
            };
            Err(Diagnostic::at(source, value.span(), message, help).coded("no-node").into())
        }
    }
}

fn fields<'a>(
    source: &Arc<SourceText>,
    value: Value<'a>,
    call: CallView<'a>,
) -> Result<Call<'a>, Diagnostics> {
    let is_wrong = value.is_wrong();
    let unnamed = call.group().items().find(|item| item.key().is_none());
    if let Some(item) = unnamed.filter(|_| !is_wrong) {
        let message = "expected a field name here";
        let help = match item.value().map(Value::form) {
            Some(Form::Word(name)) if name.starts_with(char::is_alphabetic) => {
                format!("write {}: value", shorten(name).trim_matches('`'))
            }
            _ => format!("write name: {}", shorten(item.text()).trim_matches('`')),
        };
        return Err(Diagnostic::at(source, item.span(), message, help).coded("unnamed-field").into());
    }
    Ok(Call {
        name: call.name(),
        name_span: call.name_span(),
        fields: call.group().items().filter_map(Entry::new).collect(),
        group: call.group(),
        is_wrong,
    })
}

/// Reads `{ "name": value, ... }`.
pub fn map<'a>(source: &Arc<SourceText>, value: Value<'a>) -> Result<Vec<Entry<'a>>, Diagnostics> {
    let (entries, wrong) = read_map(source, value)?;
    wrong.into_result().map(|()| entries)
}

/// Reads `{ "name": value, ... }`, also if some names are wrong: the entries, and the mistakes in names.
pub fn read_map<'a>(
    source: &Arc<SourceText>,
    value: Value<'a>,
) -> Result<(Vec<Entry<'a>>, Diagnostics), Diagnostics> {
    let items = braces(source, value)?.items();
    let entries: Vec<Entry<'a>> = items.filter_map(Entry::new).collect();
    let wrong = entries.iter().filter_map(|entry| escaped(source, entry)).collect();
    Ok((entries, Diagnostics(wrong)))
}

/// The brackets of `{ "name": value, ... }`.
pub fn braces<'a>(source: &Arc<SourceText>, value: Value<'a>) -> Result<Group<'a>, Diagnostics> {
    let wrong_brackets = match value.form() {
        // Wrong brackets were reported already. The content of the brackets is read anyway.
        Form::Group(group) if value.is_wrong() => Some(group),
        _ => None,
    };
    value.group(Bracket::Curly).or(wrong_brackets).ok_or_else(|| {
        let message = format!("expected names with values in {{ }}, found {}", shorten(value.text()));
        let help = "write { \"name\": value, ... }";
        let wrong = Diagnostic::at(source, value.span(), message, help).coded("no-map");
        unless_reported(value.is_wrong(), wrong)
    })
}

/// The mistake of an entry whose name has escapes.
fn escaped(source: &Arc<SourceText>, entry: &Entry<'_>) -> Option<Diagnostic> {
    let (message, help) =
        ("names cannot contain escapes", "write the name in plain quotes, without a backslash");
    entry.meant()?;
    Some(Diagnostic::at(source, entry.key_span(), message, help).coded("escaped-name"))
}

/// The text of one value, without blanks and comments around it.
///
/// # Errors
/// What is wrong, if the text is not one value.
pub fn one_value(text: &str) -> Result<&str, String> {
    let tree = Tree::parse(text);
    if let Some(mistake) = tree.mistakes().first() {
        return Err(mistake.message.clone());
    }
    tree.value().map(|value| &text[value.span()]).ok_or_else(|| "there is no value".to_owned())
}
