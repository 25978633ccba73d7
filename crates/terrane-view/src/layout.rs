//! The layout of a graph's drawing: nodes in columns from left to right, in an order in which few wires
//! cross. The page and the SVG use the same columns and orders, with sizes of their own.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use terrane_flow::Plan;

/// How often the orders of all columns are improved.
const SWEEPS: usize = 8;
/// Above this number of nodes and lanes, the orders are not improved.
const MANY: usize = 20_000;

/// Crossings of wires more than in the best order found, for which nodes still keep their places.
const MORE: usize = 2;

/// The names of a graph's nodes, and how far down their columns they stand, from 0 to 1.
pub type Heights = Vec<(Arc<str>, f64)>;

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
    /// Lays out the nodes of a plan. Nodes keep the order in which they stood `before`, unless too many wires
    /// cross then.
    #[must_use]
    pub fn new(plan: &Plan, before: &Heights) -> Self {
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
        let is_small = column.len() <= MANY;
        let kept = (is_small && !before.is_empty()).then(|| kept(&columns, &left, plan, before));
        if is_small {
            improve(&mut columns, &left, &right);
        }
        if let Some(kept) = kept {
            let (now, best) = (crossings(&kept, &left), crossings(&columns, &left));
            if now <= best + MORE.max(best / 4) {
                columns = kept;
            }
        }
        Self { columns, routes }
    }

    /// How far down its column each node of a plan stands.
    #[must_use]
    pub fn heights(&self, plan: &Plan) -> Heights {
        let position = positions(&self.columns);
        plan.names.iter().enumerate().map(|(node, name)| (Arc::clone(name), position[node])).collect()
    }
}

/// Orders columns such that few wires cross: by the mean position of neighbours, from side to side.
fn improve(columns: &mut [Vec<usize>], left: &Neighbours, right: &Neighbours) {
    let count = columns.len();
    let mut position = positions(columns);
    for sweep in 0..SWEEPS {
        let (neighbours, order): (_, Box<dyn Iterator<Item = usize>>) =
            if sweep % 2 == 0 { (left, Box::new(0..count)) } else { (right, Box::new((0..count).rev())) };
        for at in order {
            sort(&mut columns[at], neighbours, &position);
            set_positions(&columns[at], &mut position);
        }
    }
}

/// The columns with nodes where they stood before, and new nodes and lanes beside what they read.
fn kept(columns: &[Vec<usize>], left: &Neighbours, plan: &Plan, before: &Heights) -> Vec<Vec<usize>> {
    let known: HashMap<&str, f64> = before.iter().map(|(name, height)| (&**name, *height)).collect();
    let names: HashSet<&str> = plan.names.iter().map(|name| &**name).collect();
    let height = |node: usize| {
        let name = plan.names.get(node)?;
        // A node that was renamed stands where another one stood that is gone.
        let renamed = before.get(node).filter(|(old, _)| !names.contains(&**old)).map(|(_, height)| *height);
        known.get(&**name).copied().or(renamed)
    };
    let mut position = vec![0.5; left.len()];
    columns
        .iter()
        .map(|column| {
            for &item in column {
                position[item] = height(item).unwrap_or_else(|| mean(&left[item], &position).unwrap_or(1.0));
            }
            let mut column = column.clone();
            column.sort_by(|&a, &b| position[a].total_cmp(&position[b]));
            column
        })
        .collect()
}

/// How many wires between adjacent columns cross.
fn crossings(columns: &[Vec<usize>], left: &Neighbours) -> usize {
    let mut row = vec![0; left.len()];
    for column in columns {
        column.iter().enumerate().for_each(|(at, &item)| row[item] = at);
    }
    let mut sum = 0;
    for (column, before) in columns.iter().skip(1).zip(columns) {
        // A binary indexed tree of how many wires so far begin at each row or above it.
        let mut tree = vec![0_usize; before.len() + 1];
        let mut all = 0;
        for &item in column {
            let rows = || left[item].iter().map(|&other| row[other]);
            for from in rows() {
                let mut at = from + 1;
                let mut above = 0;
                while at > 0 {
                    above += tree[at];
                    at &= at - 1;
                }
                sum += all - above;
            }
            for from in rows() {
                let mut at = from + 1;
                while at < tree.len() {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
                all += 1;
            }
        }
    }
    sum
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

/// The relative heights of all items.
fn positions(columns: &[Vec<usize>]) -> Vec<f64> {
    let mut position = vec![0.0; columns.iter().map(Vec::len).sum()];
    columns.iter().for_each(|column| set_positions(column, &mut position));
    position
}

/// The relative heights of the items of a column.
fn set_positions(column: &[usize], position: &mut [f64]) {
    for (index, &item) in column.iter().enumerate() {
        position[item] = (index as f64 + 0.5) / column.len() as f64;
    }
}

/// The mean position of items; `None` for none.
fn mean(items: &[usize], position: &[f64]) -> Option<f64> {
    let sum: f64 = items.iter().map(|&other| position[other]).sum();
    (!items.is_empty()).then(|| sum / items.len() as f64)
}

/// Sorts a column by the mean position of neighbours.
fn sort(column: &mut [usize], neighbours: &[Vec<usize>], position: &[f64]) {
    let weight = |item: usize| mean(&neighbours[item], position).unwrap_or(position[item]);
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
        let layout = Layout::new(&plan(&[&[], &[0], &[1], &[2, 0, 4], &[]]), &Vec::new());
        assert_eq!(layout.routes, [vec![], vec![], vec![], vec![5, 6], vec![]]);
        let mut columns = layout.columns.clone();
        columns.iter_mut().for_each(|column| column.sort_unstable());
        assert_eq!(columns, [vec![0], vec![1, 5], vec![2, 4, 6], vec![3]]);
        assert_eq!(Layout::new(&plan(&[]), &Vec::new()), Layout { columns: Vec::new(), routes: Vec::new() });
    }

    #[test]
    fn wires_cross_rarely() {
        // 0 and 1 are read by 3 and 2: the orders of both columns agree.
        let layout = Layout::new(&plan(&[&[], &[], &[1], &[0]]), &Vec::new());
        let rows: Vec<usize> = layout.columns[0].iter().map(|node| if *node == 0 { 3 } else { 2 }).collect();
        assert_eq!(layout.columns[1], rows);
    }

    #[test]
    fn nodes_keep_their_places_unless_many_wires_cross() {
        // Three nodes read 0. Then 1 is fed by a new node 4, and 2 is renamed.
        let mut old = plan(&[&[], &[0], &[0], &[0]]);
        let first = Layout::new(&old, &Vec::new());
        assert_eq!(first.columns, [vec![0], vec![1, 2, 3]]);
        let before = vec![("0".into(), 0.5), ("1".into(), 0.9), ("2".into(), 0.5), ("3".into(), 0.1)];
        assert_eq!(Layout::new(&old, &before).columns, [vec![0], vec![3, 2, 1]]);
        assert_eq!(first.heights(&old)[3], ("3".into(), 5.0 / 6.0));
        old.names[2] = "new".into();
        assert_eq!(Layout::new(&old, &before).columns, [vec![0], vec![3, 2, 1]], "renamed");
        // Five wires that would cross each other ten times.
        let many = plan(&[&[], &[], &[], &[], &[], &[0], &[1], &[2], &[3], &[4]]);
        let turned: Heights = (0..10)
            .map(|node: u32| {
                let row = f64::from(node % 5) / 5.0;
                (node.to_string().into(), if node < 5 { row } else { 1.0 - row })
            })
            .collect();
        assert_eq!(Layout::new(&many, &turned).columns, [vec![0, 1, 2, 3, 4], vec![5, 6, 7, 8, 9]]);
    }

    #[test]
    fn crossings_by_hand() {
        // 3 reads 1 and 2, 4 reads 0 and 1: their wires cross, except where they begin at the same node.
        let left = vec![vec![], vec![], vec![], vec![1, 2], vec![0, 1]];
        assert_eq!(crossings(&[vec![0, 1, 2], vec![3, 4]], &left), 3);
        assert_eq!(crossings(&[vec![0, 1, 2], vec![4, 3]], &left), 0);
    }
}
