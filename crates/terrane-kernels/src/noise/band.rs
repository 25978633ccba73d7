//! Rows of noise, tile by tile.

use fearless_simd::prelude::*;
use terrane_grid::Domain;

use super::axis::{GROUPS, LANES, TILE, Tile, padded};
use super::fractal::{Fold, Fractal, Octaves, Persistence, SameAmplitudes, fbm};
use super::octave::Octave;
use super::parameters::Drive;
use super::real::{Depth, Real, Stored, Value};
use crate::ScalarMap;
use crate::simd::load;

/// Rows of a window.
pub struct Band<'a, D: Depth, O: Octave<D>> {
    pub octaves: &'a [O],
    /// The data that all columns share, per row and octave.
    pub rows: &'a [O::Row],
    pub domain: &'a Domain,
    pub first_row: usize,
    pub drive: &'a Drive<'a>,
    pub fractal: Fractal,
    /// Amplitudes for a persistence that is the same everywhere.
    pub amplitudes: &'a SameAmplitudes,
    /// Heights, then both slopes. The slopes are empty if only heights are requested.
    pub out: [&'a mut [f32]; 3],
}

/// Number of vectors that are summed together. This is enough to keep the processor's units busy, and few
/// enough for its registers.
const PACK: usize = 8;

/// Scratch memory for a tile's row.
struct Scratch<D: Depth, O: Octave<D>> {
    tiles: Vec<O::Tile>,
    /// Values per octave.
    values: Vec<Tile<D::Value>>,
    heights: Tile<D::Value>,
    /// Buffers for moves along x and y that cannot be read from a map directly.
    shifts: [Tile<[f32; LANES]>; 2],
}

impl<D: Depth, O: Octave<D>> Band<'_, D, O> {
    /// Computes all rows.
    #[inline(always)]
    pub fn run<S: Simd>(mut self, simd: S) {
        let none = Tile([D::Value::ZERO; GROUPS]);
        let mut scratch = Scratch::<D, O> {
            tiles: self.octaves.iter().map(O::tile).collect(),
            values: if self.at_once() { Vec::new() } else { vec![none; self.octaves.len()] },
            heights: none,
            shifts: [Tile([[0.0; LANES]; GROUPS]); 2],
        };
        let rows = self.rows.len() / self.octaves.len();
        let tiles = self.domain.width().div_ceil(TILE);
        if self.drive.warp.is_some() {
            // If samples are moved, the rows of a tile share no data. Memory is then read fastest row by row.
            for turn in 0..rows * tiles {
                self.row(simd, turn / tiles, turn % tiles * TILE, &mut scratch);
            }
            return;
        }
        for turn in 0..rows * tiles {
            if turn % rows == 0 {
                scratch.tiles.iter_mut().for_each(O::leave);
            }
            self.row(simd, turn % rows, turn / rows * TILE, &mut scratch);
        }
    }

    /// Whether octaves are summed as they are computed: the usual case.
    #[inline(always)]
    fn at_once(&self) -> bool {
        D::AT_ONCE
            && self.fractal == Fractal::Fbm
            && self.drive.warp.is_none()
            && matches!(self.drive.persistence, ScalarMap::Constant(_))
    }

    /// Computes one row of a tile.
    #[inline(always)]
    fn row<S: Simd>(&mut self, simd: S, row: usize, first: usize, scratch: &mut Scratch<D, O>) {
        let octaves = self.octaves;
        let rows = &self.rows[row * octaves.len()..(row + 1) * octaves.len()];
        let width = self.domain.width();
        let count = (width - first).min(TILE);
        let groups = count.div_ceil(LANES);
        let start = (self.first_row + row) * width + first;
        let Scratch { tiles, values, heights, shifts } = scratch;
        if self.drive.warp.is_none() {
            for ((octave, tile), row) in octaves.iter().zip(&mut *tiles).zip(rows) {
                octave.enter(simd, tile, first, row);
            }
        }
        if self.at_once() {
            let columns = Columns::<D, O> { octaves, tiles, rows };
            // A tile holds whole packs; values beyond the last column are computed and discarded.
            for from in (0..groups * LANES).step_by(PACK * S::f32s::LEN) {
                let sums = fbm::<S, Value<D, S>, PACK>(simd, &columns, from, self.amplitudes);
                for (index, &sums) in sums.iter().enumerate() {
                    let at = from + index * S::f32s::LEN;
                    heights[at / LANES].store::<S>(sums, at % LANES);
                }
            }
        } else {
            if let Some([x, y]) = self.drive.warp {
                let [all_x, all_y] = shifts;
                let by = [driven(x, start, all_x, count), driven(y, start, all_y, count)];
                for ((octave, values), row) in octaves.iter().zip(&mut *values).zip(rows) {
                    octave.warped(simd, values, first, row, by);
                }
            } else {
                let each = octaves.iter().zip(&*tiles).zip(rows).zip(&mut *values);
                for (((octave, tile), row), values) in each {
                    for group in 0..groups {
                        for lane in (0..LANES).step_by(S::f32s::LEN) {
                            values[group].store::<S>(octave.values(simd, tile, row, group, lane), lane);
                        }
                    }
                }
            }
            let persistence = match self.drive.persistence {
                ScalarMap::Constant(_) => Persistence::Same(self.amplitudes),
                ScalarMap::Map(map) => Persistence::Each(&map.samples()[start..start + count]),
            };
            let fractal = self.fractal;
            Fold::<D> { fractal, octaves: values, persistence, groups, heights }.run(simd);
        }
        self.finish(simd, row * width + first, start, &mut heights[..groups], count);
    }

    /// Applies amplitude and offset to the first `count` heights, and writes them. The first height has the
    /// index `at` in the band and `start` in the window.
    #[inline(always)]
    fn finish<S: Simd>(&mut self, simd: S, at: usize, start: usize, heights: &mut [D::Value], count: usize) {
        let offset = Value::<D, S>::constant(simd, self.drive.offset);
        for (group, heights) in heights.iter_mut().enumerate() {
            let columns = group * LANES..((group + 1) * LANES).min(count);
            match self.drive.amplitude {
                ScalarMap::Constant(amplitude) => {
                    let amplitude = Value::<D, S>::constant(simd, amplitude);
                    for lane in (0..LANES).step_by(S::f32s::LEN) {
                        heights.store::<S>(heights.load(simd, lane) * amplitude + offset, lane);
                    }
                }
                ScalarMap::Map(map) => {
                    let amplitudes = padded(&map.samples()[start + columns.start..start + columns.end]);
                    for lane in (0..LANES).step_by(S::f32s::LEN) {
                        let amplitude = Value::<D, S>::given(load(simd, &amplitudes[lane..]));
                        heights.store::<S>(heights.load(simd, lane) * amplitude + offset, lane);
                    }
                }
            }
            heights.put(&mut self.out, at + columns.start..at + columns.end);
        }
    }
}

/// A driving parameter for a tile's row, one number per sample, padded to whole groups. `all` is the buffer
/// for values that cannot be read from the map directly.
#[inline(always)]
fn driven<'a>(
    map: ScalarMap<'a>,
    start: usize,
    all: &'a mut Tile<[f32; LANES]>,
    count: usize,
) -> &'a [[f32; LANES]] {
    match map {
        ScalarMap::Map(map) => {
            let samples = &map.samples()[start..start + count];
            if let (groups, []) = samples.as_chunks() {
                return groups;
            }
            all.as_flattened_mut()[..count].copy_from_slice(samples);
        }
        ScalarMap::Constant(value) => all.as_flattened_mut().fill(value),
    }
    &all[..count.div_ceil(LANES)]
}

/// Octaves at the columns of a tile.
struct Columns<'a, D: Depth, O: Octave<D>> {
    octaves: &'a [O],
    tiles: &'a [O::Tile],
    rows: &'a [O::Row],
}

impl<D: Depth, O: Octave<D>, S: Simd> Octaves<S, Value<D, S>> for Columns<'_, D, O> {
    #[inline(always)]
    fn count(&self) -> usize {
        // The shortest of all lengths, so that the loop needs no bounds checks.
        self.octaves.len().min(self.tiles.len()).min(self.rows.len())
    }

    #[inline(always)]
    fn octave(&self, simd: S, octave: usize, at: usize) -> Value<D, S> {
        let (tile, row) = (&self.tiles[octave], &self.rows[octave]);
        self.octaves[octave].values(simd, tile, row, at / LANES, at % LANES)
    }
}
