//! Saves a watched graph many times. Measures how long a save takes to become an output, and the effect of
//! 1,000 saves of all kinds.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use serde_json::Value;
use terrane_grid::Seed;

use crate::{Result, program, say};

/// A running `terrane watch`, and its events.
struct Watch {
    child: Child,
    events: Receiver<Value>,
    folder: tempfile::TempDir,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ended_by_itself = self.child.kill();
        let _waited = self.child.wait();
    }
}

fn text(height: f64) -> String {
    format!(
        "Graph(size: (257, 257), seed: 3, nodes: {{ \"hills\": MidpointDisplacement(amplitude: {height:.3}) \
        }}, outputs: {{ \"hills.npy\": \"hills\" }})"
    )
}

impl Watch {
    fn start(program: &Path) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("graph.ron"), text(1.0))?;
        let mut child = Command::new(program)
            .args(["watch", "graph.ron", "--json", "--out", "out", "--cache-dir", "cache"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let out = child.stdout.take().ok_or("no output")?;
        let (tell, events) = unbounded();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(std::result::Result::ok) {
                if let Ok(event) = serde_json::from_str(&line) {
                    let _unheard = tell.send(event);
                }
            }
        });
        let this = Self { child, events, folder };
        this.done(Duration::from_secs(20)).ok_or("the first run did not end")?;
        Ok(this)
    }

    fn graph(&self) -> PathBuf {
        self.folder.path().join("graph.ron")
    }

    /// Waits until the outputs are written; returns the seconds that nodes took.
    fn done(&self, patience: Duration) -> Option<f64> {
        let (deadline, mut nodes) = (Instant::now() + patience, 0.0);
        loop {
            let event = self.events.recv_deadline(deadline).ok()?;
            match event["event"].as_str() {
                Some("finished") => nodes += event["seconds"].as_f64().unwrap_or(0.0),
                Some("done") => return Some(nodes),
                _ => {}
            }
        }
    }

    /// The memory of the process in bytes, if the system reports it.
    fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
    }
}

/// Measures latency, then saves in all the ways that editors do.
pub fn soak(saves: u32) -> Result<()> {
    let program = program()?;
    let watch = Watch::start(&program)?;
    latency(&watch)?;
    storm(&watch, saves)?;
    settled(&watch, &program)
}

fn latency(watch: &Watch) -> Result<()> {
    let mut over = Vec::new();
    for save in 0..40 {
        std::thread::sleep(Duration::from_millis(150));
        let started = Instant::now();
        fs::write(watch.graph(), text(2.0 + f64::from(save)))?;
        let nodes = watch.done(Duration::from_secs(10)).ok_or("a save was not seen")?;
        over.push(started.elapsed().as_secs_f64() * 1000.0 - nodes * 1000.0);
    }
    over.sort_by(f64::total_cmp);
    say(&format!(
        "from a save to its outputs, less the node's own time: median {:.1} ms, 95 of 100 under {:.1} ms; 40 \
        ms of it is the debounce",
        over[over.len() / 2],
        over[over.len() * 95 / 100]
    ));
    Ok(())
}

fn storm(watch: &Watch, saves: u32) -> Result<()> {
    let lattice = Seed(1).lattice();
    let mut memory = Vec::new();
    let graph = watch.graph();
    let beside = watch.folder.path().join(".graph.ron.new");
    for save in 0..saves {
        let whole = text(100.0 + f64::from(save % 50));
        match lattice.bits(i64::from(save), 0) % 6 {
            0 => fs::write(&graph, &whole)?,
            1 => fs::write(&graph, "Graph(nodes: { \"hills\": Midpoint")?,
            2 => fs::write(&graph, &whole[..whole.len() / 2])?,
            3 => {
                fs::write(&beside, &whole)?;
                fs::rename(&beside, &graph)?;
            }
            4 => {
                let _gone_already = fs::remove_file(&graph);
            }
            _ => fs::write(&graph, "")?,
        }
        std::thread::sleep(Duration::from_micros(lattice.bits(i64::from(save), 1) % 70_000));
        if save % (saves / 10).max(1) == 0 {
            memory.extend(watch.memory());
        }
    }
    let mib: Vec<String> = memory.iter().map(|bytes| format!("{:.1}", *bytes as f64 / 1_048_576.0)).collect();
    say(&format!("memory during {saves} saves, MiB: {}", mib.join(" ")));
    Ok(())
}

/// Checks that the outputs match the last save, whatever came before.
fn settled(watch: &Watch, program: &Path) -> Result<()> {
    fs::write(watch.graph(), text(7.5))?;
    let clean = tempfile::tempdir()?;
    let ran = Command::new(program)
        .args(["run", "graph.ron", "--no-cache", "--out"])
        .arg(clean.path())
        .current_dir(watch.folder.path())
        .stderr(Stdio::null())
        .status()?;
    if !ran.success() {
        return Err("the last graph does not run".into());
    }
    let expected = fs::read(clean.path().join("hills.npy"))?;
    let deadline = Instant::now() + Duration::from_secs(5);
    while fs::read(watch.folder.path().join("out/hills.npy")).ok() != Some(expected.clone()) {
        if Instant::now() > deadline {
            return Err("the last state was missed".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    say("the last state arrived");
    Ok(())
}
