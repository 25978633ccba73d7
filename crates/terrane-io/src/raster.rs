//! A decoded raster before it becomes a heightmap.

use std::panic::{AssertUnwindSafe, catch_unwind};

use terrane_grid::GeoReference;

use crate::{Format, Problem, Sample, error::Outcome, exact::Rules};

/// Samples as stored (codes for integers), row by row.
pub(crate) struct Raster {
    pub width: usize,
    pub height: usize,
    pub samples: Vec<f32>,
    pub sample: Sample,
    /// The highest code, if it is not that of the sample type: pictures of less than 8 bits.
    pub highest: Option<f64>,
    /// The height of a stored number n is `n * scale.0 + scale.1`, unless options or a sidecar say otherwise.
    pub scale: Option<(f64, f64)>,
    /// The rules that were applied to samples before they were rounded.
    pub rules: Rules,
    /// The unit of heights.
    pub unit: Option<String>,
    /// Samples that the file masks, or that are transparent in a picture.
    pub transparent: Option<Vec<bool>>,
    pub georef: Option<GeoReference>,
    pub warnings: Vec<String>,
}

impl Raster {
    pub(crate) fn new(size: (usize, usize), samples: Vec<f32>, sample: Sample) -> Self {
        let (width, height) = size;
        Self {
            width,
            height,
            samples,
            sample,
            highest: None,
            scale: None,
            rules: Rules::default(),
            unit: None,
            transparent: None,
            georef: None,
            warnings: Vec::new(),
        }
    }
}

/// Reserves memory for `length` values without touching it: a false header costs address space, not memory.
pub(crate) fn reserve<T>(length: usize) -> Outcome<Vec<T>> {
    let mut samples = Vec::new();
    samples.try_reserve_exact(length).map_err(|_| Problem::Memory { samples: length as u64 })?;
    Ok(samples)
}

/// Zeros in memory that is not touched: it is used only as values are written.
pub(crate) fn zeros<T: Copy + Default>(length: usize) -> Outcome<Vec<T>> {
    // If memory does not suffice, `vec!` would abort the program.
    drop(reserve::<T>(length)?);
    Ok(vec![T::default(); length])
}

/// Runs a decoder or encoder of another crate.
///
/// Such code checks most of what it reads, but a damaged file can still trigger one of its assertions. The
/// panic is then reported as a damaged file and does not end the program. Nothing that `f` touched is used
/// after a panic.
pub(crate) fn guarded<T>(format: Format, f: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Problem::Damaged { format, detail: text.unwrap_or("the decoder gave up").to_owned() })
    })
}

/// The first bytes in hexadecimal, for messages.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let text: Vec<_> = bytes.iter().take(8).map(|b| format!("{b:02x}")).collect();
    if text.is_empty() { "nothing".into() } else { text.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_damaged_file() {
        let damaged = guarded::<()>(Format::EXR, || panic!("index {} of 3", 4));
        assert!(matches!(damaged, Err(Problem::Damaged { detail, .. }) if detail == "index 4 of 3"));
    }
}
