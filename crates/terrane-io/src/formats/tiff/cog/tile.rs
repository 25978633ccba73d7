//! The samples of a tile before compression.

use super::{
    super::predict::{Line, difference_bytes},
    pyramid::{Band, TILE},
};
use crate::{CogSamples, codes::extent};

/// The minimum and maximum of finite heights, if any.
pub(super) type Extent = Option<(f64, f64)>;

/// The extent of both together.
pub(super) fn joined(a: Extent, b: Extent) -> Extent {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        _ => a.or(b),
    }
}

/// Appends a tile, each sample minus a prediction from its neighbour, and returns the extent of its heights.
///
/// Tiles are always whole: beyond the level its last column and row are repeated, which deflate compresses to
/// almost nothing.
pub(super) fn push(
    samples: CogSamples,
    band: &Band,
    number: usize,
    line: &mut Line,
    out: &mut Vec<u8>,
) -> Extent {
    let width = band.level.size.0;
    let first = number * TILE;
    let columns = TILE.min(width - first);
    let mut heights = None;
    let mut start = out.len();
    for y in 0..band.rows {
        start = out.len();
        let at = (y * width + first) * samples.bytes();
        let row = &band.bytes[at..at + columns * samples.bytes()];
        match samples {
            CogSamples::Heights => {
                line.samples.clear();
                line.samples.extend(row.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)));
                line.samples.resize(TILE, line.samples[columns - 1]);
                heights = joined(heights, extent(&line.samples));
                line.push_reals(out);
            }
            CogSamples::Colours => {
                out.extend_from_slice(row);
                let last = [0, 1, 2].map(|channel| row[row.len() - 3 + channel]);
                out.extend(std::iter::repeat_n(last, TILE - columns).flatten());
                difference_bytes(&mut out[start..], 3);
            }
        }
    }
    // Equal rows give equal predictor output.
    for _ in band.rows..TILE {
        out.extend_from_within(start..start + TILE * samples.bytes());
    }
    heights
}
