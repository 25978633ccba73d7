//! Evaluating outputs and writing each as soon as its node is done.

use std::path::Path;
use std::sync::Arc;

use terrane_flow::{
    Diagnostics, Engine, Evaluation, Job, Loaded, Observer, OutputEntry, Seen, Value, ValueId, Wanted,
};

use super::entries::{check_folder, entries, failures, positions, wanted};
use super::ledger::Ledger;
use super::report::Report;
use super::writing::{Destination, Tell, Writing};
use crate::{Failure, memory};

/// An entry's index with the identity of its value, and the value.
type Ready = (usize, ValueId, Value);

/// Evaluates a graph and writes all its outputs to a folder, with the manifest. Files that have the right
/// content already are not touched.
///
/// # Errors
/// Fails if the graph has no outputs or needs more memory than the engine may take, or if the folder holds
/// another program's `manifest.json`. In these cases nothing was evaluated. Also fails if a node failed or a
/// file could not be written; all other files were then written.
pub fn run_all(engine: &Engine, loaded: &Arc<Loaded>, out: &Path) -> Result<Report, Failure> {
    let entries = entries(loaded, &[])?;
    check_folder(loaded, out)?;
    memory::check_graph(loaded, &positions(loaded, &entries), engine)?;
    let ledger = Ledger::new(None);
    let to = Destination { out, ledger: &ledger };
    let request = (&*entries, wanted(loaded, &entries, to));
    let (evaluation, mut report) = run(engine, loaded, request, to, |_| {}, &mut |_| {})?;
    report.problems.extend(failures(loaded, &evaluation));
    Failure::unless(std::mem::take(&mut report.problems))?;
    Ok(report)
}

/// Evaluates entries, and writes each as soon as its node is done, while other nodes run.
///
/// `wanted` is the request to the engine, with one element per entry. `follow` may read the job's events.
///
/// # Errors
/// Fails if an entry is not in the graph. In this case nothing was evaluated.
pub fn run(
    engine: &Engine,
    loaded: &Arc<Loaded>,
    (entries, wanted): (&[&OutputEntry], Vec<Wanted>),
    to: Destination<'_>,
    follow: impl FnOnce(&Job),
    tell: Tell<'_>,
) -> Result<(Evaluation, Report), Diagnostics> {
    let (sender, receiver) = crossbeam_channel::unbounded::<Option<Ready>>();
    let observer = observer(loaded, entries, &wanted, sender.clone());
    let job = engine.session().start_shown(loaded, wanted, observer)?;
    Ok(std::thread::scope(|scope| {
        let mut writing = Writing::new(engine, loaded, entries, to, tell);
        let written = scope.spawn(move || {
            while let Ok(Some((number, id, value))) = receiver.recv() {
                writing.write(number, id, &value);
            }
            writing
        });
        follow(&job);
        let evaluation = job.wait();
        // `None` tells the writer that all values were sent.
        let _closed = sender.send(None);
        match written.join() {
            Ok(writing) => {
                let report = writing.finish(&evaluation);
                (evaluation, report)
            }
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }))
}

/// An observer that sends the values of entries to the writer. It leaves out values that the files already
/// have.
fn observer(
    loaded: &Arc<Loaded>,
    entries: &[&OutputEntry],
    wanted: &[Wanted],
    sender: crossbeam_channel::Sender<Option<Ready>>,
) -> Observer {
    let mut watched: Vec<(Arc<str>, usize, usize, Option<ValueId>)> = Vec::new();
    for (number, (entry, wanted)) in entries.iter().zip(wanted).enumerate() {
        // An entry that is not in the graph is skipped, because starting the evaluation refuses it.
        if let Ok((node, output)) = loaded.graph.find(&entry.from) {
            watched.push((Arc::clone(&loaded.plan.names[node]), output, number, wanted.have));
        }
    }
    watched.sort();
    Arc::new(move |seen: &Seen<'_>| {
        let Some(values) = seen.values else { return };
        let first = watched.partition_point(|(node, ..)| node < seen.node);
        for (_, output, number, have) in watched[first..].iter().take_while(|(node, ..)| node == seen.node) {
            let id = seen.ids[*output];
            if *have != Some(id) {
                let _closed = sender.send(Some((*number, id, values[*output].clone())));
            }
        }
    })
}
