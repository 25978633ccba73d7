//! All formats: a file and a line each. CONTRIBUTING.md shows how one is added.

mod exr;
mod gif;
mod gltf;
mod npy;
mod obj;
pub(crate) mod png;
mod raw;
pub(crate) mod tiff;

#[cfg(test)]
pub(crate) mod tests;

use crate::codec::Codec;

/// Every format. Those that hold the same kind of value stand from the best to the worst: in this order they
/// are offered.
pub(crate) const CODECS: &[&Codec] = &[
    &tiff::CODEC,
    &npy::CODEC,
    &exr::CODEC,
    &png::CODEC,
    &raw::CODEC_16,
    &raw::CODEC_32,
    &gif::CODEC,
    &gltf::BINARY,
    &gltf::TEXT,
    &obj::CODEC,
];
