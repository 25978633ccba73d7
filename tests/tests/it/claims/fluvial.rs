//! Claims of FluvialErosion's page.

use terrane_grid::DIRECTIONS;

use super::*;

/// The mean slope, each towards the neighbour along an axis to which the difference is largest.
fn mean_slope(map: &Map) -> f64 {
    erosion_score(&map.0, Boundary::Open).mean
}

/// Of mountains with a mean slope of 0.5 or more, the summit keeps nine tenths of its height and the whole
/// four fifths. Gentler ground keeps seven tenths of its summit's height.
#[test]
fn mountains_keep_nine_tenths_of_their_height() {
    let mut mountains = 0;
    for ground in grounds() {
        let [before, after] = eroded(&ground, "FluvialErosion(height: \"g\")");
        let summit = range(&after).1 / range(&before).1;
        if mean_slope(&before) >= 0.5 {
            mountains += 1;
            let whole = mass(&after) / mass(&before);
            assert!(summit > 0.9 && whole > 0.8, "{}: {summit} {whole}", ground.name);
        }
        assert!(summit > 0.7, "{}: {summit}", ground.name);
    }
    assert!(mountains >= 15, "{mountains}");
}

#[test]
fn a_higher_value_strength_keeps_more_of_a_summit() {
    for ground in grounds() {
        let summit =
            |more: &str| range(&eroded(&ground, &format!("FluvialErosion(height: \"g\"{more})"))[1]).1;
        let [kept, more] = ["", ", value_strength: 0.1"].map(summit);
        assert!(more > kept, "{}: {kept} {more}", ground.name);
    }
}

/// Thirty grounds from gentle to very steep: heights change by at least 2.5 % of their range up to a mean
/// slope of 1, and by at most 1.5 % beyond a mean slope of 2.
#[test]
fn very_steep_ground_hardly_changes() {
    let [mut gentle, mut steep] = [0, 0];
    for (at, amplitude) in [40.0, 80.0, 160.0, 400.0, 640.0].into_iter().enumerate() {
        for (name, text) in [
            ("hills", "Perlin(wavelength: 150.0"),
            ("rough", "MidpointDisplacement(persistence: 0.5"),
            ("ridges", "Perlin(wavelength: 200.0, fractal: Ridged"),
        ] {
            for seed in [2 * at, 2 * at + 1] {
                let node = format!("{text}, seed: {seed}, amplitude: {amplitude:?}, offset: 1.0)");
                let ground = Ground { name: name.to_owned(), node, spacing: 4.0 };
                let [before, after] = eroded(&ground, "FluvialErosion(height: \"g\")");
                let (low, high) = range(&before);
                let (slope, change) = (mean_slope(&before), rms(&before, &after) / f64::from(high - low));
                gentle += usize::from(slope < 1.0);
                steep += usize::from(slope > 2.0);
                assert!(slope >= 1.0 || change > 0.025, "{name} {amplitude} {seed}: {slope} {change}");
                assert!(slope <= 2.0 || change < 0.015, "{name} {amplitude} {seed}: {slope} {change}");
            }
        }
    }
    assert!(gentle >= 10 && steep >= 10, "{gentle} {steep}");
}

/// No tile is higher than all neighbours by more than its side, or lower by more than a quarter of its side,
/// unless it was so before: `unevenness` adds up to a tenth of the side to a height, and takes as much.
#[test]
fn no_needles_or_pits_are_left() {
    for ground in grounds() {
        let [before, after] = eroded(&ground, "FluvialErosion(height: \"g\")");
        let side = before.spacing() as f32;
        for at in samples() {
            let [was, is] = [&before, &after].map(|map| prominence(map, at, &AROUND));
            assert!(is.0 <= side.max(was.0 + 0.2 * side), "{} {at:?}: {was:?} {is:?}", ground.name);
            assert!(is.1 <= (0.25 * side).max(was.1 + 0.2 * side), "{} {at:?}: {was:?} {is:?}", ground.name);
        }
    }
}

/// No land falls below the sea, the sea floor is not lowered, and no tile is lower than the one it drains to.
/// The share of the gradient strength that gorges leave is in [0, 1].
#[test]
fn rivers_run_down_and_spare_the_sea() {
    for ground in grounds() {
        let ports = ["n", "n.receivers", "n.hold"];
        let (before, out) = maps(&ground, "\"n\": FluvialErosion(height: \"g\")", &ports);
        for at in samples() {
            let (dx, dy) = DIRECTIONS[out[1][at] as usize];
            let to = (at.0.wrapping_add_signed(dx), at.1.wrapping_add_signed(dy));
            let (was, is) = (before[at], out[0][at]);
            assert!(is >= out[0][to], "{} {at:?}", ground.name);
            assert!(if was < 0.0 { is >= was } else { is >= 0.0 }, "{} {at:?}: {was} {is}", ground.name);
            assert!((0.0..=1.0).contains(&out[2][at]), "{} {at:?}", ground.name);
        }
    }
}

/// In an iteration without gorges, the outlets on the border keep their height, to the bit.
#[test]
fn outlets_on_the_border_keep_their_height() {
    let mut outlets = 0;
    for ground in grounds() {
        let node = "\"n\": FluvialErosion(height: \"g\", iterations: 1, gorge: 0.0, unevenness: 0.0)";
        let (before, out) = maps(&ground, node, &["n", "n.receivers"]);
        let (width, height) = before.domain().size;
        let is_border = |(x, y): (usize, usize)| x == 0 || y == 0 || x + 1 == width || y + 1 == height;
        for at in samples().filter(|&at| is_border(at) && out[1][at] == 0.0 && before[at] >= 0.0) {
            outlets += 1;
            assert_eq!(out[0][at].to_bits(), before[at].to_bits(), "{} {at:?}", ground.name);
        }
    }
    assert!(outlets > 300, "{outlets}");
}
