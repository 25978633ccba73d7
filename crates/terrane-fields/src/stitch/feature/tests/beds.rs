//! Water in beds, sample by sample.

use std::collections::BinaryHeap;

use proptest::prelude::*;

use super::course::Piece;
use super::junction::tapered;
use super::*;
use terrane_kernels::Boundary;
use terrane_kernels::hydrology::{Draining, drainage};

/// The water level everywhere, with outlets at the border of the map and at some samples, by a
/// priority-flood.
fn flooded(map: &Heightmap, outlets: &[(usize, usize)]) -> Vec<f32> {
    let (width, height) = map.domain().size;
    let key = |level: f32| std::cmp::Reverse((f64::from(level) * 65536.0 * 65536.0) as i64);
    let mut levels = vec![f32::INFINITY; width * height];
    let mut queue = BinaryHeap::new();
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let border = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
        if border || outlets.contains(&(x, y)) {
            levels[y * width + x] = map[(x, y)];
            queue.push((key(map[(x, y)]), y, x));
        }
    }
    while let Some((_, y, x)) = queue.pop() {
        for (dy, dx) in (-1..=1isize).flat_map(|dy| (-1..=1isize).map(move |dx| (dy, dx))) {
            let (Some(y2), Some(x2)) = (y.checked_add_signed(dy), x.checked_add_signed(dx)) else { continue };
            if y2 < height && x2 < width && levels[y2 * width + x2] == f32::INFINITY {
                let level = levels[y * width + x].max(map[(x2, y2)]);
                levels[y2 * width + x2] = level;
                queue.push((key(level), y2, x2));
            }
        }
    }
    levels
}

/// A river, its ground, and where its water may end.
struct Drawn {
    graph: PlanarGraph,
    map: Heightmap,
    out: Heightmap,
    mask: Heightmap,
    /// The heights of each edge's bed, and how much deeper than requested each point is.
    beds: Vec<bed::Heights>,
    cut: f64,
    /// Where water leaves, and where it stays.
    ends: Vec<(f64, f64)>,
    lakes: Vec<(f64, f64)>,
    /// The half-width of a bed's level middle.
    level: f64,
}

fn draw(map: Heightmap, graph: PlanarGraph, feature: &Feature<'_>) -> Drawn {
    let (domain, outlines) = (map.domain(), outlines(&graph));
    let (out, mask) = trace(&map, &graph, &outlines, feature, &Silent).unwrap();
    // Repeats the computation from its parts.
    let (edges, nodes) = edges_and_nodes(&map, &graph, &outlines, feature);
    let network = Network::new(&edges, &nodes);
    let reach = feature.reach(&domain);
    let shares = shares(&network, 2.0 * reach);
    let pieces = pieces(&graph, &edges, &feature.bend, &domain, reach, &Silent).unwrap();
    let rows = Rows::new(pieces.clone(), feature, &domain);
    let ground = rows
        .ground(&map, feature, &network, &shares, &rasterise(&graph, &outlines, &domain), &Silent)
        .unwrap();
    let Feature { size, fall, .. } = *feature;
    let taper = Taper { level: feature.middle(&domain), length: 2.0 * reach };
    let deepest = 2.0 * reach * feature.deepest;
    let shape = Shape { size, fall, deepest, taper };
    let water = bed::network_points(&network, &shares, ground.clone(), &shape, &Silent).unwrap();
    let lakes = water.lakes(deepest, &Silent).unwrap();
    let ways = water.ways(&lakes, &Silent).unwrap();
    let highest = tapered(&water, &ways, &water.highest(&ways, fall), fall, taper);
    let way: f64 = edges.iter().map(|edge| edge.line.length).sum();
    let cut = water.most.iter().zip(&highest).map(|(most, bed)| most - bed - fall * way);
    let node = |index: usize| {
        let edge = network.around[index][0];
        edges[edge].line.ends[usize::from(network.ends[edge][1] == index)]
    };
    let place_of = |index: &usize| match index.checked_sub(network.nodes.len()) {
        None => node(*index),
        Some(index) => point(&pieces, water.between[index]),
    };
    let leaves = |index: &usize| network.nodes[*index].leaves != Leaves::No;
    Drawn {
        cut: cut.filter(|cut| cut.is_finite()).fold(0.0, f64::max),
        beds: beds(&network, &shares, ground, &shape, &Silent).unwrap(),
        ends: (0..network.nodes.len()).filter(leaves).map(node).collect(),
        lakes: lakes.iter().map(place_of).collect(),
        level: feature.middle(&domain),
        graph,
        map,
        out,
        mask,
    }
}

/// The point of a course at a distance along its edge.
fn point(pieces: &[Piece], (edge, along): (usize, f64)) -> (f64, f64) {
    let parts = pieces.iter().filter(|piece| piece.edge == edge);
    let near = parts.map(|piece| {
        let (from, to) = (piece.see(piece.line.ends[0]).1, piece.see(piece.line.ends[1]).1);
        let part = ((along - from) / (to - from)).clamp(0.0, 1.0);
        ((from + part * (to - from) - along).abs(), piece.line.point(part * piece.line.length))
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap().1
}

impl Drawn {
    /// Checks that from every sample in the middle of a bed a route leads down to where water leaves or
    /// stays, and that nothing is raised. Returns the number of samples.
    fn check(&self) -> usize {
        let domain = self.map.domain();
        let spacing = domain.spacing;
        let all = (0..domain.height()).flat_map(|row| (0..domain.width()).map(move |column| (column, row)));
        // Where water ends the bed is level across, so its water may be up to a sample further; ground that
        // is not a number is unknown.
        let unknown = |(x, y): (usize, usize)| {
            let around =
                (y.saturating_sub(1)..y + 2).flat_map(|y| (x.saturating_sub(1)..x + 2).map(move |x| (x, y)));
            around
                .filter(|at| at.0 < domain.width() && at.1 < domain.height())
                .any(|at| self.map[at].is_nan())
        };
        let ends = all.filter(|&(x, y)| {
            let at = (domain.x(x), domain.y(y));
            let near = |end: &(f64, f64)| libm::hypot(at.0 - end.0, at.1 - end.1) <= self.level + spacing;
            self.ends.iter().chain(&self.lakes).any(near) || unknown((x, y))
        });
        let levels = flooded(&self.out, &ends.collect::<Vec<_>>());
        let mut walked = 0;
        for (sample, level) in levels.iter().enumerate() {
            let (after, before) = (self.out.samples()[sample], self.map.samples()[sample]);
            if self.mask.samples()[sample] == 1.0 && !after.is_nan() {
                walked += 1;
                let at = (domain.x(sample % domain.width()), domain.y(sample / domain.width()));
                assert_eq!(*level, after, "{at:?}, ends {:?}, lakes {:?}", self.ends, self.lakes);
            }
            assert!(after <= before || (after.is_nan() && before.is_nan()));
        }
        walked
    }
}

/// Twenty seeds, with the node's default maximum cut and with an unlimited one. No sample in the middle of a
/// bed lies in a closed basin. With an unlimited cut, no bed rises between its ends more than once, and there
/// is no lake.
#[test]
fn water_in_a_bed_leaves_at_an_outlet() {
    let (mut walked, mut lakes) = ([0, 0], 0);
    for seed in 0..20 {
        let (spacing, side) = ([1.0, 2.0][seed as usize % 2], 256.0);
        let graph = cells(40, side, seed);
        let samples = (side / spacing) as usize + 1;
        let map = hills(Domain::new(samples, samples).with_spacing(spacing), 60.0, seed + 100);
        let lattice = Seed(seed).lattice();
        let some: Vec<u32> =
            (0..graph.edges.len() as u32).filter(|&edge| lattice.unit(i64::from(edge), 0) < 0.6).collect();
        let bend = Bend { amount: [0.0, 1.0, 0.7][seed as usize % 3], length: 60.0, seed: Seed(seed) };
        for (case, deepest) in [f64::INFINITY, 0.5].into_iter().enumerate() {
            let river = Feature { bend, deepest, ..feature(&some) };
            let drawn = draw(map.clone(), graph.clone(), &river);
            walked[case] += drawn.check();
            assert!(drawn.cut <= 20.0 * deepest, "{seed} {}", drawn.cut);
            lakes += if case == 1 { drawn.lakes.len() } else { 0 };
            for heights in drawn.beds.iter().filter(|_| deepest.is_infinite()) {
                // Up to the divide, and down.
                let rises = heights.windows(2).map(|pair| pair[1].1 > pair[0].1).collect::<Vec<_>>();
                let turns = rises.windows(2).filter(|pair| !pair[0] && pair[1]).count();
                let lake = drawn.lakes.len();
                assert!(turns <= lake, "{seed}: {turns}");
            }
            let asked = Draining { lakes: false, sea_level: None, boundary: Boundary::Open };
            let ways = drainage(&drawn.out, &asked, &Silent).unwrap().receivers;
            let domain = map.domain();
            for at in (0..map.samples().len())
                .filter(|&at| ways.samples()[at] == 0.0 && drawn.mask.samples()[at] == 1.0)
            {
                let at = (domain.x(at % domain.width()), domain.y(at / domain.width()));
                if [at.0, at.1].iter().any(|&along| along == 0.0 || along == side) {
                    continue;
                }
                // Near a node, or where water stays, the bed is level.
                let near = |&(x, y): &(f64, f64)| libm::hypot(at.0 - x, at.1 - y) < 2.5 * spacing.max(2.5);
                assert!(
                    drawn.graph.nodes.iter().chain(&drawn.lakes).any(near),
                    "seed {seed}: {at:?} drains nowhere"
                );
            }
        }
    }
    println!("{walked:?} samples, {lakes} lakes");
    assert!(walked[0] > 50_000 && walked[1] == walked[0] && lakes > 20, "{walked:?} {lakes}");
}

/// Some edges of cells, with short edges at their nodes, and several kinds of ground: hills, flat, a slope,
/// terraced hills, with holes.
fn drawings() -> impl Strategy<Value = (PlanarGraph, Vec<u32>, Heightmap, [f64; 4])> {
    let stubs = prop::collection::vec((any::<prop::sample::Index>(), 0.0..6.3f64, 0.3..4.0f64), 0..6);
    let of_graph = (5..18usize, any::<u16>(), 0.2..1.0f64, stubs);
    let of_map = (0..5usize, any::<u16>(), prop_oneof![Just(1.0), Just(2.0), Just(0.7)]);
    let size = prop_oneof![3 => Just(20.0), 1 => 0.1..40.0f64];
    let of_bed = (
        size,
        prop_oneof![Just(0.0), 0.0..1.0f64],
        prop_oneof![1 => Just(f64::INFINITY), 2 => 0.0..30.0f64],
        1.0..12.0f64,
    );
    (of_graph, of_map, of_bed).prop_map(
        |((count, seed, part, stubs), (kind, ground, spacing), (width, bend, deepest, size))| {
            let side = 96.0;
            let mut graph = cells(count, side, u64::from(seed));
            let lattice = Seed(u64::from(seed)).lattice();
            let mut some: Vec<u32> = (0..graph.edges.len() as u32)
                .filter(|&edge| f64::from(lattice.unit(i64::from(edge), 0)) < part)
                .collect();
            for (node, angle, length) in stubs {
                let node = node.index(graph.nodes.len());
                let (x, y) = graph.nodes[node];
                graph.nodes.push((x + length * libm::cos(angle), y + length * libm::sin(angle)));
                let edge = (node as u32, graph.nodes.len() as u32 - 1);
                graph.edges.push(edge);
                // Crossing edges do not form a planar graph.
                if section(&graph).is_err() {
                    graph.edges.pop();
                    graph.nodes.pop();
                } else {
                    some.push(graph.edges.len() as u32 - 1);
                }
            }
            let samples = (side / spacing) as usize + 1;
            let mut map = hills(Domain::new(samples, samples).with_spacing(spacing), 50.0, u64::from(ground));
            for (index, height) in map.samples_mut().iter_mut().enumerate() {
                *height = match kind {
                    0 => *height,
                    1 => 30.0,
                    2 => (index % samples) as f32,
                    3 => 8.0 * (*height / 8.0).floor(),
                    _ if index % 97 == 0 => f32::NAN,
                    _ => *height,
                };
            }
            (graph, some, map, [width, bend, deepest, size])
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// For any network and ground: from every sample in the middle of a bed a route leads down to where
    /// water leaves or stays, nothing is raised, and no point is cut deeper than allowed. If there is no
    /// outlet and any depth is allowed, water stays only at the lowest point of its part.
    #[test]
    fn all_beds_run_down((graph, some, map, [width, bend, deepest, size]) in drawings()) {
        let bend = Bend { amount: bend, length: 40.0, seed: Seed(1) };
        let river = Feature { size: -size, width, bend, deepest, ..feature(&some) };
        let drawn = draw(map, graph, &river);
        drawn.check();
        prop_assert!(
            drawn.cut <= deepest * width.max(4.0 * drawn.map.domain().spacing) + 1e-9,
            "{} {deepest}",
            drawn.cut
        );
    }
}
