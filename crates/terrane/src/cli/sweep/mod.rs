//! `terrane sweep`: many runs of a graph, one table.

mod args;
mod cases;
mod metric;
mod plot;
mod run;
mod sheet;
mod table;

use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

pub use self::args::Sweep;
use self::cases::Cases;
use self::run::{Done, Runs};
use self::table::Row;
use super::console::{self, Failure};

/// How often the table is written while runs go on.
const SAVE: Duration = Duration::from_secs(1);

pub fn sweep(args: &Sweep) -> Result<(), Failure> {
    table::is_json(&args.output)?;
    extension(args.plot.as_deref(), "svg")?;
    extension(args.sheet.as_deref(), "png")?;
    let cases = Cases::new(args)?;
    if args.sheet.is_some() && cases.len() > sheet::MOST {
        let message = format!("--sheet would have {} pictures, and {} is the most", cases.len(), sheet::MOST);
        return Err(Failure::usage(message, "take fewer seeds or values, or leave the sheet out"));
    }
    let axis = args.plot.as_ref().map(|_| plot::Axis::new(&cases)).transpose()?;
    let names: Vec<&str> = cases.varied.iter().map(|one| one.name.as_str()).collect();
    let known = table::read(&args.output, &names)?;
    let runs = Runs::new(args, &cases, known)?;
    let done = all(args, &cases, &runs)?;
    let rows: Vec<&Row> = done.iter().map(|done| &done.row).collect();
    table::write(&args.output, &rows)?;
    if let Some(disk) = runs.engine.disk() {
        disk.collect();
    }
    let mut problems = failed(&rows, &args.output);
    if let (Some(path), Some(axis)) = (&args.plot, axis) {
        problems.extend(problem(plot::write(path, &rows, &axis))?);
    }
    if let Some(path) = &args.sheet {
        let pictures: Vec<_> = done.iter().map(|done| (&done.row, done.picture.as_ref())).collect();
        problems.extend(problem(sheet::write(path, &pictures))?);
    }
    let kept = done.iter().filter(|done| done.kept).count();
    let kept = if kept > 0 { format!(", {kept} of them there already") } else { String::new() };
    let plural = if rows.len() == 1 { "row" } else { "rows" };
    console::line(&format!("{} {plural}{kept}; wrote {}", rows.len(), args.output.display()));
    if problems.is_empty() { Ok(()) } else { Err(Failure::Evaluation(problems)) }
}

fn extension(path: Option<&Path>, wanted: &str) -> Result<(), Failure> {
    match path {
        Some(path) if !path.extension().is_some_and(|given| given.eq_ignore_ascii_case(wanted)) => {
            let message = format!("{} cannot be written so", path.display());
            Err(Failure::usage(message, format!("name a file that ends with .{wanted}")))
        }
        _ => Ok(()),
    }
}

/// Runs all cases, as many at once as there are workers, and writes the table as it grows.
fn all(args: &Sweep, cases: &Cases, runs: &Runs<'_>) -> Result<Vec<Done>, Failure> {
    let mut done = runs.kept(cases);
    // Pictures are not in the table.
    let open: Vec<usize> =
        (0..cases.len()).filter(|index| done[*index].is_none() || args.sheet.is_some()).collect();
    let bar = if std::io::stderr().is_terminal() {
        ProgressBar::new(open.len() as u64)
    } else {
        ProgressBar::hidden()
    };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {elapsed}, {eta} to go") {
        bar.set_style(style);
    }
    let (mut saved, mut pause, mut wrong) = (Instant::now(), SAVE, None);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam_channel::bounded(runs.workers);
    std::thread::scope(|scope| {
        for _ in 0..runs.workers {
            let (sender, next, open) = (sender.clone(), &next, &open);
            scope.spawn(move || {
                // In order; whoever is free takes the next one, until nobody listens.
                while let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if sender.send((index, runs.run(&cases.nth(index)))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, result) in receiver {
            match result {
                Ok(one) => done[index] = Some(one),
                Err(failure) => {
                    // What is wrong with the command is wrong with every run.
                    wrong = Some(failure);
                    break;
                }
            }
            bar.inc(1);
            if saved.elapsed() >= pause {
                let before = Instant::now();
                let rows: Vec<&Row> = done.iter().flatten().map(|done| &done.row).collect();
                wrong = table::write(&args.output, &rows).err();
                if wrong.is_some() {
                    break;
                }
                // Large tables take a small part of the time all the same.
                (saved, pause) = (Instant::now(), SAVE.max(20 * before.elapsed()));
            }
        }
    });
    bar.finish_and_clear();
    match wrong {
        Some(failure) => Err(failure),
        None => Ok(done.into_iter().flatten().collect()),
    }
}

/// What went wrong with runs, the first of each kind.
fn failed(rows: &[&Row], table: &Path) -> Vec<(String, String)> {
    let failed: Vec<&&Row> = rows.iter().filter(|row| !row.error.is_empty()).collect();
    match failed.first() {
        None => Vec::new(),
        Some(first) => {
            let message =
                format!("{} of {} runs failed; the first: {}", failed.len(), rows.len(), first.error);
            vec![(message, format!("see the column `error` of {}", table.display()))]
        }
    }
}

/// A failure that leaves the other files as they are.
fn problem(result: Result<(), Failure>) -> Result<Vec<(String, String)>, Failure> {
    match result {
        Ok(()) => Ok(Vec::new()),
        Err(Failure::Evaluation(problems)) => Ok(problems),
        Err(other) => Err(other),
    }
}
