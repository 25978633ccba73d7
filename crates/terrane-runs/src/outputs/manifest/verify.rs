//! Comparing files with their manifests.

use std::fs;
use std::path::{Component, Path, PathBuf};

use terrane_flow::syntax::Problem;
use terrane_io::Sidecar;

use super::format::{MANIFEST, Manifest, State};
use crate::Failure;

/// The state of a file named by a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file is as it was written.
    Same,
    /// The file has other bytes.
    Changed,
    /// The file does not exist, or is not a regular file.
    Missing,
}

impl Verdict {
    /// The verdict in a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Missing => "missing",
        }
    }
}

/// The maximum depth of subfolders that are searched.
const MAX_DEPTH: usize = 64;

/// Compares files with their manifests, in a folder and its subfolders, and reports each file. Returns the
/// number of files.
///
/// # Errors
/// Fails if the folder cannot be read, or has no manifest. Otherwise all files are checked first. Then fails
/// if a manifest cannot be read, or if any file differs.
pub fn verify(folder: &Path, mut tell: impl FnMut(&Path, Verdict)) -> Result<usize, Failure> {
    let mut manifests = Vec::new();
    find(folder, MAX_DEPTH, &mut manifests).map_err(|error| {
        Failure::usage(format!("{}: {error}", folder.display()), "choose a folder that a run wrote to")
    })?;
    if manifests.is_empty() {
        return Err(Failure::usage(
            format!("{} has no {MANIFEST}", folder.display()),
            "choose a folder that a run wrote to, such as `out`",
        ));
    }
    let (mut problems, mut count) = (Vec::new(), 0);
    for folder in manifests {
        let page = folder.join(MANIFEST);
        let manifest = match Manifest::read(&folder) {
            Ok(manifest) => manifest.unwrap_or_default(),
            Err(error) => {
                let help = "if a run wrote it, move it away and run the graph again into this folder; \
                    otherwise another program wrote it";
                problems.push(Problem::new(format!("{}: {error}", page.display()), help));
                continue;
            }
        };
        for file in manifest.runs.iter().flat_map(|run| &run.files) {
            let path = folder.join(&file.file);
            if leads_out(&folder, &file.file) {
                let name = file.file.escape_debug();
                let message = format!("{}: it lists `{name}`, which leads out of its folder", page.display());
                problems.push(Problem::new(message, "no run wrote this: do not trust the folder"));
                continue;
            }
            let sidecar = Sidecar::path_of(&path);
            let parts = [(&path, Some(&file.state)), (&sidecar, file.sidecar.as_ref())];
            for (part, listed) in parts.into_iter().filter_map(|(part, state)| Some((part, state?))) {
                count += 1;
                let verdict = verdict(part, listed);
                tell(part, verdict);
                if verdict != Verdict::Same {
                    let what =
                        if verdict == Verdict::Changed { "is not as it was written" } else { "is missing" };
                    let message = format!("{} {what}", part.display());
                    problems.push(Problem::new(message, "run again what wrote this folder"));
                }
            }
        }
    }
    Failure::unless(problems).map(|()| count)
}

/// Whether a name leads out of the folder, directly or through links.
fn leads_out(folder: &Path, name: &str) -> bool {
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let real = |path: &Path| path.canonicalize().ok();
    let is_inside = match (real(folder), real(&folder.join(name))) {
        (Some(root), Some(file)) => file.starts_with(root),
        _ => true,
    };
    name.is_empty() || !is_plain || !is_inside
}

fn verdict(file: &Path, listed: &State) -> Verdict {
    match State::of(file) {
        Ok(Some(state)) if state == *listed => Verdict::Same,
        Ok(None) => Verdict::Missing,
        _ => Verdict::Changed,
    }
}

/// Finds the folders with manifests, in sorted order. Links are not followed.
fn find(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            folders.push(entry.path());
        } else if kind.is_file() && entry.file_name() == MANIFEST {
            found.push(folder.to_owned());
        }
    }
    folders.sort_unstable();
    if depth > 0 {
        folders.iter().try_for_each(|folder| find(folder, depth - 1, found))?;
    }
    Ok(())
}
