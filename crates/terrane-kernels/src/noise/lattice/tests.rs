//! Compares the models with the paper's general construction, and checks their smoothness across cells.

use fearless_simd::{Fallback, f32x4, prelude::*, u32x4};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::super::cell::{Cell1, Cell2, Cell3};
use super::super::construction::{Construction, Index, indices};
use super::super::real::{Dual, Group, Real, Stored};
use super::super::smoothstep::Smoothstep;
use super::adini::Sloped;
use super::hermite::{Curved, Twisted};
use super::model::{Corners, Model};
use super::*;

/// Tolerance: values are sums of about a dozen terms of size 1, in single precision.
const CLOSE: f64 = 2.0e-5;

const ONE: Fallback = Fallback::new();

type Number = f32x4<Fallback>;

fn number(value: f32) -> Number {
    Number::splat(ONE, value)
}

/// The value of a cell at (u, v), with any derivatives.
fn real<M: Model, T: Real<Fallback>>(model: M, corners: Corners<M::Corner<Fallback>>, u: T, v: T) -> T {
    let (su, sv) = (Smoothstep::CUBIC.at(u), Smoothstep::CUBIC.at(v));
    let (column, row) = (model.column(corners, u, su), model.row(v, sv));
    (1..M::TERMS).fold(column[0], |sum, term| sum + row[term] * column[term])
}

/// The value of a cell at (u, v).
fn value<M: Model>(model: M, corners: Corners<M::Corner<Fallback>>, u: f32, v: f32) -> f32 {
    real::<_, Dual<0, _>>(model, corners, Dual::constant(ONE, u), Dual::constant(ONE, v)).value[0]
}

/// Value and slopes of a cell at (u, v).
fn sloped<M: Model>(model: M, corners: Corners<M::Corner<Fallback>>, u: f32, v: f32) -> (f32, [f32; 2]) {
    Group::first(real::<_, Dual<2, _>>(model, corners, Dual::along(0, number(u)), Dual::along(1, number(v))))
}

/// A corner's height h and its derivatives up to the second, in the order of `indices(2, 2, …)`: h, v, vv, u,
/// uv, uu.
type Given = [f32; 6];

/// The entry of [`Given`] for a derivative of these orders along u and v; 0 for higher derivatives.
fn entry(given: &Given, orders: &Index) -> f64 {
    let position = match orders[..] {
        [0, 0] => 0,
        [0, 1] => 1,
        [0, 2] => 2,
        [1, 0] => 3,
        [1, 1] => 4,
        [2, 0] => 5,
        _ => return 0.0,
    };
    f64::from(given[position])
}

/// Four corners in the order of [`Corners`], flattened.
fn corners<C>(given: &[Given; 4], corner: impl Fn(&Given) -> C) -> Corners<C> {
    let [a, b, c, d] = given.each_ref().map(corner);
    [[a, b], [c, d]]
}

fn flat(g: &Given) -> Number {
    number(g[0])
}

fn adini(g: &Given) -> Sloped<Number> {
    let [h, g, _, f, ..] = g.map(number);
    Sloped { h, f, g }
}

fn twisted(g: &Given) -> Twisted<Number> {
    let [h, g, _, f, fg, _] = g.map(number);
    Twisted { h, f, g, fg }
}

fn curved(g: &Given) -> Curved<Number> {
    let [h, v, vv, u, uv, uu] = g.map(number);
    Curved { h, slopes: [u, v], curvatures: [uu, uv, vv] }
}

fn given() -> impl Strategy<Value = [Given; 4]> {
    prop::array::uniform4(prop::array::uniform6(-1.0f32..1.0))
}

fn position() -> impl Strategy<Value = (f32, f32)> {
    (0.0f32..=1.0, 0.0f32..=1.0)
}

proptest! {
    #[test]
    fn models_match_the_construction(given in given(), (u, v) in position()) {
        let at = [f64::from(u), f64::from(v)];
        let all = |corner: usize, orders: &Index| entry(&given[corner], orders);
        let heights = |corner: usize, orders: &Index| {
            if orders.iter().sum::<usize>() == 0 { all(corner, orders) } else { 0.0 }
        };
        let (m1, bicubic, biquintic) =
            (Construction::least(2, 1), Construction::tensor(2, 1), Construction::tensor(2, 2));
        let close = |found: f32, expected: f64, name: &str| {
            prop_assert!((f64::from(found) - expected).abs() < CLOSE, "{name}: {found} {expected}");
            Ok(())
        };
        let flat = corners(&given, flat);
        close(value(Adini::new(1.0), corners(&given, adini), u, v), m1.at(all, &at), "D2M1N3")?;
        close(value(ZeroGradient::new(1), flat, u, v), m1.at(heights, &at), "zero gradient")?;
        close(value(Value, flat, u, v), bicubic.at(heights, &at), "value")?;
        close(
            value(BicubicHermite::new(1.0), corners(&given, twisted), u, v),
            bicubic.at(all, &at),
            "Hermite",
        )?;
        let second = |corner: usize, orders: &Index| {
            if orders.iter().sum::<usize>() <= 2 { all(corner, orders) } else { 0.0 }
        };
        close(
            value(BiquinticHermite::new(1.0), corners(&given, curved), u, v),
            biquintic.at(second, &at),
            "D2M2",
        )?;
    }

    #[test]
    fn cells_of_any_dimension_match_the_construction(
        given in prop::array::uniform8(prop::array::uniform4(-1.0f32..1.0)),
        at in prop::array::uniform3(0.0f32..=1.0),
    ) {
        let value = |corner: usize, orders: &Index| {
            let axis = orders.iter().position(|&order| order == 1);
            f64::from(given[corner][axis.map_or(0, |axis| axis + 1)])
        };
        let wide: Vec<f64> = at.iter().map(|&x| f64::from(x)).collect();
        let heights = given.map(|g| g[0]);
        let line = Cell1 { heights: [heights[0], heights[1]], slopes: [[given[0][1]], [given[1][1]]] };
        let square = Cell2 {
            heights: std::array::from_fn(|i| heights[i]),
            slopes: std::array::from_fn(|i| [given[i][1], given[i][2]]),
        };
        let cube = Cell3 { heights, slopes: given.map(|g| [g[1], g[2], g[3]]) };
        let found = [line.at([at[0]]), square.at([at[0], at[1]]), cube.at(at)];
        for (d, found) in (1..).zip(found) {
            let expected = Construction::least(d, 1).at(value, &wide[..d]);
            prop_assert!((f64::from(found) - expected).abs() < CLOSE, "D{d}M1N3: {found} {expected}");
        }
    }

    #[test]
    fn perlin_is_the_blend_of_its_planes(bits in prop::array::uniform4(any::<u32>()), (u, v) in position()) {
        let corners = bits.map(|bits| Perlin.corner(ONE, u32x4::splat(ONE, bits)));
        let [a, b, c, d] = corners.map(|(f, g)| (f[0], g[0]));
        let s = |t: f32| t * t * (3.0 - 2.0 * t);
        let plane = |(f, g): (f32, f32), x: f32, y: f32| f * x + g * y;
        let upper = plane(a, u, v) + s(u) * (plane(b, u - 1.0, v) - plane(a, u, v));
        let lower = plane(c, u, v - 1.0) + s(u) * (plane(d, u - 1.0, v - 1.0) - plane(c, u, v - 1.0));
        let found = value(Perlin, [[corners[0], corners[1]], [corners[2], corners[3]]], u, v);
        prop_assert!((found - (upper + s(v) * (lower - upper))).abs() < 2.0e-6);
    }
}

#[test]
fn constraints_are_counted_as_in_the_paper() {
    // The expected counts follow the paper's equation 4.
    for (d, m, constraints) in [(1, 1, 4), (2, 1, 12), (3, 1, 32), (2, 2, 24)] {
        let least = Construction::least(d, m);
        assert_eq!(least.constraints(), constraints);
        assert_eq!((least.coefficients(), least.rank()), (constraints, constraints), "D{d}M{m}");
    }
}

#[test]
fn d2m2_needs_degree_five() {
    let second = indices(2, 2, |order| order.iter().sum::<usize>() <= 2);
    let with_degree = |n| Construction::new(2, indices(2, n, |_| true), second.clone());
    let quartic = with_degree(4);
    // There are more coefficients than constraints. Still, for some corner values there is no
    // polynomial of degree 4.
    assert_eq!((quartic.coefficients(), quartic.constraints()), (25, 24));
    assert!(quartic.rank() < 24, "{}", quartic.rank());
    assert_eq!(with_degree(5).rank(), 24);
}

/// The maximum jump of value, slope and second derivative across the edge between two cells, over many
/// random corners.
fn jumps<M: Model>(model: M, corner: impl Fn(&Given) -> M::Corner<Fallback>) -> [f32; 3] {
    let mut most = [0.0f32; 3];
    let mut random = StdRng::seed_from_u64(1);
    let mut draw = || random.random_range(-1.0..1.0);
    for _ in 0..200 {
        // Two rows of three corners.
        let all: [[M::Corner<Fallback>; 3]; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| corner(&std::array::from_fn(|_| draw()))));
        let left = all.map(|row| [row[0], row[1]]);
        let right = all.map(|row| [row[1], row[2]]);
        for i in 0..=16 {
            let v = i as f32 / 16.0;
            let (a, b) = (sloped(model, left, 1.0, v), sloped(model, right, 0.0, v));
            let h = 1.0 / 256.0;
            let bend = |cell, at: f32, towards: f32| {
                let [near, mid, far] =
                    [0.0, 1.0, 2.0].map(|n| sloped(model, cell, at + towards * n * h, v).1[0]);
                // One-sided derivative of the slope.
                towards * (-1.5 * near + 2.0 * mid - 0.5 * far) / h
            };
            let found = [
                (a.0 - b.0).abs(),
                (a.1[0] - b.1[0]).abs(),
                (bend(left, 1.0, -1.0) - bend(right, 0.0, 1.0)).abs(),
            ];
            for (most, found) in most.iter_mut().zip(found) {
                *most = most.max(found);
            }
        }
    }
    most
}

#[test]
fn continuity_is_as_documented() {
    let [value, slope, _] = jumps(ZeroGradient::new(1), flat);
    // A (see `ZeroGradient`) lies within [−4, 4], so it differs by at most 8 between cells. |S(v) − v| is at
    // most 0.0963.
    assert!(value < 1e-5 && slope > 0.2 && slope < 0.0963 * 8.0, "zero gradient: {value} {slope}");
    let [value, slope, _] = jumps(Adini::new(1.0), adini);
    assert!(value < 1e-5 && slope > 0.2, "D2M1N3: {value} {slope}");
    for (name, [value, slope, bend]) in [
        ("value", jumps(Value, flat)),
        ("Hermite", jumps(BicubicHermite::new(1.0), twisted)),
        ("Perlin", jumps(Perlin, |g| (number(g[0]), number(g[1])))),
    ] {
        assert!(value < 1e-5 && slope < 1e-4 && bend > 1.0, "{name}: {value} {slope} {bend}");
    }
    let [value, slope, bend] = jumps(BiquinticHermite::new(1.0), curved);
    // The second derivative is computed from differences of slopes. Its error is about 0.01.
    assert!(value < 1e-5 && slope < 1e-4 && bend < 0.05, "D2M2: {value} {slope} {bend}");
}

#[test]
fn no_corners_go_beyond_the_bound() {
    /// The maximum value for corners of ±1: the sum of the absolute shares of all numbers at the corners. A
    /// number's share is found by setting it to 1 and all other numbers to 0.
    fn most<M: Model>(model: M, zero: M::Corner<Fallback>, ones: &[M::Corner<Fallback>]) -> f32 {
        let mut most = 0.0f32;
        for i in 0..=64 {
            for j in 0..=64 {
                let (u, v) = (i as f32 / 64.0, j as f32 / 64.0);
                let mut sum = 0.0;
                for one in ones {
                    for corner in 0..4 {
                        let mut cell = [[zero; 2]; 2];
                        cell[corner / 2][corner % 2] = *one;
                        sum += value(model, cell, u, v).abs();
                    }
                }
                most = most.max(sum);
            }
        }
        most
    }
    let unit = |i: usize| std::array::from_fn::<f32, 6, _>(|j| if i == j { 1.0 } else { 0.0 });
    let close = |found: f32, bound: f32| assert!(found <= bound && found > bound - 2e-3, "{found} {bound}");
    let (zero, one) = (number(0.0), number(1.0));
    close(most(Value, zero, &[one]), 1.0 + 1e-6);
    close(most(ZeroGradient::new(1), zero, &[one]), 1.009_766);
    let (slopes, twist) = ([adini(&unit(1)), adini(&unit(3))], [1, 3, 4].map(|i| twisted(&unit(i))));
    close(most(Adini::new(1.0), adini(&[0.0; 6]), &slopes), 0.5 + 1e-6);
    close(most(BicubicHermite::new(1.0), twisted(&[0.0; 6]), &twist), 0.5625 + 1e-6);
    let curve = [1, 2, 3, 4, 5].map(|i| curved(&unit(i)));
    close(most(BiquinticHermite::new(1.0), curved(&[0.0; 6]), &curve), 0.785_157);
}
