//! Rows in pieces of a fixed length, so that loops over a piece become vectors whatever the compiler knows of
//! rows.

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
