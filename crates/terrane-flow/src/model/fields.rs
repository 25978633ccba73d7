//! Reads a node's fields from the text of a graph.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range as Span;

use terrane_syntax::{Parameters, Problem, ReadError, Value, Wrong, read};

use crate::model::param::{Param, Shape};
use crate::model::port::{Port, Reference, Source};
use crate::model::spec::{InputSpec, LARGEST, NodeSpec, ParamSpec, Range, SMALLEST};
use crate::report::suggest::{self, shorten};

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
    /// Whether the text has a mistake in the value: nothing more is said of it then.
    pub is_wrong: bool,
    /// The value in the tree of the text; nothing where it comes from elsewhere, such as the command line.
    pub tree: Option<Value<'a>>,
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
    /// A stable name of this sort of mistake, such as `unknown-field`.
    pub code: &'static str,
    /// What mends it in the place of what stands there, where there is one such text.
    pub fix: Option<String>,
}

impl FieldError {
    /// A mistake at a place, or of the whole.
    #[must_use]
    pub fn new(
        code: &'static str,
        span: Option<Span<usize>>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { span, message: message.into(), help: help.into(), code, fix: None }
    }
}

/// Bytes of parameters at most that one field names: a parameter can be named many times.
const LONGEST: usize = 16 << 20;

/// Parameters that count how much text they have given.
struct Counted<'a> {
    parameters: &'a dyn Parameters,
    bytes: Cell<usize>,
}

impl Parameters for Counted<'_> {
    fn get(&self, name: &str) -> Result<Value<'_>, Problem> {
        let value = self.parameters.get(name)?;
        self.bytes.set(self.bytes.get() + value.text().len());
        if self.bytes.get() <= LONGEST {
            return Ok(value);
        }
        Err(Problem {
            message: format!("with its parameters filled in this is longer than {} MiB", LONGEST >> 20),
            help: "name a long parameter less often, or import what it holds from a file".to_owned(),
        })
    }
}

/// The fields of one node while it is read: collects every mistake instead of stopping at the first.
pub struct Fields<'a> {
    spec: &'static NodeSpec,
    fields: &'a [Field<'a>],
    params: &'a dyn Parameters,
    errors: Vec<FieldError>,
    /// Whether fields may be missing because of a mistake in the text.
    is_broken: bool,
}

impl<'a> Fields<'a> {
    /// Fields to be read as a node of type `spec`; unknown and repeated names are reported at once.
    #[must_use]
    pub fn new(spec: &'static NodeSpec, fields: &'a [Field<'a>], params: &'a dyn Parameters) -> Self {
        let mut this = Self { spec, fields, params, errors: Vec::new(), is_broken: false };
        this.check_names();
        this
    }

    /// The fields of a text that has mistakes: none is told to be missing.
    #[must_use]
    pub const fn of_broken_text(mut self, is_broken: bool) -> Self {
        self.is_broken = is_broken;
        self
    }

    /// Whether nothing was found wrong so far.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.errors.is_empty()
    }

    /// Tells what is wrong with a field that was read, or where it is not given with the whole.
    pub fn refuse(&mut self, name: &str, message: impl Into<String>, help: impl Into<String>) {
        let span = self.find(name).map(|field| field.value_span.clone());
        self.errors.push(FieldError::new("refused", span, message, help));
    }

    /// Tells what is wrong with what stands in no field.
    pub fn refuse_whole(&mut self, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(FieldError::new("refused", None, message, help));
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
                let message = format!("`{}` has no field `{}`", self.spec.name, field.name);
                let help = suggest::help(field.name, &known, "its fields are");
                let fix = suggest::nearest(field.name, &known).map(str::to_owned);
                let error = FieldError::new("unknown-field", Some(field.name_span.clone()), message, help);
                self.errors.push(FieldError { fix, ..error });
            } else if !seen.insert(field.name) {
                let message = format!("`{}` is given twice", field.name);
                let span = Some(field.name_span.clone());
                self.errors.push(FieldError::new("given-twice", span, message, "keep one of the two"));
            }
        }
    }

    fn find(&self, name: &str) -> Option<&'a Field<'a>> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Reads the port at a position of [`NodeSpec::inputs`].
    pub fn port(&mut self, index: usize, port: &mut dyn Port) {
        let input = &self.spec.inputs[index];
        let Some(field) = self.find(input.name) else {
            if let Some(default) = input.default {
                port.connect(Source::Number(default));
            } else if !input.optional && !self.is_broken {
                let message = format!("`{}` needs `{}`, a {}", self.spec.name, input.name, input.kind.name);
                let number = if input.scalar { ", or a number" } else { "" };
                let (name, kind) = (input.name, input.kind.name);
                let help =
                    format!("write {name}: \"NODE\" with the name of a node that gives a {kind}{number}");
                self.errors.push(FieldError::new("missing-port", None, message, help));
            }
            return;
        };
        if field.is_wrong {
            return;
        }
        match self.source(input, field) {
            Ok(source) => port.connect(source),
            Err(error) => self.errors.push(error),
        }
    }

    fn source(&self, input: &InputSpec, field: &Field<'_>) -> Result<Source, FieldError> {
        let Some(value) = field.tree else {
            return Err(field.error("refused", "it is not in a text", "write it into one"));
        };
        if input.none && field.value == "None" {
            return Ok(Source::Unset);
        }
        // Names of nodes may have hyphens: those are no arithmetic.
        let counts = field.value.contains(['$', '*', '/', '+', '(']) || field.value.contains(" - ");
        let is_number = input.scalar && (!field.value.starts_with('"') || counts);
        let number = match (is_number, input.none) {
            (false, _) => None,
            // `Some(0.5)` stands for 0.5.
            (true, true) => read::<Option<f64>>(value, self.params).ok().flatten(),
            (true, false) => read::<f64>(value, self.params).ok(),
        };
        if let Some(number) = number {
            return if input.range.contains(number) {
                Ok(Source::Number(number))
            } else {
                let (message, help) = out_of_range(input.name, number, &input.range);
                Err(field.error("out-of-range", message, help))
            };
        }
        match read::<String>(value, self.params) {
            Ok(reference) if !reference.is_empty() => Ok(Source::Wire(Reference::parse(&reference))),
            Err(ReadError { wrong: Wrong::Problem(problem), .. }) => {
                Err(field.error("parameter", problem.message, problem.help))
            }
            _ => {
                let message =
                    format!("`{}` is a port: {} cannot be connected to it", input.name, shorten(field.value));
                Err(field.error("no-wire", message, port_help(input, field.value)))
            }
        }
    }

    /// Reads the parameter at a position of [`NodeSpec::params`]; `default` when it is not given or wrong.
    pub fn param<T: Param>(&mut self, index: usize, default: T) -> T {
        let param = &self.spec.params[index];
        let Some(field) = self.find(param.name) else {
            if param.default.is_none() && !self.is_broken {
                let message = format!("`{}` needs `{}`: {}", self.spec.name, param.name, T::shape());
                let help = format!("write {}: followed by {}", param.name, T::shape());
                self.errors.push(FieldError::new("missing-parameter", None, message, help));
            }
            return default;
        };
        if field.is_wrong {
            return default;
        }
        match self.parse(param, field) {
            Ok(value) => value,
            Err(error) => {
                self.errors.push(error);
                default
            }
        }
    }

    fn parse<T: Param>(&self, param: &ParamSpec, field: &Field<'_>) -> Result<T, FieldError> {
        let Some(value) = field.tree else {
            return Err(field.error("refused", "it is not in a text", "write it into one"));
        };
        let counted = Counted { parameters: self.params, bytes: Cell::new(0) };
        let read: T = read(value, &counted).map_err(|error| misfit(param, field, &error))?;
        let mut outside = None;
        read.numbers(&mut |number| {
            if !param.range.contains(number) {
                outside.get_or_insert(number);
            }
        });
        match outside {
            None => Ok(read),
            Some(number) => {
                let (message, help) = out_of_range(param.name, number, &param.range);
                Err(field.error("out-of-range", message, help))
            }
        }
    }
}

impl Field<'_> {
    fn error(&self, code: &'static str, message: impl Into<String>, help: impl Into<String>) -> FieldError {
        FieldError::new(code, Some(self.value_span.clone()), message, help)
    }
}

/// What is wrong with a value that is not what a field takes.
fn misfit(param: &ParamSpec, field: &Field<'_>, error: &ReadError) -> FieldError {
    let (name, shape) = (param.name, &(param.shape)());
    let span = error.span.clone().filter(|span| !span.is_empty());
    let is_whole = span.as_ref().is_none_or(|span| *span == field.value_span);
    let (message, help) = match &error.wrong {
        Wrong::Problem(problem) => (problem.message.clone(), problem.help.clone()),
        Wrong::Unexpected { found, .. } if is_whole && found.contains(", which is ") => {
            (format!("`{name}` is {found}: expected {shape}"), shape_help(param, shape, field.value))
        }
        Wrong::Unexpected { found, .. } if is_whole => (
            format!("`{name}` is {found}: expected {shape}"),
            shape_help(param, shape, found.trim_matches('`')),
        ),
        Wrong::Unexpected { expected, found } => {
            (format!("`{name}` has {found} in the place of {expected}"), format!("`{name}` takes {shape}"))
        }
        Wrong::Other(message) if is_whole => {
            (format!("`{name}` is {}: expected {shape}", shorten(field.value)), message.clone())
        }
        Wrong::Other(message) => (format!("in `{name}`: {message}"), format!("`{name}` takes {shape}")),
    };
    let code = if matches!(error.wrong, Wrong::Problem(_)) { "parameter" } else { "wrong-type" };
    FieldError::new(code, Some(span.unwrap_or_else(|| field.value_span.clone())), message, help)
}

/// What to write for a shape in the place of a text.
fn shape_help(param: &ParamSpec, shape: &Shape, text: &str) -> String {
    let wanted = match shape {
        Shape::Optional(inner) => inner,
        shape => shape,
    };
    let inner = text.trim_matches('"');
    match wanted {
        Shape::Choice(choices)
            if text.starts_with('"') && choices.iter().any(|choice| choice.name == inner) =>
        {
            format!("write {inner} without quotes")
        }
        Shape::Choice(choices) => {
            let names: Vec<&str> = choices.iter().map(|c| c.name).collect();
            suggest::help(inner, &names, "the choices are")
        }
        Shape::Integer { .. } | Shape::Float if text.starts_with('"') && inner.parse::<f64>().is_ok() => {
            format!("write {inner} without quotes")
        }
        Shape::Integer { .. } | Shape::Float if text.starts_with('"') => {
            "write a number, or \"$name\" for a parameter of the graph: only ports take nodes".to_owned()
        }
        Shape::Integer { min, .. } if *min >= 0 && text.starts_with('-') => {
            "write a number from 0 up, without a sign".to_owned()
        }
        Shape::Integer { .. } => "write a number without a point, such as 3".to_owned(),
        Shape::Float => "write a number, such as 0.5".to_owned(),
        Shape::Bool => "write true or false".to_owned(),
        Shape::Tuple(_) => match param.default.map(|default| default()).filter(|default| default != "None") {
            Some(default) => format!("write {shape}, such as {}: {default}", param.name),
            None => format!("write {shape}"),
        },
        shape => format!("write {shape}"),
    }
}

/// What to write at a port in the place of a text.
fn port_help(input: &InputSpec, text: &str) -> String {
    let is_name = text.starts_with(|c: char| c.is_alphabetic())
        && text.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c));
    if is_name && text != "None" {
        let number = if input.scalar { ", or a number for the same value everywhere" } else { "" };
        return format!("write \"{text}\"{number}");
    }
    let number = text.parse::<f64>().is_ok();
    match (input.scalar, number) {
        (true, _) => "write \"NODE\" or \"NODE.OUTPUT\" in quotes, or a number for the same value everywhere"
            .to_owned(),
        (false, true) => {
            format!(
                "write \"NODE\" or \"NODE.OUTPUT\" in quotes; for the same value everywhere add a node: Constant(value: {text})"
            )
        }
        (false, false) => "write \"NODE\" or \"NODE.OUTPUT\" in quotes".to_owned(),
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
