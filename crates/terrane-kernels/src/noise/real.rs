//! Numbers that may carry derivatives. A formula that is written once yields either its value alone, or its
//! value and its slopes.

#![expect(clippy::needless_range_loop, reason = "parallel arrays with one index: the form that vectorises")]

use std::ops::{Add, Mul, Range, Sub};

use fearless_simd::prelude::*;

use super::axis::LANES;
use crate::simd::{load, store};

/// The number type of the noise formulas: a vector of numbers, one per sample.
pub trait Real<S: Simd>: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// A number with zero derivatives.
    fn given(value: S::f32s) -> Self;

    /// The number without its derivatives.
    fn value(self) -> S::f32s;

    /// `self` where `condition` holds, `other` elsewhere, without a branch.
    fn select(self, condition: S::mask32s, other: Self) -> Self;

    /// The absolute value.
    fn abs(self) -> Self;

    /// The same constant for all samples.
    #[inline(always)]
    fn constant(simd: S, value: f32) -> Self {
        Self::given(S::f32s::splat(simd, value))
    }

    /// The level's token.
    #[inline(always)]
    fn simd(self) -> S {
        self.value().token()
    }

    /// The maximum of the number and 0. Where it is 0, its derivatives are 0.
    #[inline(always)]
    fn or_zero(self) -> Self {
        self.select(self.value().simd_gt(0.0), Self::constant(self.simd(), 0.0))
    }
}

/// A number with its derivatives along `N` axes (forward differentiation). Its value has the same bits for
/// every `N`.
#[derive(Clone, Copy, Debug)]
pub struct Dual<const N: usize, S: Simd> {
    /// The number.
    pub value: S::f32s,
    /// Its derivatives.
    pub slopes: [S::f32s; N],
}

impl<const N: usize, S: Simd> Dual<N, S> {
    /// A coordinate along an axis: its derivative is 1 along this axis and 0 along the others.
    #[inline(always)]
    pub fn along(axis: usize, value: S::f32s) -> Self {
        let mut coordinate = Self::given(value);
        coordinate.slopes[axis] = S::f32s::splat(value.token(), 1.0);
        coordinate
    }
}

impl<const N: usize, S: Simd> Real<S> for Dual<N, S> {
    #[inline(always)]
    fn given(value: S::f32s) -> Self {
        Self { value, slopes: [S::f32s::splat(value.token(), 0.0); N] }
    }

    #[inline(always)]
    fn value(self) -> S::f32s {
        self.value
    }

    #[inline(always)]
    fn select(mut self, condition: S::mask32s, other: Self) -> Self {
        self.value = condition.select(self.value, other.value);
        for axis in 0..N {
            self.slopes[axis] = condition.select(self.slopes[axis], other.slopes[axis]);
        }
        self
    }

    #[inline(always)]
    fn abs(self) -> Self {
        if N == 0 {
            return Self { value: self.value.abs(), ..self };
        }
        self.select(self.value.simd_ge(0.0), Self::constant(self.simd(), 0.0) - self)
    }
}

impl<const N: usize, S: Simd> Add for Dual<N, S> {
    type Output = Self;

    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self.value += other.value;
        for axis in 0..N {
            self.slopes[axis] += other.slopes[axis];
        }
        self
    }
}

impl<const N: usize, S: Simd> Sub for Dual<N, S> {
    type Output = Self;

    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        self.value -= other.value;
        for axis in 0..N {
            self.slopes[axis] -= other.slopes[axis];
        }
        self
    }
}

impl<const N: usize, S: Simd> Mul for Dual<N, S> {
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

/// Numbers as tables and tiles store them: one per sample of a group, whatever the length of vectors.
pub trait Stored: Copy + Send + Sync {
    /// A vector of the numbers.
    type Of<S: Simd>: Real<S>;

    /// One of the numbers.
    type One: Copy + Send + Sync;

    /// Zeros.
    const ZERO: Self;

    /// Reads numbers from lane `at` on.
    fn load<S: Simd>(&self, simd: S, at: usize) -> Self::Of<S>;

    /// Writes numbers from lane `at` on.
    fn store<S: Simd>(&mut self, numbers: Self::Of<S>, at: usize);

    /// The first of the numbers.
    fn first<S: Simd>(numbers: Self::Of<S>) -> Self::One;

    /// The same number for all samples.
    fn everywhere<S: Simd>(simd: S, number: Self::One) -> Self::Of<S>;

    /// Writes the first values, and the slopes if any, to a range of each plane that has this range.
    fn put(&self, out: &mut [&mut [f32]; 3], range: Range<usize>);
}

/// Numbers with their derivatives along `N` axes, one per sample of a group.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Group<const N: usize> {
    value: [f32; LANES],
    slopes: [[f32; LANES]; N],
}

impl<const N: usize> Stored for Group<N> {
    type Of<S: Simd> = Dual<N, S>;
    type One = (f32, [f32; N]);
    const ZERO: Self = Self { value: [0.0; LANES], slopes: [[0.0; LANES]; N] };

    #[inline(always)]
    fn load<S: Simd>(&self, simd: S, at: usize) -> Dual<N, S> {
        let mut numbers = Dual::given(load(simd, &self.value[at..]));
        for axis in 0..N {
            numbers.slopes[axis] = load(simd, &self.slopes[axis][at..]);
        }
        numbers
    }

    #[inline(always)]
    fn store<S: Simd>(&mut self, numbers: Dual<N, S>, at: usize) {
        store(numbers.simd(), numbers.value, &mut self.value[at..]);
        for axis in 0..N {
            store(numbers.simd(), numbers.slopes[axis], &mut self.slopes[axis][at..]);
        }
    }

    #[inline(always)]
    fn first<S: Simd>(numbers: Dual<N, S>) -> (f32, [f32; N]) {
        (numbers.value[0], numbers.slopes.map(|slope| slope[0]))
    }

    #[inline(always)]
    fn everywhere<S: Simd>(simd: S, (value, slopes): (f32, [f32; N])) -> Dual<N, S> {
        let mut numbers = Dual::constant(simd, value);
        for axis in 0..N {
            numbers.slopes[axis] = S::f32s::splat(simd, slopes[axis]);
        }
        numbers
    }

    #[inline(always)]
    fn put(&self, out: &mut [&mut [f32]; 3], range: Range<usize>) {
        for (plane, out) in out.iter_mut().enumerate().take(N + 1) {
            let from = if plane == 0 { &self.value } else { &self.slopes[plane - 1] };
            let Some(to) = out.get_mut(range.clone()) else { continue };
            // Whole groups are copied as vectors, without a call.
            match to.first_chunk_mut() {
                Some(to) => *to = *from,
                None => to.copy_from_slice(&from[..to.len()]),
            }
        }
    }
}

/// Whether noise yields heights only, or slopes too.
pub trait Depth: Send + Sync {
    /// Numbers that depend on one axis.
    type Along: Stored;

    /// Numbers that depend on both axes.
    type Value: Stored;

    /// Whether octaves may be summed as they are computed, which needs registers for several vectors at
    /// once.
    const AT_ONCE: bool;

    /// A coordinate.
    fn coordinate<S: Simd>(t: S::f32s) -> Along<Self, S>;

    /// Both coordinates.
    fn coordinates<S: Simd>(x: S::f32s, y: S::f32s) -> (Value<Self, S>, Value<Self, S>);

    /// A factor that depends on the column alone.
    fn of_column<S: Simd>(column: Along<Self, S>) -> Value<Self, S>;

    /// The product of a column's and a row's factor.
    fn product<S: Simd>(column: Along<Self, S>, row: Along<Self, S>) -> Value<Self, S>;

    /// Divides the derivatives by these factors, for coordinates that are longer by the factors.
    fn stretched<S: Simd>(value: Value<Self, S>, factors: [f32; 2]) -> Value<Self, S>;

    /// Converts derivatives from coordinates (a, b) to coordinates (x, y), by `[[∂a/∂x, ∂a/∂y], [∂b/∂x,
    /// ∂b/∂y]]`.
    fn turned<S: Simd>(value: Value<Self, S>, by: [[f32; 2]; 2]) -> Value<Self, S>;
}

/// A vector of numbers that depend on one axis.
pub type Along<D, S> = <<D as Depth>::Along as Stored>::Of<S>;

/// A vector of numbers that depend on both axes.
pub type Value<D, S> = <<D as Depth>::Value as Stored>::Of<S>;

/// Heights alone.
pub struct Heights;

impl Depth for Heights {
    type Along = Group<0>;
    type Value = Group<0>;
    const AT_ONCE: bool = true;

    #[inline(always)]
    fn coordinate<S: Simd>(t: S::f32s) -> Dual<0, S> {
        Dual::given(t)
    }

    #[inline(always)]
    fn coordinates<S: Simd>(x: S::f32s, y: S::f32s) -> (Dual<0, S>, Dual<0, S>) {
        (Dual::given(x), Dual::given(y))
    }

    #[inline(always)]
    fn of_column<S: Simd>(column: Dual<0, S>) -> Dual<0, S> {
        column
    }

    #[inline(always)]
    fn product<S: Simd>(column: Dual<0, S>, row: Dual<0, S>) -> Dual<0, S> {
        row * column
    }

    #[inline(always)]
    fn stretched<S: Simd>(value: Dual<0, S>, _: [f32; 2]) -> Dual<0, S> {
        value
    }

    #[inline(always)]
    fn turned<S: Simd>(value: Dual<0, S>, _: [[f32; 2]; 2]) -> Dual<0, S> {
        value
    }
}

/// Heights and slopes.
pub struct Slopes;

impl Depth for Slopes {
    type Along = Group<1>;
    type Value = Group<2>;
    const AT_ONCE: bool = false;

    #[inline(always)]
    fn coordinate<S: Simd>(t: S::f32s) -> Dual<1, S> {
        Dual::along(0, t)
    }

    #[inline(always)]
    fn coordinates<S: Simd>(x: S::f32s, y: S::f32s) -> (Dual<2, S>, Dual<2, S>) {
        (Dual::along(0, x), Dual::along(1, y))
    }

    #[inline(always)]
    fn of_column<S: Simd>(column: Dual<1, S>) -> Dual<2, S> {
        Dual { value: column.value, slopes: [column.slopes[0], S::f32s::splat(column.simd(), 0.0)] }
    }

    #[inline(always)]
    fn product<S: Simd>(column: Dual<1, S>, row: Dual<1, S>) -> Dual<2, S> {
        Dual {
            value: row.value * column.value,
            slopes: [row.value * column.slopes[0], row.slopes[0] * column.value],
        }
    }

    #[inline(always)]
    fn stretched<S: Simd>(value: Dual<2, S>, [x, y]: [f32; 2]) -> Dual<2, S> {
        Dual { value: value.value, slopes: [value.slopes[0] * (1.0 / x), value.slopes[1] * (1.0 / y)] }
    }

    #[inline(always)]
    fn turned<S: Simd>(value: Dual<2, S>, [a, b]: [[f32; 2]; 2]) -> Dual<2, S> {
        let [along_a, along_b] = value.slopes;
        let slopes = [along_a * a[0] + along_b * b[0], along_a * a[1] + along_b * b[1]];
        Dual { value: value.value, slopes }
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Fallback, f32x4};

    use super::*;

    #[test]
    fn products_and_folds_differentiate() {
        let number = |x: f32| f32x4::splat(Fallback::new(), x);
        let (x, y) = (Dual::<2, Fallback>::along(0, number(3.0)), Dual::along(1, number(-2.0)));
        // d(x·y²)/dx = y² = 4, d/dy = 2xy = −12.
        assert_eq!(Group::first(x * y * y), (12.0, [4.0, -12.0]));
        assert_eq!(Group::first(y.abs()), (2.0, [0.0, -1.0]));
        assert_eq!(Group::first(y.or_zero()), (0.0, [0.0, 0.0]));
    }
}
