//! Values that runs return.

#![allow(unsafe_code, reason = "Python reads samples through its buffer protocol")]

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyBufferError, PyRuntimeError};
use pyo3::ffi::Py_buffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use terrane_flow::Digest;
use terrane_grid::{GeoReference, Grid, Heightmap, Place};
use terrane_io::WriteOptions;
use terrane_nodes::values::{Animation, Frames, Map, Picture, TerrainKind, heights_of};
use terrane_runs::outputs;

use crate::buffer::{Samples, fill};
use crate::engine::Engine;
use crate::json::to_python;
use crate::leaving::detached;
use crate::problem::{raised, usage};

/// A value of a node. It stays valid without the engine.
#[pyclass(frozen, subclass, module = "pyterrane._pyterrane")]
pub struct Value {
    pub value: terrane_flow::Value,
    /// The digest of the content, once it was asked for.
    digest: OnceLock<Digest>,
    /// Rows and columns of a map or a picture, and the number of colours of a picture. Sequences of these
    /// have their number first. Empty for other kinds.
    shape: Vec<isize>,
    /// The place of the graph that the value comes from, in which its files are written.
    ground: Option<Arc<Place>>,
}

/// The rows and columns of a map or a picture, and the number of colours of a picture.
fn shape(value: &terrane_flow::Value) -> Option<Vec<isize>> {
    let map = |map: &Heightmap| vec![map.height() as isize, map.width() as isize];
    let picture = |picture: &Grid<[u8; 3]>| vec![picture.height() as isize, picture.width() as isize, 3];
    // The number of parts, and the shape of each. Without parts, it has no rows and no columns.
    let several = |count: usize, first: Option<Vec<isize>>, axes: usize| {
        let rest = first.unwrap_or_else(|| vec![0; axes]);
        std::iter::once(count as isize).chain(rest).collect()
    };
    if let Some(heights) = heights_of(value) {
        Some(map(heights))
    } else if let Some(value) = value.get::<Picture>() {
        Some(picture(&value.0))
    } else if let Some(Frames(maps)) = value.get::<Frames>() {
        Some(several(maps.len(), maps.first().map(|first| map(first)), 2))
    } else {
        let Animation { pictures, .. } = value.get::<Animation>()?;
        Some(several(pictures.len(), pictures.first().map(picture), 3))
    }
}

impl Value {
    pub fn new(value: terrane_flow::Value) -> Self {
        let shape = shape(&value).unwrap_or_default();
        Self { value, digest: OnceLock::new(), shape, ground: None }
    }

    /// The same value of a graph with this place.
    pub fn over(self, ground: Option<Arc<Place>>) -> Self {
        Self { ground, ..self }
    }

    /// The map, the levels, or the first map of a sequence.
    fn map(&self) -> Option<&Heightmap> {
        heights_of(&self.value).or_else(|| self.value.get::<Frames>()?.0.first().map(|map| &map.0))
    }

    /// The tags that place a map, as its files have them.
    fn georef(&self, map: &Heightmap) -> Option<Arc<GeoReference>> {
        let own = || map.georef().cloned();
        self.ground.as_ref().map(|place| Arc::new(place.georef(&map.domain()))).or_else(own)
    }

    fn kind(&self, py: Python<'_>) -> PyResult<&'static TerrainKind> {
        let none = || usage(py, format!("values of kind {} have no files", self.value.kind().name), "");
        TerrainKind::find(self.value.kind()).ok_or_else(none)
    }
}

#[pymethods]
impl Value {
    /// Wraps a value in a Python subclass.
    #[new]
    fn from_other(other: &Self) -> Self {
        Self {
            value: other.value.clone(),
            digest: other.digest.clone(),
            shape: other.shape.clone(),
            ground: other.ground.clone(),
        }
    }

    /// The canonical bytes. The digest is computed from them.
    fn encoded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, || {
            let mut bytes = Vec::new();
            self.value.encode(&mut bytes).map(|()| bytes)
        })?;
        bytes
            .map(|bytes| PyBytes::new(py, &bytes))
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// The place of the value's graph on a map, as bytes; `None` if the graph has no place.
    #[getter]
    fn ground<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.ground.as_ref().map(|place| PyBytes::new(py, &place.bytes()))
    }

    /// Decodes a value of a kind from its canonical bytes, and the place of its graph.
    #[staticmethod]
    #[pyo3(signature = (kind, bytes, ground = None))]
    fn decoded(py: Python<'_>, kind: &str, bytes: &[u8], ground: Option<&[u8]>) -> PyResult<Self> {
        let wrong = |error: String| usage(py, format!("these bytes are not a {kind}: {error}"), "");
        let of = TerrainKind::named(kind).ok_or_else(|| wrong("this kind does not exist".to_owned()))?;
        let value = of.kind.decode(bytes).map_err(|error| wrong(error.to_string()))?;
        let place = |bytes| Place::of_bytes(bytes).ok_or_else(|| wrong("its place is damaged".to_owned()));
        let ground = ground.map(place).transpose()?;
        Ok(Self::new(value).over(ground.map(Arc::new)))
    }

    /// The kind: `"map"`, `"table"`, `"picture"` and so on.
    #[getter(kind)]
    fn kind_name(&self) -> &'static str {
        self.value.kind().name
    }

    /// The digest of the content, as the command prints it.
    #[getter]
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        let digest = || self.digest.get_or_init(|| self.value.digest()).hex();
        detached(py, digest)
    }

    /// Bytes of memory.
    #[getter]
    fn nbytes(&self) -> usize {
        self.value.heap_bytes()
    }

    /// Rows and columns, and 3 for the colours of a picture. Sequences of maps and of pictures have their
    /// number first. Empty for other kinds.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// The samples of a sequence of maps or of pictures, one after the other.
    fn stacked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let numbers = |map: &Map| map.samples().iter().flat_map(|sample| sample.to_ne_bytes()).collect();
        let parts: Vec<Vec<u8>> = if let Some(Frames(maps)) = self.value.get::<Frames>() {
            maps.iter().map(numbers).collect()
        } else if let Some(animation) = self.value.get::<Animation>() {
            let colours = |picture: &Grid<[u8; 3]>| picture.as_slice().as_flattened().to_vec();
            animation.pictures.iter().map(colours).collect()
        } else {
            let message = format!("a {} is no sequence of maps or pictures", self.value.kind().name);
            return Err(usage(py, message, "read it as its kind"));
        };
        Ok(PyBytes::new(py, &parts.concat()))
    }

    /// A map's spacing, its origin, and the number of its CRS if it has one.
    #[getter]
    fn place(&self) -> Option<(f64, (f64, f64), Option<u16>)> {
        let map = self.map()?;
        let domain = map.domain();
        Some((domain.spacing, domain.origin, self.georef(map).and_then(|georef| georef.epsg())))
    }

    /// The position on a map of a graph with a place, or of a map from a georeferenced file: x and y of the
    /// first sample, and the steps from column to column and from row to row.
    #[getter]
    fn axes(&self) -> Option<((f64, f64), (f64, f64))> {
        self.georef(self.map()?)?.axes()
    }

    /// The value as numbers, texts, lists and dicts, if its kind has a JSON form.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.value.to_json().unwrap_or_default())
    }

    /// The columns of a table: names, and 64-bit floats as bytes.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
        let numbers = self.kind(py)?.numbers(&self.value);
        let columns = numbers.columns().iter().map(|(name, numbers)| {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
            (name.to_string(), PyBytes::new(py, &bytes))
        });
        Ok(columns.collect())
    }

    /// The file extensions of the formats that the value can be written in.
    #[getter]
    fn extensions(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        Ok(self.kind(py)?.extensions())
    }

    /// Writes the value to a file, at the place of its graph unless `placed` is false. The extension chooses
    /// the format.
    #[pyo3(signature = (engine, path, placed = true))]
    fn write(&self, py: Python<'_>, engine: &Engine, path: PathBuf, placed: bool) -> PyResult<()> {
        let kind = self.kind(py)?;
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if !kind.extensions().contains(&extension.to_ascii_lowercase().as_str()) {
            let message =
                format!("{}: a {} cannot be written in this format", path.display(), kind.kind.name);
            return Err(usage(py, message, format!("extensions are: {}", kind.extensions().join(", "))));
        }
        let options =
            WriteOptions { place: self.ground.clone().filter(|_| placed), ..WriteOptions::default() };
        let engine = engine.get(py)?;
        let written = detached(py, || outputs::write(engine, &path, &self.value, &options))?;
        written.map(drop).map_err(|problem| raised(py, terrane_runs::Failure::Evaluation(vec![problem])))
    }

    /// A picture of the value, as the content of a PNG file. `None` if its kind cannot be drawn.
    fn png<'py>(&self, py: Python<'py>, engine: &Engine) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let (kind, engine) = (self.kind(py)?, engine.get(py)?);
        let png = || engine.within(|| kind.picture(&self.value).map(|picture| encoded(&picture)));
        let png = detached(py, png)?;
        let png = png.transpose().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(png.map(|png| PyBytes::new(py, &png)))
    }

    /// The value's snapshot text.
    fn described(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.kind(py)?.described(&self.value))
    }

    #[expect(unsafe_code, reason = "Python's buffer protocol is made of pointers")]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut Py_buffer, flags: i32) -> PyResult<()> {
        let this = slf.get();
        let samples = match (heights_of(&this.value), this.value.get::<Picture>()) {
            (Some(map), _) => Samples::new(map.samples(), &this.shape),
            (None, Some(picture)) => Samples::new(picture.0.as_slice().as_flattened(), &this.shape),
            (None, None) => {
                let message = format!("a {} is not an array", this.value.kind().name);
                return Err(PyBufferError::new_err(message));
            }
        };
        // SAFETY: Python passes a view to fill. Samples and shape live as long as `slf`, to which the view
        // holds a reference.
        unsafe { fill(view, &slf, &samples, flags) }
    }

    #[expect(unsafe_code, reason = "Python's buffer protocol is made of pointers")]
    unsafe fn __releasebuffer__(&self, view: *mut Py_buffer) {
        // SAFETY: Python passes a view that `fill` filled.
        unsafe { crate::buffer::release(view) };
    }
}

/// A picture as the content of a PNG file.
fn encoded(picture: &Grid<[u8; 3]>) -> Result<Vec<u8>, png::EncodingError> {
    let mut content = Vec::new();
    let mut encoder = png::Encoder::new(&mut content, picture.width() as u32, picture.height() as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(picture.as_slice().as_flattened())?;
    Ok(content)
}
