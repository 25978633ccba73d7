//! Mountains that rise while rivers cut them down (Cordonnier, Braun, Cani, Benes, Galin, Peytavie & Guérin 2016).

use rayon::prelude::*;
use terrane_grid::{Domain, Grid, Heightmap, Seed};

use super::Neighbourhood;
use super::border::Sides;
use super::iterate::{Iterate, Observer, Report, iterate};
use super::talus::Slopes;
use crate::hydrology::lakes::{Ground, Overflow, Room};
use crate::hydrology::{Alive, Network, PATIENCE, Shape, chunks, each};
use crate::{Boundary, Cancelled, Progress, ScalarMap};

/// What a side of an open map is to rising ground. Where two sides meet, in a corner, the one that comes later in this list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// A wall: water cannot leave.
    Wall,
    /// Water leaves, and the border keeps the heights that it has at the start; where there is no start, the sea's.
    Fixed,
    /// The sea, at its level.
    Sea,
}

/// Parameters of [`uplift_erosion`].
#[derive(Clone, Copy, Debug)]
pub struct Uplift<'a> {
    /// How fast the ground rises, in world units a unit of time.
    pub uplift: ScalarMap<'a>,
    /// Steps.
    pub iterations: u32,
    /// Units of time a step.
    pub time_step: f64,
    /// Erodibility, the paper's k.
    pub erodibility: f64,
    /// Exponent of the drained area, the paper's m.
    pub area_exponent: f32,
    /// Exponent of slope, the paper's n; greater than 0.
    pub slope_exponent: f32,
    /// Whether lakes run over.
    pub lakes: bool,
    /// Slope, rise over run, that the ground cannot exceed towards where it drains.
    pub talus: Option<ScalarMap<'a>>,
    /// Samples above 0.5 are outlets besides the border's: water leaves there, and they keep their heights.
    pub outlets: Option<&'a Heightmap>,
    /// Height of the sea.
    pub sea_level: f32,
    /// How far nodes stand from the middle of their tiles: 0 in it, 1 anywhere in the tile.
    pub jitter: f32,
    /// What the sides of an open map are.
    pub border: Sides<Base>,
    /// What lies beyond the border. Where water leaves nowhere, as on a torus without outlets, it ends in the lowest sample, which stays at sea level.
    pub boundary: Boundary,
}

/// Mountains with their rivers after the last step.
#[derive(Clone, Debug, PartialEq)]
pub struct Mountains {
    /// Heights.
    pub height: Heightmap,
    /// Area that drains through each sample, its own included, in square world units.
    pub drainage: Heightmap,
    /// The river system that each sample belongs to: outlets are numbered from 1 in the order of samples.
    pub basins: Heightmap,
}

/// Raises mountains over a domain, from `start` or from ground that is all but flat. O(samples) a step, without recursion; with
/// lakes O(lakes · log lakes) more.
///
/// The bits do not depend on the number of threads, nor on who observes.
///
/// # Errors
/// [`Cancelled`] when `progress` says so; it is asked several times a step.
pub fn uplift_erosion(
    domain: &Domain,
    start: Option<&Heightmap>,
    parameters: &Uplift<'_>,
    seed: Seed,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Mountains, Cancelled> {
    let lattice = seed.part(2).lattice();
    // So that water knows where to go on the first step.
    let unevenness = (1.0e-3 * domain.spacing) as f32;
    let map = match start {
        Some(map) => map.clone(),
        None => {
            let width = domain.width();
            let height = |at: usize| {
                parameters.sea_level + unevenness * lattice.unit((at % width) as i64, (at / width) as i64)
            };
            Heightmap::from_vec(*domain, each(domain.len(), &|| progress.report(0.0), height)?)
        }
    };
    if map.samples().is_empty() {
        return Ok(Mountains { drainage: map.clone(), basins: map.clone(), height: map });
    }
    let mut state = State::new(&map, start.is_some(), parameters, seed, &|| progress.report(0.0))?;
    iterate(&mut state, parameters.iterations, progress, observer)?;
    state.route(&|| progress.report(1.0))?;
    let basins = state.basins();
    let whole = |samples: Vec<f32>| map.with_grid(Grid::from_vec(map.width(), map.height(), samples));
    Ok(Mountains { height: whole(state.heights), drainage: whole(state.areas), basins: whole(basins) })
}

/// Mountains under way.
struct State<'a> {
    parameters: &'a Uplift<'a>,
    shape: Shape,
    spacing: f32,
    heights: Vec<f32>,
    /// Where water leaves: what stays.
    sea: Vec<bool>,
    /// Where nodes stand in their tiles, along x and along y.
    nodes: [Vec<f32>; 2],
    network: Network,
    areas: Vec<f32>,
    /// What the river does at each sample.
    powers: Vec<f32>,
    order: Vec<u32>,
    pending: Vec<u8>,
    room: Room,
    /// Heights below which ground beside fixed samples does not wear down; empty where there are none.
    foot: Vec<f32>,
}

impl<'a> State<'a> {
    fn new(
        map: &Heightmap,
        given: bool,
        parameters: &'a Uplift<'a>,
        seed: Seed,
        alive: &Alive<'_>,
    ) -> Result<Self, Cancelled> {
        let (width, height) = map.domain().size;
        let count = width * height;
        let wrap = parameters.boundary == Boundary::Wrap;
        let shape = Shape { width, height, wrap };
        let before = map.samples();
        let masked = |at: usize| parameters.outlets.is_some_and(|mask| mask.samples()[at] > 0.5);
        let side = |at: usize| {
            let side = if wrap { None } else { parameters.border.of(shape.place(at), (width, height)) };
            side.filter(|&side| side != Base::Wall)
        };
        let mut sea = each(count, alive, |at| masked(at) || side(at).is_some())?;
        let mut heights = each(count, alive, |at| match side(at) {
            _ if masked(at) => before[at],
            Some(Base::Sea) => parameters.sea_level,
            Some(_) if !given => parameters.sea_level,
            _ => before[at],
        })?;
        if !sea.contains(&true) {
            let lowest = (0..count).min_by(|&a, &b| before[a].total_cmp(&before[b])).unwrap_or(0);
            (sea[lowest], heights[lowest]) = (true, parameters.sea_level);
        }
        let fixed = |at: usize| sea[at] && (masked(at) || given && side(at) == Some(Base::Fixed));
        let foot = match parameters.talus {
            Some(talus) if (0..count).any(fixed) => {
                let (spacing, sea_level) = (map.spacing() as f32, parameters.sea_level);
                Slopes { shape, spacing, talus, sea_level }.foot(&heights, fixed, alive)?
            }
            _ => Vec::new(),
        };
        let nodes = |axis: u64| {
            let lattice = seed.part(axis).lattice();
            let offset = |at: usize| {
                parameters.jitter * (lattice.unit((at % width) as i64, (at / width) as i64) - 0.5)
            };
            each(count, alive, offset)
        };
        let nodes = [nodes(0)?, nodes(1)?];
        let network = Network::new(count);
        alive()?;
        let room = Room::new(count);
        alive()?;
        Ok(Self {
            parameters,
            shape,
            spacing: map.spacing() as f32,
            heights,
            sea,
            nodes,
            network,
            areas: each(count, alive, |_| 0.0)?,
            powers: each(count, alive, |_| 0.0)?,
            order: Vec::with_capacity(count),
            pending: vec![0; count],
            room,
            foot,
        })
    }

    /// Finds where water runs, through lakes too, and what area it comes from.
    fn route(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { shape, heights, sea, network, .. } = self;
        let (shape, width) = (*shape, shape.width);
        network.receivers.par_chunks_mut(width).with_min_len(16).enumerate().try_for_each(
            |(row, receivers)| {
                if row.is_multiple_of(16) {
                    alive()?;
                }
                for (column, receiver) in receivers.iter_mut().enumerate() {
                    let at = row * width + column;
                    *receiver = if sea[at] { at } else { lowest(heights, shape, (column, row), at) } as u32;
                }
                Ok(())
            },
        )?;
        if self.parameters.lakes {
            let ground = Ground { shape, heights, sea, overflow: Overflow::Jump };
            ground.join(network, &mut self.room, alive)?;
        }
        network.count_donors(alive)?;
        self.areas.fill(self.spacing * self.spacing);
        self.network.order(1.0, &mut self.areas, &mut self.order, &mut self.pending, alive)
    }

    /// Raises the ground, and finds for each sample what the river does: q of the closed form where slopes count as they are,
    /// otherwise what the slope's power is multiplied by.
    fn raise(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let mut powers = std::mem::take(&mut self.powers);
        let mut heights = std::mem::take(&mut self.heights);
        let Uplift { uplift, time_step, erodibility, area_exponent, slope_exponent, .. } = *self.parameters;
        let (dt, k) = (time_step as f32, erodibility as f32);
        let this = &*self;
        let raised = powers.par_iter_mut().zip(&mut heights).with_min_len(4096).enumerate().try_for_each(
            |(at, (power, height))| {
                if at.is_multiple_of(PATIENCE) {
                    alive()?;
                }
                let to = this.network.receivers[at] as usize;
                if this.sea[at] {
                    return Ok(());
                }
                *height += dt * uplift.at(at);
                let of_area = if area_exponent == 0.5 {
                    this.areas[at].sqrt()
                } else {
                    libm::powf(this.areas[at], area_exponent)
                };
                let over = if slope_exponent == 1.0 { this.distance(at, to) } else { 1.0 };
                *power = dt * k * of_area / over;
                Ok(())
            },
        );
        self.heights = heights;
        self.powers = powers;
        raised
    }

    /// One step: from outlets up, each sample after the one it drains to.
    fn step(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        self.route(alive)?;
        self.raise(alive)?;
        let Uplift { slope_exponent, talus, .. } = *self.parameters;
        for part in chunks(self.order.len()) {
            let end = self.order.len() - part.start;
            for index in (self.order.len() - part.end..end).rev() {
                let at = self.order[index] as usize;
                let to = self.network.receivers[at] as usize;
                if to == at {
                    // The sea, and where water stays: nothing carries ground away.
                    continue;
                }
                let (raised, below, power) = (self.heights[at], self.heights[to], self.powers[at]);
                let height = if slope_exponent == 1.0 {
                    (raised + power * below) / (1.0 + power)
                } else {
                    lowered(raised, below, power, self.distance(at, to), slope_exponent)
                };
                self.heights[at] = match talus {
                    Some(talus) if height > below => {
                        let talus = talus.at(at);
                        // In this order a talus that is no number counts as none.
                        let rise = if talus < 0.0 { 0.0 } else { talus } * self.distance(at, to);
                        height.min(below + rise)
                    }
                    _ => height,
                };
                if let Some(&foot) = self.foot.get(at) {
                    self.heights[at] = self.heights[at].max(foot);
                }
            }
            alive()?;
        }
        Ok(())
    }

    /// How far two nodes are apart, in world units; around the torus, where that is nearer.
    fn distance(&self, a: usize, b: usize) -> f32 {
        let ((ax, ay), (bx, by)) = (self.shape.place(a), self.shape.place(b));
        let along = |a: usize, b: usize, count: usize, nodes: &[f32], from: usize, to: usize| {
            let mut apart = b as f32 - a as f32;
            if self.shape.wrap && apart.abs() * 2.0 > count as f32 {
                apart -= (count as f32).copysign(apart);
            }
            apart + (nodes[to] - nodes[from])
        };
        let dx = along(ax, bx, self.shape.width, &self.nodes[0], a, b);
        let dy = along(ay, by, self.shape.height, &self.nodes[1], a, b);
        // Nodes of neighbouring tiles may nearly meet.
        self.spacing * (dx * dx + dy * dy).sqrt().max(1.0e-3)
    }

    /// The number of each sample's outlet.
    fn basins(&self) -> Vec<f32> {
        let (mut basins, mut count) = (vec![0.0f32; self.heights.len()], 0u32);
        for (at, basin) in basins.iter_mut().enumerate() {
            if self.network.receivers[at] as usize == at {
                count += 1;
                *basin = count as f32;
            }
        }
        for &at in self.order.iter().rev() {
            basins[at as usize] = basins[self.network.receivers[at as usize] as usize];
        }
        basins
    }
}

/// The lowest of the eight neighbours, if it is lower; the first of equally low ones.
#[inline]
fn lowest(heights: &[f32], shape: Shape, (column, row): (usize, usize), at: usize) -> usize {
    let (mut best, mut least) = (at, heights[at]);
    let mut look = |to: usize| {
        if heights[to] < least {
            (best, least) = (to, heights[to]);
        }
    };
    for &offset in Neighbourhood::Moore.offsets() {
        if let Some(to) = shape.beside_at(at, (column, row), offset) {
            look(to);
        }
    }
    best
}

/// The height between `below` and `raised` with h = raised − c·((h − below) / distance)ⁿ, by bisection: always in as many steps. Up,
/// from a lake's bottom to where it runs over, ground is laid down in proportion.
fn lowered(raised: f32, below: f32, c: f32, distance: f32, n: f32) -> f32 {
    if raised <= below {
        let q = c / distance;
        return (raised + q * below) / (1.0 + q);
    }
    let (mut low, mut high) = (below, raised);
    for _ in 0..30 {
        let middle = low + (high - low) * 0.5;
        let carried = c * libm::powf((middle - below) / distance, n);
        if middle + carried > raised { high = middle } else { low = middle }
    }
    low
}

impl Iterate for State<'_> {
    fn advance(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled> {
        for iteration in 0..iterations {
            let part = f64::from(iteration) / f64::from(iterations);
            self.step(&|| report(part))?;
        }
        Ok(true)
    }

    fn grid(&self) -> Grid<f32> {
        Grid::from_vec(self.shape.width, self.shape.height, self.heights.clone())
    }
}

#[cfg(test)]
mod tests;
