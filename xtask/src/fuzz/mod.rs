//! Inputs that nobody would write, made by mutation and given to whatever reads what others wrote: graphs,
//! files, the cache, messages of pages.
//!
//! An input is a function of seed, target and number, so that one can be run again alone. A process inside
//! runs them; the one outside tells what ran when it is killed, as by a stack that overflows.

mod cache;
mod files;
mod format;
mod guard;
mod mutate;
mod page;
mod seeds;
mod texts;
mod tokens;
mod values;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use crate::{Result, say};
use guard::Slot;
use mutate::Rng;

/// What can be asked for.
#[derive(Args)]
pub struct Options {
    /// Only targets whose name begins so.
    #[arg(long)]
    target: Option<String>,
    /// Inputs, all targets together.
    #[arg(long, default_value_t = 200_000)]
    inputs: u64,
    /// Another seed, other inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds after which no further input begins, all targets together.
    #[arg(long)]
    seconds: Option<f64>,
    /// Instead, write the input of this number, run it and tell what became of it; the target must be named.
    #[arg(long, value_name = "NUMBER", requires = "target")]
    case: Option<u64>,
    /// Folder for inputs that something is wrong with.
    #[arg(long, default_value = "out/fuzz")]
    out: PathBuf,
    /// This is the process that runs the inputs.
    #[arg(long, hide = true)]
    inside: bool,
}

/// Something that reads what others wrote.
pub trait Target: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Its share of the inputs.
    fn share(&self) -> u64;
    /// An input.
    fn input(&self, rng: &mut Rng) -> Vec<u8>;
    /// Reads an input, in a folder of the thread's own: whether it was valid, or what is wrong with the
    /// reader.
    fn run(&self, input: &[u8], folder: &Path) -> std::result::Result<bool, String>;
}

/// What became of a target's inputs.
struct Tally {
    name: &'static str,
    inputs: u64,
    accepted: u64,
    time: Duration,
    findings: u64,
}

/// Runs inputs and tells, per target, how many there were and what was found.
pub fn fuzz(options: &Options) -> Result<()> {
    std::fs::create_dir_all(&options.out)?;
    if !options.inside {
        return outside(&options.out);
    }
    let folder = tempfile::tempdir()?;
    let mut targets = targets(folder.path())?;
    if let Some(wanted) = &options.target {
        targets.retain(|target| target.name().starts_with(wanted.as_str()));
    }
    if targets.is_empty() {
        return Err("there is no such target".into());
    }
    guard::listen();
    if let Some(number) = options.case {
        return again(&*targets[0], options, number, folder.path());
    }
    let threads = std::thread::available_parallelism()?.get();
    let over = Arc::new(AtomicBool::new(false));
    let slots = guard::watched(threads, &options.out, &over)?;
    let whole: u64 = targets.iter().map(|target| target.share()).sum();
    let (begun, mut left) = (Instant::now(), whole);
    let mut tallies = Vec::new();
    for target in &targets {
        let inputs = options.inputs * target.share() / whole;
        // Of the time that is left, each target has its share.
        let rest = options.seconds.map(|seconds| (seconds - begun.elapsed().as_secs_f64()).max(0.0));
        let time = rest.map(|rest| Duration::from_secs_f64(rest * target.share() as f64 / left as f64));
        left -= target.share();
        tallies.push(run(&**target, options, (inputs, time), &slots, folder.path())?);
    }
    over.store(true, Ordering::Relaxed);
    std::fs::remove_file(guard::under_way(&options.out))?;
    tell(&tallies)
}

/// Everything that is tried.
fn targets(folder: &Path) -> Result<Vec<Box<dyn Target>>> {
    let mut targets = texts::targets()?;
    targets.extend(format::targets()?);
    targets.extend(values::targets()?);
    targets.extend(files::targets(folder)?);
    targets.extend(cache::targets(folder)?);
    targets.extend(page::targets()?);
    Ok(targets)
}

/// Runs this program again; where it is killed, tells what it was at.
fn outside(out: &Path) -> Result<()> {
    let status =
        Command::new(std::env::current_exe()?).args(std::env::args_os().skip(1)).arg("--inside").status()?;
    match status.code() {
        Some(0) => Ok(()),
        Some(_) => Err(format!("something was found: see {}", out.display()).into()),
        None => {
            let at = std::fs::read_to_string(guard::under_way(out)).unwrap_or_default();
            let at: Vec<&str> = at.lines().map(str::trim).collect();
            Err(format!("{status} at one of: {}; run it again with --target and --case", at.join(", "))
                .into())
        }
    }
}

/// Runs the inputs of one target on all threads.
fn run(
    target: &dyn Target,
    options: &Options,
    (inputs, time): (u64, Option<Duration>),
    slots: &[Slot],
    folder: &Path,
) -> Result<Tally> {
    let (next, accepted, findings) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for (thread, slot) in slots.iter().enumerate() {
            let own = folder.join(thread.to_string());
            let (next, accepted, findings) = (&next, &accepted, &findings);
            scope.spawn(move || {
                while time.is_none_or(|time| begun.elapsed() < time) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= inputs {
                        break;
                    }
                    let input: Arc<[u8]> =
                        target.input(&mut Rng::new(options.seed, target.name(), number)).into();
                    slot.begin(target.name(), number, &input);
                    let result = std::fs::create_dir_all(&own)
                        .map_err(|error| error.to_string())
                        .and_then(|()| guard::guarded(target, &input, &own));
                    slot.end();
                    match result {
                        Ok(valid) => accepted.fetch_add(u64::from(valid), Ordering::Relaxed),
                        Err(why) => {
                            found(target.name(), number, &input, &why, &options.out);
                            findings.fetch_add(1, Ordering::Relaxed)
                        }
                    };
                }
            });
        }
    });
    Ok(Tally {
        name: target.name(),
        // Each thread took one more that it did not run, where they ran out.
        inputs: next.into_inner().min(inputs),
        accepted: accepted.into_inner(),
        time: begun.elapsed(),
        findings: findings.into_inner(),
    })
}

/// Writes an input and tells why.
fn found(target: &str, number: u64, input: &[u8], why: &str, out: &Path) {
    let path = out.join(format!("{target}-{number}.bin"));
    let written = std::fs::write(&path, input);
    let kept =
        written.map_or_else(|error| format!("cannot be written: {error}"), |()| path.display().to_string());
    // A text that is wrong can be long.
    let why: String = why.chars().take(400).collect();
    say(&format!("{target} {number}: {why}: {kept}"));
}

/// Runs one input again.
fn again(target: &dyn Target, options: &Options, number: u64, folder: &Path) -> Result<()> {
    let input = target.input(&mut Rng::new(options.seed, target.name(), number));
    let path = options.out.join(format!("{}-{number}.bin", target.name()));
    std::fs::write(&path, &input)?;
    say(&format!("{}", path.display()));
    let own = folder.join("0");
    std::fs::create_dir_all(&own)?;
    let begun = Instant::now();
    let said = match guard::guarded(target, &input, &own) {
        Ok(true) => "accepted".to_owned(),
        Ok(false) => "refused".to_owned(),
        Err(why) => return Err(why.into()),
    };
    say(&format!("{said} in {:.3} s", begun.elapsed().as_secs_f64()));
    Ok(())
}

/// The table.
fn tell(tallies: &[Tally]) -> Result<()> {
    say("| target | inputs | accepted | seconds | inputs per second | findings |");
    say("|---|---|---|---|---|---|");
    let sum = |of: fn(&Tally) -> u64| tallies.iter().map(of).sum();
    let all = Tally {
        name: "all",
        inputs: sum(|tally| tally.inputs),
        accepted: sum(|tally| tally.accepted),
        time: tallies.iter().map(|tally| tally.time).sum(),
        findings: sum(|tally| tally.findings),
    };
    for Tally { name, inputs, accepted, time, findings } in tallies.iter().chain([&all]) {
        let seconds = time.as_secs_f64();
        let pace = *inputs as f64 / seconds.max(1e-9);
        say(&format!("| {name} | {inputs} | {accepted} | {seconds:.1} | {pace:.0} | {findings} |"));
    }
    if all.findings > 0 { Err(format!("{} findings", all.findings).into()) } else { Ok(()) }
}
