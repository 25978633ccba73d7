//! Fields as a sample sees them, and how their shares count.

/// A sample's own field.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own {
    pub share: f64,
    /// How much of any other field there is.
    pub presence: f64,
    /// What part of what is around the sample the field has.
    pub part: f64,
    /// What part lies behind its seams.
    pub open: f64,
    /// The mean of what was asked of its seams.
    pub asked: f64,
}

/// One field of several at a sample.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// How much of it is here, none where nothing is of the sample's own borders.
    pub presence: f64,
    /// What part of what is around the sample it has.
    pub part: f64,
    /// Its height less that of the sample's own field, both at borders.
    pub above: f64,
    /// How willingly it moves.
    pub share: f64,
}

impl Other {
    /// What shares are measured by: their mean here, others counted by their presence as a part of `full`;
    /// `None` where nothing moves.
    pub fn share(own: &Own, others: &[Self], full: f64) -> Option<f64> {
        let (sum, all) = others
            .iter()
            .map(|other| (other.presence / full, other.share))
            .fold((own.share, 1.0), |(sum, all), (part, share)| (sum + part * share, all + part));
        (sum > 0.0).then_some(sum / all)
    }

    /// Its share, which of what has none shrinks to 0 towards the field only.
    pub fn held(&self, mean: f64, part: f64) -> f64 {
        self.share.max(0.5 * mean * (1.0 - part)).max(1e-9 * mean)
    }
}

/// How much of a field counts, where there is so much of it and so much of all: across what is in no field
/// nothing is seen. Without a crease.
pub fn allowed(part: f64, all: f64) -> f64 {
    if all < part { all * (2.0 - all / part) } else { part }
}
