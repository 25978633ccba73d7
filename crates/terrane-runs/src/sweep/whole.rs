//! A sweep from its options to its files.

use std::path::{Path, PathBuf};

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, Registry};

use super::cases::Cases;
use super::curves::Drawn;
use super::options::{Listener, Sweep};
use super::run::{Done, Missing, Runs};
use super::table::Row;
use super::{all, curves, layout, lock, metric, order, plot, sheet, table};
use crate::{Failure, memory};

/// What came of a sweep.
#[derive(Clone, Debug)]
pub struct Swept {
    /// How many rows were asked for.
    pub rows: usize,
    /// How many of them the table had already.
    pub kept: usize,
    /// How many others stay in the table.
    pub others: usize,
    /// What went wrong with runs, or with files beside the table.
    pub problems: Vec<Problem>,
}

/// Runs a graph for all that is varied, as many at once as the engine has threads and memory for, and writes
/// the table and what else is asked for.
///
/// # Errors
/// That the graph is wrong, or the sweep makes no sense: then nothing was run. That the table cannot be
/// written.
pub fn run(
    sweep: &Sweep,
    registry: &Registry,
    engine: &Engine,
    listener: &mut dyn Listener,
) -> Result<Swept, Failure> {
    table::is_json(&sweep.table)?;
    sweep.summary.as_deref().map_or(Ok(()), layout::check)?;
    extension(sweep.plot.as_deref(), &["svg"])?;
    extension(sweep.curves.as_deref(), &["svg", "csv"])?;
    extension(sweep.sheet.as_deref(), &["png"])?;
    apart(sweep)?;
    let cases = Cases::new(sweep)?;
    if sweep.sheet.is_some() && cases.len() > sheet::MOST {
        let message = format!("--sheet would have {} pictures, and {} is the most", cases.len(), sheet::MOST);
        return Err(Failure::usage(message, "take fewer seeds or values, or leave the sheet out"));
    }
    let axis = sweep.plot.as_ref().map(|_| plot::Axis::new(&cases)).transpose()?;
    let _lock = lock::take(&place(&sweep.table))?;
    let stored = table::read(&sweep.table)?;
    let runs = Runs::new(sweep, registry, engine, &cases, &stored)?;
    if let Some(note) = memory::note(runs.forecast) {
        listener.note(&note);
    }
    let others = runs.others(&cases, &stored, &sweep.table)?;
    let done = all::all(sweep, &cases, &runs, &others, listener)?;
    let rows: Vec<&Row> = done.iter().map(|done| &done.row).collect();
    let nowhere = nowhere(&done);
    // A table without any number is of no use, and would be taken for one that is made already.
    if nowhere.is_none() || !rows.iter().all(|row| row.error.is_empty() && row.is_numberless()) {
        table::write(&sweep.table, &order::merged(rows.clone(), &others))?;
    }
    if let Some(Missing { message, help, .. }) = nowhere {
        return Err(Failure::usage(message.clone(), help.clone()));
    }
    if let Some(problem) = engine.flush() {
        listener.note(&format!("warning: {problem}"));
    }
    let mut problems = failed(&rows, &sweep.table);
    problems.extend(unseen(&done));
    let nodes = runs.nodes();
    if let Some(path) = &sweep.summary {
        problems.extend(problem(layout::write(path, &rows, &nodes, sweep.summary_rows))?);
    }
    if let (Some(path), Some(axis)) = (&sweep.plot, axis) {
        problems.extend(problem(plot::write(path, &rows, &axis, &nodes))?);
    }
    if let Some(path) = &sweep.curves {
        let drawn: Vec<Drawn<'_>> =
            done.iter().map(|done| Drawn { set: &done.row.set, curves: &done.curves }).collect();
        problems.extend(problem(curves::write(path, &drawn, &nodes))?);
    }
    if let Some(path) = &sweep.sheet {
        let pictures: Vec<_> = done.iter().map(|done| (&done.row, done.picture.as_ref())).collect();
        problems.extend(problem(sheet::write(path, &pictures))?);
    }
    numberless(&done, listener);
    let kept = done.iter().filter(|done| done.kept).count();
    Ok(Swept { rows: rows.len(), kept, others: others.len(), problems })
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

/// Looks whether everything has a file of its own, however its path is typed.
fn apart(sweep: &Sweep) -> Result<(), Failure> {
    let others = [&sweep.summary, &sweep.plot, &sweep.curves, &sweep.sheet];
    let all = others.into_iter().flatten().map(PathBuf::as_path).chain([&*sweep.table]);
    let mut files: Vec<(PathBuf, &Path)> = all.map(|path| (place(path), path)).collect();
    files.sort_unstable();
    match files.windows(2).find(|two| two[0].0 == two[1].0) {
        Some(two) => {
            let (a, b) = (two[0].1.display().to_string(), two[1].1.display().to_string());
            let twice =
                if a == b { format!("{a} is named twice") } else { format!("{a} and {b} are one file") };
            Err(Failure::usage(twice, "give each output a file of its own"))
        }
        None => Ok(()),
    }
}

/// Where a file is, or would be: links are followed, as far as there is something already.
fn place(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = whole.parent().and_then(|folder| folder.canonicalize().ok());
    match (folder, whole.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => whole,
    }
}

/// A row that a metric names and that no run's table has: the command cannot mean it.
fn nowhere(done: &[Done]) -> Option<&Missing> {
    let runs = || done.iter().filter(|done| done.row.error.is_empty());
    let lacks =
        |done: &Done, name: &String| done.missing.iter().any(|missing| missing.columns.contains(name));
    let everywhere = |name: &String| runs().all(|done| lacks(done, name));
    runs().next()?.missing.iter().find(|missing| missing.columns.iter().any(everywhere))
}

/// Tells which metrics had no finite number in some runs, since what sums them up leaves these out.
fn numberless(done: &[Done], listener: &mut dyn Listener) {
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
            listener.note(&format!("{name} has no number in {none} of {} runs{why}", rows().count()));
        }
    }
}

/// What went wrong with runs, the first of each kind.
fn failed(rows: &[&Row], table: &Path) -> Vec<Problem> {
    let failed: Vec<&&Row> = rows.iter().filter(|row| !row.error.is_empty()).collect();
    match failed.first() {
        None => Vec::new(),
        Some(first) => {
            let message =
                format!("{} of {} runs failed; the first: {}", failed.len(), rows.len(), first.error);
            vec![Problem::new(message, format!("see the column `error` of {}", table.display()))]
        }
    }
}

/// What went wrong with pictures and curves of runs that have their numbers.
fn unseen(done: &[Done]) -> Option<Problem> {
    let without = || done.iter().filter_map(|done| done.problem.as_ref());
    let first = without().next()?;
    let (count, all) = (without().count(), done.len());
    let message = format!("{count} of {all} runs lack their picture or their curves; the first: {first}");
    Some(Problem::new(message, "the table has their numbers all the same"))
}

/// A failure that leaves the other files as they are.
fn problem(result: Result<(), Failure>) -> Result<Vec<Problem>, Failure> {
    match result {
        Ok(()) => Ok(Vec::new()),
        Err(Failure::Evaluation(problems)) => Ok(problems),
        Err(other) => Err(other),
    }
}
