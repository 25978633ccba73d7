//! Water at a port: its depth, or its level.

use std::sync::Arc;

use terrane_flow::OneOf;
use terrane_grid::Heightmap;
use terrane_kernels::hydrology::{depth_of_level, level_of_depth, level_over};

use super::{Levels, Map};

/// Water over a terrain, as the depth at each sample, or as the level of its surface.
///
/// A depth stays with the ground: where the ground is raised, the water rises too. A level stays where it is,
/// and ground above it is dry.
#[derive(Clone, Debug)]
pub enum Water {
    /// The depth; 0 where it is dry.
    Depth(Arc<Map>),
    /// The level.
    Level(Arc<Levels>),
}

impl OneOf for Water {
    type First = Map;
    type Second = Levels;

    fn first(depth: Arc<Map>) -> Self {
        Self::Depth(depth)
    }

    fn second(level: Arc<Levels>) -> Self {
        Self::Level(level)
    }
}

impl Water {
    /// The depth over this ground, which is 0 where it is dry.
    #[must_use]
    pub fn depth(&self, ground: &Heightmap) -> Heightmap {
        match self {
            Self::Depth(depth) => depth.0.clone(),
            Self::Level(level) => depth_of_level(level, ground),
        }
    }

    /// The level over this ground, which is not a number where it is dry.
    #[must_use]
    pub fn level(&self, ground: &Heightmap) -> Heightmap {
        match self {
            Self::Depth(depth) => level_of_depth(depth, ground),
            Self::Level(level) => level_over(level, ground),
        }
    }
}
