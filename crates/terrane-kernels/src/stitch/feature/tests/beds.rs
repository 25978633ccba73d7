//! Water in beds.

use std::collections::BinaryHeap;

use proptest::prelude::*;

use super::bed::Ground;
use super::*;
use crate::Boundary;
use crate::hydrology::{Draining, drainage};
use crate::stitch::feature::course::Edge;

/// How high water stands everywhere that runs off at the border of the map and at some samples, by a priority-flood.
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

/// At the node's defaults, on twenty seeds: along every edge the bed never rises from its upper to its lower end, and no sample in the middle of a bed
/// lies in a closed basin.
#[test]
fn water_in_a_bed_leaves_at_an_outlet() {
    let mut walked = 0;
    for seed in 0..20 {
        let (spacing, side) = ([1.0, 2.0][seed as usize % 2], 256.0);
        let graph = cells(40, side, seed);
        let domain =
            Domain::new((side / spacing) as usize + 1, (side / spacing) as usize + 1).with_spacing(spacing);
        let map = hills(domain, 60.0, seed + 100);
        let lattice = Seed(seed).lattice();
        let some: Vec<u32> =
            (0..graph.edges.len() as u32).filter(|&edge| lattice.unit(i64::from(edge), 0) < 0.6).collect();
        let bend = Bend { amount: [0.0, 1.0, 0.7][seed as usize % 3], length: 60.0, seed: Seed(seed) };
        let river = Feature { bend, ..feature(&some) };
        let (out, mask) = trace(&map, &graph, &outlines(&graph), &river, &Silent).unwrap();
        let (edges, nodes) = known(&map, &graph, &outlines(&graph), &river);
        let lowest = lowest(&edges, &nodes);
        // Water that is a sample from an outlet is there.
        let outlets = lowest.iter().flat_map(|&node| {
            let (x, y) = graph.nodes[node as usize];
            let near = move |&(column, row): &(usize, usize)| {
                libm::hypot(column as f64 * spacing - x, row as f64 * spacing - y) <= spacing
            };
            let all =
                (0..domain.height()).flat_map(|row| (0..domain.width()).map(move |column| (column, row)));
            all.filter(near)
        });
        let outlets: Vec<_> = outlets.collect();
        let (middle, pieces) =
            (spacing, pieces(&graph, &edges, &bend, &domain, river.reach(), &Silent).unwrap());
        let near = near(&pieces, river.reach(), &domain);
        let rows = Rows { feature: &river, domain, pieces, near };
        let profiles =
            rows.profiles(&map, &edges, &nodes, &rasterise(&graph, &outlines(&graph), &domain), &Silent);
        for (edge, profile) in edges.iter().zip(&profiles.unwrap()) {
            let change = Change { feature: &river, profile, length: edge.line.length, middle };
            let heights: Vec<f64> =
                (0..=1000).map(|step| change.even(edge.line.length * f64::from(step) / 1000.0)).collect();
            let down = heights[0] >= heights[1000];
            assert!(
                heights.windows(2).all(|pair| (pair[0] - pair[1]) * if down { 1.0 } else { -1.0 } >= -1e-9)
            );
        }
        let levels = flooded(&out, &outlets);
        for (sample, level) in levels.iter().enumerate().filter(|(sample, _)| mask.samples()[*sample] == 1.0)
        {
            walked += 1;
            let column = (sample % domain.width(), sample / domain.width());
            assert_eq!(*level, out.samples()[sample], "seed {seed}, {column:?}");
        }
        let asked = Draining { lakes: false, sea_level: None, boundary: Boundary::Open };
        let ways = drainage(&out, &asked, &Silent).unwrap().receivers;
        for at in (0..levels.len()).filter(|&at| mask.samples()[at] == 1.0 && ways.samples()[at] == 0.0) {
            let at = (domain.x(at % domain.width()), domain.y(at / domain.width()));
            if [at.0, at.1].iter().any(|&along| along == 0.0 || along == side) {
                continue;
            }
            // Beside a node the bed is level.
            let near = |&(x, y): &(f64, f64)| libm::hypot(at.0 - x, at.1 - y) < 2.5 * spacing;
            assert!(graph.nodes.iter().any(near), "seed {seed}: {at:?} drains nowhere");
        }
        assert!(out.samples().iter().zip(map.samples()).all(|(after, before)| after <= before));
    }
    assert!(walked > 50_000, "{walked}");
}

/// The lowest nodes of parts that have no outlet.
fn lowest(edges: &[Edge], nodes: &BTreeMap<u32, Node>) -> Vec<u32> {
    let mut parts: BTreeMap<u32, u32> = nodes.keys().map(|&node| (node, node)).collect();
    for _ in 0..edges.len() {
        for edge in edges {
            let least = parts[&edge.nodes[0]].min(parts[&edge.nodes[1]]);
            edge.nodes.iter().for_each(|node| _ = parts.insert(*node, least));
        }
    }
    let all: BTreeSet<u32> = parts.values().copied().collect();
    let of_part = |part: u32| {
        let own: Vec<u32> = nodes.keys().copied().filter(|node| parts[node] == part).collect();
        let closed = own.iter().all(|node| !nodes[node].outlet);
        let low = own.into_iter().min_by(|a, b| nodes[a].ground.total_cmp(&nodes[b].ground));
        low.filter(|_| closed)
    };
    all.into_iter().filter_map(of_part).collect()
}

/// A river over a hump and through a hollow, by hand.
#[test]
fn a_hollow_lowers_all_that_comes_after_it() {
    let graph =
        PlanarGraph { nodes: vec![(0.0, 0.0), (10.0, 0.0), (30.0, 0.0)], edges: vec![(0, 1), (1, 2)] };
    let edges = edges(&graph, &[0, 1]);
    let node = |ground: f64, outlet: bool, dead_end: bool| Node { ground, outlet, dead_end };
    let nodes = BTreeMap::from([
        (0, node(20.0, false, true)),
        (1, node(18.0, false, false)),
        (2, node(14.0, true, true)),
    ]);
    let ground = vec![(0, 5.0, 25.0), (1, 5.0, 9.0), (1, 10.0, 40.0), (1, 15.0, 11.0)];
    let found = beds(&edges, &nodes, ground, -4.0, 0.1);
    // From 20 down; 18 - 4 at the node; the hollow of 9, then a fall of 0.1 over 15 units.
    assert_eq!(found[0].levels, [20.0, 18.0]);
    assert_eq!(found[0].ends, [true, false]);
    assert_eq!(found[1].most, [(0.0, 14.0), (5.0, 9.0), (20.0, 7.5)]);
    assert_eq!(found[1].levels, [18.0, 11.5]);
    assert_eq!((found[1].most_at(2.5), found[1].most_at(20.0)), (11.5, 7.5));
}

type Ends = Vec<(u32, u32)>;

/// Edges, heights of nodes, outlets, and samples between.
fn networks() -> impl Strategy<Value = (Ends, Vec<(f64, bool)>, Vec<Ground>)> {
    let nodes = prop::collection::vec((0.0..100.0f64, prop::bool::weighted(0.2)), 2..9);
    nodes.prop_flat_map(|nodes| {
        let count = nodes.len() as u32;
        let pair = (0..count, 0..count).prop_filter("two", |(a, b)| a != b);
        let edges = prop::collection::btree_set(pair.prop_map(|(a, b)| (a.min(b), a.max(b))), 1..14);
        let ground = prop::collection::vec((0..14usize, 0.0..1.0f64, -40.0..140.0f64), 0..40);
        (edges.prop_map(|edges| edges.into_iter().collect()), Just(nodes), ground)
    })
}

proptest! {
    /// Whatever the network: no bed rises on its way, none is above the ground of any sample, edges make no circle, and every node has a way down to an outlet;
    /// and each node's bed is the highest for which this holds, found by lowering beds until nothing changes.
    #[test]
    fn beds_go_down_to_outlets_and_no_deeper((ends, heights, ground) in networks()) {
        let (size, fall) = (-5.0, 0.01);
        let place = |node: usize| (node as f64 * 10.0, (node * node) as f64);
        let graph = PlanarGraph { nodes: (0..heights.len()).map(place).collect(), edges: ends.clone() };
        let all: Vec<u32> = (0..ends.len() as u32).collect();
        let edges = edges(&graph, &all);
        let degree = |node: u32| ends.iter().filter(|(a, b)| *a == node || *b == node).count();
        let nodes: BTreeMap<u32, Node> = (0..).zip(&heights).filter(|(node, _)| degree(*node) > 0)
            .map(|(node, &(ground, outlet))| (node, Node { ground, outlet, dead_end: degree(node) == 1 }))
            .collect();
        let ground: Vec<Ground> = ground.into_iter().filter(|sample| sample.0 < edges.len())
            .map(|(edge, part, height)| (edge, part * edges[edge].line.length, height))
            .collect();
        let found = beds(&edges, &nodes, ground.clone(), size, fall);
        let lowest = lowest(&edges, &nodes);
        let outlet = |node: u32| nodes[&node].outlet || lowest.contains(&node);
        let begins = |node: u32| nodes[&node].dead_end && !outlet(node);
        // Which way each edge runs.
        let ways: Vec<[u32; 2]> = edges.iter().zip(&found).map(|(edge, profile)| {
            let (first, last) = (profile.most[0].1, profile.most[profile.most.len() - 1].1);
            prop_assert!(profile.most.windows(2).all(|pair| pair[0].0 < pair[1].0));
            prop_assert!(profile.most.windows(2).all(|pair| (pair[0].1 > pair[1].1) == (first > last)));
            let [a, b] = edge.nodes;
            Ok(if first > last { [a, b] } else { [b, a] })
        }).collect::<Result<_, TestCaseError>>()?;
        for node in nodes.keys() {
            prop_assert!(outlet(*node) || ways.iter().any(|way| way[0] == *node), "{node} has no way down");
        }
        for (edge, along, height) in &ground {
            prop_assert!(found[*edge].most_at(*along) <= height + 1e-9);
        }
        let mut beds: BTreeMap<u32, f64> = nodes.iter()
            .map(|(&node, known)| (node, known.ground + if begins(node) { 0.0 } else { size }))
            .collect();
        for _ in 0..=nodes.len() {
            for (index, &[from, to]) in ways.iter().enumerate() {
                let length = edges[index].line.length;
                let start = if begins(from) { nodes[&from].ground + size } else { beds[&from] };
                let samples = ground.iter().filter(|sample| sample.0 == index).map(|&(_, along, height)| {
                    let left = if edges[index].nodes[0] == from { length - along } else { along };
                    height - fall * left
                });
                let most = samples.fold(start - fall * length, f64::min);
                beds.insert(to, beds[&to].min(most));
            }
        }
        for (profile, edge) in found.iter().zip(&edges) {
            let ends = [profile.most[0].1, profile.most[profile.most.len() - 1].1];
            for end in 0..2 {
                prop_assert!((ends[end] - beds[&edge.nodes[end]]).abs() < 1e-9, "{ends:?} {:?}", beds);
            }
        }
    }
}
