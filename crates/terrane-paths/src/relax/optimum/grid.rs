//! Neighbours and quadrants of samples.

use super::requirements::Requirements;

/// A grid of samples, numbered row by row.
#[derive(Clone, Copy)]
pub struct Grid {
    pub width: usize,
    pub height: usize,
}

/// A neighbour on each axis, with the sign of its side.
pub struct Quadrant {
    pub x: (usize, f64),
    pub y: (usize, f64),
}

impl Grid {
    /// The neighbours on the x axis, each with the sign of its side.
    fn along_x(self, k: usize) -> impl Iterator<Item = (usize, f64)> {
        let x = k % self.width;
        let right = (x + 1 < self.width).then_some((k + 1, 1.0));
        right.into_iter().chain((x > 0).then(|| (k - 1, -1.0)))
    }

    /// The neighbours on the y axis, each with the sign of its side.
    fn along_y(self, k: usize) -> impl Iterator<Item = (usize, f64)> {
        let y = k / self.width;
        let below = (y + 1 < self.height).then_some((k + self.width, 1.0));
        below.into_iter().chain((y > 0).then(|| (k - self.width, -1.0)))
    }

    /// All 4-neighbours.
    pub fn neighbours(self, k: usize) -> impl Iterator<Item = usize> {
        self.along_x(k).chain(self.along_y(k)).map(|(j, _)| j)
    }

    /// The quadrants with both neighbours.
    pub fn quadrants(self, k: usize) -> impl Iterator<Item = Quadrant> {
        self.along_x(k).flat_map(move |x| self.along_y(k).map(move |y| Quadrant { x, y }))
    }

    /// The mask of samples that need a variable: those that a constraint reads.
    pub fn bound(self, requirements: &Requirements) -> Vec<bool> {
        let mut bound = vec![false; self.width * self.height];
        let gradients = requirements.gradients.iter().map(|c| c.sample);
        for k in gradients.chain(requirements.directions.iter().map(|c| c.sample)) {
            for q in self.quadrants(k) {
                for j in [k, q.x.0, q.y.0] {
                    bound[j] = true;
                }
            }
        }
        for p in &requirements.positions {
            bound[p.sample] = true;
        }
        bound
    }
}
