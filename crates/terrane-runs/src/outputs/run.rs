//! Evaluating outputs and writing each as soon as its node is done.

use std::sync::Arc;

use terrane_flow::{
    Diagnostics, Digest, Engine, Evaluation, Job, Loaded, Observer, OutputEntry, Seen, Value, Wanted,
};

use super::report::Report;
use super::writing::{Destination, Tell, Writing};

/// An entry's index with its content and value.
type Ready = (usize, Digest, Value);

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
            while let Ok(Some((number, content, value))) = receiver.recv() {
                writing.write(number, content, &value);
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
    let mut watched: Vec<(Arc<str>, usize, usize, Option<Digest>)> = Vec::new();
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
            let content = seen.digests[*output];
            if *have != Some(content) {
                let _closed = sender.send(Some((*number, content, values[*output].clone())));
            }
        }
    })
}
