//! Ways that leave a node apart from each other, instead of going out and back along one stem.

use std::f64::consts::{PI, TAU};

use super::point::{Point, apart};

/// How much dearer ground is behind a node, as a multiple of its cost.
const DEARER: f64 = 4.0;

/// The cosine of the angle from a sector's direction up to which ground costs the same.
const FREE: f64 = 0.866;

/// Angle between the directions of two edges that makes them leave apart, in radians.
const GAP: f64 = 0.5 * PI;

/// Rounds in which directions that are too close move apart.
const ROUNDS: usize = 64;

/// The ground by which an edge should leave a node: within thirty degrees of a direction it costs the same,
/// and from ninety degrees on [`DEARER`] times as much in addition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sector {
    /// Column and row of the node.
    pub node: Point,
    /// A unit vector.
    pub direction: (f64, f64),
    /// The distance from the node up to which the sector matters, in samples.
    pub radius: f64,
}

impl Sector {
    /// The factor of the cost at a point.
    pub fn factor(&self, at: Point) -> f64 {
        let distance = apart(self.node, at);
        if distance == 0.0 || distance > self.radius {
            return 1.0;
        }
        let (dx, dy) = (at.0 - self.node.0, at.1 - self.node.1);
        let along = (dx * self.direction.0 + dy * self.direction.1) / distance;
        1.0 + DEARER * ((FREE - along) / FREE).clamp(0.0, 1.0)
    }
}

/// Whether two ways from a node are closer to each other than to the node, a quarter or half of `radius` away
/// from it: they leave it within sixty degrees.
pub fn leave_together(a: &[Point], b: &[Point], radius: f64) -> bool {
    [0.25, 0.5].iter().any(|part| apart(left(a, part * radius), left(b, part * radius)) < part * radius)
}

/// The first point of a line at a distance from its start, or its last point.
fn left(line: &[Point], distance: f64) -> Point {
    let start = line[0];
    let far = line.windows(2).find(|ends| apart(start, ends[1]) >= distance);
    let Some(&[a, b]) = far.and_then(|ends| ends.first_chunk()) else { return line[line.len() - 1] };
    let (near, beyond) = (apart(start, a), apart(start, b));
    let part = if beyond > near { (distance - near) / (beyond - near) } else { 1.0 };
    (a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1))
}

/// Directions near the given ones, as unit vectors, with angles of at least [`GAP`] between them, or three
/// quarters of equal shares if they are many. Directions that are already so far apart do not change.
pub fn spread(directions: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut angles: Vec<(f64, usize)> =
        directions.iter().enumerate().map(|(at, &(x, y))| (libm::atan2(y, x), at)).collect();
    angles.sort_by(|a, b| a.0.total_cmp(&b.0));
    let count = angles.len();
    let least = GAP.min(0.75 * TAU / count.max(1) as f64);
    for _ in 0..ROUNDS {
        let mut shifts = vec![0.0; count];
        for at in 0..count {
            let next = (at + 1) % count;
            let turn = if next == 0 { TAU } else { 0.0 };
            let lack = 0.5 * (least - (angles[next].0 + turn - angles[at].0)).max(0.0);
            shifts[at] -= lack;
            shifts[next] += lack;
        }
        angles.iter_mut().zip(shifts).for_each(|(angle, shift)| angle.0 += shift);
    }
    let mut out = directions.to_vec();
    angles.into_iter().for_each(|(angle, at)| out[at] = (libm::cos(angle), libm::sin(angle)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_spread() {
        let degrees = |directions: &[f64]| -> Vec<f64> {
            let unit = |angle: f64| (libm::cos(angle), libm::sin(angle));
            let vectors: Vec<(f64, f64)> = directions.iter().map(|d| unit(d.to_radians())).collect();
            spread(&vectors).iter().map(|&(x, y)| libm::atan2(y, x).to_degrees().rem_euclid(360.0)).collect()
        };
        let close = |found: Vec<f64>, wanted: &[f64]| {
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.1), "{found:?} {wanted:?}");
        };
        close(degrees(&[10.0, 170.0]), &[10.0, 170.0]);
        close(degrees(&[30.0, 10.0]), &[65.0, 335.0]);
        close(degrees(&[170.0, 190.0]), &[135.0, 225.0]);
        close(degrees(&[0.0, 80.0, 200.0]), &[355.0, 85.0, 200.0]);
        close(degrees(&[5.0]), &[5.0]);
        let many = degrees(&[0.0, 1.0, 2.0, 3.0, 180.0]);
        assert!(many[..4].windows(2).all(|pair| (pair[1] - pair[0]).rem_euclid(360.0) > 50.0), "{many:?}");
    }

    #[test]
    fn ways_that_share_a_stem_leave_together() {
        let stem = [(0.0, 0.0), (5.0, 0.0), (9.0, 3.0)];
        assert!(leave_together(&stem, &[(0.0, 0.0), (5.0, 0.1), (9.0, -9.0)], 16.0));
        assert!(leave_together(&stem, &[(0.0, 0.0), (1.0, 0.0)], 16.0), "a short way");
        assert!(!leave_together(&stem, &[(0.0, 0.0), (-5.0, 0.0)], 16.0));
        // At the tips of an equilateral triangle and slightly beyond.
        assert!(leave_together(&[(0.0, 0.0), (9.0, 0.0)], &[(0.0, 0.0), (4.6, 7.7)], 16.0));
        assert!(!leave_together(&[(0.0, 0.0), (9.0, 0.0)], &[(0.0, 0.0), (4.4, 7.9)], 16.0));
    }

    #[test]
    fn ground_behind_a_node_is_dearer() {
        let sector = Sector { node: (5.0, 5.0), direction: (0.0, 1.0), radius: 4.0 };
        assert_eq!([(5.0, 5.0), (6.0, 8.0), (5.0, 0.9)].map(|at| sector.factor(at)), [1.0; 3]);
        assert_eq!([(5.0, 2.0), (8.0, 5.0)].map(|at| sector.factor(at)), [5.0; 2]);
        assert!((sector.factor((7.0, 7.0)) - (1.0 + 4.0 * (1.0 - 0.5f64.sqrt() / 0.866))).abs() < 1e-12);
    }
}
