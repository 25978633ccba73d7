//! Conversion between heights and integer codes.

use crate::{CodeRange, Problem, Sample, error::Outcome};

/// A linear map between the codes of an integer type and heights:
/// `height = minimum + (code − lowest) / (highest − lowest) · (maximum − minimum)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coding {
    lowest: f64,
    highest: f64,
    pub minimum: f64,
    pub maximum: f64,
}

impl Coding {
    /// Codes `lowest` to `highest` for heights `range`.
    pub(crate) const fn new(codes: (f64, f64), range: (f64, f64)) -> Self {
        Self { lowest: codes.0, highest: codes.1, minimum: range.0, maximum: range.1 }
    }

    /// The coding for writing `heights`, or `None` for a floating-point type.
    pub(crate) fn choose(sample: Sample, range: CodeRange, heights: &[f32]) -> Outcome<Option<Self>> {
        let Some(codes) = sample.codes() else { return Ok(None) };
        let count = heights.iter().filter(|h| !h.is_finite()).count();
        if count > 0 {
            return Err(Problem::NotFinite { count });
        }
        let range = match range {
            CodeRange::MinMax => extent(heights).unwrap_or((0.0, 0.0)),
            CodeRange::Fixed(low, high) => (low, high),
            CodeRange::Whole => codes,
        };
        Ok(Some(Self::new(codes, range)))
    }

    /// Whether every code equals its height.
    pub(crate) fn is_whole(&self) -> bool {
        (self.minimum, self.maximum) == (self.lowest, self.highest)
    }

    /// The height of a code.
    pub(crate) fn height(&self, code: f64) -> f64 {
        // The ends are exact, and a coding whose heights equal its codes returns whole numbers.
        if code == self.highest {
            return self.maximum;
        }
        self.minimum + (code - self.lowest) / (self.highest - self.lowest) * (self.maximum - self.minimum)
    }

    /// The steps from the lowest code to the code nearest to a height, clamped to the range.
    #[inline]
    pub(crate) fn steps(&self, height: f32) -> u32 {
        let span = self.maximum - self.minimum;
        let part = if span > 0.0 { (f64::from(height) - self.minimum) / span } else { 0.0 };
        (part.clamp(0.0, 1.0) * (self.highest - self.lowest) + 0.5) as u32
    }

    /// Replaces codes by heights.
    pub(crate) fn decode(&self, samples: &mut [f32]) {
        for sample in samples {
            *sample = self.height(f64::from(*sample)) as f32;
        }
    }
}

/// The minimum and maximum of the finite heights.
pub(crate) fn extent(heights: &[f32]) -> Option<(f64, f64)> {
    let mut extent: Option<(f32, f32)> = None;
    for &h in heights.iter().filter(|h| h.is_finite()) {
        extent = Some(extent.map_or((h, h), |(low, high)| (low.min(h), high.max(h))));
    }
    extent.map(|(low, high)| (f64::from(low), f64::from(high)))
}

/// Appends the heights of a row to `bytes` as codes of type `sample`. Little-endian unless `big`.
pub(crate) fn encode_row(coding: &Coding, sample: Sample, big: bool, row: &[f32], bytes: &mut Vec<u8>) {
    match sample {
        Sample::U8 => bytes.extend(row.iter().map(|&h| coding.steps(h) as u8)),
        // A signed code is its number of steps minus 2¹⁵: the same bits with the highest one flipped.
        Sample::I16 => words(row, big, bytes, |h| coding.steps(h) as u16 ^ 0x8000),
        _ => words(row, big, bytes, |h| coding.steps(h) as u16),
    }
}

fn words(row: &[f32], big: bool, bytes: &mut Vec<u8>, code: impl Fn(f32) -> u16) {
    if big {
        bytes.extend(row.iter().flat_map(|&h| code(h).to_be_bytes()));
    } else {
        bytes.extend(row.iter().flat_map(|&h| code(h).to_le_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_case_by_hand() {
        let coding = Coding::choose(Sample::U8, CodeRange::Fixed(0.0, 510.0), &[0.0]).unwrap().unwrap();
        let mut bytes = Vec::new();
        encode_row(&coding, Sample::U8, false, &[-5.0, 0.0, 2.0, 3.1, 510.0, 1e9], &mut bytes);
        assert_eq!(bytes, [0, 0, 1, 2, 255, 255]);
        assert_eq!(coding.height(255.0), 510.0);
        assert_eq!(coding.height(1.0), 2.0);
    }

    #[test]
    fn whole_numbers_are_their_own_codes() {
        let coding = Coding::choose(Sample::I16, CodeRange::Whole, &[0.0]).unwrap().unwrap();
        let mut bytes = Vec::new();
        encode_row(&coding, Sample::I16, true, &[-1.0, 555.4, 40000.0, -40000.0], &mut bytes);
        assert_eq!(bytes, [0xff, 0xff, 0x02, 0x2b, 0x7f, 0xff, 0x80, 0x00]);
        let mut all: Vec<f32> = (-32768..=32767).map(|c| c as f32).collect();
        coding.decode(&mut all);
        assert!(all.iter().zip(-32768..=32767).all(|(&h, c)| h == c as f32));
    }

    #[test]
    fn flat_and_broken_maps() {
        let flat = Coding::choose(Sample::U16, CodeRange::MinMax, &[7.5, 7.5]).unwrap().unwrap();
        assert_eq!((flat.steps(7.5), flat.height(0.0)), (0, 7.5));
        let broken = Coding::choose(Sample::U16, CodeRange::MinMax, &[1.0, f32::NAN, f32::INFINITY]);
        assert!(matches!(broken, Err(Problem::NotFinite { count: 2 })));
        assert_eq!(Coding::choose(Sample::F32, CodeRange::MinMax, &[f32::NAN]).unwrap(), None);
    }

    proptest! {
        #[test]
        fn a_decoded_height_is_within_half_a_code(
            low in -9000f32..9000.0,
            span in 0.001f32..9000.0,
            part in 0f32..=1.0,
        ) {
            let height = (low + part * span).clamp(low, low + span);
            for (sample, codes) in [(Sample::U8, 255.0), (Sample::U16, 65535.0), (Sample::I16, 65535.0)] {
                let coding =
                    Coding::choose(sample, CodeRange::MinMax, &[low, low + span]).unwrap().unwrap();
                let lowest = sample.codes().unwrap().0;
                let back = coding.height(lowest + f64::from(coding.steps(height)));
                let half = 0.5 * (coding.maximum - coding.minimum) / codes;
                // 1e-9 allows for the rounding of f64, which is 10⁶ times finer than f32 at these heights.
                prop_assert!((back - f64::from(height)).abs() <= half + 1e-9);
            }
        }
    }
}
