//! Running a sweep from its options to its files.

use std::path::{Path, PathBuf};

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, Registry, name_key};

use super::cases::Cases;
use super::curves::RunCurves;
use super::options::{Listener, Sweep};
use super::run::{Done, MissingNumbers, Runs};
use super::table::RunRow;
use super::{curves, film, lock, metric, order, plot, run_all, sheet, stored, summary_file, table};
use crate::{Failure, memory, outputs};

/// The result of a sweep.
#[derive(Clone, Debug)]
pub struct Swept {
    /// How many rows this sweep has.
    pub rows: usize,
    /// How many of them were already in the table.
    pub kept: usize,
    /// How many other rows stay in the table.
    pub others: usize,
    /// The problems of runs, and of files besides the table.
    pub problems: Vec<Problem>,
}

/// Runs all cases of a sweep, and writes the table and the other requested files.
///
/// As many cases run at once as the engine has threads and memory for.
///
/// # Errors
/// Fails if the graph or the options are not valid. In this case nothing has run. Also fails if the table
/// cannot be written.
pub fn run(
    sweep: &Sweep,
    registry: &Registry,
    engine: &Engine,
    listener: &mut dyn Listener,
) -> Result<Swept, Failure> {
    table::is_json(&sweep.table)?;
    sweep.summary.as_deref().map_or(Ok(()), summary_file::check)?;
    check_extension(sweep.plot.as_deref(), &["svg"])?;
    check_extension(sweep.curves.as_deref(), &["svg", "csv"])?;
    check_extension(sweep.sheet.as_deref(), &["png", "gif"])?;
    sweep.files().try_for_each(|path| outputs::check_named(path, &[])).map_err(Failure::Usage)?;
    check_distinct_files(sweep)?;
    let cases = Cases::new(sweep)?;
    let is_film = sweep.sheet.as_deref().is_some_and(film::is_film);
    let max = if is_film { film::MAX_PICTURES } else { sheet::MAX_PICTURES };
    if sweep.sheet.is_some() && cases.len() > max {
        let count = cases.len();
        let message = format!("--sheet would have {count} pictures; the maximum is {max}");
        return Err(Failure::usage(message, "give fewer seeds or values, or no --sheet"));
    }
    let axis = sweep.plot.as_ref().map(|_| plot::Axis::new(&cases)).transpose()?;
    let _lock = lock::take(&resolved(&sweep.table))?;
    let stored = stored::read(&sweep.table)?;
    let runs = Runs::new(sweep, registry, engine, &cases, &stored)?;
    if let Some(note) = memory::note(runs.forecast) {
        listener.note(&note);
    }
    let others = runs.others(&cases, &stored, &sweep.table)?;
    let done = run_all::run_all(sweep, &cases, &runs, &others, listener)?;
    let rows: Vec<&RunRow> = done.iter().map(|done| &done.row).collect();
    let nowhere = missing_everywhere(&done);
    // A table without any number is not written. It would be useless, and a later sweep would take it for a
    // finished one.
    if nowhere.is_none() || !rows.iter().all(|row| row.error.is_empty() && row.is_numberless()) {
        table::write(&sweep.table, &order::merged(rows.clone(), &others))?;
    }
    if let Some(MissingNumbers { message, help, .. }) = nowhere {
        return Err(Failure::usage(message.clone(), help.clone()));
    }
    if let Some(problem) = engine.flush() {
        listener.note(&format!("warning: {problem}"));
    }
    let mut problems = failed_runs(&rows, &sweep.table);
    problems.extend(lost_pictures(&done));
    let nodes = runs.nodes();
    if let Some(path) = &sweep.summary {
        problems.extend(non_fatal(summary_file::write(path, &rows, &nodes, sweep.summary_rows))?);
    }
    if let (Some(path), Some(axis)) = (&sweep.plot, axis) {
        problems.extend(non_fatal(plot::write(path, &rows, &axis, &nodes))?);
    }
    if let Some(path) = &sweep.curves {
        let run_curves: Vec<RunCurves<'_>> =
            done.iter().map(|done| RunCurves { set: &done.row.set, curves: &done.curves }).collect();
        problems.extend(non_fatal(curves::write(path, &run_curves, &nodes))?);
    }
    if let Some(path) = &sweep.sheet {
        let written = if is_film {
            film::write(path, &done.iter().map(|done| done.picture.as_ref()).collect::<Vec<_>>())
        } else {
            let pictures: Vec<_> = done.iter().map(|done| (&done.row, done.picture.as_ref())).collect();
            sheet::write(path, &pictures)
        };
        problems.extend(non_fatal(written)?);
    }
    note_missing_numbers(&done, listener);
    let kept = done.iter().filter(|done| done.kept).count();
    Ok(Swept { rows: rows.len(), kept, others: others.len(), problems })
}

fn check_extension(path: Option<&Path>, wanted: &[&str]) -> Result<(), Failure> {
    let fits = |path: &Path| {
        let given = path.extension().unwrap_or_default();
        wanted.iter().any(|wanted| given.eq_ignore_ascii_case(wanted))
    };
    match path {
        Some(path) if !fits(path) => {
            let message = format!("{} has no known format", path.display());
            Err(Failure::usage(message, format!("name a file that ends with .{}", wanted.join(" or ."))))
        }
        _ => Ok(()),
    }
}

/// Checks that no two outputs have the same file, even if their paths are spelled differently.
fn check_distinct_files(sweep: &Sweep) -> Result<(), Failure> {
    let mut files: Vec<(String, &Path)> =
        sweep.files().map(|path| (name_key(&resolved(path).to_string_lossy()), path)).collect();
    files.sort_unstable();
    match files.windows(2).find(|two| two[0].0 == two[1].0) {
        Some(two) => {
            let (a, b) = (two[0].1.display().to_string(), two[1].1.display().to_string());
            let twice =
                if a == b { format!("{a} is named twice") } else { format!("{a} and {b} are the same file") };
            Err(Failure::usage(twice, "give each output its own file"))
        }
        None => Ok(()),
    }
}

/// The resolved path of a file that may not exist yet. If the file does not exist, only links in the path of
/// its folder are followed.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = whole.parent().and_then(|folder| folder.canonicalize().ok());
    match (folder, whole.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => whole,
    }
}

/// A requested row that no run's table has. Such a row means that the command has a mistake.
fn missing_everywhere(done: &[Done]) -> Option<&MissingNumbers> {
    let runs = || done.iter().filter(|done| done.row.error.is_empty());
    let lacks =
        |done: &Done, name: &String| done.missing.iter().any(|missing| missing.columns.contains(name));
    let everywhere = |name: &String| runs().all(|done| lacks(done, name));
    runs().next()?.missing.iter().find(|missing| missing.columns.iter().any(everywhere))
}

/// Notes which metrics have no finite number in some runs. Summaries leave these runs out.
fn note_missing_numbers(done: &[Done], listener: &mut dyn Listener) {
    let rows = || done.iter().map(|done| &done.row).filter(|row| row.error.is_empty());
    for name in table::metric_names(rows()) {
        let none = rows().filter(|row| row.metric(name).is_none_or(|number| !number.is_finite())).count();
        if none > 0 {
            let first = done
                .iter()
                .flat_map(|done| &done.missing)
                .find(|missing| missing.columns.iter().any(|c| c == name));
            let why = match first {
                Some(MissingNumbers { message, help, .. }) => format!("; the first: {message} ({help})"),
                None if name.ends_with(metric::SECONDS) => {
                    "; cached nodes are not measured: --no-cache measures all".to_owned()
                }
                None => String::new(),
            };
            listener.note(&format!("{name} has no number in {none} of {} runs{why}", rows().count()));
        }
    }
}

/// The problem of failed runs, with the first error.
fn failed_runs(rows: &[&RunRow], table: &Path) -> Vec<Problem> {
    let failed: Vec<&&RunRow> = rows.iter().filter(|row| !row.error.is_empty()).collect();
    match failed.first() {
        None => Vec::new(),
        Some(first) => {
            let message =
                format!("{} of {} runs failed; the first: {}", failed.len(), rows.len(), first.error);
            vec![Problem::new(message, format!("see the column `error` of {}", table.display()))]
        }
    }
}

/// The problem of runs that have numbers but no picture or curves.
fn lost_pictures(done: &[Done]) -> Option<Problem> {
    let without = || done.iter().filter_map(|done| done.problem.as_ref());
    let first = without().next()?;
    let (count, all) = (without().count(), done.len());
    let message = format!("{count} of {all} runs lack their picture or curves; the first: {first}");
    Some(Problem::new(message, "their numbers are in the table"))
}

/// The problems of a file whose failure does not affect the other files.
fn non_fatal(result: Result<(), Failure>) -> Result<Vec<Problem>, Failure> {
    match result {
        Ok(()) => Ok(Vec::new()),
        Err(Failure::Evaluation(problems)) => Ok(problems),
        Err(other) => Err(other),
    }
}
