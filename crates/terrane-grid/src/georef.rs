//! Location of a raster on a planet.

/// The tags of a GeoTIFF that locate a raster, kept verbatim so that they are written back unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeoReference {
    /// `ModelPixelScaleTag`: size of a sample in units of the reference system, (x, y, z).
    pub pixel_scale: Vec<f64>,
    /// `ModelTiepointTag`: raster (i, j, k) and model (x, y, z) of each tie point.
    pub tiepoints: Vec<f64>,
    /// `ModelTransformationTag`: a 4 × 4 matrix, if the file has it instead of scale and tie point.
    pub transformation: Vec<f64>,
    /// `GeoKeyDirectoryTag`: the reference system's keys.
    pub key_directory: Vec<u16>,
    /// `GeoDoubleParamsTag`: real parameters that the keys point to.
    pub double_params: Vec<f64>,
    /// `GeoAsciiParamsTag`: text parameters that the keys point to.
    pub ascii_params: String,
    /// `GDAL_NODATA`: the value that marks missing samples, as written in the file.
    pub nodata: Option<String>,
}

/// A number that marks missing samples, as programs write it: with a decimal comma in some languages, and
/// with the texts of older Windows for what is not a number, such as `-1.#IND`.
#[must_use]
pub fn nodata_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let known = text.parse().or_else(|_| text.replacen(',', ".", 1).parse()).ok();
    known.or_else(|| {
        let (sign, rest) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
        match rest.trim_start_matches('+').strip_prefix("1.#")?.to_ascii_uppercase().trim_end_matches('0') {
            "QNAN" | "SNAN" | "IND" | "NAN" => Some(f64::NAN),
            "INF" => Some(sign * f64::INFINITY),
            _ => None,
        }
    })
}

impl GeoReference {
    /// The nodata value as a number, if there is one; see [`nodata_number`].
    #[must_use]
    pub fn nodata_value(&self) -> Option<f64> {
        nodata_number(self.nodata.as_ref()?)
    }

    /// Whether a tie point is the centre of a sample, and not its corner.
    #[must_use]
    pub fn is_point(&self) -> bool {
        const RASTER_TYPE: u16 = 1025;
        const POINT: u16 = 2;
        self.key_directory.chunks_exact(4).skip(1).any(|key| key[0] == RASTER_TYPE && key[3] == POINT)
    }

    /// Whether there are tags that place the raster.
    #[must_use]
    pub fn is_placed(&self) -> bool {
        !(self.pixel_scale.is_empty() && self.tiepoints.is_empty() && self.transformation.is_empty())
    }

    /// The location of samples: x and y of the first sample, and the steps from column to column and from
    /// row to row. `None` if the raster is rotated or does not have exactly one tie point.
    #[must_use]
    pub fn axes(&self) -> Option<((f64, f64), (f64, f64))> {
        let ([x, y, ..], [i, j, _, east, north, _]) = (&self.pixel_scale[..], &self.tiepoints[..]) else {
            return None;
        };
        // With area samples, a tie point is the corner of a sample.
        let middle = if self.is_point() { 0.0 } else { 0.5 };
        Some(((east + (middle - i) * x, north - (middle - j) * y), (*x, -y)))
    }

    /// The EPSG code of the projected or, failing that, geographic reference system, if the keys contain
    /// one.
    #[must_use]
    pub fn epsg(&self) -> Option<u16> {
        const MODEL: u16 = 1024;
        const PROJECTED: u16 = 3072;
        const GEOGRAPHIC: u16 = 2048;
        let key =
            |id| self.key_directory.chunks_exact(4).skip(1).find(|k| k[0] == id && k[1] == 0).map(|k| k[3]);
        // A projected system whose code is missing is not its geographic base.
        let base = || key(GEOGRAPHIC).filter(|_| key(MODEL) != Some(1));
        key(PROJECTED).or_else(base).filter(|&code| code != 32767)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodata_in_every_spelling() {
        for (text, number) in
            [("-9999", -9999.0), (" -3,5 ", -3.5), ("1e30", 1e30), ("-1.#INF", f64::NEG_INFINITY)]
        {
            assert_eq!(nodata_number(text), Some(number), "{text}");
        }
        for text in ["nan", "-NaN", "-1.#IND", "1.#QNAN", "-1.#QNAN0", "1.#SNAN"] {
            assert!(nodata_number(text).is_some_and(f64::is_nan), "{text}");
        }
        for text in ["", "none", "1.#", "1.#X", "1,2,3"] {
            assert_eq!(nodata_number(text), None, "{text}");
        }
    }
}
