//! Commands.

mod args;
mod arguments;
mod bar;
mod cache;
mod catalogue;
mod check;
mod console;
mod diff;
mod editor;
mod eval;
mod events;
mod explain;
mod faces;
mod fmt;
mod lsp;
mod mcp;
mod page_language;
mod page_warnings;
mod picture;
mod profile;
mod progress;
mod run;
mod session;
mod shares;
mod starter;
mod stores;
mod sweep;
mod templates;
mod test;
mod verify;
mod view;
mod watch;
mod world;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use terrane_flow::memory;
use terrane_runs::Failure;

use args::{Args, Command};

/// Runs the command line.
pub fn main() -> ExitCode {
    // A panic in a node is reported as that node's error. Printing the panic as well would only add noise.
    std::panic::set_hook(Box::new(|panic| {
        if !std::thread::current().name().is_some_and(|name| name.starts_with("terrane-")) {
            console::line(&format!("terrane: internal error, please report it: {panic}"));
        }
    }));
    let args = Args::parse();
    console::set_colour(args.color);
    let result = match args.command {
        Command::Run(run) if world::is_world(&run) => world::run(&run),
        Command::Run(run) => run::run(&run),
        Command::Eval(eval) => eval::eval(&eval),
        Command::Watch(watch) => watch::watch(&watch),
        Command::View(view) => view::view(view),
        Command::Check(check) => check::check(&check),
        Command::Diff(diff) => match diff::diff(&diff) {
            // As of other programs that compare, a difference is told by the exit code.
            Ok(false) => return ExitCode::from(1),
            compared => compared.map(|_| ()),
        },
        Command::Fmt(fmt) => fmt::fmt(&fmt),
        Command::Lsp(lsp) => lsp::lsp(&lsp),
        Command::Mcp(mcp) => mcp::mcp(&mcp),
        Command::Test(test) => test::test(&test),
        Command::Sweep(sweep) => sweep::sweep(&sweep),
        Command::Explain(explain) => explain::explain(&explain),
        Command::Nodes(nodes) => catalogue::nodes(&nodes),
        Command::Graph(graph) => picture::graph(&graph),
        Command::Cache(cache) => cache::cache(&cache),
        Command::Verify(verify) => verify::verify(&verify),
        Command::World(world) => shares::world(&world),
        Command::New(new) => starter::new(&new),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "terrane", &mut script);
            console::print_bytes(&script);
            Ok(())
        }
    };
    match result {
        Ok(()) if console::was_printed() => ExitCode::SUCCESS,
        Ok(()) => ExitCode::from(1),
        Err(failure) => {
            console::report(&failure);
            match failure {
                Failure::Evaluation(_) => ExitCode::from(1),
                Failure::Usage(_) | Failure::Graph(_) => ExitCode::from(2),
            }
        }
    }
}
