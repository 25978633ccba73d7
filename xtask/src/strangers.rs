//! Random graphs as arbitrary users may write them: each must finish within memory and time, or be rejected
//! before it runs, and stop when cancelled.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane::values::TerrainKind;
use terrane::{Engine, EngineOptions, LoadOptions, Loaded, Wanted, load_file, registry};
use terrane_flow::{GraphText, NodeSpec, ParamSpec, Shape};
use terrane_grid::Seed;

use crate::{Result, program, root, say};

/// Budgets of memory in MiB, one of which a graph gets.
const BUDGETS: [u64; 4] = [16, 32, 64, 256];
/// The program itself, and what the system keeps for its threads, in bytes.
const PROGRAM: u64 = 30 << 20;
/// Maximum duration of a graph.
const PATIENCE: Duration = Duration::from_secs(60);
/// Maximum time until a cancelled graph has stopped.
const STOPS: Duration = Duration::from_secs(1);

/// The outcome of a graph.
struct Fate {
    number: u64,
    text: String,
    code: Option<i32>,
    /// The budget.
    memory: u64,
    bytes: u64,
    time: Duration,
    stop: Duration,
}

/// Random numbers of one graph.
struct Draws {
    seed: Seed,
    drawn: i64,
}

impl Draws {
    /// A number from 0 to below 1.
    fn unit(&mut self) -> f64 {
        self.drawn += 1;
        f64::from(self.seed.lattice().unit(self.drawn, 0))
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }
}

/// Runs this many graphs, each in a separate process, and stops each once more within this one.
pub fn strangers(graphs: u64, seed: u64) -> Result<()> {
    let program = program()?;
    let folder = tempfile::tempdir()?;
    let mut fates = Vec::new();
    for number in 0..graphs {
        let draws = &mut Draws { seed: Seed(seed).part(number), drawn: 0 };
        let text = graph(draws);
        let memory = BUDGETS[draws.below(BUDGETS.len())];
        let file = folder.path().join("stranger.ron");
        fs::write(&file, &text)?;
        let begin = Instant::now();
        let mut child = Command::new(&program)
            .args(["run", "stranger.ron", "--no-cache", "--threads", "2", "--json", "--allow-outside"])
            .args(["--memory", &format!("{memory}M")])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let (code, bytes) = watch(&mut child)?;
        let time = begin.elapsed();
        let stop = stop(&file, time.mul_f64(Seed(seed).part(number).part(1).lattice().unit(0, 0).into()))?;
        let memory = memory << 20;
        fates.push(Fate { number, text, code, memory, bytes, time, stop });
    }
    report(&fates)
}

/// A graph: a node's example at another size, with some numbers of its nodes up to ten times as large or as
/// small.
fn graph(draws: &mut Draws) -> String {
    let registry = registry();
    let specs: Vec<&'static NodeSpec> = registry.nodes().map(terrane_flow::NodeType::spec).collect();
    let data = root().join("graphs");
    loop {
        let spec = specs[draws.below(specs.len())];
        let Some(example) = spec.example() else { continue };
        let size = (2 + draws.below(512), 2 + draws.below(512));
        let Some(text) = resized(example, size) else { continue };
        // The examples' files.
        let mut text = text.replace("file: \"data/", &format!("file: \"{}/data/", data.display()));
        for _ in 0..1 + draws.below(6) {
            let options = LoadOptions { allow_outside: true, ..LoadOptions::default() };
            let Ok(loaded) = terrane::load("stranger.ron", &text, &data, &registry, &options) else { break };
            let at = draws.below(loaded.graph.nodes.len());
            let Some((name, node)) = loaded.graph.nodes.get_index(at) else { break };
            let params = node.node().spec().params;
            if params.is_empty() {
                continue;
            }
            let param = &params[draws.below(params.len())];
            if let Some(value) = value(param, draws)
                && let Ok(mut graph) = GraphText::new(&text)
                && graph.set_field(name, param.name, &value).is_ok()
            {
                text = graph.into_text();
            }
        }
        return with_outputs(text, &data, draws);
    }
}

/// The text with more outputs: values of its nodes of any kind, in any format of theirs.
fn with_outputs(text: String, data: &Path, draws: &mut Draws) -> String {
    let options = LoadOptions { allow_outside: true, ..LoadOptions::default() };
    let Ok(loaded) = terrane::load("stranger.ron", &text, data, &registry(), &options) else { return text };
    let Ok(mut graph) = GraphText::new(&text) else { return text };
    for number in 0..draws.below(4) {
        let Some((name, node)) = loaded.graph.nodes.get_index(draws.below(loaded.graph.nodes.len())) else {
            break;
        };
        let outputs = node.node().spec().outputs;
        let output = &outputs[draws.below(outputs.len())];
        let extensions = TerrainKind::find(output.kind).map(TerrainKind::extensions).unwrap_or_default();
        if !extensions.is_empty() {
            let file = format!("more{number}.{}", extensions[draws.below(extensions.len())]);
            let _kept_as_it_was = graph.add_output(&file, &format!("{name}.{}", output.name));
        }
    }
    graph.into_text()
}

/// A graph's text with another size.
fn resized(text: &str, size: (usize, usize)) -> Option<String> {
    let start = text.find("size: (")?;
    let end = start + text[start..].find(')')? + 1;
    Some(format!("{}size: {size:?}{}", &text[..start], &text[end..]))
}

/// A parameter's default, up to ten times as large or as small.
fn value(param: &ParamSpec, draws: &mut Draws) -> Option<String> {
    let default: f64 = param.default?().trim_start_matches("Some(").trim_end_matches(')').parse().ok()?;
    let scaled = default * libm::pow(10.0, 2.0 * draws.unit() - 1.0);
    let scaled = param.range.max.map_or(scaled, |max| scaled.min(max));
    let scaled = param.range.min.map_or(scaled, |min| scaled.max(min));
    match (param.shape)() {
        Shape::Float => Some(format!("{scaled:?}")),
        Shape::Integer { .. } => Some(format!("{:.0}", scaled.floor())),
        _ => None,
    }
}

/// Waits for a process; returns its exit code, or none if it timed out, and its peak memory.
fn watch(child: &mut Child) -> Result<(Option<i32>, u64)> {
    let (begin, mut bytes) = (Instant::now(), 0);
    let status = format!("/proc/{}/status", child.id());
    loop {
        let most = fs::read_to_string(&status).unwrap_or_default();
        let most = most
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        bytes = bytes.max(most.unwrap_or(0) << 10);
        if let Some(status) = child.try_wait()? {
            return Ok((status.code(), bytes));
        }
        if begin.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok((None, bytes));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// How long a running graph takes to stop.
fn stop(file: &Path, after: Duration) -> Result<Duration> {
    let options = LoadOptions { allow_outside: true, ..LoadOptions::default() };
    let Ok(loaded) = load_file(file, &registry(), &options) else { return Ok(Duration::ZERO) };
    let loaded: Arc<Loaded> = Arc::new(loaded);
    let engine =
        Engine::new(EngineOptions { threads: 2, memory: 0, reuse: false, ..EngineOptions::default() })?;
    let wanted: Vec<Wanted> = loaded.graph.outputs.iter().map(|output| output.from.clone().into()).collect();
    let Ok(job) = engine.start(&loaded, wanted) else { return Ok(Duration::ZERO) };
    std::thread::sleep(after);
    let begin = Instant::now();
    job.cancel();
    let _stopped = job.wait();
    // Nodes that still run occupy the engine's threads.
    drop(engine);
    Ok(begin.elapsed())
}

fn report(fates: &[Fate]) -> Result<()> {
    let count = |code: Option<i32>| fates.iter().filter(|fate| fate.code == code).count();
    say(&format!(
        "{} graphs: {} ran, {} were rejected, {} had a node that failed",
        fates.len(),
        count(Some(0)),
        count(Some(2)),
        count(Some(1))
    ));
    let worst = |what: &str, key: &dyn Fn(&Fate) -> u64| {
        if let Some(fate) = fates.iter().max_by_key(|fate| key(fate)) {
            say(&format!(
                "maximum {what}: graph {}: {} MiB, {:.1} s, stopped in {:.2} s",
                fate.number,
                fate.bytes >> 20,
                fate.time.as_secs_f64(),
                fate.stop.as_secs_f64()
            ));
        }
    };
    worst("memory", &|fate| fate.bytes);
    worst("time", &|fate| fate.time.as_millis() as u64);
    worst("time to stop", &|fate| fate.stop.as_millis() as u64);
    let is_bad = |fate: &&Fate| {
        !matches!(fate.code, Some(0..=2))
            || fate.bytes > fate.memory + PROGRAM
            || fate.time > PATIENCE
            || fate.stop > STOPS
    };
    let bad: Vec<&Fate> = fates.iter().filter(is_bad).collect();
    for fate in &bad {
        say(&format!(
            "graph {}: exit code {:?}, {} of {} MiB, {:.1} s, stopped in {:.2} s:\n{}",
            fate.number,
            fate.code,
            fate.bytes >> 20,
            fate.memory >> 20,
            fate.time.as_secs_f64(),
            fate.stop.as_secs_f64(),
            fate.text
        ));
    }
    if bad.is_empty() { Ok(()) } else { Err(format!("{} graphs are out of bounds", bad.len()).into()) }
}
