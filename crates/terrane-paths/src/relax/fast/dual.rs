//! Dual variables, row by row: prices and forces.

use super::bound::Bound;
use super::layout::Layout;
use super::level::Level;

/// Prices and forces of a row.
pub struct Dual {
    pub prices: Vec<f64>,
    /// The maximum absolute price.
    pub max_price: f64,
    /// 1 where earth has a price, otherwise 0.
    pub weights: Vec<f64>,
    /// The original heights.
    pub before: Vec<f64>,
    /// Whether ground may stay as steep as it was.
    pub keeps: Vec<bool>,
    pub bounds: Vec<Bound>,
    /// Forces along x and y, for each quadrant.
    pub forces: Vec<[f64; 8]>,
    /// Whether a bound's forces may be nonzero.
    pub has_force: Vec<bool>,
    /// Sums of each sample's quadrant forces on the slopes to the right, left, below and above.
    pub on: [Vec<f64>; 4],
}

impl Dual {
    /// The row `y`, with all variables 0.
    pub fn new(y: usize, heights: Vec<f64>, level: &Level, layout: &Layout) -> Self {
        let width = level.width;
        let bound = |x: usize| {
            let at = (y.checked_sub(1)? < level.height).then(|| (y - 1) * width + x - 1)?;
            let bound = level.bounds[at].filter(|_| layout.is_near(x, y))?;
            Some(Bound::new(x, bound, level.quadrants(at, &bound)))
        };
        let bounds: Vec<Bound> = (1..=width).filter_map(bound).collect();
        let empty = || vec![0.0; width + 2];
        Self {
            prices: empty(),
            max_price: level.max_price,
            weights: (0..width + 2).map(|x| f64::from(u8::from(layout.is_priced(x, y)))).collect(),
            before: heights,
            keeps: (0..width + 2).map(|x| layout.keeps(x, y)).collect(),
            forces: vec![[0.0; 8]; bounds.len()],
            has_force: vec![false; bounds.len()],
            bounds,
            on: [empty(), empty(), empty(), empty()],
        }
    }

    /// Sums a sample's forces by side.
    #[inline]
    pub fn gather(&mut self, index: usize) {
        self.has_force[index] = self.forces[index] != [0.0; 8];
        let ([a, b, c, d, e, f, g, h], x) = (self.forces[index], self.bounds[index].x);
        self.on[0][x] = a + e;
        self.on[1][x] = c + g;
        self.on[2][x] = b + d;
        self.on[3][x] = f + h;
    }
}
