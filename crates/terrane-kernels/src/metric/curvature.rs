//! Curvature along and across the slope (Zevenbergen & Thorne 1987, "Quantitative analysis of land surface
//! topography").

use crate::parallel::{for_each_with, slices};
use terrane_grid::{Grid, Heightmap};

use crate::beside_holes::beside_holes;
use crate::{Boundary, dispatch};

/// Profile and plan curvature of every sample, in 1 / world unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Curvature {
    /// Second derivative of the height along the gradient. It is positive where the slope is concave, as at
    /// its foot, and negative where it is convex, as at its brow.
    pub profile: Heightmap,
    /// Second derivative of the height across the gradient, with the opposite sign. It is positive on spurs,
    /// where the ground is convex from side to side and water parts. It is negative in hollows, where water
    /// gathers.
    pub plan: Heightmap,
}

/// The profile and plan curvature (Zevenbergen & Thorne 1987). O(samples).
///
/// A surface through the 3 × 3 heights around a sample has the terms D·x², E·y², F·x·y, G·x and H·y. D and E
/// are half of the second differences along rows and columns. F is the difference of the diagonals, over four
/// squared spacings. G and H are the central differences. Then
///
/// - profile = 2·(D·G² + E·H² + F·G·H) / (G² + H²)
/// - plan = −2·(D·H² + E·G² − F·G·H) / (G² + H²)
///
/// Hence profile − plan = 2·(D + E), the Laplacian. Both are second derivatives of the height, as in the
/// paper: they are not divided by powers of the slope, and stay bounded as the slope vanishes. Evans's
/// curvatures of the line of slope and of the contour are other quantities. On gentle slopes the profile
/// curvature equals that of the line of slope.
///
/// Where G = H = 0, as on flat ground and exact summits, the gradient has no direction. There both are means
/// over all directions: profile = D + E, and plan = −(D + E). Both are 0 on a plane.
///
/// Heights beyond an open border continue the parabola through the three nearest samples of a row or column,
/// or the line through two. So quadratic surfaces have their exact curvature on the border too. A map of one
/// row or column has no slope or curvature along the missing axis.
///
/// If one of the nine heights is not-a-number, both curvatures are. The arithmetic is in 64 bits, but heights
/// are in 32: a rounding error of e in each height gives errors up to 4·e / spacing² in second differences.
#[must_use]
pub fn curvature(map: &Heightmap, boundary: Boundary) -> Curvature {
    let (w, h) = map.domain().size;
    let (mut profile, mut plan) = (vec![0.0f32; w * h], vec![0.0f32; w * h]);
    let per_unit = 1.0 / map.spacing();
    let parts = (slices(&mut profile, w.max(1)), slices(&mut plan, w.max(1)));
    let buffers = || [(); 3].map(|()| vec![0.0f64; w + 2]);
    for_each_with(parts, 16, buffers, |rows, row, (profile, plan)| {
        for (offset, out) in rows.iter_mut().enumerate() {
            extended_row(map, row, offset, boundary, out);
        }
        let [above, here, below] = &*rows;
        let triples = above.windows(3).zip(here.windows(3)).zip(below.windows(3));
        let results = profile.iter_mut().zip(plan);
        dispatch!(_ => for (((above, here), below), (profile, plan)) in triples.zip(results) {
            let (along, across) = second_derivatives(above, here, below);
            *profile = (along * per_unit * per_unit) as f32;
            *plan = (-across * per_unit * per_unit) as f32;
        });
    });
    Curvature {
        profile: map.with_grid(Grid::from_vec(w, h, profile)),
        plan: map.with_grid(Grid::from_vec(w, h, plan)),
    }
}

/// The curvature of a map with holes. Heights that are missing continue the line through the two nearest
/// ones, not a parabola as beyond the border: beside a hole, the curvature across its rim is 0. O(samples).
#[must_use]
pub fn curvature_with_holes(map: &Heightmap, boundary: Boundary) -> Curvature {
    let mut out = curvature(map, boundary);
    let per_unit = 1.0 / map.spacing();
    for (results, sign) in [(&mut out.profile, 1.0), (&mut out.plan, -1.0)] {
        beside_holes(map, boundary, results, |window| {
            let rows = window.continued().map(f64::from);
            let (along, across) = second_derivatives(&rows[..3], &rows[3..6], &rows[6..]);
            let derivative = if sign > 0.0 { along } else { -across };
            (derivative * per_unit * per_unit) as f32
        });
    }
    out
}

/// Second derivatives along and across the gradient, for a spacing of 1.
#[inline(always)]
fn second_derivatives(above: &[f64], here: &[f64], below: &[f64]) -> (f64, f64) {
    let xx = (here[0] - here[1]) + (here[2] - here[1]);
    let yy = (above[1] - here[1]) + (below[1] - here[1]);
    let xy = ((above[0] - above[2]) + (below[2] - below[0])) / 4.0;
    let (x, y) = ((here[2] - here[0]) / 2.0, (below[1] - above[1]) / 2.0);
    let squared = x * x + y * y;
    // The squares and the product of the cosine and sine of the gradient's direction, or their means.
    let (cc, ss, cs) =
        if squared > 0.0 { (x * x / squared, y * y / squared, x * y / squared) } else { (0.5, 0.5, 0.0) };
    (cc * xx + ss * yy + 2.0 * cs * xy, ss * xx + cc * yy - 2.0 * cs * xy)
}

/// Row `row + offset - 1` with one more height at each end.
fn extended_row(map: &Heightmap, row: usize, offset: usize, boundary: Boundary, out: &mut [f64]) {
    let (h, w) = (map.height(), map.width());
    let inner = &mut out[1..=w];
    let copy = |inner: &mut [f64], row: usize| {
        for (out, &height) in inner.iter_mut().zip(map.grid().row(row)) {
            *out = f64::from(height);
        }
    };
    match boundary {
        Boundary::Wrap => copy(inner, (row + h + offset - 1) % h),
        Boundary::Open if (1..=h).contains(&(row + offset)) => copy(inner, row + offset - 1),
        Boundary::Open => {
            let nearest = |step: usize| {
                let step = step.min(h - 1);
                map.grid().row(if offset == 0 { step } else { h - 1 - step })
            };
            let (first, second, third) = (nearest(0), nearest(1), nearest(2));
            for (column, out) in inner.iter_mut().enumerate() {
                *out = beyond(h, first[column].into(), second[column].into(), third[column].into());
            }
        }
    }
    (out[0], out[w + 1]) = match boundary {
        Boundary::Wrap => (out[w], out[1]),
        Boundary::Open => {
            let (second, third) = (1.min(w - 1), 2.min(w - 1));
            (
                beyond(w, out[1], out[1 + second], out[1 + third]),
                beyond(w, out[w], out[w - second], out[w - third]),
            )
        }
    };
}

/// The height beyond the end of a line of `count` heights that ends with `third`, `second`, `first`.
fn beyond(count: usize, first: f64, second: f64, third: f64) -> f64 {
    match count {
        0 | 1 => first,
        2 => first + (first - second),
        _ => third + 3.0 * (first - second),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Domain;

    use super::*;

    const BOTH: [Boundary; 2] = [Boundary::Open, Boundary::Wrap];

    /// A map centred on (0, 0).
    fn centred(size: (usize, usize), spacing: f64, f: impl Fn(f64, f64) -> f64) -> Heightmap {
        let half = ((size.0 as f64 - 1.0) / 2.0, (size.1 as f64 - 1.0) / 2.0);
        Heightmap::from_fn(Domain::new(size.0, size.1).with_spacing(spacing), |x, y| {
            f((x as f64 - half.0) * spacing, (y as f64 - half.1) * spacing) as f32
        })
    }

    fn all_near(map: &Heightmap, wanted: f32, tolerance: f32) -> bool {
        map.samples().iter().all(|&found| (found - wanted).abs() <= tolerance)
    }

    /// One map on a pool of `threads`.
    fn on(threads: usize, map: &Heightmap, boundary: Boundary) -> Curvature {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| curvature(map, boundary))
    }

    fn bumps(size: (usize, usize)) -> Heightmap {
        Heightmap::from_fn(Domain::new(size.0, size.1).with_spacing(2.0), |x, y| {
            ((x * 37 + y * 91) % 17) as f32
        })
    }

    /// D = −1/8, E = 3/8, F = −7/16, G = 3/4 and H = 5/4 at a spacing of 2, from the paper's formulas.
    #[test]
    fn nine_heights_by_hand() {
        let heights = vec![2.0, 1.0, 3.0, 0.0, 2.0, 3.0, 9.0, 6.0, 3.0];
        let map = Heightmap::from_vec(Domain::new(3, 3).with_spacing(2.0), heights);
        let found = curvature(&map, Boundary::Open);
        let (d, e, f, g, h) = (-1.0 / 8.0, 3.0 / 8.0, -7.0 / 16.0, 3.0 / 4.0, 5.0 / 4.0);
        let squared: f64 = g * g + h * h;
        let profile = 2.0 * (d * g * g + e * h * h + f * g * h) / squared;
        let plan = -2.0 * (d * h * h + e * g * g - f * g * h) / squared;
        assert!((f64::from(found.profile[(1, 1)]) - profile).abs() < 1e-7, "{found:?} {profile}");
        assert!((f64::from(found.plan[(1, 1)]) - plan).abs() < 1e-7, "{found:?} {plan}");
    }

    /// The height is 3·x²: 6 along the slope, also on the border and on the flat line at x = 0, where the
    /// mean over all directions is half of it.
    #[test]
    fn a_valley_with_a_parabola_as_section() {
        let map = centred((9, 5), 0.5, |x, _| 3.0 * x * x);
        let Curvature { profile, plan } = curvature(&map, Boundary::Open);
        for row in 0..5 {
            for column in 0..9 {
                let wanted = if column == 4 { (3.0, -3.0) } else { (6.0, 0.0) };
                assert_eq!((profile[(column, row)], plan[(column, row)]), wanted, "{column} {row}");
            }
        }
    }

    /// A bowl has the same second derivative in all directions, so the flat bottom has no special value.
    #[test]
    fn a_bowl_is_concave_both_ways_and_a_dome_convex_both_ways() {
        for a in [0.25, -0.25] {
            let bowl = curvature(&centred((7, 9), 2.0, |x, y| a * (x * x + y * y)), Boundary::Open);
            assert!(all_near(&bowl.profile, 2.0 * a as f32, 0.0));
            assert!(all_near(&bowl.plan, -2.0 * a as f32, 0.0));
        }
    }

    /// The slope descends to the south. A spur is convex from side to side, a hollow concave.
    #[test]
    fn plan_curvature_is_positive_on_spurs_and_negative_in_hollows() {
        for (across, wanted) in [(-0.5, 1.0), (0.5, -1.0)] {
            let map = centred((5, 5), 1.0, |x, y| across * x * x - 4.0 * y);
            let found = curvature(&map, Boundary::Open);
            assert_eq!((found.plan[(2, 2)], found.profile[(2, 2)]), (wanted, 0.0));
        }
    }

    #[test]
    fn profile_curvature_is_positive_at_the_foot_and_negative_at_the_brow() {
        let ramp = |x: f64, _: f64| (x + 3.0).clamp(0.0, 6.0);
        let found = curvature(&centred((13, 3), 1.0, ramp), Boundary::Open);
        let line: Vec<f32> = (0..13).map(|column| found.profile[(column, 1)]).collect();
        assert_eq!(line, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
        assert!(all_near(&found.plan, 0.0, 0.0));
    }

    #[test]
    fn planes_are_not_curved() {
        let plane = centred((9, 7), 0.5, |x, y| 1.5 * x - 2.0 * y);
        let found = curvature(&plane, Boundary::Open);
        assert!(all_near(&found.profile, 0.0, 0.0) && all_near(&found.plan, 0.0, 0.0));
        for boundary in BOTH {
            let flat = curvature(&Heightmap::constant(Domain::new(4, 3), 1e6), boundary);
            assert!(all_near(&flat.profile, 0.0, 0.0) && all_near(&flat.plan, 0.0, 0.0));
        }
    }

    /// A cylinder of radius 100 whose axis lies at any angle: across it, the second derivative is
    /// −R² / (R² − t²)^1.5 at the distance t from the axis.
    #[test]
    fn a_cylinder_is_curved_across_its_axis_only() {
        for degrees in [0.0f64, 20.0, 45.0, 90.0, 130.0] {
            let (sin, cos) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
            let t = |x: f64, y: f64| 20.0 + x * cos + y * sin;
            let map = centred((9, 9), 1.0, |x, y| (1e4 - t(x, y) * t(x, y)).sqrt());
            let found = curvature(&map, Boundary::Open);
            for row in 1..8 {
                for column in 1..8 {
                    let t = t(column as f64 - 4.0, row as f64 - 4.0);
                    let wanted = -1e4 / libm::pow(1e4 - t * t, 1.5);
                    let profile = f64::from(found.profile[(column, row)]);
                    assert!((profile - wanted).abs() < 4e-5, "{degrees}: {profile} {wanted}");
                    assert!(found.plan[(column, row)].abs() < 4e-5, "{degrees}");
                }
            }
        }
    }

    /// A cap of radius 100: −R² / (R² − r²)^1.5 along the slope, 1 / (R² − r²)^0.5 across, with the sign of a
    /// spur.
    #[test]
    fn a_cap_of_a_sphere() {
        let map = centred((41, 41), 2.0, |x, y| (1e4 - x * x - y * y).sqrt());
        let found = curvature(&map, Boundary::Open);
        for row in 1..40 {
            for column in 1..40 {
                let (x, y) = ((column as f64 - 20.0) * 2.0, (row as f64 - 20.0) * 2.0);
                let left = 1e4 - x * x - y * y;
                let (profile, plan) = (-1e4 / libm::pow(left, 1.5), 1.0 / left.sqrt());
                assert!((f64::from(found.profile[(column, row)]) - profile).abs() < 6e-5, "{x} {y}");
                assert!((f64::from(found.plan[(column, row)]) - plan).abs() < 6e-5, "{x} {y}");
            }
        }
    }

    /// The parabola beyond the border has the second difference of the next sample inside. Repeated heights
    /// would give a rim as high as the slope.
    #[test]
    fn open_borders_have_no_rim() {
        let map = centred((33, 33), 1.0, |x, y| libm::exp(0.02 * x - 0.03 * y) * 100.0);
        let found = curvature(&map, Boundary::Open);
        for map in [found.profile, found.plan] {
            for at in 1..32 {
                for (rim, inside) in
                    [((0, at), (1, at)), ((32, at), (31, at)), ((at, 0), (at, 1)), ((at, 32), (at, 31))]
                {
                    assert!((map[rim] - map[inside]).abs() < 0.02, "{rim:?} {} {}", map[rim], map[inside]);
                }
            }
        }
    }

    #[test]
    fn the_border_of_a_torus_is_like_its_middle() {
        let map = bumps((17, 17));
        let shifted = Heightmap::from_fn(map.domain(), |x, y| map[((x + 9) % 17, (y + 5) % 17)]);
        let (a, b) = (curvature(&map, Boundary::Wrap), curvature(&shifted, Boundary::Wrap));
        for row in 0..17 {
            for column in 0..17 {
                let there = ((column + 9) % 17, (row + 5) % 17);
                assert_eq!(b.profile[(column, row)], a.profile[there]);
                assert_eq!(b.plan[(column, row)], a.plan[there]);
            }
        }
        assert_ne!(a.profile[(0, 0)], curvature(&map, Boundary::Open).profile[(0, 0)]);
    }

    #[test]
    fn tiny_maps_are_finite() {
        for boundary in BOTH {
            for size in [(1, 1), (1, 2), (2, 1), (2, 2), (1, 5), (5, 1), (3, 2)] {
                let found = curvature(&bumps(size), boundary);
                for map in [&found.profile, &found.plan] {
                    assert_eq!(map.domain().size, size);
                    assert!(map.samples().iter().all(|value| value.is_finite()), "{size:?}");
                }
            }
            let one = curvature(&bumps((1, 1)), boundary);
            assert_eq!((one.profile.samples(), one.plan.samples()), (&[0.0][..], &[0.0][..]));
        }
        // A line of heights x² has a second derivative of 2 along it, and none across.
        for size in [(1, 6), (6, 1)] {
            let line = curvature(&centred(size, 1.0, |x, y| x * x + y * y), Boundary::Open);
            assert!(all_near(&line.profile, 2.0, 0.0) && all_near(&line.plan, 0.0, 0.0));
        }
        let slope = curvature(&centred((2, 2), 1.0, |x, y| x + 3.0 * y), Boundary::Open);
        assert!(all_near(&slope.profile, 0.0, 0.0) && all_near(&slope.plan, 0.0, 0.0));
    }

    #[test]
    fn not_a_number_spreads_to_the_eight_neighbours_only() {
        for flat in [true, false] {
            let mut map = bumps((9, 9));
            if flat {
                map.samples_mut().fill(1.0);
            }
            map.samples_mut()[4 * 9 + 4] = f32::NAN;
            let found = curvature(&map, Boundary::Open);
            for row in 0..9usize {
                for column in 0..9usize {
                    let near = row.abs_diff(4) <= 1 && column.abs_diff(4) <= 1;
                    assert_eq!(found.profile[(column, row)].is_nan(), near, "{flat} {column} {row}");
                    assert_eq!(found.plan[(column, row)].is_nan(), near, "{flat} {column} {row}");
                }
            }
        }
    }

    #[test]
    fn bits_do_not_depend_on_threads() {
        let map = bumps((83, 101));
        for boundary in BOTH {
            assert_eq!(on(1, &map, boundary), on(3, &map, boundary));
        }
    }

    proptest! {
        /// The difference is the Laplacian, on any ground. No second derivative exceeds the norm of all of
        /// them, however small the slope. Upside down, both change their signs. Turned by a quarter, both
        /// turn along. Twice the spacing at twice the heights halves both.
        #[test]
        fn invariants(heights in prop::collection::vec(-50i16..50, 30), wrap in any::<bool>()) {
            let boundary = BOTH[usize::from(wrap)];
            let map = Heightmap::from_vec(Domain::new(6, 5), heights.into_iter().map(f32::from).collect());
            let found = curvature(&map, boundary);
            for row in 1..4 {
                for column in 1..5 {
                    let laplacian = map[(column - 1, row)] + map[(column + 1, row)] + map[(column, row - 1)]
                        + map[(column, row + 1)] - 4.0 * map[(column, row)];
                    let difference = found.profile[(column, row)] - found.plan[(column, row)];
                    prop_assert!((difference - laplacian).abs() < 1e-3);
                    let at = |x: usize, y: usize| map[(column + x - 1, row + y - 1)];
                    let xx = at(0, 1) - 2.0 * at(1, 1) + at(2, 1);
                    let yy = at(1, 0) - 2.0 * at(1, 1) + at(1, 2);
                    let xy = (at(0, 0) - at(2, 0) - at(0, 2) + at(2, 2)) / 4.0;
                    let norm = (xx * xx + yy * yy + 2.0 * xy * xy).sqrt() * 1.00001;
                    prop_assert!(found.profile[(column, row)].abs() <= norm);
                    prop_assert!(found.plan[(column, row)].abs() <= norm);
                }
            }
            let under = curvature(&map.with_grid(map.grid().map(|h| -h)), boundary);
            let turned = Heightmap::from_fn(Domain::new(5, 6), |x, y| map[(y, 4 - x)]);
            let turned = curvature(&turned, boundary);
            let domain = Domain::new(6, 5).with_spacing(2.0);
            let large = Heightmap::from_grid(domain, map.grid().map(|h| 2.0 * h));
            let large = curvature(&large, boundary);
            for row in 0..5 {
                for column in 0..6 {
                    let at = (column, row);
                    prop_assert_eq!(under.profile[at], -found.profile[at]);
                    prop_assert_eq!(under.plan[at], -found.plan[at]);
                    prop_assert!((turned.profile[(4 - row, column)] - found.profile[at]).abs() < 1e-3);
                    prop_assert!((turned.plan[(4 - row, column)] - found.plan[at]).abs() < 1e-3);
                    prop_assert_eq!(large.profile[at], found.profile[at] / 2.0);
                    prop_assert_eq!(large.plan[at], found.plan[at] / 2.0);
                }
            }
        }
    }
}
