//! What a path asks of the ground: which samples are its own, which connect it to the ground around, and what binds them (Velzel,
//! sections 3 and 4.1).

use terrane_grid::{Domain, Heightmap, PlanarGraph};

use super::details::{BadSample, Details};
use super::graph::{GraphError, check_graph};
use super::ground::Search;
use super::neighbours::{Misfit, heights_of};
use super::shared::{bind_given, bind_shared};
use super::straight::Place;
use super::strips::Steepness;
use super::surroundings::{Bound, Surroundings};
use super::terrain::BadFactor;
use super::ways::ways;
use crate::hydrology::{PATIENCE, Shape};
use crate::metric::roughness;
use crate::progress::filled;
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
    /// Maximum slope of the flattest path there.
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
    /// Maximum slope of paths (g), rise over run.
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
    /// What differs from place to place. With [`Borders::Shared`] no slope, gain or border does, and nothing is wider than `width` or `node_width`.
    pub details: Details<'a>,
}

impl Subdivide<'_> {
    /// How far from a way ground is bound, in world units.
    pub(super) fn reach(&self) -> f64 {
        self.width.max(self.node_width) / 2.0 + self.border
    }

    /// How steep a path may be, by a maximum slope of its own where it has one.
    pub(super) fn steepness(&self, own: Option<f64>) -> Steepness {
        match own {
            Some(same) => Steepness { same, mapped: false },
            None if self.details.max_slope.is_some() => Steepness { same: f64::INFINITY, mapped: true },
            None => Steepness { same: self.max_slope, mapped: false },
        }
    }

    /// The maximum slope of paths at a sample.
    pub(super) fn max_slope(&self, at: usize) -> f64 {
        self.details.max_slope.map_or(self.max_slope, |map| f64::from(map.samples()[at]))
    }

    /// How much steeper the ground may get across the border, at a sample.
    pub(super) fn slope_gain(&self, at: usize) -> f64 {
        self.details.slope_gain.map_or(self.slope_gain, |map| f64::from(map.samples()[at]))
    }

    /// The width of the border at a sample.
    pub(super) fn border(&self, at: usize) -> f64 {
        self.details.border.map_or(self.border, |map| f64::from(map.samples()[at]))
    }

    /// Whether what differs from place to place is in range, and neighbours can know it where borders are shared.
    pub(super) fn check(&self, domain: &Domain) -> Result<(), SubdivideError> {
        self.details.check(domain).map_err(SubdivideError::Sample)?;
        // Of a world's patches most may be without a pin.
        let is_alone = self.borders != Borders::Shared;
        self.details.pins.map_or(Ok(()), |pins| pins.check(domain, is_alone))?;
        if self.borders != Borders::Shared {
            return Ok(());
        }
        let Details { edge_widths, node_widths, max_slope, slope_gain, border, .. } = self.details;
        let maps = [("max_slope", max_slope), ("slope_gain", slope_gain), ("border", border)];
        if let Some((name, _)) = maps.into_iter().find(|(_, map)| map.is_some()) {
            return Err(SubdivideError::SharedMap { name });
        }
        let (found, expected) = (self.details.world_heights.len(), domain.len());
        if found != 0 && found != expected {
            return Err(SubdivideError::WorldHeights { found, expected });
        }
        let most = self.width.max(self.node_width);
        let widest = edge_widths.iter().chain(node_widths).copied().fold(0.0, f64::max);
        if widest > most { Err(SubdivideError::SharedWidth { widest, most }) } else { Ok(()) }
    }
}

/// Bounds of each sample; infinite, or not a number, where there is none. Sets and symbols are Velzel's.
#[derive(Clone, Debug, PartialEq)]
pub struct Subdivision {
    /// The patch.
    pub domain: Domain,
    /// Maximum slope in any direction (g), on the path (S_g); infinite elsewhere.
    pub slope: Vec<f32>,
    /// Maximum slope along `direction` (g°), beside the path (S_g°); infinite elsewhere.
    pub directional: Vec<f32>,
    /// Unit vectors away from the path (D); zero where `directional` is infinite.
    pub direction: Vec<[f32; 2]>,
    /// The roughness to keep (r), in S_r; not a number elsewhere.
    pub roughness: Vec<f32>,
    /// The height that is given, in S_p; not a number elsewhere.
    pub given: Vec<f32>,
    /// Samples whose height a pin gives, in order.
    pub pins: Vec<u32>,
    /// How far from given heights ground comes to meet them, in world units; 0 where it does not.
    pub fade: f64,
    /// Heights of all samples that all bounds can be met with, which the ground comes to towards the border; empty where a world does not give them.
    pub world: Vec<f32>,
    /// Width of the band along the border where heights are given, in world units; 0 where borders are free.
    pub band: f64,
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
    /// A sample of a map is out of range.
    Sample(BadSample),
    /// No sample is path.
    NoPath,
    /// No sample is pinned.
    NoPins,
    /// A map is no neighbour of the patch.
    Neighbour {
        /// Which of them, counted from 0.
        number: usize,
        /// Why.
        misfit: Misfit,
    },
    /// Borders are shared, and a map gives what neighbours would have to know as well.
    SharedMap {
        /// What it stands for.
        name: &'static str,
    },
    /// Heights to meet neighbours with are of another patch.
    WorldHeights {
        /// How many there are.
        found: usize,
        /// How many samples the patch has.
        expected: usize,
    },
    /// Borders are shared, and paths with their borders reach too far beyond the patch.
    TooWide {
        /// How far they reach, in world units.
        reach: f64,
        /// How far they may.
        most: f64,
    },
    /// Borders are shared, and an edge or a node is wider than all may be.
    SharedWidth {
        /// The widest.
        widest: f64,
        /// What it may be.
        most: f64,
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
/// Nodes stand at the samples nearest to them. Each edge has a strip: the samples no farther than half its width from a sample of its way; a node has a
/// disc of its own width. The path is all of them together; where several overlap the flattest binds. Beside it is what is no farther than the border from
/// the nearest strip's edge, and where several are equally near the flattest binds. Distances are Euclidean and exact: one transform for each width and
/// slope that occur together. A direction points away from the nearest sample of the strip's way. The border's bound is g° = g + γ·√(d/b), d the distance
/// from the strip and b the border's width; numbers that differ from place to place are those of the sample that is bound. A strip of width 0 is the samples
/// of its way alone.
///
/// O(edges · samples · log samples) for the ways, O(samples) for each width and slope.
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
    parameters.check(&map.domain())?;
    let ways = ways(map, graph, parameters, progress)?;
    let around = Surroundings::new(map.domain(), &ways, parameters, progress)?;
    ground_of(map, &ways.paths, &around, parameters, progress)
}

/// What ways and their surroundings ask of the ground, with the borders and the pins.
///
/// # Errors
/// [`SubdivideError`] where neighbours do not fit, or `progress` says to stop.
pub(super) fn ground_of(
    map: &Heightmap,
    ways: &[Vec<Place>],
    around: &Surroundings<'_>,
    parameters: &Subdivide<'_>,
    progress: &dyn Progress,
) -> Result<Subdivision, SubdivideError> {
    let shape = Shape { width: map.width(), height: map.height(), wrap: false };
    let mut out = Subdivision::unbound(map.domain(), ways, progress)?;
    out.bind_path(shape, around, progress)?;
    out.bind_surround(map, shape, parameters, progress)?;
    match parameters.borders {
        Borders::Free => {}
        Borders::Stitched => out.bind_borders(map, shape, around)?,
        Borders::Shared => match parameters.details.world_heights {
            [] => bind_shared(&mut out, map, around),
            heights => bind_given(&mut out, map, heights, parameters),
        },
    }
    if parameters.borders != Borders::Free {
        out.band = around.widest_border();
    }
    if let Some(pins) = parameters.details.pins {
        // A world brings its heights to pins; without one, pins on the border come first, as they do in the patch beside it.
        let is_first = parameters.borders == Borders::Shared && parameters.details.world_heights.is_empty();
        pins.bind(&mut out, is_first);
    }
    Ok(out)
}

impl Subdivision {
    /// The height that is given at a sample, if one is: on the patch's border that of `border`, where there is such a map.
    #[must_use]
    pub fn height_given(&self, at: usize, border: Option<&Heightmap>) -> Option<f64> {
        let shape = Shape { width: self.domain.width(), height: self.domain.height(), wrap: false };
        let own = self.given[at];
        let border = border.filter(|_| shape.on_border(shape.place(at))).map(|border| border.samples()[at]);
        (!own.is_nan()).then(|| f64::from(border.unwrap_or(own)))
    }

    /// Nothing is bound.
    fn unbound(domain: Domain, ways: &[Vec<Place>], progress: &dyn Progress) -> Result<Self, Cancelled> {
        let (count, (width, height)) = (domain.len(), domain.size);
        let on_patch = |&(x, y): &Place| {
            let inside = (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
            inside.then_some((y * width as i64 + x) as u32)
        };
        let paths = ways.iter().map(|way| way.iter().filter_map(on_patch).collect()).collect();
        Ok(Self {
            domain,
            slope: filled(count, f32::INFINITY, progress)?,
            directional: filled(count, f32::INFINITY, progress)?,
            direction: filled(count, [0.0; 2], progress)?,
            roughness: filled(count, f32::NAN, progress)?,
            given: filled(count, f32::NAN, progress)?,
            pins: Vec::new(),
            fade: 0.0,
            world: Vec::new(),
            band: 0.0,
            paths,
        })
    }

    /// Bounds on the path and around nodes, and directions and bounds beside it, kept until [`Self::bind_surround`].
    fn bind_path(
        &mut self,
        shape: Shape,
        around: &Surroundings<'_>,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        for at in 0..self.slope.len() {
            if at.is_multiple_of(PATIENCE) {
                progress.report(0.0)?;
            }
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
        Ok(())
    }

    /// Where the surroundings keep their roughness, it takes the place of the bound along a direction.
    fn bind_surround(
        &mut self,
        map: &Heightmap,
        shape: Shape,
        parameters: &Subdivide<'_>,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        if parameters.surround == Surround::Directional {
            return Ok(());
        }
        for at in 0..self.slope.len() {
            if at.is_multiple_of(PATIENCE) {
                progress.report(0.0)?;
            }
            if self.directional[at].is_finite() {
                self.keep_roughness(map, shape, at, parameters);
            }
        }
        Ok(())
    }

    /// Heights on the patch's border are given, all or those that neighbours have, and the ground within a band beside them keeps its roughness where
    /// nothing else binds it. To neighbours' heights it also comes to meet.
    fn bind_borders(
        &mut self,
        map: &Heightmap,
        shape: Shape,
        around: &Surroundings<'_>,
    ) -> Result<(), SubdivideError> {
        let (parameters, right, bottom) = (around.parameters, shape.width - 1, shape.height - 1);
        let on_border = |at: usize| shape.on_border(shape.place(at));
        self.given = match parameters.details.neighbours {
            [] => (0..map.samples().len())
                .map(|at| if on_border(at) { map.samples()[at] } else { f32::NAN })
                .collect(),
            neighbours => {
                self.fade = parameters.reach().max(around.widest_border());
                heights_of(&self.domain, neighbours)?
            }
        };
        for at in 0..self.slope.len() {
            let (x, y) = shape.place(at);
            let band = parameters.border(at) / self.domain.spacing;
            // A side counts where the sample of it that is straight ahead is given.
            let sides = [(x, (0, y)), (right - x, (right, y)), (y, (x, 0)), (bottom - y, (x, bottom))];
            let near = sides.into_iter().any(|(apart, (column, row))| {
                apart as f64 <= band && !self.given[row * shape.width + column].is_nan()
            });
            if near && self.slope[at].is_infinite() && self.directional[at].is_infinite() {
                self.keep_roughness(map, shape, at, parameters);
            }
        }
        Ok(())
    }

    fn keep_roughness(&mut self, map: &Heightmap, shape: Shape, at: usize, parameters: &Subdivide<'_>) {
        self.directional[at] = f32::INFINITY;
        self.direction[at] = [0.0; 2];
        self.roughness[at] = match parameters.details.roughness {
            Some(goals) => goals.samples()[at],
            None => roughness(map, shape, at),
        };
    }
}

#[cfg(test)]
mod tests;
