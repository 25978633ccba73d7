//! Numbers that may carry derivatives. A formula that is written once yields either its value alone, or its
//! value and its slopes.

#![expect(clippy::needless_range_loop, reason = "parallel arrays with one index: the form that vectorises")]

use std::ops::{Add, Mul, Sub};

use super::axis::LANES;
use crate::simd::Floats;

/// The number type of the noise formulas.
pub trait Real: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// A vector of numbers without derivatives, one number per sample.
    type Lanes: Floats;

    /// A number with zero derivatives.
    fn given(value: Self::Lanes) -> Self;

    /// The number without its derivatives.
    fn value(self) -> Self::Lanes;

    /// `self` where `condition` holds, `other` elsewhere, without a branch.
    fn select(self, condition: <Self::Lanes as Floats>::Mask, other: Self) -> Self;

    /// The absolute value.
    fn abs(self) -> Self;

    /// The same constant for all samples.
    #[inline(always)]
    fn constant(value: f32) -> Self {
        Self::given(Self::Lanes::splat(value))
    }

    /// The maximum of the number and 0. Where it is 0, its derivatives are 0.
    #[inline(always)]
    fn or_zero(self) -> Self {
        self.select(self.value().above(Self::Lanes::splat(0.0)), Self::constant(0.0))
    }
}

impl<F: Floats> Real for F {
    type Lanes = F;

    #[inline(always)]
    fn given(value: F) -> Self {
        value
    }

    #[inline(always)]
    fn value(self) -> F {
        self
    }

    #[inline(always)]
    fn select(self, condition: F::Mask, other: Self) -> Self {
        F::select(condition, self, other)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.magnitude()
    }
}

/// A number with its derivatives along `N` axes (forward differentiation). Its value has the same bits as
/// plain `f32` arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize, F = f32> {
    /// The number.
    pub value: F,
    /// Its derivatives.
    pub slopes: [F; N],
}

impl<const N: usize, F: Floats> Dual<N, F> {
    /// A coordinate along an axis: its derivative is 1 along this axis and 0 along the others.
    #[inline(always)]
    pub fn along(axis: usize, value: F) -> Self {
        let mut slopes = [F::splat(0.0); N];
        slopes[axis] = F::splat(1.0);
        Self { value, slopes }
    }
}

impl<const N: usize, F: Floats> Real for Dual<N, F> {
    type Lanes = F;

    #[inline(always)]
    fn given(value: F) -> Self {
        Self { value, slopes: [F::splat(0.0); N] }
    }

    #[inline(always)]
    fn value(self) -> F {
        self.value
    }

    #[inline(always)]
    fn select(mut self, condition: F::Mask, other: Self) -> Self {
        self.value = F::select(condition, self.value, other.value);
        for axis in 0..N {
            self.slopes[axis] = F::select(condition, self.slopes[axis], other.slopes[axis]);
        }
        self
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.select(self.value.at_least(F::splat(0.0)), Self::constant(0.0) - self)
    }
}

impl<const N: usize, F: Floats> Add for Dual<N, F> {
    type Output = Self;

    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self.value = self.value + other.value;
        for axis in 0..N {
            self.slopes[axis] = self.slopes[axis] + other.slopes[axis];
        }
        self
    }
}

impl<const N: usize, F: Floats> Sub for Dual<N, F> {
    type Output = Self;

    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        self.value = self.value - other.value;
        for axis in 0..N {
            self.slopes[axis] = self.slopes[axis] - other.slopes[axis];
        }
        self
    }
}

impl<const N: usize, F: Floats> Mul for Dual<N, F> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let mut slopes = self.slopes;
        for axis in 0..N {
            slopes[axis] = self.slopes[axis] * other.value + self.value * other.slopes[axis];
        }
        Self { value: self.value * other.value, slopes }
    }
}

/// Whether noise yields heights only, or slopes too. Tables and tiles store numbers per sample, not vectors.
pub trait Depth: Send + Sync {
    /// Numbers that depend on one axis.
    type Along<F: Floats>: Real<Lanes = F> + Send + Sync;

    /// Numbers that depend on both axes.
    type Value<F: Floats>: Real<Lanes = F>;

    /// Whether octaves may be summed as they are computed, which needs registers for several vectors at
    /// once.
    const AT_ONCE: bool;

    /// A coordinate.
    fn coordinate<F: Floats>(t: F) -> Self::Along<F>;

    /// Both coordinates.
    fn coordinates<F: Floats>(x: F, y: F) -> (Self::Value<F>, Self::Value<F>);

    /// A factor that depends on the column alone.
    fn of_column<F: Floats>(column: Self::Along<F>) -> Self::Value<F>;

    /// The product of a column's and a row's factor.
    fn product<F: Floats>(column: Self::Along<F>, row: Self::Along<F>) -> Self::Value<F>;

    /// Divides the derivatives by these factors, for coordinates that are longer by the factors.
    fn stretched<F: Floats>(value: Self::Value<F>, factors: [f32; 2]) -> Self::Value<F>;

    /// Converts derivatives from coordinates (a, b) to coordinates (x, y), by `[[∂a/∂x, ∂a/∂y], [∂b/∂x,
    /// ∂b/∂y]]`.
    fn turned<F: Floats>(value: Self::Value<F>, by: [[f32; 2]; 2]) -> Self::Value<F>;

    /// The same number for all samples.
    fn everywhere<F: Floats>(number: Self::Along<f32>) -> Self::Along<F>;

    /// Reads numbers from lane `at` on.
    fn load<F: Floats>(from: &[Self::Along<f32>; LANES], at: usize) -> Self::Along<F>;

    /// Writes numbers from lane `at` on.
    fn store_along<F: Floats>(numbers: Self::Along<F>, to: &mut [Self::Along<f32>; LANES], at: usize);

    /// Writes numbers from lane `at` on.
    fn store<F: Floats>(numbers: Self::Value<F>, to: &mut [Self::Value<f32>; LANES], at: usize);

    /// Reads numbers from lane `at` on.
    fn load_value<F: Floats>(from: &[Self::Value<f32>; LANES], at: usize) -> Self::Value<F>;

    /// Writes the values, and the slopes if any, to memory of the same length.
    fn put(values: &[Self::Value<f32>], out: [&mut [f32]; 3]);
}

/// Heights alone.
pub struct Heights;

impl Depth for Heights {
    type Along<F: Floats> = F;
    type Value<F: Floats> = F;
    const AT_ONCE: bool = true;

    #[inline(always)]
    fn coordinate<F: Floats>(t: F) -> F {
        t
    }

    #[inline(always)]
    fn coordinates<F: Floats>(x: F, y: F) -> (F, F) {
        (x, y)
    }

    #[inline(always)]
    fn of_column<F: Floats>(column: F) -> F {
        column
    }

    #[inline(always)]
    fn product<F: Floats>(column: F, row: F) -> F {
        row * column
    }

    #[inline(always)]
    fn stretched<F: Floats>(value: F, _: [f32; 2]) -> F {
        value
    }

    #[inline(always)]
    fn turned<F: Floats>(value: F, _: [[f32; 2]; 2]) -> F {
        value
    }

    #[inline(always)]
    fn everywhere<F: Floats>(number: f32) -> F {
        F::splat(number)
    }

    #[inline(always)]
    fn load<F: Floats>(from: &[f32; LANES], at: usize) -> F {
        F::load(&from[at..])
    }

    #[inline(always)]
    fn store_along<F: Floats>(numbers: F, to: &mut [f32; LANES], at: usize) {
        numbers.store(&mut to[at..]);
    }

    #[inline(always)]
    fn store<F: Floats>(numbers: F, to: &mut [f32; LANES], at: usize) {
        numbers.store(&mut to[at..]);
    }

    #[inline(always)]
    fn load_value<F: Floats>(from: &[f32; LANES], at: usize) -> F {
        F::load(&from[at..])
    }

    #[inline(always)]
    fn put(values: &[f32], [heights, ..]: [&mut [f32]; 3]) {
        heights.copy_from_slice(values);
    }
}

/// Heights and slopes.
pub struct Slopes;

impl Depth for Slopes {
    type Along<F: Floats> = Dual<1, F>;
    type Value<F: Floats> = Dual<2, F>;
    const AT_ONCE: bool = false;

    #[inline(always)]
    fn coordinate<F: Floats>(t: F) -> Dual<1, F> {
        Dual::along(0, t)
    }

    #[inline(always)]
    fn coordinates<F: Floats>(x: F, y: F) -> (Dual<2, F>, Dual<2, F>) {
        (Dual::along(0, x), Dual::along(1, y))
    }

    #[inline(always)]
    fn of_column<F: Floats>(column: Dual<1, F>) -> Dual<2, F> {
        Dual { value: column.value, slopes: [column.slopes[0], F::splat(0.0)] }
    }

    #[inline(always)]
    fn product<F: Floats>(column: Dual<1, F>, row: Dual<1, F>) -> Dual<2, F> {
        Dual {
            value: row.value * column.value,
            slopes: [row.value * column.slopes[0], row.slopes[0] * column.value],
        }
    }

    #[inline(always)]
    fn stretched<F: Floats>(value: Dual<2, F>, factors: [f32; 2]) -> Dual<2, F> {
        let [x, y] = factors.map(|factor| F::splat(1.0 / factor));
        Dual { value: value.value, slopes: [value.slopes[0] * x, value.slopes[1] * y] }
    }

    #[inline(always)]
    fn turned<F: Floats>(value: Dual<2, F>, by: [[f32; 2]; 2]) -> Dual<2, F> {
        let along =
            |axis: usize| value.slopes[0] * F::splat(by[0][axis]) + value.slopes[1] * F::splat(by[1][axis]);
        Dual { value: value.value, slopes: [along(0), along(1)] }
    }

    #[inline(always)]
    fn everywhere<F: Floats>(number: Dual<1>) -> Dual<1, F> {
        Dual { value: F::splat(number.value), slopes: [F::splat(number.slopes[0])] }
    }

    #[inline(always)]
    fn load<F: Floats>(from: &[Dual<1>; LANES], at: usize) -> Dual<1, F> {
        let (mut values, mut slopes) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            (values[lane], slopes[lane]) = (from[lane].value, from[lane].slopes[0]);
        }
        Dual { value: F::load(&values[at..]), slopes: [F::load(&slopes[at..])] }
    }

    #[inline(always)]
    fn store_along<F: Floats>(numbers: Dual<1, F>, to: &mut [Dual<1>; LANES], at: usize) {
        let (mut values, mut slopes) = ([0.0; LANES], [0.0; LANES]);
        numbers.value.store(&mut values);
        numbers.slopes[0].store(&mut slopes);
        for lane in 0..F::LANES {
            to[at + lane] = Dual { value: values[lane], slopes: [slopes[lane]] };
        }
    }

    #[inline(always)]
    fn store<F: Floats>(numbers: Dual<2, F>, to: &mut [Dual<2>; LANES], at: usize) {
        let (mut values, mut along_x, mut along_y) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        numbers.value.store(&mut values);
        numbers.slopes[0].store(&mut along_x);
        numbers.slopes[1].store(&mut along_y);
        for lane in 0..F::LANES {
            to[at + lane] = Dual { value: values[lane], slopes: [along_x[lane], along_y[lane]] };
        }
    }

    #[inline(always)]
    fn load_value<F: Floats>(from: &[Dual<2>; LANES], at: usize) -> Dual<2, F> {
        let (mut values, mut along_x, mut along_y) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            (values[lane], [along_x[lane], along_y[lane]]) = (from[lane].value, from[lane].slopes);
        }
        Dual { value: F::load(&values[at..]), slopes: [F::load(&along_x[at..]), F::load(&along_y[at..])] }
    }

    #[inline(always)]
    fn put(values: &[Dual<2>], [heights, along_x, along_y]: [&mut [f32]; 3]) {
        let out = heights.iter_mut().zip(along_x).zip(along_y);
        for (((height, x), y), value) in out.zip(values) {
            (*height, *x, *y) = (value.value, value.slopes[0], value.slopes[1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_folds_differentiate() {
        let (x, y) = (Dual::<2>::along(0, 3.0), Dual::<2>::along(1, -2.0));
        // d(x·y²)/dx = y² = 4, d/dy = 2xy = −12.
        assert_eq!(x * y * y, Dual { value: 12.0, slopes: [4.0, -12.0] });
        assert_eq!(y.abs(), Dual { value: 2.0, slopes: [0.0, -1.0] });
        assert_eq!(y.or_zero(), Dual { value: 0.0, slopes: [0.0, 0.0] });
    }
}
