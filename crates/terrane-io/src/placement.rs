//! The position of a georeferenced raster in the world.

use terrane_grid::{Domain, GeoReference};

use crate::{
    keys::short_key,
    units::{of_angle, of_map},
    upright::Affine,
};

/// Spacing and origin from a [`GeoReference`], in units of its reference system: metres or feet if it is
/// projected, **degrees if it is geographic**. [`Ground`](crate::Ground) knows the distances in metres.
///
/// World x is the easting or longitude. World y is the *negative* northing or latitude, so that rows increase
/// with world y as everywhere else, and neighbouring rasters of one reference system keep their relative
/// positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Units between columns; greater than zero.
    pub spacing_x: f64,
    /// Units between rows; greater than zero.
    pub spacing_y: f64,
    /// World position of the centre of the first sample.
    pub origin: (f64, f64),
    /// Whether the units are degrees of longitude and latitude.
    pub geographic: bool,
    /// Metres in a unit of a projected reference system, degrees in one of a geographic one.
    pub unit: f64,
}

impl Placement {
    /// The placement of an upright raster. `None` if the tags do not place the raster, or if it is rotated,
    /// mirrored or placed by ground control points: such a raster has no spacing and origin.
    #[must_use]
    pub fn of(georef: &GeoReference) -> Option<Self> {
        let geographic = short_key(georef, 1024) == Some(2);
        let at = Affine::of(georef).filter(Affine::is_upright)?;
        let (spacing_x, spacing_y) = (at.x[0], -at.y[1]);
        Some(Self {
            spacing_x,
            spacing_y,
            // The difference is 0 where a negation would be -0.
            origin: (at.x[2], 0.0 - at.y[2]),
            geographic,
            unit: if geographic { of_angle(georef) } else { of_map(georef) },
        })
    }

    /// Whether columns and rows have the same spacing, to one part in a thousand, in the reference system's
    /// own units.
    #[must_use]
    pub fn is_square(&self) -> bool {
        (self.spacing_x - self.spacing_y).abs() <= 1e-3 * self.spacing_x
    }

    /// Easting and northing of a sample.
    pub(crate) fn at(&self, column: f64, row: f64) -> (f64, f64) {
        (self.origin.0 + column * self.spacing_x, -(self.origin.1 + row * self.spacing_y))
    }
}

/// Whether a reader that has only a file's tags, or a file without tags, finds the spacing and origin of a
/// domain.
pub(crate) fn is_placed_by(georef: Option<&GeoReference>, domain: &Domain) -> bool {
    let (spacing, origin) =
        georef.and_then(Placement::of).map_or((1.0, (0.0, 0.0)), |p| (p.spacing_x, p.origin));
    domain.spacing == spacing && domain.origin == origin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(model: u16, raster: u16) -> Vec<u16> {
        vec![1, 1, 0, 2, 1024, 0, 1, model, 1025, 0, 1, raster]
    }

    #[test]
    fn the_tie_point_is_a_corner_or_a_centre() {
        let mut georef = GeoReference {
            pixel_scale: vec![30.0, 30.0, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, 1000.0, 2000.0, 0.0],
            key_directory: keys(1, 1),
            ..GeoReference::default()
        };
        let area = Placement::of(&georef).unwrap();
        assert_eq!((area.spacing_x, area.origin), (30.0, (1015.0, -1985.0)));
        assert!(area.is_square() && !area.geographic);
        georef.key_directory = keys(1, 2);
        assert_eq!(Placement::of(&georef).unwrap().origin, (1000.0, -2000.0));
        georef.tiepoints[0] = 2.0;
        assert_eq!(Placement::of(&georef).unwrap().origin, (940.0, -2000.0));
    }

    #[test]
    fn a_matrix_places_a_raster_unless_it_rotates_it() {
        let mut matrix = vec![0.0; 16];
        (matrix[0], matrix[3], matrix[5], matrix[7], matrix[15]) = (2.0, 100.0, -2.0, 50.0, 1.0);
        let mut georef =
            GeoReference { transformation: matrix, key_directory: keys(1, 2), ..GeoReference::default() };
        assert_eq!(Placement::of(&georef).unwrap().origin, (100.0, -50.0));
        georef.transformation[1] = 0.1;
        assert_eq!(Placement::of(&georef), None);
        assert_eq!(Placement::of(&GeoReference::default()), None);
    }
}
