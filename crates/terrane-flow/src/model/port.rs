//! Ports: the inputs of a node.

use std::borrow::Cow;
use std::sync::Arc;

use crate::model::value::{Data, Kind, Value};

/// The upstream end of a wire: a node and one of its outputs. Without an output name, the first output is
/// meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// Name of the node in the graph.
    pub node: Arc<str>,
    /// Name of the output; `None` for the first.
    pub output: Option<Cow<'static, str>>,
}

impl Reference {
    /// A reference as the graph language writes it: `"node"` or `"node.output"`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.rsplit_once('.') {
            Some((node, output)) => Self { node: node.into(), output: Some(output.to_owned().into()) },
            None => Self { node: text.into(), output: None },
        }
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.output {
            Some(output) => write!(f, "{}.{output}", self.node),
            None => f.write_str(&self.node),
        }
    }
}

/// What a port is connected to.
#[derive(Clone, Debug, Default)]
pub enum Source {
    /// Nothing yet.
    #[default]
    Unset,
    /// A constant at a scalar port.
    Number(f64),
    /// Another node's output.
    Wire(Reference),
    /// A value, bound by the scheduler before a node runs, or by a caller who runs a node directly.
    Bound(Value),
}

impl Source {
    /// The output of the upstream node, if the source is a wire.
    #[must_use]
    pub fn wire(&self) -> Option<&Reference> {
        if let Self::Wire(reference) = self { Some(reference) } else { None }
    }
}

/// The interface of all ports for the engine. Nodes use the typed ports below.
pub trait Port {
    /// The kind of value that the port takes.
    fn kind(&self) -> &'static Kind;
    /// What the port is connected to.
    fn source(&self) -> &Source;
    /// Connects the port.
    fn connect(&mut self, source: Source);
}

macro_rules! port {
    ($(#[$doc:meta])* $name:ident, optional: $optional:expr, scalar: $scalar:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<T: Data> {
            source: Source,
            kind: std::marker::PhantomData<fn() -> T>,
        }

        impl<T: Data> Default for $name<T> {
            fn default() -> Self {
                Self { source: Source::Unset, kind: std::marker::PhantomData }
            }
        }

        impl<T: Data> Port for $name<T> {
            fn kind(&self) -> &'static Kind {
                Kind::of::<T>()
            }
            fn source(&self) -> &Source {
                &self.source
            }
            fn connect(&mut self, source: Source) {
                self.source = source;
            }
        }

        impl<T: Data> $name<T> {
            /// The kind of value taken.
            pub const KIND: &'static Kind = Kind::of::<T>();
            /// A second kind of value taken.
            pub const OR: Option<&'static Kind> = None;
            /// Whether it may be left out if it has no default.
            pub const OPTIONAL: bool = $optional;
            /// Whether a number may stand for a constant.
            pub const SCALAR: bool = $scalar;

            /// A port connected to `source`.
            #[must_use]
            pub fn from_source(source: Source) -> Self {
                Self { source, ..Self::default() }
            }
        }

        impl<T: Data> From<&Output<T>> for $name<T> {
            fn from(output: &Output<T>) -> Self {
                Self::from_source(Source::Wire(output.reference.clone()))
            }
        }

        impl<T: Data> From<Output<T>> for $name<T> {
            fn from(output: Output<T>) -> Self {
                Self::from_source(Source::Wire(output.reference))
            }
        }

        impl<T: Data> From<T> for $name<T> {
            fn from(value: T) -> Self {
                Self::from_source(Source::Bound(Value::new(value)))
            }
        }
    };
}

port! {
    /// A port that must be connected.
    Input, optional: false, scalar: false
}

port! {
    /// A port that may be left out.
    OptionalInput, optional: true, scalar: false
}

port! {
    /// A port that takes a map, or a number that stands for a constant map.
    ScalarInput, optional: false, scalar: true
}

port! {
    /// A port that takes a map, a number that stands for a constant map, or `None`.
    OptionalScalarInput, optional: true, scalar: true
}

/// The input of a [`ScalarInput`].
#[derive(Clone, Debug)]
pub enum Scalar<T> {
    /// The same number everywhere.
    Constant(f64),
    /// One value per sample.
    Map(Arc<T>),
}

/// The value at a bound port. Panics if there is none. Only a caller who runs a node directly can cause this,
/// by forgetting an input. The engine checks all inputs before a node runs.
fn bound<T: Data>(source: Source) -> Arc<T> {
    let value = bound_value(source, T::KIND);
    let kind = value.kind().name;
    value.downcast().unwrap_or_else(|| panic!("an input of kind `{}` holds a `{kind}`", T::KIND))
}

/// Like [`bound`], for editing in place.
fn owned<T: Data + Clone>(source: Source) -> T {
    let value = bound_value(source, T::KIND);
    let kind = value.kind().name;
    value.into_owned().unwrap_or_else(|| panic!("an input of kind `{}` holds a `{kind}`", T::KIND))
}

fn bound_value(source: Source, kind: &str) -> Value {
    let Source::Bound(value) = source else { panic!("an input of kind `{kind}` is not bound") };
    value
}

impl<T: Data> Input<T> {
    /// The value at the port, shared.
    ///
    /// # Panics
    /// If the node is run directly and the input is missing.
    #[must_use]
    pub fn get(&self) -> Arc<T> {
        bound(self.source.clone())
    }

    /// Takes the value out of the port, for editing in place. It is copied only if something else holds it.
    ///
    /// # Panics
    /// As [`Input::get`].
    #[must_use]
    pub fn take(&mut self) -> T
    where
        T: Clone,
    {
        owned(std::mem::take(&mut self.source))
    }
}

impl<T: Data> OptionalInput<T> {
    /// The value at the port, if it is connected.
    #[must_use]
    pub fn get(&self) -> Option<Arc<T>> {
        match &self.source {
            Source::Unset => None,
            source => Some(bound(source.clone())),
        }
    }

    /// Takes the value out of the port, if it is connected, for editing in place. It is copied only if
    /// something else holds it.
    #[must_use]
    pub fn take(&mut self) -> Option<T>
    where
        T: Clone,
    {
        match std::mem::take(&mut self.source) {
            Source::Unset => None,
            source => Some(owned(source)),
        }
    }
}

impl<T: Data> ScalarInput<T> {
    /// A port with a constant.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self::from_source(Source::Number(value))
    }

    /// The constant at the port, unless it is connected.
    #[must_use]
    pub const fn number(&self) -> Option<f64> {
        if let Source::Number(number) = self.source { Some(number) } else { None }
    }

    /// The constant or the map at the port.
    #[must_use]
    pub fn get(&self) -> Scalar<T> {
        match &self.source {
            Source::Number(value) => Scalar::Constant(*value),
            source => Scalar::Map(bound(source.clone())),
        }
    }
}

impl<T: Data> OptionalScalarInput<T> {
    /// A port with a constant.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self::from_source(Source::Number(value))
    }

    /// The constant or the map at the port, if any.
    #[must_use]
    pub fn get(&self) -> Option<Scalar<T>> {
        match &self.source {
            Source::Unset => None,
            Source::Number(value) => Some(Scalar::Constant(*value)),
            source => Some(Scalar::Map(bound(source.clone()))),
        }
    }
}

impl<T: Data> From<Option<f64>> for OptionalScalarInput<T> {
    fn from(value: Option<f64>) -> Self {
        value.map_or_else(Self::default, Self::constant)
    }
}

impl<T: Data> From<f64> for ScalarInput<T> {
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}

/// A typed handle for a node's output, for graphs built in code.
#[derive(Debug)]
pub struct Output<T: Data> {
    reference: Reference,
    kind: std::marker::PhantomData<fn() -> T>,
}

impl<T: Data> Clone for Output<T> {
    fn clone(&self) -> Self {
        Self { reference: self.reference.clone(), kind: self.kind }
    }
}

impl<T: Data> Output<T> {
    /// The output called `output` of the node called `node`.
    #[must_use]
    pub fn new(node: &str, output: &str) -> Self {
        Self {
            reference: Reference { node: node.into(), output: Some(output.to_owned().into()) },
            kind: std::marker::PhantomData,
        }
    }

    /// The reference to the output.
    #[must_use]
    pub const fn reference(&self) -> &Reference {
        &self.reference
    }
}
