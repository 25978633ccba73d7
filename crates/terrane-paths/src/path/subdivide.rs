//! The constraints of a path on the ground: the samples of the path, the samples that connect it to the
//! ground around it, and the bounds of both (Velzel, sections 3 and 4.1).

use terrane_grid::{Domain, Heightmap, PlanarGraph, Shape};

use super::error::SubdivideError;
use super::neighbours::heights_of;
use super::parameters::{Borders, Subdivide, Surround};
use super::point::Point;
use super::routes::routes;
use super::shared::{bind_given, bind_shared};
use super::straight::Place;
use super::subdivision::Subdivision;
use super::surroundings::{Bound, Surroundings};
use crate::planar::check_graph;
use crate::{Cancelled, Progress};
use terrane_compute::CHECK_INTERVAL;

/// Routes a graph's edges over the terrain, and computes their constraints on the ground.
///
/// Nodes are placed at their nearest samples. Each edge has a strip: the samples at most half the edge's
/// width from a sample of its route. A node has a disc of the node's own width. The path is the union of all
/// strips and discs. Where several overlap, the flattest determines the bound. The border is the ground at
/// most the border's width from the rim of the nearest strip. If several strips are equally near, the
/// flattest determines the bound. Distances are Euclidean and exact: one distance transform for each
/// combination of width and slope. A direction points away from the nearest sample of the strip's route. The
/// border's bound is g° = g + γ·√(d/b). Here g is the strip's maximum slope, γ the slope gain, d the distance
/// from the strip, and b the border's width. Varying parameters are read at the bound sample. A strip of
/// width 0 consists of the samples of its route.
///
/// O(edges · samples · log samples) for the routes, O(samples) for each width and slope.
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
    let routes = routes(map, graph, parameters, progress)?;
    let around = Surroundings::new(map.domain(), &routes, parameters, progress)?;
    let mut out = constraints_of(map, &routes.paths, &around, parameters, progress)?;
    let Domain { origin, spacing, .. } = map.domain();
    let place = |&(x, y): &Point| (origin.0 + x * spacing, origin.1 + y * spacing);
    out.lines = routes.lines.iter().map(|line| line.iter().map(place).collect()).collect();
    Ok(out)
}

/// The constraints of routes and their surroundings on the ground, including the borders and the pins.
///
/// # Errors
/// [`SubdivideError`] where neighbours do not fit, or `progress` cancels.
pub(super) fn constraints_of(
    map: &Heightmap,
    routes: &[Vec<Place>],
    around: &Surroundings<'_>,
    parameters: &Subdivide<'_>,
    progress: &dyn Progress,
) -> Result<Subdivision, SubdivideError> {
    let shape = Shape { width: map.width(), height: map.height(), wrap: false };
    let mut out = Subdivision::unbound(map.domain(), routes, progress)?;
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
        // The heights of a world are already adapted to pins. Without a world, pins on the border take
        // precedence, as they do in the adjacent patch.
        let is_first = parameters.borders == Borders::Shared && parameters.details.world_heights.is_empty();
        pins.bind(&mut out, is_first);
    }
    Ok(out)
}

impl Subdivision {
    /// Sets bounds on the path and around nodes, and directions and bounds beside the path, which
    /// [`Self::bind_surround`] may replace.
    fn bind_path(
        &mut self,
        shape: Shape,
        around: &Surroundings<'_>,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        for at in 0..self.slope.len() {
            if at.is_multiple_of(CHECK_INTERVAL) {
                progress.check()?;
            }
            let (x, y) = shape.position(at);
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

    /// If the surroundings keep their roughness, replaces the directional bounds by roughness.
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
            if at.is_multiple_of(CHECK_INTERVAL) {
                progress.check()?;
            }
            if self.directional[at].is_finite() {
                self.keep_roughness(map, shape, at, parameters);
            }
        }
        Ok(())
    }

    /// Prescribes all heights on the patch's border, or those that neighbours have. The ground within a band
    /// next to them keeps its roughness where nothing else binds it, and blends into neighbours' heights.
    fn bind_borders(
        &mut self,
        map: &Heightmap,
        shape: Shape,
        around: &Surroundings<'_>,
    ) -> Result<(), SubdivideError> {
        let (parameters, right, bottom) = (around.parameters, shape.width - 1, shape.height - 1);
        let on_border = |at: usize| shape.on_border(shape.position(at));
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
            let (x, y) = shape.position(at);
            let band = parameters.border(at) / self.domain.spacing;
            // A side of the patch counts if the height of its sample in the same row or column is prescribed.
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
            None => map.roughness_at(shape, at),
        };
    }
}

#[cfg(test)]
mod tests;
