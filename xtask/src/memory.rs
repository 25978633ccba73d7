//! Memory of whole runs: the forecast compared with the process's peak.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Result, say};

const MB: f64 = 1e6;

/// Runs three graphs on 1 to 32 threads with more memory than they need, and the first graph also with less.
pub fn memory() -> Result<()> {
    let built = Command::new("cargo").args(["build", "--release", "-q", "-p", "terrane-cli"]).status()?;
    if !built.success() {
        return Err("terrane does not build".into());
    }
    let folder = tempfile::tempdir()?;
    let (wide, chain) = (folder.path().join("wide.ron"), folder.path().join("chain.ron"));
    fs::write(&wide, wide_text())?;
    fs::write(&chain, chain_text())?;
    say("| graph | threads | bound, MB | forecast, MB | peak, MB | forecast / peak \
        |\n|---|---|---|---|---|---|");
    let real = Path::new("graphs/erosion_real.ron");
    for (name, graph, bound) in [
        ("24 maps of 2049²", &*wide, 4000),
        ("24 maps of 2049²", &*wide, 120),
        ("12 maps of 4097² in a chain", &*chain, 4000),
        ("graphs/erosion_real.ron", real, 4000),
    ] {
        for threads in [1, 2, 8, 32] {
            let (forecast, peak) = run(folder.path(), graph, threads, bound)?;
            let (forecast, peak) = (forecast as f64 / MB, peak as f64 / MB);
            let ratio = forecast / peak;
            say(&format!("| {name} | {threads} | {bound} | {forecast:.0} | {peak:.0} | {ratio:.2} |"));
        }
    }
    Ok(())
}

/// The forecast of a run with an empty cache, and its peak, in bytes.
fn run(folder: &Path, graph: &Path, threads: usize, bound: u64) -> Result<(u64, u64)> {
    let cache = folder.join("cache");
    let _was_not_there = fs::remove_dir_all(&cache);
    let events = folder.join("events.jsonl");
    let mut command = Command::new("target/release/terrane");
    command.arg("run").arg(graph).arg("--json").args(["--threads", &threads.to_string()]);
    command.arg("--cache-dir").arg(&cache).arg("--out").arg(folder.join("out"));
    command.args(["--memory", &format!("{bound}M")]);
    let mut child = command.stdout(fs::File::create(&events)?).stderr(Stdio::null()).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let ended = loop {
        // The system records the peak itself, so only the last millisecond can be missed.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) << 10);
        if let Some(ended) = child.try_wait()? {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    if !ended.success() {
        return Err(format!("{} failed", graph.display()).into());
    }
    let text = fs::read_to_string(&events)?;
    let planned = text.lines().next().map(serde_json::from_str::<serde_json::Value>).transpose()?;
    let forecast = planned.and_then(|event| event["forecast_bytes"].as_u64());
    Ok((forecast.ok_or("the run printed no forecast")?, peak))
}

fn wide_text() -> String {
    let (mut nodes, mut outputs) = (String::new(), String::new());
    for node in 0..24 {
        let _never_fails =
            write!(nodes, "\"p{node}\": Perlin(seed: {node}), \"s{node}\": Statistics(height: \"p{node}\"),");
        let _never_fails = write!(outputs, "\"s{node}.json\": \"s{node}\",");
    }
    format!("Graph(size: (2049, 2049), nodes: {{ {nodes} }}, outputs: {{ {outputs} }})")
}

fn chain_text() -> String {
    let mut nodes = "\"b0\": Perlin(),".to_owned();
    for node in 1..12 {
        let _never_fails = write!(nodes, "\"b{node}\": Blur(height: \"b{}\"),", node - 1);
    }
    let last = "\"s\": Statistics(height: \"b11\")";
    format!("Graph(size: (4097, 4097), nodes: {{ {nodes} {last} }}, outputs: {{ \"s.json\": \"s\" }})")
}
