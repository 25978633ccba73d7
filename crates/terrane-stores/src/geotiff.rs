//! An array of a store as one cloud-optimised GeoTIFF.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use terrane_flow::syntax::Problem;
use terrane_io::{CogOptions, CogSamples, IoError, Levels, Problem as FileProblem, Written, write_cog};
use terrane_runs::Failure;

use crate::layout::Pixel;
use crate::windows::Windows;

/// The array as the source of the GeoTIFF's samples.
struct StoredLevels<'a> {
    windows: &'a Windows<'a>,
    path: &'a Path,
    /// The error of the store, if reading from it failed.
    problem: RefCell<Option<Problem>>,
}

impl Levels for StoredLevels<'_> {
    fn size(&self) -> (usize, usize) {
        self.windows.layout().domain(0).size
    }

    fn read(&self, level: u32, first: (usize, usize), size: (usize, usize)) -> Result<Vec<u8>, IoError> {
        self.windows.read(level, first, size).map_err(|problem| {
            let error = FileProblem::Write(std::io::Error::other(problem.message.clone()));
            *self.problem.borrow_mut() = Some(problem);
            IoError { path: self.path.to_owned(), problem: error }
        })
    }
}

/// Writes an array with its levels of detail as one cloud-optimised GeoTIFF.
///
/// # Errors
/// Fails if a block is missing or damaged, or if the file cannot be written. In this case an existing file is
/// unchanged.
pub fn write_geotiff(windows: &Windows<'_>, path: &Path) -> Result<Written, Failure> {
    let samples = match windows.layer().pixel {
        Pixel::Number => CogSamples::Heights,
        Pixel::Colour => CogSamples::Colours,
    };
    let domain = windows.layout().domain(0);
    let levels = StoredLevels { windows, path, problem: RefCell::default() };
    let options = CogOptions {
        georef: Some(Arc::new(windows.place().georef(&domain))),
        ..CogOptions::new(samples, domain)
    };
    write_cog(path, &levels, &options).map_err(|error| {
        let store_problem = levels.problem.take();
        Failure::Evaluation(vec![store_problem.unwrap_or_else(|| {
            Problem::new(format!("{}: {}", path.display(), error.problem), error.remedy())
        })])
    })
}
