//! Commands that write outputs of graphs: `run`, `watch`, and `run` of a world.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Folders, Mode, VARIANTS};
use crate::{Result, root};

/// A graph with outputs of all kinds; the number is its seed.
fn graph(seed: u32) -> String {
    format!(
        "Graph(size: (129, 129), seed: {seed}, nodes: {{ \"hills\": MidpointDisplacement(amplitude: 40.0), \
        \"worn\": ThermalErosion(height: \"hills\", talus: 0.5, iterations: 30), \"score\": \
        ErosionScore(height: \"worn\") }}, outputs: {{ \"a.png\": \"worn\", \"b/a.tif\": Export(from: \
        \"worn\", depth: U16), \"a.npy\": \"hills\", \"score.json\": \"score\" }})"
    )
}

const PATCH: &str = "Graph(size: (33, 33), nodes: { \"ground\": Perlin(wavelength: 40, octaves: 4), \
    \"graph\": PathGraph(), \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", width: 2.0, \
    border: 3.0, borders: Shared), \"height\": RelaxPath(height: \"ground\", subdivision: \"bounds\") }, \
    outputs: { \"height.tif\": \"height\", \"codes.png\": \"ground\", \"report.json\": \"height.report\" })";

const WORLD: &str =
    "World(patch: \"patch.ron\", nodes: [(5, 5), (60, 20), (30, 60)], edges: [(0, 1), (1, 2)])";

/// Writes the commands' inputs.
pub fn prepare(at: &Folders) -> Result<()> {
    std::fs::write(at.inputs.join("graph.ron"), graph(0))?;
    std::fs::write(at.inputs.join("patch.ron"), PATCH)?;
    std::fs::write(at.inputs.join("world.ron"), WORLD)?;
    Ok(())
}

/// `terrane run` of a graph.
pub struct Run;

impl Mode for Run {
    fn name(&self) -> &'static str {
        "run"
    }

    fn start(&self, at: &Folders, variant: u32) -> Command {
        let mut command = at.command("run", &root().join("graphs/quickstart.ron"));
        command.args(["--seed", &variant.to_string(), "--out"]).arg(&at.out);
        command
    }

    fn afresh(&self) -> Option<u32> {
        Some(5)
    }
}

/// `terrane watch`, with saves while it runs.
pub struct Watch;

impl Watch {
    /// Saves the graph as editors do.
    fn save(at: &Folders, variant: u32) -> Result<()> {
        let beside = at.inputs.join("graph.ron.new");
        std::fs::write(&beside, graph(variant))?;
        Ok(std::fs::rename(beside, at.inputs.join("graph.ron"))?)
    }
}

impl Mode for Watch {
    fn name(&self) -> &'static str {
        "watch"
    }

    fn start(&self, at: &Folders, _: u32) -> Command {
        let mut command = at.command("watch", &at.inputs.join("graph.ron"));
        command.arg("--out").arg(&at.out);
        command
    }

    /// `watch` does not end; `run` of the same graph writes the same files.
    fn whole(&self, at: &Folders, variant: u32) -> Command {
        let mut command = at.command("run", &at.inputs.join("graph.ron"));
        command.args(["--seed", &variant.to_string(), "--out"]).arg(&at.out);
        command
    }

    fn meanwhile(&self, at: &Folders, kill: u32, time: Duration) -> Result<()> {
        // Covers the start, some saves with their debounce, and the time of a run.
        let end = Instant::now() + 3 * time + Duration::from_millis(u64::from(kill % 4) * 40);
        let mut save = 0;
        while Instant::now() < end {
            save += 1;
            Self::save(at, (kill + save) % VARIANTS)?;
            let left = end.saturating_duration_since(Instant::now());
            std::thread::sleep(left.min(Duration::from_millis(60)));
        }
        Ok(())
    }

    fn afresh(&self) -> Option<u32> {
        Some(10)
    }
}

/// `terrane run` of a world, with its mosaic.
pub struct World;

impl Mode for World {
    fn name(&self) -> &'static str {
        "world"
    }

    fn start(&self, at: &Folders, variant: u32) -> Command {
        let mut command = at.command("run", Path::new(&at.inputs.join("world.ron")));
        command
            .args(["--patches", "0..2,-1..1", "--mosaic", "--seed", &variant.to_string(), "--out"])
            .arg(&at.out);
        command
    }

    fn afresh(&self) -> Option<u32> {
        Some(5)
    }
}
