//! The distance to the shore.

use terrane_compute::{Alive, Cancelled};
use terrane_grid::{Grid, Heightmap};

use crate::Boundary;
use crate::parallel::{slices, try_for_each};

/// The shore as seen from each sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Shore {
    /// The distance of the nearest shore, in world units: positive on land, negative in water.
    pub distance: Heightmap,
    /// The level of the water: on land that of the nearest shore. Without a shore, the height of the ground.
    pub level: Heightmap,
}

/// A squared distance to a crossing of the shore, and the level of the water there.
#[derive(Clone, Copy)]
struct Near {
    squared: f32,
    level: f32,
}

/// No crossing.
const NONE: Near = Near { squared: f32::INFINITY, level: f32::NAN };

/// Finds the nearest shore of each sample.
///
/// The shore crosses the line between two adjacent samples, one wet and one dry, where the ground, which is
/// straight between them, has the level of the water. Distances are exact to the nearest of these crossings
/// (Felzenszwalb & Huttenlocher 2012, *Distance transforms of sampled functions*). Without a shore, all are
/// as large as the diagonal from the map's first sample to its last. Where `level` is not a number, it is
/// dry. O(samples).
///
/// # Errors
/// [`Cancelled`] when `alive` cancels.
///
/// # Panics
/// If the level has another size than the ground.
pub fn shore(
    level: &Heightmap,
    ground: &Heightmap,
    boundary: Boundary,
    alive: &Alive<'_>,
) -> Result<Shore, Cancelled> {
    let (width, height) = ground.domain().size;
    assert_eq!(level.domain().size, (width, height), "water of another size");
    if width * height == 0 {
        return Ok(Shore { distance: ground.clone(), level: ground.clone() });
    }
    let (levels, heights) = (level.samples(), ground.samples());
    let wrap = boundary == Boundary::Wrap;
    // How far the shore is behind the first of two samples, from 0 to 1, and its level.
    let crossing = |a: usize, b: usize| {
        let (wet, dry) = match (levels[a].is_nan(), levels[b].is_nan()) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            _ => return None,
        };
        let share = (levels[wet] - heights[wet]) / (heights[dry] - heights[wet]);
        let share = if (0.0..=1.0).contains(&share) { share } else { 0.5 };
        Some((if wet == a { share } else { 1.0 - share }, levels[wet]))
    };
    // Crossings of rows, then those of columns.
    let mut rows = vec![NONE; width * height];
    nearest(
        &mut rows,
        width,
        wrap,
        |line, at, next| crossing(line * width + at, line * width + next),
        alive,
    )?;
    let mut rows = transposed(&rows, width);
    across(&mut rows, height, wrap, alive)?;
    let mut columns = vec![NONE; width * height];
    let of_column = |line: usize, at: usize, next: usize| crossing(at * width + line, next * width + line);
    nearest(&mut columns, height, wrap, of_column, alive)?;
    let mut found = transposed(&columns, height);
    drop(columns);
    across(&mut found, width, wrap, alive)?;
    let spacing = ground.spacing();
    let (across, down) = ((width - 1) as f64, (height - 1) as f64);
    let most = (across * across + down * down).sqrt();
    let (mut distances, mut near) = (vec![0.0f32; width * height], heights.to_vec());
    try_for_each((slices(&mut distances, width), slices(&mut near, width)), 1, |row, (distances, near)| {
        for column in 0..width {
            let at = row * width + column;
            let (one, other) = (found[at], rows[column * height + row]);
            let Near { squared, level } = if other.squared < one.squared { other } else { one };
            let length = (f64::from(squared).sqrt().min(most) * spacing) as f32;
            let is_dry = levels[at].is_nan();
            distances[column] = if is_dry { length } else { -length };
            if !is_dry {
                near[column] = levels[at];
            } else if !level.is_nan() {
                near[column] = level;
            }
        }
        alive()
    })?;
    let whole = |samples: Vec<f32>| ground.with_grid(Grid::from_vec(width, height, samples));
    Ok(Shore { distance: whole(distances), level: whole(near) })
}

/// For each sample of each line, the nearest crossing along the line. `crossing` returns, for a line and two
/// successive samples, how far a crossing is behind the first, and its level.
fn nearest(
    lines: &mut [Near],
    length: usize,
    wrap: bool,
    crossing: impl Fn(usize, usize, usize) -> Option<(f32, f32)> + Sync,
    alive: &Alive<'_>,
) -> Result<(), Cancelled> {
    try_for_each(slices(lines, length), 1, |line, samples| {
        let ends = if wrap { length } else { length - 1 };
        let mut found: Vec<(f32, f32)> = (0..ends)
            .filter_map(|at| {
                let (share, level) = crossing(line, at, (at + 1) % length)?;
                Some((at as f32 + share, level))
            })
            .collect();
        if let (true, Some(&first), Some(&last)) = (wrap, found.first(), found.last()) {
            found.insert(0, (last.0 - length as f32, last.1));
            found.push((first.0 + length as f32, first.1));
        }
        let mut next = 0;
        for (at, sample) in samples.iter_mut().enumerate() {
            let at = at as f32;
            while next < found.len() && found[next].0 < at {
                next += 1;
            }
            let near = |crossing: Option<&(f32, f32)>| {
                crossing.map_or(NONE, |(place, level)| Near {
                    squared: (place - at) * (place - at),
                    level: *level,
                })
            };
            let (behind, ahead) = (near(next.checked_sub(1).map(|at| &found[at])), near(found.get(next)));
            *sample = if ahead.squared < behind.squared { ahead } else { behind };
        }
        alive()
    })
}

/// Lets each sample of each line have the least sum of the squared distance of a sample of the line and the
/// square of the distance to it.
fn across(lines: &mut [Near], length: usize, wrap: bool, alive: &Alive<'_>) -> Result<(), Cancelled> {
    try_for_each(slices(lines, length), 1, |_, samples| {
        let values = samples.to_vec();
        // The parabolas that are least somewhere: their places, and from where they are.
        let mut least: Vec<(isize, f64)> = Vec::new();
        let count = length as isize;
        let near = |at: isize| values[at.rem_euclid(count) as usize];
        let value = |at: isize| f64::from(near(at).squared);
        let (first, end) = if wrap { (-count, 2 * count) } else { (0, count) };
        for at in (first..end).filter(|at| value(*at).is_finite()) {
            let from = loop {
                let Some(&(last, from)) = least.last() else { break f64::NEG_INFINITY };
                // Where the parabola at `at` becomes lower than the last one.
                let sum = (at * at - last * last) as f64 + value(at) - value(last);
                let meets = sum / (2 * (at - last)) as f64;
                if meets > from {
                    break meets;
                }
                least.pop();
            };
            least.push((at, from));
        }
        if least.is_empty() {
            return alive();
        }
        let mut next = 0;
        for (at, sample) in (0..).zip(samples.iter_mut()) {
            while next + 1 < least.len() && least[next + 1].1 <= at as f64 {
                next += 1;
            }
            let (place, _) = least[next];
            let distance = (at - place) as f64;
            *sample = Near { squared: (value(place) + distance * distance) as f32, level: near(place).level };
        }
        alive()
    })
}

/// Lines of this length as columns.
fn transposed(lines: &[Near], length: usize) -> Vec<Near> {
    /// Samples of a square that is in the processor's cache.
    const SIDE: usize = 32;
    let count = lines.len() / length;
    let mut columns = vec![NONE; lines.len()];
    for first in (0..count).step_by(SIDE) {
        for start in (0..length).step_by(SIDE) {
            for line in first..(first + SIDE).min(count) {
                for at in start..(start + SIDE).min(length) {
                    columns[at * count + line] = lines[line * length + at];
                }
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Domain;

    use super::*;

    const ALIVE: &Alive<'_> = &|| Ok(());

    #[test]
    fn a_shore_by_hand() {
        // The ground rises from 0 to 4; the level of 1.5 crosses it between samples 0 and 1.
        let ground = Heightmap::from_fn(Domain::new(4, 1).with_spacing(10.0), |x, _| [0.0, 2.0, 4.0, 4.0][x]);
        let level = Heightmap::from_vec(ground.domain(), vec![1.5, f32::NAN, f32::NAN, f32::NAN]);
        let of = |boundary| shore(&level, &ground, boundary, ALIVE).unwrap().distance.samples().to_vec();
        assert_eq!(of(Boundary::Open), [-7.5, 2.5, 12.5, 22.5]);
        // On a ring, it also crosses the step from the last sample to the first.
        assert_eq!(of(Boundary::Wrap), [-3.75, 2.5, 12.5, 6.25]);
        // Between two lakes, each sample has the level of the nearer one.
        let ground = Heightmap::from_fn(Domain::new(6, 1), |x, _| [0.0, 9.0, 9.0, 9.0, 9.0, 0.0][x]);
        let two = [3.0, f32::NAN, f32::NAN, f32::NAN, f32::NAN, 6.0];
        let near = shore(&Heightmap::from_vec(ground.domain(), two.to_vec()), &ground, Boundary::Open, ALIVE);
        assert_eq!(near.unwrap().level.samples(), [3.0, 3.0, 3.0, 6.0, 6.0, 6.0]);
        let dry = Heightmap::from_vec(Domain::new(3, 4), vec![f32::NAN; 12]);
        let flat = Heightmap::constant(dry.domain(), 4.0);
        let all = shore(&dry, &flat, Boundary::Open, ALIVE).unwrap();
        assert_eq!(all.level, flat);
        assert_eq!(all.distance.samples(), [13.0f32.sqrt(); 12]);
    }

    proptest! {
        #[test]
        fn distances_are_those_to_the_nearest_crossing(
            w in 1usize..12,
            h in 1usize..12,
            seed in any::<u32>(),
            wrap in any::<bool>(),
        ) {
            let mut state = seed;
            let ground = Heightmap::from_fn(Domain::new(w, h), |_, _| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 20) as f32 / 512.0
            });
            let level = ground.with_grid(ground.grid().map(|h| if *h < 2.5 { 2.5 } else { f32::NAN }));
            let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
            let found = shore(&level, &ground, boundary, ALIVE).unwrap().distance;
            let mut crossings: Vec<(f64, f64)> = Vec::new();
            for y in 0..h {
                for x in 0..w {
                    for (dx, dy) in [(1, 0), (0, 1)] {
                        let is_inside = x + dx < w && y + dy < h;
                        if !is_inside && !wrap {
                            continue;
                        }
                        let to = ((x + dx) % w, (y + dy) % h);
                        let (a, b) = (f64::from(ground[(x, y)]), f64::from(ground[to]));
                        if (a < 2.5) != (b < 2.5) {
                            let share = (2.5 - a) / (b - a);
                            crossings.push((x as f64 + dx as f64 * share, y as f64 + dy as f64 * share));
                        }
                    }
                }
            }
            let most = (((w - 1) * (w - 1) + (h - 1) * (h - 1)) as f64).sqrt();
            for y in 0..h {
                for x in 0..w {
                    let mut least = most;
                    for (cx, cy) in &crossings {
                        let turns = if wrap { -1..=1 } else { 0..=0 };
                        for (i, j) in turns.clone().flat_map(|i| turns.clone().map(move |j| (i, j))) {
                            let dx = cx + (i * w as i32) as f64 - x as f64;
                            let dy = cy + (j * h as i32) as f64 - y as f64;
                            least = least.min((dx * dx + dy * dy).sqrt());
                        }
                    }
                    let own = f64::from(found[(x, y)]);
                    prop_assert_eq!(own <= 0.0, ground[(x, y)] < 2.5 || own == 0.0);
                    prop_assert!((own.abs() - least).abs() < 1e-5, "{} {}", own, least);
                }
            }
        }
    }
}
