//! Parameters and results of stitching.

use terrane_grid::Heightmap;

/// The number for samples outside all fields.
pub const NONE: u32 = u32::MAX;

/// How changes fall off from edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Method {
    /// Linearly with the distance from the nearest edge, as in Mijailovic's thesis. Leaves creases.
    Linear,
    /// Smoothly, with a blend of all edges within the distance.
    Smooth,
}

/// Parameters of [`stitch`](super::stitch).
#[derive(Clone, Debug, PartialEq)]
pub struct Stitch<'a> {
    /// How changes fall off.
    pub method: Method,
    /// How far from an edge fields may change, in world units.
    pub distance: f64,
    /// Distances for individual fields; fields beyond the slice's end have none.
    pub field_distances: &'a [Option<f64>],
    /// Distances for individual edges of the graph, on both sides; these take precedence over those of
    /// fields.
    pub edge_distances: &'a [Option<f64>],
    /// Fraction of a difference that is removed: at 1 fields meet, at 0 nothing changes.
    pub amount: f64,
    /// Whether all fields near an edge meet, or only its two fields.
    pub pinch: bool,
    /// How much each field moves relative to its neighbours; at least 0, and 1 beyond the slice's end. Of two
    /// fields, each moves by its share divided by the sum of both.
    pub shares: &'a [f64],
    /// The height of samples in no field. It does not identify them: use the field numbers.
    pub outside: f32,
}

impl Default for Stitch<'_> {
    /// Smooth, both sides by half, within 60 units: the minimum distance in the thesis's measurements.
    fn default() -> Self {
        Self {
            method: Method::Smooth,
            distance: 60.0,
            field_distances: &[],
            edge_distances: &[],
            amount: 1.0,
            pinch: true,
            shares: &[],
            outside: 0.0,
        }
    }
}

impl Stitch<'_> {
    /// A field's share.
    pub(super) fn share(&self, field: u32) -> f64 {
        self.shares.get(field as usize).map_or(1.0, |share| share.max(0.0))
    }

    /// The distance within which a field changes, for edges without an individual distance.
    pub(super) fn distance_of(&self, field: u32) -> f64 {
        self.field_distances.get(field as usize).copied().flatten().unwrap_or(self.distance)
    }
}

/// The result of [`stitch`](super::stitch).
#[derive(Clone, Debug, PartialEq)]
pub struct Stitched {
    /// Heights.
    pub heights: Heightmap,
    /// Distance in world units to the nearest edge between fields on the sample's own field; capped at the
    /// maximum distance within which any field changes.
    pub seam_distance: Heightmap,
}
