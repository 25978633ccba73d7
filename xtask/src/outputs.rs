//! The cost of files compared with the nodes that compute them: a graph of four nodes at 8193², with and
//! without files.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_flow::{Engine, EngineOptions, LoadOptions, Wanted, load_file};

use crate::{Result, say};

const GRAPH: &str = r#"Graph(
    size: (8193, 8193), spacing: 4.0, seed: 3,
    nodes: {
        "noise": Perlin(octaves: 9, wavelength: 8000.0, amplitude: 1500.0),
        "eroded": ThermalErosion(height: "noise", talus: 0.7, iterations: 20),
        "shade": Hillshade(height: "eroded"),
        "relief": ColorRelief(height: "eroded", shade: "shade"),
    },
    outputs: { "height.png": "eroded", "relief.png": "relief", "height.tif": "eroded" },
)
"#;

const THREADS: usize = 2;

/// Wall time, and the processor time of all threads.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    processor: Duration,
}

/// Prints the best of some rounds of both, and the bound for the whole run.
pub fn outputs(rounds: u32) -> Result<()> {
    let built = Command::new("cargo").args(["build", "--release", "-q", "-p", "terrane-cli"]).status()?;
    if !built.success() {
        return Err("terrane does not build".into());
    }
    let folder = tempfile::tempdir()?;
    let graph = folder.path().join("graph.ron");
    fs::write(&graph, GRAPH)?;
    let (mut nodes, mut whole): (Vec<Cost>, Vec<Cost>) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        nodes.push(nodes_alone(&graph)?);
        whole.push(whole_run(&graph, &folder.path().join("out"))?);
    }
    let best = |costs: &[Cost]| costs.iter().copied().min_by_key(|cost| cost.wall);
    let (Some(nodes), Some(whole)) = (best(&nodes), best(&whole)) else {
        return Err("the number of rounds is 0".into());
    };
    let files = whole.processor.saturating_sub(nodes.processor);
    let bound = (nodes.wall + files / 2).mul_f64(1.1);
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    say(&format!(
        "nodes alone: {}, {} of processor time\nwhole run with three files: {}, {} of processor time\nfiles: \
        {} of processor time\n1.1 x (nodes + half of the files' processor time): {}",
        seconds(nodes.wall),
        seconds(nodes.processor),
        seconds(whole.wall),
        seconds(whole.processor),
        seconds(files),
        seconds(bound),
    ));
    Ok(())
}

/// The nodes without any file, in this process.
fn nodes_alone(graph: &Path) -> Result<Cost> {
    let loaded = Arc::new(load_file(graph, &terrane::registry(), &LoadOptions::default())?);
    let wanted: Vec<Wanted> =
        loaded.graph.outputs.iter().map(|output| Wanted::from(output.from.clone())).collect();
    let engine = Engine::new(EngineOptions { threads: THREADS, ..EngineOptions::default() })?;
    let (started, before) = (Instant::now(), processor(Whose::Own)?);
    let evaluation = engine.start(&loaded, wanted)?.wait();
    let cost = Cost { wall: started.elapsed(), processor: processor(Whose::Own)?.saturating_sub(before) };
    if evaluation.succeeded() { Ok(cost) } else { Err("a node failed".into()) }
}

/// The command with all files, in a separate process.
fn whole_run(graph: &Path, out: &Path) -> Result<Cost> {
    let mut command = Command::new("target/release/terrane");
    command.arg("run").arg(graph).arg("--no-cache").arg("--out").arg(out);
    command.args(["--threads", &THREADS.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
    let (started, before) = (Instant::now(), processor(Whose::Children)?);
    let ended = command.status()?;
    let cost =
        Cost { wall: started.elapsed(), processor: processor(Whose::Children)?.saturating_sub(before) };
    if ended.success() { Ok(cost) } else { Err("the run failed".into()) }
}

/// Whose processor time.
pub enum Whose {
    Own,
    Children,
}

/// Processor time so far, of this process or of the children it has waited for; to a hundredth of a second.
pub fn processor(whose: Whose) -> Result<Duration> {
    let text = fs::read_to_string("/proc/self/stat")?;
    // The name in brackets may contain blanks; the state follows it, and times in hundredths of a second
    // from the 12th field on.
    let fields: Vec<&str> =
        text.rsplit(')').next().map(|rest| rest.split_whitespace().collect()).unwrap_or_default();
    let from = match whose {
        Whose::Own => 11,
        Whose::Children => 13,
    };
    let times = fields.get(from..from + 2).ok_or("the system reports no processor times")?;
    let ticks = times[0].parse::<u64>()? + times[1].parse::<u64>()?;
    Ok(Duration::from_millis(10 * ticks))
}
