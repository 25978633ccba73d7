//! Random ground that other libraries make, used by graphs and worlds, whose outputs other libraries read.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;

use crate::{Result, built, root, say};

/// The largest number of failed commands that are printed.
const PRINTED: usize = 20;

/// A folder with ground and graphs, and the commands to run there.
#[derive(Deserialize)]
struct Case {
    folder: String,
    commands: Vec<Vec<String>>,
}

/// Has `count` cases made, runs their commands, and has the outputs read. A folder `keep` is left for a look
/// at the files.
pub fn placed_outputs(
    python: &str,
    (count, seed): (u64, u64),
    keep: Option<&Path>,
    program: Option<PathBuf>,
) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    let program = match program {
        Some(program) => program.canonicalize()?,
        None => built(&["--features", "stores"])?,
    };
    let own = tempfile::tempdir()?;
    let folder = keep.unwrap_or_else(|| own.path());
    std::fs::create_dir_all(folder)?;
    let folder = folder.canonicalize()?;
    script(python, "make.py", &folder, &[count.to_string(), seed.to_string()])?;
    let cases: Vec<Case> = serde_json::from_slice(&std::fs::read(folder.join("cases.json"))?)?;
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let failed: Vec<String> = case
                .commands
                .iter()
                .filter_map(|command| run(&program, &folder, case, command).err())
                .collect();
            failures.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(failed);
        }
    };
    let threads = std::thread::available_parallelism()?.get();
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let failures = failures.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    failures.iter().take(PRINTED).for_each(|failure| say(failure));
    say(&format!("{} cases, {} commands failed", cases.len(), failures.len()));
    script(python, "check.py", &folder, &[])?;
    if failures.is_empty() { Ok(()) } else { Err("commands failed".into()) }
}

/// Runs a command in the folder of its case.
fn run(program: &PathBuf, folder: &Path, case: &Case, command: &[String]) -> std::result::Result<(), String> {
    let output = Command::new(program)
        .args(command)
        .current_dir(folder.join(&case.folder))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{}: terrane {}: {}",
            case.folder,
            command.join(" "),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Runs one of the scripts of `placed/` on a folder.
fn script(python: &str, name: &str, folder: &Path, arguments: &[String]) -> Result<()> {
    let status = Command::new(python)
        .arg(root().join("xtask/src/placed").join(name))
        .arg(folder)
        .args(arguments)
        .status()
        .map_err(|error| format!("{python} does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed").into()) }
}
