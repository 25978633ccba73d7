//! Edges of a graph as rivers and ridges (after Mijailovic 2015, 3.1: an edge between two lakes may be a
//! river).

mod banks;
mod bed;
mod begin;
mod blend;
mod course;
mod junction;
mod network;
mod parameters;
mod rows;
mod water;

use crate::parallel::{slices, try_for_each_with};
use std::collections::{BTreeMap, BTreeSet};

use terrane_grid::{Grid, Heightmap, PlanarGraph};

use super::NONE;
use super::band::ROWS;
use super::outline::{self, Outline};
use super::raster::rasterise;
use super::terrain::Terrain;
use crate::{Cancelled, Progress};
use bed::{Shape, beds};
use begin::{Share, shares};
use blend::{Blend, Change, Middle};
use course::{Edge, edges, pieces};
use junction::Taper;
use network::{Leaves, Network, Node};
use rows::{Nearest, Rows};

pub use parameters::{Bend, Crest, Feature};

/// A map with edges turned into rivers or ridges, and each sample's share of the change.
///
/// The ground changes by the cross-section, and keeps its bits beyond the feature's side and outside all
/// fields. Where edges meet they are blended with weights 1/n², where n is the distance from an edge's
/// middle, so that each edge counts alone in its middle. At a node with a single edge of the feature, the
/// size is 0, unless water leaves there. From such a node it rises over one width along the route through the
/// network.
///
/// Courses meander according to [`Bend`], by a noise of the plane, so that every map has the same course.
/// They never reach half-way to another edge of the graph, and do not move at nodes.
///
/// A bed is a feature with [`Crest::Even`] and a negative size. It is below the ground by this size along its
/// course. Across a slope it is deeper, so that the ground at both sides is above it by at least half of the
/// size. It is also lower where water would otherwise not drain: it never rises on the way to an outlet.
/// Outlets are nodes on the outer border of the fields or beyond the map, or, if there are none, the
/// network's lowest point. Where a bed would have to be cut deeper than `deepest`, water stays. To guarantee
/// the descent sample by sample, the bed is level across on both sides of its middle: for an eighth of its
/// width, but at least one sample and at most eight. The cross-section begins beyond that. So each sample in
/// the middle has a lower neighbour, up to where water leaves or stays.
///
/// O(samples near edges · pieces in reach), and per piece the other edges in its reach. If a node's ground
/// is not a number, an even crest is undefined, and the edge is left out.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
///
/// # Panics
/// If an edge number does not exist.
pub fn trace(
    map: &Heightmap,
    graph: &PlanarGraph,
    outlines: &[Outline],
    feature: &Feature<'_>,
    progress: &dyn Progress,
) -> Result<(Heightmap, Heightmap), Cancelled> {
    let domain = map.domain();
    let (edges, nodes) = edges_and_nodes(map, graph, outlines, feature);
    let network = Network::new(&edges, &nodes);
    let (reach, level) = (feature.reach(&domain), feature.middle(&domain));
    let shares = shares(&network, 2.0 * reach);
    let pieces = pieces(graph, &edges, &feature.bend, &domain, reach, progress)?;
    let ids = rasterise(graph, outlines, &domain);
    let rows = Rows::new(pieces, feature, &domain);
    let middles = middles(map, &rows, &network, &shares, feature, &ids, progress)?;
    let width = domain.width().max(1);
    let (mut heights, mut mask) = (map.samples().to_vec(), vec![0.0f32; domain.len()]);
    let parts = (slices(&mut heights, width), slices(&mut mask, width));
    try_for_each_with(
        parts,
        ROWS,
        Default::default,
        |(room, blends): &mut (Vec<Nearest>, Vec<Blend>), row, (heights, mask)| {
            blends.clear();
            blends.resize(width, Blend::default());
            let inside = ids.row(row);
            rows.each(row, room, |edge, column, nearest| {
                if inside[column] != NONE {
                    let (middle, share) = (&middles[edge], &shares[edge]);
                    let length = edges[edge].line.length;
                    let change = Change { feature, middle, share, length, reach, level };
                    blends[column].add(&change, nearest, f64::from(heights[column]));
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
fn edges_and_nodes(
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
    let node = |node: u32| {
        let at = graph.nodes[node as usize];
        let leaves = if at.0 < x || at.0 > x + width || at.1 < y || at.1 > y + height {
            Leaves::Beyond
        } else if border.contains(&node) {
            Leaves::Border
        } else {
            Leaves::No
        };
        (node, Node { ground: terrain.at(at), leaves })
    };
    let nodes: BTreeMap<u32, Node> = edges.iter().flat_map(|edge| edge.nodes).map(node).collect();
    if feature.crest == Crest::Even {
        edges.retain(|edge| edge.nodes.iter().all(|node| nodes[node].ground.is_finite()));
    }
    (edges, nodes)
}

/// The centre line of each edge.
fn middles(
    map: &Heightmap,
    rows: &Rows,
    network: &Network,
    shares: &[Share],
    feature: &Feature<'_>,
    ids: &Grid<u32>,
    progress: &dyn Progress,
) -> Result<Vec<Middle>, Cancelled> {
    let Feature { size, fall, deepest, crest, .. } = *feature;
    if feature.is_bed() {
        let ground = rows.ground(map, feature, network, shares, ids, progress)?;
        let width = 2.0 * feature.reach(&map.domain());
        let taper = Taper { level: feature.middle(&map.domain()), length: width };
        let shape = Shape { size, fall, deepest: deepest * width, taper };
        let beds = beds(network, shares, ground, &shape, progress)?;
        return Ok(beds.into_iter().map(Middle::Bed).collect());
    }
    let middle = |ends: &[usize; 2]| match crest {
        Crest::Ground => Middle::Higher(size),
        Crest::Even => Middle::Line(ends.map(|node| network.nodes[node].ground + size)),
    };
    Ok(network.ends.iter().map(middle).collect())
}

#[cfg(test)]
mod tests;
