//! Iteration over all samples of a map.

use std::array::from_fn;

use terrane_grid::{Domain, Heightmap, ScalarMap};

use crate::dispatch;
use crate::parallel::{for_each, slices};

/// The number of samples in a part of the map that one thread computes.
const PART: usize = 1 << 14;

/// The number of samples that are computed together.
const BLOCK: usize = 1 << 10;

/// Replaces every sample by `f` of it, in parallel.
pub fn each(mut map: Heightmap, f: impl Fn(f32) -> f32 + Copy + Sync) -> Heightmap {
    for_each(slices(map.samples_mut(), PART), 1, |_, samples| dispatch!(_ => replace(samples, f)));
    map
}

/// Has its own copy of `f`, so that stores do not make the compiler load the numbers of `f` anew.
#[inline(always)]
fn replace(samples: &mut [f32], f: impl Fn(f32) -> f32) {
    for sample in samples {
        *sample = f(*sample);
    }
}

/// Replaces samples block by block, in parallel. `f` gets the samples of a block, and those of other maps at
/// the same places; a number stands for a map.
///
/// # Panics
/// If the maps differ in size.
pub fn blocks_with<const N: usize>(
    mut map: Heightmap,
    others: [ScalarMap<'_>; N],
    f: impl Fn(&mut [f32], [&[f32]; N]) + Sync,
) -> Heightmap {
    for other in others {
        if let ScalarMap::Map(other) = other {
            assert_eq!(map.domain().size, other.domain().size, "the maps must have one size");
        }
    }
    for_each(slices(map.samples_mut(), PART), 1, |part, samples| {
        let constants: [[f32; BLOCK]; N] = others.map(|other| match other {
            ScalarMap::Constant(number) => [number; BLOCK],
            ScalarMap::Map(_) => [0.0; BLOCK],
        });
        for (block, samples) in samples.chunks_mut(BLOCK).enumerate() {
            let (from, count) = (part * PART + block * BLOCK, samples.len());
            let others: [&[f32]; N] = from_fn(|other| match others[other] {
                ScalarMap::Constant(_) => &constants[other][..count],
                ScalarMap::Map(map) => &map.samples()[from..][..count],
            });
            dispatch!(_ => f(samples, others));
        }
    });
    map
}

/// Writes `f` of the samples of a block.
pub fn samples(block: &mut [f32], from: &[f32], f: impl Fn(f32) -> f32 + Copy) {
    dispatch!(_ => write(block, from, f));
}

/// Like [`replace`].
#[inline(always)]
fn write(block: &mut [f32], from: &[f32], f: impl Fn(f32) -> f32) {
    for (sample, &from) in block.iter_mut().zip(from) {
        *sample = f(from);
    }
}

/// A map whose rows are written by `f`, in parallel.
pub fn from_rows(domain: Domain, f: impl Fn(usize, &mut [f32]) + Sync) -> Heightmap {
    let mut map = Heightmap::constant(domain, 0.0);
    for_each(slices(map.samples_mut(), domain.width().max(1)), 16, |row, samples| {
        dispatch!(_ => f(row, samples));
    });
    map
}
