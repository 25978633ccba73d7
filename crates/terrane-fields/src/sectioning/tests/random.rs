//! Properties of every planar graph.

use std::collections::BTreeSet;

use proptest::prelude::*;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};
use terrane_grid::{Seed, unit_f64};

use super::super::triangulation::delaunay_edges;
use super::*;

/// A random graph; with `lattice`, many points are collinear. Few edges connect the three bands around the
/// middle, except at some nodes. So there are holes, bridges and borders that touch themselves.
pub fn drawn(seed: u64, nodes: usize, share: f64, lattice: bool) -> PlanarGraph {
    let nodes = scattered(nodes, (-4.5, -4.5), (4.5, 4.5), Seed(seed)).unwrap();
    let mut graph = PlanarGraph { nodes, edges: Vec::new() };
    if lattice {
        graph.nodes.iter_mut().for_each(|(x, y)| (*x, *y) = (x.round(), y.round()));
        merge_near(&mut graph, 0.0).unwrap();
    }
    let bits = Seed(seed).part(7).lattice();
    let unit = |a: u32, b: u32| unit_f64(bits.bits(a.into(), b.into()));
    let band = |node: u32| {
        let (x, y) = graph.nodes[node as usize];
        (x.abs().max(y.abs()) / 1.5) as u32
    };
    let kept = |&(a, b): &(u32, u32)| {
        let through = band(a) == band(b) || unit(a, a) < 0.1 || unit(b, b) < 0.1;
        unit(a, b) < if through { share } else { share / 20.0 }
    };
    graph.edges = delaunay_edges(&graph.nodes).unwrap().into_iter().filter(kept).collect();
    graph
}

/// The same graph with shuffled nodes and edges, every second edge reversed.
pub fn mixed(graph: &PlanarGraph, seed: u64) -> PlanarGraph {
    let bits = Seed(seed).part(9).lattice();
    let order = |count: usize, part: i64| {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&at| bits.bits(at as i64, part));
        order
    };
    let (nodes, edges) = (order(graph.nodes.len(), 0), order(graph.edges.len(), 1));
    let number = |node: u32| nodes.iter().position(|&other| other == node as usize).unwrap() as u32;
    let edges = edges.iter().map(|&edge| graph.edges[edge]).enumerate();
    PlanarGraph {
        nodes: nodes.iter().map(|&node| graph.nodes[node]).collect(),
        edges: edges
            .map(|(at, (a, b))| if at % 2 == 0 { (number(a), number(b)) } else { (number(b), number(a)) })
            .collect(),
    }
}

/// Nodes on the border of each field with its area, and the dangling edges, derived from triangles between
/// the edges.
fn triangulated(graph: &PlanarGraph) -> (Vec<(BTreeSet<u32>, f64)>, Vec<u32>) {
    let mut triangles = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    let ends: BTreeSet<u32> = graph.edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    let mut handles = vec![None; graph.nodes.len()];
    let mut numbers = std::collections::BTreeMap::new();
    for node in ends {
        let (x, y) = graph.nodes[node as usize];
        let handle = triangles.insert(Point2::new(x, y)).unwrap();
        handles[node as usize] = Some(handle);
        numbers.insert(handle.index(), node);
    }
    for &(a, b) in &graph.edges {
        assert!(triangles.add_constraint(handles[a as usize].unwrap(), handles[b as usize].unwrap()));
    }
    let mut groups: Vec<usize> = (0..triangles.num_all_faces()).collect();
    let find = |groups: &[usize], mut face: usize| {
        while groups[face] != face {
            face = groups[face];
        }
        face
    };
    let sides = |edge: spade::handles::DirectedEdgeHandle<_, _, _, _>| {
        (edge.face().fix().index(), edge.rev().face().fix().index())
    };
    for edge in triangles.undirected_edges().filter(|edge| !edge.is_constraint_edge()) {
        let (a, b) = sides(edge.as_directed());
        let (a, b) = (find(&groups, a), find(&groups, b));
        groups[a.max(b)] = a.min(b);
    }
    let outside = find(&groups, triangles.outer_face().fix().index());
    let mut fields = std::collections::BTreeMap::<usize, (BTreeSet<u32>, f64)>::new();
    for face in triangles.inner_faces() {
        let group = find(&groups, face.fix().index());
        if group != outside {
            fields.entry(group).or_default().1 += face.area();
        }
    }
    let mut dangling = Vec::new();
    for edge in triangles.undirected_edges().filter(|edge| edge.is_constraint_edge()) {
        let (a, b) = sides(edge.as_directed());
        let (a, b) = (find(&groups, a), find(&groups, b));
        let ends = edge.as_directed().vertices().map(|end| numbers[&end.fix().index()]);
        if a == b {
            let same = |&(a, b): &(u32, u32)| (a, b) == (ends[0], ends[1]) || (b, a) == (ends[0], ends[1]);
            dangling.push(graph.edges.iter().position(same).unwrap() as u32);
        } else {
            for group in [a, b] {
                if let Some(field) = fields.get_mut(&group) {
                    field.0.extend(ends);
                }
            }
        }
    }
    dangling.sort_unstable();
    (fields.into_values().collect(), dangling)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn fields_are_as_euler_counts_them(seed: u64, nodes in 1usize..70, share in 0.2..=1.0, lattice: bool) {
        let graph = drawn(seed, nodes, share, lattice);
        match section(&graph) {
            Ok(found) => {
                let faces = found.fields.len() + 1;
                prop_assert_eq!(graph.nodes.len() + faces, 1 + parts(&graph) + graph.edges.len());
            }
            Err(error) => {
                prop_assert_eq!(error, SectionError::NoField);
                prop_assert_eq!(graph.nodes.len(), parts(&graph) + graph.edges.len());
            }
        }
    }

    #[test]
    fn each_half_edge_is_walked_once(seed: u64, nodes in 1usize..70, share in 0.2..=1.0, lattice: bool) {
        let graph = drawn(seed, nodes, share, lattice);
        let halves = HalfEdges::new(&graph).unwrap();
        let (boundaries, count) = halves.boundaries();
        let first = |boundary| boundaries.iter().position(|&other| other == boundary).unwrap() as u32;
        let walked: usize = (0..count).map(|boundary| halves.walk(first(boundary)).count()).sum();
        prop_assert_eq!(walked, halves.len());

        // Each half-edge that does not dangle is in a ring exactly once, with its field to the left.
        let Ok(found) = section(&graph) else { return Ok(()) };
        let mut left = vec![0; halves.len()];
        let fields = found.fields.iter().zip(0..);
        let inner = fields.flat_map(|(field, number)| {
            field.holes.iter().chain([&field.ring]).map(move |ring| (ring, Some(number)))
        });
        for (ring, field) in inner.chain(found.outer.iter().map(|ring| (ring, None))) {
            let distinct: BTreeSet<u32> = ring.nodes.iter().copied().collect();
            prop_assert_eq!(distinct.len(), ring.nodes.len());
            for (at, &edge) in ring.edges.iter().enumerate() {
                let way = (ring.nodes[at], ring.nodes[(at + 1) % ring.nodes.len()]);
                let back = graph.edges[edge as usize] != way;
                prop_assert!(!back || graph.edges[edge as usize] == (way.1, way.0));
                prop_assert_eq!(found.sides[edge as usize][usize::from(back)], field);
                left[2 * edge as usize + usize::from(back)] += 1;
            }
        }
        for (edge, left) in left.chunks_exact(2).enumerate() {
            let dangles = found.dangling.contains(&(edge as u32));
            prop_assert_eq!(left, if dangles { [0, 0] } else { [1, 1] });
            prop_assert_eq!(dangles, found.sides[edge][0] == found.sides[edge][1]);
        }
    }

    #[test]
    fn triangles_make_up_the_same_fields(seed: u64, nodes in 3usize..60, share in 0.4..=1.0, lattice: bool) {
        let graph = drawn(seed, nodes, share, lattice);
        let (mut expected, dangling) = triangulated(&graph);
        let found = section(&graph)
            .unwrap_or_else(|_| Sections { dangling: dangling.clone(), ..Sections::default() });
        let mut fields: Vec<(BTreeSet<u32>, f64)> = found
            .fields
            .iter()
            .map(|field| {
                let rings = field.holes.iter().chain([&field.ring]);
                (rings.flat_map(|ring| ring.nodes.iter().copied()).collect(), field.area(&graph))
            })
            .collect();
        for fields in [&mut fields, &mut expected] {
            fields.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        }
        prop_assert_eq!(fields.len(), expected.len());
        for (found, expected) in fields.iter().zip(&expected) {
            prop_assert_eq!(&found.0, &expected.0);
            prop_assert!((found.1 - expected.1).abs() < 1e-9 * (1.0 + expected.1));
        }
        prop_assert_eq!(found.dangling, dangling);
    }

    /// The order of nodes and edges, and the direction of edges, do not affect the fields.
    #[test]
    fn the_order_of_the_graph_does_not_matter(
        seed: u64, nodes in 3usize..60, share in 0.4..=1.0, lattice: bool,
    ) {
        let graph = drawn(seed, nodes, share, lattice);
        let other = mixed(&graph, seed);
        let positions = |graph: &PlanarGraph| section(graph).ok().map(|found| {
            let positions =
                |ring: &Ring| ring.nodes.iter().map(|&node| graph.nodes[node as usize]).collect::<Vec<_>>();
            let fields = found
                .fields
                .iter()
                .map(|field| (positions(&field.ring), field.holes.iter().map(positions).collect::<Vec<_>>()));
            (
                fields.collect::<Vec<_>>(),
                found.outer.iter().map(positions).collect::<Vec<_>>(),
                found.dangling.len(),
            )
        });
        prop_assert_eq!(positions(&graph), positions(&other));
    }
}

/// The graphs of these tests contain all special cases.
#[test]
fn random_graphs_cover_all_kinds() {
    let (mut holes, mut touching, mut dead_ends, mut bridges, mut several) = (0, 0, 0, 0, 0);
    for seed in 0..200 {
        let graph = drawn(seed, 70, if seed % 4 < 2 { 0.95 } else { 0.7 }, seed % 2 == 0);
        let Ok(found) = section(&graph) else { continue };
        let degree = |node: u32| graph.edges.iter().filter(|edge| edge.0 == node || edge.1 == node).count();
        let dead = |&&edge: &&u32| {
            let (a, b) = graph.edges[edge as usize];
            degree(a) == 1 || degree(b) == 1
        };
        dead_ends += found.dangling.iter().filter(dead).count();
        bridges += found.dangling.iter().filter(|edge| !dead(edge)).count();
        several += usize::from(found.outer.len() > 1);
        for field in &found.fields {
            let on = |node| field.ring.nodes.contains(node);
            let (touch, apart): (Vec<&Ring>, Vec<&Ring>) =
                field.holes.iter().partition(|hole| hole.nodes.iter().any(on));
            (touching, holes) = (touching + touch.len(), holes + apart.len());
        }
    }
    for count in [holes, touching, dead_ends, bridges, several] {
        assert!(count >= 10, "{holes} {touching} {dead_ends} {bridges} {several}");
    }
}

/// Large enough for the sweep line to cross thousands of edges at once.
#[test]
fn large_graphs_are_sectioned_too() {
    let graph = random_graph(40_000, 0.8, (0.0, 0.0), (1.0, 1.0), Seed(3)).unwrap();
    let found = section(&graph).unwrap();
    assert_eq!(graph.nodes.len() + found.fields.len() + 1, 1 + parts(&graph) + graph.edges.len());
    let area: f64 = found.fields.iter().map(|field| field.area(&graph)).sum();
    let outer: f64 = found.outer.iter().map(|ring| ring.area(&graph)).sum();
    assert!((area + outer).abs() < 1e-9, "{area} {outer}");
}

/// A wheel: thousands of edges end and begin at one node.
#[test]
fn a_hub_of_thousands_is_sectioned() {
    let count = 4000;
    let mut graph = PlanarGraph { nodes: vec![(0.0, 0.0)], edges: Vec::new() };
    for at in 0..count {
        graph.nodes.push(diamond_direction(4.0 * f64::from(at) / f64::from(count)).unwrap());
        graph.edges.extend([(0, at + 1), (at + 1, (at + 1) % count + 1)]);
    }
    let found = section(&graph).unwrap();
    assert_eq!((found.fields.len(), found.outer.len(), found.dangling.len()), (count as usize, 1, 0));
    assert!(found.fields.iter().all(|field| field.ring.nodes.len() == 3));
    assert_eq!(found.outer[0].nodes.len(), count as usize);
}
