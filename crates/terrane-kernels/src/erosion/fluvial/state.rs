//! The state of fluvial erosion, and one iteration.

use std::sync::atomic::AtomicU32;

use terrane_grid::{Grid, Heightmap, Seed, Shape};

use super::gorge::NONE;
use super::ideal::{gradient_strength, ideal, value_strength};
use super::law::Law;
use super::parameters::{Fluvial, Solver, share};
use super::rows::Factor;
use super::sinks::Sinks;
use super::tiles::InverseDistances;
use super::wide::Wide;
use crate::erosion::iterate::{Iterate, Report};
use crate::erosion::padded::{Padded, WALL};
use crate::erosion::talus::Slopes;
use crate::erosion::valleys::ValleyWidth;
use crate::hydrology::{Bands, Network, Ties};
use crate::{Boundary, Cancelled};
use terrane_compute::{Alive, each};

/// The state of fluvial erosion.
pub struct State<'a> {
    pub parameters: &'a Fluvial<'a>,
    pub shape: Shape,
    pub spacing: f32,
    pub inverse_distances: InverseDistances,
    /// Heights of the land.
    pub land: Vec<f32>,
    /// Heights of land plus water, in padded rows.
    pub total: Padded,
    /// The same heights as `total`, without padding.
    pub flat: Vec<f32>,
    /// Ideal heights of the land.
    pub ideal: Vec<f32>,
    pub gradient_strength: Vec<f32>,
    /// The value strength, if it differs from that of the parameters.
    pub value_strength: Option<Heightmap>,
    /// The fraction of `gradient_strength` that remains after gorges.
    pub hold: Vec<f32>,
    /// Heights above the ideal heights.
    pub above_ideal: Padded,
    pub directions: Vec<u8>,
    pub network: Network,
    pub pending: Vec<u8>,
    pub drainage: Vec<f32>,
    pub gorges: Vec<f32>,
    pub factor: Factor,
    pub law: Law,
    /// For the explicit solver: where each tile's water ends.
    pub roots: Vec<AtomicU32>,
    /// For the implicit solver: the minimum of each tile's basin.
    pub basins: Vec<u32>,
    pub leaves: Vec<u32>,
    pub sinks: Sinks,
    pub valleys: ValleyWidth,
    pub wide: Wide,
    pub ties: Ties,
    /// For the implicit solver: the tiles, donors before receivers.
    pub bands: Bands,
    /// For the implicit solver: each tile's factor of river erosion.
    pub powers: Vec<f32>,
    /// Minimum heights near fixed tiles. Empty without a talus or without fixed tiles.
    pub foot: Vec<f32>,
}

impl<'a> State<'a> {
    pub fn new(
        map: &Heightmap,
        parameters: &'a Fluvial<'a>,
        seed: Seed,
        alive: &Alive<'_>,
    ) -> Result<Self, Cancelled> {
        let (size, boundary) = (map.domain().size, parameters.boundary);
        let count = map.samples().len();
        let shape = Shape { width: size.0, height: size.1, wrap: boundary == Boundary::Wrap };
        let sinks = Sinks::new(map, parameters, shape);
        alive()?;
        let valleys = ValleyWidth::new(parameters.valley_width, map.domain(), boundary);
        let mut ideal = ideal(parameters.ideal.unwrap_or(map), parameters, valleys, &sinks, seed, alive)?;
        let mut land = parameters.ideal.map(|_| map.samples().to_vec());
        if parameters.drain {
            let place = (shape, map.domain());
            ideal = sinks.drained(&ideal, place, parameters.sea_level, alive)?;
            if let Some(land) = &mut land {
                *land = sinks.drained(land, place, parameters.sea_level, alive)?;
            }
        }
        let land = land.unwrap_or_else(|| ideal.clone());
        alive()?;
        let jitter = f64::from(parameters.jitter);
        let inverse_distances =
            InverseDistances::new(size, parameters.ways(), map.spacing(), jitter, seed, boundary, alive)?;
        alive()?;
        let total = Padded::filled(size, boundary, WALL);
        alive()?;
        let above_ideal = Padded::filled(size, boundary, 0.0);
        alive()?;
        let network = Network::new(count);
        alive()?;
        let foot = match parameters.talus {
            Some(talus) if !sinks.fixed.is_empty() => {
                let (spacing, sea_level) = (map.spacing() as f32, parameters.sea_level);
                // If the ideal is a separate map, the land may sink to the ideal. Where rivers were opened
                // below the foot, it must not sink with them, or a later stage would have another foot.
                let lower = |at: usize| land[at].min(ideal[at]);
                let ground = each(count, alive, |at| if parameters.drain { ideal[at] } else { lower(at) })?;
                Slopes { shape, spacing, talus: |at| talus.at(at), sea_level }.foot(
                    &ground,
                    |at| sinks.is_fixed(at),
                    alive,
                )?
            }
            _ => Vec::new(),
        };
        let value_strength = value_strength(&ideal, parameters, valleys, alive)?;
        let gradient_strength = gradient_strength(&ideal, parameters, valleys, alive)?;
        let implicit = if parameters.solver == Solver::Implicit { count } else { 0 };
        Ok(Self {
            parameters,
            shape,
            spacing: map.spacing() as f32,
            inverse_distances,
            land,
            total,
            flat: each(count, alive, |_| 0.0)?,
            ideal,
            gradient_strength,
            hold: each(count, alive, |at| share(parameters.hold.at(at)))?,
            above_ideal,
            directions: vec![0; count],
            network,
            pending: vec![0; count],
            drainage: each(count, alive, |_| 0.0)?,
            gorges: each(count, alive, |_| 0.0)?,
            factor: Factor::new(parameters.erosion, valleys.side()),
            value_strength,
            law: Law { drainage: parameters.drainage_exponent, slope: parameters.slope_exponent },
            roots: (0..count - implicit).map(|_| AtomicU32::new(0)).collect(),
            basins: vec![0; implicit],
            leaves: vec![NONE; count],
            sinks,
            valleys,
            wide: Wide::default(),
            ties: Ties::of(&map.domain()),
            bands: Bands::new(size.0, implicit),
            powers: vec![0.0; implicit],
            foot,
        })
    }

    /// Runs one iteration, which the paper's Algorithm 1 calls a tick.
    fn tick(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        self.route(alive)?;
        let exits = self.accumulate(self.parameters.gorge > 0.0, alive)?;
        alive()?;
        if !exits.is_empty() {
            self.carve(&exits, alive)?;
        }
        match self.parameters.solver {
            Solver::Explicit => {
                if !exits.is_empty() {
                    self.fill(alive)?;
                }
                self.erode(true, alive)?;
            }
            Solver::Implicit => {
                self.lower(alive)?;
                self.erode(false, alive)?;
            }
        }
        self.apply_gradient_constraint(alive)?;
        self.sinks.keep(&mut self.land);
        if self.parameters.solver == Solver::Implicit {
            self.limit_lowering(alive)?;
        }
        if self.parameters.held().is_some() {
            self.remove_extremes(alive)?;
        }
        if self.parameters.drain {
            self.open_rivers(alive)?;
        }
        self.apply_talus(alive)?;
        if self.parameters.drain && self.parameters.talus.is_some() {
            // The foot of fixed tiles may dam rivers, and rounding may.
            self.open_rivers(alive)?;
        }
        Ok(())
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
