//! Palettes of at most 256 colours for the frames of a GIF.

use std::collections::HashMap;

use color_quant::NeuQuant;
use terrane_grid::Grid;

/// The maximum number of colours of a palette.
const SIZE: usize = 256;

/// About how many pixels of all frames the search for a palette looks at.
const SAMPLES: usize = 1 << 20;

/// How thoroughly the search uses these pixels, from 1 (best and slowest) to 30.
const SPEED: i32 = 10;

/// Colours, and the index of the colour that stands for each colour of a picture.
pub struct Palette {
    colors: Vec<u8>,
    indices: HashMap<[u8; 3], u8>,
    search: Option<NeuQuant>,
}

impl Palette {
    /// The palette with exactly the colours of a picture, or `None` if they are too many.
    pub fn exact(picture: &Grid<[u8; 3]>) -> Option<Self> {
        let (mut colors, mut indices) = (Vec::new(), HashMap::new());
        for color in picture.as_slice() {
            if !indices.contains_key(color) {
                indices.insert(*color, u8::try_from(indices.len()).ok()?);
                colors.extend_from_slice(color);
            }
        }
        Some(Self { colors, indices, search: None })
    }

    /// The palette that approximates the colours of several pictures.
    pub fn approximate(pictures: &[&Grid<[u8; 3]>]) -> Self {
        let total: usize = pictures.iter().map(|picture| picture.as_slice().len()).sum();
        let pixels = pictures.iter().flat_map(|picture| picture.as_slice());
        let sample = pixels.step_by(total.div_ceil(SAMPLES).max(1));
        let rgba: Vec<u8> = sample.flat_map(|&[r, g, b]| [r, g, b, u8::MAX]).collect();
        let search = NeuQuant::new(SPEED, SIZE, &rgba);
        Self { colors: search.color_map_rgb(), indices: HashMap::new(), search: Some(search) }
    }

    /// Red, green and blue of each colour, by index.
    pub fn colors(&self) -> &[u8] {
        &self.colors
    }

    /// The index of the colour that stands for `color`: always the same for the same colour.
    pub fn index(&mut self, color: [u8; 3]) -> u8 {
        let [r, g, b] = color;
        let Self { indices, search, .. } = self;
        *indices
            .entry(color)
            .or_insert_with(|| search.as_ref().map_or(0, |search| search.index_of(&[r, g, b, u8::MAX]) as u8))
    }
}
