use proptest::prelude::*;
use terrane_grid::{Domain, Seed};

use super::*;
use crate::Silent;
use terrane_compute::Stop;

const THESIS: Costs = Costs::Thesis { alpha: 10_000.0, beta: 1.8 };
const ROAD: Road = Road { width: 8.0, max_slope: 0.1 };

const fn builder(excess: f64, side: f64) -> Costs {
    Costs::Builder(Prices { excess: Some(excess), side })
}

fn map(w: usize, heights: &[f32]) -> Heightmap {
    Heightmap::from_vec(Domain::new(w, heights.len() / w), heights.to_vec())
}

fn noise(w: usize, h: usize, seed: u64, amplitude: f32) -> Heightmap {
    let lattice = Seed(seed).lattice();
    Heightmap::from_fn(Domain::new(w, h).with_spacing(2.0), |x, y| {
        amplitude * lattice.unit(x as i64, y as i64)
    })
}

fn route(map: &Heightmap, ends: (usize, usize), search: &Search<'_>) -> Option<(Vec<u32>, f64)> {
    cheapest_way(map, ends, search, ROAD, &Silent).unwrap()
}

#[test]
fn a_route_leads_round_a_wall() {
    let wall = Heightmap::from_fn(Domain::new(5, 4), |x, y| if x == 2 && y < 3 { 1.0 } else { 0.0 });
    let (path, cost) = route(&wall, (0, 4), &Search::by(THESIS)).unwrap();
    assert!(path.contains(&17), "through the gap below the wall: {path:?}");
    // Four columns, three rows down and up again, all flat.
    assert_eq!(cost, 10.0);
    // A slope of 1 over one spacing: 1 + 10000 each way, if walls leave no gap.
    let closed = map(3, &[0.0, 1.0, 0.0]);
    assert_eq!(route(&closed, (0, 2), &Search::by(THESIS)).unwrap().1, 2.0 * 10_001.0);
    let hole = map(3, &[0.0, f32::NAN, 0.0]);
    for costs in [THESIS, builder(20.0, 0.1)] {
        assert_eq!(route(&hole, (0, 2), &Search::by(costs)), None);
    }
}

#[test]
fn a_builder_pays_for_length_excess_and_slope_across() {
    let close = |found: Option<(Vec<u32>, f64)>, wanted: f64| {
        let (path, cost) = found.unwrap();
        assert!((cost - wanted).abs() < 1e-6 * wanted, "{cost} {wanted}");
        path
    };
    // Two knight's steps, straight across four columns and two rows, through the samples that touch the line.
    let flat = Heightmap::constant(Domain::new(5, 3), 7.0);
    let path = close(route(&flat, (0, 14), &Search::by(builder(20.0, 0.1))), 20.0f64.sqrt());
    assert_eq!(path, [0, 1, 7, 8, 14]);
    // A bump of 1: it rises and falls 0.9 more than the road may.
    let bump = map(3, &[0.0, 1.0, 0.0]);
    close(route(&bump, (0, 2), &Search::by(builder(20.0, 0.1))), 2.0 + 2.0 * 0.9 * 20.0);
    // Default price: twice the road that climbs it, 2 / 0.1.
    close(
        route(&bump, (0, 2), &Search::by(Costs::Builder(Prices { excess: None, side: 0.0 }))),
        2.0 + 2.0 * 0.9 * 20.0,
    );
    // Along a hillside that falls by 0.5: one side of a road of width 8 is 4 above the other, at 0.1 each.
    let hillside = Heightmap::from_fn(Domain::new(6, 5), |_, y| 0.5 * y as f32);
    close(route(&hillside, (12, 17), &Search::by(builder(20.0, 0.1))), 5.0 * 1.4);
    // A cost map contributes the mean of both ends of each piece.
    let level = map(3, &[0.0; 3]);
    let factors = map(3, &[1.0, 3.0, 0.5]);
    for costs in [THESIS, builder(20.0, 0.1)] {
        close(route(&level, (0, 2), &Search { cost_map: Some(&factors), ..Search::by(costs) }), 2.0 + 1.75);
    }
}

#[test]
fn walls_one_sample_thick_are_closed() {
    let level = Heightmap::constant(Domain::new(9, 9), 0.0);
    for slant in 1..=3 {
        // Diagonal and steeper walls: each sample touches the next at least at a corner.
        let wall = Heightmap::from_fn(Domain::new(9, 9), |x, y| f32::from(u8::from(x == y / slant + 2)));
        for costs in [THESIS, builder(20.0, 0.1)] {
            let search = Search { forbidden: Some(&wall), ..Search::by(costs) };
            assert_eq!(route(&level, (0, 8), &search), None);
            assert!(route(&level, (7, 8), &search).is_some());
        }
    }
}

#[test]
fn invalid_cost_maps_are_rejected_and_searches_can_be_cancelled() {
    let level = Heightmap::constant(Domain::new(3, 1), 0.0);
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let factors = map(3, &[1.0, bad, 1.0]);
        let search = Search { cost_map: Some(&factors), ..Search::by(THESIS) };
        let found = cheapest_way(&level, (0, 2), &search, ROAD, &Silent);
        let Err(WayError::Factor(BadFactor { at, factor })) = found else { unreachable!("{found:?}") };
        assert_eq!((at, factor.to_bits()), (1, bad.to_bits()));
    }
    for costs in [THESIS, builder(20.0, 0.1)] {
        let stopped = cheapest_way(&level, (0, 2), &Search::by(costs), ROAD, &Stop);
        assert_eq!(stopped, Err(WayError::Cancelled));
    }
}

/// Steps and their costs by geometry alone.
struct Plain<'a> {
    map: &'a Heightmap,
    search: Search<'a>,
}

impl Plain<'_> {
    fn at(&self, x: i64, y: i64) -> Option<usize> {
        let (w, h) = self.map.domain().size;
        ((0..w as i64).contains(&x) && (0..h as i64).contains(&y)).then(|| y as usize * w + x as usize)
    }

    fn open(&self, x: i64, y: i64) -> bool {
        self.at(x, y).is_some_and(|at| {
            self.map.samples()[at].is_finite()
                && self.search.forbidden.is_none_or(|mask| mask.samples()[at] <= 0.5)
        })
    }

    fn factor(&self, x: i64, y: i64) -> f64 {
        self.search.cost_map.map_or(1.0, |map| f64::from(map.samples()[self.at(x, y).unwrap()]))
    }

    fn height(&self, x: i64, y: i64) -> f64 {
        f64::from(self.map.samples()[self.at(x, y).unwrap()])
    }

    /// Whether a step touches the square around a sample, including its sides and corners.
    fn touches((dx, dy): (i64, i64), (cx, cy): (i64, i64)) -> bool {
        2 * (dx * cy - dy * cx).abs() <= dx.abs() + dy.abs()
    }

    /// The cost of a step, if it is allowed.
    fn step(&self, (x, y): (i64, i64), (dx, dy): (i64, i64)) -> Option<f64> {
        for cx in dx.min(0)..=dx.max(0) {
            for cy in dy.min(0)..=dy.max(0) {
                if Self::touches((dx, dy), (cx, cy)) && !self.open(x + cx, y + cy) {
                    return None;
                }
            }
        }
        let spacing = self.map.spacing();
        match self.search.costs {
            Costs::Thesis { alpha, beta } => {
                let run = (dx.abs() + dy.abs()) as f64 * spacing;
                let slope = (self.height(x + dx, y + dy) - self.height(x, y)).abs() / run;
                let factor = 0.5 * (self.factor(x, y) + self.factor(x + dx, y + dy));
                Some(factor * run * (1.0 + alpha * libm::pow(slope, beta)))
            }
            Costs::Builder(prices) => {
                let pieces = match dx.abs().min(dy.abs()) {
                    0 => 1,
                    _ => dx.abs().max(dy.abs()).max(2),
                };
                let length = spacing * ((dx * dx + dy * dy) as f64).sqrt();
                let run = length / pieces as f64;
                let points: Vec<[f64; 4]> = (0..=pieces)
                    .map(|piece| {
                        let part = piece as f64 / pieces as f64;
                        self.between(x as f64 + part * dx as f64, y as f64 + part * dy as f64)
                    })
                    .collect();
                let across = |p: &[f64; 4]| (p[1] * dy as f64 - p[2] * dx as f64).abs() * spacing / length;
                let cost = points.windows(2).map(|ends| {
                    let excess = ((ends[1][0] - ends[0][0]).abs() - ROAD.max_slope * run).max(0.0);
                    let side = prices.side * ROAD.width * 0.5 * (across(&ends[0]) + across(&ends[1]));
                    0.5 * (ends[0][3] + ends[1][3]) * (run * (1.0 + side) + prices.excess.unwrap() * excess)
                });
                Some(cost.sum())
            }
        }
    }

    /// Height, slopes and factor between four samples.
    fn between(&self, x: f64, y: f64) -> [f64; 4] {
        let near = |a: f64| if (a - a.round()).abs() < 1e-9 { a.round() } else { a };
        let (x, y) = (near(x), near(y));
        let mut sum = [0.0; 4];
        for (cx, u) in [(x.floor(), 1.0 - (x - x.floor())), (x.floor() + 1.0, x - x.floor())] {
            for (cy, v) in [(y.floor(), 1.0 - (y - y.floor())), (y.floor() + 1.0, y - y.floor())] {
                if u * v > 0.0 {
                    let (cx, cy) = (cx as i64, cy as i64);
                    let slope = |by: (i64, i64)| {
                        let beside = [-1, 1].into_iter().filter_map(|sign| {
                            let at = self.at(cx + sign * by.0, cy + sign * by.1)?;
                            let height = f64::from(self.map.samples()[at]);
                            let slope = (height - self.height(cx, cy)) * sign as f64 / self.map.spacing();
                            slope.is_finite().then_some(slope)
                        });
                        let beside: Vec<f64> = beside.collect();
                        // As stored.
                        f64::from((beside.iter().sum::<f64>() / beside.len().max(1) as f64) as f32)
                    };
                    let here = [self.height(cx, cy), slope((1, 0)), slope((0, 1)), self.factor(cx, cy)];
                    sum.iter_mut().zip(here).for_each(|(sum, here)| *sum += u * v * here);
                }
            }
        }
        sum
    }

    /// All headings.
    fn steps(&self) -> Vec<(i64, i64)> {
        let farthest = if matches!(self.search.costs, Costs::Thesis { .. }) { 1 } else { 3 };
        let all = (-farthest..=farthest).flat_map(|dx| (-farthest..=farthest).map(move |dy| (dx, dy)));
        all.filter(|&(dx, dy): &(i64, i64)| {
            let (a, b) = (dx.abs(), dy.abs());
            [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2)].contains(&(a, b))
        })
        .collect()
    }
}

proptest! {
    /// Compares with relaxation of all steps until none improves. The estimate, the minimum cost of lengths,
    /// never falls by more than a step costs, and routes are valid.
    #[test]
    fn routes_are_the_cheapest(
        (w, h) in (1usize..11, 1usize..11),
        seed: u64,
        ends in (0usize..1000, 0usize..1000),
        kind in 0usize..3,
        varied: bool, masked in 0usize..3, holes: bool
    ) {
        let mut ground = noise(w, h, seed, [0.1, 3.0, 0.5][kind]);
        let costs = [THESIS, builder(20.0, 0.1), builder(3.0, 0.4)][kind];
        let (from, to) = (ends.0 % (w * h), ends.1 % (w * h));
        let mask = noise(w, h, seed ^ 1, 1.0);
        // Half, three quarters or all of the samples are free.
        let mut mask = mask.with_grid(mask.grid().map(|m| f32::from(u8::from(*m > [0.0, 0.5, 2.0][masked]))));
        for end in [from, to] {
            mask.samples_mut()[end] = 0.0;
        }
        if holes {
            for (at, height) in ground.samples_mut().iter_mut().enumerate() {
                if at % 7 == 3 && at != from && at != to {
                    *height = f32::NAN;
                }
            }
        }
        let factors = noise(w, h, seed ^ 2, 1.0);
        let factors = factors.with_grid(factors.grid().map(|f| 1.25 + f));
        let search = Search { costs, cost_map: varied.then_some(&factors), forbidden: Some(&mask) };
        let plain = Plain { map: &ground, search };
        let least = if varied { factors.samples().iter().copied().fold(9.0, f32::min) } else { 1.0 };
        let place = |at: usize| ((at % w) as i64, (at / w) as i64);
        let estimate = |at: usize| {
            let ((x, y), (u, v)) = (place(at), place(to));
            let (dx, dy) = ((x - u).abs() as f64, (y - v).abs() as f64);
            2.0 * f64::from(least) * if kind == 0 { dx + dy } else { (dx * dx + dy * dy).sqrt() }
        };
        let mut steps = Vec::new();
        for at in 0..w * h {
            for by in plain.steps() {
                if let Some(step) = plain.step(place(at), by) {
                    let next = plain.at(place(at).0 + by.0, place(at).1 + by.1).unwrap();
                    prop_assert!(estimate(at) <= estimate(next) + step * (1.0 + 1e-6));
                    steps.push((at, next, step));
                }
            }
        }
        let mut cost = vec![f64::INFINITY; w * h];
        cost[to] = 0.0;
        let mut cheaper = true;
        while std::mem::take(&mut cheaper) {
            for &(at, next, step) in &steps {
                if cost[next] + step < cost[at] {
                    cost[at] = cost[next] + step;
                    cheaper = true;
                }
            }
        }
        let Some((path, found)) = route(&ground, (from, to), &search) else {
            prop_assert!(cost[from].is_infinite());
            return Ok(());
        };
        // The thesis's power is in single precision.
        prop_assert!(
            (found - cost[from]).abs() <= if kind == 0 { 1e-5 } else { 1e-9 } * found,
            "{} {}",
            found,
            cost[from]
        );
        prop_assert_eq!((path[0] as usize, path[path.len() - 1] as usize), (from, to));
        prop_assert!(path.iter().all(|&at| plain.open(place(at as usize).0, place(at as usize).1)));
        for pair in path.windows(2) {
            let ((x, y), (u, v)) = (place(pair[0] as usize), place(pair[1] as usize));
            prop_assert!(x.abs_diff(u).max(y.abs_diff(v)) == 1);
            prop_assert!(plain.open(x, v) || plain.open(u, y), "between two corners");
        }
        let (mut back, cost) = route(&ground, (to, from), &search).unwrap();
        if kind > 0 {
            back.reverse();
            prop_assert_eq!((back, cost.to_bits()), (path, found.to_bits()));
        }
    }
}
