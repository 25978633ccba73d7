//! Vectors of a single number, for architectures without vectors in this module, and for comparison.

use super::lanes::{Bits, Floats, LaneWork};

impl Floats for f32 {
    type Bits = u32;
    type Mask = bool;
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        from[0]
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        to[0] = self;
    }

    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn split(self) -> (u32, Self) {
        const BOUND: f32 = 2_147_483_648.0;
        let at = if self.abs() < BOUND { self } else { -BOUND };
        let floor = at.floor();
        // SAFETY: a finite number within i32's range. (`as` would check each lane separately.)
        (unsafe { floor.to_int_unchecked::<i32>() } as u32, at - floor)
    }

    #[inline(always)]
    fn at_least(self, other: Self) -> bool {
        self >= other
    }

    #[inline(always)]
    fn above(self, other: Self) -> bool {
        self > other
    }

    #[inline(always)]
    fn equal(self, other: Self) -> bool {
        self == other
    }

    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(never)]
    fn by_itself<W: LaneWork>(work: W) {
        work.run::<Self>();
    }
}

impl Bits for u32 {
    type Floats = f32;

    #[inline(always)]
    fn splat(bits: u32) -> Self {
        bits
    }

    #[inline(always)]
    fn load(from: &[u32]) -> Self {
        from[0]
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }

    #[inline(always)]
    fn right(self, by: u32) -> Self {
        self >> by
    }

    #[inline(always)]
    fn number(self) -> f32 {
        self as i32 as f32
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    /// Flips sign bits instead of reading a table, since a table would be read lane by lane.
    #[inline(always)]
    fn octant(self, long: f32, short: f32) -> (f32, f32) {
        const SIGN: u32 = 1 << 31;
        let (x, y) = if self & (1 << 29) != 0 { (short, long) } else { (long, short) };
        let signed = |value: f32, bits: u32| f32::from_bits(value.to_bits() ^ (bits & SIGN));
        (signed(x, self), signed(y, self << 1))
    }
}
