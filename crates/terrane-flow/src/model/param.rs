//! Types of parameters.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use terrane_syntax::{Literally, Tree, read};

use crate::model::files::{Disk, Files};

/// Reads a value from text in the form that [`canonical`] writes. Returns `None` if the text has another
/// type. Parameters in the text are not resolved.
#[must_use]
pub fn read_value<T: DeserializeOwned>(text: &str) -> Option<T> {
    let tree = Tree::parse(text);
    let value = tree.value().filter(|_| tree.mistakes().is_empty())?;
    read(value, &Literally).ok()
}

/// A type that a node's parameter may have.
pub trait Param: Serialize + DeserializeOwned + Clone + fmt::Debug + Send + Sync + 'static {
    /// What may be written.
    fn shape() -> Shape;

    /// Calls `visit` with every number in the value, for range checks.
    fn numbers(&self, _visit: &mut dyn FnMut(f64)) {}

    /// Calls `visit` with every file that the value names. The loader resolves these files, and the engine
    /// hashes their content into the key.
    fn files(&mut self, _visit: &mut dyn FnMut(&mut FilePath)) {}
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

/// The value as canonical RON, whatever form it was written in. This text is part of the node's key. Node
/// pages show defaults in this form.
#[must_use]
pub fn canonical<T: Serialize>(value: &T) -> String {
    // Parameters are plain data: numbers, text, lists and names, all of which RON can write.
    ron::to_string(value).unwrap_or_else(|error| unreachable!("a parameter that RON cannot write: {error}"))
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
    fn files(&mut self, visit: &mut dyn FnMut(&mut FilePath)) {
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
    fn files(&mut self, visit: &mut dyn FnMut(&mut FilePath)) {
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
            fn files(&mut self, visit: &mut dyn FnMut(&mut FilePath)) {
                $(self.$i.files(visit);)*
            }
        }
    };
}
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);

/// A file that a node reads, written as a path relative to the graph's file.
///
/// The loader resolves it and rejects paths that lead outside the graph's folder. The file's content is part
/// of the node's key, so saving a file without changing it recomputes nothing. The file is also watched for
/// changes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FilePath {
    given: String,
    #[serde(skip)]
    resolved: Option<(PathBuf, Arc<dyn Files>)>,
}

impl FilePath {
    /// A path as written in a graph.
    #[must_use]
    pub fn new(given: impl Into<String>) -> Self {
        Self { given: given.into(), resolved: None }
    }

    /// The path as written in the graph.
    #[must_use]
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The path to open: as resolved by the loader, or otherwise as written.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.resolved.as_ref().map_or_else(|| PathBuf::from(&self.given), |(path, _)| path.clone())
    }

    /// The source to read it from: as set by the loader, or otherwise the disk.
    #[must_use]
    pub fn files(&self) -> &dyn Files {
        self.resolved.as_ref().map_or(&Disk, |(_, files)| &**files)
    }

    /// Sets the actual location of the file.
    pub fn resolve(&mut self, path: PathBuf, files: Arc<dyn Files>) {
        self.resolved = Some((path, files));
    }
}

/// Two paths are equal if they are written the same and lead to the same path.
impl PartialEq for FilePath {
    fn eq(&self, other: &Self) -> bool {
        self.given == other.given && self.path() == other.path()
    }
}

impl Eq for FilePath {}

impl Param for FilePath {
    fn shape() -> Shape {
        Shape::File
    }
    fn files(&mut self, visit: &mut dyn FnMut(&mut FilePath)) {
        visit(self);
    }
}
