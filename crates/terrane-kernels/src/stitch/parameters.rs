//! What stitching is asked for, and what it gives.

use terrane_grid::Heightmap;

/// The number of no field.
pub const NONE: u32 = u32::MAX;

/// How changes fall off from edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// In straight lines, each sample with its nearest edge: the thesis's way.
    Linear,
    /// Smoothly, blending all edges in reach.
    Smooth,
}

/// Parameters of [`stitch`](super::stitch).
#[derive(Clone, Debug, PartialEq)]
pub struct Stitch<'a> {
    /// How changes fall off.
    pub method: Method,
    /// How far from an edge fields may change, in world units.
    pub distance: f64,
    /// Fields with a distance of their own; those beyond the end have none.
    pub field_distances: &'a [Option<f64>],
    /// Edges of the graph with a distance of their own, on both sides, before that of fields.
    pub edge_distances: &'a [Option<f64>],
    /// What part of a difference is taken away: 1 and fields meet, 0 and nothing changes.
    pub amount: f64,
    /// Whether all fields near an edge meet, not only its two.
    pub pinch: bool,
    /// How willingly each field moves, beside its neighbours; at least 0, and 1 beyond the end. Of two fields
    /// each moves by its share of both.
    pub shares: &'a [f64],
    /// The height of samples in no field. It says nothing: ask the numbers of fields.
    pub outside: f32,
}

impl Default for Stitch<'_> {
    /// Smoothly, both sides half, within 60 units: the least distance of the thesis's measurements.
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
    /// How willingly a field moves.
    pub(super) fn share(&self, field: u32) -> f64 {
        self.shares.get(field as usize).map_or(1.0, |share| share.max(0.0))
    }

    /// How far from edges a field changes, where these have no distance of their own.
    pub(super) fn distance_of(&self, field: u32) -> f64 {
        self.field_distances.get(field as usize).copied().flatten().unwrap_or(self.distance)
    }
}

/// What [`stitch`](super::stitch) gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Stitched {
    /// Heights.
    pub heights: Heightmap,
    /// World units to the nearest edge between fields, on the sample's own field; where that is farther than
    /// any field changes, the greatest distance to which one does.
    pub seam_distance: Heightmap,
}
