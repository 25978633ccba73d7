//! Kills runs at random moments and looks for broken outputs and cache entries.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use terrane_flow::cache::DiskCache;
use terrane_grid::Seed;

use crate::{Result, program, root, say};

/// Runs the real graph again and again, killing it after a random time, and then checks that every file is whole.
pub fn crash(kills: u32) -> Result<()> {
    let program = program()?;
    let folder = tempfile::tempdir()?;
    let (cache, out, whole) =
        (folder.path().join("cache"), folder.path().join("out"), folder.path().join("whole"));
    let run = |cache: &Path, out: &Path, seed: u32| {
        let mut command = Command::new(&program);
        command.arg("run").arg(root().join("graphs/quickstart.ron")).arg("--seed").arg(seed.to_string());
        command.arg("--cache-dir").arg(cache).arg("--out").arg(out).stderr(Stdio::null());
        command
    };
    let mut killed = 0;
    for kill in 0..kills {
        let mut child = run(&cache, &out, kill % 7).spawn()?;
        std::thread::sleep(Duration::from_micros(Seed(u64::from(kill)).lattice().bits(0, 0) % 160_000));
        // SIGKILL on Unix: the process has no chance to tidy up.
        child.kill()?;
        killed += u32::from(!child.wait()?.success());
        let damage = DiskCache::new(&cache, u64::MAX).verify();
        if let Some(damage) = damage.first() {
            return Err(format!("kill {kill}: {}: {}", damage.file.display(), damage.reason).into());
        }
        if kill % 20 == 19 {
            compare(&run, &cache, &out, &whole, kill % 7)?;
        }
    }
    let left = leftovers(&out)?;
    age(&left)?;
    // A process that comes minutes later takes away what the killed ones left.
    if !run(&cache, &out, kills % 7).arg("--no-cache").status()?.success() {
        return Err("a run after kills failed".into());
    }
    if let Some(file) = leftovers(&out)?.first() {
        return Err(format!("{} was left by a killed run, and nothing removes it", file.display()).into());
    }
    say(&format!("{kills} runs, {killed} of them killed under way: no broken output, no wrong cache entry"));
    say(&format!("{} temporary files were left beside outputs, which a later run removed", left.len()));
    Ok(())
}

/// Temporary files in a folder and those below it.
fn leftovers(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.exists() {
        return Ok(found);
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(leftovers(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "tmp") {
            found.push(path);
        }
    }
    Ok(found)
}

/// Makes files look an hour old.
fn age(files: &[PathBuf]) -> Result<()> {
    for file in files {
        let past = SystemTime::now() - Duration::from_secs(3600);
        std::fs::OpenOptions::new().write(true).open(file)?.set_modified(past)?;
    }
    Ok(())
}

/// A run after kills gives the files that a run in clean folders gives.
fn compare(
    run: &dyn Fn(&Path, &Path, u32) -> Command,
    cache: &Path,
    out: &Path,
    whole: &Path,
    seed: u32,
) -> Result<()> {
    let clean = tempfile::tempdir()?;
    for (cache, out) in [(cache, out), (clean.path(), whole)] {
        if !run(cache, out, seed).status()?.success() {
            return Err("a run after kills failed".into());
        }
    }
    for file in ["height.png", "relief.png", "map.png", "score.json", "height.png.json"] {
        let file = Path::new("quickstart").join(file);
        if std::fs::read(out.join(&file))? != std::fs::read(whole.join(&file))? {
            return Err(format!("{} differs after kills", file.display()).into());
        }
    }
    Ok(())
}
