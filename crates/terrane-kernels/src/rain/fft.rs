//! Fourier transforms of lines whose length is a product of twos and threes.
//!
//! Roots of unity come from `libm` and nothing is fused or reordered, so the bits are the same on every
//! machine and at every SIMD level.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use crate::dispatch;

/// Lines of complex numbers, interleaved: number `i` of line `b` of `batch` lines is at `i · batch + b`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    pub re: Vec<f64>,
    pub im: Vec<f64>,
}

impl Lines {
    /// `count` zeros.
    pub fn zeros(count: usize) -> Self {
        Self { re: vec![0.0; count], im: vec![0.0; count] }
    }

    /// Swaps real and imaginary parts: a transform between two swaps is the inverse one, up to a factor of
    /// the length.
    pub fn swap_parts(&mut self) {
        std::mem::swap(&mut self.re, &mut self.im);
    }
}

/// A complex number.
type Complex = [f64; 2];

/// The transform of lines of one length.
pub struct Smooth {
    length: usize,
    radices: Vec<usize>,
    /// exp(−2πi·j / length).
    roots: Vec<Complex>,
}

impl Smooth {
    /// `None` if the length is not 2ᵃ·3ᵇ.
    pub fn new(length: usize) -> Option<Self> {
        let radices = radices(length)?;
        Some(Self { length, radices, roots: (0..length).map(|j| root_of_unity(j, length)).collect() })
    }

    /// The smallest length, at least `least`, that has a transform.
    pub fn length_from(least: usize) -> usize {
        let powers = std::iter::successors(Some(1usize), |power| power.checked_mul(3));
        // The powers of three up to the first that suffices, each times the power of two that it needs.
        let enough = powers.scan(false, |done, power| {
            let go_on = !*done;
            *done = power >= least;
            go_on.then_some(power)
        });
        let least = least.max(1);
        enough.map(|power| power * least.div_ceil(power).next_power_of_two()).min().unwrap_or(least)
    }

    pub const fn length(&self) -> usize {
        self.length
    }

    /// X(k) = Σ x(j)·exp(−2πi·j·k / length) of each line, by Stockham's passes: O(length · log length).
    /// `spare` is as long as `lines`.
    pub fn forward(&self, lines: &mut Lines, spare: &mut Lines, batch: usize) {
        let (mut remaining, mut stride) = (self.length, batch);
        for &radix in &self.radices {
            let pass = Pass { roots: &self.roots, from: lines, to: spare, remaining, stride };
            match radix {
                2 => dispatch!(_ => pass.radix2()),
                3 => dispatch!(_ => pass.radix3()),
                _ => dispatch!(_ => pass.radix4()),
            }
            std::mem::swap(lines, spare);
            (remaining, stride) = (remaining / radix, stride * radix);
        }
    }
}

/// Factors 4, 3 and 2 whose product is the length.
fn radices(length: usize) -> Option<Vec<usize>> {
    let (mut remaining, mut radices) = (length, Vec::new());
    for radix in [4, 3, 2] {
        while remaining > 1 && remaining.is_multiple_of(radix) {
            radices.push(radix);
            remaining /= radix;
        }
    }
    (remaining == 1).then_some(radices)
}

/// exp(−2πi·j / length), exact at multiples of an eighth of a turn.
pub fn root_of_unity(j: usize, length: usize) -> Complex {
    // Splits the angle into eighths of a turn and a remainder, so that mirrored angles give the same absolute
    // values.
    let (eighth, rest) = (8 * j / length, 8 * j % length);
    let angle = |part: usize| TAU * (part as f64 / (8.0 * length as f64));
    let (cos, sin) = match eighth % 2 {
        0 => (libm::cos(angle(rest)), libm::sin(angle(rest))),
        _ if rest == 0 => (FRAC_1_SQRT_2, FRAC_1_SQRT_2),
        _ => (libm::sin(angle(length - rest)), libm::cos(angle(length - rest))),
    };
    match eighth / 2 % 4 {
        0 => [cos, -sin],
        1 => [-sin, -cos],
        2 => [-cos, sin],
        _ => [sin, cos],
    }
}

/// One pass over all lines: `stride` interleaved parts of `remaining` numbers each are split into `radix`
/// times as many parts.
struct Pass<'a> {
    roots: &'a [Complex],
    from: &'a Lines,
    to: &'a mut Lines,
    remaining: usize,
    stride: usize,
}

impl Pass<'_> {
    #[inline(always)]
    fn run<const R: usize>(self, butterfly: impl Fn([Complex; R]) -> [Complex; R]) {
        let Self { roots, from, to, remaining, stride } = self;
        let (part, step) = (remaining / R, roots.len() / remaining);
        let to = to.re.chunks_exact_mut(R * stride).zip(to.im.chunks_exact_mut(R * stride));
        for (p, (to_re, to_im)) in to.enumerate() {
            let roots: [Complex; R] = std::array::from_fn(|j| roots[j * p * step]);
            let re: [&[f64]; R] = std::array::from_fn(|j| &from.re[(p + part * j) * stride..][..stride]);
            let im: [&[f64]; R] = std::array::from_fn(|j| &from.im[(p + part * j) * stride..][..stride]);
            for q in 0..stride {
                let out = butterfly(std::array::from_fn(|j| [re[j][q], im[j][q]]));
                for j in 0..R {
                    let twiddled = if j == 0 { out[0] } else { times(out[j], roots[j]) };
                    to_re[j * stride + q] = twiddled[0];
                    to_im[j * stride + q] = twiddled[1];
                }
            }
        }
    }

    #[inline(always)]
    fn radix2(self) {
        self.run(|[a, b]| [plus(a, b), minus(a, b)]);
    }

    #[inline(always)]
    fn radix3(self) {
        /// √3 / 2.
        const SIN: f64 = 0.866_025_403_784_438_6;
        self.run(|[a, b, c]| {
            let (sum, apart) = (plus(b, c), minus(b, c));
            let middle = [a[0] - 0.5 * sum[0], a[1] - 0.5 * sum[1]];
            let side = [SIN * apart[1], -SIN * apart[0]];
            [plus(a, sum), plus(middle, side), minus(middle, side)]
        });
    }

    #[inline(always)]
    fn radix4(self) {
        self.run(|[a, b, c, d]| {
            let (even, odd) = (plus(a, c), plus(b, d));
            let (across, apart) = (minus(a, c), minus(b, d));
            let side = [apart[1], -apart[0]];
            [plus(even, odd), plus(across, side), minus(even, odd), minus(across, side)]
        });
    }
}

#[inline(always)]
fn plus(a: Complex, b: Complex) -> Complex {
    [a[0] + b[0], a[1] + b[1]]
}

#[inline(always)]
fn minus(a: Complex, b: Complex) -> Complex {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
pub fn times(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}
