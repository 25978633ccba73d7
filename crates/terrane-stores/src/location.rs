//! Where a store's world lies on a map, as its description records it.

use serde::{Deserialize, Serialize};
use terrane_grid::{Domain, GeoReference, Place};

/// Where a store's first sample lies on a map, and the map's reference system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Location {
    /// Easting and northing.
    pub first: (f64, f64),
    /// The distances to the next column and to the next row, both greater than zero.
    pub steps: (f64, f64),
    /// The keys of the reference system, as in a GeoTIFF.
    pub keys: Vec<u16>,
    /// Numbers that the keys point to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<f64>,
    /// Text that the keys point to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl Location {
    /// The location of a world with this place, whose samples in the store are those of `domain`.
    #[must_use]
    pub fn of(place: &Place, domain: &Domain) -> Option<Self> {
        let (first, (across, down)) = place.georef(domain).axes()?;
        let GeoReference { key_directory, double_params, ascii_params, .. } = place.reference();
        Some(Self {
            first,
            steps: (across, -down),
            keys: key_directory.clone(),
            numbers: double_params.clone(),
            text: ascii_params.clone(),
        })
    }

    /// The place of the world whose samples are those of `domain`; `None` if the description is not valid.
    #[must_use]
    pub fn place(&self, domain: &Domain) -> Option<Place> {
        let mut georef = GeoReference {
            pixel_scale: vec![self.steps.0, self.steps.1, 0.0],
            key_directory: self.keys.clone(),
            double_params: self.numbers.clone(),
            ascii_params: self.text.clone(),
            ..GeoReference::default()
        };
        let middle = if georef.is_point() { 0.0 } else { 0.5 };
        georef.tiepoints = vec![middle, middle, 0.0, self.first.0, self.first.1, 0.0];
        Place::of(&georef, domain.origin, domain.spacing, (1.0, 1.0))
    }
}
