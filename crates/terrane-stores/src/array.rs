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

/// An array of a store: what stands in its `zarr.json`, and its objects in bytes.
pub struct Stored {
    array: Array<()>,
    /// Samples of an object along each axis.
    shape: Vec<NonZeroU64>,
}

/// A little compression: heights have few patterns that more would find, and masks and colours have plain
/// ones.
const GZIP: u32 = 1;

impl Stored {
    /// The array of an output at a level of detail.
    ///
    /// # Errors
    /// That the library refuses its shape.
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

    /// An array of places along an axis, of which each object has so many.
    ///
    /// # Errors
    /// That the library refuses its shape.
    pub fn of_places(name: &str, (count, each): (u64, u64)) -> Result<Self, Problem> {
        let mut builder = ArrayBuilder::new(vec![count], vec![each], data_type::float64(), f64::NAN);
        builder
            .bytes_to_bytes_codecs(vec![Arc::new(GzipCodec::new(GZIP).map_err(|error| defect(&error))?)])
            .dimension_names(Some([name]));
        let array = builder.build(Arc::new(()), "/array").map_err(|error| defect(&error))?;
        Ok(Self { array, shape: vec![positive(each)] })
    }

    /// What stands in its `zarr.json`.
    ///
    /// # Errors
    /// That it cannot be written as JSON.
    pub fn metadata(&self) -> Result<Value, Problem> {
        serde_json::to_value(self.array.metadata()).map_err(|error| defect(&error))
    }

    /// An object of samples, row by row.
    ///
    /// # Errors
    /// That they are too few or too many.
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

    /// The samples of an object.
    ///
    /// # Errors
    /// That it is damaged.
    pub fn decode(&self, object: Vec<u8>) -> Result<Vec<u8>, String> {
        let array = &self.array;
        let samples = array
            .codecs()
            .decode(object.into(), &self.shape, array.data_type(), array.fill_value(), &options())
            .and_then(|samples| Ok(samples.into_fixed()?));
        samples.map(Cow::into_owned).map_err(|error| error.to_string())
    }
}

/// On many threads chunks would lie in the order in which these are done; so objects are made by one thread
/// each.
fn options() -> CodecOptions {
    CodecOptions::default().with_concurrent_target(1)
}

fn defect(error: &dyn std::fmt::Display) -> Problem {
    Problem::new(
        format!("an array cannot be made: {error}"),
        "this is a defect in Terrane: please report it with the world",
    )
}
