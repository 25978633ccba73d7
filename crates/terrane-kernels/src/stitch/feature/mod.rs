//! Edges of a graph as rivers and ridges (after Mijailovic 2015, 3.1: an edge between two lakes may be a river).

mod bed;
mod blend;
mod course;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use terrane_grid::{Domain, Grid, Heightmap, PlanarGraph, Seed};

use super::NONE;
use super::band::{Near, ROWS, columns};
use super::outline::{self, Outline};
use super::raster::rasterise;
use super::terrain::Terrain;
use crate::{Cancelled, Progress};
use bed::{Node, Profile, beds};
use blend::{Blend, Change};
use course::{Edge, Piece, edges, pieces};

/// What a feature's size is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crest {
    /// A straight line between the ground's heights at both ends of the edge. What has a size greater than 0 only raises ground. A bed only lowers it, and the line
    /// ends lower where water could not run on else.
    Even,
    /// Each sample's own ground, whose shape stays.
    Ground,
}

/// How courses of edges wander to the side of the straight way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// How much of the room beside an edge its course takes, up to 1; at 0 it is straight.
    pub amount: f64,
    /// Length of a bend to both sides, in world units. No course leaves the straight way by more than a quarter of it.
    pub length: f64,
    /// Another one, other bends.
    pub seed: Seed,
}

/// What [`trace`] makes of edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature<'a> {
    /// Numbers of edges.
    pub edges: &'a [u32],
    /// How much higher the middle is than its crest, in world units; negative for a bed.
    pub size: f64,
    /// Width from side to side, in world units.
    pub width: f64,
    /// The cross-section from the middle, 0, to the side, 1: what part of the change there is, 0 at last. Places rise; between them it is linear. Empty, it is a
    /// smooth step.
    pub profile: &'a [(f64, f64)],
    /// What the size is counted from.
    pub crest: Crest,
    /// How edges wander.
    pub bend: Bend,
    /// How much a bed of an even crest falls per unit of its way at least.
    pub fall: f64,
}

impl Feature<'_> {
    /// Whether water is to run down it.
    fn is_bed(&self) -> bool {
        self.crest == Crest::Even && self.size < 0.0
    }

    fn reach(&self) -> f64 {
        self.width / 2.0
    }
}

/// A map with edges made rivers or ridges, and what part of the change each sample has.
///
/// Ground changes by the cross-section, and is as it was from its side on and outside of all fields, to the bit. Where edges meet they are
/// blended by 1/n² of their distances, so that each counts alone in its middle. From a node that no other edge of the feature leaves the size rises
/// from 0, over a width or the edge where that is shorter, unless water leaves there.
///
/// Courses wander as [`Bend`] says: by a noise of the plane, so that every map has the same, never as far as half-way to another edge of the graph, and not at nodes.
///
/// A bed, which is [`Crest::Even`] with a size less than 0, never rises on the way to where the network ends: at nodes on the border of all fields,
/// beyond the map, or, where it has none of these, at its lowest node. So that this holds sample by sample the bed is level across for a sample
/// on both sides of its middle, or as far as it is wide, and the cross-section begins there: from each sample in the middle there is a neighbour down, up to an outlet.
///
/// O(samples near edges · pieces in reach), and per piece the other edges in its reach. Where a node's ground is not a number an even crest has no
/// line, and the edge is left out.
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
///
/// # Panics
/// Where there is no such edge.
pub fn trace(
    map: &Heightmap,
    graph: &PlanarGraph,
    outlines: &[Outline],
    feature: &Feature<'_>,
    progress: &dyn Progress,
) -> Result<(Heightmap, Heightmap), Cancelled> {
    let domain = map.domain();
    let (edges, nodes) = known(map, graph, outlines, feature);
    let pieces = pieces(graph, &edges, &feature.bend, &domain, feature.reach(), progress)?;
    let ids = rasterise(graph, outlines, &domain);
    let rows = Rows { feature, domain, near: near(&pieces, feature.reach(), &domain), pieces };
    let width = domain.width().max(1);
    let profiles = rows.profiles(map, &edges, &nodes, &ids, progress)?;
    let (mut heights, mut mask) = (map.samples().to_vec(), vec![0.0f32; domain.len()]);
    let chunks = heights.par_chunks_mut(width).zip(mask.par_chunks_mut(width)).enumerate().with_min_len(ROWS);
    chunks.try_for_each_init(
        Default::default,
        |(room, blends): &mut (Vec<Nearest>, Vec<Blend>), (row, (heights, mask))| {
            blends.clear();
            blends.resize(width, Blend::default());
            let inside = ids.row(row);
            rows.each(row, room, |edge, column, nearest| {
                if inside[column] != NONE {
                    let height = f64::from(heights[column]);
                    let (length, middle) = (edges[edge].line.length, rows.middle());
                    let change = Change { feature, profile: &profiles[edge], length, middle };
                    blends[column].add(&change, nearest, height);
                }
            });
            for ((height, mask), blend) in heights.iter_mut().zip(mask).zip(blends.iter()) {
                *mask = blend.apply(height);
            }
            progress.report(0.5 + 0.5 * row as f64 / domain.height() as f64)
        },
    )?;
    Ok((Heightmap::from_vec(domain, heights), Heightmap::from_vec(domain, mask)))
}

/// The edges of a feature, and its nodes by their numbers.
fn known(
    map: &Heightmap,
    graph: &PlanarGraph,
    outlines: &[Outline],
    feature: &Feature<'_>,
) -> (Vec<Edge>, BTreeMap<u32, Node>) {
    let domain = map.domain();
    let terrain = Terrain::new(map, &domain);
    let border = outline::edges(graph, outlines).into_iter().filter(|edge| edge.fields.contains(&None));
    let border: BTreeSet<u32> = border.flat_map(|edge| edge.nodes).collect();
    let ((x, y), (width, height)) = (domain.origin, domain.extent());
    let mut edges = edges(graph, feature.edges);
    let mut degrees: BTreeMap<u32, u32> = BTreeMap::new();
    edges.iter().flat_map(|edge| edge.nodes).for_each(|node| *degrees.entry(node).or_default() += 1);
    let node = |(node, degree): (u32, u32)| {
        let at = graph.nodes[node as usize];
        let beyond = at.0 < x || at.0 > x + width || at.1 < y || at.1 > y + height;
        let outlet = beyond || border.contains(&node);
        (node, Node { ground: terrain.at(at), outlet, dead_end: degree == 1 })
    };
    let mut nodes: BTreeMap<u32, Node> = degrees.into_iter().map(node).collect();
    if feature.crest == Crest::Even {
        edges.retain(|edge| edge.nodes.iter().all(|node| nodes[node].ground.is_finite()));
        let left: BTreeSet<u32> = edges.iter().flat_map(|edge| edge.nodes).collect();
        nodes.retain(|node, _| left.contains(node));
    }
    (edges, nodes)
}

/// The pieces near each row.
fn near(pieces: &[Piece], reach: f64, domain: &Domain) -> Near {
    let between = |piece: &Piece| {
        let [a, b] = piece.line.ends.map(|end| end.1);
        (0, a.min(b) - reach, a.max(b) + reach)
    };
    Near::new(pieces.iter().map(between), domain)
}

/// What all rows share.
struct Rows<'a> {
    feature: &'a Feature<'a>,
    domain: Domain,
    pieces: Vec<Piece>,
    near: Near,
}

/// The nearest point of an edge to a sample.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    square: f64,
    along: f64,
}

impl Rows<'_> {
    /// How far from its middle a bed is level; less than 0 where no bed is.
    fn middle(&self) -> f64 {
        if self.feature.is_bed() { self.domain.spacing.min(self.feature.reach()) } else { -1.0 }
    }

    /// The height of each edge's middle.
    fn profiles(
        &self,
        map: &Heightmap,
        edges: &[Edge],
        nodes: &BTreeMap<u32, Node>,
        ids: &Grid<u32>,
        progress: &dyn Progress,
    ) -> Result<Vec<Profile>, Cancelled> {
        let Feature { size, fall, .. } = *self.feature;
        if !self.feature.is_bed() {
            let profile = |edge: &Edge| Profile {
                levels: edge.nodes.map(|end| nodes[&end].ground),
                ends: edge.nodes.map(|end| nodes[&end].dead_end),
                most: Vec::new(),
            };
            return Ok(edges.iter().map(profile).collect());
        }
        let height = self.domain.height();
        let of_row = |room: &mut Vec<Nearest>, row: usize| {
            let (mut found, ids, heights) = (Vec::new(), ids.row(row), map.grid().row(row));
            self.each(row, room, |edge, column, nearest| {
                let ground = f64::from(heights[column]);
                if nearest.square.sqrt() <= self.middle() && ids[column] != NONE && ground.is_finite() {
                    found.push((edge, nearest.along, ground));
                }
            });
            progress.report(0.5 * row as f64 / height as f64)?;
            Ok(found)
        };
        let rows = (0..height).into_par_iter().with_min_len(ROWS);
        let ground: Vec<_> = rows.map_init(Vec::new, of_row).collect::<Result<_, Cancelled>>()?;
        Ok(beds(edges, nodes, ground.concat(), size, fall))
    }

    /// Tells of each edge near a row the samples in its reach, edge by edge.
    fn each(&self, row: usize, room: &mut Vec<Nearest>, mut tell: impl FnMut(usize, usize, Nearest)) {
        let (reach, y) = (self.feature.reach(), self.domain.y(row));
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
                    tell(piece(&of_edge[0]).edge, column, nearest);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
