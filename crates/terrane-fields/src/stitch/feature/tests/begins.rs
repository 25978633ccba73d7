//! Where features begin.

use proptest::prelude::*;

use super::*;

/// Edges of a network in the plane, and its outlets; nodes are placed so that edges are a tenth of a width
/// to two widths long.
fn networks() -> impl Strategy<Value = (PlanarGraph, Vec<bool>)> {
    let nodes = prop::collection::vec((0..20i32, 0..20i32, prop::bool::weighted(0.15)), 2..9);
    nodes.prop_flat_map(|nodes| {
        let count = nodes.len() as u32;
        let pair = (0..count, 0..count).prop_filter("two", |(a, b)| a != b);
        let edges = prop::collection::btree_set(pair.prop_map(|(a, b)| (a.min(b), a.max(b))), 1..10);
        let position = |&(x, y, _): &(i32, i32, bool)| (f64::from(x), f64::from(y));
        let nodes = (
            nodes.iter().map(position).collect::<Vec<_>>(),
            nodes.iter().map(|node| node.2).collect::<Vec<_>>(),
        );
        edges.prop_map(move |edges| {
            (PlanarGraph { nodes: nodes.0.clone(), edges: edges.into_iter().collect() }, nodes.1.clone())
        })
    })
}

/// The longest route without turning back from a node to a beginning of the feature; at most a width, which
/// cycles and outlets have.
fn longest(network: &Network, node: usize, by: usize, left: f64) -> f64 {
    if left <= 0.0 || network.nodes[node].leaves != Leaves::No {
        return left.max(0.0);
    }
    let ways = network.around[node].iter().filter(|&&edge| edge != by).map(|&edge| {
        let length = network.edges[edge].line.length.min(left);
        length + longest(network, network.other(edge, node), edge, left - length)
    });
    ways.fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    /// All points along all edges match a naive search: the minimum of the two longest routes to both
    /// sides, or what remains of another node's share, if that is more.
    #[test]
    fn the_longest_way_counts((graph, leaves) in networks()) {
        let width = 10.0;
        let edges = edges(&graph, &(0..graph.edges.len() as u32).collect::<Vec<_>>());
        let known = |node: u32| Node {
            ground: 0.0,
            leaves: if leaves[node as usize] { Leaves::Border } else { Leaves::No },
        };
        let nodes = (0..graph.nodes.len() as u32).map(|node| (node, known(node))).collect();
        let network = Network::new(&edges, &nodes);
        let shares = shares(&network, width);
        let own = |edge: usize, along: f64| {
            let [a, b] = network.ends[edge].map(|node| longest(&network, node, edge, width));
            (a + along).min(b + edges[edge].line.length - along).min(width) / width
        };
        let mut at: Vec<f64> = (0..network.nodes.len())
            .map(|node| {
                let by = |&edge: &usize| {
                    own(edge, if network.ends[edge][0] == node { 0.0 } else { edges[edge].line.length })
                };
                network.around[node].iter().map(by).fold(0.0, f64::max)
            })
            .collect();
        for _ in 0..at.len() {
            for (ends, edge) in network.ends.iter().zip(&edges) {
                for [a, b] in [[0, 1], [1, 0]] {
                    at[ends[a]] = at[ends[a]].max(at[ends[b]] - 2.0 * edge.line.length / width);
                }
            }
        }
        for (index, edge) in edges.iter().enumerate() {
            for along in (0..=8).map(|part| edge.line.length * f64::from(part) / 8.0) {
                let [a, b] = network.ends[index].map(|node| at[node]);
                let beside = (a - 2.0 * along / width).max(b - 2.0 * (edge.line.length - along) / width);
                let wanted = rise(own(index, along).max(beside));
                let found = shares[index].at(along);
                prop_assert!((found - wanted).abs() < 1e-9, "{index} at {along}: {found} {wanted}");
                let step = 1e-3;
                prop_assert!(
                    (shares[index].at(along + step) - found).abs() <= 1.5 * 2.0 * step / width + 1e-12
                );
            }
            // Continuous from edge to edge.
            for end in 0..2 {
                let found = shares[index].at(if end == 0 { 0.0 } else { edge.line.length });
                prop_assert!((found - rise(at[network.ends[index][end]])).abs() < 1e-9);
            }
        }
    }
}

/// A ridge or a river that begins with a very short edge rises over a width from there, not over that edge.
#[test]
fn short_edges_at_the_end_make_no_walls() {
    let frame = [(0.0, 0.0), (240.0, 0.0), (240.0, 240.0), (0.0, 240.0)];
    let nodes = frame.into_iter().chain([(60.0, 128.0), (196.0, 128.0), (198.0, 129.0)]).collect();
    let graph = PlanarGraph { nodes, edges: vec![(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6)] };
    let map = Heightmap::from_fn(Domain::new(121, 121).with_spacing(2.0), |_, _| 50.0);
    for (size, crest) in
        [(10.0, Crest::Ground), (10.0, Crest::Even), (-10.0, Crest::Even), (-10.0, Crest::Ground)]
    {
        let feature = Feature { size, crest, fall: 0.0, ..feature(&[4, 5]) };
        let (out, _) = trace(&map, &graph, &outlines(&graph), &feature, &Silent).unwrap();
        let along = (0..120).map(|x| (out[(x + 1, 64)] - out[(x, 64)]).abs()).fold(0.0, f32::max);
        // A smooth step of 10 over a width of 20 rises by at most 1.5 · 10 / 20 per unit: 1.5 per sample of 2
        // units.
        assert!(along <= 1.51 && (out[(60, 64)] - 50.0).abs() > 9.9, "{size} {crest:?}: {along}");
    }
}

/// A branch that begins beside a ridge's middle, or joins it with a short edge, does not reduce it.
#[test]
fn short_edges_beside_a_ridge_leave_it_as_it_is() {
    let frame = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)];
    let nodes = frame
        .into_iter()
        .chain([(10.0, 50.0), (50.0, 50.0), (90.0, 50.0), (51.0, 52.0), (50.0, 57.0)])
        .collect();
    let edges = vec![(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (5, 7), (7, 8)];
    let graph = PlanarGraph { nodes, edges };
    let map = Heightmap::from_fn(Domain::new(101, 101), |_, _| 50.0);
    let of = |edges: &[u32], size: f64, crest: Crest| {
        let feature = Feature { size, crest, fall: 0.0, ..feature(edges) };
        trace(&map, &graph, &outlines(&graph), &feature, &Silent).unwrap().0
    };
    for (size, crest) in [(10.0, Crest::Ground), (10.0, Crest::Even), (-10.0, Crest::Even)] {
        let (alone, with) = (of(&[4, 5], size, crest), of(&[4, 5, 6, 7], size, crest));
        for x in 20..80 {
            assert!((alone[(x, 50)] - with[(x, 50)]).abs() < 1e-4, "{size} {crest:?} {x}");
        }
        if size < 0.0 {
            continue;
        }
        // No step is much steeper than the ridge's side either.
        let steps = (0..100).flat_map(|y| (0..100).map(move |x| (x, y)));
        let steepest = |map: &Heightmap| {
            steps
                .clone()
                .map(|(x, y)| {
                    (map[(x + 1, y)] - map[(x, y)]).abs().max((map[(x, y + 1)] - map[(x, y)]).abs())
                })
                .fold(0.0, f32::max)
        };
        assert!(
            steepest(&with) <= 1.5 * steepest(&alone),
            "{size} {crest:?}: {} {}",
            steepest(&with),
            steepest(&alone)
        );
    }
}
