//! Reading a map bilinearly at samples that a noise moves.

use fearless_simd::prelude::*;
use terrane_grid::Grid;

use crate::Boundary;
use crate::simd::{load, store};

/// Samples whose positions are computed together.
const PIECE: usize = 64;

/// How far a noise moves a sample. Not-a-number counts as no move.
fn offset(noise: f32, scale: f32) -> f32 {
    let offset = (noise - 0.5) * scale;
    if offset.abs() < FARTHEST { offset } else { 0.0 }
}

/// Offsets beyond count as no move.
const FARTHEST: f32 = 1.0e9;

/// Along one axis, the samples before and after each moved sample of a piece, and the fraction of the way
/// from one to the other.
struct Places {
    before: [i32; PIECE],
    after: [i32; PIECE],
    t: [f32; PIECE],
}

impl Places {
    const NONE: Self = Self { before: [0; PIECE], after: [0; PIECE], t: [0.0; PIECE] };

    /// Computes the places of a vector of samples, which begins at `lane` of the piece: the samples at `at`,
    /// moved by `offset`, on an axis of `count` samples. Returns where a sample is more than a period
    /// outside. Its place is then wrong.
    #[inline(always)]
    fn set<S: Simd>(
        &mut self,
        simd: S,
        lane: usize,
        at: S::i32s,
        offset: S::f32s,
        (boundary, count): (Boundary, i32),
    ) -> S::mask32s {
        // The floor: a conversion rounds towards 0.
        let whole: S::i32s = offset.to_int();
        let back: S::f32s = whole.to_float();
        let whole = back.simd_gt(offset).select(whole - 1, whole);
        let floor: S::f32s = whole.to_float();
        let first = at + whole;
        near(simd, first, boundary, count).store_slice(&mut self.before[lane..lane + S::i32s::LEN]);
        near(simd, first + 1, boundary, count).store_slice(&mut self.after[lane..lane + S::i32s::LEN]);
        store(simd, offset - floor, &mut self.t[lane..]);
        first.simd_lt(1 - count) | first.simd_gt(2 * count - 3)
    }
}

/// [`offset`]s of a vector of samples.
#[inline(always)]
fn offsets<S: Simd>(simd: S, noise: S::f32s, scale: f32) -> S::f32s {
    let offset = (noise - 0.5) * scale;
    offset.abs().simd_lt(FARTHEST).select(offset, S::f32s::splat(simd, 0.0))
}

/// Wraps or mirrors indices that are less than a period outside.
#[inline(always)]
fn near<S: Simd>(simd: S, index: S::i32s, boundary: Boundary, count: i32) -> S::i32s {
    let below = index.simd_lt(0);
    match boundary {
        Boundary::Wrap => {
            let up = below.select(index + count, index);
            up.simd_ge(count).select(up - count, up)
        }
        Boundary::Open => {
            let up = below.select(S::i32s::splat(simd, 0) - index, index);
            up.simd_ge(count).select(S::i32s::splat(simd, 2 * (count - 1)) - up, up)
        }
    }
}

/// Reads a map at moved samples.
pub struct Reader<'a> {
    pub grid: &'a Grid<f32>,
    pub boundary: Boundary,
}

impl Reader<'_> {
    /// Reads a row of the result: its samples, moved by a row of each noise times `scale`.
    #[inline(always)]
    pub fn row<S: Simd>(
        &self,
        simd: S,
        row: usize,
        (p, q): (&[f32], &[f32]),
        scale: (f32, f32),
        out: &mut [f32],
    ) {
        let pieces = p.chunks(PIECE).zip(q.chunks(PIECE)).zip(out.chunks_mut(PIECE));
        for (piece, ((p, q), out)) in pieces.enumerate() {
            // The boundary is a constant of each loop.
            match self.boundary {
                Boundary::Wrap => self.piece(simd, Boundary::Wrap, (piece * PIECE, row), (p, q), scale, out),
                Boundary::Open => self.piece(simd, Boundary::Open, (piece * PIECE, row), (p, q), scale, out),
            }
        }
    }

    /// Reads at most [`PIECE`] samples of a row, starting at a column: first computes all places, in vectors,
    /// then reads the values there.
    #[inline(always)]
    fn piece<S: Simd>(
        &self,
        simd: S,
        boundary: Boundary,
        (first, row): (usize, usize),
        (p, q): (&[f32], &[f32]),
        scale: (f32, f32),
        out: &mut [f32],
    ) {
        const INDICES: [i32; PIECE] = {
            let (mut indices, mut index) = ([0; PIECE], 0);
            while index < PIECE {
                indices[index] = index as i32;
                index += 1;
            }
            indices
        };
        let (w, h) = self.grid.size();
        let samples = self.grid.as_slice();
        let (padded_p, padded_q) = (padded(p), padded(q));
        let (mut x, mut y) = (Places::NONE, Places::NONE);
        let own_row = S::i32s::splat(simd, row as i32);
        let mut far = own_row.simd_lt(0);
        for lane in (0..p.len()).step_by(S::f32s::LEN) {
            let column = S::i32s::from_slice(simd, &INDICES[lane..lane + S::i32s::LEN]) + first as i32;
            let dx = offsets(simd, load(simd, &padded_p[lane..]), scale.0);
            let dy = offsets(simd, load(simd, &padded_q[lane..]), scale.1);
            far |= x.set(simd, lane, column, dx, (boundary, w as i32));
            far |= y.set(simd, lane, own_row, dy, (boundary, h as i32));
        }
        // For positions beyond a period of the map, or on a map too large for 32 bits, positions are computed
        // one by one.
        if far.any_true() || samples.len() > i32::MAX as usize {
            for ((l, out), (p, q)) in out.iter_mut().enumerate().zip(p.iter().zip(q)) {
                *out = self.bilinear((first + l, offset(*p, scale.0)), (row, offset(*q, scale.1)));
            }
            return;
        }
        let [mut upper_left, mut upper, mut lower_left, mut lower] = [[0.0f32; PIECE]; 4];
        for lane in 0..out.len() {
            let rows = (y.before[lane] as usize * w, y.after[lane] as usize * w);
            let (left, right) = (x.before[lane] as usize, x.after[lane] as usize);
            (upper_left[lane], upper[lane]) = (samples[rows.0 + left], samples[rows.0 + right]);
            (lower_left[lane], lower[lane]) = (samples[rows.1 + left], samples[rows.1 + right]);
        }
        let mut heights = [0.0f32; PIECE];
        for lane in 0..PIECE {
            let top = upper_left[lane] + (upper[lane] - upper_left[lane]) * x.t[lane];
            let bottom = lower_left[lane] + (lower[lane] - lower_left[lane]) * x.t[lane];
            heights[lane] = top + (bottom - top) * y.t[lane];
        }
        out.copy_from_slice(&heights[..out.len()]);
    }

    /// The value at an offset of `dx`, `dy` samples from (column, row).
    #[inline]
    fn bilinear(&self, (column, dx): (usize, f32), (row, dy): (usize, f32)) -> f32 {
        let (w, h) = self.grid.size();
        let (x0, x1, tx) = self.position(column, dx, w);
        let (y0, y1, ty) = self.position(row, dy, h);
        let samples = self.grid.as_slice();
        let (upper, lower) = (&samples[y0 * w..y0 * w + w], &samples[y1 * w..y1 * w + w]);
        let top = upper[x0] + (upper[x1] - upper[x0]) * tx;
        let bottom = lower[x0] + (lower[x1] - lower[x0]) * tx;
        top + (bottom - top) * ty
    }

    /// The two samples around a position along one axis, and the fraction of the way from the first to the
    /// second.
    #[inline]
    fn position(&self, at: usize, offset: f32, count: usize) -> (usize, usize, f32) {
        let floor = libm::floorf(offset);
        let (first, count, t) = (at as i64 + floor as i64, count as i64, offset - floor);
        if first >= 0 && first < count - 1 {
            return (first as usize, first as usize + 1, t);
        }
        let (a, b) = match self.boundary {
            Boundary::Wrap => (first.rem_euclid(count), (first + 1).rem_euclid(count)),
            Boundary::Open => (mirror(first, count), mirror(first + 1, count)),
        };
        (a as usize, b as usize, t)
    }
}

/// The noises of a piece, padded by 0.5, which moves nothing.
#[inline(always)]
fn padded(noises: &[f32]) -> [f32; PIECE] {
    let mut all = [0.5; PIECE];
    match noises.first_chunk() {
        Some(piece) => all = *piece,
        None => all[..noises.len()].copy_from_slice(noises),
    }
    all
}

/// The sample that mirroring maps an index to.
#[inline]
fn mirror(index: i64, count: i64) -> i64 {
    if (0..count).contains(&index) {
        return index;
    }
    let period = (2 * (count - 1)).max(1);
    let folded = index.rem_euclid(period);
    folded.min(period - folded).min(count - 1)
}
