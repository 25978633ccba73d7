//! Balances earth: what a change leaves as a deficit or a surplus is distributed over ground that moves.

use crate::relax::field::Field;

/// Maximum number of passes that distribute a deficit.
const MAX_PASSES: u32 = 24;

/// Distance from the region's edge, in samples, beyond which a sample's share of a deficit is constant.
const TAPER: u32 = 32;

/// How far from a sample its deficit is distributed along each axis, in samples.
const REACH: usize = 40;

/// Distributes the total deficit or surplus of earth over ground that moved, tapering at its edge, so that
/// slopes hardly change. No height leaves the range.
pub fn level_out((low, high): (f64, f64), before: &Field, field: &mut Field) {
    let depth = depths(before, field);
    // Heights that reach the end of the range leave a remainder, which is distributed again where there is
    // room: like Newton's method for a sum of piecewise linear functions.
    let mut first = None;
    for _ in 0..MAX_PASSES {
        let lack: f64 = before.heights.iter().zip(&field.heights).map(|(then, now)| then - now).sum();
        let negligible = 1e-12 * *first.get_or_insert(lack.abs());
        let has_room = |height: f64| if lack > 0.0 { height < high } else { height > low };
        let heights = field.heights.iter().zip(&depth);
        let room: f64 = heights.filter(|(height, _)| has_room(**height)).map(|(_, depth)| depth).sum();
        if room == 0.0 || lack.abs() <= negligible {
            return;
        }
        let share = lack / room;
        for (height, depth) in field.heights.iter_mut().zip(&depth).filter(|(_, depth)| **depth > 0.0) {
            *height = (*height + share * depth).max(low).min(high);
        }
    }
}

/// Distributes what each sample lost or gained since `then` over ground around it that moved, tapering at its
/// edge, so that earth stays near. Where none around it moved, or where heights reach the end of the range, a
/// remainder is left for [`level_out`].
pub fn return_earth((low, high): (f64, f64), before: &Field, then: &Field, field: &mut Field) {
    let (size, depth) = (field.domain.size, depths(before, field));
    let lost = then.heights.iter().zip(&field.heights).map(|(then, now)| then - now);
    let shares =
        lost.zip(around(&depth, size)).map(|(lost, room)| if room > 0.0 { lost / room } else { 0.0 });
    let shares = around(&shares.collect::<Vec<f64>>(), size);
    for ((height, depth), share) in field.heights.iter_mut().zip(&depth).zip(shares) {
        if *depth > 0.0 {
            *height = (*height + share * depth).max(low).min(high);
        }
    }
}

/// Per sample, the sum of values over the square of samples up to [`REACH`] away. Exact for small integers.
fn around(values: &[f64], (width, height): (usize, usize)) -> Vec<f64> {
    let mut along = vec![0.0; values.len()];
    let mut before = vec![0.0; width.max(height) + 1];
    for (row, out) in values.chunks(width).zip(along.chunks_mut(width)) {
        sums(&mut before[..=width], |x| row[x], |x, sum| out[x] = sum);
    }
    let mut out = vec![0.0; values.len()];
    for x in 0..width {
        sums(&mut before[..=height], |y| along[y * width + x], |y, sum| out[y * width + x] = sum);
    }
    out
}

/// The sums of `value` over up to [`REACH`] places on either side of each place. `before` gets the sums over
/// all places before each.
fn sums(before: &mut [f64], value: impl Fn(usize) -> f64, mut write: impl FnMut(usize, f64)) {
    let count = before.len() - 1;
    for at in 0..count {
        before[at + 1] = before[at] + value(at);
    }
    for at in 0..count {
        write(at, before[(at + REACH + 1).min(count)] - before[at.saturating_sub(REACH)]);
    }
}

/// The distance of each sample that moved from the nearest one that did not, in samples, at most [`TAPER`]; 0
/// where nothing moved.
fn depths(before: &Field, field: &Field) -> Vec<f64> {
    let (width, height) = field.domain.size;
    let moved = field.heights.iter().zip(&before.heights).map(|(now, then)| now != then);
    let mut depth: Vec<u32> = moved.map(|moved| if moved { TAPER } else { 0 }).collect();
    let nearer = |depth: &[u32], at: usize, by: [Option<usize>; 2]| {
        by.into_iter().flatten().fold(depth[at], |nearest, next| nearest.min(depth[next] + 1))
    };
    for at in 0..depth.len() {
        let (x, y) = (at % width, at / width);
        depth[at] = nearer(&depth, at, [(x > 0).then(|| at - 1), (y > 0).then(|| at - width)]);
    }
    for at in (0..depth.len()).rev() {
        let (x, y) = (at % width, at / width);
        let (right, below) = ((x + 1 < width).then_some(at + 1), (y + 1 < height).then_some(at + width));
        depth[at] = nearer(&depth, at, [right, below]);
    }
    depth.into_iter().map(f64::from).collect()
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    fn field(heights: Vec<f64>) -> Field {
        Field { domain: Domain::new(128, heights.len() / 128), heights }
    }

    /// What a few samples lost returns to ground near them that moved, as far as the range allows; the rest
    /// of the ground keeps its height to the bit.
    #[test]
    fn earth_returns_to_ground_nearby() {
        let before = field(vec![5.0; 128 * 9]);
        let moved = |at: usize| (4..60).contains(&(at % 128)) && (1..8).contains(&(at / 128));
        let then = field((0..128 * 9).map(|at| if moved(at) { 6.0 } else { 5.0 }).collect());
        let mut now = then.clone();
        now.heights[4 * 128 + 8] -= 0.5;
        let repaired = now.clone();
        return_earth((0.0, 100.0), &before, &then, &mut now);
        let sum = |field: &Field| field.heights.iter().sum::<f64>();
        assert!((sum(&now) - sum(&then)).abs() < 1e-9, "{}", sum(&now) - sum(&then));
        for (at, (now, then)) in now.heights.iter().zip(&repaired.heights).enumerate() {
            let is_near = at % 128 <= 8 + REACH;
            assert_eq!(now > then, moved(at) && is_near, "{at}");
        }
        let mut full = repaired.clone();
        return_earth((0.0, 6.0), &before, &then, &mut full);
        level_out((0.0, 6.0), &before, &mut full);
        assert!(full.heights.iter().all(|height| *height <= 6.0));
    }
}
