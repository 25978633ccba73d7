//! The part of a graph that lies on a patch.

use terrane_grid::PlanarGraph;

/// A part of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its nodes and edges.
    pub graph: PlanarGraph,
    /// Per edge, the edge of the whole graph that it comes from.
    pub edges: Vec<usize>,
    /// Per node, the node of the whole graph that it is; none where an edge was cut.
    pub nodes: Vec<Option<usize>>,
}

/// The part of a graph inside a rectangle from `low` to `high`, its border included. Where an edge crosses
/// the border there is a new node, at the same bits for both patches that share it: crossings are found from
/// the edge's lower end up, whichever way it is written. Edges that lie on the border belong to both patches;
/// an edge that only touches it leaves nothing.
#[must_use]
pub fn cut(graph: &PlanarGraph, low: (f64, f64), high: (f64, f64)) -> Part {
    let inside = |(x, y): (f64, f64)| (low.0..=high.0).contains(&x) && (low.1..=high.1).contains(&y);
    let (mut part, mut nodes) = (PlanarGraph::default(), Vec::new());
    let mut places = vec![None; graph.nodes.len()];
    for (node, &place) in graph.nodes.iter().enumerate() {
        if inside(place) {
            places[node] = Some(part.nodes.len() as u32);
            part.nodes.push(place);
            nodes.push(Some(node));
        }
    }
    let mut from = Vec::new();
    for (edge, &(a, b)) in graph.edges.iter().enumerate() {
        let Some(ends) = graph.ends(edge) else { continue };
        let ordered = if ends.0 <= ends.1 { ends } else { (ends.1, ends.0) };
        let Some((first, last)) = clip(ordered, low, high) else { continue };
        if first == last {
            continue;
        }
        let mut node = |place: (f64, f64)| {
            let own = [(ends.0, a), (ends.1, b)].into_iter().find(|(end, _)| *end == place);
            own.and_then(|(_, node)| places[node as usize]).unwrap_or_else(|| {
                // Two edges may leave at one place.
                let known = part.nodes.iter().position(|&other| other == place);
                known.unwrap_or_else(|| {
                    part.nodes.push(place);
                    part.nodes.len() - 1
                }) as u32
            })
        };
        let (low, high) = (node(first), node(last));
        part.edges.push(if ordered == ends { (low, high) } else { (high, low) });
        from.push(edge);
    }
    nodes.resize(part.nodes.len(), None);
    Part { graph: part, edges: from, nodes }
}

/// The part of a segment inside a rectangle, from its first end on.
fn clip(
    (a, b): ((f64, f64), (f64, f64)),
    low: (f64, f64),
    high: (f64, f64),
) -> Option<((f64, f64), (f64, f64))> {
    let (mut first, mut last) = ((0.0, a), (1.0, b));
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    // Places on a side have that side's coordinate to the bit; the other is a function of the edge and the
    // side alone.
    let on_x = |x: f64| ((x - a.0) / dx, (x, a.1 + (x - a.0) / dx * dy));
    let on_y = |y: f64| ((y - a.1) / dy, (a.0 + (y - a.1) / dy * dx, y));
    for (from, to, low, high, side) in [
        (a.0, b.0, low.0, high.0, &on_x as &dyn Fn(f64) -> (f64, (f64, f64))),
        (a.1, b.1, low.1, high.1, &on_y),
    ] {
        if from.max(to) < low || from.min(to) > high {
            return None;
        }
        for (limit, enters, leaves) in [(low, from < low, to < low), (high, from > high, to > high)] {
            if enters && side(limit).0 > first.0 {
                first = side(limit);
            }
            if leaves && side(limit).0 < last.0 {
                last = side(limit);
            }
        }
    }
    (first.0 <= last.0).then_some((first.1, last.1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_graph_is_cut_where_it_leaves() {
        let graph = PlanarGraph {
            nodes: vec![(1.0, 1.0), (5.0, 1.0), (-3.0, 3.0), (9.0, 9.0), (4.0, 2.0)],
            edges: vec![(1, 0), (0, 2), (3, 1), (4, 0)],
        };
        let Part { graph: part, edges: from, nodes } = cut(&graph, (0.0, 0.0), (4.0, 4.0));
        assert_eq!(nodes, [Some(0), Some(4), None, None]);
        assert_eq!(part.nodes, [(1.0, 1.0), (4.0, 2.0), (4.0, 1.0), (0.0, 1.5)]);
        assert_eq!((part.edges, from), (vec![(2, 0), (0, 3), (1, 0)], vec![0, 1, 3]));
    }

    proptest! {
        /// Neighbouring patches have the same crossings on the border that they share, whichever way edges
        /// are written.
        #[test]
        fn neighbours_share_their_crossings(
            places in proptest::collection::vec((-9.0f64..9.0, -9.0f64..9.0), 2..8), turn: bool,
        ) {
            let edges: Vec<(u32, u32)> =
                (1..places.len() as u32).map(|i| if turn { (i, i - 1) } else { (i - 1, i) }).collect();
            let turned = edges.iter().map(|&(a, b)| (b, a)).collect();
            let graph = PlanarGraph { nodes: places.clone(), edges };
            let other = PlanarGraph { nodes: places, edges: turned };
            let left = cut(&graph, (-4.0, -4.0), (0.0, 4.0)).graph;
            let right = cut(&other, (0.0, -4.0), (4.0, 4.0)).graph;
            let shared = |part: &PlanarGraph| {
                let mut on: Vec<u64> = part
                    .nodes
                    .iter()
                    .filter(|(x, y)| *x == 0.0 && y.abs() < 4.0)
                    .map(|(_, y)| y.to_bits())
                    .collect();
                on.sort_unstable();
                on
            };
            prop_assert_eq!(shared(&left), shared(&right));
            for part in [&left, &right] {
                prop_assert!(part.nodes.iter().all(|(x, y)| x.abs() <= 4.0 && y.abs() <= 4.0));
            }
        }
    }
}
