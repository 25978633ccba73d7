//! The unified difference of two texts.

use std::time::Duration;

use similar::TextDiff;

/// How long the shortest difference is searched for.
const LONGEST: Duration = Duration::from_secs(1);

/// The unified difference; empty if the texts are equal.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    let mut difference = TextDiff::configure();
    difference
        .timeout(LONGEST)
        .diff_lines(old, new)
        .unified_diff()
        .context_radius(2)
        .header(&format!("a/{name}"), &format!("b/{name}"))
        .to_string()
}
