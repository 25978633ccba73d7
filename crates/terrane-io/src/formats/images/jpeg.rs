//! Decoding JPEG.
//!
//! The decoder computes with whole numbers, with the same results at every vector level.

use std::io::{BufRead, Seek};

use zune_core::{
    bytestream::{ZByteReaderTrait, ZCursor},
    colorspace::ColorSpace,
    options::DecoderOptions,
};
use zune_jpeg::{JpegDecoder, errors::DecodeErrors};

use crate::{Format, Problem, error::Outcome};

/// The start of a scan, and the end of the image.
const SCAN: [u8; 2] = [0xff, 0xda];
const END: [u8; 2] = [0xff, 0xd9];

/// A decoder that has read the header.
pub(super) struct Jpeg<T: ZByteReaderTrait> {
    decoder: JpegDecoder<T>,
    pub size: (u64, u64),
    /// One for grey, otherwise three.
    pub channels: usize,
}

impl<T: ZByteReaderTrait> Jpeg<T> {
    pub fn new(source: T) -> Outcome<Self> {
        let side = usize::from(u16::MAX);
        let options =
            DecoderOptions::default().set_strict_mode(true).set_max_width(side).set_max_height(side);
        let mut decoder = JpegDecoder::new_with_options(source, options);
        decoder.decode_headers().map_err(|error| damaged(&error))?;
        let (Some(info), Some(colours)) = (decoder.info(), decoder.input_colorspace()) else {
            return Err(whole("it has no header"));
        };
        let is_grey = colours == ColorSpace::Luma;
        let out = if is_grey { ColorSpace::Luma } else { ColorSpace::RGB };
        decoder.set_options(options.jpeg_set_out_colorspace(out));
        let size = (u64::from(info.width), u64::from(info.height));
        Ok(Self { decoder, size, channels: if is_grey { 1 } else { 3 } })
    }

    /// Whether the file has further pictures, as cameras write them.
    pub fn has_more(&self) -> bool {
        self.decoder.info().is_some_and(|info| info.multi_picture_information.is_some())
    }

    pub fn decode(mut self, pixels: &mut [u8]) -> Outcome<()> {
        self.decoder.decode_into(pixels).map_err(|error| damaged(&error))
    }
}

/// The bytes of a file, if it has its end. The decoder accepts a file without the end of its last rows.
pub(super) fn content(mut source: impl BufRead + Seek) -> Outcome<ZCursor<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(Problem::Read)?;
    let last = |marker: [u8; 2]| bytes.windows(2).rposition(|pair| pair == marker);
    if last(END) > last(SCAN) { Ok(ZCursor::new(bytes)) } else { Err(whole("its end is missing")) }
}

fn damaged(error: &DecodeErrors) -> Problem {
    whole(&error.to_string())
}

fn whole(detail: &str) -> Problem {
    Problem::Damaged { format: Format::JPEG, detail: detail.to_owned() }
}
