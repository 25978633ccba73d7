//! PNG, reading as a picture: any colour type of 8 or 16 bits as 8-bit sRGB. Transparency is ignored.

use std::io::{BufRead, Seek};

use image::{DynamicImage, ImageDecoder, ImageError, codecs::png::PngDecoder};
use terrane_grid::Grid;

use crate::{Format, Problem, error::Outcome, limits::Limits};

pub(crate) fn read(input: impl BufRead + Seek, limits: Limits) -> Outcome<Grid<[u8; 3]>> {
    let decoder = PngDecoder::new(input).map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let (width, height) = limits.size(width.into(), height.into())?;
    let bytes = DynamicImage::from_decoder(decoder).map_err(damaged)?.into_rgb8().into_raw();
    Ok(Grid::from_vec(width, height, bytes.as_chunks::<3>().0.to_vec()))
}

fn damaged(error: ImageError) -> Problem {
    Problem::Damaged { format: Format::PNG, detail: error.to_string() }
}
