//! Graphs small enough to draw: x goes to the right and y up.

use super::*;
use terrane_paths::planar::GraphError;

fn ring(nodes: &[u32], edges: &[u32]) -> Ring {
    Ring { nodes: nodes.to_vec(), edges: edges.to_vec() }
}

fn edges(parts: &[&[(u32, u32)]]) -> Vec<(u32, u32)> {
    parts.concat()
}

/// ```text
/// 3-----2
/// |  4  |    Node 4 hangs on node 0 by a dead end inside, node 5 on node 1 outside.
/// | /   |
/// 0-----1--5
/// ```
#[test]
fn dead_ends_are_in_no_ring() {
    let square = closed(&[0, 1, 2, 3]);
    let drawn =
        graph(&[(0, 0), (4, 0), (4, 4), (0, 4), (1, 2), (6, 0)], &edges(&[&square, &[(4, 0), (1, 5)]]));
    let found = section(&drawn).unwrap();
    let field = Field { ring: ring(&[0, 1, 2, 3], &[0, 1, 2, 3]), holes: vec![] };
    assert_eq!(found.fields, [field]);
    assert_eq!(found.outer, [ring(&[0, 3, 2, 1], &[3, 2, 1, 0])]);
    assert_eq!(found.dangling, [4, 5]);
    assert_eq!(found.sides[0], [Some(0), None]);
    assert_eq!(found.sides[4..], [[Some(0); 2], [None; 2]]);
    assert_eq!((found.fields[0].area(&drawn), found.outer[0].area(&drawn)), (16.0, -16.0));
}

/// ```text
/// 3-------2
/// |  6-5  |    A bridge from 0 to a square inside, and one from 1 to a triangle outside.
/// |  | |  |      10
/// |  7-4  |     /  \
/// | /     |    /    \
/// 0-------1---8------9
/// ```
#[test]
fn what_hangs_on_a_bridge_is_a_hole_or_apart() {
    let nodes = [(0, 0), (9, 0), (9, 9), (0, 9), (6, 3), (6, 6), (3, 6), (3, 3), (11, 0), (15, 0), (13, 4)];
    let rings = [closed(&[0, 1, 2, 3]), closed(&[4, 5, 6, 7]), closed(&[8, 9, 10])];
    let bridges = [(0, 7), (1, 8)];
    let drawn = graph(&nodes, &edges(&[&rings[0], &rings[1], &rings[2], &bridges]));
    let found = section(&drawn).unwrap();
    assert_eq!(found.dangling, [11, 12]);
    let outside =
        Field { ring: ring(&[0, 1, 2, 3], &[0, 1, 2, 3]), holes: vec![ring(&[7, 6, 5, 4], &[6, 5, 4, 7])] };
    let inside = Field { ring: ring(&[7, 4, 5, 6], &[7, 4, 5, 6]), holes: vec![] };
    let apart = Field { ring: ring(&[8, 9, 10], &[8, 9, 10]), holes: vec![] };
    assert_eq!(found.fields, [outside, inside, apart]);
    assert_eq!(found.outer, [ring(&[0, 3, 2, 1], &[3, 2, 1, 0]), ring(&[8, 10, 9], &[10, 9, 8])]);
    assert_eq!(found.fields[0].area(&drawn), 72.0);
}

/// ```text
/// 3-------2
/// |   5   |    A triangle inside touches the square at node 0: one boundary that meets
/// |  / \  |    node 0 twice, given as a ring and a hole.
/// | /   4 |
/// |/ __/  |
/// 0-------1
/// ```
#[test]
fn a_ring_that_touches_itself_inside_has_a_hole() {
    let nodes = [(0, 0), (9, 0), (9, 9), (0, 9), (6, 3), (3, 6)];
    let drawn = graph(&nodes, &edges(&[&closed(&[0, 1, 2, 3]), &closed(&[0, 4, 5])]));
    let found = section(&drawn).unwrap();
    let outside =
        Field { ring: ring(&[0, 1, 2, 3], &[0, 1, 2, 3]), holes: vec![ring(&[0, 5, 4], &[6, 5, 4])] };
    let inside = Field { ring: ring(&[0, 4, 5], &[4, 5, 6]), holes: vec![] };
    assert_eq!(found.fields, [inside, outside]);
    assert!(found.dangling.is_empty());
}

/// ```text
/// 1       4
/// | \   / |    Two triangles that share a node: two outer rings.
/// |   2   |
/// | /   \ |
/// 0       3
/// ```
#[test]
fn fields_that_share_a_node_have_outer_rings_of_their_own() {
    let nodes = [(0, 0), (0, 4), (2, 2), (4, 0), (4, 4)];
    let found = section(&graph(&nodes, &edges(&[&closed(&[0, 1, 2]), &closed(&[2, 3, 4])]))).unwrap();
    let nodes = |rings: Vec<&Ring>| rings.into_iter().map(|ring| ring.nodes.clone()).collect::<Vec<_>>();
    assert_eq!(nodes(found.fields.iter().map(|field| &field.ring).collect()), [[0, 2, 1], [2, 3, 4]]);
    assert_eq!(nodes(found.outer.iter().collect()), [[0, 1, 2], [2, 4, 3]]);
}

/// ```text
/// 3---------------2
/// | 7-------6     |    Squares inside each other, not joined; a triangle beside the inner ones;
/// | | b---a | 14  |    a line 15-16 that is no field, and a triangle outside of all.
/// | | |   | | | \ |
/// | | 8---9 | |  ||        19
/// | 4-------5 12-13       /  \
/// |   15---16     |     17---18
/// 0---------------1
/// ```
#[test]
fn parts_inside_a_field_are_its_holes() {
    let mut nodes = vec![(0, 0), (20, 0), (20, 20), (0, 20), (2, 4), (10, 4), (10, 12), (2, 12)];
    nodes.extend([(4, 6), (8, 6), (8, 10), (4, 10), (12, 4), (16, 4), (12, 12), (4, 2), (9, 2)]);
    nodes.extend([(24, 0), (28, 0), (26, 4)]);
    let rings =
        [closed(&[0, 1, 2, 3]), closed(&[4, 5, 6, 7]), closed(&[8, 9, 10, 11]), closed(&[12, 13, 14])];
    let drawn = graph(&nodes, &edges(&[&rings.concat(), &closed(&[17, 18, 19]), &[(15, 16)]]));
    let found = section(&drawn).unwrap();
    let areas: Vec<f64> = found.fields.iter().map(|field| field.area(&drawn)).collect();
    assert_eq!(areas, [400.0 - 64.0 - 16.0, 64.0 - 16.0, 16.0, 16.0, 8.0]);
    let holes: Vec<Vec<u32>> =
        found.fields.iter().map(|f| f.holes.iter().map(|hole| hole.nodes[0]).collect()).collect();
    assert_eq!(holes, [vec![4, 12], vec![8], vec![], vec![], vec![]]);
    assert_eq!(found.outer.len(), 2);
    assert_eq!((found.dangling, found.sides[18]), (vec![18], [Some(0); 2]));
}

/// ```text
/// 5---4---3
/// |       |    Nodes 1 and 4 are in the middle of straight borders, and stay.
/// 0---1---2
/// ```
#[test]
fn nodes_on_straight_borders_stay() {
    let drawn = graph(&[(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)], &closed(&[0, 1, 2, 3, 4, 5]));
    let found = section(&drawn).unwrap();
    assert_eq!(found.fields[0].ring, ring(&[0, 1, 2, 3, 4, 5], &[0, 1, 2, 3, 4, 5]));
}

/// A field whose area rounds to 0 is still a field.
#[test]
fn a_sliver_is_a_field() {
    let mut drawn = graph(&[(0, 0), (2, 2), (1, 1)], &closed(&[0, 1, 2]));
    drawn.nodes[2].1 = 1.0f64.next_up();
    let found = section(&drawn).unwrap();
    assert_eq!((found.fields.len(), &found.fields[0].ring.nodes[..]), (1, &[0, 1, 2][..]));
}

#[test]
fn graphs_without_fields_are_refused() {
    let refused = |nodes: &[(i32, i32)], edges: &[(u32, u32)]| section(&graph(nodes, edges)).unwrap_err();
    assert_eq!(refused(&[], &[]), SectionError::NoField);
    assert_eq!(refused(&[(0, 0), (1, 0), (2, 1)], &[(0, 1), (1, 2)]), SectionError::NoField);
    // On one line: the long edge lies on the others.
    let line = refused(&[(0, 0), (1, 1), (2, 2)], &closed(&[0, 1, 2]));
    assert_eq!(line, SectionError::Graph(GraphError::Cross { edges: (0, 2) }));
    let crossing = refused(&[(0, 0), (2, 2), (2, 0), (0, 2)], &closed(&[0, 1, 2, 3]));
    assert_eq!(crossing, SectionError::Graph(GraphError::Cross { edges: (0, 2) }));
    assert_eq!(crossing.to_string(), "edges 0 and 2 meet at a point that is not a common end");
    let twice = refused(&[(0, 0), (2, 2)], &closed(&[0, 1]));
    assert_eq!(twice, SectionError::Graph(GraphError::Twice { edges: (0, 1) }));
    let mut nowhere = graph(&[(0, 0), (2, 2), (2, 0)], &closed(&[0, 1, 2]));
    for value in [f64::NAN, f64::INFINITY, 1e200] {
        nowhere.nodes[1].0 = value;
        assert_eq!(section(&nowhere), Err(SectionError::Graph(GraphError::NotFinite { node: 1 })));
    }
}
