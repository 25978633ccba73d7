//! The default colours of ground, by height and slope.

use terrane_grid::{Grid, Heightmap};

use super::layers::{Layer, layered_relief};
use super::relief::Ramp;
use crate::Boundary;
use crate::metric::{SlopeKind, slope_with_holes};
use crate::shape::in_range;

/// The colour of rock.
const ROCK: [u8; 3] = [142, 132, 122];

/// Slopes that are all rock.
const STEEP: (f32, f32) = (1.1, f32::INFINITY);

/// Range of slopes below [`STEEP`] in which rock fades out.
const FADE: f32 = 0.5;

/// The colours of [`Ramp::Earth`] over `range`, with rock on steep ground: where the steeper side rises by
/// 1.1 or more, all is rock, and below 0.6 nothing is. Without shading; O(samples).
#[must_use]
pub fn bare_ground(map: &Heightmap, range: (f32, f32)) -> Grid<[u8; 3]> {
    let slope = slope_with_holes(map, SlopeKind::Steepest, Boundary::Open);
    let rock = Layer { color: ROCK, mask: in_range(slope, STEEP, FADE) };
    layered_relief(map, &Ramp::Earth.into(), range, &[rock], None)
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn steep_ground_is_rock_and_gentle_ground_is_not() {
        for (slope, is_rock) in [(0.5, Some(false)), (0.85, None), (1.2, Some(true))] {
            let map = Heightmap::from_fn(Domain::new(9, 9).with_spacing(4.0), |x, _| x as f32 * 4.0 * slope);
            let picture = bare_ground(&map, (0.0, 1e6));
            let grass = [84, 108, 76];
            for at in [(1, 1), (4, 7)] {
                let color = picture[at];
                assert_eq!(is_rock.unwrap_or(false), color == ROCK, "{slope}: {color:?}");
                assert_eq!(is_rock == Some(false), color == grass, "{slope}: {color:?}");
            }
        }
    }
}
