//! Patches by position.

use crate::Failure;

/// A rectangle of patches, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patches {
    /// The first column and row.
    pub low: (i64, i64),
    /// The last column and row.
    pub high: (i64, i64),
}

/// The maximum number of patches, and the maximum distance from the origin, counted in patches.
const MAX_PATCHES: i64 = 1 << 20;
const MAX_DISTANCE: i64 = 1 << 30;

const HELP: &str = "write --patch 3,-2 for one, or --patches 0..4,0..4 for those from 0 to 3 along both axes";

const FAR: &str = "patch coordinates range from -1073741824 to 1073741824";

/// The folder of a patch's files, relative to the output folder.
#[must_use]
pub fn folder((i, j): (i64, i64)) -> String {
    format!("{i}_{j}")
}

/// The patch of a folder's name, as [`folder`] returns it.
pub fn patch_of(folder: &str) -> Option<(i64, i64)> {
    let (i, j) = folder.split_once('_')?;
    Some((i.parse().ok()?, j.parse().ok()?))
}

impl Patches {
    /// One patch, such as `3,-2`.
    ///
    /// # Errors
    /// Fails if the text is not a patch.
    pub fn one(text: &str) -> Result<Self, Failure> {
        let patch = text.split_once(',').and_then(|(i, j)| Some((number(i)?, number(j)?)));
        let patch = patch.ok_or_else(|| {
            Failure::usage(
                format!("--patch {text} is not a patch"),
                "write its column and row, such as --patch 3,-2",
            )
        })?;
        Self::of(patch, patch).ok_or_else(|| Failure::usage(format!("--patch {text} is too far away"), FAR))
    }

    /// Patches by ranges with exclusive ends, such as `0..4,0..4`.
    ///
    /// # Errors
    /// Fails if the text is not a pair of ranges, or names too many patches.
    pub fn ranges(text: &str) -> Result<Self, Failure> {
        let fault = |what: &str| Failure::usage(format!("--patches {text} {what}"), HELP);
        let ranges = text.split_once(',').and_then(|(i, j)| Some((range(i)?, range(j)?)));
        let ((left, right), (top, bottom)) = ranges.ok_or_else(|| fault("is not a pair of ranges"))?;
        if left >= right || top >= bottom {
            return Err(fault("contains no patch"));
        }
        if [left, right, top, bottom].iter().any(|end| !(-MAX_DISTANCE..=MAX_DISTANCE).contains(end)) {
            return Err(Failure::usage(format!("--patches {text} is too far away"), FAR));
        }
        Self::of((left, top), (right - 1, bottom - 1))
            .ok_or_else(|| fault(&format!("is more than {MAX_PATCHES} patches")))
    }

    /// The patches from a first to a last column and row; `None` if the range is empty, too large or too far
    /// away.
    #[must_use]
    pub fn of(low: (i64, i64), high: (i64, i64)) -> Option<Self> {
        let is_near =
            [low.0, low.1, high.0, high.1].iter().all(|end| (-MAX_DISTANCE..=MAX_DISTANCE).contains(end));
        if !is_near || low.0 > high.0 || low.1 > high.1 {
            return None;
        }
        let patches = Self { low, high };
        let (columns, rows) = patches.size();
        (columns.saturating_mul(rows) <= MAX_PATCHES).then_some(patches)
    }

    /// The error when no patches are given.
    #[must_use]
    pub fn none() -> Failure {
        Failure::usage("a world is unbounded: name the patches to compute", HELP)
    }

    /// Whether a patch is among these.
    #[must_use]
    pub const fn contains(&self, (i, j): (i64, i64)) -> bool {
        self.low.0 <= i && i <= self.high.0 && self.low.1 <= j && j <= self.high.1
    }

    const fn size(&self) -> (i64, i64) {
        (self.high.0 - self.low.0 + 1, self.high.1 - self.low.1 + 1)
    }

    /// The number of patches.
    #[must_use]
    pub const fn count(&self) -> usize {
        let (columns, rows) = self.size();
        (columns * rows) as usize
    }

    /// The patch with this index, row by row.
    #[must_use]
    pub fn nth(&self, index: usize) -> Option<(i64, i64)> {
        let columns = self.size().0;
        let index = index as i64;
        (index < self.count() as i64).then(|| (self.low.0 + index % columns, self.low.1 + index / columns))
    }

    /// All patches, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (i64, i64)> {
        (0..self.count()).map_while(|index| self.nth(index))
    }
}

fn number(text: &str) -> Option<i64> {
    text.trim().parse().ok()
}

fn range(text: &str) -> Option<(i64, i64)> {
    let (from, to) = text.split_once("..")?;
    Some((number(from)?, number(to)?))
}
