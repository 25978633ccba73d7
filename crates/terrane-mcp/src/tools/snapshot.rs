//! `snapshot_test`: compares the outputs of a graph with their snapshots.

use serde_json::{Value as Json, json};
use terrane_flow::Job;
use terrane_runs::Failure;
use terrane_runs::snapshots::{self, Listener, Tests, Told};

use super::tool::{Tool, schema};
use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::failures;
use crate::refusal::Refusal;
use crate::setup::Shared;
use crate::stop::Stop;

pub const TOOL: Tool = Tool {
    name: "snapshot_test",
    description: "Compares the outputs of a graph with the snapshots beside it, in the folder \
        `snapshots`. New and changed values are written there for review; with accept: true they become \
        the snapshots.",
    schema: || {
        let properties = json!({
            "path": { "type": "string", "description": "The graph's file, relative to the server's folder." },
            "ports": {
                "type": "array", "items": { "type": "string" },
                "description": "Further ports to test: NODE or NODE.OUTPUT.",
            },
            "accept": { "type": "boolean", "description": "Accept the present values." },
        });
        schema(properties, &["path"])
    },
    reads_only: false,
    work: test,
};

fn test(shared: &Shared, arguments: &Arguments<'_>, stop: &Stop) -> Result<Answer, Refusal> {
    let path = shared.folder.existing(arguments.text("path")?)?;
    let beside = path.with_file_name("snapshots");
    shared.folder.writable(&shared.folder.relative(&beside))?;
    let tests = Tests {
        graphs: vec![path.clone()],
        ports: arguments.texts("ports")?.into_iter().map(str::to_owned).collect(),
        accept: arguments.flag("accept")?,
        threads: shared.setup.threads,
        memory: Some(shared.setup.memory),
        ..Tests::default()
    };
    let mut reporter = Reporter { shared, stop, results: Vec::new() };
    let tested = snapshots::test(&tests, &shared.setup.registry, &mut reporter);
    let results = reporter.results;
    if let Some(refusal) = stop.reason().filter(|_| tested.is_err()) {
        return Err(refusal.with("results", results.into()));
    }
    let line = |result: &Json| {
        let text = |name: &str| result[name].as_str().unwrap_or_default().to_owned();
        format!("{}: {}\n{}", text("outcome"), text("name"), text("difference"))
    };
    let lines: String = results.iter().map(line).collect();
    match tested {
        Ok(()) if results.is_empty() => {
            let remedy = "add outputs to the graph, or name ports";
            Err(Refusal::new("nothing was tested", remedy).at(shared.folder.relative(&path)))
        }
        Ok(()) => Ok(Answer::new(lines, json!({ "passed": true, "results": results }))),
        // The snapshots differ, and the results say how.
        Err(Failure::Evaluation(problems)) if problems.is_empty() => {
            let remedy = "look at the differences; accept the present values with accept: true";
            Err(Refusal::new(format!("not all values match their snapshots\n{lines}"), remedy)
                .at(shared.folder.relative(&path))
                .with("results", results.into()))
        }
        Err(failure) => Err(failures::of(failure, &shared.folder).with("results", results.into())),
    }
}

/// Collects the results.
struct Reporter<'a> {
    shared: &'a Shared,
    stop: &'a Stop,
    results: Vec<Json>,
}

impl Listener for Reporter<'_> {
    fn job(&mut self, job: &Job) {
        self.stop.follow(job);
    }

    fn told(&mut self, told: &Told) {
        let relative = |path: &std::path::Path| self.shared.folder.relative(path);
        self.results.push(json!({
            "name": told.subject.name(), "outcome": told.outcome.word(), "snapshot": relative(&told.file),
            "difference": told.difference, "picture": told.picture.as_deref().map(relative),
        }));
    }
}
