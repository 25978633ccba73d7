use proptest::prelude::*;

use super::*;

/// A field with one ring.
fn field(ring: &[u32]) -> Outline {
    Outline { rings: vec![ring.to_vec()] }
}

/// Whether a point lies in a field, by the even-odd rule with exact predicates and half-open edges, one edge
/// at a time.
fn inside(graph: &PlanarGraph, outline: &Outline, (x, y): Point) -> bool {
    let mut inside = false;
    for (_, [a, b]) in outline.rings.iter().flat_map(|ring| sides(graph, ring)) {
        let (low, high) = if a.1 <= b.1 { (a, b) } else { (b, a) };
        let right = turn(low, high, (x, y)) <= 0.0;
        inside ^= low.1 <= y && y < high.1 && right;
    }
    inside
}

/// Whether a point lies exactly on the outline of a field.
fn on_outline(graph: &PlanarGraph, outline: &Outline, (x, y): Point) -> bool {
    outline.rings.iter().flat_map(|ring| sides(graph, ring)).any(|(_, [a, b])| {
        let within = |p: f64, a: f64, b: f64| a.min(b) <= p && p <= a.max(b);
        turn(a, b, (x, y)) == 0.0 && within(x, a.0, b.0) && within(y, a.1, b.1)
    })
}

/// Squares of a grid whose nodes are moved by whole and half units, so that nodes and edges often coincide
/// with samples.
fn moved_grid(cells: usize, moves: &[(i8, i8)]) -> (PlanarGraph, Vec<Outline>) {
    let side = cells + 1;
    let nodes = (0..side * side).map(|i| {
        let (dx, dy) = moves[i % moves.len()];
        ((i % side) as f64 * 6.0 + f64::from(dx) * 0.5, (i / side) as f64 * 6.0 + f64::from(dy) * 0.5)
    });
    let node = |x: usize, y: usize| (y * side + x) as u32;
    let fields = (0..cells * cells).map(|i| {
        let (x, y) = (i % cells, i / cells);
        field(&[node(x, y), node(x + 1, y), node(x + 1, y + 1), node(x, y + 1)])
    });
    (PlanarGraph { nodes: nodes.collect(), edges: Vec::new() }, fields.collect())
}

proptest! {
    #[test]
    fn every_sample_is_in_the_one_field_that_the_slow_test_finds(
        moves in proptest::collection::vec((-2i8..=2, -2i8..=2), 7..40),
        spacing in prop::sample::select(vec![1.0, 0.5, 0.7, 1.3]),
        dropped in 0usize..9,
    ) {
        let (graph, mut fields) = moved_grid(3, &moves);
        fields[dropped].rings.clear();
        let domain = Domain::new(34, 31).with_spacing(spacing).with_origin(-2.0, -2.0);
        let ids = rasterise(&graph, &fields, &domain);
        for row in 0..31 {
            for column in 0..34 {
                let at = (domain.x(column), domain.y(row));
                let found: Vec<u32> =
                    (0..9).filter(|&f| inside(&graph, &fields[f as usize], at)).collect();
                let id = ids[(column, row)];
                prop_assert!(found.len() <= 1);
                match found.first() {
                    Some(&field) => prop_assert_eq!(id, field),
                    None if id != NONE => prop_assert!(on_outline(&graph, &fields[id as usize], at)),
                    None => prop_assert!(!fields.iter().any(|field| on_outline(&graph, field, at))),
                }
            }
        }
    }

    #[test]
    fn tiles_are_the_whole(moves in proptest::collection::vec((-2i8..=2, -2i8..=2), 7..40)) {
        let (graph, fields) = moved_grid(3, &moves);
        let whole = Domain::new(41, 45).with_spacing(0.5).with_origin(-1.0, -2.0);
        let ids = rasterise(&graph, &fields, &whole);
        for (x, y) in [(0, 0), (7, 3), (20, 23)] {
            let tile = Domain { size: (21, 22), ..whole.with_origin(whole.x(x), whole.y(y)) };
            let of_tile = rasterise(&graph, &fields, &tile);
            for row in 0..22 {
                prop_assert_eq!(of_tile.row(row), &ids.row(y + row)[x..x + 21]);
            }
        }
    }
}

#[test]
fn samples_on_edges_go_right_and_down_and_fields_are_closed_outside() {
    // Four unit squares of two samples' side, the lower right one missing.
    let (mut graph, mut fields) = moved_grid(2, &[(0, 0)]);
    graph.nodes.iter_mut().for_each(|node| *node = (node.0 / 3.0, node.1 / 3.0));
    fields.truncate(3);
    let ids = rasterise(&graph, &fields, &Domain::new(6, 6));
    let n = NONE;
    let wanted = [
        [0, 0, 1, 1, 1, n],
        [0, 0, 1, 1, 1, n],
        // Two fields bound the centre node towards the outside; the edge that ends at (2, 4) has the
        // smaller x.
        [2, 2, 2, 1, 1, n],
        [2, 2, 2, n, n, n],
        [2, 2, 2, n, n, n],
        [n, n, n, n, n, n],
    ];
    assert_eq!(ids.as_slice(), wanted.concat());
}

#[test]
fn holes_dangling_edges_and_other_orders_change_nothing() {
    let nodes = vec![
        (0.0, 0.0),
        (9.0, 0.0),
        (9.0, 9.0),
        (0.0, 9.0),
        (3.0, 3.0),
        (6.0, 3.0),
        (6.0, 6.0),
        (3.0, 6.0),
        (1.5, 7.5),
    ];
    let graph = PlanarGraph { nodes, edges: Vec::new() };
    let ring = Outline { rings: vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]] };
    let around = field(&[4, 5, 6, 7]);
    let domain = Domain::new(21, 21).with_spacing(0.5).with_origin(-0.5, -0.5);
    let ids = rasterise(&graph, &[ring.clone(), around.clone()], &domain);
    let count = |ids: &Grid<u32>, id: u32| ids.as_slice().iter().filter(|&&found| found == id).count();
    assert_eq!((count(&ids, 0), count(&ids, 1)), (19 * 19 - 36, 36));
    // In the other direction, starting at other nodes, with an edge from the corner inwards and back.
    let turned = Outline { rings: vec![vec![2, 1, 0, 3, 8, 3], vec![7, 6, 5, 4]] };
    let swapped = rasterise(&graph, &[around, turned], &domain);
    let numbers = ids.map(|&id| if id == NONE { id } else { 1 - id });
    assert_eq!(swapped, numbers);
}

#[test]
fn odd_inputs_are_no_fields() {
    let graph =
        PlanarGraph { nodes: vec![(1.0, 1.0), (5.0, 1.0), (f64::NAN, 4.0), (1e300, 1.0)], edges: Vec::new() };
    let none = [field(&[]), field(&[0]), field(&[0, 1]), field(&[0, 1, 77])];
    let ids = rasterise(&graph, &none, &Domain::new(7, 7));
    assert!(ids.as_slice().iter().all(|&id| id == NONE));
    assert!(rasterise(&graph, &none, &Domain::new(0, 7)).is_empty());
    // Far corners do not overflow.
    let far = PlanarGraph {
        nodes: vec![(-1e150, -1e150), (1e150, -1e150), (1e150, 1e150), (-1e150, 1e150)],
        edges: Vec::new(),
    };
    let ids = rasterise(&far, &[field(&[0, 1, 2, 3])], &Domain::new(4, 4));
    assert!(ids.as_slice().iter().all(|&id| id == 0));
}

#[test]
fn a_field_thinner_than_a_sample_takes_only_what_is_in_it() {
    let nodes = vec![
        (0.0, 0.0),
        (4.25, 0.0),
        (4.5, 8.0),
        (4.25, 0.0),
        (9.0, 0.0),
        (9.0, 8.0),
        (4.75, 8.0),
        (0.0, 8.0),
    ];
    let graph = PlanarGraph { nodes, edges: Vec::new() };
    let fields = [field(&[0, 1, 2, 7]), field(&[1, 6, 2]), field(&[1, 4, 5, 6])];
    let ids = rasterise(&graph, &fields, &Domain::new(10, 9));
    for row in 0..9 {
        for column in 0..10 {
            let at = (column as f64, row as f64);
            let wanted = (0..3).find(|&f| {
                inside(&graph, &fields[f], at)
                    || (on_outline(&graph, &fields[f], at) && at.1 == 8.0)
                    || (at.0 == 9.0 && f == 2)
            });
            assert_eq!(ids[(column, row)], wanted.map_or(NONE, |f| f as u32), "{at:?}");
        }
    }
    assert!(!ids.as_slice().contains(&1));
}
