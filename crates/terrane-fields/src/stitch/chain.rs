//! Borders between two fields, from one junction with other borders to the next.

use std::collections::BTreeMap;

use super::outline::Point;
use super::seam::Seam;

/// Consecutive seams between the same two fields, joined at nodes that no other seam touches: one border,
/// however many nodes it was drawn with.
pub struct Chain {
    /// Its seams, each with its start along the chain.
    pub seams: Vec<(u32, f64)>,
    pub length: f64,
    /// Whether the chain is a closed loop.
    pub closed: bool,
}

/// The position of a seam in its chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub chain: u32,
    /// Distance along the chain at which the seam starts.
    pub offset: f64,
    /// Whether the chain runs from the seam's last end to its first.
    pub turned: bool,
}

impl Link {
    /// Converts a distance along a seam to a distance along its chain.
    #[inline(always)]
    pub fn along(&self, seam: &Seam, along: f64) -> f64 {
        if self.turned { self.offset + (seam.line.length - along) } else { self.offset + along }
    }
}

impl Chain {
    /// The seam at a distance along the chain, and the point there.
    pub fn at(&self, along: f64, seams: &[Seam], links: &[Link]) -> (u32, Point) {
        let after = self.seams.partition_point(|(_, offset)| *offset <= along).max(1);
        let (number, offset) = self.seams[after - 1];
        let line = &seams[number as usize].line;
        let on = (along - offset).clamp(0.0, line.length);
        let turned = links[number as usize].turned;
        // Ends are returned exactly, since other chains share them.
        let point = match (on == 0.0, on == line.length, turned) {
            (true, _, false) | (_, true, true) => line.ends[0],
            (_, true, false) | (true, _, true) => line.ends[1],
            (_, _, false) => line.point(on),
            (_, _, true) => line.point(line.length - on),
        };
        (number, point)
    }
}

/// All chains, and each seam's position in its chain. A closed chain starts and runs like its first seam; an
/// open one starts where its border begins.
pub fn chains(seams: &[Seam]) -> (Vec<Chain>, Vec<Link>) {
    let mut at_node: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (number, seam) in seams.iter().enumerate() {
        seam.nodes.iter().for_each(|node| at_node.entry(*node).or_default().push(number as u32));
    }
    // The fields left and right when leaving a node along a seam.
    let leaving = |number: u32, node: u32| {
        let Seam { nodes, sides: [left, right], .. } = seams[number as usize];
        if nodes[0] == node { [left.field, right.field] } else { [right.field, left.field] }
    };
    // The next seam of a border after a node.
    let next = |number: u32, node: u32| match at_node[&node].as_slice() {
        &[a, b] => {
            let ([left, right], other) = (leaving(number, node), if a == number { b } else { a });
            (leaving(other, node) == [right, left]).then_some(other)
        }
        _ => None,
    };
    let other_end = |number: u32, node: u32| {
        let [a, b] = seams[number as usize].nodes;
        if a == node { b } else { a }
    };
    let none = Link { chain: u32::MAX, offset: 0.0, turned: false };
    let (mut all, mut links) = (Vec::new(), vec![none; seams.len()]);
    for first in 0..seams.len() as u32 {
        if links[first as usize].chain != u32::MAX {
            continue;
        }
        // Walks back to the beginning of the border, or once around.
        let (mut start, mut node, mut closed) = (first, seams[first as usize].nodes[0], false);
        while let Some(before) = next(start, node) {
            if before == first {
                closed = true;
                (start, node) = (first, seams[first as usize].nodes[0]);
                break;
            }
            (start, node) = (before, other_end(before, node));
        }
        let (mut here, mut length, mut in_row) = (Some(start), 0.0, Vec::new());
        while let Some(number) = here {
            let seam = &seams[number as usize];
            links[number as usize] =
                Link { chain: all.len() as u32, offset: length, turned: seam.nodes[0] != node };
            in_row.push((number, length));
            length += seam.line.length;
            node = other_end(number, node);
            here = next(number, node).filter(|&next| next != start);
        }
        all.push(Chain { seams: in_row, length, closed });
    }
    (all, links)
}
