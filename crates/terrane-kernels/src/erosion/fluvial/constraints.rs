//! River cuts, and the constraints that pull the land back to its ideal.

use crate::parallel::{elements, slices, try_for_each};

use super::implicit::Upward;
use super::rows::{BAND, Erode, Hold, PaddedRow};
use super::state::State;
use crate::erosion::talus::Slopes;
use crate::{Cancelled, ScalarMap, dispatch};
use terrane_compute::{Alive, CHECK_INTERVAL};
use terrane_grid::Shape;

impl State<'_> {
    /// Applies the implicit river cuts, from the outlets upstream.
    pub(super) fn lower(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self {
            shape,
            inverse_distances,
            network,
            directions,
            bands,
            drainage,
            factor,
            law,
            land,
            powers,
            valleys,
            wide,
            ..
        } = self;
        let drainage: &[f32] = if valleys.is_wide() { wide.gather(drainage, *valleys) } else { drainage };
        let (diagonals, sea_level) = (self.parameters.diagonals, self.parameters.sea_level);
        let (shape, law) = (*shape, *law);
        let upward = Upward {
            shape,
            inverse_distances,
            network,
            directions,
            diagonals,
            bands,
            drainage,
            factor,
            law,
            sea_level,
        };
        upward.lower(land, powers, alive)
    }

    /// Stores each tile's height above the ideal, after the explicit river cuts (if `rivers` is set) and the
    /// value constraint. The land does not change yet.
    pub(super) fn erode(&mut self, rivers: bool, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self {
            total,
            inverse_distances,
            land,
            directions,
            drainage,
            ideal,
            above_ideal,
            shape,
            parameters,
            law,
            factor,
            sinks,
            value_strength,
            valleys,
            wide,
            ..
        } = self;
        let drainage: &[f32] =
            if rivers && valleys.is_wide() { wide.gather(drainage, *valleys) } else { drainage };
        let value_strength = value_strength.as_ref().map_or(parameters.value_strength, ScalarMap::Map);
        let (width, stride) = (shape.width, above_ideal.stride);
        let rows = slices(&mut above_ideal.data[stride..stride * (shape.height + 1)], stride);
        try_for_each(rows, BAND, |row, out| {
            if row.is_multiple_of(BAND) {
                alive()?;
            }
            let range = row * width..(row + 1) * width;
            let work = Erode::<4> {
                rivers,
                row: PaddedRow { total, inverse_distances, row },
                land: &land[range.clone()],
                directions: &directions[range.clone()],
                drainage: &drainage[range.clone()],
                ideal: &ideal[range.clone()],
                value_strength,
                sea_level: parameters.sea_level,
                factor,
                law: *law,
                first: range.start,
                out: &mut out[1..=width],
            };
            if parameters.diagonals {
                dispatch!(simd => work.with_diagonals().run(simd));
            } else {
                dispatch!(simd => work.run(simd));
            }
            Ok(())
        })?;
        for &(at, height) in &sinks.fixed {
            let (column, row) = shape.position(at as usize);
            above_ideal.data[(row + 1) * stride + column + 1] = height - ideal[at as usize];
        }
        above_ideal.refresh();
        Ok(())
    }

    /// Applies the gradient constraint.
    pub(super) fn apply_gradient_constraint(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        if self.valleys.is_wide() {
            return self.hold_widely(alive);
        }
        let Self { land, above_ideal, ideal, gradient_strength, hold, shape, .. } = self;
        let Shape { width, height, wrap } = *shape;
        // One over the number of neighbours, or 0 if there are none.
        let share = |columns: usize, rows: usize| match columns + rows {
            0 => 0.0,
            count => 1.0 / count as f32,
        };
        let along = |at: usize, count: usize| {
            if wrap { 2 } else { usize::from(at > 0) + usize::from(at + 1 < count) }
        };
        try_for_each(slices(land, width), BAND, |row, out| {
            if row.is_multiple_of(BAND) {
                alive()?;
            }
            let range = row * width..(row + 1) * width;
            let rows = along(row, height);
            let work = Hold {
                above_ideal,
                row,
                ideal: &ideal[range.clone()],
                strength: &gradient_strength[range.clone()],
                hold: &hold[range],
                shares: [0, 1.min(width - 1), width - 1].map(|column| {
                    let inner = width > 2 && column == 1;
                    share(if inner { 2 } else { along(column, width) }, rows)
                }),
                out,
            };
            dispatch!(simd => work.run(simd));
            Ok(())
        })
    }

    /// The same if valleys are wider than a tile: each tile's height above the ideal moves towards the mean
    /// over a valley's width.
    fn hold_widely(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { land, above_ideal, ideal, gradient_strength, hold, valleys, wide, .. } = self;
        let (above, means) = wide.means(above_ideal, *valleys);
        alive()?;
        try_for_each(elements(land), CHECK_INTERVAL, |at, land| {
            let (own, strength) = (above[at], gradient_strength[at] * hold[at]);
            *land = ideal[at] + (own + strength * (means[at] - own));
            if at.is_multiple_of(CHECK_INTERVAL) { alive() } else { Ok(()) }
        })
    }

    /// Limits how far the gradient constraint lowers tiles. Otherwise a tile that sinks would lower
    /// everything upstream of it, iteration after iteration.
    ///
    /// The base of a tile is its receiver's height, or sea level if that is higher. A tile that would sink to
    /// its base or below stays higher than its base instead, by an eighth of the drop before the constraint.
    /// Tiles where water ends (over an outflow border, in a hollow or in the sea) are not lowered.
    pub(super) fn limit_lowering(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        /// The share of the drop that remains.
        const SHARE: f32 = 0.125;
        let Self { sinks, land, ideal, above_ideal, network, bands, shape, parameters, .. } = self;
        let sea = parameters.sea_level;
        let before = |at: usize| {
            let (column, row) = shape.position(at);
            ideal[at] + above_ideal.data[(row + 1) * above_ideal.stride + column + 1]
        };
        bands.upstream(network, land, alive, |at, to, height, below| {
            if to == at {
                return height.max(before(at));
            }
            let below = if below > sea { below } else { sea };
            if height > below {
                return height;
            }
            let own = before(at);
            if height < own { own.min(below + SHARE * (own - before(to).max(sea)).max(0.0)) } else { height }
        })?;
        sinks.keep(land);
        Ok(())
    }

    /// Lowers tiles that the constraints have raised above one that drains to them, so that all water still
    /// leaves. None sinks below the sea, and fixed tiles do not change.
    pub(super) fn open_rivers(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let sea = self.parameters.sea_level;
        self.bands.downstream(&self.network, &mut self.land, alive, |height, from| {
            if height > from && height > sea { from.max(sea) } else { height }
        })?;
        self.sinks.keep(&mut self.land);
        Ok(())
    }

    /// Lowers the land until no slope exceeds the talus.
    pub(super) fn apply_talus(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Some(talus) = self.parameters.talus else { return Ok(()) };
        let (shape, spacing, sea_level) = (self.shape, self.spacing, self.parameters.sea_level);
        let kept = |at: usize| self.sinks.is_fixed(at);
        Slopes { shape, spacing, talus: |at| talus.at(at), sea_level }.lower(&mut self.land, kept, alive)?;
        self.land.iter_mut().zip(&self.foot).for_each(|(land, &foot)| *land = land.max(foot));
        Ok(())
    }
}
