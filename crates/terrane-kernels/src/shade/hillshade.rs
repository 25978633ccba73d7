//! Hillshades.

use crate::parallel::{for_each_with, slices};
use terrane_grid::{Grid, Heightmap};

use crate::beside_holes::beside_holes;
use crate::{Boundary, dispatch};

/// The direction of the light, and options of the shading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Degrees clockwise from north, which is up on a map.
    pub azimuth: f64,
    /// Degrees above the horizon.
    pub altitude: f64,
    /// Factor on heights before shading.
    pub exaggeration: f64,
    /// Whether to add three weaker lights from other sides, so that no slope is black.
    pub multidirectional: bool,
}

impl Default for Light {
    /// From the north-west, half-way between the horizon and the zenith, as is usual on maps.
    fn default() -> Self {
        Self { azimuth: 315.0, altitude: 45.0, exaggeration: 1.0, multidirectional: false }
    }
}

/// Brightness in [0, 1]: the cosine of the angle between the direction to the light and the ground's normal,
/// 0 in shade. The ground's slope is that of Horn (1981) over 3 × 3 samples. Beyond the border the ground
/// continues with the slope that it has there. The brightness of flat ground is the sine of the altitude.
/// O(samples).
#[must_use]
pub fn hillshade(map: &Heightmap, light: &Light) -> Heightmap {
    let (w, h) = map.domain().size;
    let lamps = lamps(light);
    let scale = (light.exaggeration / (8.0 * map.spacing())) as f32;
    let mut out = vec![0.0f32; w * h];
    let rows = || [(); 3].map(|()| vec![0.0f32; w + 2]);
    for_each_with(slices(&mut out, w.max(1)), 8, rows, |rows, row, out| {
        for (step, extended) in rows.iter_mut().enumerate() {
            extend(map, (row + step) as isize - 1, extended);
        }
        // The number of lamps is a constant of each loop.
        match lamps[..] {
            [lamp] => shade(out, rows, scale, [lamp]),
            [a, b, c, d] => shade(out, rows, scale, [a, b, c, d]),
            ref lamps => unreachable!("{} lamps", lamps.len()),
        }
    });
    map.with_grid(Grid::from_vec(w, h, out))
}

/// Writes a row of brightness from three extended rows. `scale` makes slopes of the differences.
fn shade<const N: usize>(out: &mut [f32], rows: &[Vec<f32>; 3], scale: f32, lamps: [Lamp; N]) {
    let [above, here, below] = rows.each_ref().map(|row| &row[..out.len() + 2]);
    dispatch!(_ => {
        // Copies, so that stores do not make the compiler load them anew.
        let (scale, lamps) = (scale, lamps);
        for (column, out) in out.iter_mut().enumerate() {
            let east = (above[column + 2] + 2.0 * here[column + 2] + below[column + 2])
                - (above[column] + 2.0 * here[column] + below[column]);
            let south = (below[column] + 2.0 * below[column + 1] + below[column + 2])
                - (above[column] + 2.0 * above[column + 1] + above[column + 2]);
            *out = brightness(&lamps, east * scale, south * scale);
        }
    });
}

/// The brightness of a map with holes. Beside a hole, as beyond the border, the ground continues with the
/// slope that it has there. O(samples).
#[must_use]
pub fn hillshade_with_holes(map: &Heightmap, light: &Light) -> Heightmap {
    let mut shade = hillshade(map, light);
    let lamps = lamps(light);
    let scale = (light.exaggeration / (8.0 * map.spacing())) as f32;
    beside_holes(map, Boundary::Open, &mut shade, |window| {
        let [a, b, c, d, _, f, g, h, i] = window.continued();
        let (east, south) = ((c + 2.0 * f + i) - (a + 2.0 * d + g), (g + 2.0 * h + i) - (a + 2.0 * b + c));
        brightness(&lamps, east * scale, south * scale)
    });
    shade
}

/// The brightness of ground with these slopes to the east and to the south.
#[inline(always)]
fn brightness(lamps: &[Lamp], dx: f32, dy: f32) -> f32 {
    let length = (1.0 + dx * dx + dy * dy).sqrt();
    let mut sum = 0.0;
    for lamp in lamps {
        sum += lamp.weight * ((lamp.up - lamp.east * dx - lamp.south * dy) / length).max(0.0);
    }
    sum
}

/// Writes a row, extrapolated linearly by one sample on each side. A row beyond the border is extrapolated in
/// the same way.
fn extend(map: &Heightmap, row: isize, out: &mut [f32]) {
    let (w, h) = map.domain().size;
    let inner = row.clamp(0, h as isize - 1) as usize;
    let inside = &mut out[1..=w];
    inside.copy_from_slice(map.grid().row(inner));
    if row != inner as isize && h > 1 {
        let next = map.grid().row(if row < 0 { 1 } else { h - 2 });
        inside.iter_mut().zip(next).for_each(|(height, next)| *height = 2.0 * *height - next);
    }
    let beyond = |end: f32, next: f32| if w > 1 { 2.0 * end - next } else { end };
    (out[0], out[w + 1]) = (beyond(out[1], out[2]), beyond(out[w], out[w - 1]));
}

/// A direction to the light, with east and south along the grid's axes.
#[derive(Clone, Copy)]
struct Lamp {
    east: f32,
    south: f32,
    up: f32,
    weight: f32,
}

fn lamps(light: &Light) -> Vec<Lamp> {
    let lamp = |turn: f64, weight: f64| {
        let (azimuth, altitude) = ((light.azimuth + turn).to_radians(), light.altitude.to_radians());
        Lamp {
            east: (libm::sin(azimuth) * libm::cos(altitude)) as f32,
            south: (-libm::cos(azimuth) * libm::cos(altitude)) as f32,
            up: libm::sin(altitude) as f32,
            weight: weight as f32,
        }
    };
    if light.multidirectional {
        vec![lamp(0.0, 0.55), lamp(-60.0, 0.15), lamp(60.0, 0.15), lamp(180.0, 0.15)]
    } else {
        vec![lamp(0.0, 1.0)]
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn planes_have_the_exact_cosine_up_to_the_border() {
        // Rising to the south-east at 45°, so facing the light from the north-west.
        let slope = std::f32::consts::FRAC_1_SQRT_2;
        let facing = Heightmap::from_fn(Domain::new(8, 6), |x, y| slope * (x + y) as f32);
        assert!(hillshade(&facing, &Light::default()).samples().iter().all(|b| (b - 1.0).abs() < 1e-5));
        let away = Heightmap::from_fn(Domain::new(8, 6), |x, y| -slope * (x + y) as f32);
        assert!(hillshade(&away, &Light::default()).samples().iter().all(|b| b.abs() < 1e-5));
    }

    #[test]
    fn flat_ground_has_the_sine_of_the_altitude() {
        for multidirectional in [false, true] {
            let light = Light { altitude: 30.0, multidirectional, ..Light::default() };
            let shade = hillshade(&Heightmap::constant(Domain::new(5, 5), 9.0), &light);
            assert!(shade.samples().iter().all(|b| (b - 0.5).abs() < 1e-6));
        }
    }

    #[test]
    fn one_sample_and_one_row_are_flat() {
        for size in [(1, 1), (1, 4)] {
            let shade = hillshade(&Heightmap::constant(Domain::new(size.0, size.1), 1.0), &Light::default());
            assert!(shade.samples().iter().all(|b| b.is_finite()));
        }
    }
}
