//! What a parameter can be.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use terrane_syntax::{Literally, Tree, read};

use crate::model::files::{Disk, Files};

/// Reads a value from its text, as [`canonical`] writes it; nothing where the text is none of the type. No
/// parameter can be named.
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

    /// Shows every number in the value, for range checks.
    fn numbers(&self, _visit: &mut dyn FnMut(f64)) {}

    /// Shows every file that the value names, so that the loader can resolve it and the engine can key it by
    /// content.
    fn files(&mut self, _visit: &mut dyn FnMut(&mut FilePath)) {}
}

/// What may be written for a parameter: enough for a message, a page and a schema.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// `true` or `false`.
    Bool,
    /// A whole number in a range.
    Integer {
        /// Least value of the type.
        min: i128,
        /// Greatest value of the type.
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
    /// One of several names, each with fields of its own that can be left out: `Name(field: value, ...)`.
    Record(&'static [RecordSpec]),
    /// A list.
    List(Box<Shape>),
    /// A fixed row of values.
    Tuple(Vec<Shape>),
    /// A value or `None`.
    Optional(Box<Shape>),
    /// A map of names and what they stand for, which the loader reads itself.
    Map,
    /// A whole number from 0, or two numbers in brackets: something by its number, or by a place.
    NumberOrPlace,
}

/// One name of a [`Shape::Choice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoiceSpec {
    /// The name in graphs.
    pub name: &'static str,
    /// What it means.
    pub docs: &'static str,
}

/// One name of a [`Shape::Record`], with its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordSpec {
    /// The name in graphs.
    pub name: &'static str,
    /// What it means.
    pub docs: &'static str,
    /// Its fields.
    pub fields: &'static [RecordField],
}

/// A field of a [`RecordSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordField {
    /// The name in graphs.
    pub name: &'static str,
    /// What it means, with its default.
    pub docs: &'static str,
    /// What is written: `"boolean"`, `"integer"`, `"number"` or `"string"`, as JSON schemas call them.
    pub kind: &'static str,
}

impl fmt::Display for RecordSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<&str> = self.fields.iter().map(|field| field.name).collect();
        write!(f, "{}({})", self.name, fields.join(", "))
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
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            Self::Optional(item) => write!(f, "{item}, or None"),
            Self::Map => f.write_str("a map { \"name\": ... }"),
            Self::NumberOrPlace => f.write_str("a whole number or a place (x, y)"),
        }
    }
}

fn plural(shape: &Shape) -> String {
    match shape {
        Shape::Float => "numbers".to_owned(),
        Shape::Integer { .. } => "whole numbers".to_owned(),
        Shape::NumberOrPlace => "whole numbers or places (x, y)".to_owned(),
        other => other.to_string(),
    }
}

/// The value as canonical RON, however it was written: what enters a node's key and what pages show as a
/// default.
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
/// The loader resolves it and refuses what leaves the graph's folder; the engine keys the node by the file's
/// content, so that a touched but unchanged file recomputes nothing; the watcher watches it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FilePath {
    given: String,
    #[serde(skip)]
    resolved: Option<(PathBuf, Arc<dyn Files>)>,
}

impl FilePath {
    /// A path as a graph would give it.
    #[must_use]
    pub fn new(given: impl Into<String>) -> Self {
        Self { given: given.into(), resolved: None }
    }

    /// The path as written in the graph.
    #[must_use]
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The path to open: resolved by the loader, else as given.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.resolved.as_ref().map_or_else(|| PathBuf::from(&self.given), |(path, _)| path.clone())
    }

    /// Where it is read from: what the loader says, else the disk.
    #[must_use]
    pub fn files(&self) -> &dyn Files {
        self.resolved.as_ref().map_or(&Disk, |(_, files)| &**files)
    }

    /// Says where the file really is.
    pub fn resolve(&mut self, path: PathBuf, files: Arc<dyn Files>) {
        self.resolved = Some((path, files));
    }
}

/// Paths are the same where they lead to the same place.
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
