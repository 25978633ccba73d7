//! Water at a port: its depth, or its level.

use std::sync::Arc;

use terrane_flow::{Context, OneOf};
use terrane_grid::Heightmap;
use terrane_kernels::hydrology::{depth_of_level, level_of_depth, level_over, wall};
use terrane_kernels::metric::extremes;

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

    /// Warns if water with a level stands above dry ground beside it, by more than a hundredth of the
    /// distance between samples or of the range of heights, whichever is less.
    pub(crate) fn warn_of_walls(&self, cx: &Context<'_>, ground: &Heightmap) {
        let Self::Level(level) = self else { return };
        let Some(wall) = wall(level, ground) else { return };
        let relief = extremes(ground).map_or(0.0, |(low, high)| f64::from(high) - f64::from(low));
        let (column, row) = wall.at;
        let place = (ground.domain().x(column), ground.domain().y(row));
        if f64::from(wall.height) > 0.01 * ground.spacing().min(relief) {
            cx.warn(format!(
                "water stands up to {} above dry ground beside it, most at {place:?}: the ground was lowered \
                 after the level was found, so put Lakes, Flood or CarveRivers after what lowers it",
                wall.height
            ));
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
