//! A map as a surface that rays meet: bilinear between samples.

use super::pyramid::Pyramid;
use super::vector::{Vector, along};
use super::walk::Walk;

/// A ray from a position, along a direction of length 1.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// The position from which the ray starts, in samples.
    pub from: Vector,
    /// The direction.
    pub direction: Vector,
}

/// A surface that rays can meet.
pub trait Trace: Sync {
    /// The height at a position, or at the nearest position on the map.
    fn at(&self, x: f64, y: f64) -> f64;

    /// The distance along a ray at which it first meets the surface from above, or `None` if that is not
    /// before `end`.
    fn hit(&self, ray: &Ray, end: f64) -> Option<f64>;

    /// The tangent of the horizon's angle above level, seen from a sample along a horizontal direction of
    /// length 1.
    ///
    /// The surface is read where the line crosses the sides of cells, up to a distance of `reach` samples.
    /// The result is at least `floor`. The search stops at the first tangent that reaches `ceiling`, so the
    /// result then need not be the largest tangent.
    fn horizon(&self, eye: [usize; 2], direction: [f64; 2], reach: f64, floor: f64, ceiling: f64) -> f64;
}

/// Heights in samples, with blocks that rays can skip.
#[derive(Debug)]
pub struct Surface {
    /// Heights, row by row; negative infinity where there is no surface.
    pub samples: Vec<f32>,
    /// Columns and rows, at least two of each.
    pub size: (usize, usize),
    pyramid: Pyramid,
}

impl Surface {
    /// Creates a surface from heights.
    pub fn new(samples: Vec<f32>, size: (usize, usize)) -> Self {
        let pyramid = Pyramid::new(&samples, size.0);
        Self { samples, size, pyramid }
    }

    /// Columns and rows of cells.
    pub const fn cells(&self) -> [usize; 2] {
        [self.size.0 - 1, self.size.1 - 1]
    }

    /// The height of a cell's patch, at a position from 0 to 1 in each axis.
    #[inline]
    pub fn within(&self, [column, row]: [usize; 2], [u, v]: [f64; 2]) -> f64 {
        let first = row * self.size.0 + column;
        let corner = |at: usize| f64::from(self.samples[at]);
        let (a, b) = (corner(first), corner(first + 1));
        let (c, d) = (corner(first + self.size.0), corner(first + self.size.0 + 1));
        let (north, south) = (a + (b - a) * u, c + (d - c) * u);
        north + (south - north) * v
    }

    /// The distance along a ray at which it first meets a cell's patch from above, between the distances
    /// `enters` and `leaves`.
    #[inline]
    pub fn meets(&self, cell: [usize; 2], ray: &Ray, enters: f64, leaves: f64) -> Option<f64> {
        if leaves == f64::INFINITY {
            // The ray goes straight up or down.
            let over =
                ray.from[2] - self.within(cell, [ray.from[0] - cell[0] as f64, ray.from[1] - cell[1] as f64]);
            let hit = -over / ray.direction[2];
            return (hit >= enters && hit.is_finite() && ray.direction[2] < 0.0).then_some(hit);
        }
        let over = |t: f64| {
            let [x, y, z] = along(ray.from, ray.direction, t);
            z - self.within(cell, [x - cell[0] as f64, y - cell[1] as f64])
        };
        // Along a line a bilinear patch is a parabola, which three points determine.
        let (first, middle, last) = (over(enters), over(0.5 * (enters + leaves)), over(leaves));
        if !first.is_finite() {
            return None;
        }
        if first <= 0.0 {
            return Some(enters);
        }
        let (b, a) = (4.0 * middle - 3.0 * first - last, 2.0 * (first + last) - 4.0 * middle);
        let root = b * b - 4.0 * a * first;
        if root < 0.0 {
            return None;
        }
        // The smaller root, in the form that loses no digits where `a` is small.
        let share = 2.0 * first / (root.sqrt() - b);
        (share > 0.0 && share <= 1.0).then_some(enters + share * (leaves - enters))
    }
}

impl Trace for Surface {
    fn at(&self, x: f64, y: f64) -> f64 {
        let [columns, rows] = self.cells();
        let (x, y) = (x.clamp(0.0, columns as f64), y.clamp(0.0, rows as f64));
        let cell = [(x as usize).min(columns - 1), (y as usize).min(rows - 1)];
        self.within(cell, [x - cell[0] as f64, y - cell[1] as f64])
    }

    fn hit(&self, ray: &Ray, end: f64) -> Option<f64> {
        let [x, y, z] = ray.direction;
        let mut walk = Walk::new(self.cells(), [0, 0], [ray.from[0], ray.from[1]], [x, y])?;
        let end = end.min(walk.end);
        let top = self.pyramid.top();
        let (mut level, mut here) = (top, 0.0);
        while here <= end {
            let exit = walk.exit(level);
            let lowest = ray.from[2] + z * if z < 0.0 { exit.at.min(end) } else { here };
            let passes = lowest > f64::from(self.pyramid.highest(level, walk.cell));
            if !passes && level > 0 {
                level -= 1;
                continue;
            }
            if !passes {
                let hit = self.meets(walk.cell, ray, walk.enters().max(0.0), exit.at);
                if let Some(hit) = hit {
                    return (hit < end).then_some(hit);
                }
            }
            walk.pass(level, exit)?;
            here = exit.at;
            level = (level + u32::from(passes)).min(top);
        }
        None
    }

    fn horizon(&self, eye: [usize; 2], direction: [f64; 2], reach: f64, floor: f64, ceiling: f64) -> f64 {
        // A block is skipped only if the line with the steepest tangent found so far passes above the block
        // by more than the rounding errors of interpolated heights. So the result does not depend on the
        // blocks.
        const MARGIN: f64 = 1e-9;
        let height = f64::from(self.samples[eye[1] * self.size.0 + eye[0]]);
        let mut highest = floor;
        let Some(mut walk) = Walk::new(self.cells(), eye, [0.0; 2], direction) else { return highest };
        let (mut level, mut here) = (0, 0.0f64);
        let top = self.pyramid.top();
        while highest < ceiling {
            let exit = walk.exit(level);
            let rise = f64::from(self.pyramid.highest(level, walk.cell)) - height;
            let nearest = if rise > 0.0 { here } else { exit.at };
            let passes = rise + MARGIN * (rise.abs() + height.abs()) < highest * nearest;
            if !passes && level > 0 {
                level -= 1;
                continue;
            }
            if exit.at > reach {
                break;
            }
            if !passes && exit.at > 0.0 {
                let there = self.within(walk.cell, walk.within(exit.at));
                highest = highest.max((there - height) / exit.at);
            }
            if walk.pass(level, exit).is_none() {
                break;
            }
            here = exit.at;
            level = (level + u32::from(passes)).min(top);
        }
        highest
    }
}
