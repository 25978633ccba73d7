//! What a path asks of the ground: which samples are its own, which connect it to the ground around, and what
//! binds them (Velzel, sections 3 and 4.1).

use terrane_grid::{Heightmap, PlanarGraph};

use super::error::SubdivideError;
use super::graph::check_graph;
use super::neighbours::heights_of;
use super::parameters::{Borders, Subdivide, Surround};
use super::shared::{bind_given, bind_shared};
use super::straight::Place;
use super::subdivision::Subdivision;
use super::surroundings::{Bound, Surroundings};
use super::ways::ways;
use crate::hydrology::{PATIENCE, Shape};
use crate::metric::roughness;
use crate::{Cancelled, Progress};

/// The ways of a graph's edges over the terrain, and what they ask of the ground.
///
/// Nodes stand at the samples nearest to them. Each edge has a strip: the samples no farther than half its
/// width from a sample of its way; a node has a disc of its own width. The path is all of them together;
/// where several overlap the flattest binds. Beside it is what is no farther than the border from the nearest
/// strip's edge, and where several are equally near the flattest binds. Distances are Euclidean and exact:
/// one transform for each width and slope that occur together. A direction points away from the nearest
/// sample of the strip's way. The border's bound is g° = g + γ·√(d/b), d the distance from the strip and b
/// the border's width; numbers that differ from place to place are those of the sample that is bound. A strip
/// of width 0 is the samples of its way alone.
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
        // A world brings its heights to pins; without one, pins on the border come first, as they do in the
        // patch beside it.
        let is_first = parameters.borders == Borders::Shared && parameters.details.world_heights.is_empty();
        pins.bind(&mut out, is_first);
    }
    Ok(out)
}

impl Subdivision {
    /// Bounds on the path and around nodes, and directions and bounds beside it, kept until
    /// [`Self::bind_surround`].
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

    /// Heights on the patch's border are given, all or those that neighbours have, and the ground within a
    /// band beside them keeps its roughness where nothing else binds it. To neighbours' heights it also comes
    /// to meet.
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
