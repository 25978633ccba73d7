//! Claims of UpliftErosion's page.

use terrane_grid::DIRECTIONS;

use super::*;

/// A range of 50 km by 50 km that rises from almost flat ground.
fn raised(seed: u64, more: &str) -> Arc<Map> {
    raised_on(SIDE, seed, more)
}

/// The same with this many samples along each side.
fn raised_on(side: usize, seed: u64, more: &str) -> Arc<Map> {
    let spacing = 50_000.0 / (side - 1) as f64;
    let text = format!(
        "Graph(size: ({side}, {side}), spacing: {spacing:?}, seed: {seed}, nodes: {{ \"n\": \
        UpliftErosion({more}) }})"
    );
    value(&run(&text, &["n"]), 0)
}

/// `uplift` / `erodibility` is 500 at the defaults.
#[test]
fn mountains_reach_six_to_ten_times_uplift_over_erodibility() {
    for seed in 0..20 {
        let highest = range(&raised(seed, "")).1 / 500.0;
        assert!((6.0..=10.0).contains(&highest), "{seed}: {highest}");
    }
}

#[test]
fn twice_the_steps_change_the_mean_height_by_less_than_five_per_cent() {
    for (side, seed, most) in [(65, 0, 0.03), (65, 1, 0.03), (65, 2, 0.03), (65, 3, 0.03), (193, 0, 0.05)] {
        let [mean, later] = ["", "iterations: 300"].map(|more| mass(&raised_on(side, seed, more)));
        assert!((later / mean - 1.0).abs() < most, "{side} {seed}: {mean} {later}");
    }
}

/// With a spacing below `uplift` / (`erodibility` x `talus`), which is 2000 here.
#[test]
fn without_a_talus_divides_remain_as_needles() {
    for seed in 0..5 {
        let needles = |more: &str| {
            let map = raised(seed, &format!("uplift: 0.002{more}"));
            let stands_out = |at: &(usize, usize)| prominence(&map, *at, &AROUND).0 > map.spacing() as f32;
            samples().filter(stands_out).count()
        };
        assert!(needles("") == 0 && needles(", talus: None") > 0, "{seed}");
    }
}

/// The slope that the talus limits: the gradient to the lowest neighbours along x and along y, or the
/// steepest descent along a diagonal.
fn steepness(map: &Map, (x, y): (usize, usize)) -> f32 {
    let descent = |offsets: &[(isize, isize)]| {
        let to = |(dx, dy): &(isize, isize)| map[(x.wrapping_add_signed(*dx), y.wrapping_add_signed(*dy))];
        offsets.iter().map(|offset| map[(x, y)] - to(offset)).fold(0.0, f32::max)
    };
    let [across, down] = [descent(&[(-1, 0), (1, 0)]), descent(&[(0, -1), (0, 1)])];
    let diagonal = descent(&[(-1, -1), (1, -1), (-1, 1), (1, 1)]) / 2.0f32.sqrt();
    (across * across + down * down).sqrt().max(diagonal) / map.spacing() as f32
}

fn is_inner((x, y): (usize, usize)) -> bool {
    (1..SIDE - 1).contains(&x) && (1..SIDE - 1).contains(&y)
}

/// A given terrain keeps its form: heights change by 1 to 7 % of their range. None rises, none falls below
/// the floor, and the border keeps its bits. All water leaves over the border. No slope grows beyond the
/// talus, which is 1, except on the floor; what is measured here is rounded six times.
#[test]
fn a_given_terrain_keeps_its_form_and_its_border() {
    for ground in grounds() {
        let ports = ["n", "n.floor", "n.receivers"];
        let (before, out) = maps(&ground, "\"n\": UpliftErosion(height: \"g\")", &ports);
        let (after, floor, name) = (&out[0], &out[1], &ground.name);
        for at in samples() {
            assert!(after[at] <= before[at] && after[at] >= floor[at], "{name} {at:?}");
            if is_inner(at) {
                assert!(out[2][at] > 0.0, "{name}: water ends at {at:?}");
            } else {
                assert_eq!(after[at].to_bits(), before[at].to_bits(), "{name} {at:?}");
            }
            if is_inner(at) && after[at] > floor[at] {
                let [was, is] = [&before, after].map(|map| steepness(map, at));
                let rounding = 6.0 * f32::EPSILON * before[at].abs() / before.spacing() as f32;
                assert!(is <= was.max(1.0) + rounding, "{name} {at:?}: {was} {is}");
            }
        }
        let (low, high) = range(&before);
        let change = rms(&before, after) / f64::from(high - low);
        assert!((0.01..0.07).contains(&change), "{name}: {change}");
    }
}

/// After 37.5 million years, no ground is above the outlet of its water, and above the floors on the way, by
/// more than 1 % of the original relief.
#[test]
fn after_millions_of_years_the_border_and_the_floor_are_left() {
    for ground in grounds() {
        let node = "\"n\": UpliftErosion(height: \"g\", iterations: 150, time_step: 250000.0)";
        let (before, out) = maps(&ground, node, &["n", "n.floor", "n.receivers"]);
        let (low, high) = range(&before);
        let mut worst = 0.0f32;
        for start in samples() {
            let (mut at, mut left) = (start, out[1][start]);
            while out[2][at] > 0.0 {
                let (dx, dy) = DIRECTIONS[out[2][at] as usize];
                at = (at.0.wrapping_add_signed(dx), at.1.wrapping_add_signed(dy));
                left = left.max(out[1][at]);
            }
            worst = worst.max((out[0][start] - left.max(out[0][at])) / (high - low));
        }
        assert!(worst < 0.01, "{}: {worst}", ground.name);
    }
}
