//! Reads values of any type.

use serde::de::{DeserializeOwned, DeserializeSeed};

use super::error::ReadError;
use super::reader::Reader;
use crate::parameter::{Literally, Parameters};
use crate::view::Value;

/// Reads a value as `T`.
///
/// `"$name"` stands for the value of a parameter. Where a number is expected, `"$name * 2"` stands for the
/// result of the arithmetic. To write text that begins with a dollar sign, double the sign: `"$$5"` is `$5`.
///
/// # Errors
/// Fails with the first part that does not fit, and its position.
pub fn read<T: DeserializeOwned>(value: Value<'_>, parameters: &dyn Parameters) -> Result<T, ReadError> {
    let reader = Reader::new(value, parameters);
    let span = reader.span();
    T::deserialize(reader).map_err(|error| error.at(span))
}

/// Like [`read`], for types that are known only at run time. The value was written by a program, so quoted
/// text is taken literally (see [`Literally`]).
///
/// # Errors
/// As [`read`].
pub fn read_seed<'t, S: DeserializeSeed<'t>>(value: Value<'t>, seed: S) -> Result<S::Value, ReadError> {
    let reader = Reader::new(value, &Literally);
    let span = reader.span();
    seed.deserialize(reader).map_err(|error| error.at(span))
}
