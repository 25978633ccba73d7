//! Ports that take one of two kinds of value.

use std::sync::Arc;

use crate::model::port::{Output, Port, Source};
use crate::model::value::{Data, Kind};

/// A value of one of two kinds, such as the depth of water or its level.
pub trait OneOf: Sized {
    /// The first kind, which programs without kinds, such as those with arrays, give.
    type First: Data;
    /// The second kind.
    type Second: Data;

    /// From a value of the first kind.
    fn first(value: Arc<Self::First>) -> Self;

    /// From a value of the second kind.
    fn second(value: Arc<Self::Second>) -> Self;
}

/// A port that takes one of two kinds of value, and may be left out.
#[derive(Clone, Debug)]
pub struct OptionalOneOf<T: OneOf> {
    source: Source,
    kind: std::marker::PhantomData<fn() -> T>,
}

impl<T: OneOf> Default for OptionalOneOf<T> {
    fn default() -> Self {
        Self::from_source(Source::Unset)
    }
}

impl<T: OneOf> Port for OptionalOneOf<T> {
    fn kind(&self) -> &'static Kind {
        Self::KIND
    }
    fn source(&self) -> &Source {
        &self.source
    }
    fn connect(&mut self, source: Source) {
        self.source = source;
    }
}

impl<T: OneOf> OptionalOneOf<T> {
    /// The first kind of value taken.
    pub const KIND: &'static Kind = Kind::of::<T::First>();
    /// The second kind of value taken.
    pub const OR: Option<&'static Kind> = Some(Kind::of::<T::Second>());
    /// Whether it may be left out if it has no default.
    pub const OPTIONAL: bool = true;
    /// Whether a number may stand for a constant.
    pub const SCALAR: bool = false;

    /// A port connected to `source`.
    #[must_use]
    pub fn from_source(source: Source) -> Self {
        Self { source, kind: std::marker::PhantomData }
    }

    /// A port connected to an output of the first kind.
    #[must_use]
    pub fn first(output: &Output<T::First>) -> Self {
        Self::from_source(Source::Wire(output.reference().clone()))
    }

    /// A port connected to an output of the second kind.
    #[must_use]
    pub fn second(output: &Output<T::Second>) -> Self {
        Self::from_source(Source::Wire(output.reference().clone()))
    }

    /// The value at the port, if it is connected.
    ///
    /// # Panics
    /// If the node is run directly with a value of another kind.
    #[must_use]
    pub fn get(&self) -> Option<T> {
        let Source::Bound(value) = &self.source else {
            assert!(matches!(self.source, Source::Unset), "an input is not bound");
            return None;
        };
        let second = || value.clone().downcast().map(T::second);
        let either = value.clone().downcast().map(T::first).or_else(second);
        assert!(either.is_some(), "an input of kind `{}` holds a `{}`", T::First::KIND, value.kind().name);
        either
    }
}
