//! Random graphs of five kinds, with edges down to a hundredth of the distance.

use terrane_grid::{Domain, Heightmap, PlanarGraph, Seed};

use super::worlds::World;
use crate::Silent;
use crate::sectioning::{grid_graph, random_graph, scattered, section, split_crossings, voronoi_graph};
use crate::stitch::Outline;
use terrane_grid::ScalarMap;
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};

/// How far graphs extend, in world units.
pub const EXTENT: f64 = 120.0;

/// The number of kinds.
pub const KINDS: u64 = 5;

/// A sequence of random numbers.
pub struct Draw(Seed, i64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(Seed(seed), 0)
    }

    /// A number in a range.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.1 += 1;
        low + (high - low) * f64::from(self.0.lattice().unit(self.1, 0))
    }
}

/// A graph of one kind: cells, random, hand-made with short edges, nested rings, stars over squares.
pub fn graph(kind: u64, distance: f64, draw: &mut Draw) -> PlanarGraph {
    let (low, high) = ((0.0, 0.0), (EXTENT, EXTENT));
    let seed = Seed(draw.between(0.0, 1e6) as u64);
    let small = |draw: &mut Draw| distance * libm::pow(10.0, draw.between(-2.0, -0.3));
    let mut graph = match kind % KINDS {
        0 => {
            let sites = scattered(draw.between(5.0, 40.0) as usize, low, high, seed).unwrap();
            voronoi_graph(&sites, low, high, &Silent).unwrap()
        }
        1 => {
            random_graph(draw.between(12.0, 60.0) as usize, draw.between(0.6, 1.0), low, high, seed).unwrap()
        }
        2 => {
            let cells = draw.between(2.0, 5.0) as usize;
            let cell = EXTENT / cells as f64;
            let mut graph = grid_graph(cells, cells, cell, draw.between(0.0, 0.2), seed).unwrap();
            for node in 0..graph.nodes.len() as u32 {
                split_node(&mut graph, node, small(draw).min(0.2 * cell), draw);
            }
            graph
        }
        3 => {
            let mut graph = grid_graph(2, 1, EXTENT / 2.0, 0.0, seed).unwrap();
            let (at, mut radius) =
                ((draw.between(30.0, 90.0), draw.between(20.0, 40.0)), draw.between(25.0, 50.0));
            while radius > 3.0 {
                let count = draw.between(3.0, 12.0) as usize;
                add_ring(&mut graph, count, |_| (at, radius), draw.between(0.0, 6.0));
                radius = radius * libm::cos(std::f64::consts::PI / count as f64) - small(draw);
            }
            graph
        }
        _ => {
            let cells = draw.between(1.0, 4.0) as usize;
            let mut graph =
                grid_graph(cells, cells, EXTENT / cells as f64, draw.between(0.0, 0.2), seed).unwrap();
            for _ in 0..draw.between(1.0, 3.5) as usize {
                let at = (draw.between(30.0, 90.0), draw.between(25.0, 60.0));
                let (outer, inner) = (draw.between(20.0, 50.0), draw.between(2.0, 15.0));
                let (tips, turn) = (draw.between(4.0, 9.0) as usize, draw.between(0.0, 6.0));
                add_ring(&mut graph, 2 * tips, |i| (at, if i % 2 == 0 { outer } else { inner }), turn);
            }
            graph
        }
    };
    split_crossings(&mut graph).unwrap();
    graph
}

/// Splits a node into two at a distance, each with the edges on its side.
fn split_node(graph: &mut PlanarGraph, node: u32, apart: f64, draw: &mut Draw) {
    let at = graph.nodes[node as usize];
    let own: Vec<usize> = (0..graph.edges.len())
        .filter(|&edge| graph.edges[edge].0 == node || graph.edges[edge].1 == node)
        .collect();
    if own.len() < 4 {
        return;
    }
    let angle = draw.between(0.0, 7.0);
    let way = (libm::cos(angle), libm::sin(angle));
    let new = graph.nodes.len() as u32;
    graph.nodes[node as usize] = (at.0 - 0.5 * apart * way.0, at.1 - 0.5 * apart * way.1);
    graph.nodes.push((at.0 + 0.5 * apart * way.0, at.1 + 0.5 * apart * way.1));
    for edge in own {
        let (a, b) = graph.edges[edge];
        let other = graph.nodes[if a == node { b } else { a } as usize];
        if (other.0 - at.0) * way.0 + (other.1 - at.1) * way.1 > 0.0 {
            graph.edges[edge] = if a == node { (new, b) } else { (a, new) };
        }
    }
    graph.edges.push((node, new));
}

fn add_ring(graph: &mut PlanarGraph, count: usize, position: impl Fn(usize) -> ((f64, f64), f64), turn: f64) {
    let first = graph.nodes.len() as u32;
    for i in 0..count {
        let (at, radius) = position(i);
        let angle = turn + std::f64::consts::TAU * i as f64 / count as f64;
        let inside = |x: f64| x.clamp(1.0, EXTENT - 1.0);
        graph
            .nodes
            .push((inside(at.0 + radius * libm::cos(angle)), inside(at.1 + radius * libm::sin(angle))));
        graph.edges.push((first + i as u32, first + ((i + 1) % count) as u32));
    }
}

/// The graph's fields over their extent, without terrain.
fn bare(graph: &PlanarGraph, spacing: f64) -> World {
    let sections = section(graph).unwrap();
    let outline = |field: &crate::sectioning::Field| Outline {
        rings: std::iter::once(&field.ring).chain(&field.holes).map(|ring| ring.nodes.clone()).collect(),
    };
    let outlines: Vec<Outline> = sections.fields.iter().map(outline).collect();
    let samples = (EXTENT / spacing) as usize + 1;
    let domain = Domain::new(samples, samples).with_spacing(spacing);
    World { graph: graph.clone(), outlines, terrains: Vec::new(), domain }
}

/// The graph's fields over their extent, each at a separate level between 0 and 60 with waves of some units
/// on it.
pub fn world(graph: &PlanarGraph, spacing: f64, seed: u64) -> World {
    let mut world = bare(graph, spacing);
    let (lattice, domain) = (Seed(seed).part(7).lattice(), world.domain);
    let terrain = |field: usize| {
        let unit = |part: i64| f64::from(lattice.unit(field as i64, part));
        let level = 20.0 * (3.0 * unit(0)).floor() + 20.0 * unit(4);
        let (step, [along, across]) = (0.02 + 0.06 * unit(1), [6.0 * unit(2), 6.0 * unit(3)]);
        let columns: Vec<f64> = (0..domain.width()).map(|x| libm::sin(domain.x(x) * step + along)).collect();
        let rows: Vec<f64> = (0..domain.height()).map(|y| libm::sin(domain.y(y) * 0.05 + across)).collect();
        Heightmap::from_fn(domain, |x, y| (level + 4.0 * (columns[x] * rows[y])) as f32)
    };
    world.terrains = (0..world.outlines.len()).map(terrain).collect();
    world
}

/// The same graph's fields, each with separate noise, down to waves of 7 units, at a separate level.
pub fn noisy_world(graph: &PlanarGraph, spacing: f64, seed: u64) -> World {
    let mut world = bare(graph, spacing);
    let (lattice, domain) = (Seed(seed).part(11).lattice(), world.domain);
    let terrain = |field: usize| {
        let unit = |part: i64| lattice.unit(field as i64, part);
        let noise = Noise {
            basis: Basis::ZeroGradient(Smoothstep::CUBIC),
            fractal: Fractal::Fbm,
            octaves: 3,
            wavelength: 30.0 + 90.0 * f64::from(unit(0)),
            lacunarity: 2.0,
            layout: Layout::Straight,
        };
        let amplitude = ScalarMap::Constant(5.0 + 55.0 * unit(1));
        let drive = Drive { amplitude, offset: 60.0 * unit(2), ..Drive::default() };
        let seed = Seed(seed).part(field as u64 + 20);
        noise.heights(&domain, seed, &drive, &Silent).unwrap()
    };
    world.terrains = (0..world.outlines.len()).map(terrain).collect();
    world
}
