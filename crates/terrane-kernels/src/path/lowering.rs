//! Heights brought down to what those beside them allow.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Lowers heights until none stands higher above one beside it than `beside` says, beginning at some places: of each place the least of what the ways there from these add up to (Dijkstra 1959,
/// from many places at once). O(links · log places).
pub fn lower<I: Iterator<Item = (usize, f64)>>(
    heights: &mut [f64],
    from: impl Iterator<Item = usize>,
    beside: impl Fn(usize) -> I,
) {
    let mut open: BinaryHeap<Reverse<Open>> =
        from.map(|at| Reverse(Open { height: heights[at], at: at as u32 })).collect();
    while let Some(Reverse(Open { height, at })) = open.pop() {
        if height > heights[at as usize] {
            continue;
        }
        for (next, most) in beside(at as usize) {
            let through = height + most;
            if through < heights[next] {
                heights[next] = through;
                open.push(Reverse(Open { height: through, at: next as u32 }));
            }
        }
    }
}

/// A place to go on from, the lowest first.
#[derive(Clone, Copy)]
struct Open {
    height: f64,
    at: u32,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.height.total_cmp(&other.height).then(self.at.cmp(&other.at))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}
