//! Undo and redo: the drafts before each step, and the files that were written between them.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_flow::Home;

use super::steps::Draft;

/// Maximum number of moments that are kept.
const MOST: usize = 1000;
/// Maximum bytes of the texts of written and edited files that are kept.
const MOST_BYTES: usize = 64 << 20;
/// Changes of one value that follow each other within this time are one step.
const PAUSE: Duration = Duration::from_millis(1000);
/// The longest time between changes that a page says to belong together: it may read a text in between.
const TOGETHER: Duration = Duration::from_secs(10);

/// A file that was written: its text before, unless it was made, and its text after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// The file.
    pub path: Arc<Path>,
    /// Its name for pages.
    pub shown: String,
    /// Its text before; `None` if it did not exist.
    pub before: Option<String>,
    /// The text that was written.
    pub after: String,
}

/// A state that can be returned to, and what was done in it.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The unwritten changes.
    pub draft: Draft,
    /// What was done then.
    pub said: String,
    /// The files that were written then.
    pub written: Vec<WrittenFile>,
}

/// What changes go on with, in one step.
#[derive(Clone, Debug, PartialEq)]
enum What {
    Value(Home),
    Text(Arc<Path>),
}

/// The moments before and after now.
#[derive(Debug, Default)]
pub struct History {
    past: Vec<Moment>,
    future: Vec<Moment>,
    /// The value or the text whose change was the last step, when it last changed, and the page that changed
    /// it.
    value: Option<(What, Instant, u64)>,
    /// Whether the last step was undone or repeated, rather than made.
    turned: bool,
}

impl History {
    /// Records a step.
    pub fn record(&mut self, moment: Moment) {
        self.value = None;
        self.turned = false;
        self.future.clear();
        self.past.push(moment);
        let bytes = |moment: &Moment| {
            moment.written.iter().map(|file| file.after.len()).sum::<usize>() + moment.draft.last_text()
        };
        let mut all: usize = self.past.iter().map(bytes).sum();
        let mut drop = self.past.len().saturating_sub(MOST);
        for moment in &self.past {
            if all <= MOST_BYTES {
                break;
            }
            all -= bytes(moment);
            drop += 1;
        }
        self.past.drain(..drop.min(self.past.len()));
    }

    /// Records a change of a value. If the last step changed the same value just now, both are one step, and
    /// also if the page says that it belongs to its last step (`with`).
    pub fn record_value(&mut self, home: &Home, draft: &Draft, said: &str, (page, with): (u64, bool)) {
        self.go_on(What::Value(home.clone()), draft, said, (page, with));
    }

    /// Records a change of a file's text. If the last step changed the same text just now, both are one step.
    pub fn record_text(&mut self, file: &Arc<Path>, draft: &Draft, said: &str, by: (u64, bool)) {
        self.go_on(What::Text(Arc::clone(file)), draft, said, by);
    }

    fn go_on(&mut self, what: What, draft: &Draft, said: &str, (page, with): (u64, bool)) {
        let now = Instant::now();
        let is_recent = |(of, at, by): &(What, Instant, u64)| {
            let pause = if with { TOGETHER } else { PAUSE };
            *by == page && (*of == what || with) && now.duration_since(*at) < pause
        };
        let goes_on = self.value.as_ref().is_some_and(is_recent);
        if !goes_on {
            self.record(Moment { draft: draft.clone(), said: said.to_owned(), written: Vec::new() });
        }
        self.value = Some((what, now, page));
    }

    /// Whether the last step was undone or repeated.
    #[must_use]
    pub const fn turned(&self) -> bool {
        self.turned
    }

    /// The step that *Undo* takes back.
    #[must_use]
    pub fn last(&self) -> Option<&str> {
        self.past.last().map(|moment| &*moment.said)
    }

    /// The step that *Redo* repeats.
    #[must_use]
    pub fn next(&self) -> Option<&str> {
        self.future.last().map(|moment| &*moment.said)
    }

    /// Returns to the draft before the last step, or after the next one. `put` sets the texts of files that
    /// were written; all of them or none. Returns what was undone or redone; `None` if there is nothing.
    ///
    /// # Errors
    /// Why the files cannot be set. Then steps further in that direction are forgotten.
    pub fn step(
        &mut self,
        draft: &mut Draft,
        back: bool,
        put: &mut dyn FnMut(&[WrittenFile]) -> Result<(), String>,
    ) -> Result<Option<String>, String> {
        self.value = None;
        self.turned = true;
        let (from, to) =
            if back { (&mut self.past, &mut self.future) } else { (&mut self.future, &mut self.past) };
        let Some(moment) = from.pop() else { return Ok(None) };
        if let Err(why) = put(&moment.written) {
            from.clear();
            return Err(why);
        }
        let said = moment.said.clone();
        to.push(Moment { draft: std::mem::replace(draft, moment.draft), ..moment });
        Ok(Some(said))
    }
}
