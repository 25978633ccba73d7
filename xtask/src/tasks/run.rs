//! Makes tasks, solves them, and counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;
use terrane_flow::Registry;

use super::client::Client;
use super::error::Error;
use super::generate::{self, FILE, Task};
use super::random::Random;
use super::search;

/// How many tasks were solved.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of tasks.
    pub tasks: usize,
    /// Those that end in the digest that was asked for.
    pub solved: usize,
    /// Those in which a run said that it succeeded, and named no output.
    pub empty: usize,
    /// The number of calls of all tasks.
    pub calls: u32,
    /// Per kind of fault, the number of tasks with it, and of those that were not solved.
    pub kinds: BTreeMap<&'static str, (usize, usize)>,
    /// What the tasks that were not solved look like.
    pub failures: Vec<String>,
}

/// Makes tasks from at most `most` of the graphs below a folder, and solves them with a program. Each result
/// is told at once.
pub fn run(
    program: &Path,
    graphs: &Path,
    registry: &Registry,
    (count, seed, most): (usize, u64, usize),
    tell: &mut dyn FnMut(&str),
) -> Result<Report, Error> {
    let truths = generate::truths(program, graphs, registry, most)?;
    if truths.is_empty() {
        return Err("no graph is small enough for a task".into());
    }
    let (mut random, mut report, mut number) = (Random(seed), Report::default(), 0);
    while report.tasks < count && number < 4 * count {
        let task = generate::task(&truths, registry, number, &mut random);
        number += 1;
        if let Some(task) = task {
            solve(program, &task, &mut report, tell)?;
        }
    }
    Ok(report)
}

fn solve(program: &Path, task: &Task, report: &mut Report, tell: &mut dyn FnMut(&str)) -> Result<(), Error> {
    let folder = tempfile::tempdir()?;
    let mut client = Client::start(program, folder.path())?;
    let made = client.call("edit", &json!({ "path": FILE, "create": true, "text": task.text }))?;
    made.map_err(|error| error.to_string())?;
    let ended = search::solve(&mut client, &task.asked)?;
    report.tasks += 1;
    report.calls += ended.calls;
    report.solved += usize::from(ended.is_solved);
    report.empty += usize::from(ended.is_empty);
    for kind in &task.faults {
        let of = report.kinds.entry(kind).or_default();
        *of = (of.0 + 1, of.1 + usize::from(!ended.is_solved));
    }
    let (faults, calls) = (task.faults.join(", "), ended.calls);
    let word = if ended.is_solved { "solved" } else { "not solved" };
    let told = format!("{}: {word} with {calls} calls: {} ({faults})", report.tasks, task.graph);
    tell(&told);
    if !ended.is_solved {
        report.failures.push(format!("{told}\n--- text\n{}\n--- at the end\n{}", task.text, ended.text));
    }
    Ok(())
}

impl Report {
    /// The report as lines.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{} of {} tasks end in the digest that was asked for; {} in a success without an output; {} \
                calls\n",
            self.solved, self.tasks, self.empty, self.calls
        );
        for (kind, (all, failed)) in &self.kinds {
            let _infallible = writeln!(text, "  {kind}: {all} tasks, {failed} not solved");
        }
        text
    }
}
