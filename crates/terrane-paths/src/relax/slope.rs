//! Upper bounds on slopes, in any direction or along one.

use super::constraint::{BoundKind, Constraint, SlopeBound};
use super::field::{Field, Moves};

/// The bound on a sample's slopes.
#[derive(Clone, Copy, Debug)]
struct Bound {
    /// The bound, rise over run.
    slope: f64,
    /// The direction in which slopes count.
    direction: [f64; 2],
    /// Which of the four neighbours exist, in the order of [`SIDES`].
    sides: [bool; 4],
}

/// Along x: right and left; along y: down and up.
const SIDES: [(isize, isize); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// Quadrants as a side along x and one along y.
const QUADRANTS: [(usize, usize); 4] = [(0, 2), (1, 2), (0, 3), (1, 3)];

/// Slope bounds of samples, the common part of all slope constraints. In each quadrant around a sample, a
/// measure of the slopes to its neighbours along x and y must not exceed the bound. A quadrant that lacks a
/// neighbour is skipped.
#[derive(Clone, Debug)]
struct Slopes {
    samples: Vec<u32>,
    bounds: Vec<Bound>,
    tolerance: f64,
}

impl Slopes {
    /// Bounds on the samples where `slope` is finite. If a bound applies along a single direction,
    /// `direction` gives it.
    fn new(
        (width, height): (usize, usize),
        slope: impl Fn(usize) -> f64,
        direction: impl Fn(usize) -> [f64; 2],
        tolerance: f64,
    ) -> Self {
        let bound = |at: usize| {
            let (x, y, slope) = (at % width, at / width, slope(at));
            let sides = [x + 1 < width, x > 0, y + 1 < height, y > 0];
            slope.is_finite().then(|| (at as u32, Bound { slope, direction: direction(at), sides }))
        };
        let (samples, bounds) = (0..width * height).filter_map(bound).unzip();
        Self { samples, bounds, tolerance }
    }

    /// The indices of the neighbours on all sides; meaningless where one does not exist.
    #[inline]
    fn around(&self, field: &Field, index: usize) -> (usize, &Bound, [usize; 4]) {
        let (at, width) = (self.samples[index] as usize, field.domain.size.0 as isize);
        (at, &self.bounds[index], SIDES.map(|(dx, dy)| at.wrapping_add_signed(dy * width + dx)))
    }

    /// The slopes in a quadrant.
    #[inline]
    fn slopes(field: &Field, at: usize, sides: [usize; 2], (x, y): (usize, usize)) -> [f64; 2] {
        let heights = &field.heights;
        let over = 1.0 / field.domain.spacing;
        // Uphill towards larger x and y, for either side.
        let sign = |side: usize| if side.is_multiple_of(2) { over } else { -over };
        [(heights[sides[0]] - heights[at]) * sign(x), (heights[sides[1]] - heights[at]) * sign(y)]
    }

    /// Calls `found` for each quadrant that exceeds its bound, with the neighbours, their slopes and the
    /// factor by which to reduce these.
    #[inline]
    fn each(
        &self,
        field: &mut Field,
        index: usize,
        measure: impl Fn([f64; 2], &Bound) -> f64,
        mut found: impl FnMut(&mut Field, usize, [usize; 2], [f64; 2], f64),
    ) {
        let (at, bound, around) = self.around(field, index);
        let bound = *bound;
        for (x, y) in QUADRANTS {
            if !(bound.sides[x] && bound.sides[y]) {
                continue;
            }
            let sides = [around[x], around[y]];
            let slopes = Self::slopes(field, at, sides, (x, y));
            let measured = measure(slopes, &bound);
            if measured > bound.slope + self.tolerance {
                found(field, at, sides, slopes, bound.slope / measured);
            }
        }
    }

    #[inline]
    fn relax(&self, field: &mut Field, index: usize, measure: impl Fn([f64; 2], &Bound) -> f64) -> bool {
        let spacing = field.domain.spacing;
        let mut any = false;
        self.each(field, index, measure, |field, at, sides, slopes, part| {
            any = true;
            for (side, slope) in sides.into_iter().zip(slopes) {
                let by = step(field.heights[side] - field.heights[at], slope.abs() * part * spacing);
                field.heights[at] += by;
                field.heights[side] -= by;
            }
        });
        any
    }

    #[inline]
    fn gather(
        &self,
        field: &Field,
        index: usize,
        measure: impl Fn([f64; 2], &Bound) -> f64,
        moves: &mut Moves<'_>,
    ) -> bool {
        let mut any = false;
        let (at, bound, around) = self.around(field, index);
        for (x, y) in QUADRANTS.into_iter().filter(|&(x, y)| bound.sides[x] && bound.sides[y]) {
            let sides = [around[x], around[y]];
            let slopes = Self::slopes(field, at, sides, (x, y));
            let measured = measure(slopes, bound);
            if measured > bound.slope + self.tolerance {
                any = true;
                let part = bound.slope / measured;
                for (side, slope) in sides.into_iter().zip(slopes) {
                    let rise = field.heights[side] - field.heights[at];
                    let by = step(rise, slope.abs() * part * field.domain.spacing);
                    moves.add(at, by);
                    moves.add(side, -by);
                }
            }
        }
        any
    }

    fn excess(&self, field: &Field, index: usize, measure: impl Fn([f64; 2], &Bound) -> f64) -> f64 {
        let (at, bound, around) = self.around(field, index);
        let quadrants = QUADRANTS.into_iter().filter(|&(x, y)| bound.sides[x] && bound.sides[y]);
        let excess = quadrants.map(|(x, y)| {
            let over = measure(Self::slopes(field, at, [around[x], around[y]], (x, y)), bound) - bound.slope;
            if over > self.tolerance { over } else { 0.0 }
        });
        excess.fold(0.0, f64::max)
    }
}

/// The gain of a sample from a neighbour that is `rise` higher, if the maximum difference is `most`: half of
/// the excess.
#[inline]
fn step(rise: f64, most: f64) -> f64 {
    if rise > most {
        (rise - most) / 2.0
    } else if -rise > most {
        (rise + most) / 2.0
    } else {
        0.0
    }
}

macro_rules! slope_constraint {
    (
        $(#[$doc:meta])*
        $name:ident, $moves:literal, $keeps:literal, $direction:expr, $measure:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(Slopes);

        impl Constraint for $name {
            fn kind(&self) -> BoundKind {
                BoundKind::$name
            }
            fn samples(&self) -> &[u32] {
                &self.0.samples
            }
            fn reach(&self) -> usize {
                1
            }
            fn moves(&self) -> u32 {
                $moves
            }
            fn excess(&self, field: &Field, index: usize) -> f64 {
                self.0.excess(field, index, $measure)
            }
            fn relax(&self, field: &mut Field, index: usize) -> bool {
                self.0.relax(field, index, $measure)
            }
            fn gather(&self, field: &Field, index: usize, moves: &mut Moves<'_>) -> bool {
                self.0.gather(field, index, $measure, moves)
            }
            fn slope_bound(&self, index: usize) -> Option<SlopeBound> {
                let bound = &self.0.bounds[index];
                let direction = $direction(bound);
                Some(SlopeBound { slope: bound.slope, tolerance: self.0.tolerance, direction, keeps: $keeps })
            }
        }
    };
}

slope_constraint!(
    /// Limits the gradient in each quadrant (equation 5): the constraint on a path.
    Gradient,
    // A sample is moved twice for each of its own quadrants, and as often for its neighbours' quadrants.
    16,
    false,
    |_: &Bound| None,
    gradient
);

slope_constraint!(
    /// Limits the slope along a direction in each quadrant (equation 6): the constraint on the ground that
    /// connects a path to its surroundings.
    Directional,
    // Each quadrant is either the gradient's or this one's: they share the sixteen moves.
    0,
    false,
    |bound: &Bound| Some(bound.direction),
    |[x, y]: [f64; 2], bound: &Bound| (x * bound.direction[0] + y * bound.direction[1]).abs()
);

slope_constraint!(
    /// Limits the gradient off the path to its previous value, or to the maximum slope of banks if that is
    /// more: moved earth forms banks instead of walls. Not in the thesis, which leaves such ground free.
    Bank,
    16,
    true,
    |_: &Bound| None,
    gradient
);

fn gradient([x, y]: [f64; 2], _: &Bound) -> f64 {
    (x * x + y * y).sqrt()
}

impl Gradient {
    /// Bounds on the samples of a map where `slope` is finite.
    #[must_use]
    pub fn new(size: (usize, usize), slope: impl Fn(usize) -> f64, tolerance: f64) -> Self {
        Self(Slopes::new(size, slope, |_| [0.0; 2], tolerance))
    }
}

impl Directional {
    /// Bounds on the samples of a map where `slope` is finite, along their directions.
    #[must_use]
    pub fn new(
        size: (usize, usize),
        slope: impl Fn(usize) -> f64,
        direction: impl Fn(usize) -> [f64; 2],
        tolerance: f64,
    ) -> Self {
        Self(Slopes::new(size, slope, direction, tolerance))
    }
}

impl Bank {
    /// Bounds on the samples of a map where `slope` is finite.
    #[must_use]
    pub fn new(size: (usize, usize), slope: impl Fn(usize) -> f64, tolerance: f64) -> Self {
        Self(Slopes::new(size, slope, |_| [0.0; 2], tolerance))
    }
}
