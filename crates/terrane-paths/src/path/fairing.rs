//! Takes out of a curve the parts that turn and turn back.

use super::bends::turn;
use super::builder::Builder;
use super::point::Point;

/// The squared tangent of half of eight degrees.
const TURN: f64 = 0.004_89;

/// Sweeps over the curve; each halves what is left of a turn.
const SWEEPS: usize = 32;

/// A curve without parts that turn by more than eight degrees at one end and back by more at the other: both
/// ends of such parts move towards the middle of the points beside them, where the ground is free. `lead` is
/// the points beyond the curve's ends, which do not move, as the ends themselves. O(knots) for each sweep.
pub fn faired(builder: &Builder<'_>, curve: Vec<Point>, lead: [Option<Point>; 2]) -> Vec<Point> {
    let [first, last] = lead;
    let before = usize::from(first.is_some());
    let mut all: Vec<Point> = first.into_iter().chain(curve).chain(last).collect();
    let inner = before + 1..all.len() - usize::from(last.is_some()) - 1;
    for _ in 0..SWEEPS {
        let mut is_fair = true;
        for at in 1..all.len().saturating_sub(2) {
            if !turns_back(&all[at - 1..at + 3]) {
                continue;
            }
            for knot in [at, at + 1].into_iter().filter(|knot| inner.contains(knot)) {
                let (a, b, c) = (all[knot - 1], all[knot], all[knot + 1]);
                let middle = |a: f64, b: f64, c: f64| 0.25 * (a + c) + 0.5 * b;
                let moved = (middle(a.0, b.0, c.0), middle(a.1, b.1, c.1));
                if builder.line_cost(&[a, moved, c]).is_some() {
                    all[knot] = moved;
                    is_fair = false;
                }
            }
        }
        if is_fair {
            break;
        }
    }
    let end = all.len() - usize::from(last.is_some());
    all.drain(before..end).collect()
}

/// Whether a line of four points turns to one side at the second, and to the other at the third.
fn turns_back(line: &[Point]) -> bool {
    let side = |a: Point, b: Point, c: Point| (b.0 - a.0) * (c.1 - b.1) - (b.1 - a.1) * (c.0 - b.0);
    let [a, b, c, d] = [line[0], line[1], line[2], line[3]];
    side(a, b, c) * side(b, c, d) < 0.0 && turn(a, b, c).min(turn(b, c, d)) > TURN
}
