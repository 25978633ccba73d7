//! Heights brought down to what those beside them allow.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Places between looks at whether to go on.
const LOOK: u32 = 1 << 14;

/// Lowers heights until none stands higher above one beside it than `beside` says, beginning at some places:
/// of each place the least of what the ways there from these add up to (Dijkstra 1959, from many places at
/// once). O(links · log places).
///
/// # Errors
/// What `look` says, which is asked now and then whether to go on.
pub fn lower<I: Iterator<Item = (usize, f64)>, E>(
    heights: &mut [f64],
    from: impl Iterator<Item = usize>,
    beside: impl Fn(usize) -> I,
    look: impl Fn() -> Result<(), E>,
) -> Result<(), E> {
    let mut open: BinaryHeap<Reverse<Open>> =
        from.map(|at| Reverse(Open { height: heights[at], at: at as u32 })).collect();
    let mut until_look = LOOK;
    while let Some(Reverse(Open { height, at })) = open.pop() {
        if height > heights[at as usize] {
            continue;
        }
        until_look -= 1;
        if until_look == 0 {
            until_look = LOOK;
            look()?;
        }
        for (next, most) in beside(at as usize) {
            let through = height + most;
            if through < heights[next] {
                heights[next] = through;
                open.push(Reverse(Open { height: through, at: next as u32 }));
            }
        }
    }
    Ok(())
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
