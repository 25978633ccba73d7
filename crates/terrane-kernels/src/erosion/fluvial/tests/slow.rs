//! A slow and literal implementation of the paper and of this kernel's additions, for comparison with the
//! fast kernel.

use terrane_grid::{DIRECTIONS, Heightmap, Seed};

use super::super::parameters::{Fluvial, Solver};
use super::super::sinks::Sinks;
use super::super::state::State;
use super::super::tiles::InverseDistances;
use crate::Boundary;
use crate::erosion::valleys::ValleyWidth;
use crate::hydrology::Ties;

/// Follows the paper tile by tile. It rounds like the kernel, so both make the same choices. Only sums of
/// drainage are rounded differently.
pub struct Slow<'a> {
    p: &'a Fluvial<'a>,
    w: usize,
    h: usize,
    spacing: f32,
    inverse_distances: InverseDistances,
    pub land: Vec<f32>,
    ideal: Vec<f32>,
    strength: Vec<f32>,
    hold: Vec<f32>,
    sinks: Sinks,
    ties: Ties,
    valleys: ValleyWidth,
}

impl<'a> Slow<'a> {
    pub fn new(map: &Heightmap, p: &'a Fluvial<'a>, seed: Seed) -> Self {
        let (w, h) = map.domain().size;
        // Node positions and noise are the kernel's.
        let state = State::new(map, p, seed, &|| Ok(())).unwrap();
        let State { inverse_distances, ideal, hold, sinks, land, ties, valleys, .. } = state;
        let (spacing, strength) = (map.spacing() as f32, state.gradient_strength);
        Self { p, w, h, spacing, inverse_distances, land, ideal, strength, hold, sinks, ties, valleys }
    }

    pub fn total(&self) -> Vec<f32> {
        self.land.iter().map(|&land| land.max(self.p.sea_level)).collect()
    }

    /// Neighbours in the order of [`DIRECTIONS`], with one over their distances.
    fn around(&self, at: usize) -> Vec<(usize, f32)> {
        self.neighbours(at, self.p.ways())
    }

    fn neighbours(&self, at: usize, directions: usize) -> Vec<(usize, f32)> {
        let (x, y, w, h) = ((at % self.w) as isize, (at / self.w) as isize, self.w as isize, self.h as isize);
        let mut all = Vec::new();
        for (direction, (dx, dy)) in DIRECTIONS.into_iter().enumerate().take(directions + 1).skip(1) {
            let inside = (0..w).contains(&(x + dx)) && (0..h).contains(&(y + dy));
            if inside || self.p.boundary == Boundary::Wrap {
                let to = (((y + dy).rem_euclid(h)) * w + (x + dx).rem_euclid(w)) as usize;
                all.push((
                    to,
                    self.inverse_distances
                        .along(direction, self.inverse_distances.padded_index((x as usize, y as usize)))[0],
                ));
            }
        }
        all
    }

    pub fn receivers(&self, total: &[f32]) -> Vec<usize> {
        let receiver = |at: usize| {
            let mut best = (0.0, at);
            for (to, near) in self.around(at) {
                let slope = (total[at] - total[to]) * near;
                if slope > best.0 {
                    best = (slope, to);
                }
            }
            best.1
        };
        let mut receivers: Vec<usize> = (0..total.len()).map(receiver).collect();
        self.sinks.fixed.iter().for_each(|&(at, _)| receivers[at as usize] = at as usize);
        if self.p.solver == Solver::Implicit {
            self.drain_flats(total, &mut receivers);
        }
        receivers
    }

    /// Lets flat tiles drain towards the nearest exit of their flat and away from higher ground. Steps are
    /// found by repeated passes.
    fn drain_flats(&self, total: &[f32], receivers: &mut [usize]) {
        let leaves = |at: usize| self.sinks.is(at) || self.land[at] < self.p.sea_level;
        let level = |at: usize| self.level(at, total);
        let is_dry = |at: usize| receivers[at] == at && !leaves(at) && !level(at).is_empty();
        let dry: Vec<bool> = (0..total.len()).map(is_dry).collect();
        let steps = |from: &dyn Fn(usize) -> Option<u32>| {
            let mut steps: Vec<Option<u32>> = (0..total.len()).map(from).collect();
            for _ in 0..total.len() {
                for at in (0..total.len()).filter(|&at| dry[at]) {
                    for (_, to) in level(at).into_iter().filter(|&(_, to)| dry[to]) {
                        let next = steps[to].map(|steps| steps + 1);
                        steps[at] = [steps[at], next].into_iter().flatten().min();
                    }
                }
            }
            steps
        };
        let beside_exit = |at: usize| level(at).iter().any(|&(_, to)| !dry[to]);
        let beside_higher = |at: usize| self.around(at).iter().any(|&(to, _)| total[to] > total[at]);
        let down = steps(&|at| (dry[at] && beside_exit(at)).then_some(1));
        let away = steps(&|at| (dry[at] && beside_higher(at)).then_some(1));
        let away = |at: usize| f64::from(away[at].unwrap_or(0));
        for at in (0..total.len()).filter(|&at| dry[at]) {
            let Some(own) = down[at] else { continue };
            let ranks = self.ties.ranks((at % self.w, at / self.w));
            let slope = |direction: usize, to: usize| {
                let drop = match down[to] {
                    _ if !dry[to] => 1024.0,
                    Some(there) => 2.0 * (f64::from(own) - f64::from(there)) - (away(at) - away(to)),
                    None => 0.0,
                };
                if drop > 0.0 { drop * drop / if direction > 4 { 2.0 } else { 1.0 } } else { 0.0 }
            };
            let mut best: Option<(f64, u8, usize)> = None;
            for (direction, to) in level(at) {
                let (slope, rank) = (slope(direction, to), ranks(direction as u8));
                if slope > 0.0 && best.is_none_or(|best| (slope, rank) > (best.0, best.1)) {
                    best = Some((slope, rank, to));
                }
            }
            receivers[at] = best.map_or(at, |best| best.2);
        }
    }

    /// The neighbours of the same height, with the directions to them.
    fn level(&self, at: usize, total: &[f32]) -> Vec<(usize, usize)> {
        let (x, y, w, h) = ((at % self.w) as isize, (at / self.w) as isize, self.w as isize, self.h as isize);
        let to = |direction: usize| {
            let (dx, dy) = DIRECTIONS[direction];
            let inside = (0..w).contains(&(x + dx)) && (0..h).contains(&(y + dy));
            let to = (((y + dy).rem_euclid(h)) * w + (x + dx).rem_euclid(w)) as usize;
            let counts = inside || self.p.boundary == Boundary::Wrap;
            (counts && to != at && total[to] == total[at]).then_some((direction, to))
        };
        (1..=self.p.ways()).filter_map(to).collect()
    }

    /// Computes a tile's drainage by recursion over its tributaries, as in the paper.
    pub fn drainage(&self, at: usize, receivers: &[usize]) -> f32 {
        let tributaries =
            self.around(at).into_iter().filter(|&(from, _)| from != at && receivers[from] == at);
        let mut from: Vec<usize> = tributaries.map(|(from, _)| from).collect();
        from.sort_unstable();
        from.dedup();
        let (rain, passed_on) = self.valleys.rain(self.p.passed_on);
        rain * self.p.moisture.at(at)
            + passed_on * from.iter().map(|&from| self.drainage(from, receivers)).sum::<f32>()
    }

    /// The mean around each tile, with weights that fall along x and y from 1 to 0 at so many tiles.
    fn means(&self, of: &[f32], radius: f64) -> Vec<f32> {
        let (w, h) = (self.w as isize, self.h as isize);
        let weight = |d: isize| (1.0 - d.unsigned_abs() as f64 / radius).max(0.0);
        let reach = radius.ceil() as isize;
        let mean = |at: usize| {
            let (x, y) = ((at % self.w) as isize, (at / self.w) as isize);
            let (mut sum, mut total) = (0.0, 0.0);
            for (dx, dy) in (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy))) {
                let (to_x, to_y) = (x + dx, y + dy);
                let inside = (0..w).contains(&to_x) && (0..h).contains(&to_y);
                if inside || self.p.boundary == Boundary::Wrap {
                    let weight = weight(dx) * weight(dy);
                    sum += weight * f64::from(of[(to_y.rem_euclid(h) * w + to_x.rem_euclid(w)) as usize]);
                    total += weight;
                }
            }
            (sum / total) as f32
        };
        (0..of.len()).map(mean).collect()
    }

    /// What a strip of a valley's width holds across each tile.
    fn gathered(&self, of: &[f32]) -> Vec<f32> {
        let width = self.valleys.side() / f64::from(self.spacing);
        self.means(of, width).into_iter().map(|mean| mean * width as f32).collect()
    }

    pub fn tick(&mut self) {
        let total = self.total();
        let count = total.len();
        let receivers = self.receivers(&total);
        let drainage: Vec<f32> = (0..count).map(|at| self.drainage(at, &receivers)).collect();
        let downstream = |mut at: usize| {
            let mut path = vec![at];
            while receivers[at] != at {
                at = receivers[at];
                path.push(at);
            }
            path
        };
        let roots: Vec<usize> = (0..count).map(|at| *downstream(at).last().unwrap()).collect();
        let root = |at: usize| roots[at];
        let is_leaf =
            |leaf: usize| self.around(leaf).iter().all(|&(from, _)| from == leaf || receivers[from] != leaf);
        let (land, hold) = (self.land.clone(), self.hold.clone());
        let mut leaves_of = vec![Vec::new(); count];
        (0..count).filter(|&at| is_leaf(at)).for_each(|leaf| leaves_of[root(leaf)].push(leaf));
        let dry: Vec<bool> = self.land.iter().map(|&land| land >= self.p.sea_level).collect();
        for minimum in (0..count).filter(|&at| receivers[at] == at && dry[at] && !self.sinks.is(at)) {
            let across = |leaf: usize| {
                if receivers[leaf] == leaf {
                    let around = self.around(leaf);
                    let lowest = around.iter().map(|&(to, _)| total[to]).fold(f32::MAX, f32::min);
                    return around.iter().map(|&(to, _)| to).filter(|&to| total[to] == lowest).min();
                }
                let (x, y) = ((leaf % self.w) as isize, (leaf / self.w) as isize);
                let to = receivers[leaf];
                let offset = DIRECTIONS[1..].iter().copied().find(|&(dx, dy)| {
                    let at = ((x + dx).rem_euclid(self.w as isize), (y + dy).rem_euclid(self.h as isize));
                    at == ((to % self.w) as isize, (to / self.w) as isize)
                });
                let (dx, dy) = offset.unwrap();
                let (x, y) = (x - dx, y - dy);
                let inside = (0..self.w as isize).contains(&x) && (0..self.h as isize).contains(&y);
                (inside || self.p.boundary == Boundary::Wrap).then(|| {
                    y.rem_euclid(self.h as isize) as usize * self.w + x.rem_euclid(self.w as isize) as usize
                })
            };
            let mut best: Option<(usize, usize)> = None;
            for &leaf in &leaves_of[minimum] {
                let Some(other) = across(leaf).filter(|&other| root(other) != minimum) else { continue };
                if best.is_none_or(|(lowest, _)| total[leaf] < total[lowest]) {
                    best = Some((leaf, other));
                }
            }
            let mut best = best.map(|(leaf, other)| (leaf, Some(other)));
            for tile in
                self.sinks.outflow.iter().map(|&tile| tile as usize).filter(|&tile| root(tile) == minimum)
            {
                if best.is_none_or(|(lowest, _)| total[tile] < total[lowest]) {
                    best = Some((tile, None));
                }
            }
            let Some((leaf, other)) = best else { continue };
            let mut path = downstream(leaf);
            path.reverse();
            path.extend(other.into_iter().flat_map(downstream));
            let mut along = vec![0.0f32];
            for pair in path.windows(2) {
                let step = self.around(pair[0]).into_iter().find(|&(to, _)| to == pair[1]).unwrap().1;
                along.push(along.last().unwrap() + 1.0 / step);
            }
            let length = *along.last().unwrap();
            // Over the border a gorge is level, and no lower than the minimum's ideal height.
            let level = total[minimum].max(self.ideal[minimum]);
            let (from, to) = other.map_or((level, level), |other| (total[minimum], total[root(other)]));
            let weight = (self.p.gorge * drainage[minimum].sqrt()).min(1.0);
            for (&tile, along) in path.iter().zip(along) {
                let ideal = from + (to - from) * (along / length);
                if self.land[tile] > ideal {
                    self.land[tile] -= weight * (self.land[tile] - ideal);
                }
                self.hold[tile] *= 1.0 - weight;
            }
        }
        if self.valleys.is_wide() {
            // A gorge is as wide as a valley.
            let cut: Vec<f32> = (0..count).map(|at| land[at] - self.land[at]).collect();
            let beds: Vec<f32> = (0..count).map(|at| cut[at] * self.land[at]).collect();
            let lost: Vec<f32> = (0..count).map(|at| 1.0 - self.hold[at] / hold[at]).collect();
            let [cut, beds, lost] = [cut, beds, lost].map(|of| self.gathered(&of));
            for at in 0..count {
                self.hold[at] = hold[at] * (1.0 - lost[at].min(1.0));
                self.land[at] = land[at];
                if cut[at] > 0.0 {
                    self.land[at] = (land[at] - cut[at]).max(beds[at] / cut[at]).min(land[at]);
                }
            }
        }
        self.sinks.keep(&mut self.land);
        let drainage = if self.valleys.is_wide() { self.gathered(&drainage) } else { drainage };
        let total = self.total();
        let mut lost = vec![0.0; count];
        for at in 0..count {
            if self.p.solver == Solver::Implicit {
                lost[at] = self.land[at] - self.lowered(at, &receivers, &drainage);
                continue;
            }
            let to = receivers[at];
            if to == at || self.land[at] < self.p.sea_level {
                continue;
            }
            let near = self.around(at).into_iter().find(|&(n, _)| n == to).unwrap().1;
            let drop = (total[at] - total[to]).max(0.0);
            // The erosion factor is in widths of a valley.
            let carried = (self.p.erosion.at(at) * self.valleys.side() as f32)
                * libm::powf(drainage[at], self.p.drainage_exponent)
                * libm::powf(drop * near, self.p.slope_exponent);
            lost[at] = carried.min(drop);
        }
        // The tile's height above the ideal, after the value constraint.
        let left = |at: usize| {
            let above = self.land[at] - lost[at] - self.ideal[at];
            above - if self.sinks.is_fixed(at) { 0.0 } else { self.p.value_strength.at(at) * above }
        };
        let left: Vec<f32> = (0..count).map(left).collect();
        let means = self.means(&left, 3.0f64.sqrt() * self.valleys.side() / f64::from(self.spacing));
        for at in 0..count {
            let around = self.neighbours(at, 4);
            // A neighbour n pulls the tile's height above the ideal towards the neighbour's: h_n − ideal_n.
            let wanted: f32 = around.iter().map(|&(n, _)| left[n]).sum();
            let wanted = wanted * if around.is_empty() { 0.0 } else { 1.0 / around.len() as f32 };
            let wanted = if self.valleys.is_wide() { means[at] } else { wanted };
            self.land[at] =
                self.ideal[at] + (left[at] + self.strength[at] * self.hold[at] * (wanted - left[at]));
        }
        self.sinks.keep(&mut self.land);
        if self.p.solver == Solver::Implicit {
            let before: Vec<f32> = left.iter().zip(&self.ideal).map(|(left, ideal)| ideal + left).collect();
            let held: Vec<f32> = (0..count).map(|at| self.rested(at, &receivers, &before)).collect();
            self.land = held;
            self.sinks.keep(&mut self.land);
        }
    }

    /// The height to which a river cuts a tile, computed by recursion downstream and bisection.
    fn lowered(&self, at: usize, receivers: &[usize], drainage: &[f32]) -> f32 {
        let to = receivers[at];
        let height = self.land[at];
        if to == at || height < self.p.sea_level {
            return height;
        }
        let base = self.lowered(to, receivers, drainage).max(self.p.sea_level);
        if height <= base {
            return height;
        }
        let near = self.around(at).into_iter().find(|&(n, _)| n == to).unwrap().1;
        let takes = |left: f64| {
            f64::from(self.p.erosion.at(at) * self.valleys.side() as f32)
                * libm::pow(f64::from(drainage[at]), f64::from(self.p.drainage_exponent))
                * libm::pow(left * f64::from(near), f64::from(self.p.slope_exponent))
        };
        let drop = f64::from(height - base);
        let (mut low, mut high) = (0.0, drop);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if middle + takes(middle) > drop { high = middle } else { low = middle }
        }
        base + low as f32
    }

    /// The height to which constraints may lower a tile, computed by recursion downstream.
    fn rested(&self, at: usize, receivers: &[usize], before: &[f32]) -> f32 {
        let (to, height) = (receivers[at], self.land[at]);
        if to == at {
            return height.max(before[at]);
        }
        let below = self.rested(to, receivers, before).max(self.p.sea_level);
        if height > below || height >= before[at] {
            return height;
        }
        before[at].min(below + 0.125 * (before[at] - before[to].max(self.p.sea_level)).max(0.0))
    }
}
