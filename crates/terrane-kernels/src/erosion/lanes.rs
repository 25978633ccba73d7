//! Rows in pieces of a fixed length, so that loops over a piece become vectors whatever the compiler knows of rows.

/// Samples of a piece: two or four vectors.
pub const LANES: usize = 16;

/// `L` samples of a row from `start` on.
///
/// # Panics
/// When the row ends before.
#[inline(always)]
pub fn lanes<const L: usize>(row: &[f32], start: usize) -> &[f32; L] {
    match row[start..].first_chunk() {
        Some(lanes) => lanes,
        None => panic!("a row ends before its lanes"),
    }
}

/// Calls `f(start, piece)` for every piece of a row, the last of which may be shorter.
#[inline(always)]
pub fn in_lanes(row: &mut [f32], mut f: impl FnMut(usize, &mut [f32])) {
    for (piece, out) in row.chunks_mut(LANES).enumerate() {
        f(piece * LANES, out);
    }
}
