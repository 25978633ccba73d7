//! `terrane sweep`: many runs of a graph, one table.

mod args;
mod cases;
mod charts;
mod curves;
mod figures;
mod layout;
mod metric;
mod names;
mod place;
mod plot;
mod run;
mod sheet;
mod summary;
mod table;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

pub use self::args::Sweep;
use self::cases::Cases;
use self::curves::Drawn;
use self::run::{Done, Missing, Runs};
use self::table::Row;
use super::console::{self, Failure};

/// How often the table is written while runs go on.
const SAVE: Duration = Duration::from_secs(1);

pub fn sweep(args: &Sweep) -> Result<(), Failure> {
    table::is_json(&args.output)?;
    args.summary.as_deref().map_or(Ok(()), layout::check)?;
    extension(args.plot.as_deref(), &["svg"])?;
    extension(args.curves.as_deref(), &["svg", "csv"])?;
    extension(args.sheet.as_deref(), &["png"])?;
    apart(args)?;
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
    let nodes = runs.nodes();
    if let Some(path) = &args.summary {
        problems.extend(problem(layout::write(path, &rows, &nodes, args.summary_rows))?);
    }
    if let (Some(path), Some(axis)) = (&args.plot, axis) {
        problems.extend(problem(plot::write(path, &rows, &axis, &nodes))?);
    }
    if let Some(path) = &args.curves {
        let drawn: Vec<Drawn<'_>> =
            done.iter().map(|done| Drawn { set: &done.row.set, curves: &done.curves }).collect();
        problems.extend(problem(curves::write(path, &drawn, &nodes))?);
    }
    if let Some(path) = &args.sheet {
        let pictures: Vec<_> = done.iter().map(|done| (&done.row, done.picture.as_ref())).collect();
        problems.extend(problem(sheet::write(path, &pictures))?);
    }
    let kept = done.iter().filter(|done| done.kept).count();
    let kept = if kept > 0 { format!(", {kept} of them there already") } else { String::new() };
    let plural = if rows.len() == 1 { "row" } else { "rows" };
    numberless(&done);
    console::line(&format!("{} {plural}{kept}; wrote {}", rows.len(), args.output.display()));
    if problems.is_empty() { Ok(()) } else { Err(Failure::Evaluation(problems)) }
}

fn extension(path: Option<&Path>, wanted: &[&str]) -> Result<(), Failure> {
    let fits = |path: &Path| {
        let given = path.extension().unwrap_or_default();
        wanted.iter().any(|wanted| given.eq_ignore_ascii_case(wanted))
    };
    match path {
        Some(path) if !fits(path) => {
            let message = format!("{} cannot be written so", path.display());
            Err(Failure::usage(message, format!("name a file that ends with .{}", wanted.join(" or ."))))
        }
        _ => Ok(()),
    }
}

/// Looks whether everything has a file of its own.
fn apart(args: &Sweep) -> Result<(), Failure> {
    let others = [&args.summary, &args.plot, &args.curves, &args.sheet];
    let mut files: Vec<&Path> =
        others.into_iter().flatten().map(PathBuf::as_path).chain([&*args.output]).collect();
    files.sort_unstable();
    match files.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => Err(Failure::usage(
            format!("{} is named twice", two[0].display()),
            "give each output a file of its own",
        )),
        None => Ok(()),
    }
}

/// Tells which metrics had no finite number in some runs, since what sums them up leaves these out.
fn numberless(done: &[Done]) {
    let rows = || done.iter().map(|done| &done.row).filter(|row| row.error.is_empty());
    for name in table::metric_names(rows()) {
        let none = rows().filter(|row| row.metric(name).is_none_or(|number| !number.is_finite())).count();
        if none > 0 {
            let first = done
                .iter()
                .flat_map(|done| &done.missing)
                .find(|missing| missing.columns.iter().any(|c| c == name));
            let why = match first {
                Some(Missing { message, help, .. }) => format!("; the first: {message} ({help})"),
                None if name.ends_with(metric::SECONDS) => {
                    "; what the cache has does not run: --no-cache measures more".to_owned()
                }
                None => String::new(),
            };
            console::line(&format!("{name} has no number in {none} of {} runs{why}", rows().count()));
        }
    }
}

/// Runs all cases, as many at once as there are workers, and writes the table as it grows.
fn all(args: &Sweep, cases: &Cases, runs: &Runs<'_>) -> Result<Vec<Done>, Failure> {
    let mut done = runs.kept(cases);
    let kept = done.iter().any(Option::is_some);
    // Pictures and curves are not in the table.
    let again = args.sheet.is_some() || args.curves.is_some();
    let open: Vec<usize> = (0..cases.len()).filter(|index| done[*index].is_none() || again).collect();
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
                // That the first run has no such row shows that there is none: runs that are kept, or come later, are let be.
                Ok(Done { missing, .. }) if !kept && open.first() == Some(&index) && !missing.is_empty() => {
                    wrong = missing.into_iter().next().map(|first| Failure::usage(first.message, first.help));
                    break;
                }
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
