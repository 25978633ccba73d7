//! Draws a graph as SVG: nodes in columns by depth, wires as curves.

use std::fmt::Write as _;

use terrane_flow::{Graph, Plan};
use terrane_io::escape_xml;

use crate::layout::Layout;
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
    let Places { corners, lanes, size: (w, h) } = places(plan);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
        font-family=\"sans-serif\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"#fbfaf7\"/>\n"
    );
    for ((from, _, to, _), passed) in wires(plan).zip(&lanes) {
        let _infallible = writeln!(
            out,
            "<path d=\"{}\" fill=\"none\" stroke=\"#9a8f7c\" stroke-width=\"1.5\"/>",
            course(corners[from], passed, corners[to])
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
struct Places {
    /// Upper left corners of the nodes.
    corners: Vec<(usize, usize)>,
    /// Per wire, its lanes through the columns that it passes: left end and height.
    lanes: Vec<Vec<(usize, usize)>>,
    size: (usize, usize),
}

/// The positions of a graph's nodes and wires. Columns are centred.
fn places(plan: &Plan) -> Places {
    let Layout { columns, routes } = Layout::new(plan, &Vec::new());
    let nodes = plan.wires.len();
    let tall = |item: usize| if item < nodes { ROW } else { LANE };
    let total = |column: &Vec<usize>| column.iter().map(|&item| tall(item)).sum::<usize>();
    let height = columns.iter().map(total).max().unwrap_or(ROW);
    let mut corners = vec![(0, 0); nodes + routes.iter().flatten().max().map_or(0, |last| last + 1 - nodes)];
    for (at, column) in columns.iter().enumerate() {
        let mut y = MARGIN + (height - total(column)) / 2;
        for &item in column {
            corners[item] = (MARGIN + at * COLUMN, y);
            y += tall(item);
        }
    }
    let lane = |&item: &usize| (corners[item].0, corners[item].1 + LANE / 2);
    let lanes = routes.iter().map(|route| route.iter().map(lane).collect()).collect();
    corners.truncate(nodes);
    let size =
        (2 * MARGIN + columns.len().max(1) * COLUMN - (COLUMN - WIDTH), 2 * MARGIN + height - (ROW - HEIGHT));
    Places { corners, lanes, size }
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
        let Places { corners, lanes, size } = places(&plan);
        let lanes_of_first = &lanes[3];
        assert_eq!(lanes_of_first.len(), 2);
        for (lane, node) in lanes_of_first.iter().zip([1, 2]) {
            assert_eq!(lane.0, corners[node].0);
            assert!(lane.1 <= corners[node].1 || lane.1 >= corners[node].1 + HEIGHT, "{lane:?}");
        }
        assert!(lanes[..3].iter().all(Vec::is_empty));
        assert_eq!(size.0, corners[3].0 + WIDTH + MARGIN);
        let path = course(corners[0], lanes_of_first, corners[3]);
        assert_eq!((path.matches('H').count(), path.matches('C').count()), (2, 3), "{path}");
    }
}
