//! Where on a planet a raster lies.

/// The tags of a GeoTIFF that place a raster, kept verbatim so that what was read is written back unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeoReference {
    /// `ModelPixelScaleTag`: size of a sample in units of the reference system, (x, y, z).
    pub pixel_scale: Vec<f64>,
    /// `ModelTiepointTag`: raster (i, j, k) and model (x, y, z) of each tie point.
    pub tiepoints: Vec<f64>,
    /// `ModelTransformationTag`: a 4 × 4 matrix, where the file has that instead of scale and tie point.
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

impl GeoReference {
    /// The nodata value as a number, where there is one.
    #[must_use]
    pub fn nodata_value(&self) -> Option<f64> {
        self.nodata.as_ref()?.trim().parse().ok()
    }

    /// The EPSG code of the projected or else geographic reference system, where the keys name one.
    #[must_use]
    pub fn epsg(&self) -> Option<u16> {
        const PROJECTED: u16 = 3072;
        const GEOGRAPHIC: u16 = 2048;
        let key =
            |id| self.key_directory.chunks_exact(4).skip(1).find(|k| k[0] == id && k[1] == 0).map(|k| k[3]);
        key(PROJECTED).or_else(|| key(GEOGRAPHIC)).filter(|&code| code != 32767)
    }
}
