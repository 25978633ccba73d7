//! Reads the fields of a node from the text of a graph.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range as Span;

use terrane_syntax::{Parameters, Problem, ReadError, Value, Wrong, read};

use crate::model::field_error::FieldError;
use crate::model::field_help::{misfit, missing, node_name, out_of_range, port_help};
use crate::model::param::Param;
use crate::model::parameter_help::mended_parameter;
use crate::model::port::{Port, Reference, Source};
use crate::model::spec::{InputSpec, NodeSpec, ParamSpec};
use crate::report::suggest::{self, shorten};

/// One `name: value` of a node, with its position in the source.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// The field's name.
    pub name: &'a str,
    /// The position of the name.
    pub name_span: Span<usize>,
    /// The text of the value.
    pub value: &'a str,
    /// The position of the value.
    pub value_span: Span<usize>,
    /// Whether the value contains a syntax mistake, so that no other message about it is needed.
    pub is_wrong: bool,
    /// The value in the tree of the text; `None` if it comes from elsewhere, such as the command line.
    pub tree: Option<Value<'a>>,
}

/// The maximum total length in bytes of the parameters that one field uses. A parameter counts as often as
/// the field uses it.
const MAX_BYTES: usize = 16 << 20;

/// Looks up parameters, and counts the bytes of the returned texts.
struct CountedParameters<'a> {
    parameters: &'a dyn Parameters,
    bytes: Cell<usize>,
}

impl Parameters for CountedParameters<'_> {
    fn get(&self, name: &str) -> Result<Value<'_>, Problem> {
        let value = self.parameters.get(name)?;
        self.bytes.set(self.bytes.get() + value.text().len());
        if self.bytes.get() <= MAX_BYTES {
            return Ok(value);
        }
        Err(Problem {
            message: format!("this is longer than {} MiB with its parameters filled in", MAX_BYTES >> 20),
            help: "use a long parameter less often, or import its value from a file".to_owned(),
        })
    }

    fn has(&self, name: &str) -> bool {
        self.parameters.has(name)
    }
}

/// Reads the fields of one node and collects every mistake, instead of stopping at the first.
pub struct Fields<'a> {
    spec: &'static NodeSpec,
    fields: &'a [Field<'a>],
    params: &'a dyn Parameters,
    errors: Vec<FieldError>,
    /// Whether fields may be missing because of a syntax mistake.
    is_broken: bool,
    /// Fields whose misspelled names were reported. They are not also reported as missing.
    meant: Vec<String>,
}

impl<'a> Fields<'a> {
    /// A reader of the fields of a node of type `spec`. Reports unknown and repeated names.
    #[must_use]
    pub fn new(spec: &'static NodeSpec, fields: &'a [Field<'a>], params: &'a dyn Parameters) -> Self {
        Self::beside(spec, &[], fields, params)
    }

    /// Like [`Fields::new`], but the names of `others` are known too. Those fields are read elsewhere.
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

    /// Sets whether the text has syntax mistakes. If it does, no field is reported as missing.
    #[must_use]
    pub const fn of_broken_text(mut self, is_broken: bool) -> Self {
        self.is_broken = is_broken;
        self
    }

    /// Whether no mistakes were found so far.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.errors.is_empty()
    }

    /// The same fields, without the mistakes found so far.
    #[must_use]
    pub fn again(&self) -> Self {
        Self { errors: Vec::new(), meant: self.meant.clone(), ..*self }
    }

    /// Whether there is a field of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Reports a mistake in a field that was read, or in the whole node if the field is absent.
    pub fn refuse(&mut self, name: &str, message: impl Into<String>, help: impl Into<String>) {
        let span = self.find(name).map(|field| field.value_span.clone());
        self.errors.push(FieldError::new("refused", span, message, help));
    }

    /// Reports a mistake that belongs to no single field.
    pub fn refuse_whole(&mut self, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(FieldError::new("refused", None, message, help));
    }

    /// The mistakes found.
    #[must_use]
    pub fn into_errors(self) -> Vec<FieldError> {
        self.errors
    }

    fn check_names(&mut self, others: &[ParamSpec]) {
        let known: Vec<&str> = self.spec.fields().chain(others.iter().map(|param| param.name)).collect();
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
                let message = format!("`{}` appears twice", field.name);
                let span = Some(field.name_span.clone());
                self.errors.push(FieldError::new("given-twice", span, message, "remove one of the two"));
            }
        }
    }

    /// Whether an absent field should be reported as missing.
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
                let kind = input.in_a_sentence();
                let message = format!("`{}` needs `{}`, {kind}", self.spec.name, input.name);
                let number = if input.scalar { ", or a number" } else { "" };
                let name = input.name;
                let help = format!("write {name}: \"NODE\" where NODE is a node that outputs {kind}{number}");
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
            return Err(field.error("refused", "the value is not in a file", "write it into the graph file"));
        };
        if input.none && field.value == "None" {
            return Ok(Source::Unset);
        }
        // Node names may contain hyphens, which are not arithmetic.
        let counts = field.value.contains(['$', '*', '/', '+', '(']) || field.value.contains(" - ");
        let is_number = input.scalar && (!field.value.starts_with('"') || counts);
        let number = match (is_number, input.none) {
            (false, _) => Ok(None),
            // `Some(0.5)` means 0.5.
            (true, true) => read::<Option<f64>>(value, self.params),
            (true, false) => read::<f64>(value, self.params).map(Some),
        };
        let number = match number {
            Ok(number) => number,
            // Arithmetic without a result names no node. Text that is not arithmetic may name one.
            Err(ReadError { wrong: Wrong::Problem(problem), .. }) => {
                return Err(field.wrong_parameter(problem));
            }
            Err(_) => None,
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
            Err(ReadError { wrong: Wrong::Problem(problem), .. }) => Err(field.wrong_parameter(problem)),
            _ => {
                let message =
                    format!("`{}` is a port: {} cannot be connected to it", input.name, shorten(field.value));
                let error = field.error("no-wire", message, port_help(input, field.value));
                // A name without quotes is probably that of a node.
                let fix = node_name(field.value).map(|name| format!("\"{name}\""));
                Err(FieldError { fix, ..error })
            }
        }
    }

    /// Reads the parameter at a position of [`NodeSpec::params`]. Returns `default` if it is absent or
    /// invalid.
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
            return Err(field.error("refused", "the value is not in a file", "write it into the graph file"));
        };
        let counted = CountedParameters { parameters: self.params, bytes: Cell::new(0) };
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

    fn wrong_parameter(&self, problem: Problem) -> FieldError {
        let fix = mended_parameter(self.value, &problem);
        FieldError { fix, ..self.error("parameter", problem.message, problem.help) }
    }
}
