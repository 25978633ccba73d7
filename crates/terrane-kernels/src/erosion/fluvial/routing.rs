//! Directions and amounts of flow.

use crate::parallel::{for_each, slices, try_for_each};
use std::sync::atomic::Ordering::Relaxed;

use super::gorge::{Cut, Divides, Exit, NONE};
use super::parameters::Solver;
use super::rows::{BAND, Drain, PaddedRow};
use super::state::State;
use crate::hydrology::{Bands, Flats, Hollowed, InHollows};
use crate::{Cancelled, ScalarMap, dispatch};
use terrane_compute::Alive;
use terrane_grid::{DIRECTIONS, Shape};

impl State<'_> {
    /// Updates the heights of land plus water.
    pub(super) fn fill(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { total, flat, land, shape, parameters, .. } = self;
        let sea = parameters.sea_level;
        let (width, stride) = (shape.width, total.stride);
        let rows = slices(&mut total.data[stride..], stride * BAND);
        try_for_each((rows, slices(flat, width * BAND)), 1, |band, (rows, flat)| {
            alive()?;
            let land = &land[band * width * BAND..];
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

    /// Computes drainage directions and receivers.
    pub(super) fn route(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        self.fill(alive)?;
        let Self {
            total,
            inverse_distances,
            directions,
            network,
            shape,
            parameters,
            sinks,
            flat,
            land,
            ties,
            ..
        } = self;
        let width = shape.width;
        let receivers = slices(&mut network.receivers, width);
        try_for_each((slices(directions, width), receivers), BAND, |row, (directions, receivers)| {
            if row.is_multiple_of(BAND) {
                alive()?;
            }
            let row_of = PaddedRow { total, inverse_distances, row };
            if parameters.diagonals {
                let work = Drain::<8> { row: row_of, out: directions };
                dispatch!(simd => work.run(simd));
            } else {
                let work = Drain::<4> { row: row_of, out: directions };
                dispatch!(simd => work.run(simd));
            }
            for (column, (direction, receiver)) in directions.iter().zip(receivers).enumerate() {
                let at = row * width + column;
                let to = shape.neighbour_at(at, (column, row), DIRECTIONS[usize::from(*direction)]);
                *receiver = to.unwrap_or(at) as u32;
            }
            Ok(())
        })?;
        alive()?;
        for &(at, _) in &sinks.fixed {
            (directions[at as usize], network.receivers[at as usize]) = (0, at);
        }
        if parameters.solver == Solver::Implicit {
            let (shape, directions_used) = (*shape, parameters.ways());
            let flats = Flats { shape, heights: flat, directions_used, ties: *ties };
            let leaves = |at: usize| land[at] < parameters.sea_level || sinks.is(at);
            flats.drain(&mut network.receivers, leaves, alive)?;
            let receivers = &network.receivers;
            try_for_each(slices(directions, width), BAND, |row, directions| {
                for (column, way) in directions.iter_mut().enumerate().filter(|(_, way)| **way == 0) {
                    let at = row * width + column;
                    let to = Some(receivers[at] as usize).filter(|&to| to != at);
                    let leads = |&way: &usize| shape.neighbour((column, row), DIRECTIONS[way]) == to;
                    *way = to.and_then(|_| (1..=directions_used).find(leads)).unwrap_or(0) as u8;
                }
                if row.is_multiple_of(BAND) { alive() } else { Ok(()) }
            })?;
        }
        count_donors(directions, *shape, parameters.ways(), &mut network.donors);
        alive()
    }

    /// Computes the drainage of each tile. If `exits` is set, also finds the exits through which gorges are
    /// to be cut.
    pub(super) fn accumulate(&mut self, exits: bool, alive: &Alive<'_>) -> Result<Vec<Exit>, Cancelled> {
        // Buffers that are written are taken out of `self`, so that the rest of `self` can be borrowed as a
        // whole.
        let mut drainage = std::mem::take(&mut self.drainage);
        let [mut basins, mut leaves] = [&mut self.basins, &mut self.leaves].map(std::mem::take);
        let mut pending = std::mem::take(&mut self.pending);
        let mut bands = std::mem::replace(&mut self.bands, Bands::new(0, 0));
        let Self { network, parameters, roots, land, .. } = &*self;
        let divides = self.divides();
        let (share, kept) = self.valleys.rain(parameters.passed_on);
        match parameters.moisture {
            ScalarMap::Constant(rain) => drainage.fill(share * positive(rain)),
            ScalarMap::Map(map) => {
                drainage.iter_mut().zip(map.samples()).for_each(|(own, &rain)| *own = share * positive(rain));
            }
        }
        let (kept, total) = (kept, &mut drainage[..]);
        let found = match parameters.solver {
            Solver::Explicit => {
                let accumulate = || network.accumulate(kept, total, &mut pending, alive);
                let find = || {
                    if !exits {
                        return Ok(Vec::new());
                    }
                    network.roots(roots, alive)?;
                    let basin = |tile: usize| {
                        let root = roots[tile].load(Relaxed);
                        if divides.is_closed(root as usize, land) { root } else { NONE }
                    };
                    divides.exits(&basin, &mut leaves, alive)
                };
                let (accumulated, found) = rayon::join(accumulate, find);
                accumulated.and(found)
            }
            Solver::Implicit => bands.accumulate(network, kept, total, &mut pending, alive).and_then(|()| {
                if !exits {
                    return Ok(Vec::new());
                }
                bands.upstream(network, &mut basins, alive, |at, to, _, below| {
                    if at != to {
                        return below;
                    }
                    if divides.is_closed(at, land) { at as u32 } else { NONE }
                })?;
                divides.exits(&|tile| basins[tile], &mut leaves, alive)
            }),
        };
        (self.drainage, self.bands, self.leaves, self.pending) = (drainage, bands, leaves, pending);
        self.basins = basins;
        found
    }

    /// How much land lies in hollows, after the last iteration.
    pub(super) fn hollows(&self, alive: &Alive<'_>) -> Result<InHollows, Cancelled> {
        let (shape, heights, sea) = (self.shape, &self.flat, self.parameters.sea_level);
        let ends = &self.sinks.ends(&self.land, sea, alive)?;
        let (spacing, ties) = (f64::from(self.spacing), self.ties);
        let ground = Hollowed { shape, heights, ends, held: &[], spacing, ties };
        ground.measure(|at| self.land[at] >= sea, alive)
    }

    /// Cuts gorges.
    pub(super) fn carve(&mut self, exits: &[Exit], alive: &Alive<'_>) -> Result<(), Cancelled> {
        let [mut land, mut hold, mut gorges] =
            [&mut self.land, &mut self.hold, &mut self.gorges].map(std::mem::take);
        let mut wide = std::mem::take(&mut self.wide);
        if self.valleys.is_wide() {
            wide.before(&land, &hold, &gorges);
        }
        let mut cut = Cut { land: &mut land, hold: &mut hold, gorges: &mut gorges };
        let mut carved = self.divides().carve(exits, &self.drainage, self.parameters.gorge, &mut cut, alive);
        if self.valleys.is_wide() {
            carved = carved.and_then(|()| wide.widen(&mut cut, self.valleys, alive));
        }
        self.wide = wide;
        self.sinks.keep(&mut land);
        (self.land, self.hold, self.gorges) = (land, hold, gorges);
        carved
    }

    /// Basins and the divides between them.
    fn divides(&self) -> Divides<'_> {
        Divides {
            shape: self.shape,
            inverse_distances: &self.inverse_distances,
            network: &self.network,
            directions: &self.directions,
            directions_used: self.parameters.ways(),
            total: &self.flat,
            ideal: &self.ideal,
            sinks: &self.sinks,
            sea_level: self.parameters.sea_level,
        }
    }
}

/// Clamps to at least 0; NaN becomes 0.
fn positive(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

/// Counts the neighbours that drain to each tile.
fn count_donors(directions: &[u8], shape: Shape, directions_used: usize, donors: &mut [u8]) {
    let Shape { width, height, wrap } = shape;
    for_each(slices(donors, width), BAND, |y, donors| {
        donors.fill(0);
        for (direction, &(dx, dy)) in DIRECTIONS.iter().enumerate().take(directions_used + 1).skip(1) {
            // A donor that drains down lies in the row above, and so on.
            let row = (y + height).wrapping_add_signed(-dy);
            if !wrap && !(height..2 * height).contains(&row) {
                continue;
            }
            let from = &directions[row % height * width..][..width];
            let here = |from: u8| u8::from(usize::from(from) == direction);
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
