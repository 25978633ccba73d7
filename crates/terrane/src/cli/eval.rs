//! `terrane eval`.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use terrane_flow::{Reference, Wanted, suggest};
use terrane_io::WriteOptions;
use terrane_nodes::values::TerrainKind;
use terrane_runs::Failure;
use terrane_runs::outputs;

use super::arguments::{Engine, Load};
use super::console;
use super::{profile, progress, run, session};

#[derive(Debug, Args)]
pub struct Eval {
    #[command(flatten)]
    pub load: Load,
    /// NODE, or NODE.OUTPUT.
    pub port: String,
    /// The file, its format by extension; `-` prints numbers and tables as JSON.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub engine: Engine,
}

pub fn eval(args: &Eval) -> Result<(), Failure> {
    let loaded = Arc::new(session::load(&args.load)?);
    let reference = Reference::parse(&args.port);
    let position = loaded.graph.find(&reference).map_err(Failure::Usage)?;
    let kind = loaded.graph.nodes[position.0].node().spec().outputs[position.1].kind;
    let print = args.output == Path::new("-");
    if print {
        if !TerrainKind::find(kind).is_some_and(|kind| kind.is_printed) {
            let message = format!("`{}` is {}, which cannot be printed", args.port, suggest::one(kind.name));
            return Err(Failure::usage(message, "name a file with -o"));
        }
    } else {
        let from = (&loaded.graph, &*reference.node);
        if let Err(errors) = terrane_nodes::check_output(kind, &args.output.to_string_lossy(), &[], from)
            && let Some(error) = errors.into_iter().next()
        {
            return Err(Failure::usage(error.message, error.help));
        }
    }
    let engine = session::engine(&args.engine, 0)?;
    session::check_graph(&loaded, &[position], &engine, args.engine.json)?;
    let job = engine.start(&loaded, [Wanted::from(reference)])?;
    // With `-o -` standard output is the value alone.
    progress::show(job.events(), args.engine.json && !print);
    let evaluation = job.wait();
    if args.engine.profile {
        profile::show(&evaluation, &[]);
    }
    progress::flushed(&engine, args.engine.json);
    run::failures(&loaded, &evaluation, Vec::new())?;
    let value = evaluation.outputs.first().and_then(|output| output.value.as_ref());
    let Some(value) = value else { return Err(Failure::evaluation("there is no value", "run again")) };
    if print {
        let json = value.to_json().unwrap_or_default();
        console::print(&if args.engine.json { format!("{json}\n") } else { format!("{json:#}\n") });
        return Ok(());
    }
    outputs::write(&engine, &args.output, value, &WriteOptions::default())
        .map_err(|problem| Failure::Evaluation(vec![problem]))?;
    if !args.engine.json {
        console::line(&format!("wrote {}", args.output.display()));
    }
    Ok(())
}
