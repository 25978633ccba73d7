//! Predictors, which transform a row of samples before compression.

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
