//! Primal variables, row by row: heights and flows.

use super::layout::Layout;

/// The over-relaxation factor.
pub const RELAX: f64 = 1.8;

/// Heights and flows of a row with a margin of one sample. The `_next` values are extrapolated by one more
/// step: the other half of the step reads these.
pub struct Primal {
    pub heights: Vec<f64>,
    pub heights_next: Vec<f64>,
    /// Flows to the next sample along x.
    pub right: Vec<f64>,
    pub right_next: Vec<f64>,
    /// Flows to the next sample along y.
    pub down: Vec<f64>,
    pub down_next: Vec<f64>,
    /// Ranges of samples where anything moves: elsewhere the ground is unchanged.
    pub spans: Vec<(usize, usize)>,
    /// The minimum and maximum of heights.
    pub range: (f64, f64),
    /// Prescribed heights.
    given: Vec<(usize, f64)>,
    /// Samples from which nothing flows to the next one along x.
    shut_right: Vec<usize>,
    /// The same along y.
    shut_down: Vec<usize>,
}

impl Primal {
    /// The row `y`, with the given heights and without flows.
    pub fn new(y: usize, heights: &[f64], range: (f64, f64), layout: &Layout) -> Self {
        let positions = |holds: &dyn Fn(usize) -> bool| -> Vec<usize> {
            (0..heights.len()).filter(|&x| holds(x)).collect()
        };
        let is_row = (1..=layout.rows()).contains(&y);
        let empty = || vec![0.0; heights.len()];
        Self {
            heights: heights.to_vec(),
            heights_next: heights.to_vec(),
            right: empty(),
            right_next: empty(),
            down: empty(),
            down_next: empty(),
            range,
            spans: spans((0..heights.len()).map(|x| layout.moves(x, y))),
            given: positions(&|x| layout.is_given(x, y)).into_iter().map(|x| (x, heights[x])).collect(),
            shut_right: positions(&|x| is_row && layout.is_shut(x, y)[0]),
            shut_down: positions(&|x| is_row && layout.is_shut(x, y)[1]),
        }
    }

    /// Whether earth can move from the sample to the next ones.
    pub fn moves(&self, x: usize) -> bool {
        self.spans.iter().any(|&(from, to)| (from..to).contains(&x))
    }

    /// The flow to the next sample along x before it was over-relaxed.
    pub fn flow_right(&self, x: usize) -> f64 {
        settled(self.right[x], self.right_next[x])
    }

    /// The same along y.
    pub fn flow_down(&self, x: usize) -> f64 {
        settled(self.down[x], self.down_next[x])
    }

    /// Restores prescribed heights, and flows that must be zero.
    pub fn hold(&mut self) {
        for &(x, height) in &self.given {
            self.heights[x] = height;
            self.heights_next[x] = height;
        }
        for &x in &self.shut_right {
            self.right[x] = 0.0;
            self.right_next[x] = 0.0;
        }
        for &x in &self.shut_down {
            self.down[x] = 0.0;
            self.down_next[x] = 0.0;
        }
    }

    /// Columns with a prescribed height, counted from 1.
    pub fn given(&self) -> impl Iterator<Item = usize> + '_ {
        self.given.iter().map(|&(x, _)| x)
    }
}

/// The value of a variable before it was over-relaxed, from both values that a step leaves. Exactly 0 if it
/// is 0 up to rounding.
fn settled(now: f64, next: f64) -> f64 {
    let value = next - (next - now) / (2.0 - RELAX);
    if value.abs() > 1e-9 * (now.abs() + next.abs()) { value } else { 0.0 }
}

/// Ranges where a condition holds.
fn spans(holds: impl Iterator<Item = bool>) -> Vec<(usize, usize)> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for x in holds.enumerate().filter_map(|(x, holds)| holds.then_some(x)) {
        match spans.last_mut() {
            Some((_, to)) if *to == x => *to = x + 1,
            _ => spans.push((x, x + 1)),
        }
    }
    spans
}
