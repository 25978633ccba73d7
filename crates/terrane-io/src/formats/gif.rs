//! GIF: animations with 256 colours per frame, repeated endlessly.

use std::io;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::{
    Format,
    codec::{Codec, Frames, Sink},
    format::Description,
};

/// How thoroughly the encoder searches for a frame's 256 colours, from 1 (best and slowest) to 30.
const SPEED: i32 = 10;

impl Format {
    /// Animations with 256 colours per frame.
    pub const GIF: Self = Self(&Description { name: "GIF", extensions: &["gif"], ..Description::DEFAULT });
}

pub(super) static CODEC: Codec =
    Codec { longest_side: u16::MAX as usize, animation: Some(write), ..Codec::new(Format::GIF) };

/// Writes the pictures, each with its duration in hundredths of a second.
fn write(w: &mut dyn Sink, frames: &Frames<'_>) -> io::Result<()> {
    let Some(first) = frames.pictures.first() else { return Ok(()) };
    let (width, height) = (first.width() as u16, first.height() as u16);
    let mut encoder = Encoder::new(w, width, height, &[]).map_err(io::Error::other)?;
    encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
    for (index, picture) in frames.pictures.iter().enumerate() {
        let mut pixels: Vec<u8> =
            picture.as_slice().iter().flat_map(|&[r, g, b]| [r, g, b, u8::MAX]).collect();
        let mut frame = Frame::from_rgba_speed(width, height, &mut pixels, SPEED);
        frame.delay = u16::try_from(frames.time(index).as_millis() / 10).unwrap_or(u16::MAX);
        frame.dispose = DisposalMethod::Background;
        encoder.write_frame(&frame).map_err(io::Error::other)?;
    }
    Ok(())
}
