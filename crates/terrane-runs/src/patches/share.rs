//! A share of many patches, for one of several processes.

use std::ops::Range;

use super::range::Patches;
use crate::Failure;

/// The K-th of N shares, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share {
    /// The number of the share.
    pub number: u32,
    /// The number of shares.
    pub of: u32,
}

impl Share {
    /// Parses a share `K/N`.
    ///
    /// # Errors
    /// Fails if the text is not a share.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let fault = |message: String| {
            Failure::usage(message, "write --share 1/4 for the first of four, --share 4/4 for the last")
        };
        let parts = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.trim().parse().ok()?, of.trim().parse().ok()?)));
        let (number, of) = parts.ok_or_else(|| fault(format!("--share {text} is not a share")))?;
        if of == 0 {
            return Err(fault(format!("--share {text}: the number of shares is 0")));
        }
        let counted = format!("--share {text}: shares of {of} are counted from 1 to {of}");
        Self::new(number, of).ok_or_else(|| fault(counted))
    }

    /// The K-th of N shares; `None` if K is out of range.
    #[must_use]
    pub fn new(number: u32, of: u32) -> Option<Self> {
        (1..=of).contains(&number).then_some(Self { number, of })
    }

    /// The indices of this share among `count` items. Each item is in exactly one share, and sizes differ by
    /// at most one.
    #[must_use]
    pub fn of_many(&self, count: usize) -> Range<usize> {
        let end = |number: u32| (count as u128 * u128::from(number) / u128::from(self.of)) as usize;
        end(self.number - 1)..end(self.number)
    }

    /// The share that has the item with this index among `count` items.
    #[must_use]
    pub fn holding(index: usize, count: usize, of: u32) -> Self {
        let number = ((index as u128 + 1) * u128::from(of)).div_ceil(count.max(1) as u128);
        Self { number: number as u32, of }
    }
}

/// The patch with this index in Morton order. Neighbouring patches are mostly close in this order, so each
/// share is compact.
#[must_use]
pub fn in_morton_order(patches: &Patches, index: usize) -> Option<(i64, i64)> {
    let (columns, rows) = (patches.high.0 - patches.low.0 + 1, patches.high.1 - patches.low.1 + 1);
    if index >= patches.count() {
        return None;
    }
    let within = |first: i64, side: i64, end: i64| (end - first).clamp(0, side);
    let mut side = columns.max(rows).unsigned_abs().next_power_of_two() as i64;
    let (mut left, mut top, mut left_over) = (0, 0, index as i64);
    while side > 1 {
        side /= 2;
        for (x, y) in [(left, top), (left + side, top), (left, top + side), (left + side, top + side)] {
            let inside = within(x, side, columns) * within(y, side, rows);
            if left_over < inside {
                (left, top) = (x, y);
                break;
            }
            left_over -= inside;
        }
    }
    Some((patches.low.0 + left, patches.low.1 + top))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The bits of both numbers, interleaved.
    fn morton((x, y): (i64, i64)) -> u64 {
        (0..32)
            .map(|bit| ((x as u64 >> bit & 1) << (2 * bit)) | ((y as u64 >> bit & 1) << (2 * bit + 1)))
            .sum()
    }

    #[test]
    fn morton_order_is_the_order_of_interleaved_bits() {
        for (columns, rows) in [(1, 1), (4, 4), (5, 3), (1, 9), (16, 7), (33, 2)] {
            let patches = Patches { low: (-3, 5), high: (columns - 4, rows + 4) };
            let found: Vec<_> =
                (0..patches.count()).map_while(|index| in_morton_order(&patches, index)).collect();
            let mut sorted: Vec<_> = patches.iter().collect();
            sorted.sort_by_key(|patch| morton((patch.0 + 3, patch.1 - 5)));
            assert_eq!(found, sorted, "{columns} x {rows}");
            assert_eq!(in_morton_order(&patches, patches.count()), None);
        }
    }

    #[test]
    fn each_patch_is_in_exactly_one_share() {
        for (count, of) in [(0, 1), (1, 4), (7, 3), (1 << 20, 1000), (10, 10), (3, u32::MAX)] {
            let mut seen = BTreeSet::new();
            for number in 1..=of.min(2000) {
                let share = Share { number, of }.of_many(count);
                assert!(share.len() <= count / of as usize + 1);
                for index in share {
                    assert!(seen.insert(index));
                    assert_eq!(Share::holding(index, count, of), Share { number, of }, "{count} by {of}");
                }
            }
            assert!(of > 2000 || seen.len() == count, "{count} by {of}");
        }
    }

    #[test]
    fn invalid_shares_are_rejected() {
        for (text, said) in [
            ("0/4", "counted from 1 to 4"),
            ("5/4", "counted from 1 to 4"),
            ("1/0", "the number of shares is 0"),
            ("1", "is not a share"),
            ("a/b", "is not a share"),
            ("-1/4", "is not a share"),
            ("1/99999999999", "is not a share"),
        ] {
            let Err(Failure::Usage(problem)) = Share::parse(text) else { panic!("{text}") };
            assert!(problem.message.contains(said), "{}", problem.message);
        }
        assert_eq!(Share::parse("2/4").ok(), Some(Share { number: 2, of: 4 }));
    }
}
