//! The range of an axis, and its labels.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;

/// Maximum number of labels.
const MOST: usize = 10;
/// Numbers that differ by less than this fraction of their size count as one position: steps between them
/// would be lost in rounding.
const NEAR: f64 = 1e-12;
/// Approximate width of a letter in pixels.
const LETTER: u32 = 7;
/// Pixels between labels.
const GAP: u32 = 14;

/// An axis with its labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The ends of the axis.
    pub low: f64,
    pub high: f64,
    /// Positions of the labels. Different positions have different texts.
    pub labelled: Vec<f64>,
    digits: Digits,
}

/// The number format of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Digits {
    /// Decimals needed to distinguish neighbouring labels; negative for steps of tens or more.
    decimals: i32,
    /// Whether numbers are written as powers of ten.
    scientific: bool,
    /// Smaller magnitudes are written as 0.
    least: f64,
}

impl Axis {
    /// An axis for numbers in a range, with labels; a single label if the range is one number. `room` is the
    /// margin at each end, as a fraction of the range.
    pub fn new((low, high): (f64, f64), room: f64) -> Self {
        let greatest = low.abs().max(high.abs());
        if high - low > greatest * NEAR {
            let margin = room * (high - low);
            let (low, high) = (low - margin, high + margin);
            let digits = Digits::new(greatest, high - low);
            return Self { low, high, labelled: digits.label_positions(low, high, MOST), digits };
        }
        // A single position gets some width around it.
        let width = if greatest > 0.0 { greatest / 8.0 } else { 0.5 };
        let digits = Digits::new(greatest, greatest * 1e-6);
        Self { low: low - width, high: low + width, labelled: vec![low], digits }
    }

    /// Reduces the number of labels to as many as fit side by side in `pixels`.
    pub fn beside(mut self, pixels: u32) -> Self {
        let most = (pixels / (self.longest() * LETTER + GAP)).max(2) as usize;
        if self.labelled.len() > most {
            self.labelled = self.digits.label_positions(self.low, self.high, most);
        }
        self
    }

    /// Approximate width of the labels in pixels.
    pub fn width(&self) -> u32 {
        self.longest() * LETTER
    }

    /// The label of a number.
    pub fn label(&self, number: f64) -> String {
        self.digits.text(number)
    }

    fn longest(&self) -> u32 {
        self.labelled.iter().map(|number| self.label(*number).chars().count() as u32).max().unwrap_or(0)
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.range()).map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // No marks between labels.
        if hint.weight().allow_light_points() { Vec::new() } else { self.labelled.clone() }
    }
}

fn power(number: f64) -> i32 {
    if number > 0.0 { libm::floor(libm::log10(number)) as i32 } else { 0 }
}

impl Digits {
    fn new(greatest: f64, length: f64) -> Self {
        let scientific = greatest < 1e-4 && greatest > 0.0 || greatest >= 1e7 && length >= 1e5;
        Self { decimals: 2 - power(length), scientific, least: length * 1e-3 }
    }

    /// Positions of labels with different texts.
    fn label_positions(&self, low: f64, high: f64, most: usize) -> Vec<f64> {
        let mut labelled = RangedCoordf64::from(low..high).key_points(most);
        labelled.dedup_by_key(|number| self.text(*number));
        labelled
    }

    fn text(&self, number: f64) -> String {
        if number.abs() < self.least {
            return "0".to_owned();
        }
        if self.scientific {
            let digits = (power(number.abs()) + self.decimals).clamp(0, 16) as usize;
            let text = format!("{number:.digits$e}");
            return match text.split_once('e') {
                Some((mantissa, power)) => format!("{}e{power}", bare(mantissa)),
                None => text,
            };
        }
        let digits = self.decimals.clamp(0, 16) as usize;
        bare(&format!("{number:.digits$}")).to_owned()
    }
}

/// Removes trailing zeros after the decimal point.
fn bare(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        let axis = Axis::new((low, high), 0.05);
        axis.labelled.iter().map(|number| axis.label(*number)).collect()
    }

    #[test]
    fn labels_have_the_digits_that_tell_them_apart() {
        let text = |number: f64, greatest: f64, length: f64| Digits::new(greatest, length).text(number);
        assert_eq!(text(100.0, 500.0, 500.0), "100");
        assert_eq!(text(0.25, 1.0, 1.0), "0.25");
        assert_eq!(text(0.5, 0.5, 0.02), "0.5");
        assert_eq!(text(-0.0001, 1.0, 2.0), "0");
        assert_eq!(text(31_600.0, 40_000.0, 40_000.0), "31600");
        assert_eq!(text(2e-6, 1e-5, 1e-5), "2e-6");
        assert_eq!(text(2.5e8, 3e8, 3e8), "2.5e8");
    }

    #[test]
    fn no_two_positions_have_the_same_label() {
        for (low, high) in [
            (0.63001, 0.63005),
            (0.63, 0.63 + 1e-10),
            (1e-9, 1.00004e-9),
            (0.0, 1e-12),
            (1e7, 1e7 + 3.0),
            (1e12, 1e12 + 3.0),
            (-2e9, 5e9),
            (-0.5, 0.5),
            (3.0, 9e15),
        ] {
            let mut all = labels(low, high);
            assert!((2..=MOST + 1).contains(&all.len()), "{low} to {high}: {all:?}");
            let count = all.len();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count, "{low} to {high}: {all:?}");
        }
        assert!(labels(0.63001, 0.63005).contains(&"0.63003".to_owned()));
    }

    #[test]
    fn a_single_position_has_one_label() {
        for (number, text) in
            [(0.63, "0.63"), (0.0, "0"), (7.0, "7"), (1e9, "1000000000"), (-2.5e-8, "-2.5e-8")]
        {
            assert_eq!(labels(number, number), [text]);
            let axis = Axis::new((number, number), 0.0);
            assert!(axis.low < number && number < axis.high, "{axis:?}");
        }
        assert_eq!(labels(1e6, 1e6 + 1e-10), ["1000000"], "steps this small would be lost in rounding");
    }

    #[test]
    fn an_axis_with_long_labels_has_fewer() {
        let axis = Axis::new((1e12, 1e12 + 9.0), 0.0);
        assert!(axis.labelled.len() > 4);
        assert!(axis.beside(400).labelled.len() <= 4);
    }
}
