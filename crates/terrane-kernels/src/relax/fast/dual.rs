//! Prices and forces, row by row.

use super::bound::Bound;
use super::layout::Layout;
use super::level::Level;
use super::primal::Primal;
use super::scale::Sizes;

/// By how much more than itself each move is made.
pub const RELAX: f64 = 1.8;

/// Prices and forces of a row.
pub struct Dual {
    pub prices: Vec<f64>,
    /// The most that a price can be, up or down.
    dearest: f64,
    /// 1 where earth has a price, else 0.
    pub weights: Vec<f64>,
    /// Heights before.
    pub before: Vec<f64>,
    /// Whether ground may stay as steep as it was.
    pub keeps: Vec<bool>,
    pub bounds: Vec<Bound>,
    /// Along x and y, for each quadrant.
    pub forces: Vec<[f64; 8]>,
    /// Whether a bound's forces may be other than nothing.
    pub bears: Vec<bool>,
    /// The forces of each sample's quadrants on the slopes to the right, left, below and above, added up.
    pub on: [Vec<f64>; 4],
}

impl Dual {
    /// The row `y`; nothing costs.
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
            dearest: level.dearest,
            weights: (0..width + 2).map(|x| f64::from(u8::from(layout.is_priced(x, y)))).collect(),
            before: heights,
            keeps: (0..width + 2).map(|x| layout.keeps(x, y)).collect(),
            forces: vec![[0.0; 8]; bounds.len()],
            bears: vec![false; bounds.len()],
            bounds,
            on: [empty(), empty(), empty(), empty()],
        }
    }

    /// Prices rise where there is too much earth; forces where it is too steep.
    pub fn step(&mut self, sizes: &Sizes, spans: &[(usize, usize)], [above, here, below]: [&Primal; 3]) {
        let dearest = self.dearest;
        for &(from, to) in spans {
            let (prices, weights) = (&mut self.prices[from..to], &self.weights[from..to]);
            let (heights, before) = (&here.heights_next[from..to], &self.before[from..to]);
            let (right, down) = (&here.right_next[from - 1..to], &here.down_next[from..to]);
            let above_down = &above.down_next[from..to];
            for x in 0..to - from {
                let out = right[x + 1] - right[x] + (down[x] - above_down[x]);
                let pushed = prices[x] + sizes.prices * weights[x] * (heights[x] - before[x] + out);
                prices[x] += RELAX * (pushed.max(-dearest).min(dearest) - prices[x]);
            }
        }
        for index in 0..self.bounds.len() {
            let (bound, forces) = (&self.bounds[index], &mut self.forces[index]);
            let (x, height) = (bound.x, here.heights_next[bound.x]);
            let (right, left) = (here.heights_next[x + 1] - height, height - here.heights_next[x - 1]);
            let (down, up) = (below.heights_next[x] - height, height - above.heights_next[x]);
            if !self.bears[index] {
                // Nothing presses where no quadrant is too steep, and most ground is like that.
                let (across, along) = (right.abs().max(left.abs()), down.abs().max(up.abs()));
                if bound.holds(across, along) {
                    continue;
                }
                self.bears[index] = true;
            }
            let slopes = [[right, down], [left, down], [right, up], [left, up]];
            for quadrant in (0..4).filter(|&quadrant| bound.quadrants[quadrant]) {
                let (old, slope) = ([forces[2 * quadrant], forces[2 * quadrant + 1]], slopes[quadrant]);
                let pushed = [old[0] + sizes.forces * slope[0], old[1] + sizes.forces * slope[1]];
                let new = bound.beyond(pushed, sizes.forces);
                forces[2 * quadrant] = old[0] + RELAX * (new[0] - old[0]);
                forces[2 * quadrant + 1] = old[1] + RELAX * (new[1] - old[1]);
            }
            self.gather(index);
        }
    }

    /// How far quadrants exceed the bounds that are aimed at, over these, at most.
    pub fn excess(&self, [above, here, below]: [&Primal; 3]) -> f64 {
        let of = |bound: &Bound| {
            let (x, height) = (bound.x, here.heights[bound.x]);
            let (right, left) = (here.heights[x + 1] - height, height - here.heights[x - 1]);
            let (down, up) = (below.heights[x] - height, height - above.heights[x]);
            let slopes = [[right, down], [left, down], [right, up], [left, up]];
            let binding = slopes.into_iter().zip(bound.quadrants).filter(|(_, binds)| *binds);
            binding.map(|(slope, _)| bound.excess(slope)).fold(0.0, f64::max)
        };
        self.bounds.iter().map(of).fold(0.0, f64::max)
    }

    /// Adds up a sample's forces by sides.
    #[inline]
    pub fn gather(&mut self, index: usize) {
        self.bears[index] = self.forces[index] != [0.0; 8];
        let ([a, b, c, d, e, f, g, h], x) = (self.forces[index], self.bounds[index].x);
        self.on[0][x] = a + e;
        self.on[1][x] = c + g;
        self.on[2][x] = b + d;
        self.on[3][x] = f + h;
    }
}
