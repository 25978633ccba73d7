//! The ground that uplift starts from.

use terrane_compute::{Alive, each};
use terrane_grid::{Domain, Heightmap, Seed};

use super::parameters::{Base, Uplift};
use crate::erosion::valleys::ValleyWidth;
use crate::{Boundary, Cancelled};

/// The ground that a run of uplift starts from. A run that starts from all three maps of an earlier run
/// continues it to the same bits.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Heights.
    pub height: &'a Heightmap,
    /// What single precision drops of each height. Default: nothing.
    pub remainder: Option<&'a Heightmap>,
    /// Heights below which no step lowers the ground. Default: near fixed samples, a surface that
    /// descends from them at the slope of the talus, or the start where that is lower.
    pub floor: Option<&'a Heightmap>,
}

impl<'a> From<&'a Heightmap> for Start<'a> {
    fn from(height: &'a Heightmap) -> Self {
        Self { height, remainder: None, floor: None }
    }
}

/// Ground that is almost flat. Its unevenness directs the water in the first step. Sides where water leaves
/// are at sea level.
pub(super) fn plain(
    domain: &Domain,
    parameters: &Uplift<'_>,
    seed: Seed,
    alive: &Alive<'_>,
) -> Result<Heightmap, Cancelled> {
    let valleys = ValleyWidth::new(parameters.valley_width, *domain, parameters.boundary);
    let random = valleys.rolling(seed, alive)?;
    let unevenness = (1.0e-3 * valleys.side()) as f32;
    let (width, size) = (domain.width(), domain.size);
    let open = parameters.boundary == Boundary::Open;
    let height = |at: usize| {
        let side = if open { parameters.border.of((at % width, at / width), size) } else { None };
        match side {
            Some(Base::Fixed | Base::Sea) => parameters.sea_level,
            _ => parameters.sea_level + unevenness * random[at],
        }
    };
    Ok(Heightmap::from_vec(*domain, each(domain.len(), alive, height)?))
}
