//! The layout of a graph's drawing: nodes in columns from left to right, in an order in which few wires
//! cross. The page and the SVG use the same columns and orders, with sizes of their own.

use std::collections::HashMap;

use terrane_flow::Plan;

/// How often the orders of all columns are improved.
const SWEEPS: usize = 8;
/// Above this number of nodes and lanes, the orders are not improved.
const MANY: usize = 20_000;

/// The order of nodes and lanes in columns. A wire that passes a column has a lane there, so that no node
/// hides it. Lanes are numbered after the nodes.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// The nodes and lanes of each column, from top to bottom.
    pub columns: Vec<Vec<usize>>,
    /// Per wire, in the order of nodes and of their wires, the lanes that it passes.
    pub routes: Vec<Vec<usize>>,
}

impl Layout {
    /// Lays out the nodes of a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let wires: Vec<(usize, usize)> = plan
            .wires
            .iter()
            .enumerate()
            .flat_map(|(target, wires)| wires.iter().map(move |wire| (wire.node, target)))
            .collect();
        let (column, left, right, routes) = lanes(node_columns(plan, &wires), &wires);
        let count = column.iter().map(|column| column + 1).max().unwrap_or(0);
        let mut columns = vec![Vec::new(); count];
        for (item, &at) in column.iter().enumerate() {
            columns[at].push(item);
        }
        let mut position = vec![0.0; column.len()];
        columns.iter().for_each(|column| set_positions(column, &mut position));
        for sweep in 0..if column.len() > MANY { 0 } else { SWEEPS } {
            let (neighbours, order): (_, Box<dyn Iterator<Item = usize>>) = if sweep % 2 == 0 {
                (&left, Box::new(0..count))
            } else {
                (&right, Box::new((0..count).rev()))
            };
            for at in order {
                sort(&mut columns[at], neighbours, &position);
                set_positions(&columns[at], &mut position);
            }
        }
        Self { columns, routes }
    }
}

/// The column of each node: one after its last upstream node; a source is just before its first downstream
/// node.
fn node_columns(plan: &Plan, wires: &[(usize, usize)]) -> Vec<usize> {
    let mut column = vec![0; plan.wires.len()];
    for &node in &plan.order {
        column[node] = plan.wires[node].iter().map(|wire| column[wire.node] + 1).max().unwrap_or(0);
    }
    let mut first = vec![usize::MAX; column.len()];
    for &(source, target) in wires {
        first[source] = first[source].min(column[target]);
    }
    for (node, wires) in plan.wires.iter().enumerate() {
        if wires.is_empty() && first[node] != usize::MAX {
            column[node] = first[node].saturating_sub(1);
        }
    }
    column
}

type Neighbours = Vec<Vec<usize>>;

/// Adds lanes to the columns; returns the columns of all items, their neighbours on both sides, and the lanes
/// of each wire. All wires of a node share its lanes.
fn lanes(of_nodes: Vec<usize>, wires: &[(usize, usize)]) -> (Vec<usize>, Neighbours, Neighbours, Neighbours) {
    let mut column = of_nodes.clone();
    let (mut left, mut right) = (vec![Vec::new(); column.len()], vec![Vec::new(); column.len()]);
    let mut chains: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut routes = Vec::with_capacity(wires.len());
    for &(source, target) in wires {
        let passed = (of_nodes[target] - of_nodes[source]).saturating_sub(1);
        let chain = chains.entry(source).or_default();
        while chain.len() < passed {
            let before = chain.last().copied().unwrap_or(source);
            right[before].push(column.len());
            left.push(vec![before]);
            right.push(Vec::new());
            chain.push(column.len());
            column.push(of_nodes[source] + chain.len());
        }
        let last = passed.checked_sub(1).map_or(source, |last| chain[last]);
        left[target].push(last);
        right[last].push(target);
        routes.push(chain[..passed].to_vec());
    }
    (column, left, right, routes)
}

/// The relative heights of the items of a column.
fn set_positions(column: &[usize], position: &mut [f64]) {
    for (index, &item) in column.iter().enumerate() {
        position[item] = (index as f64 + 0.5) / column.len() as f64;
    }
}

/// Sorts a column by the mean position of neighbours.
fn sort(column: &mut [usize], neighbours: &[Vec<usize>], position: &[f64]) {
    let weight = |item: usize| {
        let near = &neighbours[item];
        let sum: f64 = near.iter().map(|&other| position[other]).sum();
        if near.is_empty() { position[item] } else { sum / near.len() as f64 }
    };
    column.sort_by(|&a, &b| weight(a).total_cmp(&weight(b)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrane_flow::Wire;

    pub fn plan(reads: &[&[usize]]) -> Plan {
        let wire = |(input, &node): (usize, &usize)| Wire { input, node, output: 0 };
        Plan {
            wires: reads.iter().map(|of| of.iter().enumerate().map(wire).collect()).collect(),
            order: (0..reads.len()).collect(),
            names: (0..reads.len()).map(|node| node.to_string().into()).collect(),
            holes: Vec::new(),
        }
    }

    #[test]
    fn a_wire_that_passes_columns_has_lanes_and_a_source_is_near_its_reader() {
        // 0 -> 1 -> 2 -> 3, 0 -> 3, and 4, which 3 reads too.
        let layout = Layout::new(&plan(&[&[], &[0], &[1], &[2, 0, 4], &[]]));
        assert_eq!(layout.routes, [vec![], vec![], vec![], vec![5, 6], vec![]]);
        let mut columns = layout.columns.clone();
        columns.iter_mut().for_each(|column| column.sort_unstable());
        assert_eq!(columns, [vec![0], vec![1, 5], vec![2, 4, 6], vec![3]]);
        assert_eq!(Layout::new(&plan(&[])), Layout { columns: Vec::new(), routes: Vec::new() });
    }

    #[test]
    fn wires_cross_rarely() {
        // 0 and 1 are read by 3 and 2: the orders of both columns agree.
        let layout = Layout::new(&plan(&[&[], &[], &[1], &[0]]));
        let rows: Vec<usize> = layout.columns[0].iter().map(|node| if *node == 0 { 3 } else { 2 }).collect();
        assert_eq!(layout.columns[1], rows);
    }
}
