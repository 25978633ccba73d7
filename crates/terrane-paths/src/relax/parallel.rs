//! The thesis's parallel form (section 5.1.1): every sample moves by the mean of the moves that all
//! constraints around it require, computed from the same heights.

use crate::parallel::{elements, for_each, slices};

use super::constraint::Constraint;
use super::field::{Field, Moves};
use super::sweeps::Sweeps;

/// Rows per band. The order of sums depends on this alone.
const BAND: usize = 16;

/// The moves of a band, including those in rows around it that its constraints reach.
struct Band {
    /// First row that constraints of the band reach.
    first: usize,
    by: Vec<f64>,
    missed: u64,
}

/// Constraints grouped by bands.
pub struct Parallel<'a> {
    constraints: &'a [Box<dyn Constraint>],
    /// Per band and constraint, the range of indices in the constraint.
    ranges: Vec<Vec<std::ops::Range<usize>>>,
    bands: Vec<Band>,
    /// The divisor of moves.
    divisor: f64,
}

impl<'a> Parallel<'a> {
    /// Each move is divided by the maximum number of moves of a sample: 25 for the thesis's constraints. A
    /// separate divisor per sample would be faster, but then one end of a slope would not gain what the other
    /// end loses.
    pub fn new(constraints: &'a [Box<dyn Constraint>], (width, height): (usize, usize)) -> Self {
        let reach = constraints.iter().map(|constraint| constraint.reach()).max().unwrap_or(0);
        let all: u32 = constraints.iter().map(|constraint| constraint.moves()).sum();
        let bands = (0..height).step_by(BAND);
        let band = |start: usize| {
            let (first, end) = (start.saturating_sub(reach), (start + BAND + reach).min(height));
            Band { first, by: vec![0.0; (end - first) * width], missed: 0 }
        };
        let range = |constraint: &dyn Constraint, start: usize| {
            let place = |row: usize| constraint.samples().partition_point(|&at| (at as usize) < row * width);
            place(start)..place(start + BAND)
        };
        let ranges = bands.clone().map(|start| constraints.iter().map(|c| range(&**c, start)).collect());
        Self {
            constraints,
            ranges: ranges.collect(),
            bands: bands.map(band).collect(),
            divisor: f64::from(all.max(1)),
        }
    }
}

impl Sweeps for Parallel<'_> {
    fn sweep(&mut self, field: &mut Field) -> u64 {
        let Self { constraints, ranges, bands, divisor } = self;
        let width = field.domain.size.0;
        let before = &*field;
        for_each(elements(bands), 1, |index, band| {
            band.by.fill(0.0);
            band.missed = 0;
            let mut moves = Moves { first: band.first * width, by: &mut band.by };
            for (constraint, range) in constraints.iter().zip(&ranges[index]) {
                for index in range.clone() {
                    band.missed += u64::from(constraint.gather(before, index, &mut moves));
                }
            }
        });
        let mut missed: u64 = bands.iter().map(|band| band.missed).sum();
        let bands = &*bands;
        for_each(slices(&mut field.heights, width * BAND), 1, |number, heights| {
            let start = number * BAND * width;
            // In the order of bands, so that sums are the same on any number of threads.
            for band in bands {
                let first = band.first * width;
                let (from, to) = (first.max(start), (first + band.by.len()).min(start + heights.len()));
                if from < to {
                    let moves = &band.by[from - first..to - first];
                    heights[from - start..to - start]
                        .iter_mut()
                        .zip(moves)
                        .for_each(|(height, by)| *height += by / *divisor);
                }
            }
        });
        for constraint in constraints.iter().filter(|constraint| constraint.last()) {
            for index in 0..constraint.samples().len() {
                missed += u64::from(constraint.relax(field, index));
            }
        }
        missed
    }
}
