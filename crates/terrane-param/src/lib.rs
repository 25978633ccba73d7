//! Types of parameters: what a node's parameter may be, and what is written for it.
//!
//! `terrane-flow` re-exports these types; its derive `Choice` has paths of its own. Kernels use this crate
//! alone, behind their feature `params`, so that their enums are parameters of nodes without a dependency on
//! the framework.

use std::any::Any;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
pub use terrane_flow_derive::ParamChoice as Choice;

/// A type that a node's parameter may have.
pub trait Param: Serialize + DeserializeOwned + Clone + fmt::Debug + Send + Sync + 'static {
    /// What may be written.
    fn shape() -> Shape;

    /// Calls `visit` with every number in the value, for range checks.
    fn numbers(&self, _visit: &mut dyn FnMut(f64)) {}

    /// Calls `visit` with every file that the value names, in the framework's type of files.
    fn files(&mut self, _visit: &mut dyn FnMut(&mut dyn Any)) {}
}

/// The form of a parameter's value, in enough detail for messages, node pages and the schema.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// `true` or `false`.
    Bool,
    /// A whole number in a range.
    Integer {
        /// The minimum of the type.
        min: i128,
        /// The maximum of the type.
        max: i128,
    },
    /// A number.
    Float,
    /// Quoted text.
    Text,
    /// Quoted path of a file.
    File,
    /// One of several names.
    Choice(&'static [ChoiceSpec]),
    /// One of several names, each with separate optional fields: `Name(field: value, ...)`.
    Record(&'static [RecordSpec]),
    /// A list.
    List(Box<Shape>),
    /// A fixed number of values.
    Tuple(Vec<Shape>),
    /// A value or `None`.
    Optional(Box<Shape>),
    /// A map from names to values, which the loader reads itself.
    Map,
    /// A whole number of at least 0, or a point of two numbers in brackets. It identifies something by its
    /// number or by its position.
    NumberOrPlace,
    /// A number, or text in brackets after this name, such as `File("dem")`.
    NumberOrNamed(&'static str),
}

/// One name of a [`Shape::Choice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoiceSpec {
    /// The name in graphs.
    pub name: &'static str,
    /// The description.
    pub docs: &'static str,
}

/// One name of a [`Shape::Record`], with its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordSpec {
    /// The name in graphs.
    pub name: &'static str,
    /// The description.
    pub docs: &'static str,
    /// Its fields.
    pub fields: &'static [RecordField],
}

/// A field of a [`RecordSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordField {
    /// The name in graphs.
    pub name: &'static str,
    /// The description, with the default.
    pub docs: &'static str,
    /// Its type, in the terms of JSON schemas: `"boolean"`, `"integer"`, `"number"` or `"string"`.
    pub kind: &'static str,
}

impl RecordField {
    /// The shape of the field's values.
    #[must_use]
    pub fn shape(&self) -> Shape {
        match self.kind {
            "boolean" => Shape::Bool,
            "integer" => Shape::Integer { min: i64::MIN.into(), max: u64::MAX.into() },
            "string" => Shape::Text,
            _ => Shape::Float,
        }
    }
}

impl fmt::Display for RecordSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<&str> = self.fields.iter().map(|field| field.name).collect();
        write!(f, "{}({})", self.name, fields.join(", "))
    }
}

impl Shape {
    /// Whether a value of this shape can name files.
    #[must_use]
    pub fn has_file(&self) -> bool {
        match self {
            Self::File => true,
            Self::List(item) | Self::Optional(item) => item.has_file(),
            Self::Tuple(items) => items.iter().any(Self::has_file),
            _ => false,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("true or false"),
            Self::Integer { .. } => f.write_str("a whole number"),
            Self::Float => f.write_str("a number"),
            Self::Text => f.write_str("quoted text"),
            Self::File => f.write_str("the quoted path of a file"),
            Self::Choice(choices) => {
                f.write_str("one of ")?;
                for (i, choice) in choices.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, choice.name)?;
                }
                Ok(())
            }
            Self::Record(records) => {
                let records: Vec<String> = records.iter().map(ToString::to_string).collect();
                f.write_str(&records.join(" or "))
            }
            Self::List(item) => write!(f, "a list [...] of {}", plural(item)),
            Self::Tuple(items) => {
                let items: Vec<String> = items.iter().map(part).collect();
                write!(f, "({})", items.join(", "))
            }
            Self::Optional(item) => write!(f, "{item}, or None"),
            Self::Map => f.write_str("a map { \"name\": ... }"),
            Self::NumberOrPlace => f.write_str("a whole number or a point (x, y)"),
            Self::NumberOrNamed(name) => write!(f, "a number or {name}(\"...\")"),
        }
    }
}

/// A tuple's item. The names of a choice are separated by slashes, because commas separate items.
fn part(shape: &Shape) -> String {
    match shape {
        Shape::Choice(choices) => choices.iter().map(|choice| choice.name).collect::<Vec<_>>().join("/"),
        other => other.to_string(),
    }
}

fn plural(shape: &Shape) -> String {
    match shape {
        Shape::Float => "numbers".to_owned(),
        Shape::Integer { .. } => "whole numbers".to_owned(),
        Shape::NumberOrPlace => "whole numbers or points (x, y)".to_owned(),
        other => other.to_string(),
    }
}

macro_rules! integer {
    ($($t:ty),*) => {$(
        impl Param for $t {
            fn shape() -> Shape {
                Shape::Integer { min: <$t>::MIN as i128, max: <$t>::MAX as i128 }
            }
            fn numbers(&self, visit: &mut dyn FnMut(f64)) {
                visit(*self as f64);
            }
        }
    )*};
}
integer!(u8, u16, u32, u64, i32, i64);

impl Param for f64 {
    fn shape() -> Shape {
        Shape::Float
    }
    fn numbers(&self, visit: &mut dyn FnMut(f64)) {
        visit(*self);
    }
}

impl Param for f32 {
    fn shape() -> Shape {
        Shape::Float
    }
    fn numbers(&self, visit: &mut dyn FnMut(f64)) {
        visit(f64::from(*self));
    }
}

impl Param for bool {
    fn shape() -> Shape {
        Shape::Bool
    }
}

impl Param for String {
    fn shape() -> Shape {
        Shape::Text
    }
}

impl<T: Param> Param for Vec<T> {
    fn shape() -> Shape {
        Shape::List(Box::new(T::shape()))
    }
    fn numbers(&self, visit: &mut dyn FnMut(f64)) {
        self.iter().for_each(|item| item.numbers(visit));
    }
    fn files(&mut self, visit: &mut dyn FnMut(&mut dyn Any)) {
        self.iter_mut().for_each(|item| item.files(visit));
    }
}

impl<T: Param> Param for Option<T> {
    fn shape() -> Shape {
        Shape::Optional(Box::new(T::shape()))
    }
    fn numbers(&self, visit: &mut dyn FnMut(f64)) {
        self.iter().for_each(|item| item.numbers(visit));
    }
    fn files(&mut self, visit: &mut dyn FnMut(&mut dyn Any)) {
        self.iter_mut().for_each(|item| item.files(visit));
    }
}

macro_rules! tuple {
    ($($t:ident $i:tt),*) => {
        impl<$($t: Param),*> Param for ($($t,)*) {
            fn shape() -> Shape {
                Shape::Tuple(vec![$($t::shape()),*])
            }
            fn numbers(&self, visit: &mut dyn FnMut(f64)) {
                $(self.$i.numbers(visit);)*
            }
            fn files(&mut self, visit: &mut dyn FnMut(&mut dyn Any)) {
                $(self.$i.files(visit);)*
            }
        }
    };
}
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
