//! Costs of steps in Velzel's thesis (section 4.1).

use super::search::{Offset, Rimmed, Steps};
use super::terrain::Terrain;
use crate::{Cancelled, Progress};
use terrane_grid::DIRECTIONS;

/// The cost of a step is its length d plus d · α · |slope|^β. Lengths are L1, two spacings along a diagonal.
pub struct Thesis {
    map: Rimmed,
    /// NaN where routes cannot cross.
    heights: Vec<f32>,
    /// Cost factors, if there is a cost map.
    factors: Option<Vec<f32>>,
    /// The minimum cost factor.
    least: f64,
    spacing: f64,
    alpha: f64,
    beta: f32,
    powers: Powers,
    offsets: [Offset; 8],
}

impl Thesis {
    pub fn new(
        terrain: &Terrain<'_>,
        (alpha, beta): (f64, f64),
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let map = Rimmed::new(terrain.size(), 1);
        let heights = map.filled(f32::NAN, progress, |x, y| terrain.crossed(x, y))?;
        let factors = terrain.cost_map.map(|_| map.filled(1.0, progress, |x, y| terrain.factor(x, y)));
        let factors = factors.transpose()?;
        let (spacing, least) = (terrain.spacing(), terrain.least());
        let offset = |step: usize| {
            let (dx, dy) = (DIRECTIONS[step].0 as i32, DIRECTIONS[step].1 as i32);
            Offset::new((dx, dy), map, f64::from(dx.abs() + dy.abs()) * spacing * least)
        };
        let offsets = std::array::from_fn(|step| offset(step + 1));
        Ok(Self {
            map,
            heights,
            factors,
            least,
            spacing,
            alpha,
            beta: beta as f32,
            powers: Powers::of(beta as f32),
            offsets,
        })
    }

    pub const fn rimmed(&self) -> Rimmed {
        self.map
    }

    /// Whether routes may cross a sample.
    pub fn is_crossed(&self, at: usize) -> bool {
        !self.heights[at].is_nan()
    }
}

impl Steps for Thesis {
    #[inline]
    fn map(&self) -> Rimmed {
        self.map
    }

    #[inline]
    fn offsets(&self) -> &[Offset] {
        &self.offsets
    }

    #[inline]
    fn cost(&self, at: usize, step: usize, useful: f64) -> f64 {
        let next = at.wrapping_add_signed(self.offsets[step].index);
        let rise = self.heights[next] - self.heights[at];
        let (run, rise) = if step < 4 {
            (self.spacing, rise)
        } else {
            // A diagonal step touches the two samples beside it at their corners.
            let (dx, dy) = (
                self.offsets[step].by.0 as isize,
                self.offsets[step].index - self.offsets[step].by.0 as isize,
            );
            let corners = self.heights[at.wrapping_add_signed(dx)] + self.heights[at.wrapping_add_signed(dy)];
            (2.0 * self.spacing, if corners.is_nan() { f32::NAN } else { rise })
        };
        let slope = rise.abs() / run as f32;
        let factor = match &self.factors {
            None => 1.0,
            Some(factors) => 0.5 * (f64::from(factors[at]) + f64::from(factors[next])),
        };
        // Most steps are too dear even with a lower bound of the power.
        let least = (run + run * self.alpha * f64::from(self.powers.at_least(slope))) * factor;
        if least >= useful {
            return least;
        }
        (run + run * self.alpha * f64::from(power(slope, self.beta))) * factor
    }

    /// The L1 distance.
    #[inline]
    fn estimate(&self, columns: u32, rows: u32) -> f64 {
        f64::from(columns + rows) * self.spacing * self.least
    }
}

/// The power in single precision, which is enough for a penalty: by logarithms it is several times faster. It
/// is finite, so that a step is possible however steep it is.
#[inline]
fn power(slope: f32, beta: f32) -> f32 {
    let power = if slope > 0.0 { libm::exp2f(beta * libm::log2f(slope)) } else { slope };
    if power > f32::MAX { f32::MAX } else { power }
}

/// Powers of the slopes whose lower bits are 0, slightly reduced.
struct Powers(Vec<f32>);

/// Bits of a slope that are dropped: sixteen slopes remain between consecutive powers of two.
const DROPPED_BITS: u32 = 19;

impl Powers {
    fn of(beta: f32) -> Self {
        let bits = 0..=(f32::INFINITY.to_bits() >> DROPPED_BITS);
        Self(bits.map(|bits| 0.9999 * power(f32::from_bits(bits << DROPPED_BITS), beta)).collect())
    }

    /// A lower bound of the power of a slope; 0 for NaN.
    #[inline]
    fn at_least(&self, slope: f32) -> f32 {
        self.0.get((slope.to_bits() >> DROPPED_BITS) as usize).copied().unwrap_or(0.0)
    }
}
