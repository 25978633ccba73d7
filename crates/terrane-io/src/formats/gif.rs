//! GIF: animations with 256 colours per frame, repeated endlessly.

use std::io;
use std::ops::Range;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use terrane_grid::Grid;

use super::palette::Palette;
use crate::{
    Format,
    codec::{Codec, Frames, Sink},
    format::Description,
};

impl Format {
    /// Animations with 256 colours per frame.
    pub const GIF: Self = Self(&Description { name: "GIF", extensions: &["gif"], ..Description::DEFAULT });
}

pub(super) static CODEC: Codec =
    Codec { longest_side: u16::MAX as usize, animation: Some(write), ..Codec::new(Format::GIF) };

/// Writes the pictures, each with its duration in hundredths of a second. A picture of at most 256 colours
/// has a palette with exactly these. All other pictures share one palette, so that a colour looks the same in
/// all of them.
fn write(w: &mut dyn Sink, frames: &Frames<'_>) -> io::Result<()> {
    let Some(first) = frames.pictures.first() else { return Ok(()) };
    let (width, height) = (first.width() as u16, first.height() as u16);
    let mut encoder = Encoder::new(w, width, height, &[]).map_err(io::Error::other)?;
    encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
    let mut exact: Vec<Option<Palette>> = frames.pictures.iter().map(Palette::exact).collect();
    let is_exact: Vec<bool> = exact.iter().map(Option::is_some).collect();
    let rich = frames.pictures.iter().zip(&is_exact).filter(|(_, exact)| !**exact);
    let rich: Vec<_> = rich.map(|(picture, _)| picture).collect();
    let mut shared = None;
    for (index, picture) in frames.pictures.iter().enumerate() {
        let area = match index.checked_sub(1) {
            Some(before) if is_exact[before] == is_exact[index] => {
                Area::changed(&frames.pictures[before], picture)
            }
            _ => Area::whole(picture),
        };
        let palette = match &mut exact[index] {
            Some(palette) => palette,
            None => shared.get_or_insert_with(|| Palette::approximate(&rich)),
        };
        let mut frame = Frame {
            left: area.columns.start as u16,
            top: area.rows.start as u16,
            width: area.columns.len() as u16,
            height: area.rows.len() as u16,
            delay: u16::try_from(frames.time(index).as_millis() / 10).unwrap_or(u16::MAX),
            dispose: DisposalMethod::Keep,
            buffer: area.pixels(picture).map(|color| palette.index(color)).collect(),
            ..Frame::default()
        };
        frame.palette = Some(palette.colors().to_vec());
        encoder.write_frame(&frame).map_err(io::Error::other)?;
    }
    Ok(())
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

    fn pixels<'a>(&self, picture: &'a Grid<[u8; 3]>) -> impl Iterator<Item = [u8; 3]> + use<'a> {
        let columns = self.columns.clone();
        self.rows.clone().flat_map(move |row| picture.row(row)[columns.clone()].iter().copied())
    }
}
