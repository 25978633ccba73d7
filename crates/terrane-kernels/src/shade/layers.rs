//! Colours by height, under layers of other colours.

use terrane_grid::{Grid, Heightmap};

use super::relief::{Stops, channel, to_linear};
use crate::parallel::{for_each, slices};

/// A colour that covers the colours below it, as far as a mask says.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The colour.
    pub color: [u8; 3],
    /// The opacity of the layer at each sample, in [0, 1].
    pub mask: Heightmap,
}

/// Colours by height over `range`, under layers in order, darkened by a hillshade as in
/// [`color_relief`](super::color_relief).
///
/// Colours are mixed in linear light. Samples that are not finite are black. O(samples · layers).
///
/// # Panics
/// If a mask or the hillshade differs from the map in size.
#[must_use]
pub fn layered_relief(
    map: &Heightmap,
    stops: &Stops,
    range: (f32, f32),
    layers: &[Layer],
    shade: Option<(&Heightmap, f32)>,
) -> Grid<[u8; 3]> {
    let (w, h) = map.domain().size;
    assert!(layers.iter().all(|layer| layer.mask.domain().size == (w, h)), "a mask of another size");
    let colors: Vec<[f32; 3]> = layers.iter().map(|layer| layer.color.map(to_linear)).collect();
    let scale = if range.1 > range.0 { 1.0 / (range.1 - range.0) } else { 0.0 };
    let mut out = vec![[0u8; 3]; w * h];
    for_each(slices(&mut out, w.max(1)), 1, |row, out| {
        for (column, out) in out.iter_mut().enumerate() {
            let at = (column, row);
            if !map[at].is_finite() {
                continue;
            }
            let mut light = stops.at(((map[at] - range.0) * scale).clamp(0.0, 1.0));
            for (layer, color) in layers.iter().zip(&colors) {
                let share = layer.mask[at];
                let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
                light = std::array::from_fn(|c| light[c] + (color[c] - light[c]) * share);
            }
            let bright = shade.map_or(1.0, |(shade, strength)| {
                1.0 + (shade[at].clamp(0.0, 1.0) * std::f32::consts::SQRT_2 - 1.0) * strength.clamp(0.0, 1.0)
            });
            *out = light.map(|c| channel(c * bright));
        }
    });
    Grid::from_vec(w, h, out)
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    fn row(values: &[f32]) -> Heightmap {
        Heightmap::from_vec(Domain::new(values.len(), 1), values.to_vec())
    }

    #[test]
    fn layers_cover_in_order_as_far_as_their_masks_say() {
        let map = row(&[0.0, 1.0, 1.0, 1.0, f32::NAN]);
        let stops = Stops::new(&[(0.0, [0, 0, 0]), (1.0, [255, 255, 255])]).unwrap();
        let red = Layer { color: [255, 0, 0], mask: row(&[0.0, 0.0, 1.0, 1.0, 1.0]) };
        let blue = Layer { color: [0, 0, 255], mask: row(&[0.0, f32::NAN, 0.0, 7.0, 1.0]) };
        let picture = layered_relief(&map, &stops, (0.0, 1.0), &[red, blue], None);
        assert_eq!(picture.as_slice(), [[0; 3], [255; 3], [255, 0, 0], [0, 0, 255], [0; 3]]);
    }

    #[test]
    fn half_a_layer_is_the_mean_of_the_light() {
        let stops = Stops::new(&[(0.0, [255, 255, 255])]).unwrap();
        let layer = Layer { color: [0, 0, 0], mask: row(&[0.5]) };
        // In sRGB, half the light is the value 188, not 128.
        assert_eq!(layered_relief(&row(&[3.0]), &stops, (0.0, 1.0), &[layer], None)[(0, 0)], [188; 3]);
    }

    #[test]
    fn without_layers_it_is_the_relief_but_for_rounding() {
        let map = Heightmap::from_fn(Domain::new(40, 30), |x, y| (x * x + 7 * y) as f32);
        let shade = super::super::hillshade(&map, &super::super::Light::default());
        let stops = super::super::Ramp::Alpine.into();
        let (a, b) = (
            layered_relief(&map, &stops, (0.0, 1700.0), &[], Some((&shade, 0.8))),
            super::super::color_relief(&map, &stops, (0.0, 1700.0), Some((&shade, 0.8))),
        );
        let far =
            a.as_slice().as_flattened().iter().zip(b.as_slice().as_flattened()).map(|(a, b)| a.abs_diff(*b));
        assert!(far.max().unwrap() <= 4);
    }
}
