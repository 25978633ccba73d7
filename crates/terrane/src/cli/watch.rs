//! `terrane watch`: run, and run again after every change.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::select;
use terrane_flow::watch::Watcher;
use terrane_flow::{Event, Job, Loaded, load_watched};

use super::args::Watch;
use super::console::{self, Failure};
use super::outputs::Ledger;
use super::{explain, profile, run, session};

/// Bytes of values kept between reloads.
const MEMORY: u64 = 2 << 30;

pub fn watch(args: &Watch) -> Result<(), Failure> {
    let options = session::load_options(&args.load)?;
    let engine = session::engine(&args.engine, MEMORY)?;
    let mut watcher = Watcher::new()
        .map_err(|error| Failure::usage(format!("cannot watch files: {error}"), "use `terrane run`"))?;
    watcher.watch(std::slice::from_ref(&args.load.graph));
    let registry = terrane_nodes::registry();
    let mut state = State { args, engine, running: None, watched: Vec::new() };
    loop {
        let started = Instant::now();
        let (loaded, touched) = load_watched(&args.load.graph, &registry, &options);
        // Files that are new to the watcher may have changed since they were read: look once more.
        if touched.0 != state.watched {
            watcher.watch(&touched.0);
            state.watched = touched.0;
            continue;
        }
        match loaded {
            Err(diagnostics) => state.broken(&diagnostics),
            Ok(loaded) => state.start(Arc::new(loaded), started)?,
        }
        state.until_change(&watcher);
    }
}

struct State<'a> {
    args: &'a Watch,
    engine: terrane_flow::Engine,
    running: Option<Running>,
    watched: Vec<PathBuf>,
}

struct Running {
    job: Job,
    loaded: Arc<Loaded>,
    started: Instant,
}

impl State<'_> {
    fn json(&self) -> bool {
        self.args.engine.json
    }

    /// A graph that does not load: the last good outputs stay, and so does what runs for them.
    fn broken(&self, diagnostics: &terrane_flow::Diagnostics) {
        if self.json() {
            for diagnostic in &diagnostics.0 {
                console::print(&format!(
                    "{}\n",
                    serde_json::json!({"event": "broken", "diagnostic": diagnostic.to_json()})
                ));
            }
        } else {
            Failure::Graph(diagnostics.clone()).report();
            console::line("the last good outputs stay; waiting for a change");
        }
    }

    /// Starts the new graph, then ends the old job: what both need goes on.
    fn start(&mut self, loaded: Arc<Loaded>, started: Instant) -> Result<(), Failure> {
        let entries: Vec<_> = loaded.graph.outputs.iter().collect();
        let positions: Vec<(usize, usize)> =
            entries.iter().filter_map(|e| loaded.graph.find(&e.from).ok()).collect();
        if let Err(failure) =
            session::check_memory(loaded.plan.forecast(&loaded.graph, &positions), self.json())
        {
            failure.report();
            return Ok(());
        }
        let job = self.engine.start(&loaded, run::wanted(&entries, &self.args.out, &self.ledger()))?;
        if let Some(old) = self.running.replace(Running { job, loaded, started }) {
            old.job.cancel();
        }
        Ok(())
    }

    fn ledger(&self) -> Ledger {
        let cache = session::cache_dir(&self.args.engine).filter(|_| !self.args.engine.no_cache);
        Ledger::new(cache.as_deref())
    }

    /// Follows the job, if any, and waits for the next change.
    fn until_change(&mut self, watcher: &Watcher) {
        if let Some(running) = &self.running {
            let events = running.job.events().clone();
            loop {
                select! {
                    recv(watcher.changes()) -> _ => return,
                    recv(events) -> event => match event {
                        Ok(event) => self.tell(&event),
                        Err(_) => break,
                    }
                }
            }
        }
        if let Some(running) = self.running.take() {
            self.finish(running);
        }
        // The watcher's thread lives as long as the watcher.
        let _changed = watcher.changes().recv();
    }

    fn tell(&self, event: &Event) {
        if self.json() {
            console::print(&format!("{}\n", event.to_json()));
        } else if let Event::Warning { node, message } = event {
            console::line(&format!(
                "warning: {}{message}",
                node.as_ref().map_or_else(String::new, |n| format!("{n}: "))
            ));
        }
    }

    fn finish(&self, running: Running) {
        let Running { job, loaded, started } = running;
        let evaluation = job.wait();
        let entries: Vec<_> = loaded.graph.outputs.iter().collect();
        let report = run::write_outputs(&entries, &evaluation, &self.args.out, &self.ledger());
        let cache = session::cache_dir(&self.args.engine).filter(|_| !self.args.engine.no_cache);
        explain::remember(&self.engine, &loaded, cache.as_deref(), &self.args.load.graph);
        if self.args.engine.profile {
            profile::show(&evaluation);
        }
        let ran = evaluation.ran();
        let reused = evaluation.nodes.len() - ran.len();
        if self.json() {
            let done = serde_json::json!({
                "event": "done", "ran": ran, "reused": reused, "written": report.written,
                "seconds": started.elapsed().as_secs_f64(),
            });
            console::print(&format!("{done}\n"));
        } else {
            let what = if ran.is_empty() {
                "nothing to recompute".to_owned()
            } else {
                format!("recomputed {}", ran.join(", "))
            };
            let files = report.written.len();
            let time = started.elapsed().as_secs_f64() * 1000.0;
            console::line(&format!("{what}; {reused} reused, {files} files written, {time:.0} ms"));
        }
        if let Err(failure) = run::failures(&loaded, &evaluation, report.problems) {
            failure.report();
        }
        if let Some(disk) = self.engine.disk() {
            disk.collect();
        }
    }
}
