//! `terrane sweep`: many runs of a graph, one table.

mod args;
mod cases;
mod charts;
mod curves;
mod figures;
mod go;
mod known;
mod layout;
mod lock;
mod metric;
mod names;
mod order;
mod place;
mod plot;
mod run;
mod sheet;
mod summary;
mod table;
mod texts;
mod varied;

use std::path::{Path, PathBuf};

pub use self::args::Sweep;
use self::cases::Cases;
use self::curves::Drawn;
use self::lock::Lock;
use self::run::{Done, Missing, Runs};
use self::table::Row;
use super::console::{self, Failure};

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
    let _lock = Lock::take(&place(&args.output))?;
    let stored = table::read(&args.output)?;
    let runs = Runs::new(args, &cases, &stored)?;
    let others = runs.others(&cases, &stored, &args.output)?;
    let done = go::all(args, &cases, &runs, &others)?;
    let rows: Vec<&Row> = done.iter().map(|done| &done.row).collect();
    let nowhere = nowhere(&done);
    // A table without any number is of no use, and would be taken for one that is made already.
    if nowhere.is_none() || !rows.iter().all(|row| row.error.is_empty() && row.is_numberless()) {
        table::write(&args.output, &order::merged(rows.clone(), &others))?;
    }
    if let Some(Missing { message, help, .. }) = nowhere {
        return Err(Failure::usage(message.clone(), help.clone()));
    }
    super::progress::flushed(&runs.engine, false);
    let mut problems = failed(&rows, &args.output);
    problems.extend(unseen(&done));
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
    let more = if others.is_empty() { String::new() } else { format!(", and {} more stay", others.len()) };
    numberless(&done);
    console::line(&format!("{} {plural}{kept}{more}; wrote {}", rows.len(), args.output.display()));
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

/// Looks whether everything has a file of its own, however its path is typed.
fn apart(args: &Sweep) -> Result<(), Failure> {
    let others = [&args.summary, &args.plot, &args.curves, &args.sheet];
    let all = others.into_iter().flatten().map(PathBuf::as_path).chain([&*args.output]);
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

/// What went wrong with pictures and curves of runs that have their numbers.
fn unseen(done: &[Done]) -> Option<(String, String)> {
    let without = || done.iter().filter_map(|done| done.problem.as_ref());
    let first = without().next()?;
    let (count, all) = (without().count(), done.len());
    let message = format!("{count} of {all} runs lack their picture or their curves; the first: {first}");
    Some((message, "the table has their numbers all the same".to_owned()))
}

/// A failure that leaves the other files as they are.
fn problem(result: Result<(), Failure>) -> Result<Vec<(String, String)>, Failure> {
    match result {
        Ok(()) => Ok(Vec::new()),
        Err(Failure::Evaluation(problems)) => Ok(problems),
        Err(other) => Err(other),
    }
}
