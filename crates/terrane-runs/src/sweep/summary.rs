//! Summaries of several runs: count, mean, deviation, minimum and maximum.

use super::table::RunRow;

/// A summary of numbers from several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many runs gave a finite number.
    pub runs: usize,
    pub mean: f64,
    /// The sample deviation, over n - 1; `None` for a single run.
    pub deviation: Option<f64>,
    pub least: f64,
    pub most: f64,
}

impl Summary {
    /// Summarises the finite numbers; `None` if there are none. The numbers are added in order, so that the
    /// result is the same bit for bit.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let numbers: Vec<f64> = numbers.into_iter().filter(|number| number.is_finite()).collect();
        let runs = numbers.len();
        if runs == 0 {
            return None;
        }
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Rounding must not change equal numbers or move the mean outside their range.
        let mean = if least == most {
            least
        } else {
            (numbers.iter().sum::<f64>() / runs as f64).clamp(least, most)
        };
        let squares = numbers.iter().map(|number| (number - mean) * (number - mean)).sum::<f64>();
        Some(Self {
            runs,
            mean,
            deviation: (runs > 1).then(|| (squares / (runs - 1) as f64).sqrt()),
            least,
            most,
        })
    }
}

/// The runs of one combination of parameters.
pub struct Combination<'a> {
    pub set: &'a [(String, String)],
    pub rows: Vec<&'a RunRow>,
}

impl Combination<'_> {
    pub fn summary(&self, metric: &str) -> Option<Summary> {
        Summary::of(self.rows.iter().filter_map(|row| row.metric(metric)))
    }

    /// How many runs did not fail.
    pub fn succeeded(&self) -> usize {
        self.rows.iter().filter(|row| row.error.is_empty()).count()
    }
}

/// The rows by combination of parameters, in the order of the table.
pub fn combinations<'a>(rows: &[&'a RunRow]) -> Vec<Combination<'a>> {
    let mut found: Vec<Combination<'a>> = Vec::new();
    for row in rows {
        // Seeds vary fastest, so the runs of a combination are consecutive.
        match found.last_mut().filter(|last| last.set == row.set.as_slice()) {
            Some(last) => last.rows.push(row),
            None => found.push(Combination { set: &row.set, rows: vec![row] }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_the_sample_deviation() {
        // By hand: the mean of 2, 4 and 9 is 5, the squares are 9, 1 and 16, and 26 / 2 = 13.
        let summary = Summary::of([4.0, 2.0, 9.0]).unwrap();
        assert_eq!((summary.runs, summary.mean, summary.least, summary.most), (3, 5.0, 2.0, 9.0));
        assert_eq!(summary.deviation, Some(13.0_f64.sqrt()));
    }

    #[test]
    fn only_finite_numbers_count() {
        let summary = Summary::of([f64::NAN, 3.0, f64::INFINITY]).unwrap();
        assert_eq!((summary.runs, summary.mean, summary.deviation), (1, 3.0, None));
        assert_eq!(Summary::of([f64::NAN]), None);
        assert_eq!(Summary::of([]), None);
    }

    #[test]
    fn equal_runs_have_no_deviation_and_the_mean_is_within_range() {
        for number in [0.1, 0.7, 1.0 / 3.0, -0.1] {
            for runs in 2..50 {
                let summary = Summary::of(vec![number; runs]).unwrap();
                assert_eq!((summary.mean, summary.deviation), (number, Some(0.0)), "{runs} times {number}");
            }
        }
        let summary = Summary::of([f64::MAX, f64::MAX.next_down()]).unwrap();
        assert!(summary.mean >= summary.least && summary.mean <= summary.most, "{summary:?}");
    }
}
