//! Normal maps.

use terrane_grid::{Grid, Heightmap};

use crate::dispatch;
use crate::parallel::{for_each, slices};

/// Samples whose normals are computed together.
const LANES: usize = 64;

/// The normal of each sample as a colour.
///
/// The channels are the normal's components to the east, up the picture and up from the ground. A component n
/// is stored as (n + 1) / 2 in 8 bits. `flipped` makes the second component point down the picture instead.
/// Slopes are central differences of neighbouring samples times `exaggeration`, one-sided at the border.
/// A slope is 0 if one of its two samples is not finite. O(samples).
#[must_use]
pub fn normal_map(map: &Heightmap, exaggeration: f64, flipped: bool) -> Grid<[u8; 3]> {
    let (w, h) = map.domain().size;
    let scale = (exaggeration / map.spacing()) as f32;
    let mut out = vec![[0u8; 3]; w * h];
    for_each(slices(&mut out, w.max(1)), 8, |row, out| {
        let (up, down) = (row.saturating_sub(1), (row + 1).min(h - 1));
        let [above, here, below] = [up, row, down].map(|row| &map.grid().row(row)[..w]);
        for (block, out) in out.chunks_mut(LANES).enumerate() {
            let first = block * LANES;
            let (mut east, mut south) = ([0.0f32; LANES], [0.0f32; LANES]);
            for (lane, column) in (first..first + out.len()).enumerate() {
                let (left, right) = (column.saturating_sub(1), (column + 1).min(w - 1));
                east[lane] = (here[right] - here[left]) * scale / (right - left).max(1) as f32;
                south[lane] = (below[column] - above[column]) * scale / (down - up).max(1) as f32;
            }
            let mut channels = [[0u32; LANES]; 3];
            let sign = if flipped { -1.0 } else { 1.0 };
            dispatch!(_ => for lane in 0..LANES {
                let (east, south) = (tame(east[lane]), tame(south[lane]));
                let length = (1.0 + east * east + south * south).sqrt();
                channels[0][lane] = level(-east / length);
                channels[1][lane] = level(sign * south / length);
                channels[2][lane] = level(1.0 / length);
            });
            for (lane, out) in out.iter_mut().enumerate() {
                *out = [channels[0][lane] as u8, channels[1][lane] as u8, channels[2][lane] as u8];
            }
        }
    });
    Grid::from_vec(w, h, out)
}

/// A slope whose square is finite; 0 instead of one that is not.
#[inline(always)]
fn tame(slope: f32) -> f32 {
    if slope.is_finite() { slope.clamp(-1e18, 1e18) } else { 0.0 }
}

/// The level of a component of a normal.
#[inline(always)]
fn level(component: f32) -> u32 {
    ((component + 1.0) * 127.5 + 0.5) as u32
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn planes_have_one_colour_up_to_the_border() {
        let plane = |east: f32, south: f32| {
            let (east, south) = (2.0 * east, 2.0 * south);
            let map = Heightmap::from_fn(Domain::new(5, 4).with_spacing(2.0), |x, y| {
                east * x as f32 + south * y as f32
            });
            let picture = normal_map(&map, 1.0, false);
            assert!(picture.as_slice().iter().all(|color| *color == picture[(0, 0)]));
            picture[(0, 0)]
        };
        assert_eq!(plane(0.0, 0.0), [128, 128, 255]);
        // Rising east at 45°: it faces west and up, 1/√2 each.
        assert_eq!(plane(1.0, 0.0), [37, 128, 218]);
        // Rising south: it faces north, up the picture.
        assert_eq!(plane(0.0, 1.0), [128, 218, 218]);
        // So steep that its square is infinite: it faces west.
        assert_eq!(plane(1e25, 0.0), [0, 128, 128]);
    }

    #[test]
    fn flipping_turns_green_about_and_single_samples_are_level() {
        let map = Heightmap::from_fn(Domain::new(3, 3), |_, y| y as f32);
        assert_eq!(normal_map(&map, 1.0, true)[(1, 1)], [128, 37, 218]);
        assert_eq!(
            normal_map(&Heightmap::constant(Domain::new(1, 1), 9.0), 1.0, false)[(0, 0)],
            [128, 128, 255]
        );
        let gap = Heightmap::from_vec(Domain::new(3, 1), vec![f32::NAN, 1.0, 2.0]);
        assert_eq!(normal_map(&gap, 1.0, false)[(1, 0)], [128, 128, 255]);
    }
}
