//! Heights to pass through, bottom-up (after Belhadj 2007): a known point first tells its parents what mean it expects of
//! them, level by level up to the start, so that the terrain bends towards it; then the refinement leaves known points
//! alone on its way down.

use std::collections::BTreeMap;

use terrane_grid::{Domain, Grid};

use super::{Cover, Midpoint, MidpointError};

/// Known points per level: (row, column) to height.
pub struct Constraints(Vec<BTreeMap<(usize, usize), f32>>);

/// Expectations gathered at a parent.
#[derive(Default)]
struct Expected {
    sum: f64,
    count: u32,
    /// Set when the point itself is known.
    fixed: Option<f32>,
}

impl Constraints {
    pub fn new(domain: &Domain, cover: &Cover, parameters: &Midpoint) -> Result<Self, MidpointError> {
        let mut known = BTreeMap::new();
        for &(x, y, height) in &parameters.points {
            let index = |world: f64, origin: f64, samples: usize| {
                let index = libm::round((world - origin) / domain.spacing);
                (index >= 0.0 && index < samples as f64).then_some(index as usize)
            };
            let column = index(x, domain.origin.0, domain.width());
            let row = index(y, domain.origin.1, domain.height());
            let (Some(column), Some(row)) = (column, row) else { return Err(MidpointError::Outside(x, y)) };
            if known.insert((row, column), height).is_some_and(|other: f32| other != height) {
                return Err(MidpointError::Conflict(x, y));
            }
        }
        let extra = usize::from(!cover.wrap);
        let mut levels = vec![known];
        for level in (0..cover.levels).rev() {
            let size = ((cover.cells.0 << level) + extra, (cover.cells.1 << level) + extra);
            let coarser = parents(&levels[levels.len() - 1], size, cover.wrap);
            levels.push(coarser);
        }
        levels.reverse();
        Ok(Self(levels))
    }

    /// Puts the known heights of a level into its grid.
    pub fn apply(&self, level: u32, grid: &mut Grid<f32>) {
        for (&(row, column), &height) in &self.0[level as usize] {
            grid[(column, row)] = height;
        }
    }
}

/// What the points of a level ask of the next coarser one.
fn parents(
    fine: &BTreeMap<(usize, usize), f32>,
    size: (usize, usize),
    wrap: bool,
) -> BTreeMap<(usize, usize), f32> {
    let mut expected: BTreeMap<(usize, usize), Expected> = BTreeMap::new();
    let neighbours = |fine: usize, count: usize| {
        let low = fine / 2;
        let high = if fine.is_multiple_of(2) { low } else { low + 1 };
        [low, if wrap { high % count } else { high }]
    };
    for (&(row, column), &height) in fine {
        let (rows, columns) = (neighbours(row, size.1), neighbours(column, size.0));
        if rows[0] == rows[1] && columns[0] == columns[1] {
            expected.entry((rows[0], columns[0])).or_default().fixed = Some(height);
            continue;
        }
        for row in rows {
            for column in columns {
                let parent = expected.entry((row, column)).or_default();
                parent.sum += f64::from(height);
                parent.count += 1;
            }
        }
    }
    expected
        .into_iter()
        .map(|(at, e)| (at, e.fixed.unwrap_or_else(|| (e.sum / f64::from(e.count.max(1))) as f32)))
        .collect()
}
