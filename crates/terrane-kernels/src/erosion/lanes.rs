//! Rows in pieces of a fixed length, so that the compiler vectorises loops over a piece without knowing the
//! row's length.

/// Samples per piece: two or four vectors.
pub const LANES: usize = 16;

/// `L` samples of a row, starting at `start`.
///
/// # Panics
/// When the row has fewer than `L` samples from `start` on.
#[inline(always)]
pub fn lanes<const L: usize>(row: &[f32], start: usize) -> &[f32; L] {
    match row[start..].first_chunk() {
        Some(lanes) => lanes,
        None => panic!("a row is shorter than its lanes"),
    }
}
