//! Reads a node's fields from the text of a graph.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range as Span;

use crate::param::{Param, Shape, ron_options};
use crate::port::{Port, Reference, Source};
use crate::spec::{InputSpec, LARGEST, NodeSpec, ParamSpec, Range, SMALLEST};
use crate::suggest::shorten;

/// One `name: value` of a node, with its place in the source.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// The field's name.
    pub name: &'a str,
    /// Where the name stands.
    pub name_span: Span<usize>,
    /// The text of the value.
    pub value: &'a str,
    /// Where the value stands.
    pub value_span: Span<usize>,
}

/// A mistake in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Where; `None` is the node as a whole.
    pub span: Option<Span<usize>>,
    /// What is wrong.
    pub message: String,
    /// What was expected, and what to do.
    pub help: String,
}

/// Looks up a graph parameter by name: its RON text, or what is wrong and what to do.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Result<String, (String, String)>;

/// Bytes of a field's text at most, with parameters filled in: a parameter can be named many times.
const LONGEST: usize = 16 << 20;

/// The fields of one node while it is read: collects every mistake instead of stopping at the first.
pub struct Fields<'a> {
    spec: &'static NodeSpec,
    fields: &'a [Field<'a>],
    params: Lookup<'a>,
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// Fields to be read as a node of type `spec`; unknown and repeated names are reported at once.
    #[must_use]
    pub fn new(spec: &'static NodeSpec, fields: &'a [Field<'a>], params: Lookup<'a>) -> Self {
        let mut this = Self { spec, fields, params, errors: Vec::new() };
        this.check_names();
        this
    }

    /// The mistakes found.
    #[must_use]
    pub fn into_errors(self) -> Vec<FieldError> {
        self.errors
    }

    fn check_names(&mut self) {
        let known: Vec<&str> =
            self.spec.inputs.iter().map(|i| i.name).chain(self.spec.params.iter().map(|p| p.name)).collect();
        let mut seen = HashSet::new();
        for field in self.fields {
            if !known.contains(&field.name) {
                self.errors.push(FieldError {
                    span: Some(field.name_span.clone()),
                    message: format!("`{}` has no field `{}`", self.spec.name, field.name),
                    help: crate::suggest::help(field.name, &known, "its fields are"),
                });
            } else if !seen.insert(field.name) {
                self.errors.push(FieldError {
                    span: Some(field.name_span.clone()),
                    message: format!("`{}` is given twice", field.name),
                    help: "keep one of the two".to_owned(),
                });
            }
        }
    }

    fn find(&self, name: &str) -> Option<&'a Field<'a>> {
        self.fields.iter().find(|field| field.name == name)
    }

    fn error(&mut self, field: &Field<'_>, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(FieldError {
            span: Some(field.value_span.clone()),
            message: message.into(),
            help: help.into(),
        });
    }

    /// Reads the port at a position of [`NodeSpec::inputs`].
    pub fn port(&mut self, index: usize, port: &mut dyn Port) {
        let input = &self.spec.inputs[index];
        let Some(field) = self.find(input.name) else {
            if let Some(default) = input.default {
                port.connect(Source::Number(default));
            } else if !input.optional {
                self.errors.push(FieldError {
                    span: None,
                    message: format!("`{}` needs `{}`, a {}", self.spec.name, input.name, input.kind.name),
                    help: format!(
                        "write {}: \"NODE\" with the name of a node that gives a {}{}",
                        input.name,
                        input.kind.name,
                        if input.scalar { ", or a number" } else { "" }
                    ),
                });
            }
            return;
        };
        match self.source(input, field) {
            Ok(source) => port.connect(source),
            Err((message, help)) => self.error(field, message, help),
        }
    }

    fn source(&self, input: &InputSpec, field: &Field<'_>) -> Result<Source, (String, String)> {
        let text = self.substitute(field.value)?;
        if input.none && text.trim() == "None" {
            return Ok(Source::Unset);
        }
        let number = match (input.scalar, input.none) {
            (false, _) => None,
            // `Some(0.5)` stands for 0.5.
            (true, true) => ron_options().from_str::<Option<f64>>(&text).ok().flatten(),
            (true, false) => ron_options().from_str::<f64>(&text).ok(),
        };
        if let Some(number) = number {
            return if input.range.contains(number) {
                Ok(Source::Number(number))
            } else {
                Err(out_of_range(input.name, number, &input.range))
            };
        }
        match ron_options().from_str::<String>(&text) {
            Ok(reference) if !reference.is_empty() => Ok(Source::Wire(Reference::parse(&reference))),
            _ => Err((
                format!("`{}` is a port: {} cannot be connected to it", input.name, shorten(&text)),
                if input.scalar {
                    "write \"NODE\" or \"NODE.OUTPUT\" in quotes, or a number for the same value everywhere"
                        .to_owned()
                } else {
                    "write \"NODE\" or \"NODE.OUTPUT\" in quotes".to_owned()
                },
            )),
        }
    }

    /// Reads the parameter at a position of [`NodeSpec::params`]; `default` when it is not given or wrong.
    pub fn param<T: Param>(&mut self, index: usize, default: T) -> T {
        let param = &self.spec.params[index];
        let Some(field) = self.find(param.name) else {
            if param.default.is_none() {
                self.errors.push(FieldError {
                    span: None,
                    message: format!("`{}` needs `{}`: {}", self.spec.name, param.name, T::shape()),
                    help: format!("write {}: followed by {}", param.name, T::shape()),
                });
            }
            return default;
        };
        match self.parse(param, field) {
            Ok(value) => value,
            Err((message, help)) => {
                self.error(field, message, help);
                default
            }
        }
    }

    fn parse<T: Param>(&self, param: &ParamSpec, field: &Field<'_>) -> Result<T, (String, String)> {
        let text = self.substitute(field.value)?;
        let shape = T::shape();
        let value: T = ron_options().from_str(&text).map_err(|error| {
            let expected = format!("expected {shape}");
            let wanted = match &shape {
                Shape::Optional(inner) => inner,
                shape => shape,
            };
            let help = match wanted {
                Shape::Choice(choices) => {
                    let names: Vec<&str> = choices.iter().map(|c| c.name).collect();
                    crate::suggest::help(text.trim(), &names, "the choices are")
                }
                Shape::Integer { .. } | Shape::Float if text.starts_with('"') => {
                    "write the number without quotes, or \"$name\" for a parameter of the graph".to_owned()
                }
                Shape::Integer { .. } => "write a number without a point, such as 3".to_owned(),
                Shape::Float => "write a number, such as 0.5".to_owned(),
                Shape::Bool => "write true or false".to_owned(),
                _ => format!("RON says: {}", error.code),
            };
            (format!("`{}` is {}: {expected}", param.name, shorten(&text)), help)
        })?;
        let mut outside = None;
        value.numbers(&mut |number| {
            if !param.range.contains(number) {
                outside.get_or_insert(number);
            }
        });
        match outside {
            None => Ok(value),
            Some(number) => Err(out_of_range(param.name, number, &param.range)),
        }
    }

    /// The text with every `"$name"` replaced by that graph parameter's text.
    fn substitute(&self, text: &'a str) -> Result<Cow<'a, str>, (String, String)> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("\"$") {
            let after = &rest[start + 2..];
            let Some(end) = after.find('"') else { break };
            out.push_str(&rest[..start]);
            out.push_str(&(self.params)(&after[..end])?);
            if out.len() > LONGEST {
                return Err((
                    format!("with its parameters filled in this is longer than {} MiB", LONGEST >> 20),
                    "name a long parameter less often, or import what it holds from a file".to_owned(),
                ));
            }
            rest = &after[end + 1..];
        }
        if out.is_empty() && rest.len() == text.len() {
            return Ok(Cow::Borrowed(text));
        }
        out.push_str(rest);
        Ok(Cow::Owned(out))
    }
}

/// What is wrong with a number, and what it must be.
fn out_of_range(name: &str, number: f64, range: &Range) -> (String, String) {
    let finite = if number.is_finite() || range.is_open() { "" } else { "a finite number, " };
    let most = if number.is_finite() && !Range::is_moderate(number) {
        format!(", and neither beyond {LARGEST:e} nor, but for 0, below {SMALLEST:e}")
    } else {
        String::new()
    };
    let shown = if most.is_empty() { number.to_string() } else { format!("{number:e}") };
    (format!("`{name}` is {shown}, which is out of range"), format!("it must be {finite}{range}{most}"))
}
