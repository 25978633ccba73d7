//! Reads a node's fields from the text of a graph.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range as Span;

use terrane_syntax::{Parameters, Problem, ReadError, Value, Wrong, read};

use crate::model::field_error::FieldError;
use crate::model::field_help::{misfit, missing, out_of_range, port_help};
use crate::model::param::Param;
use crate::model::port::{Port, Reference, Source};
use crate::model::spec::{InputSpec, NodeSpec, ParamSpec};
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
    /// Fields that others were meant for, which are told: they are not told to be missing.
    meant: Vec<String>,
}

impl<'a> Fields<'a> {
    /// Fields to be read as a node of type `spec`; unknown and repeated names are reported at once.
    #[must_use]
    pub fn new(spec: &'static NodeSpec, fields: &'a [Field<'a>], params: &'a dyn Parameters) -> Self {
        Self::beside(spec, &[], fields, params)
    }

    /// The same, where there are fields that others read.
    #[must_use]
    pub fn beside(
        spec: &'static NodeSpec,
        others: &[ParamSpec],
        fields: &'a [Field<'a>],
        params: &'a dyn Parameters,
    ) -> Self {
        let mut this = Self { spec, fields, params, errors: Vec::new(), is_broken: false, meant: Vec::new() };
        this.check_names(others);
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

    fn check_names(&mut self, others: &[ParamSpec]) {
        let params = self.spec.params.iter().chain(others).map(|param| param.name);
        let known: Vec<&str> = self.spec.inputs.iter().map(|input| input.name).chain(params).collect();
        let mut seen = HashSet::new();
        for field in self.fields {
            if !known.contains(&field.name) {
                let message = format!("`{}` has no field `{}`", self.spec.name, field.name);
                let help = suggest::help(field.name, &known, "its fields are");
                let fix = suggest::nearest(field.name, &known).map(str::to_owned);
                self.meant.extend(fix.clone());
                let error = FieldError::new("unknown-field", Some(field.name_span.clone()), message, help);
                self.errors.push(FieldError { fix, ..error });
            } else if !seen.insert(field.name) {
                let message = format!("`{}` is given twice", field.name);
                let span = Some(field.name_span.clone());
                self.errors.push(FieldError::new("given-twice", span, message, "keep one of the two"));
            }
        }
    }

    /// Whether a field that is not given is missing, as far as the text tells.
    fn is_missing(&self, name: &str) -> bool {
        !self.is_broken && !self.meant.iter().any(|meant| meant == name)
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
            } else if !input.optional && self.is_missing(input.name) {
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
                let Problem { message, help } = out_of_range(input.name, number, &input.range);
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
            if param.default.is_none() && self.is_missing(param.name) {
                let message = format!("`{}` needs `{}`: {}", self.spec.name, param.name, T::shape());
                self.errors.push(FieldError::new("missing-parameter", None, message, missing(param)));
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
        let read: T =
            read(value, &counted).map_err(|error| misfit(param, (field.value, &field.value_span), &error))?;
        let mut outside = None;
        read.numbers(&mut |number| {
            if !param.range.contains(number) {
                outside.get_or_insert(number);
            }
        });
        match outside {
            None => Ok(read),
            Some(number) => {
                let Problem { message, help } = out_of_range(param.name, number, &param.range);
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
