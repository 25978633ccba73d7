//! Rows of noise, tile by tile.

use terrane_grid::Domain;

use super::axis::{LANES, TILE, Tile};
use super::fractal::{Fold, Fractal, Octaves, Persistence, SameAmplitudes, fbm};
use super::octave::Octave;
use super::parameters::Drive;
use super::real::{Depth, Real};
use crate::ScalarMap;
use crate::simd::{self, Floats};

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
    values: Vec<Tile<D::Value<f32>>>,
    heights: Tile<D::Value<f32>>,
    /// Buffers for moves along x and y that cannot be read from a map directly.
    shifts: [Tile<f32>; 2],
}

impl<D: Depth, O: Octave<D>> simd::LaneWork for Band<'_, D, O> {
    #[inline(always)]
    fn run<F: Floats>(mut self) {
        let none = Tile::of(D::Value::<f32>::constant(0.0));
        let mut scratch = Scratch::<D, O> {
            tiles: self.octaves.iter().map(O::tile).collect(),
            values: if self.at_once() { Vec::new() } else { vec![none; self.octaves.len()] },
            heights: none,
            shifts: [Tile::of(0.0); 2],
        };
        let rows = self.rows.len() / self.octaves.len();
        let tiles = self.domain.width().div_ceil(TILE);
        if self.drive.warp.is_some() {
            // If samples are moved, the rows of a tile share no data. Memory is then read fastest row by row.
            for turn in 0..rows * tiles {
                self.row::<F>(turn / tiles, turn % tiles * TILE, &mut scratch);
            }
            return;
        }
        for turn in 0..rows * tiles {
            if turn % rows == 0 {
                scratch.tiles.iter_mut().for_each(O::leave);
            }
            self.row::<F>(turn % rows, turn / rows * TILE, &mut scratch);
        }
    }
}

impl<D: Depth, O: Octave<D>> Band<'_, D, O> {
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
    fn row<F: Floats>(&mut self, row: usize, first: usize, scratch: &mut Scratch<D, O>) {
        let octaves = self.octaves;
        let rows = &self.rows[row * octaves.len()..(row + 1) * octaves.len()];
        let width = self.domain.width();
        let count = (width - first).min(TILE);
        let groups = count.div_ceil(LANES);
        let start = (self.first_row + row) * width + first;
        let Scratch { tiles, values, heights, shifts } = scratch;
        if self.drive.warp.is_none() {
            for ((octave, tile), row) in octaves.iter().zip(&mut *tiles).zip(rows) {
                octave.enter::<F>(tile, first, row);
            }
        }
        if self.at_once() {
            let columns = Columns::<D, O, F> { octaves, tiles, rows, lanes: std::marker::PhantomData };
            // A tile holds whole packs; values beyond the last column are computed and discarded.
            for from in (0..groups).step_by(PACK * F::LANES / LANES) {
                let sums = fbm::<D::Value<F>, PACK>(&columns, from, self.amplitudes);
                for (index, &sums) in sums.iter().enumerate() {
                    let at = index * F::LANES;
                    D::store(sums, &mut heights[from + at / LANES], at % LANES);
                }
            }
        } else {
            if let Some([x, y]) = self.drive.warp {
                let [all_x, all_y] = shifts;
                let by = [driven(x, start, all_x, count), driven(y, start, all_y, count)];
                for ((octave, values), row) in octaves.iter().zip(&mut *values).zip(rows) {
                    octave.warped::<F>(values, first, row, by);
                }
            } else {
                let each = octaves.iter().zip(&*tiles).zip(rows).zip(&mut *values);
                for (((octave, tile), row), values) in each {
                    for group in 0..groups {
                        for lane in (0..LANES).step_by(F::LANES) {
                            D::store(octave.values::<F>(tile, row, group, lane), &mut values[group], lane);
                        }
                    }
                }
            }
            let persistence = match self.drive.persistence {
                ScalarMap::Constant(_) => Persistence::Same(self.amplitudes),
                ScalarMap::Map(map) => Persistence::Each(&map.samples()[start..start + count]),
            };
            // `Fold` is a separate unit of work, so that it is compiled once for all kinds of octaves.
            simd::run(Fold { fractal: self.fractal, octaves: values, persistence, groups, heights });
        }
        self.finish(row * width + first, start, &mut heights.as_flattened_mut()[..count]);
    }

    /// Applies amplitude and offset to heights, and writes them. The first height has the index `at` in the
    /// band and `start` in the window.
    #[inline(always)]
    fn finish(&mut self, at: usize, start: usize, heights: &mut [D::Value<f32>]) {
        let count = heights.len();
        let offset = D::Value::<f32>::constant(self.drive.offset);
        match self.drive.amplitude {
            ScalarMap::Constant(amplitude) => {
                let amplitude = D::Value::<f32>::constant(amplitude);
                for height in &mut *heights {
                    *height = *height * amplitude + offset;
                }
            }
            ScalarMap::Map(map) => {
                for (height, &amplitude) in heights.iter_mut().zip(&map.samples()[start..start + count]) {
                    *height = *height * D::Value::<f32>::constant(amplitude) + offset;
                }
            }
        }
        D::put(heights, self.out.each_mut().map(|out| out.get_mut(at..at + count).unwrap_or_default()));
    }
}

/// A driving parameter for a tile's row, one number per sample, padded to whole groups. `all` is the buffer
/// for values that cannot be read from the map directly.
#[inline(always)]
fn driven<'a>(map: ScalarMap<'a>, start: usize, all: &'a mut Tile<f32>, count: usize) -> &'a [[f32; LANES]] {
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
struct Columns<'a, D: Depth, O: Octave<D>, F> {
    octaves: &'a [O],
    tiles: &'a [O::Tile],
    rows: &'a [O::Row],
    lanes: std::marker::PhantomData<F>,
}

impl<D: Depth, O: Octave<D>, F: Floats> Octaves<D::Value<F>> for Columns<'_, D, O, F> {
    #[inline(always)]
    fn count(&self) -> usize {
        // The shortest of all lengths, so that the loop needs no bounds checks.
        self.octaves.len().min(self.tiles.len()).min(self.rows.len())
    }

    #[inline(always)]
    fn octave(&self, octave: usize, group: usize, index: usize) -> D::Value<F> {
        let at = index * F::LANES;
        let (tile, row) = (&self.tiles[octave], &self.rows[octave]);
        self.octaves[octave].values(tile, row, group + at / LANES, at % LANES)
    }
}
