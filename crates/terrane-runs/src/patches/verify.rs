//! Checking that shares cover a world, and that their files are as they were written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use terrane_flow::syntax::Problem;

use super::range::{Patches, folder, patch_of};
use super::records::{SharePage, WORLD, WorldPage, all, path_of, read};
use super::share::{Share, in_morton_order};
use crate::Failure;
use crate::outputs::{Manifest, Verdict, verify as verify_files};

/// The contents of a folder of shares.
#[derive(Debug)]
pub struct Joined {
    /// The world of all shares.
    pub world: WorldPage,
    /// The number of shares.
    pub shares: usize,
    /// The number of patches.
    pub patches: usize,
    /// The number of files.
    pub files: usize,
}

/// The maximum number of missing patches that a message names, and the maximum number of missing shares.
const MAX_NAMED_PATCHES: usize = 5;
const MAX_NAMED_SHARES: usize = 20;

const RUN_AGAIN: &str = "run its share again";

/// Joins and checks the records of all shares in a folder.
///
/// All records must belong to one world, and no requested patch may be missing. Every file is compared with
/// its manifest.
///
/// # Errors
/// Fails if the folder has no record of a world. After all checks, fails with everything that is wrong.
pub fn verify(out: &Path, mut tell: impl FnMut(&Path, Verdict)) -> Result<Joined, Failure> {
    let world: WorldPage = read(&out.join(WORLD))?;
    let mut problems = Vec::new();
    let records = all(out).map_err(|error| {
        Failure::usage(
            format!("{}: {error}", out.display()),
            "choose a folder that contains shares of a world",
        )
    })?;
    if records.is_empty() {
        problems
            .push(Problem::new(format!("{} has no complete share", out.display()), "run the shares again"));
    }
    let mut shares = Vec::new();
    for path in &records {
        match read::<SharePage>(path) {
            Ok(page) => match faults(out, path, &page, &world) {
                Ok(share) => shares.push((share, page)),
                Err(what) => problems.push(Problem::new(format!("{}: {what}", path.display()), RUN_AGAIN)),
            },
            Err(Failure::Usage(problem)) => problems.push(problem),
            Err(failure) => return Err(failure),
        }
    }
    let made = joined(&shares, &mut problems);
    missing(&shares, &made, &mut problems);
    for (patch, files) in &made {
        if let Some(what) = differs(out, patch, files, &world) {
            problems.push(Problem::new(what, "run the share of this patch again"));
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

/// The share of a record, or what is wrong with the record.
fn faults(out: &Path, path: &Path, page: &SharePage, world: &WorldPage) -> Result<Share, String> {
    if page.key != world.key || page.terrane != world.terrane {
        return Err(format!("it belongs to another world, {} by Terrane {}", page.key, page.terrane));
    }
    let (number, of) = page.share;
    let share = Share::new(number, of).ok_or_else(|| format!("there is no share {number} of {of}"))?;
    let patches =
        Patches::of(page.of.0, page.of.1).ok_or_else(|| "its range of patches is not valid".to_owned())?;
    if path_of(out, share, &patches) != path {
        return Err("it is the record of another share".to_owned());
    }
    let own = share.of_many(patches.count());
    let is_whole = own.len() == page.patches.len()
        && own.into_iter().all(|index| {
            in_morton_order(&patches, index).is_some_and(|patch| page.patches.contains_key(&folder(patch)))
        });
    if !is_whole {
        return Err("it does not list the patches of its share".to_owned());
    }
    let is_complete = |files: &BTreeMap<String, String>| {
        files.len() == world.outputs.len() && world.outputs.iter().all(|file| files.contains_key(file))
    };
    if !page.patches.values().all(is_complete) {
        return Err("it does not list all outputs of its patches".to_owned());
    }
    Ok(share)
}

/// What is wrong with a patch's folder, if anything.
fn differs(out: &Path, patch: &str, files: &BTreeMap<String, String>, world: &WorldPage) -> Option<String> {
    let at = out.join(patch);
    if at.is_symlink() {
        return Some(format!("{patch} is a link, which no share writes"));
    }
    let manifest = Manifest::read(&at).ok().flatten().unwrap_or_default();
    let there: BTreeMap<&str, &str> = manifest
        .runs
        .iter()
        .filter(|run| run.size == world.size && run.spacing.to_bits() == world.spacing.to_bits())
        .flat_map(|run| &run.files)
        .map(|file| (file.file.as_str(), file.content.as_str()))
        .collect();
    let other = files.iter().find(|(file, content)| there.get(file.as_str()) != Some(&content.as_str()));
    other.map(|(file, _)| format!("{patch}/{file} is not as its share wrote it"))
}

type Made<'a> = BTreeMap<&'a str, &'a BTreeMap<String, String>>;

/// The patches of all shares. If two shares have the same patch, both must have computed the same values.
fn joined<'a>(shares: &'a [(Share, SharePage)], problems: &mut Vec<Problem>) -> Made<'a> {
    let mut made = Made::new();
    for (patch, files) in shares.iter().flat_map(|(_, page)| &page.patches) {
        if made.insert(patch, files).is_some_and(|before| before != files) {
            let message = format!("patch {patch} differs between two shares");
            problems
                .push(Problem::new(message, "this is a defect in Terrane: please report it with the world"));
        }
    }
    made
}

/// Reports requested patches that no share computed, and names the shares that would compute them.
fn missing(shares: &[(Share, SharePage)], made: &Made<'_>, problems: &mut Vec<Problem>) {
    let ranges: BTreeSet<_> = shares.iter().map(|(_, page)| page.of).collect();
    for (low, high) in ranges {
        let patches = Patches { low, high };
        // A record may name a range with a million patches, so patches that exist are counted instead.
        let is_within = |patch: &&&str| patch_of(patch).is_some_and(|patch| patches.contains(patch));
        let absent = patches.count().saturating_sub(made.keys().filter(is_within).count());
        let lost = patches.iter().map(folder).filter(|patch| !made.contains_key(patch.as_str()));
        let named: Vec<String> = lost.take(MAX_NAMED_PATCHES.min(absent)).collect();
        if absent == 0 {
            continue;
        }
        let there = || shares.iter().filter(|(_, page)| page.of == (low, high)).map(|(share, _)| share);
        let of = there().map(|share| share.of).max().unwrap_or(1);
        let known: BTreeSet<u32> = there().filter(|share| share.of == of).map(|share| share.number).collect();
        // If there are more shares than patches, most shares are empty. So the search goes from one patch to the
        // first patch of the next share.
        let (mut lacking, mut index) = (Vec::new(), 0);
        while index < patches.count() && lacking.len() <= MAX_NAMED_SHARES {
            let share = Share::holding(index, patches.count(), of);
            if !known.contains(&share.number) {
                lacking.push(share.number);
            }
            index = share.of_many(patches.count()).end;
        }
        let list: Vec<String> =
            lacking.iter().take(MAX_NAMED_SHARES).map(|number| format!("{number}/{of}")).collect();
        let more = |is_more: bool| if is_more { " and others" } else { "" };
        let message = format!(
            "{absent} of {} patches are missing: {}{}",
            patches.count(),
            named.join(", "),
            more(absent > named.len())
        );
        let (right, bottom) = (high.0 + 1, high.1 + 1);
        let range = format!("--patches={}..{right},{}..{bottom}", low.0, low.1);
        let help = format!(
            "run the missing shares with {range}: --share {}{}",
            list.join(", "),
            more(lacking.len() > MAX_NAMED_SHARES)
        );
        problems.push(Problem::new(message, help));
    }
}
