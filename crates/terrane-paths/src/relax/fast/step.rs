//! A step of the primal-dual method, row by row: each half is computed from its own row and from the other
//! half's rows around it.

use super::bound::Bound;
use super::dual::Dual;
use super::primal::{Primal, RELAX};
use super::scale::Sizes;

impl Primal {
    /// Updates heights against the price and the forces on them, and flows from low to high prices where the
    /// difference pays for the distance.
    pub fn step(&mut self, sizes: &Sizes, [above, here, below]: [&Dual; 3], is_last: bool) {
        for &(from, to) in &self.spans {
            let count = to - from;
            let prices = &here.prices[from..=to];
            let [right, left, down, up] = &here.on;
            let (right, left) = (&right[from - 1..to], &left[from..=to]);
            let (down, up) = (&down[from..to], &up[from..to]);
            let (above_down, below_up) = (&above.on[2][from..to], &below.on[3][from..to]);
            let (heights, next) = (&mut self.heights[from..to], &mut self.heights_next[from..to]);
            let (low, high) = self.range;
            for x in 0..count {
                let along_x = right[x] - right[x + 1] + (left[x] - left[x + 1]);
                let along_y = above_down[x] - down[x] + (up[x] - below_up[x]);
                let by = -sizes.heights * (prices[x] + along_x + along_y);
                let by = (heights[x] + by).max(low).min(high) - heights[x];
                next[x] = heights[x] + 2.0 * by;
                heights[x] += RELAX * by;
            }
            let width = here.prices.len() - 2;
            let inner = to.min(width) - from;
            let (flows, next) = (&mut self.right[from..to], &mut self.right_next[from..to]);
            shift(&mut flows[..inner], &mut next[..inner], &prices[..inner], &prices[1..], sizes.flows);
            if !is_last {
                let (flows, next) = (&mut self.down[from..to], &mut self.down_next[from..to]);
                shift(flows, next, prices, &below.prices[from..to], sizes.flows);
            }
        }
        self.hold();
    }
}

/// Updates the flows along one axis.
#[inline]
fn shift(flows: &mut [f64], next: &mut [f64], here: &[f64], there: &[f64], size: f64) {
    for (((flow, next), here), there) in flows.iter_mut().zip(next).zip(here).zip(there) {
        let pushed = *flow - size * (here - there);
        let by = pushed - pushed.max(-size).min(size) - *flow;
        *next = *flow + 2.0 * by;
        *flow += RELAX * by;
    }
}

impl Dual {
    /// Updates prices, which rise where there is too much earth, and forces, which rise where the ground is
    /// too steep.
    pub fn step(&mut self, sizes: &Sizes, spans: &[(usize, usize)], [above, here, below]: [&Primal; 3]) {
        let max_price = self.max_price;
        for &(from, to) in spans {
            let (prices, weights) = (&mut self.prices[from..to], &self.weights[from..to]);
            let (heights, before) = (&here.heights_next[from..to], &self.before[from..to]);
            let (right, down) = (&here.right_next[from - 1..to], &here.down_next[from..to]);
            let above_down = &above.down_next[from..to];
            for x in 0..to - from {
                let out = right[x + 1] - right[x] + (down[x] - above_down[x]);
                let pushed = prices[x] + sizes.prices * weights[x] * (heights[x] - before[x] + out);
                prices[x] += RELAX * (pushed.max(-max_price).min(max_price) - prices[x]);
            }
        }
        for index in 0..self.bounds.len() {
            let (bound, forces) = (&self.bounds[index], &mut self.forces[index]);
            let (x, height) = (bound.x, here.heights_next[bound.x]);
            let (right, left) = (here.heights_next[x + 1] - height, height - here.heights_next[x - 1]);
            let (down, up) = (below.heights_next[x] - height, height - above.heights_next[x]);
            if !self.has_force[index] {
                // Where no quadrant is too steep there is no force. This is the case on most ground.
                let (across, along) = (right.abs().max(left.abs()), down.abs().max(up.abs()));
                if bound.holds(across, along) {
                    continue;
                }
                self.has_force[index] = true;
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

    /// The maximum relative excess of quadrants over the bounds that are aimed at.
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
}
