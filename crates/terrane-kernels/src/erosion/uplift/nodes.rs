//! Where the nodes of tiles lie, and which neighbour each sample drains to.

use terrane_compute::{Alive, each};
use terrane_grid::{DIRECTIONS, Domain, Seed, Shape};

use super::parameters::Routing;
use crate::Cancelled;
use crate::erosion::Neighbourhood;
use crate::erosion::lanes::lanes;

use crate::hydrology::{AROUND, Ties, steepest};

/// Samples per piece of a row: two vectors, so that all of a piece stays in registers.
const LANES: usize = 8;

/// The nodes of a map's tiles.
pub(super) struct Nodes {
    shape: Shape,
    spacing: f32,
    /// Positions relative to the tiles' centres, along x and along y, in spacings; empty if all nodes lie at
    /// the centres.
    offsets: [Vec<f32>; 2],
    pub(super) ties: Ties,
}

impl Nodes {
    pub(super) fn new(
        shape: Shape,
        domain: &Domain,
        jitter: f32,
        seed: Seed,
        alive: &Alive<'_>,
    ) -> Result<Self, Cancelled> {
        let Shape { width, height, .. } = shape;
        let count = if jitter > 0.0 { width * height } else { 0 };
        let along = |axis: u64| {
            let lattice = seed.part(axis).lattice();
            each(count, alive, |at| jitter * (lattice.unit((at % width) as i64, (at / width) as i64) - 0.5))
        };
        let (spacing, ties) = (domain.spacing as f32, Ties::of(domain));
        Ok(Self { shape, spacing, offsets: [along(0)?, along(1)?], ties })
    }

    /// The distance from a sample to its neighbour, in world units.
    #[inline]
    pub(super) fn distance(&self, at: usize, to: usize) -> f32 {
        let (dx, dy) = self.shape.step(at, to);
        self.spacing * self.apart_squared(at, to, (dx as f32, dy as f32)).sqrt()
    }

    /// The distance between the centres of two neighbouring tiles, in spacings.
    #[inline]
    pub(super) fn between_tiles(&self, at: usize, to: usize) -> f64 {
        let (dx, dy) = self.shape.step(at, to);
        if dx != 0 && dy != 0 { std::f64::consts::SQRT_2 } else { 1.0 }
    }

    /// The square of the distance in spacings between neighbours whose tiles are `(dx, dy)` apart.
    #[inline]
    fn apart_squared(&self, at: usize, to: usize, (dx, dy): (f32, f32)) -> f32 {
        let [x, y] = &self.offsets;
        if x.is_empty() {
            return dx * dx + dy * dy;
        }
        squared(dx + (x[to] - x[at]), dy + (y[to] - y[at]))
    }

    /// Sets the neighbours that a row's samples drain to. A sample without a lower neighbour, and one in the
    /// sea, drains to itself.
    pub(super) fn receive(
        &self,
        routing: Routing,
        heights: &[f32],
        sea: &[bool],
        row: usize,
        to: &mut [u32],
    ) {
        let Shape { width, height, .. } = self.shape;
        let jittered = !self.offsets[0].is_empty();
        let mut column = 0;
        while column < width {
            let (at, position) = (row * width + column, (column, row));
            let inside = row > 0 && row + 1 < height && column > 0 && column + LANES < width;
            if inside && jittered && routing == Routing::Steepest {
                to[column..column + LANES].copy_from_slice(&self.steepest_lanes(heights, at));
                column += LANES;
                continue;
            }
            to[column] = match routing {
                Routing::Lowest => lowest(heights, self.shape, position, at),
                Routing::Steepest if jittered => self.steepest(heights, position, at),
                Routing::Steepest => steepest(heights, self.shape, position, at, &self.ties),
            } as u32;
            column += 1;
        }
        for (column, to) in to.iter_mut().enumerate().filter(|(column, _)| sea[row * width + column]) {
            *to = (row * width + column) as u32;
        }
    }

    /// The lower neighbour to whose node the slope is steepest. If several slopes are equally steep, the
    /// neighbour with the lowest index counts.
    fn steepest(&self, heights: &[f32], position: (usize, usize), at: usize) -> usize {
        let (mut best, mut most) = (at, 0.0);
        for direction in AROUND {
            let (dx, dy) = DIRECTIONS[usize::from(direction)];
            if let Some(to) = self.shape.neighbour_at(at, position, (dx, dy)) {
                let drop = heights[at] - heights[to];
                let square = drop * drop / self.apart_squared(at, to, (dx as f32, dy as f32));
                if drop > 0.0 && square > most {
                    (best, most) = (to, square);
                }
            }
        }
        best
    }

    /// [`Self::steepest`] for [`LANES`] samples of a row, none of them on the border, from sample `first` on.
    fn steepest_lanes(&self, heights: &[f32], first: usize) -> [u32; LANES] {
        let [x, y] = self.offsets.each_ref().map(|offsets| &**offsets);
        let [own, own_x, own_y] = [heights, x, y].map(|map| lanes::<LANES>(map, first));
        let (mut most, mut to) = ([0.0f32; LANES], std::array::from_fn(|lane| (first + lane) as u32));
        for direction in AROUND {
            let (dx, dy) = DIRECTIONS[usize::from(direction)];
            let there = first.wrapping_add_signed(dy * self.shape.width as isize + dx);
            let [other, other_x, other_y] = [heights, x, y].map(|map| lanes::<LANES>(map, there));
            for lane in 0..LANES {
                let drop = own[lane] - other[lane];
                let apart = squared(
                    dx as f32 + (other_x[lane] - own_x[lane]),
                    dy as f32 + (other_y[lane] - own_y[lane]),
                );
                let square = drop * drop / apart;
                let better = (drop > 0.0) & (square > most[lane]);
                most[lane] = if better { square } else { most[lane] };
                to[lane] = if better { (there + lane) as u32 } else { to[lane] };
            }
        }
        to
    }
}

/// The square of the distance between two nodes. Nodes of neighbouring tiles can almost coincide.
#[inline]
fn squared(dx: f32, dy: f32) -> f32 {
    (dx * dx + dy * dy).max(1.0e-6)
}

/// The lowest of the eight neighbours, or the sample itself if no neighbour is lower. Of equally low
/// neighbours, the first counts.
#[inline]
pub(super) fn lowest(heights: &[f32], shape: Shape, position: (usize, usize), at: usize) -> usize {
    let (mut best, mut least) = (at, heights[at]);
    for &offset in Neighbourhood::Moore.offsets() {
        if let Some(to) = shape.neighbour_at(at, position, offset)
            && heights[to] < least
        {
            (best, least) = (to, heights[to]);
        }
    }
    best
}
