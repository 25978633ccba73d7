//! Predictors, which transform a row of samples before compression.

use crate::Endian;

/// What a file did to each row of one channel before compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predictor {
    None,
    /// Each sample minus its left neighbour; of floating-point samples, the bits.
    Difference,
    /// The bytes of floating-point samples, sorted by significance, each minus its left neighbour.
    Planes,
}

impl Predictor {
    /// Restores a row of samples with `size` bytes each, and returns the byte order that they then have.
    /// `scratch` is working memory.
    pub fn undo(self, row: &mut [u8], size: usize, endian: Endian, scratch: &mut Vec<u8>) -> Endian {
        match self {
            Self::None => endian,
            Self::Difference => {
                macro_rules! add {
                    ($bits:ty) => {{
                        let mut left: $bits = 0;
                        for sample in row.as_chunks_mut::<{ size_of::<$bits>() }>().0 {
                            let (from, to): (fn(_) -> $bits, fn($bits) -> _) = match endian {
                                Endian::Little => (<$bits>::from_le_bytes, <$bits>::to_le_bytes),
                                Endian::Big => (<$bits>::from_be_bytes, <$bits>::to_be_bytes),
                            };
                            left = left.wrapping_add(from(*sample));
                            *sample = to(left);
                        }
                    }};
                }
                match size {
                    1 => add!(u8),
                    2 => add!(u16),
                    4 => add!(u32),
                    _ => add!(u64),
                }
                endian
            }
            Self::Planes => {
                let mut left = 0u8;
                for byte in &mut *row {
                    left = left.wrapping_add(*byte);
                    *byte = left;
                }
                scratch.clear();
                scratch.extend_from_slice(row);
                let samples = row.len() / size;
                for (plane, bytes) in scratch.chunks_exact(samples).enumerate() {
                    row.iter_mut().skip(plane).step_by(size).zip(bytes).for_each(|(to, from)| *to = *from);
                }
                Endian::Big
            }
        }
    }
}

/// The working memory for a row of heights.
#[derive(Default)]
pub(super) struct Line {
    pub samples: Vec<f32>,
    planes: Vec<u8>,
}

impl Line {
    /// Predictor 3 (Adobe Photoshop TIFF Technical Note 3): appends the first bytes of all samples in the
    /// row, then the second bytes and so on, most significant first on any machine, each minus its left
    /// neighbour.
    ///
    /// The row has at least one sample.
    pub fn push_reals(&mut self, bytes: &mut Vec<u8>) {
        let Self { samples, planes } = self;
        planes.clear();
        for plane in [24, 16, 8, 0] {
            planes.extend(samples.iter().map(|h| (h.to_bits() >> plane) as u8));
        }
        bytes.push(planes[0]);
        bytes.extend(planes.iter().zip(&planes[1..]).map(|(left, byte)| byte.wrapping_sub(*left)));
    }
}

/// Predictor 2 for one-byte samples in several channels: each minus its left neighbour in the same channel.
pub(super) fn difference_bytes(bytes: &mut [u8], channels: usize) {
    for i in (channels..bytes.len()).rev() {
        bytes[i] = bytes[i].wrapping_sub(bytes[i - channels]);
    }
}

/// Predictor 2 for two-byte codes: each minus its left neighbour. The input is little-endian, the output in
/// the machine's byte order.
pub(super) fn difference_words(bytes: &mut [u8]) {
    let mut left = 0u16;
    for word in bytes.as_chunks_mut::<2>().0 {
        let code = u16::from_le_bytes(*word);
        *word = code.wrapping_sub(left).to_ne_bytes();
        left = code;
    }
}
