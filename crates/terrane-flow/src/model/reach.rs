//! How far around a sample a node looks.

use std::borrow::Cow;

use crate::model::spec::{NodeSpec, Tiles};

/// How far around a sample of its maps a node looks for what it becomes: a part of the world that is
/// evaluated by itself is right as far as it is known around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// So many samples to each side of its inputs. With 0 a sample follows from the inputs' samples at its
    /// place and from this place in the world.
    Samples(u64),
    /// None, but a sample follows from how large the ground is, too, and why: parts of one size meet, and are
    /// no parts of a larger one.
    Size(Cow<'static, str>),
    /// All of the map, and why: a part that is evaluated by itself is another terrain.
    Map(Cow<'static, str>),
}

impl Reach {
    /// All of the map, and why.
    #[must_use]
    pub fn map(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Map(why.into())
    }

    /// No samples around, but the size of the ground, and why.
    #[must_use]
    pub fn size(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Size(why.into())
    }

    /// That of a type whose parameters do not matter: the next samples, where it has a halo.
    #[must_use]
    pub const fn of(spec: &NodeSpec) -> Self {
        match spec.tiles {
            Tiles::Pointwise => Self::Samples(0),
            Tiles::Halo => Self::Samples(1),
            Tiles::Global => Self::Map(Cow::Borrowed(spec.because)),
        }
    }

    /// The class that it makes a node one of.
    #[must_use]
    pub const fn tiles(&self) -> Tiles {
        match self {
            Self::Samples(0) => Tiles::Pointwise,
            Self::Samples(_) => Tiles::Halo,
            Self::Size(_) | Self::Map(_) => Tiles::Global,
        }
    }
}
