//! `terrane test`: compares the outputs of graphs with their snapshots.

use std::path::PathBuf;

use clap::Args;
use terrane_flow::Job;
use terrane_runs::Failure;
use terrane_runs::snapshots::{self, Listener, Outcome, Subject, Tests, Told};

use super::arguments::threads;
use super::{console, progress};

#[derive(Debug, Args)]
pub struct Test {
    /// Graph files. The snapshots of a graph are in the folder `snapshots` next to it.
    #[arg(required = true)]
    pub graphs: Vec<PathBuf>,
    /// Another port to test, NODE or NODE.OUTPUT, in addition to the outputs. Can be repeated. Once its
    /// snapshot is accepted, the port is tested without this option.
    #[arg(long, value_name = "PORT")]
    pub port: Vec<String>,
    /// Accept the current outputs as snapshots, and remove unused snapshots.
    #[arg(long)]
    pub accept: bool,
    /// Print one JSON object per output.
    #[arg(long)]
    pub json: bool,
    /// Number of threads; 0 means one per core.
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
        memory: None,
    };
    let mut reporter = Reporter { json: args.json, outcomes: Vec::new() };
    let tested = snapshots::test(&tests, &terrane_nodes::registry(), &mut reporter);
    // If a graph does not load, nothing was tested.
    if !args.json && !matches!(tested, Err(Failure::Graph(_) | Failure::Usage(_))) {
        reporter.count();
    }
    tested
}

/// Prints a line per output that differs from its snapshot, or JSON for every output.
struct Reporter {
    json: bool,
    outcomes: Vec<Outcome>,
}

impl Listener for Reporter {
    fn job(&mut self, job: &Job) {
        progress::show(job.events(), false);
    }

    fn told(&mut self, result: &Told) {
        self.outcomes.push(result.outcome);
        let word = result.outcome.word();
        if self.json {
            let object = serde_json::json!({
                "graph": result.graph, "name": result.subject.name(),
                "port": matches!(result.subject, Subject::Port(_)), "outcome": word, "snapshot": result.file,
                "difference": result.difference, "picture": result.picture,
            });
            return console::json(&object);
        }
        if result.outcome != Outcome::Passed {
            console::line(&format!("{word}: {} of {}", result.subject.name(), result.graph.display()));
        }
        if !result.difference.is_empty() {
            console::line(result.difference.trim_end());
        }
        if let Some(picture) = &result.picture {
            console::line(&format!("see {}", picture.display()));
        }
    }

    fn note(&mut self, text: &str) {
        if !self.json {
            console::line(text);
        }
    }
}

impl Reporter {
    /// Prints how many snapshots had each outcome, and what to do next.
    fn count(&self) {
        let count = |wanted: Outcome| self.outcomes.iter().filter(|outcome| **outcome == wanted).count();
        let counts: Vec<String> = Outcome::ALL
            .into_iter()
            .filter(|outcome| *outcome == Outcome::Passed || count(*outcome) > 0)
            .map(|outcome| format!("{} {}", count(outcome), outcome.word()))
            .collect();
        console::line(&counts.join(", "));
        if count(Outcome::Changed) + count(Outcome::New) > 0 {
            console::line("review the `.snap.new` files in `snapshots`, then accept them with --accept");
        } else if count(Outcome::Unused) > 0 {
            console::line("unused snapshots belong to no output: remove them with --accept");
        }
    }
}
