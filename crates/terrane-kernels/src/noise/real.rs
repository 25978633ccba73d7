//! Numbers that may carry derivatives: a formula written once gives its value, or its value and its slopes.

#![expect(
    clippy::needless_range_loop,
    reason = "arrays side by side, in step: the form that becomes vectors"
)]

use std::ops::{Add, Mul, Sub};

/// What the formulas of noise are written over.
pub trait Real: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// A number that does not change from place to place.
    fn constant(value: f32) -> Self;

    /// The number without its derivatives.
    fn value(self) -> f32;

    /// This where `condition` holds, `other` elsewhere: without a branch.
    fn select(self, condition: bool, other: Self) -> Self;

    /// Without its sign.
    #[inline(always)]
    fn abs(self) -> Self {
        self.select(self.value() >= 0.0, Self::constant(0.0) - self)
    }

    /// At least 0; flat where it would be less.
    #[inline(always)]
    fn or_zero(self) -> Self {
        self.select(self.value() > 0.0, Self::constant(0.0))
    }
}

impl Real for f32 {
    #[inline(always)]
    fn constant(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn value(self) -> f32 {
        self
    }

    #[inline(always)]
    fn select(self, condition: bool, other: Self) -> Self {
        if condition { self } else { other }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }
}

/// A number with its derivatives along `N` axes (forward differentiation). Its value has the bits that `f32` gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize> {
    /// The number.
    pub value: f32,
    /// Its derivatives.
    pub slopes: [f32; N],
}

impl<const N: usize> Dual<N> {
    /// The coordinate along an axis.
    #[inline(always)]
    pub fn along(axis: usize, value: f32) -> Self {
        let mut slopes = [0.0; N];
        slopes[axis] = 1.0;
        Self { value, slopes }
    }
}

impl<const N: usize> Real for Dual<N> {
    #[inline(always)]
    fn constant(value: f32) -> Self {
        Self { value, slopes: [0.0; N] }
    }

    #[inline(always)]
    fn value(self) -> f32 {
        self.value
    }

    #[inline(always)]
    fn select(self, condition: bool, other: Self) -> Self {
        if condition { self } else { other }
    }
}

impl<const N: usize> Add for Dual<N> {
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

impl<const N: usize> Sub for Dual<N> {
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

impl<const N: usize> Mul for Dual<N> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let mut slopes = [0.0; N];
        for axis in 0..N {
            slopes[axis] = self.slopes[axis] * other.value + self.value * other.slopes[axis];
        }
        Self { value: self.value * other.value, slopes }
    }
}

/// Whether noise gives heights alone, or slopes too.
pub trait Depth: Send + Sync {
    /// A number that depends on one axis.
    type Along: Real + Send + Sync;

    /// A number that depends on both.
    type Value: Real;

    /// Whether octaves may be summed as they are made, which takes registers for several samples at once.
    const AT_ONCE: bool;

    /// A coordinate.
    fn coordinate(t: f32) -> Self::Along;

    /// Both coordinates.
    fn place(x: f32, y: f32) -> (Self::Value, Self::Value);

    /// A factor that depends on the column alone.
    fn of_column(column: Self::Along) -> Self::Value;

    /// The product of a column's and a row's factor.
    fn product(column: Self::Along, row: Self::Along) -> Self::Value;

    /// With derivatives by coordinates that are `factor` times as long.
    fn stretched(value: Self::Value, factor: f32) -> Self::Value;

    /// Writes the value, and the slopes where there are any.
    fn put(value: Self::Value, out: &mut [&mut [f32]; 3], at: usize);
}

/// Heights alone.
pub struct Heights;

impl Depth for Heights {
    type Along = f32;
    type Value = f32;
    const AT_ONCE: bool = true;

    #[inline(always)]
    fn coordinate(t: f32) -> f32 {
        t
    }

    #[inline(always)]
    fn place(x: f32, y: f32) -> (f32, f32) {
        (x, y)
    }

    #[inline(always)]
    fn of_column(column: f32) -> f32 {
        column
    }

    #[inline(always)]
    fn product(column: f32, row: f32) -> f32 {
        row * column
    }

    #[inline(always)]
    fn stretched(value: f32, _: f32) -> f32 {
        value
    }

    #[inline(always)]
    fn put(value: f32, out: &mut [&mut [f32]; 3], at: usize) {
        out[0][at] = value;
    }
}

/// Heights and slopes.
pub struct Slopes;

impl Depth for Slopes {
    type Along = Dual<1>;
    type Value = Dual<2>;
    const AT_ONCE: bool = false;

    #[inline(always)]
    fn coordinate(t: f32) -> Dual<1> {
        Dual::along(0, t)
    }

    #[inline(always)]
    fn place(x: f32, y: f32) -> (Dual<2>, Dual<2>) {
        (Dual::along(0, x), Dual::along(1, y))
    }

    #[inline(always)]
    fn of_column(column: Dual<1>) -> Dual<2> {
        Dual { value: column.value, slopes: [column.slopes[0], 0.0] }
    }

    #[inline(always)]
    fn product(column: Dual<1>, row: Dual<1>) -> Dual<2> {
        Dual {
            value: row.value * column.value,
            slopes: [row.value * column.slopes[0], row.slopes[0] * column.value],
        }
    }

    #[inline(always)]
    fn stretched(value: Dual<2>, factor: f32) -> Dual<2> {
        Dual { value: value.value, slopes: [value.slopes[0] / factor, value.slopes[1] / factor] }
    }

    #[inline(always)]
    fn put(value: Dual<2>, [heights, along_x, along_y]: &mut [&mut [f32]; 3], at: usize) {
        (heights[at], along_x[at], along_y[at]) = (value.value, value.slopes[0], value.slopes[1]);
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
