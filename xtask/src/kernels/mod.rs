//! The time of everyday nodes, beside the memory's bandwidth and beside other libraries.

mod machine;
mod nodes;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use terrane::nodes::values::Map;
use terrane_flow::{Engine, EngineOptions, LoadOptions, Loaded, Reference, Wanted, load};

use crate::{Result, root, say};
use machine::{bandwidth, clock, spread, thread_times};
use nodes::{NODES, Timed};

/// World units between samples.
const SPACING: f64 = 4.0;

/// The number of threads whose work is compared, on however many processors.
const MANY: usize = 16;

/// In fewer milliseconds, a processor does the work of all threads that it has, before it turns to another.
const SHORT: f64 = 40.0;

/// Runs of a node, of which the quickest counts. One that takes more than two seconds runs once.
const RUNS: usize = 4;

/// Prints a table for each side: the nodes whose names contain `filter`, on one thread and on two, and the
/// fastest of the libraries that `python` has, on one thread.
pub fn kernels(sides: &[usize], filter: &str, python: &str) -> Result<()> {
    let bandwidth = bandwidth();
    say(&format!("memory: {bandwidth:.1} GB/s on one thread (a = b + c over 64 MiB arrays)"));
    let clock = clock();
    for &side in sides {
        let folder = tempfile::tempdir()?;
        let peers = peers(python, folder.path(), side)?;
        say(&format!(
            "\n| {side}² | 1 thread, ms | 2 threads, ms | speed-up | spread | GB/s | of memory | ns a sample \
            | cycles | fastest peer, ms | times the peer |\n|{}",
            "---|".repeat(11)
        ));
        for timed in NODES.iter().filter(|timed| timed.name.contains(filter)) {
            let loaded = Arc::new(graph(timed, side)?);
            let (one, two) = (best(&loaded, 1)?, best(&loaded, 2)?);
            let spread = if two > SHORT { spread_over(timed, &loaded)? } else { None };
            say(&row(timed, side, (one, two, spread), (bandwidth, clock), peers.get(timed.name)));
        }
    }
    Ok(())
}

/// A row of the table, from milliseconds on one thread and on two, and the speed-up that the work of many
/// threads allows.
fn row(
    timed: &Timed,
    side: usize,
    (one, two, spread): (f64, f64, Option<f64>),
    (bandwidth, clock): (f64, Option<f64>),
    peer: Option<&(String, f64)>,
) -> String {
    let samples = (side * side) as f64;
    let rate = 4.0 * samples * timed.maps / one / 1e6;
    let each = one * 1e6 / samples;
    let mut text = format!(
        "| {} | {one:.2} | {two:.2} | {:.2} | {} | {rate:.2} | {:.0} % | {each:.2} |",
        timed.name,
        one / two,
        spread.map_or("–".to_owned(), |spread| format!("{spread:.1}")),
        100.0 * rate / bandwidth
    );
    let _infallible = match clock {
        Some(clock) => write!(text, " {:.1} |", each * clock),
        None => write!(text, " – |"),
    };
    let _infallible = match peer {
        Some((library, time)) => write!(text, " {library}: {time:.2} | {:.2} |", one / time),
        None => write!(text, " – | – |"),
    };
    text
}

/// The graph with the node `node`, and what it reads.
fn graph(timed: &Timed, side: usize) -> Result<Loaded> {
    let extent = (side - 1) as f64 * SPACING;
    let half = side.div_ceil(2);
    let half = format!("({half}, {half})");
    let nodes = timed.text.replace("HALF", &half);
    let text = format!(
        r#"Graph(size: ({side}, {side}), spacing: {SPACING:?}, seed: 7, nodes: {{
            "a": OpenSimplex(octaves: 8, wavelength: {:?}, amplitude: {:?}),
            "b": Perlin(octaves: 8, wavelength: {:?}, amplitude: {:?}),
            "unit": OpenSimplex(octaves: 2, wavelength: {:?}),
            "half": Resample(height: "a", size: {half}, filter: Area),
            {nodes},
        }})"#,
        extent / 4.0,
        extent / 8.0,
        extent / 5.0,
        extent / 9.0,
        extent / 3.0,
    );
    Ok(load("kernels.ron", &text, &root(), &terrane::registry(), &LoadOptions::default())?)
}

/// The milliseconds of the node `node` in the quickest run on an engine of its own.
fn best(loaded: &Arc<Loaded>, threads: usize) -> Result<f64> {
    let mut best = f64::MAX;
    for _ in 0..RUNS {
        let engine = Engine::new(EngineOptions { threads, memory: 0, ..EngineOptions::default() })?;
        let evaluation = engine.start(loaded, [Wanted::from(Reference::parse("node"))])?.wait();
        let node = evaluation.nodes.iter().find(|node| &*node.node == "node");
        let node = node.filter(|_| evaluation.succeeded());
        let time = node.ok_or_else(|| format!("a node of the table fails: {:?}", evaluation.nodes))?.time;
        best = best.min(time.as_secs_f64() * 1000.0);
        if best > 2000.0 {
            break;
        }
    }
    Ok(best)
}

/// The speed-up that the work of the node `node` allows on [`MANY`] threads, from their processor times.
fn spread_over(timed: &Timed, loaded: &Arc<Loaded>) -> Result<Option<f64>> {
    let engine = Engine::new(EngineOptions { threads: MANY, ..EngineOptions::default() })?;
    // All that the node may read, so that its own work alone is counted.
    let own = ["relief", "water"].into_iter().filter(|name| timed.text.contains(&format!("\"{name}\":")));
    let inputs = ["a", "b", "unit", "half"].into_iter().chain(own);
    let inputs: Vec<Wanted> = inputs.map(|name| Wanted::from(Reference::parse(name))).collect();
    let _in_memory = engine.start(loaded, inputs)?.wait();
    let before = thread_times();
    let evaluation = engine.start(loaded, [Wanted::from(Reference::parse("node"))])?.wait();
    let after = thread_times();
    drop(evaluation);
    Ok(before.zip(after).and_then(|(before, after)| spread(&before, &after)))
}

/// The fastest other library of each node, with its milliseconds, on the same ground.
fn peers(python: &str, folder: &Path, side: usize) -> Result<HashMap<String, (String, f64)>> {
    let loaded = Arc::new(graph(&Timed { name: "", maps: 0.0, text: r#""node": Constant()"# }, side)?);
    let engine = Engine::new(EngineOptions::default())?;
    for name in ["a", "b", "unit"] {
        let evaluation = engine.start(&loaded, [Wanted::from(Reference::parse(name))])?.wait();
        let value = evaluation.outputs.first().and_then(|output| output.value.clone());
        let value = value.ok_or_else(|| format!("the ground `{name}` fails"))?;
        let map = value.get::<Map>().ok_or("the ground is not a map")?;
        let bytes: Vec<u8> = map.samples().iter().flat_map(|height| height.to_le_bytes()).collect();
        std::fs::write(folder.join(name), bytes)?;
    }
    let script = root().join("xtask/src/kernels/peers.py");
    let output = Command::new(python).arg(script).arg(folder).arg(side.to_string()).output();
    let output = output.map_err(|error| format!("{python} does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("peers.py fails: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let mut fastest: HashMap<String, (String, f64)> = HashMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut parts = line.split('\t');
        let (Some(node), Some(library), Some(time)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(format!("peers.py prints `{line}`").into());
        };
        let time: f64 = time.parse()?;
        let entry = fastest.entry(node.into()).or_insert_with(|| (library.into(), time));
        if time < entry.1 {
            *entry = (library.into(), time);
        }
    }
    Ok(fastest)
}

#[cfg(test)]
mod tests {
    use super::nodes::{NODES, Timed};
    use super::{best, graph, row};
    use std::sync::Arc;

    #[test]
    fn every_node_of_the_table_runs() {
        for timed in NODES {
            let loaded = graph(timed, 33).unwrap_or_else(|error| panic!("{}: {error}", timed.name));
            assert!(best(&Arc::new(loaded), 1).is_ok(), "{}", timed.name);
        }
    }

    #[test]
    fn a_row_by_hand() {
        let timed = Timed { name: "Copy", maps: 2.0, text: "" };
        // 1000² samples of 4 bytes, read and written, in 2 ms are 4 GB/s and 2 ns for each.
        let text = row(&timed, 1000, (2.0, 1.0, Some(7.5)), (8.0, Some(3.0)), Some(&("numpy".into(), 4.0)));
        assert_eq!(
            text,
            "| Copy | 2.00 | 1.00 | 2.00 | 7.5 | 4.00 | 50 % | 2.00 | 6.0 | numpy: 4.00 | 0.50 |"
        );
    }
}
