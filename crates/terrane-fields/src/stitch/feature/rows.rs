//! The pieces of a feature's edges, indexed by the rows of a map.

use crate::parallel::{elements, try_collect, try_for_each_with};
use terrane_grid::{Domain, Grid, Heightmap};

use super::super::NONE;
use super::super::band::{Near, ROWS, columns};
use super::super::terrain::Terrain;
use super::banks::lowered;
use super::bed::Most;
use super::begin::Share;
use super::course::Piece;
use super::network::Network;
use super::parameters::Feature;
use crate::{Cancelled, Progress};

/// Pieces of courses by rows.
pub struct Rows {
    domain: Domain,
    reach: f64,
    pieces: Vec<Piece>,
    near: Near,
}

/// The nearest point of an edge to a sample.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    pub square: f64,
    pub along: f64,
}

impl Rows {
    /// Indexes all pieces within a feature's reach of a map.
    pub fn new(pieces: Vec<Piece>, feature: &Feature<'_>, domain: &Domain) -> Self {
        let reach = feature.reach(domain);
        let between = |piece: &Piece| {
            let [a, b] = piece.line.ends.map(|end| end.1);
            (0, a.min(b) - reach, a.max(b) + reach)
        };
        let near = Near::new(pieces.iter().map(between), domain);
        Self { domain: *domain, reach, pieces, near }
    }

    /// The ground of each sample in the middle of beds, and the ground less the bed's depth along their
    /// courses. On a slope the depth is larger, so that both banks are at least half as high as `size`.
    pub fn ground(
        &self,
        map: &Heightmap,
        feature: &Feature<'_>,
        network: &Network,
        shares: &[Share],
        ids: &Grid<u32>,
        progress: &dyn Progress,
    ) -> Result<[Vec<Most>; 2], Cancelled> {
        let (height, middle) = (self.domain.height(), feature.middle(&self.domain));
        let of_row = |room: &mut Vec<Nearest>, row: usize| {
            let (mut found, ids, heights) = (Vec::new(), ids.row(row), map.grid().row(row));
            self.each(row, room, |edge, column, nearest| {
                let ground = f64::from(heights[column]);
                if nearest.square.sqrt() <= middle && ids[column] != NONE && ground.is_finite() {
                    found.push((edge, nearest.along, ground));
                }
            });
            progress.report(0.4 * row as f64 / height as f64)?;
            Ok(found)
        };
        let mut samples: Vec<Vec<Most>> = vec![Vec::new(); height];
        try_for_each_with(elements(&mut samples), ROWS, Vec::new, |room, row, samples| {
            *samples = of_row(room, row)?;
            Ok(())
        })?;
        let terrain = Terrain::new(map, &self.domain);
        let (origin, spacing) = (self.domain.origin, self.domain.spacing);
        // Whether the nearest sample is in a field.
        let inside = |(x, y): (f64, f64)| {
            let [column, row] = [(x - origin.0, self.domain.width()), (y - origin.1, height)]
                .map(|(at, count)| (libm::round(at / spacing), count));
            let within = |(at, count): (f64, usize)| (0.0..count as f64).contains(&at);
            within(column) && within(row) && ids.row(row.0 as usize)[column.0 as usize] != NONE
        };
        let of_piece = |piece: &Piece| {
            progress.report(0.4)?;
            let points = piece.points_along(&self.domain, 0.5 * spacing).filter(|point| inside(point.1));
            let most = |(along, at)| {
                let (ground, share) = (terrain.at(at), shares[piece.edge].at(along));
                // The lower of both banks: a bed across a slope has a bank on its downhill side too, half as
                // high as its depth. A higher one would cut deep into the slope on the other side.
                let sides = piece.sides(at, self.reach).into_iter().filter(|side| inside(*side));
                let bank = sides.map(|side| terrain.at(side)).fold(ground, f64::min);
                (
                    (piece.edge, along, ground + share * feature.size),
                    share * (ground - bank + 0.5 * feature.size).max(0.0),
                )
            };
            Ok(points.map(most).filter(|(most, _)| most.2.is_finite()).collect())
        };
        let along: Vec<Vec<(Most, f64)>> =
            try_collect(self.pieces.len(), 1, |piece| of_piece(&self.pieces[piece]))?;
        let depth = |edge: usize, along| -feature.size * shares[edge].at(along);
        Ok([samples.concat(), lowered(network, depth, along.concat())])
    }

    /// Calls `visit` for each edge near a row, with each sample in its reach.
    pub fn each(&self, row: usize, room: &mut Vec<Nearest>, mut visit: impl FnMut(usize, usize, Nearest)) {
        let (reach, y) = (self.reach, self.domain.y(row));
        let none = Nearest { square: reach * reach, along: f64::NAN };
        room.resize(self.domain.width(), none);
        let piece = |item: &(u32, u32)| &self.pieces[item.1 as usize];
        for of_edge in self.near.of(row, 0).chunk_by(|a, b| piece(a).edge == piece(b).edge) {
            let seen = |item| {
                let piece: &Piece = piece(item);
                let span = piece.line.span(y, reach)?;
                Some((piece, columns(&self.domain, &(0..self.domain.width()), span)))
            };
            let all = || of_edge.iter().filter_map(seen);
            let first = all().map(|(_, columns)| columns.start).min().unwrap_or(0);
            let last = all().map(|(_, columns)| columns.end).max().unwrap_or(0);
            room[first..last].fill(none);
            for (piece, columns) in all() {
                for (column, nearest) in columns.clone().zip(&mut room[columns]) {
                    let (square, along) = piece.see((self.domain.x(column), y));
                    if square < nearest.square {
                        *nearest = Nearest { square, along };
                    }
                }
            }
            for (column, &nearest) in (first..last).zip(&room[first..last]) {
                if !nearest.along.is_nan() {
                    visit(piece(&of_edge[0]).edge, column, nearest);
                }
            }
        }
    }
}
