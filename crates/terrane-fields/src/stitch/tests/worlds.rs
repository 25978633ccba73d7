//! Graphs and terrain to stitch.

use terrane_grid::{Domain, Heightmap, PlanarGraph, Seed};

use crate::Silent;
use crate::stitch::{Outline, Stitch, Stitched, rasterise, stitch};

/// A graph, its fields and their terrain over a domain.
#[derive(Clone)]
pub struct World {
    pub graph: PlanarGraph,
    pub outlines: Vec<Outline>,
    pub terrains: Vec<Heightmap>,
    pub domain: Domain,
}

impl World {
    /// Fields with one ring each.
    pub fn new(
        nodes: &[(f64, f64)],
        rings: &[&[u32]],
        domain: Domain,
        height: impl Fn(usize, f64, f64) -> f32,
    ) -> Self {
        let outlines: Vec<Outline> =
            rings.iter().map(|ring| Outline { rings: vec![ring.to_vec()] }).collect();
        let graph = PlanarGraph { nodes: nodes.to_vec(), edges: Vec::new() };
        let terrain =
            |field: usize| Heightmap::from_fn(domain, |x, y| height(field, domain.x(x), domain.y(y)));
        let terrains = (0..rings.len()).map(terrain).collect();
        Self { graph, outlines, terrains, domain }
    }

    /// `cells` × `cells` fields of 12 units, inner nodes moved by up to half of that.
    pub fn grid(cells: usize, spacing: f64, seed: u64, height: impl Fn(usize, f64, f64) -> f32) -> Self {
        let side = cells + 1;
        let lattice = Seed(seed).lattice();
        let moved = |i: usize, part: i64, at: usize| {
            let free = at != 0 && at != cells;
            // Multiples of one half, so that nodes are samples.
            if free { (lattice.unit(i as i64, part) * 13.0).floor() as f64 * 0.5 - 3.0 } else { 0.0 }
        };
        let node = |i: usize| {
            let (x, y) = (i % side, i / side);
            (12.0 * x as f64 + moved(i, 0, x), 12.0 * y as f64 + moved(i, 1, y))
        };
        let nodes: Vec<_> = (0..side * side).map(node).collect();
        let at = |x: usize, y: usize| (y * side + x) as u32;
        let ring = |i: usize| {
            let (x, y) = (i % cells, i / cells);
            vec![at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)]
        };
        let rings: Vec<Vec<u32>> = (0..cells * cells).map(ring).collect();
        let rings: Vec<&[u32]> = rings.iter().map(Vec::as_slice).collect();
        let samples = (12.0 * cells as f64 / spacing) as usize + 1;
        Self::new(&nodes, &rings, Domain::new(samples, samples).with_spacing(spacing), height)
    }

    /// Two fields side by side, 40 wide and 120 high, their edge at x = 40.
    pub fn pair(height: impl Fn(usize, f64, f64) -> f32) -> Self {
        let nodes = [(0.0, 0.0), (40.0, 0.0), (80.0, 0.0), (80.0, 120.0), (40.0, 120.0), (0.0, 120.0)];
        Self::new(&nodes, &[&[0, 1, 4, 5], &[1, 2, 3, 4]], Domain::new(81, 121), height)
    }

    /// An octagonal island in a square that is cut in two next to it: one closed border, and one with many
    /// nodes.
    pub fn island(height: impl Fn(usize, f64, f64) -> f32) -> Self {
        let nodes = [
            (0.0, 0.0),
            (40.0, 0.0),
            (40.0, 30.0),
            (0.0, 30.0),
            (22.0, 0.0),
            (24.0, 6.0),
            (23.0, 12.0),
            (26.0, 20.0),
            (25.0, 30.0),
            (6.0, 10.0),
            (9.0, 8.0),
            (13.0, 9.0),
            (15.0, 13.0),
            (14.0, 18.0),
            (10.0, 20.0),
            (7.0, 18.0),
            (5.0, 14.0),
        ];
        let rings: [&[u32]; 3] =
            [&[0, 4, 5, 6, 7, 8, 3], &[4, 1, 2, 8, 7, 6, 5], &[9, 10, 11, 12, 13, 14, 15, 16]];
        let mut world = Self::new(&nodes, &rings, Domain::new(41, 31), height);
        world.outlines[0].rings.push(vec![16, 15, 14, 13, 12, 11, 10, 9]);
        world
    }

    /// A field with a spike into another, a strip thinner than a sample, a strip as thin as Distance, and a
    /// node in a straight edge.
    pub fn odd(spacing: f64, height: impl Fn(usize, f64, f64) -> f32) -> Self {
        let nodes = [
            (0.0, 0.0),
            (20.0, 0.0),
            (19.0, 30.0),
            (0.0, 30.0), // 0 to 3: a field with a spike at 4 into it.
            (6.0, 14.0),
            (19.7, 12.0),
            (19.6, 15.0),
            (20.5, 0.0),
            (20.25, 30.0), // A thin strip.
            (26.0, 0.0),
            (27.0, 15.0),
            (28.0, 30.0), // A strip with a node in a straight edge.
            (42.0, 0.0),
            (42.0, 30.0),
        ];
        let rings: [&[u32]; 5] = [
            &[0, 1, 5, 4, 6, 2, 3],
            &[5, 6, 4],
            &[1, 7, 8, 2, 6, 5],
            &[7, 9, 10, 11, 8],
            &[9, 12, 13, 11, 10],
        ];
        let samples = |extent: f64| (extent / spacing) as usize + 1;
        Self::new(&nodes, &rings, Domain::new(samples(42.0), samples(30.0)).with_spacing(spacing), height)
    }

    pub fn ids(&self) -> terrane_grid::Grid<u32> {
        rasterise(&self.graph, &self.outlines, &self.domain)
    }

    pub fn maps(&self) -> Vec<&Heightmap> {
        self.terrains.iter().collect()
    }

    pub fn before(&self) -> Heightmap {
        crate::stitch::populate(&self.ids(), &self.maps(), &self.domain, 0.0)
    }

    pub fn stitched(&self, parameters: &Stitch<'_>) -> Stitched {
        stitch(&self.graph, &self.outlines, &self.ids(), &self.maps(), &self.domain, parameters, &Silent)
            .unwrap()
    }
}

/// Hills of some units, a different kind for each field, between -1 and 2.
pub fn hills(field: usize, x: f64, y: f64) -> f32 {
    let wave = |t: f64| libm::sin(t + field as f64);
    (wave(x * 0.31) * wave(y * 0.23) * 0.5 + 0.2 * wave(x * 0.9 + y) + (field % 4) as f64 * 0.3) as f32
}

/// A different level for each field.
pub fn flats(field: usize, _: f64, _: f64) -> f32 {
    (field * field % 7) as f32
}
