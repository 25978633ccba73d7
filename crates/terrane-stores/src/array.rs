//! Arrays as Zarr describes and compresses them.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;

use serde_json::{Map, Value};
use terrane_flow::syntax::Problem;
use zarrs::array::codec::GzipCodec;
use zarrs::array::{
    Array, ArrayBuilder, ArrayBytes, ArrayToBytesCodecTraits, CodecOptions, ZARR_NAN_F32, data_type,
};

use crate::layout::{Layout, Pixel, positive};

/// An array of a store: the contents of its `zarr.json`, and the encoding of its objects.
pub struct Stored {
    array: Array<()>,
    /// Samples per object along each axis.
    shape: Vec<NonZeroU64>,
}

/// The level of compression. A low level is enough. Heights have few patterns that a higher level would find.
/// Masks and colours compress well at every level.
const GZIP: u32 = 1;

impl Stored {
    /// The array of an output at a level of detail.
    ///
    /// # Errors
    /// Fails if the library rejects the shape.
    pub fn of(
        layout: &Layout,
        pixel: Pixel,
        level: u32,
        attributes: Map<String, Value>,
    ) -> Result<Self, Problem> {
        let shape = |(columns, rows): (u64, u64)| match pixel {
            Pixel::Number => vec![rows, columns],
            Pixel::Colour => vec![rows, columns, 3],
        };
        let (size, block) = (shape(layout.size(level)), shape(layout.of_block(level)));
        let names: &[&str] = match pixel {
            Pixel::Number => &["y", "x"],
            Pixel::Colour => &["y", "x", "band"],
        };
        let mut builder = match pixel {
            Pixel::Number => ArrayBuilder::new(size, block.clone(), data_type::float32(), ZARR_NAN_F32),
            Pixel::Colour => ArrayBuilder::new(size, block.clone(), data_type::uint8(), 0u8),
        };
        builder
            .subchunk_shape(shape(layout.of_chunk(level)))
            .bytes_to_bytes_codecs(vec![Arc::new(GzipCodec::new(GZIP).map_err(|error| defect(&error))?)])
            .dimension_names(Some(names.iter().copied()))
            .attributes(attributes);
        let array = builder.build(Arc::new(()), "/array").map_err(|error| defect(&error))?;
        Ok(Self { array, shape: block.into_iter().map(positive).collect() })
    }

    /// An array of `count` coordinates along an axis, with `each` coordinates per object.
    ///
    /// # Errors
    /// Fails if the library rejects the shape.
    pub fn of_coordinates(name: &str, (count, each): (u64, u64)) -> Result<Self, Problem> {
        let mut builder = ArrayBuilder::new(vec![count], vec![each], data_type::float64(), f64::NAN);
        builder
            .bytes_to_bytes_codecs(vec![Arc::new(GzipCodec::new(GZIP).map_err(|error| defect(&error))?)])
            .dimension_names(Some([name]));
        let array = builder.build(Arc::new(()), "/array").map_err(|error| defect(&error))?;
        Ok(Self { array, shape: vec![positive(each)] })
    }

    /// The contents of the array's `zarr.json`.
    ///
    /// # Errors
    /// Fails if the metadata cannot be written as JSON.
    pub fn metadata(&self) -> Result<Value, Problem> {
        serde_json::to_value(self.array.metadata()).map_err(|error| defect(&error))
    }

    /// Encodes an object from its samples, row by row.
    ///
    /// # Errors
    /// Fails if there are too few or too many samples.
    pub fn encode(&self, samples: Vec<u8>) -> Result<Vec<u8>, Problem> {
        let array = &self.array;
        let bytes = array.codecs().encode(
            ArrayBytes::new_flen(samples),
            &self.shape,
            array.data_type(),
            array.fill_value(),
            &options(),
        );
        bytes.map(Cow::into_owned).map_err(|error| defect(&error))
    }

    /// Decodes the samples of an object.
    ///
    /// # Errors
    /// Fails if the object is damaged.
    pub fn decode(&self, object: Vec<u8>) -> Result<Vec<u8>, String> {
        let array = &self.array;
        let samples = array
            .codecs()
            .decode(object.into(), &self.shape, array.data_type(), array.fill_value(), &options())
            .and_then(|samples| Ok(samples.into_fixed()?));
        samples.map(Cow::into_owned).map_err(|error| error.to_string())
    }
}

/// Options that encode an object with one thread. With several threads, the order of its chunks would depend
/// on which thread finishes first.
fn options() -> CodecOptions {
    CodecOptions::default().with_concurrent_target(1)
}

fn defect(error: &dyn std::fmt::Display) -> Problem {
    Problem::new(
        format!("cannot create an array: {error}"),
        "this is a defect in Terrane: please report it with the world",
    )
}
