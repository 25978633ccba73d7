//! The position of samples on a map, and turning a raster so that its first row is the northernmost.

use terrane_grid::GeoReference;

use crate::{
    Format, Problem,
    error::Outcome,
    raster::{Raster, reserve},
};

/// The position of a sample's centre: `x = a·column + b·row + c` and `y = d·column + e·row + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    pub x: [f64; 3],
    pub y: [f64; 3],
}

impl Affine {
    /// The position that the tags give; `None` if they give none, or one for single points only.
    pub fn of(georef: &GeoReference) -> Option<Self> {
        let half = if georef.is_point() { 0.0 } else { 0.5 };
        let affine = match (&georef.transformation[..], &georef.pixel_scale[..], &georef.tiepoints[..]) {
            (m, ..) if m.len() == 16 => Self {
                x: [m[0], m[1], m[3] + half * (m[0] + m[1])],
                y: [m[4], m[5], m[7] + half * (m[4] + m[5])],
            },
            ([], [sx, sy, ..], [i, j, _, x, y, _, ..]) => {
                Self { x: [*sx, 0.0, x + (half - i) * sx], y: [0.0, -sy.abs(), y - (half - j) * sy.abs()] }
            }
            _ => return None,
        };
        affine.x.iter().chain(&affine.y).all(|v| v.is_finite()).then_some(affine)
    }

    /// Whether rows lead east and columns south.
    pub fn is_upright(&self) -> bool {
        self.x[0] > 0.0 && self.x[1] == 0.0 && self.y[0] == 0.0 && self.y[1] < 0.0
    }

    /// The tags of an upright raster at this position, in the reference system of `of`.
    fn georef(&self, of: &GeoReference) -> GeoReference {
        let half = if of.is_point() { 0.0 } else { 0.5 };
        let (sx, sy) = (self.x[0], -self.y[1]);
        GeoReference {
            pixel_scale: vec![sx, sy, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, self.x[2] - half * sx, self.y[2] + half * sy, 0.0],
            transformation: Vec::new(),
            ..of.clone()
        }
    }
}

/// How a raster is turned or mirrored, so that its first row is the northernmost and its first column the
/// westernmost.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Turn {
    /// Columns and rows afterwards.
    pub size: (usize, usize),
    /// The tags of the upright raster.
    pub georef: GeoReference,
    swapped: bool,
    mirror_x: bool,
    mirror_y: bool,
}

impl Turn {
    /// The turn for a raster of this size, which may be none; `None` if the tags do not place the raster.
    ///
    /// # Errors
    /// [`Problem::Turned`] for a raster that is rotated by other than quarter turns, or sheared.
    pub fn of(format: Format, size: (usize, usize), georef: &GeoReference) -> Outcome<Option<Self>> {
        let Some(at) = Affine::of(georef) else { return Ok(None) };
        // Programs write a rotation of 1e-17 where they mean none: it must move no sample by a hundredth.
        let (width, height) = (size.0 as f64, size.1 as f64);
        let is_small = |[along, across]: [f64; 2], [columns, rows]: [f64; 2]| {
            (along * columns).abs().max((across * rows).abs()) < 0.01
        };
        let ([a, b, _], [d, e, _]) = (at.x, at.y);
        if a * e - b * d == 0.0 {
            return Ok(None);
        }
        let swapped = if is_small([b / a, d / e], [height, width]) {
            false
        } else if is_small([a / b, e / d], [width, height]) {
            true
        } else {
            let rows = libm::atan2(-d, a).to_degrees();
            let columns = libm::atan2(-b, -e).to_degrees();
            let detail = match rows.abs() < 0.05 {
                true => format!("its columns lead {columns:.1} degrees west of south"),
                false => format!("its rows lead {rows:.1} degrees south of east"),
            };
            return Err(Problem::Turned { format, detail });
        };
        // Steps of the upright raster.
        let (across, down) = if swapped { (b, d) } else { (a, e) };
        let (mirror_x, mirror_y) = (across < 0.0, down > 0.0);
        let size = if swapped { (size.1, size.0) } else { size };
        let first = (
            if mirror_x { at.x[2] + across * (size.0 - 1) as f64 } else { at.x[2] },
            if mirror_y { at.y[2] + down * (size.1 - 1) as f64 } else { at.y[2] },
        );
        let is_plain = !swapped && !mirror_x && !mirror_y && b == 0.0 && d == 0.0;
        let is_plain = is_plain && georef.pixel_scale.iter().all(|scale| *scale >= 0.0);
        let georef = if is_plain && georef.axes().is_some() {
            georef.clone()
        } else {
            Affine { x: [across.abs(), 0.0, first.0], y: [0.0, -down.abs(), first.1] }.georef(georef)
        };
        Ok(Some(Self { size, georef, swapped, mirror_x, mirror_y }))
    }

    /// What is turned, as a warning.
    fn warning(&self) -> Option<String> {
        let what = match (self.swapped, self.mirror_x, self.mirror_y) {
            (false, false, false) => return None,
            (true, ..) => "its rows lead north or south",
            (false, true, true) => "its first sample is the most south-eastern",
            (false, true, false) => "its first column is the easternmost",
            (false, false, true) => "its first row is the southernmost",
        };
        Some(format!("{what}: the raster was turned so that north is up"))
    }

    /// Turned samples.
    fn turned<T: Copy>(&self, samples: &[T]) -> Outcome<Vec<T>> {
        let (columns, rows) = self.size;
        let mut out = reserve(samples.len())?;
        for row in 0..rows {
            let row = if self.mirror_y { rows - 1 - row } else { row };
            out.extend((0..columns).map(|column| {
                let column = if self.mirror_x { columns - 1 - column } else { column };
                samples[if self.swapped { column * rows + row } else { row * columns + column }]
            }));
        }
        Ok(out)
    }
}

/// Turns a raster so that its first row is the northernmost and its first column the westernmost.
///
/// # Errors
/// As [`Turn::of`], and if there is no memory.
pub(crate) fn upright(format: Format, raster: &mut Raster) -> Outcome<()> {
    let Some(georef) = &raster.georef else { return Ok(()) };
    let Some(turn) = Turn::of(format, (raster.width, raster.height), georef)? else { return Ok(()) };
    if let Some(warning) = turn.warning() {
        raster.samples = turn.turned(&raster.samples)?;
        if let Some(transparent) = &raster.transparent {
            raster.transparent = Some(turn.turned(transparent)?);
        }
        (raster.width, raster.height) = turn.size;
        raster.warnings.push(warning);
    }
    raster.georef = Some(turn.georef);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sample;

    /// A raster of 3 x 2 samples whose heights are `10·x + y` on the map.
    fn raster(matrix: [f64; 6]) -> Raster {
        let [a, b, c, d, e, f] = matrix;
        let mut transformation = vec![0.0; 16];
        (transformation[0], transformation[1], transformation[3]) = (a, b, c);
        (transformation[4], transformation[5], transformation[7]) = (d, e, f);
        transformation[15] = 1.0;
        let key_directory = vec![1, 1, 0, 1, 1025, 0, 1, 2];
        let georef = GeoReference { transformation, key_directory, ..GeoReference::default() };
        let heights = (0..6).map(|n| {
            let (i, j) = (f64::from(n % 3), f64::from(n / 3));
            (10.0 * (a * i + b * j + c) + d * i + e * j + f) as f32
        });
        let mut raster = Raster::new((3, 2), heights.collect(), Sample::F32);
        raster.georef = Some(georef);
        raster
    }

    #[test]
    fn all_eight_positions_come_upright_with_their_heights_in_place() {
        for (matrix, is_turned) in [
            ([2.0, 0.0, 5.0, 0.0, -3.0, 7.0], false),
            ([2.0, 0.0, 5.0, 0.0, 3.0, 7.0], true),
            ([-2.0, 0.0, 5.0, 0.0, -3.0, 7.0], true),
            ([-2.0, 0.0, 5.0, 0.0, 3.0, 7.0], true),
            ([0.0, 2.0, 5.0, -3.0, 0.0, 7.0], true),
            ([0.0, 2.0, 5.0, 3.0, 0.0, 7.0], true),
            ([0.0, -2.0, 5.0, -3.0, 0.0, 7.0], true),
            ([0.0, -2.0, 5.0, 3.0, 0.0, 7.0], true),
            ([2.0, 1e-16, 5.0, 1e-17, -3.0, 7.0], false),
        ] {
            let mut raster = raster(matrix);
            upright(Format::TIFF, &mut raster).unwrap();
            let at = Affine::of(raster.georef.as_ref().unwrap()).unwrap();
            assert!(at.is_upright(), "{matrix:?}: {at:?}");
            assert_eq!((at.x[0], at.y[1]), (2.0, -3.0));
            for (n, height) in raster.samples.iter().enumerate() {
                let (column, row) = ((n % raster.width) as f64, (n / raster.width) as f64);
                let (x, y) = (at.x[0] * column + at.x[2], at.y[1] * row + at.y[2]);
                assert!((10.0 * x + y - f64::from(*height)).abs() < 1e-4, "{matrix:?} {n}");
            }
            assert_eq!(raster.warnings.len(), usize::from(is_turned), "{matrix:?}");
        }
    }

    /// GDAL writes a raster whose columns lead west with a negative scale of x, and ignores the sign of y.
    #[test]
    fn a_scale_has_a_sign_in_x_only() {
        for (scale, is_turned) in [([-2.0, 3.0, 0.0], true), ([2.0, -3.0, 0.0], false)] {
            let mut raster = raster([2.0, 0.0, 5.0, 0.0, -3.0, 7.0]);
            let before = raster.samples.clone();
            raster.georef = Some(GeoReference {
                pixel_scale: scale.to_vec(),
                tiepoints: vec![0.0, 0.0, 0.0, 5.0, 7.0, 0.0],
                key_directory: vec![1, 1, 0, 1, 1025, 0, 1, 2],
                ..GeoReference::default()
            });
            upright(Format::TIFF, &mut raster).unwrap();
            let at = Affine::of(raster.georef.as_ref().unwrap()).unwrap();
            let first = if is_turned { 5.0 - 2.0 * 2.0 } else { 5.0 };
            assert_eq!((at.x, at.y), ([2.0, 0.0, first], [0.0, -3.0, 7.0]));
            assert_eq!(raster.samples != before, is_turned);
        }
    }

    #[test]
    fn a_rotated_raster_is_refused_by_that_word() {
        for matrix in [[2.0, 1.0, 0.0, -1.0, -2.0, 0.0], [2.0, 0.5, 0.0, 0.0, -2.0, 0.0]] {
            let refused = upright(Format::TIFF, &mut raster(matrix)).unwrap_err();
            assert!(refused.to_string().contains("turned"), "{refused}");
            assert!(refused.remedy().contains("gdalwarp"));
        }
        let sheared = upright(Format::TIFF, &mut raster([2.0, 0.5, 0.0, 0.0, -2.0, 0.0])).unwrap_err();
        assert!(sheared.to_string().contains("its columns lead -14.0 degrees west of south"), "{sheared}");
    }
}
