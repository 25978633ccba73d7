//! What a path asks of the ground: which samples are its own, which connect it to the ground around, and what binds them (Velzel,
//! sections 3 and 4.1).

use terrane_grid::{Domain, Heightmap, PlanarGraph};

use super::graph::{GraphError, check_graph};
use super::ground::Search;
use super::shared::bind_shared;
use super::straight::Place;
use super::surroundings::{Bound, Surroundings};
use super::terrain::BadFactor;
use super::ways::ways;
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
    /// Heights there are given, those that neighbouring patches find as well: the terrain's, brought within bounds along the border. Near it ways are
    /// straight, and the graph may reach beyond the patch.
    Shared,
}

/// A place of paths whose height is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// World x and y.
    pub place: (f64, f64),
    /// The height.
    pub height: f64,
    /// Greatest slope of the flattest path there.
    pub slope: f64,
}

/// Parameters of [`subdivide`].
#[derive(Clone, Copy, Debug)]
pub struct Subdivide<'a> {
    /// What ways are looked for by.
    pub search: Search<'a>,
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
    /// Heights of places on paths at and near the border, for [`Borders::Shared`].
    pub anchors: &'a [Anchor],
}

impl Subdivide<'_> {
    /// How far from a way ground is bound, in world units.
    pub(super) fn reach(&self) -> f64 {
        self.width.max(self.node_width) / 2.0 + self.border
    }

    /// Greatest slope of an edge.
    pub(super) fn slope_of(&self, edge: usize) -> f64 {
        self.edge_slopes.get(edge).copied().unwrap_or(self.max_slope)
    }
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
    /// The height that is given, in S_p; not a number elsewhere.
    pub given: Vec<f32>,
    /// How far from given heights ground comes to meet them, in world units; 0 where it does not.
    pub fade: f64,
    /// Per edge, the samples of its way on the patch.
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
    /// Costs cannot be multiplied by a sample of the cost map.
    Factor(BadFactor),
    /// A node that an edge ends at stands where no way may lead.
    Forbidden {
        /// The node.
        node: usize,
        /// The edge.
        edge: usize,
    },
    /// Near the border, where ways are straight, one leads over what is forbidden.
    ForbiddenBorder {
        /// The edge.
        edge: usize,
        /// The forbidden sample.
        at: Place,
    },
    /// A way would begin or end at a sample that is not a number.
    NoHeight {
        /// The edge.
        edge: usize,
        /// The sample.
        at: Place,
    },
    /// No way leads from one end of an edge to the other.
    Enclosed {
        /// The node of the end from which fewer samples can be reached.
        node: usize,
        /// The edge.
        edge: usize,
        /// Where the search begins on that side: the node, or the end of the straight part near the border.
        at: Place,
        /// How many samples can be reached from there.
        reached: usize,
    },
}

impl From<BadFactor> for SubdivideError {
    fn from(bad: BadFactor) -> Self {
        Self::Factor(bad)
    }
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
    let ways = ways(map, graph, parameters, progress)?;
    let mut out = Subdivision::unbound(map.domain(), &ways.paths);
    let around = Surroundings::new(map.domain(), &ways, parameters);
    out.bind_path(shape, &around);
    out.bind_surround(map, shape, parameters);
    match parameters.borders {
        Borders::Free => {}
        Borders::Stitched => out.bind_borders(map, shape, parameters.border),
        Borders::Shared => bind_shared(&mut out, map, &around),
    }
    Ok(out)
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
    fn unbound(domain: Domain, ways: &[Vec<Place>]) -> Self {
        let (count, (width, height)) = (domain.len(), domain.size);
        let on_patch = |&(x, y): &Place| {
            let inside = (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
            inside.then_some((y * width as i64 + x) as u32)
        };
        let paths = ways.iter().map(|way| way.iter().filter_map(on_patch).collect()).collect();
        Self {
            domain,
            slope: vec![f32::INFINITY; count],
            directional: vec![f32::INFINITY; count],
            direction: vec![[0.0; 2]; count],
            roughness: vec![f32::NAN; count],
            given: vec![f32::NAN; count],
            fade: 0.0,
            paths,
        }
    }

    /// Bounds on the path and around nodes, and directions and bounds beside it, kept until [`Self::bind_surround`].
    fn bind_path(&mut self, shape: Shape, around: &Surroundings<'_>) {
        for at in 0..self.slope.len() {
            let (x, y) = shape.place(at);
            match around.bound((x as i64, y as i64)) {
                Bound::None => {}
                Bound::Path { slope } => self.slope[at] = slope as f32,
                Bound::Beside { slope, direction } => {
                    self.directional[at] = slope as f32;
                    self.direction[at] = direction.map(|along| along as f32);
                }
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
            if from_border == 0 {
                self.given[at] = map.samples()[at];
            }
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
