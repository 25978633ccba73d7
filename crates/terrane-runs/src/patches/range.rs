//! Patches by place.

use crate::Failure;

/// A rectangle of patches, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patches {
    /// The first column and row.
    pub low: (i64, i64),
    /// The last column and row.
    pub high: (i64, i64),
}

/// The most patches at once, and the farthest from the origin.
const MOST: i64 = 1 << 20;
const FARTHEST: i64 = 1 << 30;

const HELP: &str = "write --patch 3,-2 for one, or --patches 0..4,0..4 for those from 0 to 3 both ways";

const FAR: &str = "patches are counted from -1073741824 to 1073741824";

/// The folder of a patch's files, below that of outputs.
#[must_use]
pub fn folder((i, j): (i64, i64)) -> String {
    format!("{i}_{j}")
}

impl Patches {
    /// One patch, such as `3,-2`.
    ///
    /// # Errors
    /// That the text names none.
    pub fn one(text: &str) -> Result<Self, Failure> {
        let place = text.split_once(',').and_then(|(i, j)| Some((number(i)?, number(j)?)));
        let place = place.ok_or_else(|| {
            Failure::usage(
                format!("--patch {text} is no patch"),
                "write its column and row, such as --patch 3,-2",
            )
        })?;
        Self::of(place, place).ok_or_else(|| Failure::usage(format!("--patch {text} is too far away"), FAR))
    }

    /// Patches by ranges, such as `0..4,0..4`, ends not included.
    ///
    /// # Errors
    /// That the text names none, or too many.
    pub fn ranges(text: &str) -> Result<Self, Failure> {
        let fault = |what: &str| Failure::usage(format!("--patches {text} {what}"), HELP);
        let ranges = text.split_once(',').and_then(|(i, j)| Some((range(i)?, range(j)?)));
        let ((left, right), (top, bottom)) = ranges.ok_or_else(|| fault("is no pair of ranges"))?;
        if left >= right || top >= bottom {
            return Err(fault("holds no patch"));
        }
        if [left, right, top, bottom].iter().any(|place| !(-FARTHEST..=FARTHEST).contains(place)) {
            return Err(Failure::usage(format!("--patches {text} are too far away"), FAR));
        }
        Self::of((left, top), (right - 1, bottom - 1))
            .ok_or_else(|| fault(&format!("are more than {MOST} patches")))
    }

    /// From a first to a last column and row; none where there are none, too many, or some too far away.
    #[must_use]
    pub fn of(low: (i64, i64), high: (i64, i64)) -> Option<Self> {
        let is_near =
            [low.0, low.1, high.0, high.1].iter().all(|place| (-FARTHEST..=FARTHEST).contains(place));
        if !is_near || low.0 > high.0 || low.1 > high.1 {
            return None;
        }
        let patches = Self { low, high };
        let (columns, rows) = patches.size();
        (columns.saturating_mul(rows) <= MOST).then_some(patches)
    }

    /// That no patches are named.
    #[must_use]
    pub fn none() -> Failure {
        Failure::usage("a world has no end: ask for some of its patches", HELP)
    }

    const fn size(&self) -> (i64, i64) {
        (self.high.0 - self.low.0 + 1, self.high.1 - self.low.1 + 1)
    }

    /// How many they are.
    #[must_use]
    pub const fn count(&self) -> usize {
        let (columns, rows) = self.size();
        (columns * rows) as usize
    }

    /// One of them, row by row.
    #[must_use]
    pub fn nth(&self, index: usize) -> Option<(i64, i64)> {
        let columns = self.size().0;
        let index = index as i64;
        (index < self.count() as i64).then(|| (self.low.0 + index % columns, self.low.1 + index / columns))
    }

    /// All of them, row by row.
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
