//! The files in `examples/shares` run.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn succeeds(mut command: Command) {
    let output = command.env("TERRANE", env!("CARGO_BIN_EXE_terrane")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

fn verified(out: &Path, patches: &str) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_terrane")).args(["world", "verify"]).arg(out).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains(patches), "{said}");
}

#[test]
fn several_at_once_on_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    // Characters that mean something to a shell or to xargs are only characters in a path.
    let out = folder.path().join("K $1 {}");
    let mut command = Command::new(root().join("examples/shares/xargs.sh"));
    command.arg(root().join("graphs/world/hills.ron")).arg("0..3,0..2").arg(&out);
    command.env("TERRANE_CACHE_DIR", folder.path().join("cache"));
    succeeds(command);
    verified(&out, "6 patches by 4 shares");
}

#[test]
fn an_array_of_slurm() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for task in 1..=3 {
        let mut command = Command::new(root().join("examples/shares/slurm.sh"));
        command
            .env("WORLD", root().join("graphs/world/hills.ron"))
            .env("PATCHES", "-1..2,0..2")
            .env("OUT", &out);
        command.env("SLURM_ARRAY_TASK_ID", task.to_string()).env("SLURM_ARRAY_TASK_COUNT", "3");
        command.env("TMPDIR", folder.path());
        succeeds(command);
    }
    verified(&out, "6 patches by 3 shares");
}

#[test]
fn an_indexed_job_of_kubernetes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let text = fs::read_to_string(root().join("examples/shares/kubernetes.yaml")).unwrap();
    let script = text.lines().find_map(|line| line.trim().strip_prefix("- exec ")).unwrap();
    for index in 0..2 {
        let mut command = shell(&format!("exec {script}"));
        command
            .env("WORLD", root().join("graphs/world/hills.ron"))
            .env("PATCHES", "0..2,0..2")
            .env("OUT", &out);
        command.env("JOB_COMPLETION_INDEX", index.to_string()).env("SHARES", "2");
        succeeds(command);
    }
    verified(&out, "4 patches by 2 shares");
}
