//! Bounds on the slopes at a sample, for the primal-dual method.

use super::level::Limits;

/// The bounds on a sample.
#[derive(Clone, Copy)]
pub struct Bound {
    pub x: usize,
    /// The limits to aim at.
    aim: Limits,
    /// The actual limits.
    given: Limits,
    /// The quadrants where they apply: right and down, left and down, right and up, left and up.
    pub quadrants: [bool; 4],
}

/// The maximum distance of the aim from its limit, as a part of the limit.
const DEEPEST: f64 = 1.0 / 30.0;

impl Bound {
    /// The bounds at a column counted from 1, in some quadrants.
    pub fn new(x: usize, given: Limits, quadrants: [bool; 4]) -> Self {
        Self { x, aim: given, given, quadrants }
    }

    /// Sets the aims to values inside the limits. The distance from a limit is `tolerances` times the
    /// tolerance or, if that is more, `part` of the limit. It is at most a thirtieth of the limit. Where
    /// ground may keep its original slope, the aim is never below that slope.
    pub fn aim(&mut self, (tolerances, part): (f64, f64)) {
        let Limits { any, along, tolerance, before } = self.given;
        let lower = |slope: f64| match slope.is_finite() {
            true => slope - (tolerances * tolerance).max(slope * part).min(slope * DEEPEST),
            false => slope,
        };
        self.aim.any = lower(any).max(before.map_or(0.0, |before| before.min(any)));
        self.aim.along = along.map(|(direction, slope)| (direction, lower(slope)));
    }

    /// Forces restricted to the quadrants where the bounds apply, and to the direction if only slopes along
    /// it count.
    pub fn allowed(&self, mut forces: [f64; 8]) -> [f64; 8] {
        for (force, binds) in forces.chunks_exact_mut(2).zip(self.quadrants) {
            match self.given.along {
                _ if !binds => force.fill(0.0),
                Some(([dx, dy], _)) if self.given.any.is_infinite() => {
                    let along = force[0] * dx + force[1] * dy;
                    force.copy_from_slice(&[along * dx, along * dy]);
                }
                _ => {}
            }
        }
        forces
    }

    /// Whether another bound restricts slopes in the same way.
    pub fn is_like(&self, other: &Self) -> bool {
        self.given.along.is_some() == other.given.along.is_some()
    }

    /// The relative excess of a slope over the aimed bound.
    pub fn excess(&self, [x, y]: [f64; 2]) -> f64 {
        let over = |slope: f64, bound: f64| {
            if slope > bound { slope / bound.max(f64::MIN_POSITIVE) - 1.0 } else { 0.0 }
        };
        let along = self.aim.along.map_or(0.0, |([dx, dy], bound)| over((x * dx + y * dy).abs(), bound));
        along.max(over((x * x + y * y).sqrt(), self.aim.any))
    }

    /// Whether slopes of up to these values along each axis are within the bound, whatever their signs.
    #[inline]
    pub fn holds(&self, across: f64, along: f64) -> bool {
        let along_direction = match self.aim.along {
            Some(([dx, dy], slope)) => across * dx.abs() + along * dy.abs() <= slope,
            None => true,
        };
        along_direction && across * across + along * along <= self.aim.any * self.aim.any
    }

    /// The remainder of a force after subtracting what the bound absorbs: zero where the slope is within the
    /// bound.
    #[inline]
    pub fn beyond(&self, [x, y]: [f64; 2], size: f64) -> [f64; 2] {
        let most = size * self.aim.any;
        let Some(([dx, dy], slope)) = self.aim.along else {
            let length = (x * x + y * y).sqrt();
            let part = if length > most { 1.0 - most / length } else { 0.0 };
            return [x * part, y * part];
        };
        // Along the direction and across it, the bound is a strip truncated by a disc.
        let (along, across) = (x * dx + y * dy, y * dx - x * dy);
        let strip = size * slope;
        let held = along.max(-strip).min(strip);
        if held * held + across * across <= most * most {
            let rest = along - held;
            return [rest * dx, rest * dy];
        }
        let part = most / (along * along + across * across).sqrt();
        let (u, v) = if strip >= most || (along * part).abs() <= strip {
            (along * part, across * part)
        } else {
            (held, (most * most - strip * strip).sqrt().copysign(across))
        };
        let (u, v) = (along - u, across - v);
        [u * dx - v * dy, u * dy + v * dx]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aiming_inside_does_not_bind_free_directions() {
        let given =
            Limits { any: f64::INFINITY, along: Some(([1.0, 0.0], 0.3)), tolerance: 1e-5, before: None };
        let mut bound = Bound::new(1, given, [true; 4]);
        bound.aim((12.0, 0.01));
        assert_eq!(bound.excess([0.2, 7.0]), 0.0, "across the direction any slope is allowed");
        assert!((bound.excess([0.594, 0.0]) - 1.0).abs() < 1e-12, "a hundredth inside 0.3");
    }
}
