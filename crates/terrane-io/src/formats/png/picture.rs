//! Reading PNG as a picture: any colour type of up to 16 bits as 8-bit sRGB. Transparency is ignored.

use terrane_grid::Grid;

use super::read::{begin, damaged, layout};
use crate::{
    Format,
    codec::Input,
    error::Outcome,
    limits::Head,
    raster::{guarded, zeros},
};

pub(super) fn read(input: Input<'_>) -> Outcome<Grid<[u8; 3]>> {
    let Input { source, length, limits, .. } = input;
    guarded(Format::PNG, || {
        let (decoder, Head { size, .. }) = begin(source, length, limits)?;
        let mut reader = decoder.read_info().map_err(damaged)?;
        let layout = layout(&reader);
        let mut bytes = zeros::<u8>(size.0 * size.1 * layout.pixel_bytes())?;
        reader.next_frame(&mut bytes).map_err(damaged)?;
        Ok(layout.picture(size, &bytes))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn png(colour: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    #[test]
    fn every_colour_type_is_read() {
        use png::{BitDepth::*, ColorType::*};
        for (colour, depth, data, wanted) in [
            (Rgb, Eight, &[1, 2, 3, 4, 5, 6][..], [[1, 2, 3], [4, 5, 6]]),
            (Rgba, Eight, &[1, 2, 3, 0, 4, 5, 6, 255], [[1, 2, 3], [4, 5, 6]]),
            (Grayscale, Eight, &[7, 8], [[7; 3], [8; 3]]),
            (GrayscaleAlpha, Eight, &[7, 0, 8, 255], [[7; 3], [8; 3]]),
            (Grayscale, Four, &[0x0F], [[0; 3], [255; 3]]),
            // 16-bit values are rounded to the nearest 8-bit ones: 0x0180 / 257 is 1.494, 0x0181 / 257 is
            // 1.498, 0x0182 / 257 is 1.502.
            (Grayscale, Sixteen, &[0x01, 0x81, 0x01, 0x82], [[1; 3], [2; 3]]),
            (Rgb, Sixteen, &[0xFF, 0xFF, 0, 0, 0x80, 0x80, 0, 0, 0, 0, 0, 0], [[255, 0, 128], [0; 3]]),
        ] {
            let bytes = png(colour, depth, data);
            let length = bytes.len() as u64;
            let mut source = std::io::Cursor::new(bytes);
            let found = read(Input::new(&mut source, length, Limits::samples(9))).unwrap();
            assert_eq!(found.as_slice(), wanted, "{colour:?} {depth:?}");
        }
    }
}
