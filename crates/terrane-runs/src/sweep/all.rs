//! All runs of a sweep, as many at once as there are workers.

use std::time::{Duration, Instant};

use super::cases::Cases;
use super::options::{Listener, Sweep};
use super::order::merged;
use super::run::{Done, Runs};
use super::table::{self, Row};
use crate::Failure;
use crate::workers::{self, Go};

/// How often the table is written while runs go on.
const SAVE: Duration = Duration::from_secs(1);

/// Runs all cases, and writes the table as it grows.
///
/// # Errors
/// What is wrong with the command, where no run before has succeeded, or that the table cannot be written.
/// What was run by then is in the table all the same.
pub fn all(
    sweep: &Sweep,
    cases: &Cases,
    runs: &Runs<'_>,
    others: &[Row],
    listener: &mut dyn Listener,
) -> Result<Vec<Done>, Failure> {
    let mut done = runs.kept(cases);
    let mut trial = Trial { succeeded: done.iter().any(Option::is_some), next: 0 };
    // Pictures and curves are not in the table.
    let again = sweep.sheet.is_some() || sweep.curves.is_some();
    let open: Vec<usize> = (0..cases.len()).filter(|index| done[*index].is_none() || again).collect();
    listener.begin(open.len());
    let save = |done: &[Option<Done>]| {
        let rows = done.iter().flatten().filter(|done| done.wrong.is_none()).map(|done| &done.row).collect();
        table::write(&sweep.table, &merged(rows, others))
    };
    let (mut saved, mut pause, mut wrong) = (Instant::now(), SAVE, None);
    workers::each(
        runs.workers,
        open.len(),
        |at| runs.run(&cases.nth(open[at])),
        // After a failure no run begins any more; what has begun comes to its end, and its row into the
        // table.
        |at, one| {
            done[open[at]] = Some(one);
            listener.ran();
            if wrong.is_none() {
                wrong = trial.judge(&open, &mut done);
            }
            if wrong.is_none() && !listener.goes_on() {
                let help = "begin it again: what has run stays in the table";
                wrong = Some(Failure::evaluation("the sweep was stopped", help));
            }
            if wrong.is_none() && saved.elapsed() >= pause {
                let before = Instant::now();
                wrong = save(&done).err();
                // Large tables take a small part of the time all the same.
                (saved, pause) = (Instant::now(), SAVE.max(20 * before.elapsed()));
            }
            if wrong.is_some() { Go::Stop } else { Go::On }
        },
    );
    listener.end();
    let Some(failure) = wrong else { return Ok(done.into_iter().flatten().collect()) };
    if done.iter().flatten().any(|done| done.wrong.is_none()) {
        // Of two failures the first is told.
        drop(save(&done));
    }
    Err(failure)
}

/// Whether the command makes sense: it does as soon as a run succeeds.
struct Trial {
    succeeded: bool,
    /// How many of the open runs have been looked at.
    next: usize,
}

impl Trial {
    /// What is wrong with the command, as far as runs tell that have come. They are looked at in their order,
    /// so that it does not depend on which is ready first; after one that succeeded, what is wrong with
    /// another is the error of its row.
    fn judge(&mut self, open: &[usize], done: &mut [Option<Done>]) -> Option<Failure> {
        while !self.succeeded {
            let index = *open.get(self.next)?;
            let one = done[index].as_ref()?;
            if one.wrong.is_some() {
                return done[index].take()?.wrong;
            }
            self.succeeded = one.row.error.is_empty();
            self.next += 1;
        }
        None
    }
}
