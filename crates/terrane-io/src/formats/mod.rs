//! All formats: one file and one line each. CONTRIBUTING.md shows how to add one.

mod exr;
mod gif;
mod gltf;
mod images;
mod npy;
mod obj;
mod palette;
mod pixels;
mod png;
mod raw;
pub(crate) mod tiff;

#[cfg(test)]
pub(crate) mod tests;

use crate::codec::Codec;

/// Every format. Formats for the same kind of value are listed in order of preference, which is also the
/// order in messages.
pub(crate) const CODECS: &[&Codec] = &[
    &tiff::CODEC,
    &npy::CODEC,
    &exr::CODEC,
    &png::CODEC,
    &images::WEBP,
    &images::JPEG,
    &images::BMP,
    &images::TGA,
    &raw::CODEC_16,
    &raw::CODEC_32,
    &gif::CODEC,
    &gltf::BINARY,
    &gltf::TEXT,
    &obj::CODEC,
];
