//! The samples of a block.

use std::ops::Deref;

/// The samples of a block. Of some it is known that they are one number; a loop that uses the number reads
/// less memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Samples<'a> {
    samples: &'a [f32],
    is_number: bool,
}

impl<'a> Samples<'a> {
    /// Samples that all are one number.
    #[must_use]
    pub const fn of_number(samples: &'a [f32]) -> Self {
        Self { samples, is_number: true }
    }

    /// The number that all samples are, if it is known that they are one.
    #[must_use]
    pub fn number(self) -> Option<f32> {
        if self.is_number { self.samples.first().copied() } else { None }
    }
}

impl<'a> From<&'a [f32]> for Samples<'a> {
    fn from(samples: &'a [f32]) -> Self {
        Self { samples, is_number: false }
    }
}

impl Deref for Samples<'_> {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        self.samples
    }
}

impl<'a> IntoIterator for Samples<'a> {
    type Item = &'a f32;
    type IntoIter = std::slice::Iter<'a, f32>;

    fn into_iter(self) -> Self::IntoIter {
        self.samples.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_samples_are_a_number_only_where_that_is_known() {
        let samples = [2.0f32; 3];
        assert_eq!(Samples::of_number(&samples).number(), Some(2.0));
        assert_eq!(Samples::from(&samples[..]).number(), None);
        assert_eq!(Samples::of_number(&[]).number(), None);
        assert_eq!(Samples::of_number(&samples).into_iter().sum::<f32>(), 6.0);
    }
}
