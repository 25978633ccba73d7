//! Which samples of a raster are missing, and a hint at samples that look as if they were.

use terrane_grid::Grid;

use crate::{
    Problem, Sample,
    error::Outcome,
    exact::{self, NO_HEIGHT},
    extremes::Extremes,
    limits::Limits,
    raster::Raster,
};

/// Numbers that often mark missing samples, besides the lowest and the highest of each type.
const MARKERS: [f64; 10] =
    [0.0, -9999.0, -99_999.0, -999.0, -32_768.0, -32_767.0, 9999.0, 99_999.0, 32_767.0, 65_535.0];

/// The least distance from all others from which a number is pointed out.
const LEAST_GAP: f64 = 100.0;

/// No height has this size.
const BEYOND_HEIGHTS: f64 = 1e9;

/// A mask with 1 for every valid sample, otherwise 0; `None` if all samples are valid. If missing samples are
/// to be filled, at least one must be valid.
pub(crate) fn valid(
    raster: &Raster,
    extremes: &Extremes,
    nodata: &[f64],
    fill: bool,
    limits: Limits,
) -> Outcome<Option<Grid<f32>>> {
    // NaN does not equal any value. A NaN sample is missing in any case.
    let rounded = |nodata: f64| match raster.sample {
        Sample::F16 => half::f16::from_f64(nodata).to_f32(),
        _ => nodata as f32,
    };
    let exact: Vec<f32> = nodata.iter().map(|&nodata| rounded(nodata)).collect();
    let large: Vec<f64> =
        nodata.iter().copied().filter(|nodata| nodata.abs() >= f64::from(NO_HEIGHT)).collect();
    let is_near = |h: f32| {
        h.abs() >= 0.9 * NO_HEIGHT
            && large.iter().any(|nodata| (f64::from(h) - nodata).abs() <= 0.01 * nodata.abs())
    };
    let known = |h: f32| h.is_finite() && !exact.contains(&h) && !is_near(h);
    if raster.transparent.is_none() {
        let Extremes { low, high, all_finite } = *extremes;
        let within = |nodata: &f32| (low..=high).contains(nodata);
        let is_large = !large.is_empty() && low.abs().max(high.abs()) >= 0.9 * NO_HEIGHT;
        if all_finite && !exact.iter().any(within) && !is_large || raster.samples.iter().all(|&h| known(h)) {
            return Ok(None);
        }
    }
    limits.with_missing((raster.width, raster.height))?;
    let mut mask: Vec<f32> = raster.samples.iter().map(|&h| f32::from(u8::from(known(h)))).collect();
    if let Some(transparent) = &raster.transparent {
        for (m, _) in mask.iter_mut().zip(transparent).filter(|(_, t)| **t) {
            *m = 0.0;
        }
    }
    if fill && !mask.contains(&1.0) {
        return Err(Problem::AllMissing { samples: mask.len() });
    }
    // A mask without a missing sample, as many files have it, is none.
    Ok(mask.contains(&0.0).then(|| Grid::from_vec(raster.width, raster.height, mask)))
}

/// A warning if the lowest or the highest stored number looks like a mark of missing samples: programs use
/// it as one, and it is farther from all others than their range. Other such marks do not count as others.
pub(crate) fn hint(raster: &Raster, extremes: &Extremes, valid: Option<&Grid<f32>>) -> Option<String> {
    let marks = Marks::of(raster);
    let (lowest, highest) = match valid {
        None => (f64::from(extremes.low), f64::from(extremes.high)),
        Some(valid) => {
            let all = raster.samples.iter().zip(valid.as_slice()).filter(|(_, v)| **v == 1.0);
            all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (&h, _)| {
                (low.min(f64::from(h)), high.max(f64::from(h)))
            })
        }
    };
    let ends = [lowest, highest].map(|height| Some((height, marks.stored(height)?)));
    // Codes that use the whole of their type are none of missing samples.
    if ends == [None, None] || raster.sample.codes().is_some_and(|codes| codes == (lowest, highest)) {
        return None;
    }
    // Mostly the next numbers show that nothing is missing: seas at 0, for example.
    if valid.is_none() {
        let next = Extremes::between(&raster.samples, lowest as f32, highest as f32);
        let is_beside = |end: Option<_>, next: f64, from: f64| {
            end.is_none() || marks.stored(next).is_none() && (next - from).abs() <= LEAST_GAP
        };
        if is_beside(ends[0], f64::from(next.low), lowest)
            && is_beside(ends[1], f64::from(next.high), highest)
        {
            return None;
        }
    }
    let known = |index: usize| valid.is_none_or(|valid| valid.as_slice()[index] == 1.0);
    let samples = || {
        let all = raster.samples.iter().enumerate().filter(|(index, _)| known(*index));
        all.map(|(_, &sample)| f64::from(sample))
    };
    let others = samples().filter(|sample| marks.stored(*sample).is_none());
    let (low, high) = others
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), sample| (low.min(sample), high.max(sample)));
    if low > high {
        return None;
    }
    ends.into_iter().flatten().find_map(|(marker, number)| {
        let (gap, side) = if marker < low { (low - marker, "below") } else { (marker - high, "above") };
        if gap <= high - low || gap <= LEAST_GAP {
            return None;
        }
        let count = samples().filter(|sample| *sample == marker).count();
        let samples = if count == 1 { "1 sample is".to_owned() } else { format!("{count} samples are") };
        let number = exact(raster.sample, number);
        let (marker, gap) = (short(marker), short(gap));
        Some(format!(
            "{samples} {marker}, {gap} {side} all others: set `nodata: {number}` if they are missing"
        ))
    })
}

/// The numbers that mark missing samples in files of a type.
struct Marks<'a> {
    raster: &'a Raster,
    limits: (f64, f64),
}

impl<'a> Marks<'a> {
    fn of(raster: &'a Raster) -> Self {
        Self { raster, limits: limits(raster.sample) }
    }

    /// The stored number of a height, if programs use that number as a mark.
    fn stored(&self, height: f64) -> Option<f64> {
        let (first, last) = self.limits;
        match self.raster.rules.scale() {
            None => {
                let is_marker = MARKERS.contains(&height) || height == first || height == last;
                (is_marker || height.abs() >= BEYOND_HEIGHTS).then_some(height)
            }
            Some((scale, offset)) => {
                let is_marker = |marker: &f64| f64::from((marker * scale + offset) as f32) == height;
                MARKERS.into_iter().chain([first, last]).find(is_marker)
            }
        }
    }
}

/// A number for people: with at most nine digits if it is large.
fn short(number: f64) -> String {
    if number.abs() >= 1e15 { format!("{:e}", number as f32) } else { number.to_string() }
}

/// A number as `nodata` takes it.
fn exact(sample: Sample, number: f64) -> String {
    if let Some((low, high)) = exact::limits(sample)
        && let Some(end) = [low, high].into_iter().find(|end| *end as f32 == number as f32)
    {
        return end.to_string();
    }
    short(number)
}

/// The lowest and the highest number of a type.
fn limits(sample: Sample) -> (f64, f64) {
    match sample {
        Sample::U8 => (0.0, 255.0),
        Sample::U16 => (0.0, 65_535.0),
        Sample::U32 => (0.0, f64::from(u32::MAX as f32)),
        Sample::U64 => (0.0, f64::from(u64::MAX as f32)),
        Sample::I8 => (-128.0, 127.0),
        Sample::I16 => (-32_768.0, 32_767.0),
        Sample::I32 => (f64::from(i32::MIN as f32), f64::from(i32::MAX as f32)),
        Sample::I64 => (f64::from(i64::MIN as f32), f64::from(i64::MAX as f32)),
        Sample::F16 => (-65_504.0, 65_504.0),
        Sample::F32 | Sample::F64 => (f64::from(f32::MIN), f64::from(f32::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raster(sample: Sample, samples: &[f32]) -> Raster {
        Raster::new((samples.len(), 1), samples.to_vec(), sample)
    }

    fn mask(samples: &[f32], nodata: f64) -> Option<Vec<f32>> {
        let raster = raster(Sample::F32, samples);
        valid(&raster, &Extremes::of(samples), &[nodata], true, Limits::samples(100))
            .unwrap()
            .map(|mask| mask.as_slice().to_vec())
    }

    #[test]
    fn large_nodata_values_are_compared_with_a_tolerance() {
        let lowest = f32::MIN;
        for written in [-3.4e38, -3.402_823e38, f64::from(lowest), -3.403e38] {
            assert_eq!(mask(&[5.0, lowest, 7.0], written), Some(vec![1.0, 0.0, 1.0]), "{written}");
        }
        assert_eq!(mask(&[5.0, -9999.5, 7.0], -9999.0), None);
        assert_eq!(mask(&[5.0, f32::MAX, 7.0], -3.4e38), None);
    }

    #[test]
    fn numbers_far_from_all_others_are_pointed_out() {
        let of = |sample, samples: &[f32]| hint(&raster(sample, samples), &Extremes::of(samples), None);
        let text = of(Sample::I16, &[383.0, -32_768.0, 1328.0, -32_768.0]).unwrap();
        assert_eq!(
            text,
            "2 samples are -32768, 33151 below all others: set `nodata: -32768` if they are missing"
        );
        for (sample, marker) in
            [(Sample::F32, f32::MIN), (Sample::I32, -9999.0), (Sample::U16, 65_535.0), (Sample::F64, 1e38)]
        {
            assert!(of(sample, &[300.0, marker, 800.0]).unwrap().contains("nodata"), "{sample} {marker}");
        }
        // Two marks in one file, numbers that no height has, zeros of a reprojection, and how they are named.
        for (sample, samples, named) in [
            (Sample::F32, &[300.0, -9999.0, 800.0, -32_768.0][..], "nodata: -32768`"),
            (Sample::F32, &[300.0, 1e20, 800.0], "nodata: 1e20`"),
            (Sample::F32, &[0.0, 1500.0, 1900.0], "nodata: 0`"),
            (Sample::F32, &[100.0, 8848.0, -9999.0], "nodata: -9999`"),
            (Sample::F32, &[300.0, f32::MIN, 800.0], "nodata: -3.4028235e38`"),
            (Sample::I64, &[300.0, i64::MIN as f32, 800.0], "nodata: -9223372036854775808`"),
            (Sample::U32, &[300.0, u32::MAX as f32, 800.0], "nodata: 4294967295`"),
        ] {
            let text = of(sample, samples).unwrap_or_default();
            assert!(text.contains(named), "{text} {named}");
        }
        // Heights that are only far apart, a sea of zeros, and codes that use the whole type.
        for (sample, samples) in [
            (Sample::F32, &[1.0, -12_000.0, 3.0][..]),
            (Sample::F32, &[0.0, 90.0, 500.0]),
            (Sample::U16, &[0.0, 120.0, 60.0]),
            (Sample::U8, &[0.0, 255.0, 128.0]),
            (Sample::I16, &[-32_768.0, 0.0, 32_767.0]),
            (Sample::F32, &[-9999.0, -9999.0]),
        ] {
            assert_eq!(of(sample, samples), None, "{samples:?}");
        }
    }
}
