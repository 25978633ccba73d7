//! Kills `run`, `watch`, `sweep` and runs of worlds at random moments, and checks for torn files, lost
//! rows, damaged cache entries and leftovers of killed processes.

mod files;
mod modes;
mod sweep;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use terrane_flow::cache::DiskCache;
use terrane_grid::Seed;

use crate::{Result, program, say};
use files::{Found, Whole, age, leftovers};

/// Variants of a mode's input: after a kill, each file is whole and belongs to one of them.
const VARIANTS: u32 = 5;
/// Number of kills after which an undisturbed run is compared with a run in clean folders.
const COMPARE: u32 = 20;

/// A command that is killed.
trait Mode {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Builds the command that runs one of the variants.
    fn start(&self, at: &Folders, variant: u32) -> Command;
    /// Builds a command that runs to completion.
    fn whole(&self, at: &Folders, variant: u32) -> Command {
        self.start(at, variant)
    }
    /// Acts while the command runs, before it is killed after a time.
    fn meanwhile(&self, _at: &Folders, _kill: u32, time: Duration) -> Result<()> {
        std::thread::sleep(time);
        Ok(())
    }
    /// Checks what must hold after a kill, in addition to whole files.
    fn after(&self, _at: &Folders) -> Result<()> {
        Ok(())
    }
    /// Number of kills after which files and the cache are deleted.
    fn afresh(&self) -> Option<u32> {
        None
    }
}

/// Folders that a command reads and writes.
#[derive(Clone)]
struct Folders {
    program: PathBuf,
    /// The graphs that it reads.
    inputs: PathBuf,
    out: PathBuf,
    cache: PathBuf,
}

impl Folders {
    fn new(program: &Path, folder: &Path) -> Result<Self> {
        let at = |name: &str| folder.join(name);
        let this =
            Self { program: program.to_owned(), inputs: at("inputs"), out: at("out"), cache: at("cache") };
        for folder in [&this.inputs, &this.out] {
            std::fs::create_dir_all(folder)?;
        }
        Ok(this)
    }

    /// A command with its cache.
    fn command(&self, name: &str, graph: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(name).arg(graph).arg("--cache-dir").arg(&self.cache);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Deletes all results.
    fn clear(&self) -> Result<()> {
        for folder in [&self.out, &self.cache] {
            if folder.exists() {
                std::fs::remove_dir_all(folder)?;
            }
        }
        Ok(std::fs::create_dir_all(&self.out)?)
    }
}

/// Results of the kills of a mode.
struct Tally {
    name: &'static str,
    kills: u32,
    /// Number of kills before the process had finished.
    under_way: u32,
    /// Number of files that were checked.
    files: u64,
    /// Number of kills that left a sidecar which does not match the heights next to it.
    apart: u32,
    compared: u32,
    /// Number of temporary files before the last run, which removed them.
    left: usize,
    time: Duration,
}

/// Kills the command of each mode this many times, and prints the results.
pub fn crash(kills: u32) -> Result<()> {
    let program = program()?;
    let modes: [Box<dyn Mode>; 4] =
        [Box::new(modes::Run), Box::new(modes::Watch), Box::new(sweep::Sweep), Box::new(modes::World)];
    say("| mode | kills | under way | files whole | compared | sidecars apart | temporaries left, then \
        removed | seconds |");
    say("|---|---|---|---|---|---|---|---|");
    for mode in &modes {
        let Tally { name, kills, under_way, files, apart, compared, left, time } =
            tally(&**mode, &program, kills).map_err(|error| format!("{}: {error}", mode.name()))?;
        say(&format!(
            "| {name} | {kills} | {under_way} | {files} | {compared} | {apart} | {left} | {:.0} |",
            time.as_secs_f64()
        ));
    }
    say("no torn file, no row lost or doubled, no wrong cache entry; undisturbed runs after kills give the \
        bytes of undisturbed runs");
    Ok(())
}

fn tally(mode: &dyn Mode, program: &Path, kills: u32) -> Result<Tally> {
    let begun = Instant::now();
    let folder = tempfile::tempdir()?;
    let at = Folders::new(program, folder.path())?;
    modes::prepare(&at)?;
    let clean = Folders::new(program, &folder.path().join("clean"))?;
    modes::prepare(&clean)?;
    let whole = Whole::new(mode, &clean)?;
    let name = mode.name();
    let mut tally =
        Tally { name, kills, under_way: 0, files: 0, apart: 0, compared: 0, left: 0, time: Duration::ZERO };
    let lattice = Seed(1).lattice();
    for kill in 0..kills {
        let variant = kill % VARIANTS;
        let mut child = mode.start(&at, variant).spawn()?;
        // Some kills come at the start, most during the run, some at the end; cached results appear early.
        let most = whole.time.as_micros() as u64 * [12, 6, 3, 1][kill as usize / 5 % 4] / 10;
        let time = Duration::from_micros(lattice.bits(i64::from(kill), 0) % most.max(1));
        let done = mode.meanwhile(&at, kill, time);
        // SIGKILL on Unix: the process has no chance to tidy up.
        child.kill()?;
        tally.under_way += u32::from(!child.wait()?.success());
        done?;
        let Found { files, apart } = whole.look(&at).map_err(|error| format!("kill {kill}: {error}"))?;
        tally.files += files;
        tally.apart += u32::from(apart > 0);
        mode.after(&at).map_err(|error| format!("kill {kill}: {error}"))?;
        if let Some(damage) = DiskCache::new(&at.cache, u64::MAX).verify().first() {
            return Err(format!("kill {kill}: {}: {}", damage.file.display(), damage.reason).into());
        }
        if kill % COMPARE == COMPARE - 1 {
            whole.compare(mode, &at, variant).map_err(|error| format!("kill {kill}: {error}"))?;
            tally.compared += 1;
        }
        if mode.afresh().is_some_and(|times| kill % times == times - 1) {
            at.clear()?;
        }
    }
    whole.compare(mode, &at, 0)?;
    tally.left = tidy(mode, &at)?;
    tally.time = begun.elapsed();
    Ok(tally)
}

/// Checks that a process started hours later removes the leftovers of killed ones; returns their number.
fn tidy(mode: &dyn Mode, at: &Folders) -> Result<usize> {
    let folders = [&at.out, &at.cache, &at.inputs];
    let mut left = Vec::new();
    for folder in folders {
        left.extend(leftovers(folder)?);
    }
    age(&left)?;
    // Existing outputs are not rewritten: deleting them makes the run check all folders.
    for file in files::all(&at.out)?.keys() {
        std::fs::remove_file(at.out.join(file))?;
    }
    if !mode.whole(at, 1).status()?.success() {
        return Err("a run after kills failed".into());
    }
    for folder in folders {
        if let Some(file) = leftovers(folder)?.first() {
            return Err(format!("{} was left by a killed run, and nothing removes it", file.display()).into());
        }
    }
    Ok(left.len())
}
