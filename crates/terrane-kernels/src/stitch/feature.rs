//! Edges of a graph as rivers and ridges (after Mijailovic 2015, 3.1: an edge between two lakes may be a river).

use rayon::prelude::*;
use terrane_grid::{Domain, Heightmap, PlanarGraph};

use super::band::{Near, ROWS, columns};
use super::line::Line;
use super::nearness::rise;
use super::terrain::Terrain;
use crate::{Cancelled, Progress};

/// What a feature's size is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crest {
    /// A straight line between the ground's heights at both ends of the edge, so that water can run down it. A bed only lowers ground, and what has a
    /// size greater than 0 only raises it.
    Even,
    /// Each sample's own ground, whose shape stays.
    Ground,
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
}

/// A map with edges made rivers or ridges, and what part of the change each sample has.
///
/// Ground changes by the cross-section, and is as it was from its side on, to the bit. Where edges meet they are
/// blended by 1/n² of their distances, so that each counts alone in its middle. From a node that no other edge of the feature leaves the size rises
/// from 0, over a width or the edge where that is shorter. O(samples near edges · edges in reach).
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
///
/// # Panics
/// Where there is no such edge.
pub fn trace(
    map: &Heightmap,
    graph: &PlanarGraph,
    feature: &Feature<'_>,
    progress: &dyn Progress,
) -> Result<(Heightmap, Heightmap), Cancelled> {
    let domain = map.domain();
    let ground = Terrain::new(map, &domain);
    let edges = edges(graph, feature, &ground);
    let reach = feature.width / 2.0;
    let near = edges.iter().map(|edge| {
        let [a, b] = edge.line.ends.map(|end| end.1);
        (0, a.min(b) - reach, a.max(b) + reach)
    });
    let near = Near::new(near, &domain);
    let width = domain.width().max(1);
    let (mut heights, mut mask) = (map.samples().to_vec(), vec![0.0f32; domain.len()]);
    let rows = heights.par_chunks_mut(width).zip(mask.par_chunks_mut(width)).enumerate().with_min_len(ROWS);
    rows.try_for_each_init(Vec::new, |blends, (row, (heights, mask))| {
        blends.clear();
        blends.resize(width, Blend::default());
        for &(_, edge) in near.of(row, 0) {
            edges[edge as usize].add(feature, &domain, domain.y(row), heights, blends);
        }
        for ((height, mask), blend) in heights.iter_mut().zip(mask).zip(blends.iter()) {
            if blend.part > 0.0 {
                *height += (blend.part * (blend.sum / blend.weights)) as f32;
                *mask = blend.part as f32;
            }
        }
        progress.report(row as f64 / domain.height() as f64)
    })?;
    Ok((Heightmap::from_vec(domain, heights), Heightmap::from_vec(domain, mask)))
}

/// An edge of a feature.
struct Edge {
    line: Line,
    /// The ground's heights at both ends.
    levels: [f64; 2],
    /// Whether an end is one of the whole feature.
    ends: [bool; 2],
}

fn edges(graph: &PlanarGraph, feature: &Feature<'_>, ground: &Terrain<'_>) -> Vec<Edge> {
    let mut numbers = feature.edges.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let mut degrees = vec![0u32; graph.nodes.len()];
    for &number in &numbers {
        let (a, b) = graph.edges[number as usize];
        degrees[a as usize] += 1;
        degrees[b as usize] += 1;
    }
    let edge = |number: &u32| {
        let (a, b) = graph.edges[*number as usize];
        let line = Line::new([a, b].map(|node| graph.nodes[node as usize]))?;
        let levels = line.ends.map(|end| ground.at(end));
        Some(Edge { line, levels, ends: [a, b].map(|node| degrees[node as usize] == 1) })
    };
    numbers.iter().filter_map(edge).collect()
}

/// Several edges at a sample.
#[derive(Clone, Copy, Debug, Default)]
struct Blend {
    sum: f64,
    weights: f64,
    /// The greatest part of any.
    part: f64,
}

impl Edge {
    fn add(&self, feature: &Feature<'_>, domain: &Domain, y: f64, heights: &[f32], blends: &mut [Blend]) {
        let reach = feature.width / 2.0;
        let Some(span) = self.line.span(y, reach) else { return };
        let tiny = 1e-9 * reach * reach;
        for column in columns(domain, &(0..blends.len()), span) {
            let seen = self.line.see(0, (domain.x(column), y));
            let part = cross_section(feature.profile, seen.square.sqrt() / reach);
            if part > 0.0 {
                let (blend, weight) = (&mut blends[column], part / (seen.square + tiny));
                blend.sum += weight * self.change(feature, seen.along, f64::from(heights[column]));
                blend.weights += weight;
                blend.part = blend.part.max(part);
            }
        }
    }

    /// The whole change of a height so far along.
    fn change(&self, feature: &Feature<'_>, along: f64, height: f64) -> f64 {
        let over = feature.width.min(self.line.length);
        let from = [along, self.line.length - along];
        let size = (0..2)
            .filter(|&end| self.ends[end])
            .fold(feature.size, |size, end| size * rise(from[end] / over));
        match feature.crest {
            Crest::Ground => size,
            Crest::Even => {
                let level = self.levels[0] + (self.levels[1] - self.levels[0]) * (along / self.line.length);
                let change = level + size - height;
                if feature.size < 0.0 { change.min(0.0) } else { change.max(0.0) }
            }
        }
    }
}

/// What part of the change there is at a place between the middle, 0, and the side, 1.
fn cross_section(profile: &[(f64, f64)], place: f64) -> f64 {
    if place >= 1.0 {
        return 0.0;
    }
    let Some(&first) = profile.first() else { return 1.0 - rise(place) };
    let mut before = (0.0, first.1);
    for &(at, part) in profile.iter().chain([&(1.0, 0.0)]) {
        if place < at {
            return before.1 + (part - before.1) * ((place - before.0) / (at - before.0));
        }
        before = (at, part);
    }
    before.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    fn slope(size: usize) -> Heightmap {
        Heightmap::from_fn(Domain::new(size, size), |x, y| 0.5 * x as f32 + ((x * 7 + y * 3) % 5) as f32)
    }

    fn cross() -> PlanarGraph {
        PlanarGraph {
            nodes: vec![(4.0, 20.0), (20.0, 20.0), (36.0, 20.0), (20.0, 36.0)],
            edges: vec![(0, 1), (1, 2), (1, 3)],
        }
    }

    /// A bed is the straight line between its nodes less its depth; ground beyond its side is what it was.
    #[test]
    fn a_river_runs_evenly_and_ground_beside_it_stays() {
        let (map, graph) = (slope(41), cross());
        let feature = Feature { edges: &[0, 1, 2], size: -3.0, width: 8.0, profile: &[], crest: Crest::Even };
        let (out, mask) = trace(&map, &graph, &feature, &Silent).unwrap();
        let level = |x: usize, y: usize| f64::from(map[(x, y)]);
        for x in 12..29 {
            // Away from dead ends by a width.
            let (from, to) = if x < 20 { (4, 20) } else { (20, 36) };
            let even = level(from, 20) + (level(to, 20) - level(from, 20)) * (x - from) as f64 / 16.0;
            let wanted = (even - 3.0).min(level(x, 20));
            assert!((f64::from(out[(x, 20)]) - wanted).abs() < 1e-5, "{x}");
            assert_eq!(mask[(x, 20)], 1.0);
        }
        assert_eq!(out[(4, 20)], map[(4, 20)], "at a dead end there is no depth");
        for y in 0..41 {
            for x in 0..41 {
                let near = graph.edges.iter().any(|&(a, b)| {
                    let line = Line::new([a, b].map(|node| graph.nodes[node as usize])).unwrap();
                    line.see(0, (x as f64, y as f64)).square < 16.0
                });
                assert_eq!(mask[(x, y)] > 0.0, near, "{x} {y}");
                assert!(near || out[(x, y)].to_bits() == map[(x, y)].to_bits());
                assert!(out[(x, y)] <= map[(x, y)], "a river raises nothing");
            }
        }
    }

    #[test]
    fn a_ridge_stands_on_the_ground_by_its_profile() {
        let map = slope(41);
        let profile = [(0.0, 1.0), (0.5, 0.25)];
        let feature =
            Feature { edges: &[0, 1], size: 10.0, width: 8.0, profile: &profile, crest: Crest::Ground };
        let (out, _) = trace(&map, &cross(), &feature, &Silent).unwrap();
        let raised = |x: usize, y: usize| out[(x, y)] - map[(x, y)];
        assert!((raised(14, 20) - 10.0).abs() < 1e-5);
        assert!((raised(14, 22) - 2.5).abs() < 1e-5 && (raised(14, 21) - 6.25).abs() < 1e-5);
        assert!((raised(14, 23) - 1.25).abs() < 1e-5 && raised(14, 24) == 0.0);
    }

    #[test]
    fn the_order_of_edges_and_threads_do_not_matter() {
        let map = slope(64);
        let of = |edges: &[u32], threads: usize| {
            let feature = Feature { edges, size: -3.0, width: 9.0, profile: &[], crest: Crest::Even };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| trace(&map, &cross(), &feature, &Silent).unwrap())
        };
        assert_eq!(of(&[0, 1, 2], 1), of(&[2, 1, 0, 1], 3));
    }
}
