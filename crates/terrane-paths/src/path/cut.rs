//! The part of a graph inside a patch.

use terrane_grid::PlanarGraph;

/// A part of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its nodes and edges.
    pub graph: PlanarGraph,
    /// Per edge, its edge in the whole graph.
    pub edges: Vec<usize>,
    /// Per node, its node in the whole graph; `None` if it is a point where an edge was cut.
    pub nodes: Vec<Option<usize>>,
}

/// The part of a graph inside a rectangle from `low` to `high`, including its border. Each point where an
/// edge crosses the border becomes a new node, with the same bits in both patches that share it. For this,
/// crossings are computed from the edge's lower end, whatever the order of its ends. Edges on the border
/// belong to both patches. An edge that only touches the border is left out.
#[must_use]
pub fn cut(graph: &PlanarGraph, low: (f64, f64), high: (f64, f64)) -> Part {
    let inside = |(x, y): (f64, f64)| (low.0..=high.0).contains(&x) && (low.1..=high.1).contains(&y);
    let (mut part, mut nodes) = (PlanarGraph::default(), Vec::new());
    let mut new_nodes = vec![None; graph.nodes.len()];
    for (node, &position) in graph.nodes.iter().enumerate() {
        if inside(position) {
            new_nodes[node] = Some(part.nodes.len() as u32);
            part.nodes.push(position);
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
        let mut node = |position: (f64, f64)| {
            let own = [(ends.0, a), (ends.1, b)].into_iter().find(|(end, _)| *end == position);
            own.and_then(|(_, node)| new_nodes[node as usize]).unwrap_or_else(|| {
                // Two edges may leave at the same point.
                let known = part.nodes.iter().position(|&other| other == position);
                known.unwrap_or_else(|| {
                    part.nodes.push(position);
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

/// The part of a segment inside a rectangle, starting at its first end.
fn clip(
    (a, b): ((f64, f64), (f64, f64)),
    low: (f64, f64),
    high: (f64, f64),
) -> Option<((f64, f64), (f64, f64))> {
    let (mut first, mut last) = ((0.0, a), (1.0, b));
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    // Points on a side have exactly that side's coordinate; the other coordinate depends only on the edge and
    // the side.
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
    fn a_graph_is_cut_at_the_border() {
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
        /// Neighbouring patches have the same crossings on their common border, whichever way edges are
        /// written.
        #[test]
        fn neighbours_share_their_crossings(
            positions in proptest::collection::vec((-9.0f64..9.0, -9.0f64..9.0), 2..8),
            turn: bool,
        ) {
            let edges: Vec<(u32, u32)> =
                (1..positions.len() as u32).map(|i| if turn { (i, i - 1) } else { (i - 1, i) }).collect();
            let turned = edges.iter().map(|&(a, b)| (b, a)).collect();
            let graph = PlanarGraph { nodes: positions.clone(), edges };
            let other = PlanarGraph { nodes: positions, edges: turned };
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
