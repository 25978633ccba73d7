//! Differences for people to review.

use std::time::Duration;

use similar::TextDiff;
use terrane_grid::Grid;

use super::current::Current;
use super::store::Stored;
use crate::thumbnail::{Rgb, paste};

/// How long the fewest differing lines are searched for. Of long texts that differ much, more lines are
/// shown.
const LONGEST: Duration = Duration::from_secs(1);

/// The lines that differ, with context; empty if the texts are equal.
pub fn lines(old: &Stored, new: &Current) -> String {
    let (old, new) = (format!("{}\n", old.text), format!("{}\n", new.text.trim_end()));
    let mut difference = TextDiff::configure();
    difference
        .timeout(LONGEST)
        .diff_lines(&old, &new)
        .unified_diff()
        .context_radius(2)
        .header("accepted", "now")
        .to_string()
}

/// The accepted picture, the current one, and their difference, side by side. The difference is amplified so
/// that its maximum is white. It is left out if the sizes differ.
pub fn picture(old: &Rgb, new: &Rgb) -> Rgb {
    const GAP: usize = 4;
    let mut panels = vec![old.clone(), new.clone()];
    if old.size() == new.size() {
        let pairs = || old.as_slice().iter().zip(new.as_slice());
        let apart = |(a, b): (&[u8; 3], &[u8; 3])| {
            [0, 1, 2].map(|channel| u32::from(a[channel].abs_diff(b[channel])))
        };
        let maximum = pairs().flat_map(apart).max().unwrap_or(0).max(1);
        let samples = pairs().map(|pair| apart(pair).map(|by| (by * 255 / maximum) as u8)).collect();
        panels.push(Grid::from_vec(old.width(), old.height(), samples));
    }
    let width = panels.iter().map(|panel| panel.width() + GAP).sum::<usize>() - GAP;
    let mut all = Grid::filled(width, old.height().max(new.height()), [255; 3]);
    let mut left = 0;
    for panel in &panels {
        paste(&mut all, panel, (left, 0));
        left += panel.width() + GAP;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_is_amplified() {
        let old = Grid::filled(2, 1, [10, 10, 10]);
        let new = Grid::from_vec(2, 1, vec![[10, 12, 10], [10, 10, 9]]);
        let all = picture(&old, &new);
        assert_eq!(all.size(), (14, 1));
        assert_eq!(all.as_slice()[12..], [[0, 255, 0], [0, 0, 127]]);
        assert_eq!(picture(&old, &Grid::filled(1, 3, [0; 3])).size(), (7, 3));
    }
}
