//! The camera of a picture.

use super::surface::Ray;
use super::vector::{Vector, along, cross, dot, unit};

/// A picture's size, rays and camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Columns and rows of the picture.
    pub size: (usize, usize),
    /// Number of rays per sample of the picture along each axis: `rays` × `rays` rays in total.
    pub rays: usize,
    /// The angle between the picture's left and right edges, in degrees.
    pub field_of_view: f64,
    /// The camera.
    pub camera: Camera,
}

/// The position of the camera, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// In a direction from the target, at the smallest distance that shows all ground above the sea, divided
    /// by `zoom`. Without a sea, or if no ground is above it, all ground is shown.
    Around {
        /// Direction from the target to the camera, in degrees clockwise from north.
        azimuth: f64,
        /// Angle of the camera above the horizon, in degrees.
        altitude: f64,
        /// Factor by which the camera is nearer than the smallest distance from the target that shows all of
        /// that ground. `None`: the base below the ground is shown as well, with margins.
        zoom: Option<f64>,
        /// World x and y of the target, and its height above the ground or the water there. Default: the
        /// middle of the ground that the camera shows; without a `zoom`, the point for which the box around
        /// that ground is equally far from opposite edges of the picture.
        target: Option<(f64, f64, f64)>,
    },
    /// At a position, and at a height above the ground or the water there.
    At {
        /// World x and y of the camera, and its height above the ground or the water there.
        eye: (f64, f64, f64),
        /// World x and y of the target, and its height above the ground or the water there.
        target: (f64, f64, f64),
    },
}

impl Camera {
    /// The camera, moved clockwise around its target by this angle in degrees, as seen from above.
    #[must_use]
    pub fn turned(self, degrees: f64) -> Self {
        match self {
            Self::Around { azimuth, altitude, zoom, target } => {
                Self::Around { azimuth: azimuth + degrees, altitude, zoom, target }
            }
            Self::At { eye: (x, y, height), target } => {
                let (sin, cos) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
                let (east, south) = (x - target.0, y - target.1);
                let turned = (target.0 + east * cos - south * sin, target.1 + east * sin + south * cos);
                Self::At { eye: (turned.0, turned.1, height), target }
            }
        }
    }
}

/// A camera over a map, in samples.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The position of the camera.
    pub eye: Vector,
    forward: Vector,
    right: Vector,
    down: Vector,
    /// Half the picture's width and height, at a distance of 1.
    half: (f64, f64),
}

/// Opposite corners of a terrain's bounding box.
pub type Extent = (Vector, Vector);

impl Placed {
    /// A camera at a position, looking at another.
    pub fn new(view: &View, eye: Vector, target: Vector) -> Self {
        let forward = unit([target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]]);
        // If the camera looks straight down, north is up in the picture.
        let level = dot([forward[0], forward[1], 0.0], [forward[0], forward[1], 0.0]);
        let right = if level > 1e-12 { unit([-forward[1], forward[0], 0.0]) } else { [1.0, 0.0, 0.0] };
        let down = cross(right, forward);
        let wide = libm::tan((0.5 * view.field_of_view.clamp(1.0, 170.0)).to_radians());
        let half = (wide, wide * view.size.1 as f64 / view.size.0 as f64);
        Self { eye, forward, right, down, half }
    }

    /// A camera in a direction from a target, at the smallest distance that shows a whole extent, divided by
    /// `zoom`.
    pub fn around(view: &View, direction: Vector, zoom: f64, target: Vector, (low, high): Extent) -> Self {
        let ahead = Self::new(view, along(target, direction, 1.0), target);
        let mut distance = 0.0f64;
        for corner in 0..8 {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
            let from = [pick(0) - target[0], pick(1) - target[1], pick(2) - target[2]];
            let (x, y) = (dot(from, ahead.right).abs(), dot(from, ahead.down).abs());
            let needed = (x / ahead.half.0).max(y / ahead.half.1) - dot(from, ahead.forward);
            distance = distance.max(needed);
        }
        Self::new(view, along(target, direction, distance * 1.02 / zoom), target)
    }

    /// The target for which an extent, seen from this direction, is in the middle of the picture: equally far
    /// from its left and right edges, and equally far from its upper and lower edges.
    pub fn middle(view: &View, direction: Vector, (low, high): Extent) -> Vector {
        let ahead = Self::new(view, direction, [0.0; 3]);
        let corners = (0..8)
            .map(|corner| [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] }));
        // How far the eye has to be on either side of where an edge of the view meets a corner.
        let mut edges = [f64::NEG_INFINITY; 4];
        for corner in corners {
            let [x, y, z] = [ahead.right, ahead.down, ahead.forward].map(|axis| dot(corner, axis));
            let needed =
                [x - ahead.half.0 * z, -x - ahead.half.0 * z, y - ahead.half.1 * z, -y - ahead.half.1 * z];
            edges = std::array::from_fn(|edge| edges[edge].max(needed[edge]));
        }
        let [x, y] = [0.5 * (edges[0] - edges[1]), 0.5 * (edges[2] - edges[3])];
        let centre = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
        let z = dot(centre, ahead.forward);
        [0, 1, 2].map(|axis| x * ahead.right[axis] + y * ahead.down[axis] + z * ahead.forward[axis])
    }

    /// The ray through a point of the picture, where (0, 0) is the upper left corner and (1, 1) the lower
    /// right one. The ray's direction has length 1.
    #[inline]
    pub fn ray(&self, across: f64, downward: f64) -> Ray {
        let (x, y) = ((2.0 * across - 1.0) * self.half.0, (2.0 * downward - 1.0) * self.half.1);
        Ray { from: self.eye, direction: unit(along(along(self.forward, self.right, x), self.down, y)) }
    }

    /// The angle between rays of neighbouring samples, in the middle of the picture.
    pub fn pixel(&self, view: &View) -> f64 {
        2.0 * self.half.0 / view.size.0 as f64
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::Seed;

    use super::*;

    /// How far from the middle of the picture a point appears: 1 on its edge, more outside.
    fn off_middle(camera: &Placed, at: Vector) -> f64 {
        let from = [0, 1, 2].map(|axis| at[axis] - camera.eye[axis]);
        let ahead = dot(from, camera.forward);
        let (x, y) = (dot(from, camera.right).abs(), dot(from, camera.down).abs());
        if ahead > 0.0 { (x / camera.half.0).max(y / camera.half.1) / ahead } else { f64::INFINITY }
    }

    /// A hundred boxes, seen from random directions: all corners are in the picture. They would not be if the
    /// camera were nearer by more than 2 %.
    #[test]
    fn a_box_is_shown_from_the_smallest_distance_and_two_per_cent() {
        let lattice = Seed(4).lattice();
        for case in 0..100 {
            let within =
                |part: i64, low: f64, high: f64| low + (high - low) * f64::from(lattice.unit(case, part));
            let high = [within(0, 10.0, 300.0), within(1, 10.0, 300.0), within(2, 1.0, 100.0)];
            let (azimuth, altitude) = (within(3, 0.0, std::f64::consts::TAU), within(4, 0.0, 1.5));
            let level = libm::cos(altitude);
            let direction = [level * libm::cos(azimuth), level * libm::sin(azimuth), libm::sin(altitude)];
            let target = high.map(|size| size / 2.0);
            let camera = Camera::At { eye: (0.0, 0.0, 1.0), target: (0.0, 0.0, 1.0) };
            let view = View { size: (160, 90), rays: 1, field_of_view: within(5, 10.0, 120.0), camera };
            let farthest = |zoom: f64| {
                let camera = Placed::around(&view, direction, zoom, target, ([0.0; 3], high));
                let corner =
                    |at: usize| [0, 1, 2].map(|axis| if at >> axis & 1 == 0 { 0.0 } else { high[axis] });
                (0..8).map(|at| off_middle(&camera, corner(at))).fold(0.0, f64::max)
            };
            assert!(farthest(1.0) <= 1.0 && farthest(1.0201) > 1.0, "{case}: {}", farthest(1.0));
        }
    }
}
