//! Draws a graph as SVG: nodes in columns by depth, wires as curves.

use std::fmt::Write as _;

use terrane_flow::{Graph, Plan};
use terrane_io::escape_xml;

use crate::wires::{label, wires};

const WIDTH: usize = 170;
const HEIGHT: usize = 44;
const COLUMN: usize = 230;
const ROW: usize = 66;
const MARGIN: usize = 20;

/// The height of a wire's lane through a column that it passes.
const LANE: usize = 18;

/// The graph as SVG.
#[must_use]
pub fn svg(graph: &Graph, plan: &Plan) -> String {
    let Layout { corners, lanes, size: (w, h) } = layout(plan);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
        font-family=\"sans-serif\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"#fbfaf7\"/>\n"
    );
    for (from, _, to, _) in wires(plan) {
        let passed: Vec<(usize, usize)> =
            lanes[from].iter().copied().filter(|lane| lane.0 < corners[to].0).collect();
        let _infallible = writeln!(
            out,
            "<path d=\"{}\" fill=\"none\" stroke=\"#9a8f7c\" stroke-width=\"1.5\"/>",
            course(corners[from], &passed, corners[to])
        );
    }
    for (node, (x, y)) in corners.into_iter().enumerate() {
        let (name, kind) = label(graph, node);
        let _infallible = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"7\" fill=\"#fff\" \
            stroke=\"#5d6b4f\"/>\n\
             <text x=\"{tx}\" y=\"{name_y}\" font-size=\"13\" fill=\"#222\">{}</text>\n\
             <text x=\"{tx}\" y=\"{kind_y}\" font-size=\"11\" fill=\"#777\">{kind}</text>",
            escape_xml(name),
            tx = x + 10,
            name_y = y + 19,
            kind_y = y + 35,
        );
    }
    out + "</svg>\n"
}

/// The SVG path of a wire: straight along its lanes through columns, curved between them.
fn course((x, y): (usize, usize), lanes: &[(usize, usize)], to: (usize, usize)) -> String {
    let (mut x, mut y) = (x + WIDTH, y + HEIGHT / 2);
    let mut path = format!("M{x} {y}");
    for &(left, middle) in lanes.iter().chain([&(to.0, to.1 + HEIGHT / 2)]) {
        let half = usize::midpoint(x, left);
        let _infallible = write!(path, " C{half} {y} {half} {middle} {left} {middle}");
        (x, y) = (left + WIDTH, middle);
        if left != to.0 {
            let _infallible = write!(path, " H{x}");
        }
    }
    path
}

/// The positions of nodes and wires.
struct Layout {
    /// Upper left corners of the nodes.
    corners: Vec<(usize, usize)>,
    /// Per node, the lanes of its wires through the columns between it and its last downstream node: left end
    /// and height.
    lanes: Vec<Vec<(usize, usize)>>,
    size: (usize, usize),
}

/// Lays out the graph. A node's column is one more than the largest column of its upstream nodes.
fn layout(plan: &Plan) -> Layout {
    let count = plan.wires.len();
    let (mut column, mut last) = (vec![0; count], vec![0; count]);
    for &node in &plan.order {
        column[node] = plan.wires[node].iter().map(|wire| column[wire.node] + 1).max().unwrap_or(0);
        for wire in &plan.wires[node] {
            last[wire.node] = last[wire.node].max(column[node]);
        }
    }
    let columns = column.iter().map(|column| column + 1).max().unwrap_or(1);
    let mut filled = vec![MARGIN; columns];
    let (mut corners, mut lanes) = (vec![(0, 0); count], vec![Vec::new(); count]);
    let left = |column: usize| MARGIN + column * COLUMN;
    for &node in &plan.order {
        corners[node] = (left(column[node]), filled[column[node]]);
        filled[column[node]] += ROW;
        let passed = filled.iter_mut().enumerate().take(last[node]).skip(column[node] + 1);
        lanes[node].extend(passed.map(|(column, filled)| {
            *filled += LANE;
            (left(column), *filled - LANE / 2)
        }));
    }
    let height = filled.into_iter().max().unwrap_or(MARGIN).max(MARGIN + ROW);
    Layout {
        corners,
        lanes,
        size: (left(columns) - (COLUMN - WIDTH) + MARGIN, height - (ROW - HEIGHT) + MARGIN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrane_flow::Wire;

    #[test]
    fn no_wire_runs_behind_a_node() {
        // 0 -> 1 -> 2 -> 3, and 0 -> 3, which passes two columns.
        let wire = |node: usize, input: usize| Wire { input, node, output: 0 };
        let plan = Plan {
            wires: vec![vec![], vec![wire(0, 0)], vec![wire(1, 0)], vec![wire(2, 0), wire(0, 1)]],
            order: vec![0, 1, 2, 3],
            names: ["a", "b", "c", "d"].map(std::sync::Arc::from).to_vec(),
            holes: Vec::new(),
        };
        let Layout { corners, lanes, size } = layout(&plan);
        assert_eq!(lanes[0].len(), 2);
        for (lane, node) in lanes[0].iter().zip([1, 2]) {
            assert_eq!(lane.0, corners[node].0);
            assert!(lane.1 <= corners[node].1 || lane.1 >= corners[node].1 + HEIGHT, "{lane:?}");
        }
        assert!(lanes[1..].iter().all(Vec::is_empty));
        assert_eq!(size.0, corners[3].0 + WIDTH + MARGIN);
        let path = course(corners[0], &lanes[0], corners[3]);
        assert_eq!((path.matches('H').count(), path.matches('C').count()), (2, 3), "{path}");
    }
}
