//! GIF: animations with 256 colours per frame, repeated endlessly.

use std::collections::HashSet;
use std::io;
use std::ops::Range;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use terrane_grid::Grid;

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
    let mut before: Option<(&Grid<[u8; 3]>, bool)> = None;
    for (index, picture) in frames.pictures.iter().enumerate() {
        let exact = fits_a_palette(picture);
        let area = match before {
            // A frame that can be exact must not keep pixels that the previous one only approximated.
            Some((before, was_exact)) if was_exact || !exact => Area::changed(before, picture),
            _ => Area::whole(picture),
        };
        let mut pixels = area.rgba(picture);
        let (width, height) = (area.columns.len() as u16, area.rows.len() as u16);
        let mut frame = Frame::from_rgba_speed(width, height, &mut pixels, SPEED);
        (frame.left, frame.top) = (area.columns.start as u16, area.rows.start as u16);
        frame.delay = u16::try_from(frames.time(index).as_millis() / 10).unwrap_or(u16::MAX);
        frame.dispose = DisposalMethod::Keep;
        encoder.write_frame(&frame).map_err(io::Error::other)?;
        before = Some((picture, exact));
    }
    Ok(())
}

/// Whether a picture has at most 256 colours.
fn fits_a_palette(picture: &Grid<[u8; 3]>) -> bool {
    let mut colors = HashSet::new();
    picture.as_slice().iter().all(|color| {
        colors.insert(*color);
        colors.len() <= 256
    })
}

/// The part of a frame that is written; the rest stays as in the previous frame.
struct Area {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Area {
    fn whole(picture: &Grid<[u8; 3]>) -> Self {
        Self { columns: 0..picture.width(), rows: 0..picture.height() }
    }

    /// The smallest rectangle with all pixels that differ; a single pixel if none does, because a frame
    /// cannot be empty.
    fn changed(before: &Grid<[u8; 3]>, picture: &Grid<[u8; 3]>) -> Self {
        let differs = |row: usize| picture.row(row).iter().zip(before.row(row)).map(|(a, b)| a != b);
        let (width, height) = picture.size();
        let mut area = Self { columns: width..0, rows: height..0 };
        for row in 0..height {
            let Some(first) = differs(row).position(|differs| differs) else { continue };
            let last = width - differs(row).rev().position(|differs| differs).unwrap_or(0);
            area.columns = area.columns.start.min(first)..area.columns.end.max(last);
            area.rows = area.rows.start.min(row)..row + 1;
        }
        if area.rows.is_empty() { Self { columns: 0..1, rows: 0..1 } } else { area }
    }

    fn rgba(&self, picture: &Grid<[u8; 3]>) -> Vec<u8> {
        let rows = self.rows.clone().map(|row| &picture.row(row)[self.columns.clone()]);
        rows.flatten().flat_map(|&[r, g, b]| [r, g, b, u8::MAX]).collect()
    }
}
