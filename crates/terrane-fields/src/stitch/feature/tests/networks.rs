//! Water along networks, point by point, compared with slow references.

use proptest::prelude::*;

use super::bed::{Most, Shape, network_points};
use super::water::Water;
use super::*;

/// A network: its edges, the ground and outlets at nodes, and the bed's maximum heights between nodes.
#[derive(Clone, Debug)]
pub struct Case {
    pub graph: PlanarGraph,
    pub nodes: BTreeMap<u32, Node>,
    pub most: Vec<Most>,
}

pub fn cases() -> impl Strategy<Value = Case> {
    let leaves = prop_oneof![8 => Just(Leaves::No), 1 => Just(Leaves::Border), 1 => Just(Leaves::Beyond)];
    // Heights of both kinds: all different, and many equal.
    let height =
        prop_oneof![3 => -40.0..140.0f64, 1 => (0..4i32).prop_map(|height| 20.0 * f64::from(height))];
    let nodes = prop::collection::vec((height.clone(), leaves), 2..9);
    nodes.prop_flat_map(move |nodes| {
        let count = nodes.len() as u32;
        let pair = (0..count, 0..count).prop_filter("two", |(a, b)| a != b);
        let edges = prop::collection::btree_set(pair.prop_map(|(a, b)| (a.min(b), a.max(b))), 1..14);
        let most = prop::collection::vec((0..14usize, 0.0..1.0f64, height.clone()), 0..50);
        (Just(nodes), edges, most).prop_map(|(nodes, edges, most)| {
            let point = |node: usize| (node as f64 * 10.0, (node * node) as f64);
            let graph = PlanarGraph {
                nodes: (0..nodes.len()).map(point).collect(),
                edges: edges.into_iter().collect(),
            };
            let all = edges_of(&graph);
            let known = |(ground, leaves)| Node { ground, leaves };
            let most = most.into_iter().filter(|most| most.0 < all.len());
            Case {
                nodes: (0..).zip(nodes.into_iter().map(known)).collect(),
                most: most.map(|(edge, part, height)| (edge, part * all[edge].line.length, height)).collect(),
                graph,
            }
        })
    })
}

pub fn edges_of(graph: &PlanarGraph) -> Vec<Edge> {
    edges(graph, &(0..graph.edges.len() as u32).collect::<Vec<_>>())
}

/// Neighbouring points, found without relying on the order in which they are stored.
fn beside(water: &Water) -> Vec<(usize, usize, f64)> {
    let mut all = Vec::new();
    for (edge, ends) in water.network.ends.iter().enumerate() {
        let mut along: Vec<(f64, usize)> = water
            .between
            .iter()
            .enumerate()
            .filter(|(_, point)| point.0 == edge)
            .map(|(index, point)| (point.1, water.network.nodes.len() + index))
            .collect();
        along.extend([(0.0, ends[0]), (water.network.edges[edge].line.length, ends[1])]);
        along.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.extend(along.windows(2).map(|pair| (pair[0].1, pair[1].1, pair[1].0 - pair[0].0)));
    }
    all
}

fn leaves(water: &Water, point: usize) -> bool {
    water.network.nodes.get(point).is_some_and(|node| node.leaves != Leaves::No)
}

/// The maximum height on the lowest route from each point to any target, by relaxation until nothing
/// changes.
fn passes(water: &Water, to: impl Fn(usize) -> bool) -> Vec<f64> {
    let beyond =
        |point: usize| water.network.nodes.get(point).is_some_and(|node| node.leaves == Leaves::Beyond);
    let height = |point: usize| if beyond(point) { f64::NEG_INFINITY } else { water.most[point] };
    let mut all: Vec<f64> =
        (0..water.most.len()).map(|point| if to(point) { height(point) } else { f64::INFINITY }).collect();
    let steps = beside(water);
    for _ in 0..all.len() {
        for &(a, b, _) in &steps {
            for [a, b] in [[a, b], [b, a]] {
                all[a] = all[a].min(all[b].max(height(a)));
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    /// For any network: lakes are the hollows that are too deep to drain by a cut, every point has a route
    /// down, and beds stay within their maximum heights. No point is cut more than some hollow upstream
    /// needs, so the deepest cut is as small as possible.
    #[test]
    fn beds_go_down_and_no_deeper_than_they_must(
        case in cases(), deepest in prop_oneof![Just(f64::INFINITY), 0.0..60.0f64],
    ) {
        let fall = 0.01;
        let edges = edges_of(&case.graph);
        let network = Network::new(&edges, &case.nodes);
        let shares = shares(&network, 3.0);
        let shape = Shape { size: -5.0, fall, deepest, taper: Taper { level: 1.0, length: 3.0 } };
        let water =
            network_points(&network, &shares, [Vec::new(), case.most.clone()], &shape, &Silent).unwrap();
        let lakes = water.lakes(deepest, &Silent).unwrap();
        let count = water.most.len();
        // A lake forms where every route to lower ground climbs more than the limit, or where there is
        // none.
        let order = |point: usize| (water.most[point], point);
        for point in (0..count).filter(|&point| !leaves(&water, point)) {
            let lower = |other: usize| leaves(&water, other) || order(other) < order(point);
            let up = passes(&water, lower)[point] - water.most[point];
            prop_assert_eq!(lakes.contains(&point), up > deepest || up == f64::INFINITY, "{} {}", point, up);
        }
        let end = |point: usize| leaves(&water, point) || lakes.contains(&point);
        let ways = water.ways(&lakes, &Silent).unwrap();
        let beds = water.highest(&ways, fall);
        let (mut steps, mut most) = (beside(&water), water.most.clone());
        steps.extend(steps.clone().iter().map(|&(a, b, far)| (b, a, far)));
        for point in 0..count {
            prop_assert!(beds[point] <= water.most[point]);
            let Some((to, far)) = ways.to[point] else {
                prop_assert!(end(point));
                continue;
            };
            prop_assert!(steps.iter().any(|&(a, b, length)| (a, b) == (point, to) && length == far));
            prop_assert!(beds[to] <= beds[point] - fall * far);
            let mut at = point;
            for _ in 0..=count {
                at = ways.to[at].map_or(at, |(to, _)| to);
            }
            prop_assert!(end(at), "a route from {point} ends nowhere");
        }
        // The highest beds on these routes, by lowering until nothing changes.
        for _ in 0..count {
            for point in 0..count {
                if let Some((to, far)) = ways.to[point] {
                    most[to] = most[to].min(most[point] - fall * far);
                }
            }
        }
        prop_assert_eq!(&most, &beds);
        // The deepest cut, apart from the fall.
        let level = water.highest(&ways, 0.0);
        let cut = (0..count)
            .filter(|&point| water.most[point].is_finite())
            .map(|point| water.most[point] - level[point])
            .fold(0.0, f64::max);
        let passes = passes(&water, end);
        let needed = (0..count)
            .filter(|&point| water.most[point].is_finite())
            .map(|point| passes[point] - water.most[point])
            .fold(0.0, f64::max);
        prop_assert!((cut - needed).abs() < 1e-9 && cut <= deepest, "{cut} {needed} {deepest}");
    }
}

/// A river over a hump out of a hollow, by hand.
#[test]
fn a_hollow_lowers_everything_downstream() {
    let graph =
        PlanarGraph { nodes: vec![(0.0, 0.0), (10.0, 0.0), (30.0, 0.0)], edges: vec![(0, 1), (1, 2)] };
    let node = |ground: f64, leaves: Leaves| Node { ground, leaves };
    let ends = |last| {
        BTreeMap::from([(0, node(20.0, Leaves::No)), (1, node(18.0, Leaves::No)), (2, node(14.0, last))])
    };
    let along = vec![(0, 5.0, 25.0), (1, 5.0, 9.0), (1, 10.0, 40.0), (1, 15.0, 11.0)];
    let edges = edges(&graph, &[0, 1]);
    let of = |last: Leaves, deepest: f64| {
        let known = ends(last);
        let network = Network::new(&edges, &known);
        let shape = Shape { size: -4.0, fall: 0.1, deepest, taper: Taper { level: 1.0, length: 10.0 } };
        let shares = shares(&network, 10.0);
        beds(&network, &shares, [Vec::new(), along.clone()], &shape, &Silent).unwrap()
    };
    // From 20 through the hump of 25 and down to the node, 4 below its ground; through the hollow of 9 and
    // the hump of 40, with a fall of 0.1, to the last node.
    let out = of(Leaves::Border, f64::INFINITY);
    assert_eq!(out[0], [(0.0, 20.0), (5.0, 19.5), (10.0, 14.0)]);
    assert_eq!(out[1], [(0.0, 14.0), (5.0, 9.0), (10.0, 8.5), (15.0, 8.0), (20.0, 7.5)]);
    // Without an outlet, water stays in the hollow, or in both if the hump may not be cut: the beds divide
    // on it.
    let closed = of(Leaves::No, f64::INFINITY);
    assert_eq!(closed[1], [(0.0, 14.0), (5.0, 9.0), (10.0, 10.5), (15.0, 11.0), (20.0, 14.0)]);
    let lakes = of(Leaves::No, 20.0);
    assert_eq!(lakes[0], [(0.0, 20.0), (5.0, 19.5), (10.0, 14.0)]);
    assert_eq!(lakes[1], [(0.0, 14.0), (5.0, 9.0), (10.0, 40.0), (15.0, 11.0), (20.0, 14.0)]);
}
