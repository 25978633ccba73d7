//! Merges two changes of one text, line by line.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// The longest time in which the smallest difference is looked for. Then a larger one is used.
const PATIENCE: Duration = Duration::from_millis(500);

/// The result of a merge.
#[derive(Debug, PartialEq, Eq)]
pub struct Merged {
    /// The text with both changes.
    pub text: String,
    /// The number of places that both changed, where the text has `mine`.
    pub conflicts: usize,
    /// The line of the first of them, counted from 1.
    pub first: usize,
}

/// Applies the change from `base` to `mine` to the text `theirs`, another change of `base`.
#[must_use]
pub fn merge(base: &str, mine: &str, theirs: &str) -> Merged {
    let [base, mine, theirs] = [base, mine, theirs].map(lines);
    let (in_mine, in_theirs) = (matches(&base, &mine), matches(&base, &theirs));
    let mut out = Merged { text: String::new(), conflicts: 0, first: 0 };
    let (mut b, mut m, mut t) = (0, 0, 0);
    for at in 0..=base.len() {
        let end = at == base.len();
        let next = if end {
            Some((mine.len(), theirs.len()))
        } else {
            in_mine.get(&at).zip(in_theirs.get(&at)).map(|(mine, theirs)| (*mine, *theirs))
        };
        // A line that both have ends the part before it.
        let Some((next_mine, next_theirs)) = next else { continue };
        out.part(&base[b..at], &mine[m..next_mine], &theirs[t..next_theirs]);
        if !end {
            out.text.push_str(base[at]);
        }
        (b, m, t) = (at + 1, next_mine + 1, next_theirs + 1);
    }
    out
}

impl Merged {
    fn part(&mut self, base: &[&str], mine: &[&str], theirs: &[&str]) {
        let is_aligned = base.len() == mine.len() && base.len() == theirs.len() && base.len() > 1;
        if mine != base && theirs != base && mine != theirs && is_aligned {
            // Each line has its own place, so that changes of neighbouring lines do not conflict.
            for at in 0..base.len() {
                self.part(&base[at..=at], &mine[at..=at], &theirs[at..=at]);
            }
            return;
        }
        let is_conflict = mine != base && theirs != base && mine != theirs;
        if is_conflict && self.conflicts == 0 {
            self.first = self.text.matches('\n').count() + 1;
        }
        self.conflicts += usize::from(is_conflict);
        self.text.extend(if mine == base { theirs } else { mine }.iter().copied());
    }
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The lines of `old` that `new` also has, in order, with their places in `new`.
fn matches(old: &[&str], new: &[&str]) -> HashMap<usize, usize> {
    let until = Instant::now().checked_add(PATIENCE);
    let same = |op: DiffOp| -> (Range<usize>, Range<usize>) {
        match op {
            DiffOp::Equal { old_index, new_index, len } => {
                (old_index..old_index + len, new_index..new_index + len)
            }
            _ => (0..0, 0..0),
        }
    };
    let ops = capture_diff_slices_deadline(Algorithm::Myers, old, new, until);
    ops.into_iter().map(same).flat_map(|(old, new)| old.zip(new)).collect()
}

#[cfg(test)]
mod tests {
    use super::merge;

    fn merged(base: &str, mine: &str, theirs: &str) -> (String, usize) {
        let merged = merge(base, mine, theirs);
        (merged.text, merged.conflicts)
    }

    #[test]
    fn changes_of_different_lines_are_both_kept() {
        let base = "a\nb\nc\nd\n";
        assert_eq!(merged(base, "a\nB\nc\nd\n", "a\nb\nc\nd\ne\n"), ("a\nB\nc\nd\ne\n".to_owned(), 0));
        assert_eq!(merged(base, "b\nc\nd\n", "a\nb\nd\n"), ("b\nd\n".to_owned(), 0));
        assert_eq!(merged(base, "a\nB\nc\nd\n", "a\nb\nC\nd\n"), ("a\nB\nC\nd\n".to_owned(), 0));
        assert_eq!(merged(base, base, "x\n"), ("x\n".to_owned(), 0));
        assert_eq!(merged(base, "x\n", base), ("x\n".to_owned(), 0));
    }

    #[test]
    fn the_same_change_twice_is_one() {
        assert_eq!(merged("a\nb\n", "a\nc\nb\n", "a\nc\nb\n"), ("a\nc\nb\n".to_owned(), 0));
    }

    #[test]
    fn a_line_that_both_changed_is_a_conflict_with_the_newer_text() {
        assert_eq!(merged("a\nb\nc\n", "a\n1\nc\n", "x\n2\nc\n"), ("x\n1\nc\n".to_owned(), 1));
        assert_eq!(merged("a", "b", ""), ("b".to_owned(), 1));
        assert_eq!(merged("", "b", "c"), ("b".to_owned(), 1));
    }
}
