//! Sweeps: rows that the table had before a kill are still there afterwards, once and with the same
//! numbers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::{Folders, Mode};
use crate::Result;

/// `terrane sweep`, with more seeds from variant to variant; the table is kept from kill to kill, and
/// occasionally deleted.
pub struct Sweep;

/// Seeds of the variants.
const SEEDS: [u32; 5] = [4, 8, 12, 24, 60];

impl Sweep {
    fn table(at: &Folders) -> PathBuf {
        at.out.join("table.csv")
    }

    /// The rows of a table by seed.
    fn rows(at: &Folders) -> Result<BTreeMap<u32, String>> {
        let mut rows = BTreeMap::new();
        let Ok(text) = std::fs::read_to_string(Self::table(at)) else { return Ok(rows) };
        let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
        let column =
            reader.headers()?.iter().position(|name| name == "seed").ok_or("a table without seeds")?;
        for record in reader.records() {
            let record = record?;
            let seed: u32 = record.get(column).ok_or("a row without a seed")?.parse()?;
            if rows.insert(seed, record.iter().collect::<Vec<_>>().join("|")).is_some() {
                return Err(format!("seed {seed} has two rows").into());
            }
        }
        Ok(rows)
    }

    /// Where the rows of a table are recorded, next to the folder of outputs.
    fn note(at: &Folders) -> PathBuf {
        at.out.with_file_name("rows.json")
    }
}

impl Mode for Sweep {
    fn name(&self) -> &'static str {
        "sweep"
    }

    fn start(&self, at: &Folders, variant: u32) -> Command {
        let mut command = at.command("sweep", &at.inputs.join("graph.ron"));
        let seeds = format!("0..{}", SEEDS[variant as usize % SEEDS.len()]);
        command.args(["--seeds", &seeds, "--metric", "score.score", "-o"]).arg(Self::table(at));
        command.arg("--summary").arg(at.out.join("summary.md"));
        command
    }

    /// Tables keep rows of seeds that are no longer requested: this requests all, so that tables are equal.
    fn whole(&self, at: &Folders, _: u32) -> Command {
        self.start(at, SEEDS.len() as u32 - 1)
    }

    fn meanwhile(&self, at: &Folders, kill: u32, time: Duration) -> Result<()> {
        std::fs::write(Self::note(at), serde_json::to_string(&Self::rows(at)?)?)?;
        // Short sweeps end early, long ones save after a second.
        std::thread::sleep(if kill % 5 == 4 { time * 2 } else { time / 2 });
        Ok(())
    }

    fn after(&self, at: &Folders) -> Result<()> {
        let before: BTreeMap<u32, String> = serde_json::from_str(&std::fs::read_to_string(Self::note(at))?)?;
        let after = Self::rows(at)?;
        match before.iter().find(|(seed, row)| after.get(seed) != Some(row)) {
            Some((seed, row)) => {
                Err(format!("the row of seed {seed}, {row}, became {:?}", after.get(seed)).into())
            }
            None => Ok(()),
        }
    }

    fn afresh(&self) -> Option<u32> {
        Some(20)
    }
}
