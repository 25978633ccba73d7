//! `terrane eval`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use terrane_flow::{CheckedOutput, Reference, Wanted, suggest};
use terrane_io::{Sidecar, WriteOptions, Written};
use terrane_nodes::Terrain;
use terrane_nodes::values::TerrainKind;
use terrane_runs::Failure;
use terrane_runs::outputs::{self, Made, Report};

use super::arguments::{Engine, Load, OfWorld};
use super::console;
use super::{events, profile, progress, run, session};

#[derive(Debug, Args)]
pub struct Eval {
    #[command(flatten)]
    pub load: Load,
    #[command(flatten)]
    pub of_world: OfWorld,
    /// The node and output to evaluate: NODE or NODE.OUTPUT.
    pub port: String,
    /// The file to write; its extension chooses the format. `-` prints numbers and tables as JSON.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub engine: Engine,
}

pub fn eval(args: &Eval) -> Result<(), Failure> {
    let started = Instant::now();
    let engine = session::engine(&args.engine, 0)?;
    let asked = Reference::parse(&args.port);
    let (loaded, reference) = session::graph_or_patch_with(&args.load, &args.of_world, &engine, asked)?;
    let loaded = Arc::new(loaded);
    let position = loaded.graph.find(&reference).map_err(Failure::Usage)?;
    let of = loaded.graph.nodes[position.0].node().spec().outputs[position.1].kind;
    let kind = TerrainKind::find(of);
    let print = args.output == Path::new("-");
    if print {
        if !kind.is_some_and(|kind| kind.is_printed) {
            let message =
                format!("`{}` is {}, which has no JSON form to print", args.port, suggest::one(of.name));
            return Err(Failure::usage(message, "write it to a file with -o FILE"));
        }
    } else {
        outputs::check_named(&args.output, &loaded.graph.files).map_err(Failure::Usage)?;
        let holes = loaded.plan.can_have_holes(&loaded.graph, position);
        let from = CheckedOutput { graph: &loaded.graph, node: &reference.node, holes };
        if let Err(errors) = terrane_nodes::check_output(of, &args.output.to_string_lossy(), &[], from)
            && let Some(error) = errors.into_iter().next()
        {
            return Err(Failure::usage(error.message, error.help));
        }
    }
    session::check_graph(&loaded, &[position], &engine, args.engine.json)?;
    let job = engine.start(&loaded, [Wanted::from(reference)])?;
    // With `-o -`, standard output carries only the value.
    progress::show(job.events(), args.engine.json && !print);
    let evaluation = job.wait();
    if args.engine.profile && (print || !evaluation.succeeded()) {
        profile::show(&evaluation, &[]);
    }
    progress::flushed(&engine, args.engine.json);
    run::failures(&loaded, &evaluation, Vec::new())?;
    let value = evaluation.outputs.first().and_then(|output| output.value.as_ref());
    let Some(value) = value else {
        return Err(Failure::evaluation("the node returned no value", "run the command again"));
    };
    if print {
        let json = value.to_json().unwrap_or_default();
        console::json(&if args.engine.json { json.to_string() } else { format!("{json:#}") });
        return Ok(());
    }
    let begun = Instant::now();
    let place = Terrain::of(&*loaded.graph.header).and_then(|terrain| terrain.place.clone());
    let options = WriteOptions { place, ..WriteOptions::default() };
    let written = outputs::write(&engine, &args.output, value, &options)
        .map_err(|problem| Failure::Evaluation(vec![problem]))?;
    let made = Made {
        path: args.output.clone(),
        sidecar: Some(Sidecar::path_of(&args.output)).filter(|_| kind.is_some_and(|kind| kind.has_sidecar)),
        changed: written != Written::Unchanged,
        time: begun.elapsed(),
        bytes: std::fs::metadata(&args.output).map_or(0, |file| file.len()),
    };
    if args.engine.json {
        events::written(&made);
    }
    if args.engine.profile {
        profile::show(&evaluation, std::slice::from_ref(&made));
    }
    let report = Report { unchanged: usize::from(!made.changed), made: vec![made], ..Report::default() };
    run::print_summary(&report, &evaluation, started, args.engine.json);
    Ok(())
}
