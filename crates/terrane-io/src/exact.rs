//! Numbers of wide types: their missing samples and their scale are found before they are rounded to 32 bits.

pub(crate) use terrane_grid::nodata_number as number;

use crate::Sample;

/// The size above which a nodata value need not equal a sample to the bit: no height has it, and files name
/// the lowest 32-bit number with two to nine digits.
pub(crate) const NO_HEIGHT: f32 = 1e30;

/// What options and other files say of the numbers in a file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Given<'a> {
    /// Numbers that mark missing samples, as texts, besides the file's own.
    pub nodata: &'a [String],
    /// Whether the file's own number for missing samples does not count.
    pub replaces_nodata: bool,
    /// Scale and offset, instead of the file's own.
    pub scale: Option<(f64, f64)>,
    /// Whether options or a sidecar give heights for the stored numbers, so that no scale applies.
    pub is_coded: bool,
}

impl<'a> Given<'a> {
    /// The number that marks missing samples of the file: that of other files beside it, otherwise its `own`.
    pub fn of_file(&self, own: Option<&'a str>) -> Option<&'a str> {
        if self.replaces_nodata { self.nodata.last().map(String::as_str) } else { own }
    }
}

/// What the stored numbers of a wide type mean.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rules {
    /// Whether the numbers are of a wide type, so that they were compared before they were rounded.
    are_applied: bool,
    marks: Vec<Mark>,
    scale: Option<(f64, f64)>,
}

/// A stored number that marks missing samples.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Whole(i128),
    Real(f64),
}

impl Rules {
    /// The rules for samples of a type. `nodata` and `scale` are those of the file itself. Without effect for
    /// a type whose numbers are 32-bit numbers too.
    pub fn of(sample: Sample, given: &Given<'_>, nodata: Option<&str>, scale: Option<(f64, f64)>) -> Self {
        if !is_wide(sample) {
            return Self::default();
        }
        let own = nodata.filter(|_| !given.replaces_nodata);
        let texts = given.nodata.iter().map(String::as_str).chain(own);
        Self {
            are_applied: true,
            marks: texts.filter_map(|text| Mark::of(sample, text)).collect(),
            scale: given.scale.or(scale).filter(|_| !given.is_coded),
        }
    }

    /// Whether numbers are only rounded.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.scale.is_none()
    }

    /// Whether missing samples are not numbers any more.
    pub fn are_applied(&self) -> bool {
        self.are_applied
    }

    /// The scale and offset that were applied.
    pub fn scale(&self) -> Option<(f64, f64)> {
        self.scale
    }

    /// The height of a stored whole number; not a number if it is missing.
    pub fn whole(&self, number: impl Into<i128>, rounded: f32) -> f32 {
        let number = number.into();
        if self.marks.contains(&Mark::Whole(number)) {
            return f32::NAN;
        }
        self.scale.map_or(rounded, |(scale, offset)| (number as f64 * scale + offset) as f32)
    }

    /// The height of a stored zero, such as one of a part that a file leaves out; not a number if it is
    /// missing.
    pub fn zero(&self) -> f32 {
        let height = self.whole(0, 0.0);
        if height.is_nan() { height } else { self.real(0.0) }
    }

    /// The height of a stored real number; not a number if it is missing.
    pub fn real(&self, number: f64) -> f32 {
        let marks = |mark: &Mark| match mark {
            Mark::Whole(_) => false,
            Mark::Real(mark) => number == *mark || are_near(number, *mark),
        };
        if self.marks.iter().any(marks) {
            return f32::NAN;
        }
        self.scale.map_or(number, |(scale, offset)| number * scale + offset) as f32
    }
}

impl Mark {
    /// The number that a text names; `None` if no sample of this type can equal it.
    fn of(sample: Sample, text: &str) -> Option<Self> {
        let Some((low, high)) = limits(sample) else { return number(text).map(Self::Real) };
        let whole = text.trim().parse::<i128>().ok().or_else(|| {
            let real = number(text).filter(|real| real.fract() == 0.0)?;
            Some(real as i128)
        });
        // The highest 64-bit numbers have no 64-bit float, and programs write the nearest one with few
        // digits.
        let nearest = || [low, high].into_iter().find(|end| number(text) == Some(*end as f64));
        whole.filter(|whole| (low..=high).contains(whole)).or_else(nearest).map(Self::Whole)
    }
}

/// Whether a large number is meant for another one, which files name with few digits.
fn are_near(number: f64, mark: f64) -> bool {
    let least = f64::from(NO_HEIGHT);
    mark.abs() >= least && number.abs() >= 0.9 * least && (number - mark).abs() <= 0.01 * mark.abs()
}

/// Whether 32-bit floats cannot hold all numbers of a type.
const fn is_wide(sample: Sample) -> bool {
    matches!(sample, Sample::U32 | Sample::I32 | Sample::U64 | Sample::I64 | Sample::F64)
}

/// The lowest and the highest number of a wide integer type.
pub(crate) const fn limits(sample: Sample) -> Option<(i128, i128)> {
    match sample {
        Sample::U32 => Some((0, u32::MAX as i128)),
        Sample::U64 => Some((0, u64::MAX as i128)),
        Sample::I32 => Some((i32::MIN as i128, i32::MAX as i128)),
        Sample::I64 => Some((i64::MIN as i128, i64::MAX as i128)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(sample: Sample, nodata: &str, scale: Option<(f64, f64)>) -> Rules {
        Rules::of(sample, &Given::default(), Some(nodata), scale)
    }

    #[test]
    fn numbers_that_round_to_the_mark_are_not_missing() {
        let of = rules(Sample::I32, "2147483647", None);
        assert!(of.whole(i32::MAX, i32::MAX as f32).is_nan());
        assert_eq!(of.whole(2_147_483_640, 2_147_483_640.0), 2_147_483_648.0);
        let of = rules(Sample::I64, "9223372036854775807", None);
        assert!(of.whole(i64::MAX, 0.0).is_nan() && !of.whole(i64::MAX - 1, 0.0).is_nan());
        let of = rules(Sample::U64, "1.8446744073709552e19", None);
        assert!(of.whole(u64::MAX, 0.0).is_nan() && !of.whole(u64::MAX - 1, 0.0).is_nan());
        for (sample, text, mark) in [
            (Sample::U64, "18446744073709552000", i128::from(u64::MAX)),
            (Sample::I64, "-9223372036854776000", i128::from(i64::MIN)),
            (Sample::I64, "9223372036854775807", i128::from(i64::MAX)),
        ] {
            assert_eq!(rules(sample, text, None).marks, [Mark::Whole(mark)], "{text}");
        }
        let of = rules(Sample::F64, "-9999.1", None);
        assert!(of.real(-9999.1).is_nan() && !of.real(-9_999.100_000_01).is_nan());
        assert!(rules(Sample::F64, "-1.79e308", None).real(f64::MIN).is_nan());
        assert!(rules(Sample::U32, "-9999", None).is_empty() && rules(Sample::I32, "0.5", None).is_empty());
    }

    #[test]
    fn the_scale_applies_to_all_digits() {
        let of = rules(Sample::I32, "-1", Some((0.001, -2_000_000.0)));
        assert_eq!(of.whole(2_000_000_123, 2e9), 0.123);
        let of = rules(Sample::F64, "nan", Some((10.0, -1e9)));
        assert_eq!(of.real(100_000_000.25), 2.5);
        assert_eq!(rules(Sample::F32, "-1", Some((2.0, 0.0))), Rules::default());
    }
}
