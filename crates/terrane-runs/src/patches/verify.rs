//! Whether shares are all of a world, and their files as they were written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use terrane_flow::syntax::Problem;

use super::pages::{SharePage, WORLD, WorldPage, all, read};
use super::range::{Patches, folder};
use crate::Failure;
use crate::outputs::{Manifest, Verdict, verify as verify_files};

/// What a folder of shares holds.
#[derive(Debug)]
pub struct Joined {
    /// The world that all are of.
    pub world: WorldPage,
    /// How many shares.
    pub shares: usize,
    /// How many patches.
    pub patches: usize,
    /// How many files.
    pub files: usize,
}

/// How many patches that are missing are named.
const NAMED: usize = 5;

/// Joins the pages of shares: all are of one world and each patch that was asked for is there; and compares every file with what was written.
///
/// # Errors
/// That there is no such folder; and, once all was looked at, everything that is wrong.
pub fn verify(out: &Path, mut tell: impl FnMut(&Path, Verdict)) -> Result<Joined, Failure> {
    let world: WorldPage = read(&out.join(WORLD))?;
    let mut problems = Vec::new();
    let pages = all(out).map_err(|error| {
        Failure::usage(
            format!("{}: {error}", out.display()),
            "name a folder that shares of a world were written to",
        )
    })?;
    let mut shares = Vec::new();
    for path in &pages {
        match read::<SharePage>(path) {
            Ok(page) if page.key == world.key => shares.push(page),
            Ok(page) => {
                let message = format!(
                    "{}: it is of another world, {} by Terrane {}",
                    path.display(),
                    page.key,
                    page.terrane
                );
                problems.push(Problem::new(message, "run its share of this world again"));
            }
            Err(Failure::Usage(problem)) => problems.push(problem),
            Err(failure) => return Err(failure),
        }
    }
    if pages.is_empty() {
        problems.push(Problem::new(
            format!("{} has no share that came to its end", out.display()),
            "run the shares again",
        ));
    }
    let made = joined(&shares, &mut problems);
    missing(&shares, &made, &mut problems);
    for (patch, files) in &made {
        let manifest = Manifest::read(&out.join(patch)).ok().flatten().unwrap_or_default();
        let there: BTreeMap<&str, &str> = manifest
            .runs
            .iter()
            .flat_map(|run| &run.files)
            .map(|file| (file.file.as_str(), file.content.as_str()))
            .collect();
        for (file, content) in *files {
            if there.get(file.as_str()) != Some(&content.as_str()) {
                let message = format!("{patch}/{file} is not what a share made");
                problems.push(Problem::new(message, "run the share of this patch again"));
            }
        }
    }
    let files = match verify_files(out, &mut tell) {
        Ok(files) => files,
        Err(Failure::Evaluation(more)) => {
            problems.extend(more);
            0
        }
        Err(Failure::Usage(problem)) => {
            problems.push(problem);
            0
        }
        Err(failure) => return Err(failure),
    };
    Failure::unless(problems)?;
    Ok(Joined { world, shares: shares.len(), patches: made.len(), files })
}

type Made<'a> = BTreeMap<&'a str, &'a BTreeMap<String, String>>;

/// Patches of all shares; two that made one patch must have made the same.
fn joined<'a>(shares: &'a [SharePage], problems: &mut Vec<Problem>) -> Made<'a> {
    let mut made = Made::new();
    for (patch, files) in shares.iter().flat_map(|share| &share.patches) {
        if made.insert(patch, files).is_some_and(|before| before != files) {
            let message = format!("patch {patch} has other content in one share than in another");
            problems
                .push(Problem::new(message, "this is a defect in Terrane: please report it with the world"));
        }
    }
    made
}

/// Tells of patches that were asked for and that no share made, with the shares that would.
fn missing(shares: &[SharePage], made: &Made<'_>, problems: &mut Vec<Problem>) {
    let ranges: BTreeSet<_> = shares.iter().map(|share| share.of).collect();
    for (low, high) in ranges {
        let patches = Patches { low, high };
        let absent: Vec<String> =
            patches.iter().map(folder).filter(|patch| !made.contains_key(patch.as_str())).collect();
        if absent.is_empty() {
            continue;
        }
        let there: BTreeSet<(u32, u32)> = shares
            .iter()
            .filter(|share| share.of == (low, high))
            .map(|share| (share.share.1, share.share.0))
            .collect();
        let of = there.iter().map(|share| share.0).max().unwrap_or(1);
        let lack: Vec<String> = (1..=of)
            .filter(|&number| !there.contains(&(of, number)))
            .take(NAMED)
            .map(|number| format!("{number}/{of}"))
            .collect();
        let more = if absent.len() > NAMED { " and others" } else { "" };
        let message = format!(
            "{} of {} patches are not there: {}{more}",
            absent.len(),
            patches.count(),
            absent.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ")
        );
        let (right, bottom) = (high.0 + 1, high.1 + 1);
        let range = format!("--patches={}..{right},{}..{bottom}", low.0, low.1);
        problems.push(Problem::new(
            message,
            format!("run the shares that lack with {range}: --share {}", lack.join(", ")),
        ));
    }
}
