//! Reusable rows of the table.

use std::collections::HashMap;

use super::cases::Cases;
use super::metric::Metric;
use super::stored::Stored;

/// The metrics of rows without errors, by key.
pub type KnownMetrics = HashMap<String, Vec<(String, f64)>>;

/// The metrics of the rows that need not run again. With `measure`, rows without times must run again.
pub fn known(stored: &[Stored], cases: &Cases, metrics: &[Metric], measure: bool) -> KnownMetrics {
    let unmeasured = |row: &Stored| {
        let lacks = |metric: &&Metric| row.number(metric.name()).is_none_or(f64::is_nan);
        measure && metrics.iter().filter(|metric| metric.timed).any(|metric| lacks(&metric))
    };
    let rows = stored.iter().filter(|row| row.error.is_empty() && !unmeasured(row));
    rows.map(|row| (row.key.clone(), row.numbers(&cases.names()))).collect()
}
