use super::*;
use crate::Silent;
use crate::path::bends::{bend, turn};
use crate::path::builder::{Prices, Road};
use crate::path::grounds::{GROUNDS, SIDE, ends, hills, obstacles};
use crate::path::point::apart;
use crate::path::search::cheapest;
use crate::path::site::Site;
use crate::path::straight::Frame;
use crate::path::terrain::Terrain;
use terrane_grid::Heightmap;

const ROAD: Road = Road { width: 8.0, max_slope: 0.1 };
const ALL: Frame = Frame { low: (0, 0), high: (SIDE as i64 - 1, SIDE as i64 - 1) };

/// The site of a ground, its cheapest route of 32 headings, and the curve.
fn built(number: u64, forbidden: Option<&Heightmap>, with: impl FnOnce(&Builder<'_>, &[Point], &[Point])) {
    let map = hills(number);
    let terrain = Terrain::new(&map, None, forbidden, ALL).unwrap();
    let site = Site::new(&terrain, &Silent).unwrap();
    let builder = Builder::new(&site, Prices::default(), ROAD);
    let [from, to] = ends(number).map(|end| site.map.index(end));
    let (stops, _) = cheapest(&builder, from, to, &Silent).unwrap().unwrap();
    let point = |(x, y): (usize, usize)| (x as f64, y as f64);
    let route: Vec<Point> = stops.iter().map(|&at| point(site.map.position(at))).collect();
    let curve = curve(&builder, route.clone(), [None; 2], ROAD.width, &Silent).unwrap();
    with(&builder, &route, &curve);
}

/// The parts of a line that turn by more than `least` at one end, and back by more at the other.
fn turns_back(line: &[Point], least: f64) -> usize {
    let angle = |at: usize| {
        let (a, b, c) = (line[at - 1], line[at], line[at + 1]);
        let (u, v) = ((b.0 - a.0, b.1 - a.1), (c.0 - b.0, c.1 - b.1));
        libm::atan2(u.0 * v.1 - u.1 * v.0, u.0 * v.0 + u.1 * v.1).to_degrees()
    };
    let turns: Vec<f64> = (1..line.len() - 1).map(angle).collect();
    turns
        .windows(2)
        .filter(|pair| pair[0] * pair[1] < 0.0 && pair[0].abs().min(pair[1].abs()) > least)
        .count()
}

/// No part of a road is shorter than 1.5 samples. No part turns by more than ten degrees at one end and
/// back by as much at the other, as 32 headings do. Roads turn by less than 60 degrees in 2.5 samples, and
/// so never return along themselves. All but one cost at most the stated share more than the cheapest route.
#[test]
fn no_heading_is_held_for_a_sample_and_no_road_returns() {
    let (mut jitter, mut sharpest, mut shares) = (0, 0.0f64, Vec::new());
    for number in 0..GROUNDS {
        built(number, None, |builder, route, curve| {
            jitter += turns_back(route, 10.0);
            assert_eq!((curve[0], curve[curve.len() - 1]), (route[0], route[route.len() - 1]));
            assert_eq!(turns_back(curve, 10.0), 0, "ground {number}");
            assert!(curve.windows(2).all(|ends| apart(ends[0], ends[1]) >= 1.5), "ground {number}");
            let turn = curve.windows(3).map(|at| turn(at[0], at[1], at[2])).fold(0.0, f64::max);
            sharpest = sharpest.max(2.0 * libm::atan(turn.sqrt()).to_degrees());
            shares.push(builder.line_cost(curve).unwrap() / builder.line_cost(route).unwrap());
        });
    }
    shares.sort_unstable_by(f64::total_cmp);
    println!("costs {shares:.4?}, sharpest {sharpest:.1}, jitter {jitter}");
    assert!(jitter > 100, "routes of 32 headings do turn back: {jitter}");
    assert!(sharpest < 60.0, "{sharpest}");
    assert!(shares[shares.len() - 2] <= 1.0 + ALLOWANCE, "{shares:?}");
    assert!(shares.iter().sum::<f64>() <= 1.03 * GROUNDS as f64, "{shares:?}");
}

#[test]
fn roads_never_touch_forbidden_samples() {
    let mut bent = 0;
    for number in 0..GROUNDS {
        let mask = obstacles(number);
        built(number, Some(&mask), |_, route, curve| {
            bent += usize::from(route != curve);
            for ends in curve.windows(2) {
                for step in 0..=200 {
                    let part = f64::from(step) / 200.0;
                    let at = |a: f64, b: f64| libm::round(a + part * (b - a)) as usize;
                    let place = (at(ends[0].0, ends[1].0), at(ends[0].1, ends[1].1));
                    assert!(mask[place] == 0.0, "ground {number}: {place:?}");
                }
            }
        });
    }
    assert!(bent > GROUNDS as usize / 2);
}

/// An arc with a radius of twice the road's width, or of two samples if that is wider, costs as much again as
/// its length. An arc four times tighter does so with the least stiffness.
#[test]
fn an_arc_of_twice_the_width_counts_twice() {
    let least = STIFFNESSES[STIFFNESSES.len() - 1];
    for (width, radius, part) in [(8.0, 16.0, 1.0), (1.0, 8.0, 1.0), (8.0, 4.0, least)] {
        let spacing = 4.0;
        let at = |knot: i32| {
            let turned = f64::from(knot).to_radians();
            (radius / spacing * libm::cos(turned), radius / spacing * libm::sin(turned))
        };
        let extra: f64 = (1..90)
            .map(|knot| bend(at(knot - 1), at(knot), at(knot + 1), spacing, part * stiffness(width, spacing)))
            .sum();
        let length = radius * 89f64.to_radians();
        assert!((extra / length - 1.0).abs() < 1e-3, "{width} {radius}: {extra} for {length}");
    }
}
