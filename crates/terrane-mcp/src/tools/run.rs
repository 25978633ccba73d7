//! `run`: evaluates a graph and writes its outputs. It succeeds only if every output was written.

use std::path::Path;

use serde_json::{Value as Json, json};
use terrane_flow::{Outcome, OutputEntry};
use terrane_io::Sidecar;
use terrane_runs::explain::parts;
use terrane_runs::outputs::{self, Destination, Ledger, Manifest, State};
use terrane_runs::{Failure, memory};

use super::evaluate;
use super::tool::{Tool, evaluated, schema};
use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::failures;
use crate::graph::{self, Opened};
use crate::refusal::Refusal;
use crate::setup::Shared;
use crate::stop::Stop;

pub const TOOL: Tool = Tool {
    name: "run",
    description: "Evaluates a graph and writes its outputs and a manifest.json below the folder `out`. \
        Answers each file with its bytes and the digest of its value. A graph without outputs, or one \
        whose outputs were not all written, is an error.",
    schema: || {
        let more = json!({
            "out": { "type": "string", "description": "The folder of the outputs. Default: out." },
            "only": {
                "type": "array", "items": { "type": "string" }, "description": "Write only these outputs.",
            },
        });
        schema(evaluated(more), &["path"])
    },
    reads_only: false,
    work: run,
};

fn run(shared: &Shared, arguments: &Arguments<'_>, stop: &Stop) -> Result<Answer, Refusal> {
    let opened = graph::open(shared, arguments)?;
    let refused = |failure: Failure| failures::of(failure, &shared.folder);
    let only: Vec<String> = arguments.texts("only")?.into_iter().map(str::to_owned).collect();
    let out = shared.folder.writable(arguments.optional_text("out")?.unwrap_or("out"))?;
    let loaded = &opened.loaded;
    let entries = outputs::entries(loaded, &only).map_err(refused)?;
    outputs::check_folder(loaded, &out).map_err(refused)?;
    for entry in &entries {
        check_free(shared, &out, entry)?;
    }
    let targets = outputs::positions(loaded, &entries);
    memory::check_graph(loaded, &targets, &shared.engine)
        .map_err(|failure| evaluate::too_large(failure, shared))?;
    let ledger = Ledger::new(None);
    let to = Destination { out: &out, ledger: &ledger };
    let wanted = outputs::wanted(loaded, &entries, to);
    let follow = |job: &terrane_flow::Job| stop.follow(job);
    let (evaluation, report) =
        outputs::run(&shared.engine, loaded, (&*entries, wanted), to, follow, &mut |_| {})
            .map_err(|mistakes| failures::of_graph(&mistakes, &shared.folder))?;
    let files: Vec<Json> = entries
        .iter()
        .filter_map(|entry| written(shared, &out, entry, report.contents.get(&entry.file)?))
        .collect();
    if let Some(refusal) = stop.reason().filter(|_| files.len() < entries.len()) {
        return Err(refusal.with("written", files.into()));
    }
    let mut problems = report.problems;
    problems.extend(outputs::failures(loaded, &evaluation));
    Failure::unless(problems).map_err(|failure| refused(failure).with("written", files.clone().into()))?;
    if files.len() < entries.len() {
        let what = format!("{} of {} outputs were not written", entries.len() - files.len(), entries.len());
        return Err(Refusal::new(what, "run again").with("written", files.into()));
    }
    shared.remember(opened.path.clone(), parts(&shared.engine, loaded, &targets));
    let cached = evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Cached).count();
    Ok(answer(shared, &opened, files, &evaluation.ran(), cached))
}

fn answer(shared: &Shared, opened: &Opened, files: Vec<Json>, ran: &[&str], cached: usize) -> Answer {
    let line = |file: &Json| {
        let text = |name: &str| file[name].as_str().unwrap_or_default().to_owned();
        format!("{}: {} bytes, digest {}\n", text("file"), file["bytes"], text("digest"))
    };
    let lines: String = files.iter().map(line).collect();
    let path = shared.folder.relative(&opened.path);
    Answer::new(lines, json!({ "path": path, "files": files, "ran": ran, "cached": cached }))
}

/// Refuses an output whose file exists but is not as a run wrote it: it may be the user's own.
fn check_free(shared: &Shared, out: &Path, entry: &OutputEntry) -> Result<(), Refusal> {
    let path = out.join(&entry.file);
    let name = shared.folder.relative(&path);
    shared.folder.writable(&name)?;
    let listed = Manifest::read(out).ok().flatten().unwrap_or_default();
    let listed = listed.file(&entry.file);
    let expected = [
        (path.clone(), listed.map(|file| &file.state)),
        (Sidecar::path_of(&path), listed.and_then(|file| file.sidecar.as_ref())),
    ];
    for (at, known) in expected {
        let present = State::of(&at).ok().flatten();
        if present.is_some() && present.as_ref() != known {
            let file = shared.folder.relative(&at);
            let what = format!("`{file}` exists, and is not as a run wrote it");
            let remedy = "choose another folder with `out`, or move the file away";
            return Err(Refusal::new(what, remedy).at(file));
        }
    }
    Ok(())
}

/// An output's file as it is on disk now; `None` if there is none.
fn written(shared: &Shared, out: &Path, entry: &OutputEntry, digest: &str) -> Option<Json> {
    let path = out.join(&entry.file);
    let state = State::of(&path).ok().flatten()?;
    Some(json!({
        "output": entry.file, "from": entry.from.to_string(), "file": shared.folder.relative(&path),
        "bytes": state.bytes, "file_blake3": state.blake3, "digest": digest,
    }))
}
