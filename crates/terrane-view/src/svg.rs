//! A picture of a graph that any browser shows: nodes in columns by depth, wires as curves.

use std::fmt::Write as _;

use terrane_flow::{Graph, Plan};

use crate::{label, wires};

const WIDTH: usize = 170;
const HEIGHT: usize = 44;
const COLUMN: usize = 230;
const ROW: usize = 66;
const MARGIN: usize = 20;

/// The graph as SVG.
#[must_use]
pub fn svg(graph: &Graph, plan: &Plan) -> String {
    let places = places(plan);
    let columns = places.iter().map(|p| p.0 + 1).max().unwrap_or(1);
    let rows = places.iter().map(|p| p.1 + 1).max().unwrap_or(1);
    let (w, h) = (columns * COLUMN - (COLUMN - WIDTH) + 2 * MARGIN, rows * ROW - (ROW - HEIGHT) + 2 * MARGIN);
    let corner = |node: usize| (MARGIN + places[node].0 * COLUMN, MARGIN + places[node].1 * ROW);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-family=\"sans-serif\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"#fbfaf7\"/>\n"
    );
    for (from, _, to, _) in wires(plan) {
        let ((x0, y0), (x1, y1)) = (corner(from), corner(to));
        let (x0, y0, y1) = (x0 + WIDTH, y0 + HEIGHT / 2, y1 + HEIGHT / 2);
        let middle = usize::midpoint(x0, x1);
        let _infallible = writeln!(
            out,
            "<path d=\"M{x0} {y0} C{middle} {y0} {middle} {y1} {x1} {y1}\" fill=\"none\" stroke=\"#9a8f7c\" stroke-width=\"1.5\"/>"
        );
    }
    for node in 0..graph.nodes.len() {
        let ((x, y), (name, kind)) = (corner(node), label(graph, node));
        let _infallible = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"7\" fill=\"#fff\" stroke=\"#5d6b4f\"/>\n\
             <text x=\"{tx}\" y=\"{name_y}\" font-size=\"13\" fill=\"#222\">{}</text>\n\
             <text x=\"{tx}\" y=\"{kind_y}\" font-size=\"11\" fill=\"#777\">{kind}</text>",
            escape(name),
            tx = x + 10,
            name_y = y + 19,
            kind_y = y + 35,
        );
    }
    out + "</svg>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Column and row of every node: the column is one more than the deepest giver's.
fn places(plan: &Plan) -> Vec<(usize, usize)> {
    let mut places = vec![(0, 0); plan.wires.len()];
    let mut filled: Vec<usize> = Vec::new();
    for &node in &plan.order {
        let column = plan.wires[node].iter().map(|wire| places[wire.node].0 + 1).max().unwrap_or(0);
        if filled.len() <= column {
            filled.resize(column + 1, 0);
        }
        places[node] = (column, filled[column]);
        filled[column] += 1;
    }
    places
}
