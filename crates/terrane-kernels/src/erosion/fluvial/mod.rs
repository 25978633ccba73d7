//! Fluvial erosion on a graph of tiles (Lim, Tan & Bhojan 2021): rivers cut into a terrain that holds on to its own shape.

mod gorge;
mod rows;
mod tiles;

use std::sync::atomic::AtomicU32;

use rayon::prelude::*;
use terrane_grid::{Grid, Heightmap, Seed};

use super::iterate::{Iterate, Observer, Report, iterate};
use super::padded::{Padded, WALL};
use crate::hydrology::{Alive, Network, Shape, WAYS, each};
use crate::simd::{Floats, run_lanes};
use crate::{Boundary, Cancelled, Progress, ScalarMap};
use gorge::{Cut, Divides, Exit};
use rows::{Drain, Erode, Hold, Row};
use tiles::Nearness;

/// Parameters of [`fluvial_erosion`]; names in brackets are the paper's.
#[derive(Clone, Copy, Debug)]
pub struct Fluvial<'a> {
    /// How strongly heights return to the ideal ones; brought into [0, 1], not-a-number counts as 0.
    pub value_strength: ScalarMap<'a>,
    /// How strongly differences of neighbours return to the ideal ones; brought into [0, 1] as well.
    pub gradient_strength: ScalarMap<'a>,
    /// Rain on each tile; less than 0, and not-a-number, count as 0.
    pub moisture: ScalarMap<'a>,
    /// Iterations.
    pub iterations: u32,
    /// Height below which tiles are under water.
    pub sea_level: f32,
    /// Share of the water that goes on from tile to tile (k_d).
    pub drainage_loss: f32,
    /// Factor of erosion (k_e), in tile sides an iteration.
    pub erosion: f32,
    /// Exponent of drainage (n).
    pub drainage_exponent: f32,
    /// Exponent of slope (m).
    pub slope_exponent: f32,
    /// Strength of gorges over the root of drainage (k_g).
    pub gorge: f32,
    /// Whether water also runs to the four neighbours on diagonals; the paper's does not.
    pub diagonals: bool,
    /// How far nodes stand from the middle of their tiles: 0 in it, 1 anywhere in the tile.
    pub jitter: f32,
    /// Greatest height that is added to the ideal heights at random, or taken from them, in tile sides.
    pub noise: f32,
    /// What lies beyond the border.
    pub boundary: Boundary,
}

impl Fluvial<'_> {
    /// How many neighbours water can run to: the first so many of [`WAYS`].
    const fn ways(&self) -> usize {
        if self.diagonals { 8 } else { 4 }
    }
}

/// A terrain with its rivers after the last iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Rivers {
    /// Land.
    pub height: Heightmap,
    /// Depth of the sea.
    pub water: Heightmap,
    /// Water that runs through each tile, its own rain included.
    pub drainage: Heightmap,
    /// Where each tile drains: 0 nowhere, 1 up (towards row 0), 2 left, 3 right, 4 down, 5 up and left, 6 up and right, 7 down and
    /// left, 8 down and right.
    pub receivers: Heightmap,
    /// How much gorges have taken in all, in world units.
    pub gorges: Heightmap,
}

/// How much a river takes, k_e · Dⁿ · sᵐ.
#[derive(Clone, Copy, Debug)]
struct Law {
    factor: f32,
    drainage: f32,
    slope: f32,
}

impl Law {
    #[inline(always)]
    fn of<F: Floats>(self, drainage: F, slope: F) -> F {
        let factor = F::splat(self.factor);
        if self.drainage == 1.0 && self.slope == 2.0 {
            return factor * drainage * (slope * slope);
        }
        let (mut d, mut s) = ([0.0; 16], [0.0; 16]);
        drainage.store(&mut d);
        slope.store(&mut s);
        for lane in 0..F::LANES {
            d[lane] = libm::powf(d[lane], self.drainage) * libm::powf(s[lane], self.slope);
        }
        factor * F::load(&d)
    }
}

/// Erodes a map, which is also the ideal that it holds on to. O(samples) an iteration, without recursion.
///
/// The bits do not depend on the number of threads, nor on who observes.
///
/// # Errors
/// [`Cancelled`] when `progress` says so; it is asked several times an iteration.
pub fn fluvial_erosion(
    map: &Heightmap,
    parameters: &Fluvial<'_>,
    seed: Seed,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Rivers, Cancelled> {
    if map.samples().is_empty() {
        let none = || map.clone();
        return Ok(Rivers {
            height: none(),
            water: none(),
            drainage: none(),
            receivers: none(),
            gorges: none(),
        });
    }
    let alive = || progress.report(0.0);
    let mut state = State::new(map, parameters, seed, &alive)?;
    iterate(&mut state, parameters.iterations, progress, observer)?;
    let alive = || progress.report(1.0);
    state.route(&alive)?;
    state.accumulate(false, &alive)?;
    let whole = |samples: Vec<f32>| map.with_grid(Grid::from_vec(map.width(), map.height(), samples));
    let water = state.land.iter().map(|&land| (parameters.sea_level - land).max(0.0)).collect();
    let receivers = state.ways.iter().map(|&way| f32::from(way)).collect();
    Ok(Rivers {
        water: whole(water),
        receivers: whole(receivers),
        height: whole(state.land),
        drainage: whole(state.drainage),
        gorges: whole(state.gorges),
    })
}

/// Counts, per tile, the neighbours that drain to it.
fn count_donors(ways: &[u8], shape: Shape, used: usize, donors: &mut [u8]) {
    let Shape { width, height, wrap } = shape;
    donors.par_chunks_mut(width).with_min_len(BAND).enumerate().for_each(|(y, donors)| {
        donors.fill(0);
        for (way, &(dx, dy)) in WAYS.iter().enumerate().take(used + 1).skip(1) {
            // Who drains down stands above, and so on.
            let row = (y + height).wrapping_add_signed(-dy);
            if !wrap && !(height..2 * height).contains(&row) {
                continue;
            }
            let from = &ways[row % height * width..][..width];
            let here = |from: u8| u8::from(usize::from(from) == way);
            let (to, by) = match dx {
                0 => (0, 0),
                1 => (1, 0),
                _ => (0, 1),
            };
            for (donors, &from) in donors[to..].iter_mut().zip(&from[by..]) {
                *donors += here(from);
            }
            if wrap && dx != 0 {
                let (end, other) = if dx == 1 { (0, width - 1) } else { (width - 1, 0) };
                donors[end] += here(from[other]);
            }
        }
    });
}

/// Brought into [0, 1]; not-a-number becomes 0.
fn share(strength: f32) -> f32 {
    if strength > 0.0 { strength.min(1.0) } else { 0.0 }
}

/// Rows that a task takes at once.
const BAND: usize = 16;

/// A terrain under erosion.
struct State<'a> {
    parameters: &'a Fluvial<'a>,
    shape: Shape,
    nearness: Nearness,
    /// Land's heights.
    land: Vec<f32>,
    /// Heights of land and water together, as rows with a ring, and without.
    total: Padded,
    flat: Vec<f32>,
    /// Heights that the land holds on to.
    ideal: Vec<f32>,
    gradient_strength: Vec<f32>,
    /// What is left above the ideal heights.
    left: Padded,
    ways: Vec<u8>,
    network: Network,
    pending: Vec<u8>,
    drainage: Vec<f32>,
    gorges: Vec<f32>,
    law: Law,
    roots: Vec<AtomicU32>,
    leaves: Vec<u32>,
}

impl<'a> State<'a> {
    fn new(
        map: &Heightmap,
        parameters: &'a Fluvial<'a>,
        seed: Seed,
        alive: &Alive<'_>,
    ) -> Result<Self, Cancelled> {
        let (size, boundary) = (map.domain().size, parameters.boundary);
        let count = map.samples().len();
        let lattice = seed.part(2).lattice();
        let noise = (f64::from(parameters.noise) * map.spacing()) as f32;
        let raised = |at: usize, height: f32| {
            let unit = lattice.unit((at % size.0) as i64, (at / size.0) as i64);
            height + noise * (2.0 * unit - 1.0)
        };
        let ideal = each(count, alive, |at| raised(at, map.samples()[at]))?;
        let land = each(count, alive, |at| ideal[at])?;
        let jitter = f64::from(parameters.jitter);
        let nearness = Nearness::new(size, parameters.ways(), map.spacing(), jitter, seed, boundary, alive)?;
        alive()?;
        let total = Padded::filled(size, boundary, WALL);
        alive()?;
        let left = Padded::filled(size, boundary, 0.0);
        alive()?;
        let network = Network::new(count);
        alive()?;
        let roots = (0..count).map(|_| AtomicU32::new(0)).collect();
        alive()?;
        Ok(Self {
            parameters,
            shape: Shape { width: size.0, height: size.1, wrap: boundary == Boundary::Wrap },
            nearness,
            land,
            total,
            flat: each(count, alive, |_| 0.0)?,
            ideal,
            gradient_strength: each(count, alive, |at| share(parameters.gradient_strength.at(at)))?,
            left,
            ways: vec![0; count],
            network,
            pending: vec![0; count],
            drainage: each(count, alive, |_| 0.0)?,
            gorges: each(count, alive, |_| 0.0)?,
            law: Law {
                factor: (f64::from(parameters.erosion) * map.spacing()) as f32,
                drainage: parameters.drainage_exponent,
                slope: parameters.slope_exponent,
            },
            roots,
            leaves: vec![0; count],
        })
    }

    /// Brings the heights of land and water together up to date.
    fn fill(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { total, flat, land, shape, parameters, .. } = self;
        let sea = parameters.sea_level;
        let (width, stride) = (shape.width, total.stride);
        let rows = total.data[stride..].par_chunks_mut(stride * BAND);
        let flat = flat.par_chunks_mut(width * BAND);
        rows.zip(flat).zip(land.par_chunks(width * BAND)).try_for_each(|((rows, flat), land)| {
            alive()?;
            for ((row, flat), land) in
                rows.chunks_mut(stride).zip(flat.chunks_mut(width)).zip(land.chunks(width))
            {
                for (total, &land) in flat.iter_mut().zip(land) {
                    *total = if land > sea { land } else { sea };
                }
                row[1..=width].copy_from_slice(flat);
            }
            Ok(())
        })?;
        total.refresh();
        alive()
    }

    /// Finds where water runs.
    fn route(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        self.fill(alive)?;
        let Self { total, nearness, ways, network, shape, parameters, .. } = self;
        let width = shape.width;
        ways.par_chunks_mut(width)
            .zip(network.receivers.par_chunks_mut(width))
            .with_min_len(BAND)
            .enumerate()
            .try_for_each(|(row, (ways, receivers))| {
                if row.is_multiple_of(BAND) {
                    alive()?;
                }
                let row_of = Row { total, nearness, row };
                if parameters.diagonals {
                    run_lanes(Drain::<8> { row: row_of, out: ways });
                } else {
                    run_lanes(Drain::<4> { row: row_of, out: ways });
                }
                for (column, (way, receiver)) in ways.iter().zip(receivers).enumerate() {
                    let at = row * width + column;
                    let to = shape.beside_at(at, (column, row), WAYS[usize::from(*way)]);
                    *receiver = to.unwrap_or(at) as u32;
                }
                Ok(())
            })?;
        alive()?;
        count_donors(ways, *shape, parameters.ways(), &mut network.donors);
        alive()
    }

    /// How much water runs through each tile, and, beside it, where gorges are to be cut.
    fn accumulate(&mut self, exits: bool, alive: &Alive<'_>) -> Result<Vec<Exit>, Cancelled> {
        let Self { network, pending, parameters, drainage, roots, leaves, .. } = self;
        let divides = Divides {
            shape: self.shape,
            nearness: &self.nearness,
            network,
            ways: &self.ways,
            used: parameters.ways(),
            total: &self.flat,
            sea_level: parameters.sea_level,
        };
        let land = &self.land;
        let accumulate =
            || network.accumulate(parameters.moisture, parameters.drainage_loss, drainage, pending, alive);
        let exits = || if exits { divides.exits(land, roots, leaves, alive) } else { Ok(Vec::new()) };
        let (accumulated, exits) = rayon::join(accumulate, exits);
        accumulated.and(exits)
    }

    /// One tick of the paper's Algorithm 1.
    fn tick(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        self.route(alive)?;
        let exits = self.accumulate(self.parameters.gorge > 0.0, alive)?;
        alive()?;
        if !exits.is_empty() {
            let Self { land, gradient_strength, gorges, network, parameters, .. } = self;
            let divides = Divides {
                shape: self.shape,
                nearness: &self.nearness,
                network,
                ways: &self.ways,
                used: parameters.ways(),
                total: &self.flat,
                sea_level: parameters.sea_level,
            };
            let mut cut = Cut { land, gradient_strength, gorges };
            divides.carve(&exits, &self.drainage, parameters.gorge, &mut cut, alive)?;
            self.fill(alive)?;
        }
        self.erode(alive)?;
        self.hold(alive)
    }

    /// What the river takes, and what the value constraint gives back.
    fn erode(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { total, nearness, land, ways, drainage, ideal, left, shape, parameters, law, .. } = self;
        let (width, stride) = (shape.width, left.stride);
        let rows = left.data[stride..stride * (shape.height + 1)].par_chunks_mut(stride);
        rows.with_min_len(BAND).enumerate().try_for_each(|(row, out)| {
            if row.is_multiple_of(BAND) {
                alive()?;
            }
            let range = row * width..(row + 1) * width;
            let work = Erode::<4> {
                row: Row { total, nearness, row },
                land: &land[range.clone()],
                ways: &ways[range.clone()],
                drainage: &drainage[range.clone()],
                ideal: &ideal[range.clone()],
                value_strength: parameters.value_strength,
                sea_level: parameters.sea_level,
                law: *law,
                first: range.start,
                out: &mut out[1..=width],
            };
            if parameters.diagonals {
                run_lanes(work.with_diagonals());
            } else {
                run_lanes(work);
            }
            Ok(())
        })?;
        left.refresh();
        Ok(())
    }

    /// The gradient constraint.
    fn hold(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { land, left, ideal, gradient_strength, shape, .. } = self;
        let Shape { width, height, wrap } = *shape;
        // One over how many neighbours there are.
        let share = |columns: usize, rows: usize| match columns + rows {
            0 => 0.0,
            count => 1.0 / count as f32,
        };
        let along = |at: usize, count: usize| {
            if wrap { 2 } else { usize::from(at > 0) + usize::from(at + 1 < count) }
        };
        land.par_chunks_mut(width).with_min_len(BAND).enumerate().try_for_each(|(row, out)| {
            if row.is_multiple_of(BAND) {
                alive()?;
            }
            let range = row * width..(row + 1) * width;
            let rows = along(row, height);
            run_lanes(Hold {
                left,
                row,
                ideal: &ideal[range.clone()],
                strength: &gradient_strength[range],
                shares: [0, 1.min(width - 1), width - 1].map(|column| {
                    let inner = width > 2 && column == 1;
                    share(if inner { 2 } else { along(column, width) }, rows)
                }),
                out,
            });
            Ok(())
        })
    }
}

impl Iterate for State<'_> {
    fn advance(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled> {
        for iteration in 0..iterations {
            let part = f64::from(iteration) / f64::from(iterations);
            self.tick(&|| report(part))?;
        }
        Ok(true)
    }

    fn grid(&self) -> Grid<f32> {
        Grid::from_vec(self.shape.width, self.shape.height, self.land.clone())
    }
}

#[cfg(test)]
mod tests;
