//! How soon a running graph stops when it is cancelled, for every node type.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane::flow::{LoadOptions, Loaded, Wanted, load};
use terrane::{Engine, EngineOptions};

use crate::{Result, root, say};

/// Time after which a graph is cancelled that takes longer.
const LONGEST: Duration = Duration::from_millis(800);
/// Shares of a graph's time after which it is cancelled.
const SHARES: [f64; 4] = [0.2, 0.4, 0.6, 0.8];

/// Runs the example of every node type, or of one, with this many samples per side, and cancels it. Prints
/// how long it takes to stop: the median of all, and the slowest.
pub fn stops(only: Option<&str>, side: usize) -> Result<()> {
    let registry = terrane::registry();
    let header = vec![("size".to_owned(), format!("({side}, {side})"))];
    let options = LoadOptions { header, ..LoadOptions::default() };
    let engine =
        Engine::new(EngineOptions { threads: 2, memory: 0, reuse: false, ..EngineOptions::default() })?;
    let mut all: Vec<(Duration, &str, Duration)> = Vec::new();
    for node in registry.nodes() {
        let spec = node.spec();
        let is_wanted = only.is_none_or(|name| name == spec.name);
        let Some(example) = spec.example().filter(|_| is_wanted) else { continue };
        let Ok(loaded) = load(spec.name, example, Path::new(&root().join("graphs")), &registry, &options)
        else {
            say(&format!("{}: its example does not load at this size", spec.name));
            continue;
        };
        let loaded = Arc::new(loaded);
        let job = engine.start(&loaded, wanted(&loaded))?;
        let begin = Instant::now();
        while begin.elapsed() < LONGEST && job.events().recv_timeout(LONGEST).is_ok() {}
        let time = begin.elapsed().min(LONGEST);
        job.cancel();
        let _whole = job.wait();
        for share in SHARES {
            let job = engine.start(&loaded, wanted(&loaded))?;
            std::thread::sleep(time.mul_f64(share));
            let begin = Instant::now();
            job.cancel();
            let _stopped = job.wait();
            all.push((begin.elapsed(), spec.name, time));
        }
    }
    all.sort_unstable();
    let milliseconds = |time: Duration| 1000.0 * time.as_secs_f64();
    let median = all.get(all.len() / 2).map_or(0.0, |(time, ..)| milliseconds(*time));
    say(&format!("{} stops at {side} x {side}: median {median:.1} ms; the slowest:", all.len()));
    for (time, name, whole) in all.iter().rev().take(10) {
        say(&format!("{name}: {:.0} ms, of {:.1} s", milliseconds(*time), whole.as_secs_f64()));
    }
    Ok(())
}

fn wanted(loaded: &Loaded) -> Vec<Wanted> {
    loaded.graph.outputs.iter().map(|output| output.from.clone().into()).collect()
}
