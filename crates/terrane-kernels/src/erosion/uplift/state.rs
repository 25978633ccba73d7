//! The state of uplift, and one step.

use crate::parallel::{elements, try_for_each};
use terrane_grid::{Grid, Seed, Shape};

use super::Start;
use super::carried::Carried;
use super::law::{split, worn};
use super::nodes::Nodes;
use super::parameters::{Base, Uplift};
use crate::erosion::drained::drained;
use crate::erosion::iterate::{Iterate, Report};
use crate::erosion::powers::power;
use crate::erosion::steepness::measure;
use crate::erosion::talus::Slopes;
use crate::erosion::valleys::ValleyWidth;
use crate::hydrology::{Flats, Hollowed, InHollows, LakeBuffers, LakeTerrain, Network, Ties};
use crate::{Boundary, Cancelled};
use terrane_compute::{Alive, CHECK_INTERVAL, chunks, each};

/// The state of growing mountains.
pub(super) struct State<'a> {
    pub(super) parameters: &'a Uplift<'a>,
    pub(super) shape: Shape,
    pub(super) spacing: f32,
    pub(super) heights: Vec<f32>,
    /// What single precision drops of each height.
    pub(super) remainders: Vec<f32>,
    /// Heights below which no ground is lowered.
    pub(super) floor: Vec<f32>,
    /// Per sample, whether water leaves there. The heights of such samples are fixed.
    pub(super) sea: Vec<bool>,
    /// The sample in which all water ends, if it can leave nowhere.
    pub(super) outlet: Option<usize>,
    pub(super) nodes: Nodes,
    pub(super) valleys: ValleyWidth,
    /// Scratch space, and the areas by which rivers erode if valleys are wider than a sample.
    pub(super) gathered: [Vec<f32>; 2],
    /// What left each sample in the last step, in heights of a sample, if rivers that are wider deposit.
    pub(super) leaving: Vec<f64>,
    pub(super) network: Network,
    pub(super) areas: Vec<f32>,
    /// How steep each sample may be after this step. Empty without a talus.
    pub(super) steepness: Vec<f32>,
    /// The river factor of each sample.
    pub(super) factors: Vec<f32>,
    /// What rivers carried in the last step, with deposition.
    pub(super) carried: Carried,
    pub(super) order: Vec<u32>,
    pending: Vec<u8>,
    buffers: LakeBuffers,
}

/// The floor of ground that may be lowered without limit.
const NO_FLOOR: f32 = -1.0e30;

/// The floor that marks the outlet of ground that water can leave nowhere.
pub(super) const HELD: f32 = 1.0e30;

impl<'a> State<'a> {
    pub(super) fn new(
        start: Start<'_>,
        parameters: &'a Uplift<'a>,
        seed: Seed,
        alive: &Alive<'_>,
    ) -> Result<Self, Cancelled> {
        let map = start.height;
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
        let drowned = |at: usize| side(at) == Some(Base::Sea) && !masked(at);
        let mut heights =
            each(count, alive, |at| if drowned(at) { parameters.sea_level } else { before[at] })?;
        let mut outlet = None;
        if !sea.contains(&true) {
            let marked = |at: &usize| start.floor.is_some_and(|floor| floor.samples()[*at] == HELD);
            let lowest = || (0..count).min_by(|&a, &b| heights[a].total_cmp(&heights[b]));
            let at = (0..count).find(marked).or_else(lowest).unwrap_or(0);
            sea[at] = true;
            outlet = Some(at);
        }
        // A run with a floor continues another.
        let drains = parameters.drain && start.floor.is_none();
        if drains {
            let (ties, spacing) = (Ties::of(&map.domain()), map.spacing());
            // A channel may leave the map through a fixed side.
            let held = each(count, alive, |at| masked(at) || drowned(at))?;
            let ground = Hollowed { shape, heights: &heights, ends: &sea, held: &held, spacing, ties };
            heights = drained(&ground, alive)?;
        }
        let remainders = each(count, alive, |at| match start.remainder {
            Some(remainder) if !drowned(at) && heights[at] == before[at] => remainder.samples()[at],
            _ => 0.0,
        })?;
        let fixed = |at: usize| masked(at) || side(at) == Some(Base::Fixed);
        let mut floor = match (start.floor, parameters.talus) {
            (Some(floor), _) => each(count, alive, |at| floor.samples()[at].min(heights[at]))?,
            (None, Some(talus)) if (0..count).any(fixed) => {
                let (spacing, sea_level) = (map.spacing() as f32, f32::NEG_INFINITY);
                Slopes { shape, spacing, talus: |at| talus.at(at), sea_level }.foot(&heights, fixed, alive)?
            }
            _ => each(count, alive, |_| NO_FLOOR)?,
        };
        if let Some(outlet) = outlet {
            floor[outlet] = heights[outlet];
        }
        let spacing = map.spacing() as f32;
        // The cliff above a side that falls to the sea is not ground that may remain as steep as it was.
        let mut steepness = Vec::new();
        if drains {
            let ground = each(count, alive, |at| if drowned(at) { before[at] } else { heights[at] })?;
            measure(parameters.talus, (shape, spacing), &ground, &mut steepness, alive)?;
        } else {
            measure(parameters.talus, (shape, spacing), before, &mut steepness, alive)?;
        }
        let network = Network::new(count);
        alive()?;
        let buffers = LakeBuffers::new(count);
        alive()?;
        Ok(Self {
            parameters,
            shape,
            spacing,
            heights,
            remainders,
            floor,
            sea,
            outlet,
            valleys: ValleyWidth::new(parameters.valley_width, map.domain(), parameters.boundary),
            gathered: Default::default(),
            leaving: Vec::new(),
            nodes: Nodes::new(shape, &map.domain(), parameters.jitter, seed, alive)?,
            network,
            areas: each(count, alive, |_| 0.0)?,
            steepness,
            factors: each(count, alive, |_| 0.0)?,
            carried: Carried::default(),
            order: Vec::with_capacity(count),
            pending: vec![0; count],
            buffers,
        })
    }

    /// Computes receivers, including those of lakes, and drainage areas.
    pub(super) fn route(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { parameters, shape, heights, sea, network, nodes, areas, .. } = self;
        let Uplift { routing, moisture, .. } = **parameters;
        network.receive_rows(shape.width, alive, |row, to| nodes.receive(routing, heights, sea, row, to))?;
        let flats = Flats { shape: *shape, heights, directions_used: 8, ties: nodes.ties };
        let leaves = |at: usize| sea[at];
        let ground = LakeTerrain { shape: *shape, heights, sea, open: false };
        let lakes = parameters.lakes.then_some((&ground, &mut self.buffers));
        flats.lead(network, lakes, leaves, alive)?;
        network.count_donors(alive)?;
        let sample = self.spacing * self.spacing;
        try_for_each(elements(areas), CHECK_INTERVAL, |at, area| {
            let moisture = moisture.at(at);
            // This comparison turns NaN into 0.
            *area = if moisture > 0.0 { sample * moisture } else { 0.0 };
            if at.is_multiple_of(CHECK_INTERVAL) { alive() } else { Ok(()) }
        })?;
        network.order(1.0, areas, &mut self.order, &mut self.pending, alive)
    }

    /// How much ground lies in hollows.
    pub(super) fn hollows(&self, alive: &Alive<'_>) -> Result<InHollows, Cancelled> {
        let (shape, heights, ends) = (self.shape, &self.heights, &self.sea);
        let spacing = f64::from(self.spacing);
        let ground = Hollowed { shape, heights, ends, held: &[], spacing, ties: self.nodes.ties };
        ground.measure(|at| !ends[at], alive)
    }

    /// Raises the ground and computes each sample's river factor: the time step times k·Aᵐ, where A is the
    /// drainage area, over the distance to the receiver to the power of the slope's exponent.
    fn raise(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { parameters, nodes, sea, network, areas, valleys, gathered, .. } = self;
        let areas = if valleys.is_wide() {
            let [across, gathered] = gathered;
            valleys.gather(areas, across, gathered);
            alive()?;
            gathered
        } else {
            areas
        };
        let Uplift { uplift, time_step, erodibility, area_exponent, slope_exponent, .. } = **parameters;
        let (m, n) = (f64::from(area_exponent), f64::from(slope_exponent));
        let (factors, heights, remainders) =
            (elements(&mut self.factors), elements(&mut self.heights), elements(&mut self.remainders));
        try_for_each(((factors, heights), remainders), 4096, |at, ((factor, height), remainder)| {
            if at.is_multiple_of(CHECK_INTERVAL) {
                alive()?;
            }
            if sea[at] {
                return Ok(());
            }
            let raised = f64::from(*height) + f64::from(*remainder) + time_step * f64::from(uplift.at(at));
            (*height, *remainder) = split(raised);
            let area = f64::from(areas[at]);
            let of_area = power(area, m);
            let distance = f64::from(nodes.distance(at, network.receivers[at] as usize));
            let erodibility = erodibility.at(at);
            // This comparison turns NaN into 0.
            let erodibility = if erodibility > 0.0 { f64::from(erodibility) } else { 0.0 };
            // The factor times 0 must not be NaN.
            *factor =
                (time_step * erodibility * of_area / power(distance, n)).min(f64::from(f32::MAX)) as f32;
            Ok(())
        })
    }

    /// Runs one step. Samples are eroded from the outlets upstream, each sample after its receiver.
    fn step(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        self.route(alive)?;
        self.raise(alive)?;
        if self.parameters.deposition > 0.0 {
            if self.valleys.is_wide() {
                self.erode_and_spread(alive)?;
            } else {
                self.erode_and_deposit(alive)?;
            }
        } else {
            self.erode(alive)?;
        }
        self.diffuse(alive)?;
        self.settle(alive)?;
        let Self { parameters, shape, spacing, heights, steepness, .. } = self;
        measure(parameters.talus, (*shape, *spacing), heights, steepness, alive)
    }

    /// Lets rivers erode.
    pub(super) fn erode(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let n = f64::from(self.parameters.slope_exponent);
        for part in chunks(self.order.len()) {
            let end = self.order.len() - part.start;
            for index in (self.order.len() - part.end..end).rev() {
                let at = self.order[index] as usize;
                let to = self.network.receivers[at] as usize;
                if to == at {
                    // At sea, and where water ends, no river erodes the ground.
                    continue;
                }
                let raised = f64::from(self.heights[at]) + f64::from(self.remainders[at]);
                let below = f64::from(self.heights[to]) + f64::from(self.remainders[to]);
                let height = worn(raised, below, f64::from(self.factors[at]), n);
                (self.heights[at], self.remainders[at]) = split(self.limited(at, height, to, below));
            }
            alive()?;
        }
        Ok(())
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
