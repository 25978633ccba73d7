//! Running all cases of a sweep, as many at once as there are workers.

use std::time::{Duration, Instant};

use super::cases::Cases;
use super::options::{Listener, Sweep};
use super::order::merged;
use super::run::{Done, Runs};
use super::table::{self, RunRow};
use crate::Failure;
use crate::workers::{self, Go};

/// How often the table is saved during a sweep.
const SAVE: Duration = Duration::from_secs(1);

/// Runs all cases, and saves the table as it grows.
///
/// # Errors
/// Fails if the table cannot be written. Also fails if a run shows that the command is not valid, unless an
/// earlier run succeeded. In this case the table still contains everything that ran until then.
pub fn run_all(
    sweep: &Sweep,
    cases: &Cases,
    runs: &Runs<'_>,
    others: &[RunRow],
    listener: &mut dyn Listener,
) -> Result<Vec<Done>, Failure> {
    let mut done = runs.kept(cases);
    let mut check = CommandCheck { succeeded: done.iter().any(Option::is_some), next: 0 };
    // Pictures and curves are not in the table, so they require another run.
    let rerun = sweep.sheet.is_some() || sweep.curves.is_some();
    let open: Vec<usize> = (0..cases.len()).filter(|index| done[*index].is_none() || rerun).collect();
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
        // After a failure no further run starts. Running ones finish and are added to the table.
        |at, one| {
            done[open[at]] = Some(one);
            listener.ran();
            if wrong.is_none() {
                wrong = check.update(&open, &mut done);
            }
            if wrong.is_none() && !listener.goes_on() {
                let help = "run again: finished runs stay in the table";
                wrong = Some(Failure::evaluation("the sweep was stopped", help));
            }
            if wrong.is_none() && saved.elapsed() >= pause {
                let before = Instant::now();
                wrong = save(&done).err();
                // Writing a large table takes at most a twentieth of the time.
                (saved, pause) = (Instant::now(), SAVE.max(20 * before.elapsed()));
            }
            if wrong.is_some() { Go::Stop } else { Go::On }
        },
    );
    listener.end();
    let Some(failure) = wrong else { return Ok(done.into_iter().flatten().collect()) };
    if done.iter().flatten().any(|done| done.wrong.is_none()) {
        // Report the first failure, not that of saving.
        drop(save(&done));
    }
    Err(failure)
}

/// Checks whether the command is valid. It is valid as soon as one run succeeds.
struct CommandCheck {
    succeeded: bool,
    /// How many of the runs that were not in the table have been checked.
    next: usize,
}

impl CommandCheck {
    /// What is wrong with the command, judging by the finished runs.
    ///
    /// Runs are checked in order, so that the result does not depend on which run finishes first. After a
    /// successful run, the failure of another run is only reported as the error of its row.
    fn update(&mut self, open: &[usize], done: &mut [Option<Done>]) -> Option<Failure> {
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
