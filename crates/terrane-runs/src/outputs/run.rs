//! Outputs evaluated and written, each as soon as its node is done.

use std::sync::Arc;

use terrane_flow::{
    Diagnostics, Digest, Engine, Evaluation, Job, Loaded, Observer, OutputEntry, Seen, Value, Wanted,
};

use super::report::Report;
use super::writing::{Destination, Tell, Writing};

/// An entry's number with its content and value.
type Given = (usize, Digest, Value);

/// Evaluates entries and writes each as soon as its node is done, while others run. `wanted` is what the
/// engine is asked for, entry by entry; `follow` may read the job's events.
///
/// # Errors
/// That an entry is not in the graph: then nothing was evaluated.
pub fn run(
    engine: &Engine,
    loaded: &Arc<Loaded>,
    (entries, wanted): (&[&OutputEntry], Vec<Wanted>),
    to: Destination<'_>,
    follow: impl FnOnce(&Job),
    tell: Tell<'_>,
) -> Result<(Evaluation, Report), Diagnostics> {
    let (give, given) = crossbeam_channel::unbounded::<Option<Given>>();
    let observer = observer(loaded, entries, &wanted, give.clone());
    let job = engine.session().start_shown(loaded, wanted, observer)?;
    Ok(std::thread::scope(|scope| {
        let mut writing = Writing::new(engine, loaded, entries, to, tell);
        let written = scope.spawn(move || {
            while let Ok(Some((number, content, value))) = given.recv() {
                writing.write(number, content, &value);
            }
            writing
        });
        follow(&job);
        let evaluation = job.wait();
        // All that nodes gave came before.
        let _closed = give.send(None);
        match written.join() {
            Ok(writing) => {
                let report = writing.finish(&evaluation);
                (evaluation, report)
            }
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }))
}

/// Hands on what entries' nodes give, unless the files hold it.
fn observer(
    loaded: &Arc<Loaded>,
    entries: &[&OutputEntry],
    wanted: &[Wanted],
    give: crossbeam_channel::Sender<Option<Given>>,
) -> Observer {
    let mut places: Vec<(Arc<str>, usize, usize, Option<Digest>)> = Vec::new();
    for (number, (entry, wanted)) in entries.iter().zip(wanted).enumerate() {
        // What is not in the graph is refused when evaluation starts.
        if let Ok((node, output)) = loaded.graph.find(&entry.from) {
            places.push((Arc::clone(&loaded.plan.names[node]), output, number, wanted.have));
        }
    }
    places.sort();
    Arc::new(move |seen: &Seen<'_>| {
        let Some(values) = seen.values else { return };
        let first = places.partition_point(|(node, ..)| node < seen.node);
        for (_, output, number, have) in places[first..].iter().take_while(|(node, ..)| node == seen.node) {
            let content = seen.digests[*output];
            if *have != Some(content) {
                let _closed = give.send(Some((*number, content, values[*output].clone())));
            }
        }
    })
}
