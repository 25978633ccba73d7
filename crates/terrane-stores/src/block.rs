//! The samples of a block at all levels of detail.

use terrane_flow::Value;
use terrane_nodes::values::{Picture, heights_of};

use crate::layout::{Layer, Layout, Pixel};

/// The samples of an output in a block.
pub struct Samples {
    pixel: Pixel,
    /// Columns and rows.
    size: (usize, usize),
    bytes: Vec<u8>,
}

impl Samples {
    /// A block without any samples yet.
    #[must_use]
    pub fn new(layout: &Layout, layer: &Layer) -> Self {
        let (columns, rows) = layout.of_block(0);
        let size = (columns as usize, rows as usize);
        Self { pixel: layer.pixel, size, bytes: layer.pixel.nothing().repeat(size.0 * size.1) }
    }

    /// Copies a patch's raster into the block, except its last column and row. `place` is the patch's column
    /// and row in the block. Returns false if the value is not a raster of the expected kind and size.
    #[must_use]
    pub fn put(&mut self, value: &Value, place: (usize, usize)) -> bool {
        match self.pixel {
            Pixel::Number => heights_of(value).is_some_and(|map| {
                let row = |y: usize, to: &mut [u8]| {
                    let samples = &map.samples()[y * map.width()..];
                    for (to, height) in to.as_chunks_mut().0.iter_mut().zip(samples) {
                        *to = height.to_le_bytes();
                    }
                };
                self.put_rows(place, (map.width(), map.height()), row)
            }),
            Pixel::Colour => value.get::<Picture>().is_some_and(|picture| {
                let row = |y: usize, to: &mut [u8]| {
                    let pixels = picture.as_slice()[y * picture.width()..].as_flattened();
                    to.copy_from_slice(&pixels[..to.len()]);
                };
                self.put_rows(place, (picture.width(), picture.height()), row)
            }),
        }
    }

    fn put_rows(
        &mut self,
        (i, j): (usize, usize),
        (width, height): (usize, usize),
        row: impl Fn(usize, &mut [u8]),
    ) -> bool {
        let (columns, rows) = (width.saturating_sub(1), height.saturating_sub(1));
        let (left, top) = (i * columns, j * rows);
        if left + columns > self.size.0 || top + rows > self.size.1 {
            return false;
        }
        let bytes = self.pixel.bytes();
        for y in 0..rows {
            let first = ((top + y) * self.size.0 + left) * bytes;
            row(y, &mut self.bytes[first..first + columns * bytes]);
        }
        true
    }

    /// Every 2^level-th sample, row by row.
    #[must_use]
    pub fn at(&self, level: u32) -> Vec<u8> {
        if level == 0 {
            return self.bytes.clone();
        }
        let (step, bytes) = (1 << level, self.pixel.bytes());
        let mut coarse = Vec::with_capacity(self.bytes.len() >> (2 * level));
        for y in (0..self.size.1).step_by(step) {
            for x in (0..self.size.0).step_by(step) {
                let first = (y * self.size.0 + x) * bytes;
                coarse.extend_from_slice(&self.bytes[first..first + bytes]);
            }
        }
        coarse
    }
}
