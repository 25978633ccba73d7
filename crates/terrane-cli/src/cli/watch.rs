//! `terrane watch`: runs a graph, and runs it again after every change.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use terrane_flow::live::{Finished, Live, Turn};
use terrane_flow::{Event, Loaded, Session};
use terrane_runs::Failure;
use terrane_runs::outputs::{self, Destination, Ledger};

use super::arguments::{Engine, Load, OfWorld};
use super::console;
use super::{events, profile, run, session};

#[derive(Debug, Args)]
pub struct Watch {
    #[command(flatten)]
    pub load: Load,
    #[command(flatten)]
    pub of_world: OfWorld,
    #[command(flatten)]
    pub engine: Engine,
    /// Folder for the outputs.
    #[arg(long, short, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
}

/// Bytes of values kept between reloads.
const MEMORY: u64 = 2 << 30;

pub fn watch(args: &Watch) -> Result<(), Failure> {
    let options = session::load_options(&args.load)?;
    let engine = session::engine(&args.engine, MEMORY)?;
    let mut live = match session::patch(&args.load, &args.of_world)? {
        Some(patch) => {
            session::live_patch(&args.load.graph, options, (patch, args.of_world.level), engine.clone())?
        }
        None => session::live(&args.load.graph, options)?,
    };
    let (cache, ledger) = session::ledger(&args.engine)?;
    let state = State { args, session: engine.session(), cache, ledger };
    let no_requests = crossbeam_channel::never::<Infallible>();
    loop {
        match live.next(&no_requests) {
            Turn::Loaded(loaded) => state.start(&mut live, loaded)?,
            Turn::Broken(diagnostics) => state.broken(&diagnostics),
            Turn::Event(event) => state.print_event(&event),
            Turn::Finished(finished) => state.finish(finished, &live.has_changed()),
            Turn::Asked(impossible) => match impossible {},
            Turn::Closed => return Ok(()),
        }
    }
}

struct State<'a> {
    args: &'a Watch,
    session: Session,
    /// The cache's folder.
    cache: Option<PathBuf>,
    ledger: Ledger,
}

impl State<'_> {
    fn to(&self) -> Destination<'_> {
        Destination { out: &self.args.out, ledger: &self.ledger }
    }

    fn json(&self) -> bool {
        self.args.engine.json
    }

    /// Reports a graph that does not load. The last good outputs stay, and their evaluation continues.
    fn broken(&self, diagnostics: &terrane_flow::Diagnostics) {
        if self.json() {
            events::broken(diagnostics);
        } else {
            console::report(&Failure::Graph(diagnostics.clone()));
            console::line("keeping the last good outputs; waiting for a change");
        }
    }

    /// Starts evaluating the new graph, and cancels the old job.
    fn start(&self, live: &mut Live, loaded: Arc<Loaded>) -> Result<(), Failure> {
        let entries: Vec<_> = loaded.graph.outputs.iter().collect();
        let positions = outputs::positions(&loaded, &entries);
        if let Err(failure) = session::check_graph(&loaded, &positions, self.session.engine(), self.json()) {
            console::report(&failure);
            return Ok(());
        }
        let job = self.session.start(&loaded, outputs::wanted(&loaded, &entries, self.to()))?;
        live.follow(job, loaded);
        Ok(())
    }

    fn print_event(&self, event: &Event) {
        if self.json() {
            events::event(event);
        } else if let Event::Warning { node, message } = event {
            console::line(&format!(
                "warning: {}{message}",
                node.as_ref().map_or_else(String::new, |n| format!("{n}: "))
            ));
        }
    }

    fn finish(&self, finished: Finished, has_changed: &(dyn Fn() -> bool + Sync)) {
        let Finished { evaluation, loaded, started } = &finished;
        let entries: Vec<_> = loaded.graph.outputs.iter().collect();
        let report = outputs::write_all_until(
            self.session.engine(),
            loaded,
            &entries,
            evaluation,
            self.to(),
            &mut |made| {
                if self.json() {
                    events::written(made);
                }
            },
            has_changed,
        );
        let graph = &self.args.load.graph;
        let cache = self.cache.as_deref();
        terrane_runs::explain::remember(self.session.engine(), loaded, evaluation, cache, graph);
        if self.args.engine.profile {
            profile::show(evaluation, &report.made);
        }
        if self.json() {
            events::done(&finished, &[("written", serde_json::json!(report.written().collect::<Vec<_>>()))]);
        } else {
            let (ran, reused) = (evaluation.ran(), events::reused(&finished));
            let what = if ran.is_empty() {
                "nothing to recompute".to_owned()
            } else {
                format!("recomputed {}", ran.join(", "))
            };
            let files = report.written().count();
            let time = events::seconds(*started) * 1000.0;
            console::line(&format!("{what}; {reused} reused, {files} files written, {time:.0} ms"));
        }
        if let Err(failure) = run::failures(loaded, evaluation, report.problems) {
            console::report(&failure);
        }
    }
}
