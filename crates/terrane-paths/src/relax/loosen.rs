//! Bounds that give way where bounds conflict (after Velzel, section 6.1).

use super::field::Field;
use super::given::Given;
use super::roughness::Roughness;
use crate::path::Subdivision;

/// How often the tolerance of a roughness is doubled before the roughness is dropped.
const MOST_WIDENINGS: u8 = 6;

/// The share of the worst violation from which on violations give way together.
const BATCH: f64 = 0.5;

/// Doubles the tolerances of the worst violations of roughness in `field`: those at least half as large as
/// the worst, in units of their tolerances. Drops the roughness of samples whose tolerance has been doubled
/// six times. `widening` counts the doublings of each sample. Returns the number of samples that gave way,
/// and how many of these lost their roughness.
pub fn give_way(
    field: &Field,
    before: &Field,
    subdivision: &mut Subdivision,
    given: &Given<'_>,
    widening: &mut [u8],
) -> (usize, usize) {
    let mut worst = vec![0.0f64; widening.len()];
    for &scale in given.scales {
        let roughness = Roughness::new(subdivision, before, given, scale);
        for (at, violation) in roughness.violations(field) {
            worst[at as usize] = worst[at as usize].max(violation);
        }
    }
    let most = worst.iter().fold(0.0f64, |most, by| most.max(*by));
    let (mut all, mut dropped) = (0, 0);
    for (at, _) in worst.iter().enumerate().filter(|(_, by)| **by > 0.0 && **by >= BATCH * most) {
        all += 1;
        if widening[at] < MOST_WIDENINGS {
            widening[at] += 1;
        } else {
            subdivision.roughness[at] = f32::NAN;
            dropped += 1;
        }
    }
    (all, dropped)
}

/// Releases the heights prescribed at most `by` columns and rows from the given samples. Returns their
/// number.
pub fn release(subdivision: &mut Subdivision, places: &[u32], by: usize) -> usize {
    let (width, height) = subdivision.domain.size;
    let mut near = vec![false; width * height];
    for &place in places {
        let (x, y) = (place as usize % width, place as usize / width);
        for row in y.saturating_sub(by)..=(y + by).min(height - 1) {
            near[row * width..][x.saturating_sub(by)..=(x + by).min(width - 1)].fill(true);
        }
    }
    let lost = subdivision.given.iter_mut().zip(&near).filter(|(kept, near)| **near && !kept.is_nan());
    lost.map(|(kept, _)| *kept = f32::NAN).count()
}
