//! Claims of ThermalErosion's page.

use terrane::Heightmap;
use terrane::kernels::metric::{SlopeKind, slope_map};

use super::*;

#[test]
fn both_schemes_conserve_mass() {
    for ground in grounds() {
        for scheme in ["Reference", "Fast"] {
            let [before, after] =
                eroded(&ground, &format!("ThermalErosion(height: \"g\", scheme: {scheme})"));
            let (created, bound) = ((mass(&after) - mass(&before)).abs(), rounding(&before, 50));
            assert!(created <= bound, "{} {scheme}: {created} of {bound}", ground.name);
        }
    }
}

/// The default talus is the upper quartile, computed here by sorting. It gives the bits of the default.
#[test]
fn a_quarter_of_the_samples_is_steeper_than_the_default_talus() {
    for ground in grounds() {
        let [before, after] = eroded(&ground, "ThermalErosion(height: \"g\")");
        let slopes = slopes(&before);
        let talus = slopes[slopes.len() * 3 / 4];
        let [_, explicit] = eroded(&ground, &format!("ThermalErosion(height: \"g\", talus: {talus:?})"));
        assert_eq!(after.samples(), explicit.samples(), "{}", ground.name);
        let steeper = slopes.iter().filter(|&&slope| slope > talus).count() as f64 / slopes.len() as f64;
        assert!((0.249..=0.25).contains(&steeper), "{}: {steeper}", ground.name);
    }
}

/// Sliding ends where no slope is steeper than the talus by more than single precision shows: the share of
/// the excess that moves to one of eight neighbours is less than half a unit in the last place of a height.
#[test]
fn material_slides_until_no_slope_is_steeper_than_the_talus() {
    for ground in grounds() {
        let [before, after] = eroded(&ground, "ThermalErosion(height: \"g\", iterations: 5000)");
        let all = slopes(&before);
        let (talus, (low, high)) = (all[all.len() * 3 / 4], range(&after));
        let excess = (slopes(&after)[all.len() - 1] - talus) * before.spacing() as f32;
        let bound = 8.0 / 0.33 * 0.5 * f32::EPSILON * low.abs().max(high.abs());
        assert!(excess <= bound, "{}: {excess} of {bound}", ground.name);
    }
}

#[test]
fn the_erosion_score_falls() {
    for ground in grounds() {
        let scores = [0, 1, 2, 5, 10, 20, 50].map(|iterations| {
            let node = format!("ThermalErosion(height: \"g\", iterations: {iterations})");
            score(&eroded(&ground, &node)[1])
        });
        assert!(scores.windows(2).all(|pair| pair[1] < pair[0]), "{}: {scores:?}", ground.name);
    }
}

#[test]
fn inside_the_rim_the_score_of_the_published_schemes_falls() {
    for ground in grounds() {
        for scheme in ["Published", "PublishedFast"] {
            let [before, after] =
                eroded(&ground, &format!("ThermalErosion(height: \"g\", scheme: {scheme})"));
            let scores = [inside(&before), inside(&after)];
            assert!(scores[1] < scores[0], "{} {scheme}: {scores:?}", ground.name);
        }
    }
}

/// The slopes of a map, sorted.
fn slopes(map: &Map) -> Vec<f32> {
    let mut slopes = slope_map(&map.0, SlopeKind::Olsen, Boundary::Open).samples().to_vec();
    slopes.sort_by(f32::total_cmp);
    slopes
}

/// The score without the samples on the border and those next to it.
fn inside(map: &Map) -> f64 {
    let domain = map.domain().part((2, 2), (SIDE - 4, SIDE - 4));
    score(&Map(Heightmap::from_fn(domain, |x, y| map[(x + 2, y + 2)])))
}
