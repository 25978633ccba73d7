//! Lowers heights to what their neighbours allow.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Steps between two checks for cancellation.
const CHECK_INTERVAL: u32 = 1 << 14;

/// Lowers heights until none exceeds a neighbour's by more than `beside` allows. The search starts from some
/// positions. Each height becomes the minimum, over all paths from these positions, of the start's height
/// plus the sum of allowed differences (Dijkstra 1959, from many sources). O(links · log positions).
///
/// # Errors
/// The error of `check`, which is called regularly.
pub fn lower<I: Iterator<Item = (usize, f64)>, E>(
    heights: &mut [f64],
    from: impl Iterator<Item = usize>,
    beside: impl Fn(usize) -> I,
    check: impl Fn() -> Result<(), E>,
) -> Result<(), E> {
    let mut open: BinaryHeap<Reverse<OpenHeight>> =
        from.map(|at| Reverse(OpenHeight { height: heights[at], at: at as u32 })).collect();
    let mut until_check = CHECK_INTERVAL;
    while let Some(Reverse(OpenHeight { height, at })) = open.pop() {
        if height > heights[at as usize] {
            continue;
        }
        until_check -= 1;
        if until_check == 0 {
            until_check = CHECK_INTERVAL;
            check()?;
        }
        for (next, most) in beside(at as usize) {
            let through = height + most;
            if through < heights[next] {
                heights[next] = through;
                open.push(Reverse(OpenHeight { height: through, at: next as u32 }));
            }
        }
    }
    Ok(())
}

/// A position to continue from, the lowest first.
#[derive(Clone, Copy)]
struct OpenHeight {
    height: f64,
    at: u32,
}

impl Ord for OpenHeight {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.height.total_cmp(&other.height).then(self.at.cmp(&other.at))
    }
}

impl PartialOrd for OpenHeight {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OpenHeight {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenHeight {}
