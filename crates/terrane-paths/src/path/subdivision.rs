//! The bounds of each sample of a patch.

use terrane_grid::{Domain, Heightmap, Shape};

use super::straight::Place;
use crate::{Cancelled, Progress};
use terrane_compute::filled;

/// Bounds of each sample; infinite, or NaN, where there is none. Sets and symbols are Velzel's.
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
    /// The roughness to keep (r), in S_r; NaN elsewhere.
    pub roughness: Vec<f32>,
    /// The prescribed height, in S_p; NaN elsewhere.
    pub given: Vec<f32>,
    /// Samples whose height a pin prescribes, in order.
    pub pins: Vec<u32>,
    /// Distance over which ground blends into prescribed heights, in world units; 0 if it does not.
    pub fade: f64,
    /// Heights of all samples that satisfy all bounds, into which the ground blends towards the border; empty
    /// if no world provides them.
    pub world: Vec<f32>,
    /// Width of the band along the border where heights are prescribed, in world units; 0 if borders are
    /// free.
    pub band: f64,
    /// Per edge, the samples of its route on the patch.
    pub paths: Vec<Vec<u32>>,
    /// Per edge, the points between which its route is straight, in world units, as far as it lies on the
    /// patch. Empty for paths that are drawn.
    pub lines: Vec<Vec<(f64, f64)>>,
}

impl Subdivision {
    /// The prescribed height of a sample, if any: on the patch's border that of `border`, if that map is
    /// given.
    #[must_use]
    pub fn height_given(&self, at: usize, border: Option<&Heightmap>) -> Option<f64> {
        let shape = Shape { width: self.domain.width(), height: self.domain.height(), wrap: false };
        let own = self.given[at];
        let border =
            border.filter(|_| shape.on_border(shape.position(at))).map(|border| border.samples()[at]);
        (!own.is_nan()).then(|| f64::from(border.unwrap_or(own)))
    }

    /// A subdivision without bounds.
    pub(super) fn unbound(
        domain: Domain,
        routes: &[Vec<Place>],
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let (count, (width, height)) = (domain.len(), domain.size);
        let on_patch = |&(x, y): &Place| {
            let inside = (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
            inside.then_some((y * width as i64 + x) as u32)
        };
        let paths = routes.iter().map(|route| route.iter().filter_map(on_patch).collect()).collect();
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
            lines: Vec::new(),
        })
    }
}
