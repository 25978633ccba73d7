//! Repairs of brackets. A bracket that is missing, of the wrong kind, or one too many changes the meaning of
//! everything behind it. The parser cannot see this where it happens, so the changes of single brackets are
//! tried, and the one is taken after which the text has the fewest mistakes. Between equal ones, the one is
//! taken that fits the indentation best.

use super::candidates::changes;
use super::change::Change;
use super::layout::{Layout, places};
use super::reading::{Reading, parse};
use crate::mistake::Mistake;
use crate::token::Token;

/// Texts of more tokens are not repaired: that of a thousand nodes has as many.
pub const MAX_TOKENS: usize = 12_000;

/// The number of tokens that are read at most, over all changes that are tried.
const MAX_TOKENS_READ: usize = 400_000;

/// The maximum number of brackets that are changed.
const MAX_CHANGES: usize = 4;

/// The maximum number of changes that are tried one by one.
const MAX_TRIED: usize = 16;

/// How much is wrong with a text: its mistakes and the faults of its layout together, and these faults alone.
type Faults = (usize, usize);

/// A text whose brackets are being changed.
struct Repair<'t> {
    text: &'t str,
    of_tokens: &'t [Mistake],
    /// The number of tokens that may still be read.
    left: usize,
}

/// A better reading of a text than `best`, with some brackets changed, if there is one. Tokens of other
/// brackets are empty in it if they were added, and blanks if they were taken away.
pub fn repaired(
    text: &str,
    mut tokens: Vec<Token>,
    of_tokens: &[Mistake],
    best: &Reading,
) -> Option<Reading> {
    let mut repair = Repair { text, of_tokens, left: MAX_TOKENS_READ };
    let mut told: Vec<Mistake> = Vec::new();
    let mut found: Option<Reading> = None;
    let faults = Layout::of(&tokens, &places(text, &tokens)).faults;
    let mut now = (best.weight() + faults, faults);
    while told.len() < MAX_CHANGES {
        let Some((change, reading, faults)) = repair.best(&tokens, told.len() + 1, now) else { break };
        told.push(change.mistake(text, &tokens));
        change.apply(&mut tokens);
        (found, now) = (Some(reading), faults);
    }
    let mut reading = found?;
    reading.mistakes.extend(told);
    Some(reading)
}

impl Repair<'_> {
    /// The change that leaves the fewest faults, if they are fewer than `now`.
    fn best(&mut self, tokens: &[Token], count: usize, now: Faults) -> Option<(Change, Reading, Faults)> {
        let places_now = places(self.text, tokens);
        let layout = Layout::of(tokens, &places_now);
        let mut tried: Vec<(usize, Change, Vec<Token>)> = Vec::new();
        for change in changes(self.text, tokens, &places_now, &layout) {
            self.left = self.left.checked_sub(tokens.len())?;
            let mut changed = tokens.to_vec();
            change.apply(&mut changed);
            let faults = Layout::of(&changed, &places(self.text, &changed)).faults;
            tried.push((faults, change, changed));
        }
        tried.sort_by_key(|(faults, ..)| *faults);
        tried.truncate(MAX_TRIED);
        // Of changes that leave as many faults, the one that leaves fewer mistakes.
        let mut best: Option<(Change, Reading, Faults)> = None;
        for (faults, change, changed) in tried {
            self.left = self.left.checked_sub(tokens.len())?;
            let reading = parse(self.text, changed, self.of_tokens.to_vec(), true);
            let sum = reading.weight() + count + faults;
            let is_less = best.as_ref().is_none_or(|(.., (least, most))| (sum, *most) < (*least, faults));
            if (sum, faults) < now && is_less {
                best = Some((change, reading, (sum, faults)));
            }
        }
        best
    }
}
