//! The time of a chain of nodes of arithmetic and comparison, beside numpy's calls that do the same.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use terrane::nodes::values::Map;
use terrane_flow::cache::{DiskCache, Store};
use terrane_flow::{Engine, EngineOptions, Evaluation, LoadOptions, Loaded, Value, Wanted, load};

use crate::{Result, root, say};

/// Runs, of which the quickest counts.
const RUNS: usize = 7;

/// The nodes of the chain. Each reads the map before it, `{}`. `chain.py` has the same list.
const NODES: [&str; 12] = [
    r#"Combine(a: "{}", b: 3.0)"#,
    r#"Combine(a: "{}", b: 0.75, mode: Multiply)"#,
    r#"Clamp(height: "{}", min: -60.0, max: 90.0)"#,
    r#"Combine(a: "{}", b: 1.5, mode: Subtract)"#,
    r#"Combine(a: "{}", b: -50.0, mode: Max)"#,
    r#"Combine(a: "{}", b: 80.0, mode: Min)"#,
    r#"Invert(height: "{}", level: 5.0)"#,
    r#"Combine(a: "{}", b: 1.25, mode: Divide)"#,
    r#"Combine(a: "{}", b: "ground")"#,
    r#"Combine(a: "{}", b: 0.0, mode: Difference)"#,
    r#"Combine(a: "{}", b: "ground", mode: Subtract)"#,
    r#"Combine(a: "{}", b: "ground", mode: Max)"#,
];

/// How often the list follows itself.
const TIMES: usize = 2;

/// Prints the time of the whole chain, with the source in memory, and the memory that it needs beside the
/// source; then with a disk cache and the digest of the result; then after a change of the last node.
pub fn chain(side: usize, python: &str) -> Result<()> {
    let loaded = Arc::new(graph(side, 3)?);
    let changed = Arc::new(graph(side, 4)?);
    let folder = tempfile::tempdir()?;
    let mut result = None;
    for threads in [1, 2] {
        let (mut plain, mut kept, mut moved, mut maps) = (f64::MAX, f64::MAX, f64::MAX, 0.0f64);
        for _ in 0..RUNS {
            let engine = Engine::new(EngineOptions { threads, ..EngineOptions::default() })?;
            let source = wanted(&engine, &loaded, "ground")?.1;
            let (time, value) = wanted(&engine, &loaded, "last")?;
            plain = plain.min(time);
            let bytes = source.heap_bytes() as f64;
            maps = maps.max(engine.peak() as f64 / bytes - 1.0);
            let session = engine.session();
            let _before = finish(session.start(&loaded, [Wanted::from("last")])?.wait())?;
            let started = Instant::now();
            let _after = finish(session.start(&changed, [Wanted::from("last")])?.wait())?;
            moved = moved.min(started.elapsed().as_secs_f64() * 1000.0);
            result = Some((source, value));

            let on_disk = tempfile::tempdir()?;
            let store: Arc<dyn Store> = Arc::new(DiskCache::new(on_disk.path(), 1 << 33));
            let engine =
                Engine::new(EngineOptions { threads, store: Some(store), ..EngineOptions::default() })?;
            let _source = wanted(&engine, &loaded, "ground")?;
            let started = Instant::now();
            let (_, value) = wanted(&engine, &loaded, "last")?;
            let _digest = engine.within(|| value.digest());
            kept = kept.min(started.elapsed().as_secs_f64() * 1000.0);
        }
        say(&format!(
            "{} nodes, {side}², {threads} threads: {plain:.1} ms, {maps:.2} maps beside the source; with a \
            disk cache and the digest: {kept:.1} ms; after a change of the last node: {moved:.1} ms",
            NODES.len() * TIMES
        ));
    }
    let (source, value) = result.ok_or("nothing ran")?;
    say(&numpy(python, folder.path(), (&source, &value))?);
    Ok(())
}

/// A chain whose last node adds a number.
fn graph(side: usize, number: u32) -> Result<Loaded> {
    let mut text = format!(
        "Graph(size: ({side}, {side}), seed: 7, nodes: {{\n\"ground\": Perlin(octaves: 3, wavelength: 500.0, \
        amplitude: 100.0),\n"
    );
    let nodes = NODES.iter().cycle().take(NODES.len() * TIMES - 1);
    let mut before = "ground".to_owned();
    for (at, node) in nodes.enumerate() {
        let name = format!("n{at}");
        text += &format!("\"{name}\": {},\n", node.replace("{}", &before));
        before = name;
    }
    text += &format!("\"last\": Combine(a: \"{before}\", b: {number}.0, mode: Max) }})");
    Ok(load("chain.ron", &text, &root(), &terrane::registry(), &LoadOptions::default())?)
}

/// The milliseconds of an evaluation of one output, and its value.
fn wanted(engine: &Engine, loaded: &Arc<Loaded>, name: &str) -> Result<(f64, Value)> {
    let started = Instant::now();
    let value = finish(engine.start(loaded, [Wanted::from(name)])?.wait())?;
    Ok((started.elapsed().as_secs_f64() * 1000.0, value))
}

fn finish(evaluation: Evaluation) -> Result<Value> {
    let value = evaluation.outputs.into_iter().find_map(|output| output.value);
    Ok(value.ok_or_else(|| format!("the chain fails: {:?}", evaluation.nodes))?)
}

/// What numpy needs for the same, on one thread, and how far its result lies from `value`.
fn numpy(python: &str, folder: &Path, (source, value): (&Value, &Value)) -> Result<String> {
    for (name, value) in [("ground", source), ("last", value)] {
        let map = value.get::<Map>().ok_or("not a map")?;
        let bytes: Vec<u8> = map.samples().iter().flat_map(|height| height.to_le_bytes()).collect();
        std::fs::write(folder.join(name), bytes)?;
    }
    let script = root().join("xtask/src/chain.py");
    let output = Command::new(python).arg(script).arg(folder).output();
    let output = output.map_err(|error| format!("{python} does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("chain.py fails: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_is_one_pass() {
        let loaded = Arc::new(graph(129, 3).unwrap());
        let engine = Engine::new(EngineOptions { threads: 2, ..EngineOptions::default() }).unwrap();
        let evaluation = engine.start(&loaded, [Wanted::from("last")]).unwrap().wait();
        let made = evaluation.nodes.iter().filter(|node| node.bytes > 0).count();
        assert!(evaluation.succeeded());
        assert_eq!((evaluation.nodes.len(), made), (25, 2), "the ground and the last map");
    }
}
