//! Fields within reach of a sample, and how their shares count.

/// A sample's own field.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own {
    pub share: f64,
    /// The maximum presence of any other field.
    pub presence: f64,
    /// The field's part of the disc around the sample.
    pub part: f64,
    /// The part of the disc behind its seams.
    pub open: f64,
    /// The mean value of its seams.
    pub seam_mean: f64,
}

/// One of several fields at a sample.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// Its presence; 0 where the sample's own borders have none.
    pub presence: f64,
    /// Its part of the disc around the sample.
    pub part: f64,
    /// Its height less that of the sample's own field, both at borders.
    pub above: f64,
    /// Its share of a move.
    pub share: f64,
}

impl Other {
    /// The unit for shares: the mean share at the sample. In this mean other fields count by their presence,
    /// as a fraction of `full`. `None` if nothing moves.
    pub fn share(own: &Own, others: &[Self], full: f64) -> Option<f64> {
        let (sum, all) = others
            .iter()
            .map(|other| (other.presence / full, other.share))
            .fold((own.share, 1.0), |(sum, all), (part, share)| (sum + part * share, all + part));
        (sum > 0.0).then_some(sum / all)
    }

    /// Its share, but at least half of `mean` · (1 − `part`), so that a share of 0 takes effect gradually.
    pub fn held(&self, mean: f64, part: f64) -> f64 {
        self.share.max(0.5 * mean * (1.0 - part)).max(1e-9 * mean)
    }
}

/// How much of `part` counts when the total is `all`: fields across the outside do not count. The function
/// has no crease.
pub fn allowed(part: f64, all: f64) -> f64 {
    if all < part { all * (2.0 - all / part) } else { part }
}
