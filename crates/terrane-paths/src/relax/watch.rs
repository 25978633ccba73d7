//! Detects when iterations make no more progress.

use super::constraint::Constraint;
use super::field::Field;

/// How far a field is from all its goals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Bound samples that miss their goal.
    pub missed: u64,
    /// The sum of their excesses: slopes and roughness in their own units, heights divided by the spacing.
    pub sum: f64,
    /// The maximum excess.
    pub most: f64,
}

/// Measures how far a field is from all its goals.
pub fn distance(constraints: &[Box<dyn Constraint>], field: &Field) -> Distance {
    let mut out = Distance { missed: 0, sum: 0.0, most: 0.0 };
    for constraint in constraints {
        let unit = if constraint.last() { field.domain.spacing } else { 1.0 };
        for index in 0..constraint.samples().len() {
            let excess = constraint.excess(field, index) / unit;
            out.missed += u64::from(excess > 0.0);
            out.sum += excess;
            out.most = out.most.max(excess);
        }
    }
    out
}

/// Watches the distance at intervals: often at first, then whenever the number of iterations has grown by a
/// fiftieth.
pub struct Watch {
    seen: Vec<(u64, f64)>,
    next: u64,
    /// Iterations before a lack of progress is diagnosed.
    first: u64,
}

/// The maximum number of iterations before the diagnosis: slow relaxations look stuck at first.
const FIRST: u64 = 2048;

/// How far the distance must fall to count as progress. Take the minimum distance over the second half of all
/// iterations so far. There is progress if it is at most this fraction of the minimum over the second
/// quarter.
const PROGRESS: f64 = 0.99;

impl Watch {
    /// A watch for at most `most` iterations, which waits for a twentieth of them, but at most for [`FIRST`].
    pub fn new(most: u64) -> Self {
        Self::after((most / 20).min(FIRST))
    }

    /// A watch that diagnoses nothing before `first` iterations.
    pub const fn after(first: u64) -> Self {
        Self { seen: Vec::new(), next: 16, first }
    }

    /// Whether the distance should be measured.
    pub const fn is_due(&self, iteration: u64) -> bool {
        iteration >= self.next
    }

    /// Records a distance. Returns whether the relaxation is stuck: whether the distance has fallen less than
    /// [`PROGRESS`] requires.
    pub fn is_stuck(&mut self, iteration: u64, distance: f64) -> bool {
        self.next = iteration + (iteration / 50).max(16);
        self.seen.push((iteration, distance));
        let least = |from: u64, to: u64| {
            let within = self.seen.iter().filter(|(at, _)| (from..to).contains(at));
            within.map(|(_, distance)| *distance).fold(f64::INFINITY, f64::min)
        };
        let (early, late) = (least(iteration / 4, iteration / 2), least(iteration / 2, iteration + 1));
        iteration >= self.first.max(16) && late > PROGRESS * early
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stuck_at(distance: impl Fn(u64) -> f64) -> Option<u64> {
        let mut watch = Watch::new(1_000_000);
        (1..200_000)
            .find(|&iteration| watch.is_due(iteration) && watch.is_stuck(iteration, distance(iteration)))
    }

    #[test]
    fn slow_progress_is_distinguished_from_none() {
        assert_eq!(stuck_at(|t| libm::exp(-(t as f64) / 20_000.0)), None);
        assert_eq!(stuck_at(|t| 1.0 / (t as f64).sqrt()), None);
        // Falls for 1,000 iterations, then oscillates.
        let flicker = |t: u64| if t < 1000 { 2000.0 - t as f64 } else { 1000.0 + (t % 3) as f64 };
        assert!(stuck_at(flicker).is_some_and(|t| t < 5000));
    }
}
