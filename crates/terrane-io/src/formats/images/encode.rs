//! Writing WebP without loss, and JPEG.

use std::io;

use image::{ExtendedColorType, codecs::jpeg::JpegEncoder, codecs::webp::WebPEncoder};

use crate::codec::{Picture, Sink, WritePicture};

pub(super) const WRITE_WEBP: Option<WritePicture> = Some(webp);
pub(super) const WRITE_JPEG: Option<WritePicture> = Some(jpeg);

fn webp(w: &mut dyn Sink, picture: &Picture<'_>) -> io::Result<()> {
    let (pixels, width, height) = parts(picture);
    let encoder = WebPEncoder::new_lossless(w);
    encoder.encode(pixels, width, height, ExtendedColorType::Rgb8).map_err(io::Error::other)
}

fn jpeg(w: &mut dyn Sink, picture: &Picture<'_>) -> io::Result<()> {
    let (pixels, width, height) = parts(picture);
    let mut encoder = JpegEncoder::new_with_quality(w, picture.quality);
    encoder.encode(pixels, width, height, ExtendedColorType::Rgb8).map_err(io::Error::other)
}

fn parts<'a>(picture: &Picture<'a>) -> (&'a [u8], u32, u32) {
    let (width, height) = picture.samples.size();
    (picture.samples.as_slice().as_flattened(), width as u32, height as u32)
}
