//! Rows of pixels as heights and as pictures, for all formats of grey or coloured pixels.
//!
//! A picture with three equal channels (a heightmap that an editor saved in colour) is read as grey, with a
//! warning. A coloured one is an error, because luminance is not height. Fully transparent samples are
//! missing; other transparency is ignored.

use terrane_grid::Grid;

use crate::{
    Format, Problem, Sample,
    error::Outcome,
    raster::{Raster, reserve},
};

/// A warning of a file with more than one picture, such as an animation.
pub(super) fn further_pictures(format: Format) -> String {
    format!("the {format} has further pictures, which are not read")
}

/// The layout of a row's bytes.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Grey, grey and alpha, three colours, or three colours and alpha.
    pub channels: usize,
    /// Whether a channel has 16 bits, the higher byte first, instead of 8.
    pub wide: bool,
}

impl Layout {
    pub fn has_alpha(self) -> bool {
        self.channels == 2 || self.channels == 4
    }

    pub fn pixel_bytes(self) -> usize {
        self.channels * if self.wide { 2 } else { 1 }
    }

    /// A channel of a pixel.
    fn channel(self, pixel: &[u8], at: usize) -> u16 {
        if self.wide { u16::from_be_bytes([pixel[2 * at], pixel[2 * at + 1]]) } else { u16::from(pixel[at]) }
    }

    /// A channel of a pixel; 16 bits are rounded to 8.
    fn eight_bits(self, pixel: &[u8], at: usize) -> u8 {
        let channel = self.channel(pixel, at);
        if self.wide { ((u32::from(channel) + 128) / 257) as u8 } else { channel as u8 }
    }

    /// The picture of all rows as 8-bit sRGB. Transparency is ignored.
    pub fn picture(self, size: (usize, usize), bytes: &[u8]) -> Grid<[u8; 3]> {
        let is_grey = self.channels < 3;
        let pixels = bytes
            .chunks_exact(self.pixel_bytes())
            .map(|pixel| [0, 1, 2].map(|channel| self.eight_bits(pixel, if is_grey { 0 } else { channel })));
        Grid::from_vec(size.0, size.1, pixels.collect())
    }
}

/// Decoded rows that become heights.
pub(super) struct Rows {
    format: Format,
    layout: Layout,
    size: (usize, usize),
    samples: Vec<f32>,
    transparent: Vec<bool>,
}

impl Rows {
    pub fn new(format: Format, layout: Layout, size: (usize, usize)) -> Outcome<Self> {
        let transparent = if layout.has_alpha() { reserve(size.0 * size.1)? } else { Vec::new() };
        Ok(Self { format, layout, size, samples: reserve(size.0 * size.1)?, transparent })
    }

    pub fn push(&mut self, row: &[u8]) -> Outcome<()> {
        let Layout { channels, wide } = self.layout;
        match (channels, wide) {
            (1, false) => self.samples.extend(row.iter().map(|&c| f32::from(c))),
            (1, true) => {
                let words = row.as_chunks::<2>().0;
                self.samples.extend(words.iter().map(|&c| f32::from(u16::from_be_bytes(c))));
            }
            _ => self.push_pixels(row)?,
        }
        Ok(())
    }

    fn push_pixels(&mut self, row: &[u8]) -> Outcome<()> {
        let channels = self.layout.channels;
        let channel = |pixel: &[u8], at: usize| self.layout.channel(pixel, at);
        for pixel in row.chunks_exact(self.layout.pixel_bytes()) {
            let grey = channel(pixel, 0);
            let coloured = channels >= 3 && (grey != channel(pixel, 1) || grey != channel(pixel, 2));
            let transparent = self.layout.has_alpha() && channel(pixel, channels - 1) == 0;
            if coloured && !transparent {
                let (column, row) = (self.samples.len() % self.size.0, self.samples.len() / self.size.0);
                return Err(Problem::Colour { format: self.format, column, row });
            }
            self.samples.push(f32::from(grey));
            if self.layout.has_alpha() {
                self.transparent.push(transparent);
            }
        }
        Ok(())
    }

    pub fn finish(self) -> Outcome<Raster> {
        let Self { format, size, .. } = self;
        if self.samples.len() != size.0 * size.1 {
            let detail = format!("{} of {} samples", self.samples.len(), size.0 * size.1);
            return Err(Problem::Damaged { format, detail });
        }
        let sample = if self.layout.wide { Sample::U16 } else { Sample::U8 };
        let mut raster = Raster::new(size, self.samples, sample);
        raster.transparent = self.transparent.contains(&true).then_some(self.transparent);
        if self.layout.channels >= 3 {
            raster.warnings.push("a colour picture whose channels are equal was read as grey".into());
        }
        Ok(raster)
    }
}
