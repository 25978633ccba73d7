//! Draws maps as pictures.

use terrane_grid::{Grid, Heightmap};
use terrane_kernels::shade::{Light, Ramp, Stops, color_relief, contours, draw_contours, grey, hillshade};

use crate::shrink::{Window, shrink};

/// How a map is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Colours by height. `None` draws only the hillshade.
    pub ramp: Option<Ramp>,
    /// Whether a hillshade darkens the colours.
    pub shaded: bool,
    /// Height between contours. `None` draws no contours.
    pub interval: Option<f32>,
}

/// The scale that all parts of a map's picture share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Heights of the first and the last colour.
    pub range: (f32, f32),
    /// Factor on heights for the hillshade.
    pub exaggeration: f64,
}

impl Scale {
    /// The scale of a map with heights from `low` to `high` and a certain extent. Nearly flat maps, such as
    /// masks, are exaggerated until their relief is visible.
    #[must_use]
    pub fn new(low: f64, high: f64, extent: (f64, f64)) -> Self {
        let (range, across) = (high - low, extent.0.max(extent.1));
        let exaggeration = if range > 0.0 && across > 0.0 { (SEEN * across / range).max(1.0) } else { 1.0 };
        Self { range: (low as f32, high as f32), exaggeration }
    }

    /// The height between contours: a round number, for about fifteen contours over the range.
    #[must_use]
    pub fn interval(&self) -> f32 {
        let rough = f64::from(self.range.1 - self.range.0) / 15.0;
        if !rough.is_finite() || rough <= 0.0 {
            return 1.0;
        }
        let decade = libm::pow(10.0, libm::floor(libm::log10(rough)));
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * decade >= rough).unwrap_or(10.0);
        (step * decade) as f32
    }
}

/// The ratio of range to extent below which a relief is exaggerated.
const SEEN: f64 = 0.08;

/// The number of samples around a part of a map that the part's picture depends on.
const APRON: usize = 3;

/// A picture of a part of a map, with `stride` × `stride` samples per pixel. Pictures of adjacent parts
/// match, except for the last bit of a colour where a contour crosses their border.
#[must_use]
pub fn draw(map: &Heightmap, window: Window, stride: usize, style: &Style, scale: &Scale) -> Grid<[u8; 3]> {
    let apron = APRON * stride;
    let (left, top) = (window.x.min(apron), window.y.min(apron));
    let (w, h) = map.domain().size;
    let right = (window.x + window.width + apron).min(w);
    let bottom = (window.y + window.height + apron).min(h);
    let (x, y) = (window.x - left, window.y - top);
    let wide = Window { x, y, width: right - x, height: bottom - y };
    let picture = paint(&shrink(map, wide, stride), style, scale);
    let (left, top) = (left / stride, top / stride);
    let size = (window.width.div_ceil(stride), window.height.div_ceil(stride));
    Grid::from_fn(size.0, size.1, |x, y| picture[(left + x, top + y)])
}

/// A picture of a whole map.
#[must_use]
pub fn paint(map: &Heightmap, style: &Style, scale: &Scale) -> Grid<[u8; 3]> {
    let light = Light { exaggeration: scale.exaggeration, multidirectional: true, ..Light::default() };
    let shade = (style.shaded || style.ramp.is_none()).then(|| hillshade(map, &light));
    let mut picture = match (style.ramp, &shade) {
        (Some(ramp), shade) => {
            color_relief(map, &Stops::from(ramp), scale.range, shade.as_ref().map(|shade| (shade, 0.85)))
        }
        (None, Some(shade)) => grey(shade),
        (None, None) => grey(map),
    };
    if let Some(interval) = style.interval {
        draw_contours(&mut picture, &map.domain(), &contours(map, interval, 0.0), [48, 40, 32], 0.7);
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrane_grid::Domain;

    #[test]
    fn parts_of_a_picture_meet() {
        let map = Heightmap::from_fn(Domain::new(64, 48).with_spacing(2.0), |x, y| {
            ((x * 7 + y * 3) % 23) as f32 + (x as f32 - y as f32) * 0.5
        });
        let style = Style { ramp: Some(Ramp::default()), shaded: true, interval: None };
        let scale = Scale::new(-30.0, 60.0, map.domain().extent());
        for stride in [1, 2] {
            let all = draw(&map, Window { x: 0, y: 0, width: 64, height: 48 }, stride, &style, &scale);
            let part = draw(&map, Window { x: 16, y: 8, width: 32, height: 32 }, stride, &style, &scale);
            let cut = Grid::from_fn(32 / stride, 32 / stride, |x, y| all[(x + 16 / stride, y + 8 / stride)]);
            assert!(part == cut, "stride {stride}");
        }
    }

    #[test]
    fn intervals_are_round() {
        let interval = |high| Scale::new(0.0, high, (100.0, 100.0)).interval();
        assert_eq!((interval(400.0), interval(1.0), interval(0.0)), (50.0, 0.1, 1.0));
        assert!(Scale::new(0.0, 1.0, (1000.0, 1000.0)).exaggeration > 10.0);
        assert_eq!(Scale::new(0.0, 900.0, (1000.0, 1000.0)).exaggeration, 1.0);
    }
}
