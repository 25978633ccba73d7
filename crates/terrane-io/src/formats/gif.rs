//! GIF: moving pictures of 256 colours each, shown over and over.

use std::io;

use image::{
    Delay, Frame, Rgba, RgbaImage,
    codecs::gif::{GifEncoder, Repeat},
};

use crate::{
    Format,
    codec::{Codec, Frames, Sink},
    format::Description,
};

/// How thoroughly the encoder looks for a frame's 256 colours, from 1, best and slowest, to 30.
const SPEED: i32 = 10;

impl Format {
    /// Moving pictures of 256 colours each.
    pub const GIF: Self = Self(&Description { name: "GIF", extensions: &["gif"], ..Description::DEFAULT });
}

pub(super) static CODEC: Codec =
    Codec { longest_side: u16::MAX as usize, animation: Some(write), ..Codec::new(Format::GIF) };

/// Writes the pictures, each with its time in hundredths of a second.
fn write(w: &mut dyn Sink, frames: &Frames<'_>) -> io::Result<()> {
    let mut encoder = GifEncoder::new_with_speed(w, SPEED);
    encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
    for (index, picture) in frames.pictures.iter().enumerate() {
        let image = RgbaImage::from_fn(picture.width() as u32, picture.height() as u32, |x, y| {
            let [r, g, b] = picture[(x as usize, y as usize)];
            Rgba([r, g, b, u8::MAX])
        });
        let delay = Delay::from_saturating_duration(frames.time(index));
        encoder.encode_frame(Frame::from_parts(image, 0, 0, delay)).map_err(io::Error::other)?;
    }
    Ok(())
}
