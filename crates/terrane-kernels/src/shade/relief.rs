//! Heights as colours.

use crate::dispatch;
use crate::parallel::{for_each, slices};
use std::sync::LazyLock;

use rayon::prelude::*;
use terrane_grid::{Grid, Heightmap};

/// Built-in colours from low to high.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Ramp {
    /// Moss over dry grass to pale rock: the colours of open land, and no snow.
    #[default]
    Earth,
    /// Green lowland over ochre hills to white peaks, in strong colours.
    Terrain,
    /// Dark forest over grey rock to snow.
    Alpine,
    /// Sand to red rock.
    Desert,
    /// From deep blue to the shore in the middle of the range, then green to white.
    Ocean,
    /// Black to white.
    Grey,
    /// Dark violet over orange to pale yellow.
    ///
    /// Its lightness increases evenly.
    Heat,
}

impl Ramp {
    fn stops(self) -> &'static [(f32, [u8; 3])] {
        match self {
            Self::Earth => &[
                (0.0, [84, 108, 76]),
                (0.25, [128, 140, 94]),
                (0.5, [182, 170, 124]),
                (0.75, [168, 142, 116]),
                (1.0, [194, 180, 162]),
            ],
            Self::Terrain => &[
                (0.0, [70, 120, 76]),
                (0.25, [128, 160, 92]),
                (0.5, [204, 186, 124]),
                (0.72, [150, 112, 84]),
                (0.88, [186, 178, 172]),
                (1.0, [250, 250, 250]),
            ],
            Self::Alpine => &[
                (0.0, [44, 74, 52]),
                (0.35, [96, 112, 72]),
                (0.6, [122, 116, 108]),
                (0.8, [176, 176, 180]),
                (1.0, [252, 253, 255]),
            ],
            Self::Desert => {
                &[(0.0, [232, 208, 160]), (0.4, [214, 160, 102]), (0.75, [172, 96, 62]), (1.0, [108, 58, 48])]
            }
            Self::Ocean => &[
                (0.0, [16, 30, 82]),
                (0.35, [34, 92, 150]),
                (0.499, [140, 196, 214]),
                (0.5, [222, 208, 162]),
                (0.6, [112, 150, 84]),
                (0.85, [136, 112, 88]),
                (1.0, [248, 248, 248]),
            ],
            Self::Grey => &[(0.0, [0, 0, 0]), (1.0, [255, 255, 255])],
            Self::Heat => &[
                (0.0, [12, 8, 38]),
                (0.25, [84, 24, 108]),
                (0.5, [176, 52, 94]),
                (0.75, [238, 122, 56]),
                (1.0, [252, 244, 182]),
            ],
        }
    }
}

/// Colours at positions in [0, 1], mixed in linear light between positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Stops(Vec<(f32, [f32; 3])>);

impl Stops {
    /// Colours at increasing positions, or `None` if there are none or if positions do not increase.
    #[must_use]
    pub fn new(stops: &[(f32, [u8; 3])]) -> Option<Self> {
        let grows = stops.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (grows && !stops.is_empty())
            .then(|| Self(stops.iter().map(|&(at, rgb)| (at, rgb.map(to_linear))).collect()))
    }

    /// The colour at a position, in linear light.
    pub(super) fn at(&self, position: f32) -> [f32; 3] {
        let after = self.0.partition_point(|stop| stop.0 <= position);
        let (Some(low), Some(high)) =
            (self.0.get(after.saturating_sub(1)), self.0.get(after.min(self.0.len() - 1)))
        else {
            return [0.0; 3];
        };
        let t = if high.0 > low.0 { ((position - low.0) / (high.0 - low.0)).clamp(0.0, 1.0) } else { 0.0 };
        std::array::from_fn(|i| low.1[i] + (high.1[i] - low.1[i]) * t)
    }
}

impl From<Ramp> for Stops {
    fn from(ramp: Ramp) -> Self {
        Self(ramp.stops().iter().map(|&(at, rgb)| (at, rgb.map(to_linear))).collect())
    }
}

/// The light of an 8-bit channel, by the formula of sRGB.
pub(crate) fn to_linear(channel: u8) -> f32 {
    let c = f32::from(channel) / 255.0;
    if c <= 0.040_45 { c / 12.92 } else { libm::powf((c + 0.055) / 1.055, 2.4) }
}

/// The 8-bit channel of light, by the formula of sRGB.
fn to_srgb(light: f32) -> u8 {
    let c = light.clamp(0.0, 1.0);
    let c = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * libm::powf(c, 1.0 / 2.4) - 0.055 };
    (c * 255.0 + 0.5) as u8
}

/// A table that replaces the power in [`to_srgb`]: the minimum light of each channel value, and where to
/// start the search for a value.
struct Channels {
    /// The minimum light of each value; the entry after the last value is infinite.
    minimum: [f32; 257],
    /// The channel value at the start of each step, for light divided into equal steps.
    first: [u8; Self::STEPS],
}

impl Channels {
    const STEPS: usize = 1024;

    fn new() -> Self {
        let mut minimum = [f32::INFINITY; 257];
        for (value, minimum) in minimum[..256].iter_mut().enumerate() {
            // Floats that are not negative sort in the same order as their bits, read as integers.
            let (mut low, mut high) = (0.0f32.to_bits(), 1.0f32.to_bits());
            while low < high {
                let middle = low + (high - low) / 2;
                if usize::from(to_srgb(f32::from_bits(middle))) < value {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            *minimum = f32::from_bits(low);
        }
        let first = std::array::from_fn(|step| to_srgb(step as f32 / Self::STEPS as f32));
        Self { minimum, first }
    }

    fn value(&self, light: f32) -> u8 {
        let light = light.clamp(0.0, 1.0);
        let step = ((light * Self::STEPS as f32) as usize).min(Self::STEPS - 1);
        let mut value = self.first[step];
        while self.minimum[usize::from(value) + 1] <= light {
            value += 1;
        }
        value
    }
}

/// The 8-bit channel of light, by the formula of sRGB.
pub(crate) fn channel(light: f32) -> u8 {
    CHANNELS.value(light)
}

static CHANNELS: LazyLock<Channels> = LazyLock::new(Channels::new);

/// Steps between the ends of a ramp: finer than 8 bits can show.
const STEPS: usize = 1024;

/// Steps of brightness.
const SHADES: usize = 64;

/// Colours by height over `range`. If `shade` is given, it holds a hillshade that darkens and lightens the
/// colours, and a strength in [0, 1]. A shade of 0.707 leaves a colour as it is. Samples that are not finite
/// are black. O(samples).
///
/// # Panics
/// If the shade has another size than the map.
#[must_use]
pub fn color_relief(
    map: &Heightmap,
    stops: &Stops,
    range: (f32, f32),
    shade: Option<(&Heightmap, f32)>,
) -> Grid<[u8; 3]> {
    let (w, h) = map.domain().size;
    if let Some((shade, _)) = shade {
        assert_eq!(shade.domain().size, (w, h), "the shade must have the size of the map");
    }
    // With a table of every colour at every brightness, each sample is a look-up. Without a shade, the only
    // brightness leaves colours as they are.
    let strength = shade.map_or(0.0, |(_, strength)| strength.clamp(0.0, 1.0));
    let channels = &*CHANNELS;
    let shades = if shade.is_some() { SHADES } else { 1 };
    // The last entry is black.
    let black = STEPS * shades;
    let table: Vec<[u8; 3]> = (0..black + 1)
        .into_par_iter()
        .with_min_len(1 << 12)
        .map(|i| {
            if i == black {
                return [0; 3];
            }
            let colour = stops.at((i / shades) as f32 / (STEPS - 1) as f32);
            let bright = (i % shades) as f32 / (SHADES - 1) as f32 * std::f32::consts::SQRT_2;
            colour.map(|c| channels.value(c * (1.0 + (bright - 1.0) * strength)))
        })
        .collect();
    let mut out = vec![[0u8; 3]; w * h];
    for_each(slices(&mut out, w.max(1)), 16, |row, out| {
        let heights = map.grid().row(row).chunks(LANES);
        let mut blocks = shade.map(|(shade, _)| shade.grid().row(row).chunks(LANES));
        let (mut at, mut bright) = ([0u32; LANES], [0.0f32; LANES]);
        for (out, heights) in out.chunks_mut(LANES).zip(heights) {
            let shade = blocks.as_mut().and_then(Iterator::next);
            let bright = shade.map(|shade| {
                bright[..shade.len()].copy_from_slice(shade);
                &bright
            });
            dispatch!(_ => colours(heights, bright, range, &mut at));
            out.iter_mut().zip(at).for_each(|(out, at)| *out = table[at as usize]);
        }
    });
    Grid::from_vec(w, h, out)
}

/// Samples whose colours are found together.
const LANES: usize = 64;

/// The positions in the table of the colours of heights, of which some are shaded.
#[inline(always)]
fn colours(heights: &[f32], bright: Option<&[f32; LANES]>, (low, high): (f32, f32), at: &mut [u32; LANES]) {
    let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
    let shades = if bright.is_some() { SHADES } else { 1 };
    let black = (STEPS * shades) as u32;
    for (at, &height) in at.iter_mut().zip(heights) {
        let position = ((height - low) * scale).clamp(0.0, 1.0);
        let step = (position * (STEPS - 1) as f32 + 0.5) as i32 as u32;
        *at = if height.is_finite() { step * shades as u32 } else { black };
    }
    let Some(bright) = bright else { return };
    for (at, bright) in at.iter_mut().zip(bright) {
        let step = (bright.clamp(0.0, 1.0) * (SHADES - 1) as f32 + 0.5) as i32 as u32;
        *at = if *at == black { black } else { *at + step };
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn the_ends_of_a_ramp_are_its_colours() {
        let map = Heightmap::from_vec(Domain::new(4, 1), vec![-5.0, 10.0, 20.0, f32::NAN]);
        let picture = color_relief(&map, &Ramp::Desert.into(), (10.0, 20.0), None);
        assert_eq!(picture.as_slice(), [[232, 208, 160], [232, 208, 160], [108, 58, 48], [0, 0, 0]]);
    }

    #[test]
    fn colours_survive_linear_light() {
        assert!((0..=255u8).all(|c| to_srgb(to_linear(c)) == c));
    }

    #[test]
    fn channels_are_those_of_the_formula() {
        let lights = (0..=1.0f32.to_bits()).step_by(4099).map(f32::from_bits);
        for light in lights.chain([-1.0, 2.0, f32::INFINITY]) {
            assert_eq!(CHANNELS.value(light), to_srgb(light), "{light}");
        }
        for minimum in &CHANNELS.minimum[1..256] {
            let below = f32::from_bits(minimum.to_bits() - 1);
            assert_eq!(
                (CHANNELS.value(below), CHANNELS.value(*minimum)),
                (to_srgb(below), to_srgb(*minimum)),
                "{minimum}"
            );
        }
    }

    #[test]
    fn shade_darkens_and_lights() {
        let map = Heightmap::constant(Domain::new(1, 1), 0.5);
        let value = |shade: f32| {
            let shade = Heightmap::constant(Domain::new(1, 1), shade);
            color_relief(&map, &Ramp::Grey.into(), (0.0, 1.0), Some((&shade, 1.0)))[(0, 0)][0]
        };
        assert_eq!(value(0.0), 0);
        assert!(value(0.3) < value(0.707) && value(0.707) < value(1.0));
    }

    #[test]
    fn stops_must_grow() {
        assert_eq!(Stops::new(&[(0.5, [0; 3]), (0.5, [1; 3])]), None);
        assert_eq!(Stops::new(&[]), None);
    }
}
