//! The state of uplift, and one step.

use crate::parallel::{elements, try_for_each};
use terrane_grid::{Grid, Heightmap, Seed, Shape};

use super::parameters::{Base, Uplift};
use crate::erosion::Neighbourhood;
use crate::erosion::iterate::{Iterate, Report};
use crate::erosion::talus::Slopes;
use crate::hydrology::{LakeBuffers, LakeTerrain, Network, Overflow};
use crate::{Boundary, Cancelled};
use terrane_compute::{Alive, CHECK_INTERVAL, chunks, each};

/// The maximum river factor. A river with this factor erodes a drop completely, and products of the factor
/// with heights stay finite.
const MAX_POWER: f32 = 1.0e15;

/// The state of growing mountains.
pub(super) struct State<'a> {
    pub(super) parameters: &'a Uplift<'a>,
    pub(super) shape: Shape,
    pub(super) spacing: f32,
    pub(super) heights: Vec<f32>,
    /// Per sample, whether water leaves there. The heights of such samples are fixed.
    pub(super) sea: Vec<bool>,
    /// Positions of the nodes in their tiles, along x and along y.
    nodes: [Vec<f32>; 2],
    pub(super) network: Network,
    pub(super) areas: Vec<f32>,
    /// The river factor of each sample.
    powers: Vec<f32>,
    order: Vec<u32>,
    pending: Vec<u8>,
    buffers: LakeBuffers,
    /// Minimum heights of ground near fixed samples. Empty without a talus or without fixed samples.
    pub(super) foot: Vec<f32>,
}

impl<'a> State<'a> {
    pub(super) fn new(
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
            let side = if wrap { None } else { parameters.border.of(shape.position(at), (width, height)) };
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
        let buffers = LakeBuffers::new(count);
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
            buffers,
            foot,
        })
    }

    /// Computes receivers, including those of lakes, and drainage areas.
    pub(super) fn route(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { shape, heights, sea, network, .. } = self;
        let shape = *shape;
        network.receive(shape.width, sea, alive, |position, at| lowest(heights, shape, position, at))?;
        if self.parameters.lakes {
            let ground = LakeTerrain { shape, heights, sea, overflow: Overflow::Jump };
            ground.join(network, &mut self.buffers, alive)?;
        }
        network.count_donors(alive)?;
        self.areas.fill(self.spacing * self.spacing);
        self.network.order(1.0, &mut self.areas, &mut self.order, &mut self.pending, alive)
    }

    /// Raises the ground and computes each sample's river factor. Let c be the time step times k·Aᵐ, where A
    /// is the drainage area. The river factor is c / distance if the slope exponent is 1, otherwise c.
    fn raise(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let mut powers = std::mem::take(&mut self.powers);
        let mut heights = std::mem::take(&mut self.heights);
        let Uplift { uplift, time_step, erodibility, area_exponent, slope_exponent, .. } = *self.parameters;
        let (dt, k) = (time_step as f32, erodibility as f32);
        let this = &*self;
        let raised =
            try_for_each((elements(&mut powers), elements(&mut heights)), 4096, |at, (power, height)| {
                if at.is_multiple_of(CHECK_INTERVAL) {
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
                // A factor of infinity times 0 would be NaN.
                *power = (dt * k * of_area.min(f32::MAX) / over).min(MAX_POWER);
                Ok(())
            });
        self.heights = heights;
        self.powers = powers;
        raised
    }

    /// Runs one step. Samples are eroded from the outlets upstream, each sample after its receiver.
    fn step(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        self.route(alive)?;
        self.raise(alive)?;
        let Uplift { slope_exponent, .. } = *self.parameters;
        for part in chunks(self.order.len()) {
            let end = self.order.len() - part.start;
            for index in (self.order.len() - part.end..end).rev() {
                let at = self.order[index] as usize;
                let to = self.network.receivers[at] as usize;
                if to == at {
                    // At sea, and where water ends, no river erodes the ground.
                    continue;
                }
                let (raised, below, power) = (self.heights[at], self.heights[to], self.powers[at]);
                let height = if slope_exponent == 1.0 {
                    (raised + power * below) / (1.0 + power)
                } else {
                    lowered(raised, below, power, self.distance(at, to), slope_exponent)
                };
                self.heights[at] = self.limited(at, height, to, below);
            }
            alive()?;
        }
        Ok(())
    }

    /// The distance between two nodes, in world units. On a torus it is measured across the seam if that is
    /// shorter.
    pub(super) fn distance(&self, a: usize, b: usize) -> f32 {
        let [dx, dy] = self.apart(a, b);
        let [dx, dy] =
            [dx + (self.nodes[0][b] - self.nodes[0][a]), dy + (self.nodes[1][b] - self.nodes[1][a])];
        // Nodes of neighbouring tiles can almost coincide.
        self.spacing * (dx * dx + dy * dy).sqrt().max(1.0e-3)
    }

    /// The numbers of columns and rows between two samples.
    fn apart(&self, a: usize, b: usize) -> [f32; 2] {
        let Shape { width, height, wrap } = self.shape;
        let ((ax, ay), (bx, by)) = (self.shape.position(a), self.shape.position(b));
        [(ax, bx, width), (ay, by, height)].map(|(a, b, count)| {
            let apart = b as f32 - a as f32;
            let round = wrap && apart.abs() * 2.0 > count as f32;
            if round { apart - (count as f32).copysign(apart) } else { apart }
        })
    }

    /// The number of each sample's outlet.
    pub(super) fn basins(&self) -> Vec<f32> {
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

/// The lowest of the eight neighbours, or the sample itself if no neighbour is lower. Of equally low
/// neighbours, the first counts.
#[inline]
pub(super) fn lowest(heights: &[f32], shape: Shape, (column, row): (usize, usize), at: usize) -> usize {
    let (mut best, mut least) = (at, heights[at]);
    let mut look = |to: usize| {
        if heights[to] < least {
            (best, least) = (to, heights[to]);
        }
    };
    for &offset in Neighbourhood::Moore.offsets() {
        if let Some(to) = shape.neighbour_at(at, (column, row), offset) {
            look(to);
        }
    }
    best
}

/// The height h between `below` and `raised` that satisfies h = raised − c·((h − below) / distance)ⁿ. It is
/// found by bisection with a fixed number of steps.
///
/// The bottom of a lake drains up to its overflow, so `raised` is lower than `below`. In this case ground is
/// deposited in proportion to the difference, as for n = 1.
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
        // This `alive` never cancels, so there are heights.
        let heights = self.output_heights(&|| Ok(())).unwrap_or_default();
        Grid::from_vec(self.shape.width, self.shape.height, heights)
    }
}
