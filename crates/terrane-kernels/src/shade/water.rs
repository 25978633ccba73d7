//! Water on pictures.

use terrane_grid::{Grid, Heightmap};

use crate::metric::extremes;
use crate::parallel::{for_each, slices};

/// Colours of the shallowest and of the deepest water.
const WATER: [[u8; 3]; 2] = [[104, 160, 196], [30, 70, 120]];

/// How much of the ground's colour the shallowest and the deepest water hide.
const OPACITY: [f32; 2] = [0.8, 1.0];

/// The colour of dry ground in [`level_picture`].
const DRY: [u8; 3] = [222, 222, 216];

/// Samples of a task.
const PART: usize = 1 << 14;

/// Draws water on a picture, in blue that darkens with the depth up to `deepest` (`None`: the greatest depth
/// of the map). It is dry where the depth is not above 0.
///
/// # Panics
/// If the picture and the depths differ in size.
pub fn draw_water(picture: &mut Grid<[u8; 3]>, depth: &Heightmap, deepest: Option<f32>) {
    let most = deepest.or_else(|| extremes(depth).map(|(_, most)| most)).unwrap_or_default().max(0.0);
    veil(picture, depth, |depth| {
        let t = (depth / most).sqrt();
        let colour = [0, 1, 2].map(|c| mix(WATER[0][c], WATER[1][c], t));
        let opacity = OPACITY[0] + (OPACITY[1] - OPACITY[0]) * t.min(1.0);
        (colour, if depth > 0.0 { opacity } else { 0.0 })
    });
}

/// Mixes a colour into each sample of a picture. `of` computes the colour and its opacity from the value at
/// that sample.
///
/// # Panics
/// If the picture and the values differ in size.
pub fn veil(picture: &mut Grid<[u8; 3]>, values: &Heightmap, of: impl Fn(f32) -> ([u8; 3], f32) + Sync) {
    assert_eq!(picture.size(), values.domain().size, "a layer of another size");
    let values = values.samples();
    for_each(slices(picture.as_mut_slice(), PART), 1, |part, samples| {
        for (sample, value) in samples.iter_mut().zip(&values[part * PART..]) {
            let (colour, share) = of(*value);
            *sample = [0, 1, 2].map(|c| mix(sample[c], colour[c], share));
        }
    });
}

/// A picture of the level of water: blue, from the darkest at the lowest level of the range (`None`: of the
/// map) to the lightest at the highest. Dry ground, where the level is not a number, is grey.
#[must_use]
pub fn level_picture(level: &Heightmap, range: Option<(f32, f32)>) -> Grid<[u8; 3]> {
    let (low, high) = range.or_else(|| extremes(level)).unwrap_or_default();
    let (width, height) = level.domain().size;
    let colour = |level: &f32| {
        if level.is_nan() {
            return DRY;
        }
        let t = if high > low { (high - level) / (high - low) } else { 0.0 };
        [0, 1, 2].map(|c| mix(WATER[0][c], WATER[1][c], t))
    };
    Grid::from_vec(width, height, level.samples().iter().map(colour).collect())
}

/// Interpolates from `a` to `b`; a `t` that is not a number gives `a`.
fn mix(a: u8, b: u8, t: f32) -> u8 {
    let t = if t > 0.0 { t.min(1.0) } else { 0.0 };
    (f32::from(a) + (f32::from(b) - f32::from(a)) * t + 0.5) as u8
}
