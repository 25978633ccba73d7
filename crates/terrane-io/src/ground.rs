//! The true distances between the samples of a georeferenced raster.

use terrane_grid::GeoReference;

use crate::{ellipsoid::Ellipsoid, placement::Placement};
#[cfg(feature = "projections")]
use crate::{inverse::Inverse, proj_text::parameters};

/// A difference to the map's own distance below which that counts: cells of 30 m of a zone of UTM stay 30 m,
/// although the ground below them is up to 30.03 m long.
const SAME: f64 = 0.01;

/// What is known of the ground below a raster: how far its samples are apart in metres.
///
/// - Degrees are taken along the parallel and the meridian of the reference system's ellipsoid.
/// - A projection that [`Placement`]'s reference system names by an EPSG code or by its parameters is
///   inverted at the raster's middle, where the true distance of neighbouring samples is taken on the
///   ellipsoid. It counts if it differs by 1 % or more, in either direction, from the map's.
/// - Other distances are those of the map, in metres.
pub struct Ground {
    placement: Placement,
    ellipsoid: Ellipsoid,
    #[cfg(feature = "projections")]
    inverse: Option<Inverse>,
    /// Whether the map is Web Mercator, which needs no other functions.
    #[cfg(not(feature = "projections"))]
    is_web: bool,
}

impl Ground {
    /// The ground of an upright raster. `None` as for [`Placement::of`].
    #[must_use]
    pub fn of(georef: &GeoReference) -> Option<Self> {
        let placement = Placement::of(georef)?;
        Some(Self {
            placement,
            ellipsoid: Ellipsoid::of(georef),
            #[cfg(feature = "projections")]
            inverse: (!placement.geographic)
                .then(|| parameters(georef))
                .flatten()
                .and_then(|text| Inverse::of(&text, placement.unit)),
            #[cfg(not(feature = "projections"))]
            is_web: matches!(georef.epsg(), Some(3857 | 3785)),
        })
    }

    /// The distances in metres between columns and between rows in the middle of a raster of this size.
    ///
    /// Over a raster of one degree the true spacing of columns differs from this by a few per cent.
    /// `None` if they are no distances of samples of ground: beyond a pole, or not from a micrometre to a
    /// million kilometres.
    #[must_use]
    pub fn metres(&self, size: (usize, usize)) -> Option<(f64, f64)> {
        let (column, row) = middle(size);
        let usable = 1e-6..=1e9;
        self.distances(column, row).filter(|(x, y)| usable.contains(x) && usable.contains(y))
    }

    /// The distance between columns at the first and at the last row, relative to the middle one.
    #[must_use]
    pub fn widths(&self, size: (usize, usize)) -> (f64, f64) {
        let (column, row) = middle(size);
        let width = |row: f64| self.own(column, row).map(|(across, _)| across);
        match (width(0.0), width(row), width(2.0 * row)) {
            (Some(first), Some(middle), Some(last)) => (first / middle, last / middle),
            _ => (1.0, 1.0),
        }
    }

    /// Longitude and latitude in degrees of the middle of a raster of this size, if they are known.
    #[must_use]
    pub fn position(&self, size: (usize, usize)) -> Option<(f64, f64)> {
        let (column, row) = middle(size);
        let (x, y) = self.placement.at(column, row);
        if self.placement.geographic {
            return Some((self.placement.unit * x, self.placement.unit * y));
        }
        #[cfg(feature = "projections")]
        if let Some((longitude, latitude)) = self.inverse.as_ref().and_then(|map| map.position((x, y))) {
            return Some((longitude.to_degrees(), latitude.to_degrees()));
        }
        None
    }

    /// The distances to the next column and to the next row that count, about a position in the raster.
    fn distances(&self, column: f64, row: f64) -> Option<(f64, f64)> {
        let Placement { spacing_x, spacing_y, unit, geographic, .. } = self.placement;
        let map = (spacing_x * unit, spacing_y * unit);
        let is_same = |(x, y): (f64, f64)| (x / map.0 - 1.0).abs() < SAME && (y / map.1 - 1.0).abs() < SAME;
        self.own(column, row).map(|own| if !geographic && is_same(own) { map } else { own })
    }

    /// The true distances, as far as they are known.
    fn own(&self, column: f64, row: f64) -> Option<(f64, f64)> {
        let Placement { spacing_x, spacing_y, unit, .. } = self.placement;
        let at = self.placement.at(column, row);
        if !self.placement.geographic {
            return Some(self.projected(at).unwrap_or((spacing_x * unit, spacing_y * unit)));
        }
        let latitude = unit * at.1;
        if latitude.abs() >= 90.0 {
            return None;
        }
        let (across, down) = self.ellipsoid.radian(latitude.to_radians());
        let radians = unit.to_radians();
        Some((spacing_x * radians * across, spacing_y * radians * down))
    }

    /// The true distances about a position on the map.
    #[cfg(feature = "projections")]
    fn projected(&self, at: (f64, f64)) -> Option<(f64, f64)> {
        self.inverse.as_ref()?.distances(at, (self.placement.spacing_x, self.placement.spacing_y))
    }

    #[cfg(not(feature = "projections"))]
    fn projected(&self, at: (f64, f64)) -> Option<(f64, f64)> {
        // A metre of Web Mercator is shorter on the ground by the cosine of the latitude.
        let factor = self.placement.unit / libm::cosh(at.1 / self.ellipsoid.radius);
        self.is_web.then_some((self.placement.spacing_x * factor, self.placement.spacing_y * factor))
    }
}

/// A warning of a projection whose true distances are not known.
#[cfg(feature = "projections")]
pub(crate) fn unknown(georef: &GeoReference) -> Option<String> {
    let placement = Placement::of(georef).filter(|placement| !placement.geographic)?;
    let code = georef.epsg()?;
    let is_known = parameters(georef).is_some_and(|text| Inverse::of(&text, placement.unit).is_some());
    (!is_known).then(|| {
        format!(
            "the projection EPSG:{code} is not known: distances are those of its map, which may differ from \
            those on the ground; `gdalwarp -t_srs` to another one, such as the zone of UTM, makes sure"
        )
    })
}

/// Without projections, nothing is known of them.
#[cfg(not(feature = "projections"))]
pub(crate) const fn unknown(_georef: &GeoReference) -> Option<String> {
    None
}

/// Column and row of the middle of a raster.
fn middle((columns, rows): (usize, usize)) -> (f64, f64) {
    (0.5 * (columns.max(1) - 1) as f64, 0.5 * (rows.max(1) - 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn georef(keys: &[u16], (x, y): (f64, f64), step: f64) -> GeoReference {
        GeoReference {
            pixel_scale: vec![step, step, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, x, y, 0.0],
            key_directory: [&[1, 1, 0, (keys.len() / 4 + 1) as u16, 1025, 0, 1, 2], keys].concat(),
            ..GeoReference::default()
        }
    }

    #[test]
    fn degrees_are_those_of_the_ellipsoid() {
        let degrees = georef(&[1024, 0, 1, 2], (10.0, 50.001), 0.001);
        let ground = Ground::of(&degrees).unwrap();
        let (across, down) = ground.metres((3, 3)).unwrap();
        // By geographiclib.
        assert!(
            (across - 71.695_753_6).abs() < 1e-6 && (down - 111.229_064_0).abs() < 1e-6,
            "{across} {down}"
        );
        assert_eq!(ground.position((3, 3)), Some((10.001, 50.0)));
        let beyond = georef(&[1024, 0, 1, 2], (10.0, 95.0), 0.001);
        assert_eq!(Ground::of(&beyond).unwrap().metres((3, 3)), None);
        let grads = georef(&[1024, 0, 1, 2, 2048, 0, 1, 4807], (2.0, 50.0), 0.001);
        let down = Ground::of(&grads).unwrap().metres((3, 3)).unwrap().1;
        assert!((down - 100.02).abs() < 0.02, "{down}");
        let mut mars = degrees;
        mars.key_directory.extend([2057, 34736, 1, 0]);
        mars.double_params = vec![3_396_190.0];
        let down = Ground::of(&mars).unwrap().metres((3, 3)).unwrap().1;
        assert!((down - 3_396_190.0 * 0.001f64.to_radians()).abs() < 1e-9, "{down}");
    }

    #[test]
    fn web_mercator_stretches_by_the_latitude_in_every_build() {
        let ground = Ground::of(&georef(&[3072, 0, 1, 3857], (1.0e6, 8.3e6), 30.0)).unwrap();
        let (across, down) = ground.metres((60, 40)).unwrap();
        // By PROJ 9.5 and geographiclib; a sphere differs by up to 0.7 %.
        assert!(
            (across / 15.243_2 - 1.0).abs() < 0.007 && (down / 15.216_9 - 1.0).abs() < 0.007,
            "{across} {down}"
        );
    }

    /// By PROJ 9.5 and geographiclib.
    #[cfg(feature = "projections")]
    #[test]
    fn projections_are_true_where_their_scale_is_not() {
        let of = |code: u16, at: (f64, f64)| {
            Ground::of(&georef(&[1024, 0, 1, 1, 3072, 0, 1, code], at, 30.0))
                .unwrap()
                .metres((60, 40))
                .unwrap()
        };
        for (code, at, right) in [
            (3395, (1.0e6, 8.3e6), (15.167_381_667, 15.167_381_669)),
            (6933, (1.0e6, 6.0e6), (19.938_247_648, 45.139_373_133)),
            (3034, (4.0e6, 2.9e6), (31.047_206_984, 31.047_206_982)),
            (3857, (1.0e6, 8.3e6), (15.243_213_816, 15.216_868_860)),
            (3031, (-885.0, 585.0), (30.839_798_146, 30.839_798_146)),
            (5070, (1.0e6, 5.0e6), (23.524_826_545, 39.280_860_752)),
        ] {
            let found = of(code, at);
            let off = (found.0 / right.0 - 1.0).abs().max((found.1 / right.1 - 1.0).abs());
            assert!(off < 1e-6, "{code}: {found:?} instead of {right:?}");
        }
        // Nearly true ones keep the map's, and so do unknown codes and positions beyond the map.
        assert_eq!(of(32611, (4.0e5, 4.0e6)), (30.0, 30.0));
        assert_eq!(of(2193, (1.6e6, 5.2e6)), (30.0, 30.0));
        assert_eq!(of(9, (4.0e5, 4.0e6)), (30.0, 30.0));
        assert_eq!(of(3034, (9.0e14, 4.0e6)), (30.0, 30.0));
        let feet = georef(&[1024, 0, 1, 1, 3072, 0, 1, 2263], (1.0e6, 2.0e5), 3.0);
        assert!((Ground::of(&feet).unwrap().metres((60, 40)).unwrap().0 - 3600.0 / 3937.0).abs() < 1e-12);
    }

    #[cfg(feature = "projections")]
    #[test]
    fn rows_of_a_large_map_are_not_equally_wide() {
        let ground = Ground::of(&georef(&[3072, 0, 1, 3395], (1.0e6, 8.3e6), 3000.0)).unwrap();
        let (first, last) = ground.widths((60, 40));
        assert!(first < 0.995 && last > 1.005, "{first} {last}");
        let utm = Ground::of(&georef(&[3072, 0, 1, 32611], (4.0e5, 4.0e6), 3000.0)).unwrap();
        let (first, last) = utm.widths((60, 40));
        assert!((first - 1.0).abs() < 1e-6 && (last - 1.0).abs() < 1e-6, "{first} {last}");
    }
}
