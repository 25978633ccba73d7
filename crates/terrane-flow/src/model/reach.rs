//! The reach of a node: how far around a sample it reads.

use std::borrow::Cow;

use crate::model::spec::{NodeSpec, Tiles};

/// How far around the position of a sample a node reads its inputs to compute this sample. If a part of the
/// world is evaluated alone, a sample is correct if the inputs are known up to this distance around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// This many samples to each side. With 0, a sample depends only on the inputs' samples at its position
    /// and on the position in the world.
    Samples(u64),
    /// No samples around it, but a sample depends on the size of the map. Contains the reason. Parts of the
    /// same size meet at their borders, but differ from the same parts of a larger map.
    Size(Cow<'static, str>),
    /// The whole map. Contains the reason. A part that is evaluated alone is different terrain.
    Map(Cow<'static, str>),
}

impl Reach {
    /// A reach of the whole map, with the reason.
    #[must_use]
    pub fn map(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Map(why.into())
    }

    /// A dependency on the size of the map, with the reason.
    #[must_use]
    pub fn size(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Size(why.into())
    }

    /// The reach of a node type whose parameters do not change the reach. If the type has a halo, this is one
    /// sample.
    #[must_use]
    pub const fn of(spec: &NodeSpec) -> Self {
        match spec.tiles {
            Tiles::Pointwise => Self::Samples(0),
            Tiles::Halo => Self::Samples(1),
            Tiles::Global => Self::Map(Cow::Borrowed(spec.because)),
        }
    }

    /// The class of a node with this reach.
    #[must_use]
    pub const fn tiles(&self) -> Tiles {
        match self {
            Self::Samples(0) => Tiles::Pointwise,
            Self::Samples(_) => Tiles::Halo,
            Self::Size(_) | Self::Map(_) => Tiles::Global,
        }
    }
}
