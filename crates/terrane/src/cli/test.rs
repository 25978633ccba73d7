//! `terrane test`: the outputs of graphs compared with their snapshots.

use std::path::PathBuf;

use clap::Args;
use terrane_flow::Job;
use terrane_runs::Failure;
use terrane_runs::snapshots::{self, Listener, Outcome, Subject, Tests, Told};

use super::arguments::threads;
use super::{console, progress};

#[derive(Debug, Args)]
pub struct Test {
    /// Graph files; the snapshots of each lie in the folder `snapshots` beside it.
    #[arg(required = true)]
    pub graphs: Vec<PathBuf>,
    /// A port to be tested beside the outputs, NODE or NODE.OUTPUT; can be repeated. Once accepted it needs
    /// no naming.
    #[arg(long, value_name = "PORT")]
    pub port: Vec<String>,
    /// Take what the graphs give now as right, and remove snapshots that nothing has any more.
    #[arg(long)]
    pub accept: bool,
    /// Print one JSON object per output.
    #[arg(long)]
    pub json: bool,
    /// Threads; 0 is one per core.
    #[arg(long, default_value_t = 0, value_parser = threads)]
    pub threads: usize,
    /// Let graphs read files outside their folders.
    #[arg(long)]
    pub allow_outside: bool,
}

pub fn test(args: &Test) -> Result<(), Failure> {
    let tests = Tests {
        graphs: args.graphs.clone(),
        ports: args.port.clone(),
        accept: args.accept,
        allow_outside: args.allow_outside,
        threads: args.threads,
    };
    let mut shown = Shown { json: args.json, outcomes: Vec::new() };
    let tested = snapshots::test(&tests, &terrane_nodes::registry(), &mut shown);
    // Of graphs that are wrong, none was tested.
    if !args.json && !matches!(tested, Err(Failure::Graph(_) | Failure::Usage(_))) {
        shown.count();
    }
    tested
}

/// Lines of what is not as it was, or JSON of everything.
struct Shown {
    json: bool,
    outcomes: Vec<Outcome>,
}

impl Listener for Shown {
    fn job(&mut self, job: &Job) {
        progress::show(job.events(), false);
    }

    fn told(&mut self, told: &Told) {
        self.outcomes.push(told.outcome);
        let word = told.outcome.word();
        if self.json {
            let object = serde_json::json!({
                "graph": told.graph, "name": told.subject.name(),
                "port": matches!(told.subject, Subject::Port(_)),
                "outcome": word, "snapshot": told.file, "difference": told.difference,
                "picture": told.picture,
            });
            return console::print(&format!("{object}\n"));
        }
        if told.outcome != Outcome::Passed {
            console::line(&format!("{word}: {} of {}", told.subject.name(), told.graph.display()));
        }
        if !told.difference.is_empty() {
            console::line(told.difference.trim_end());
        }
        if let Some(picture) = &told.picture {
            console::line(&format!("see {}", picture.display()));
        }
    }

    fn note(&mut self, text: &str) {
        if !self.json {
            console::line(text);
        }
    }
}

impl Shown {
    /// How many snapshots had each outcome, and what to do about them.
    fn count(&self) {
        let count = |wanted: Outcome| self.outcomes.iter().filter(|outcome| **outcome == wanted).count();
        let counts: Vec<String> = Outcome::ALL
            .into_iter()
            .filter(|outcome| *outcome == Outcome::Passed || count(*outcome) > 0)
            .map(|outcome| format!("{} {}", count(outcome), outcome.word()))
            .collect();
        console::line(&counts.join(", "));
        if count(Outcome::Changed) + count(Outcome::New) > 0 {
            console::line("look at the files `.snap.new` in `snapshots`, then accept them with --accept");
        } else if count(Outcome::Unused) > 0 {
            console::line("no output has the unused snapshots any more: --accept removes them");
        }
    }
}
