//! What a path asks of the ground: which samples are its own, which connect it to the ground around, and what binds them (Velzel,
//! sections 3 and 4.1).

use terrane_grid::{Domain, Heightmap, PlanarGraph};

use super::graph::{GraphError, check_graph};
use super::nearest::{NONE, nearest};
use super::search::{Costs, cheapest_way};
use crate::hydrology::{Shape, WAYS};
use crate::{Cancelled, Progress};

/// What binds the ground beside a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surround {
    /// Its slope away from the path.
    Directional,
    /// Its roughness, which stays what it was.
    Roughness,
}

/// What binds a patch at its border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Borders {
    /// Nothing.
    Free,
    /// Heights there are given; the ground within the width of a path's border keeps its roughness.
    Stitched,
}

/// Parameters of [`subdivide`].
#[derive(Clone, Copy, Debug)]
pub struct Subdivide<'a> {
    /// What steps cost.
    pub costs: Costs,
    /// Width of a path, in world units.
    pub width: f64,
    /// Diameter of the place around a node, in world units.
    pub node_width: f64,
    /// Width of the ground that connects, beyond the path, in world units.
    pub border: f64,
    /// Greatest slope of paths (g), rise over run.
    pub max_slope: f64,
    /// The same for single edges, in their order, where there are as many.
    pub edge_slopes: &'a [f64],
    /// How much steeper the ground may get across the border (γ).
    pub slope_gain: f64,
    /// What binds the ground beside the path.
    pub surround: Surround,
    /// What binds the patch at its border.
    pub borders: Borders,
}

/// Bounds of each sample; infinite, or not a number, where there is none. Sets and symbols are Velzel's.
#[derive(Clone, Debug, PartialEq)]
pub struct Subdivision {
    /// The patch.
    pub domain: Domain,
    /// Greatest slope in any direction (g), on the path (S_g); infinite elsewhere.
    pub slope: Vec<f32>,
    /// Greatest slope along `direction` (g°), beside the path (S_g°); infinite elsewhere.
    pub directional: Vec<f32>,
    /// Unit vectors away from the path (D); zero where `directional` is infinite.
    pub direction: Vec<[f32; 2]>,
    /// The roughness to keep (r), in S_r; not a number elsewhere.
    pub roughness: Vec<f32>,
    /// Whether a height is given (S_p).
    pub fixed: Vec<bool>,
    /// Per edge, the samples of its way.
    pub paths: Vec<Vec<u32>>,
}

/// Why there is no subdivision.
#[derive(Clone, Debug, PartialEq)]
pub enum SubdivideError {
    /// The caller asked to stop.
    Cancelled,
    /// The graph is not planar, or odd in another way.
    Graph(GraphError),
    /// A node lies outside the patch.
    Outside {
        /// The node.
        node: usize,
    },
    /// Both ends of an edge lie at one sample.
    TooShort {
        /// The edge.
        edge: usize,
    },
    /// No way leads from one end of an edge to the other.
    NoWay {
        /// The edge.
        edge: usize,
    },
}

impl From<Cancelled> for SubdivideError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// The ways of a graph's edges over the terrain, and what they ask of the ground.
///
/// Nodes stand at the samples nearest to them. A sample belongs to the path where it is no farther than half the width from a sample of a
/// way, or half the node width from a node; beside it is what is no farther than the border beyond that. Distances are
/// Euclidean, to the nearest sample of a way; a direction points away from that sample. The border's bound is g° = g + γ·√(d/b), d the distance from the
/// path and b the border's width. Where several edges are equally near the flattest binds.
///
/// O(edges · samples · log samples).
///
/// # Errors
/// [`SubdivideError`].
pub fn subdivide(
    map: &Heightmap,
    graph: &PlanarGraph,
    parameters: &Subdivide<'_>,
    progress: &dyn Progress,
) -> Result<Subdivision, SubdivideError> {
    check_graph(graph).map_err(SubdivideError::Graph)?;
    let shape = Shape { width: map.width(), height: map.height(), wrap: false };
    let stations = stations(map, graph)?;
    let mut paths = Vec::with_capacity(graph.edges.len());
    for (edge, &(a, b)) in graph.edges.iter().enumerate() {
        let ends = (stations[a as usize], stations[b as usize]);
        if ends.0 == ends.1 {
            return Err(SubdivideError::TooShort { edge });
        }
        let way = cheapest_way(map, ends, parameters.costs, progress)?;
        paths.push(way.ok_or(SubdivideError::NoWay { edge })?.0);
    }
    let mut out = Subdivision::unbound(map.domain(), paths);
    out.bind_path(shape, &stations, parameters);
    out.bind_surround(map, shape, parameters);
    if parameters.borders == Borders::Stitched {
        out.bind_borders(map, shape, parameters.border);
    }
    Ok(out)
}

/// The samples nearest to a graph's nodes.
fn stations(map: &Heightmap, graph: &PlanarGraph) -> Result<Vec<usize>, SubdivideError> {
    let domain = map.domain();
    let station = |(node, &(x, y)): (usize, &(f64, f64))| {
        let sample = |at: f64, origin: f64, count: usize| {
            let index = libm::round((at - origin) / domain.spacing);
            (index >= 0.0 && index < count as f64).then_some(index as usize)
        };
        match (sample(x, domain.origin.0, domain.width()), sample(y, domain.origin.1, domain.height())) {
            (Some(column), Some(row)) => Ok(row * domain.width() + column),
            _ => Err(SubdivideError::Outside { node }),
        }
    };
    graph.nodes.iter().enumerate().map(station).collect()
}

/// The roughness of a sample (R): the root of the sum of squares of the slopes to its neighbours, over one spacing also along diagonals
/// (Riley, DeGloria & Elliot 1999, as Velzel has it).
pub fn roughness(heights: impl Fn(usize) -> f64, shape: Shape, at: usize, spacing: f64) -> f64 {
    let place = shape.place(at);
    let around = WAYS[1..].iter().filter_map(|&offset| shape.beside_at(at, place, offset));
    let squares = around.map(|next| {
        let slope = (heights(next) - heights(at)) / spacing;
        slope * slope
    });
    squares.sum::<f64>().sqrt()
}

impl Subdivision {
    /// Nothing is bound.
    fn unbound(domain: Domain, paths: Vec<Vec<u32>>) -> Self {
        let count = domain.len();
        Self {
            domain,
            slope: vec![f32::INFINITY; count],
            directional: vec![f32::INFINITY; count],
            direction: vec![[0.0; 2]; count],
            roughness: vec![f32::NAN; count],
            fixed: vec![false; count],
            paths,
        }
    }

    /// Bounds on the path and around nodes, and directions and bounds beside it, kept until [`Self::bind_surround`].
    fn bind_path(&mut self, shape: Shape, stations: &[usize], parameters: &Subdivide<'_>) {
        let spacing = self.domain.spacing;
        let apart = |a: usize, b: usize| {
            let ((x, y), (u, v)) = (shape.place(a), shape.place(b));
            let (dx, dy) = (x as f64 - u as f64, y as f64 - v as f64);
            (spacing * (dx * dx + dy * dy).sqrt(), (dx, dy))
        };
        let slope_of =
            |edge: usize| parameters.edge_slopes.get(edge).copied().unwrap_or(parameters.max_slope);
        let mut on_way = vec![f64::INFINITY; self.slope.len()];
        for (edge, path) in self.paths.iter().enumerate() {
            for &at in path {
                on_way[at as usize] = on_way[at as usize].min(slope_of(edge));
            }
        }
        let line = nearest(shape.width, shape.height, |at| on_way[at].is_finite());
        let mut is_station = vec![false; self.slope.len()];
        stations.iter().for_each(|&at| is_station[at] = true);
        let node = nearest(shape.width, shape.height, |at| is_station[at]);
        let (path_reach, node_reach) = (parameters.width / 2.0, parameters.node_width / 2.0);
        for at in 0..self.slope.len() {
            let to = |nearest: u32, reach: f64, slope: f64| {
                let (distance, away) = apart(at, nearest as usize);
                (distance - reach, away, slope)
            };
            let from_line = (line[at] != NONE).then(|| to(line[at], path_reach, on_way[line[at] as usize]));
            let from_node = (node[at] != NONE).then(|| {
                // A node that no edge ends at has the path's own slope.
                let slope = on_way[node[at] as usize];
                to(node[at], node_reach, if slope.is_finite() { slope } else { parameters.max_slope })
            });
            let nearer = |a: (f64, (f64, f64), f64), b: (f64, (f64, f64), f64)| if b.0 < a.0 { b } else { a };
            let Some((beyond, (dx, dy), slope)) = from_line.into_iter().chain(from_node).reduce(nearer)
            else {
                continue;
            };
            if beyond <= 0.0 {
                self.slope[at] = slope as f32;
            } else if beyond <= parameters.border {
                let length = (dx * dx + dy * dy).sqrt();
                self.direction[at] = [(dx / length) as f32, (dy / length) as f32];
                let gain = parameters.slope_gain * (beyond / parameters.border).sqrt();
                self.directional[at] = (slope + gain) as f32;
            }
        }
    }

    /// Where the surroundings keep their roughness, it takes the place of the bound along a direction.
    fn bind_surround(&mut self, map: &Heightmap, shape: Shape, parameters: &Subdivide<'_>) {
        if parameters.surround == Surround::Directional {
            return;
        }
        for at in 0..self.slope.len() {
            if self.directional[at].is_finite() {
                self.keep_roughness(map, shape, at);
            }
        }
    }

    /// Heights on the patch's border are given, and the ground within a band along it keeps its roughness where nothing else binds it.
    fn bind_borders(&mut self, map: &Heightmap, shape: Shape, band: f64) {
        let band = band / self.domain.spacing;
        for at in 0..self.slope.len() {
            let (x, y) = shape.place(at);
            let from_border = x.min(y).min(shape.width - 1 - x).min(shape.height - 1 - y);
            self.fixed[at] = from_border == 0;
            let free = self.slope[at].is_infinite() && self.directional[at].is_infinite();
            if from_border as f64 <= band && free {
                self.keep_roughness(map, shape, at);
            }
        }
    }

    fn keep_roughness(&mut self, map: &Heightmap, shape: Shape, at: usize) {
        let heights = |at: usize| f64::from(map.samples()[at]);
        self.directional[at] = f32::INFINITY;
        self.direction[at] = [0.0; 2];
        self.roughness[at] = roughness(heights, shape, at, self.domain.spacing) as f32;
    }
}

#[cfg(test)]
mod tests;
