//! What ways ask of the samples around them.

use terrane_grid::Domain;

use super::nearest::{NONE, nearest};
use super::straight::Place;
use super::subdivision::Subdivide;
use super::ways::Ways;
use crate::hydrology::Shape;

/// What binds a sample's slopes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Nothing.
    None,
    /// It is on a path or at a node.
    Path {
        /// Greatest slope in any direction.
        slope: f64,
    },
    /// It is beside one.
    Beside {
        /// Greatest slope away from the path.
        slope: f64,
        /// Away from the path, a unit vector.
        direction: [f64; 2],
    },
}

impl Bound {
    /// The greatest slope, infinite where nothing binds.
    pub const fn slope(self) -> f64 {
        match self {
            Self::None => f64::INFINITY,
            Self::Path { slope } | Self::Beside { slope, .. } => slope,
        }
    }
}

/// Ways and nodes on and around a patch, and which of them is nearest to each sample there.
pub struct Surroundings<'a> {
    pub ways: &'a Ways,
    pub parameters: &'a Subdivide<'a>,
    pub domain: Domain,
    /// The patch with what lies around it.
    wide: Shape,
    /// Greatest slope of the flattest way through each sample; infinite elsewhere.
    on_way: Vec<f64>,
    nearest_way: Vec<u32>,
    nearest_node: Vec<u32>,
}

impl<'a> Surroundings<'a> {
    pub fn new(domain: Domain, ways: &'a Ways, parameters: &'a Subdivide<'a>) -> Self {
        let beyond = ways.beyond;
        let (width, height) = (domain.width() + 2 * beyond, domain.height() + 2 * beyond);
        let wide = Shape { width, height, wrap: false };
        let on_wide = |&(x, y): &Place| wide.inside((beyond, beyond), (x as isize, y as isize));
        let mut on_way = vec![f64::INFINITY; width * height];
        for (edge, path) in ways.paths.iter().enumerate() {
            for at in path.iter().filter_map(on_wide) {
                on_way[at] = on_way[at].min(parameters.slope_of(edge));
            }
        }
        let nearest_way = nearest(width, height, |at| on_way[at].is_finite());
        let mut is_station = vec![false; on_way.len()];
        ways.stations.iter().filter_map(on_wide).for_each(|at| is_station[at] = true);
        let nearest_node = nearest(width, height, |at| is_station[at]);
        Self { ways, parameters, domain, wide, on_way, nearest_way, nearest_node }
    }

    /// What binds a sample that lies on the patch or no farther from it than ways are known.
    pub fn bound(&self, (x, y): Place) -> Bound {
        let parameters = self.parameters;
        let beyond = self.ways.beyond as i64;
        let here = (y + beyond) as usize * self.wide.width + (x + beyond) as usize;
        let to = |nearest: u32, reach: f64, slope: f64| {
            let ((x, y), (u, v)) = (self.wide.place(here), self.wide.place(nearest as usize));
            let (dx, dy) = (x as f64 - u as f64, y as f64 - v as f64);
            (self.domain.spacing * (dx * dx + dy * dy).sqrt() - reach, (dx, dy), slope)
        };
        let (way, node) = (self.nearest_way[here], self.nearest_node[here]);
        let from_way = (way != NONE).then(|| to(way, parameters.width / 2.0, self.on_way[way as usize]));
        let from_node = (node != NONE).then(|| {
            // A node that no edge ends at has the path's own slope.
            let slope = self.on_way[node as usize];
            let slope = if slope.is_finite() { slope } else { parameters.max_slope };
            to(node, parameters.node_width / 2.0, slope)
        });
        let nearer = |a: (f64, (f64, f64), f64), b: (f64, (f64, f64), f64)| if b.0 < a.0 { b } else { a };
        match from_way.into_iter().chain(from_node).reduce(nearer) {
            Some((beside, _, slope)) if beside <= 0.0 => Bound::Path { slope },
            Some((beside, (dx, dy), slope)) if beside <= parameters.border => {
                let length = (dx * dx + dy * dy).sqrt();
                let gain = parameters.slope_gain * (beside / parameters.border).sqrt();
                Bound::Beside { slope: slope + gain, direction: [dx / length, dy / length] }
            }
            _ => Bound::None,
        }
    }
}
