//! What stands beside patches that are made in shares: which world they are of, and what each share made.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use terrane_flow::syntax::Problem;
use terrane_flow::{FileDigests, OutputEntry};
use terrane_io::{create_atomic, write_atomic};

use super::range::Patches;
use super::share::Share;
use crate::world::LoadedWorld;
use crate::{Failure, outputs};

/// The name of the page about the world.
pub const WORLD: &str = "world.json";

/// The folder of pages about shares.
pub const SHARES: &str = "shares";

/// Which world the patches of a folder are of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldPage {
    /// The world's key: of its graph, parameters and files, and of the program's version.
    pub key: String,
    /// The program's version.
    pub terrane: String,
    /// Columns and rows of a patch.
    pub size: (usize, usize),
    /// Distance between samples.
    pub spacing: f64,
    /// The first sample of patch (0, 0), and the place that samples are counted from.
    #[serde(default)]
    pub start: ((i64, i64), (f64, f64)),
    /// The outputs of a patch.
    pub outputs: Vec<String>,
}

/// What a share made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharePage {
    /// The key of its world.
    pub key: String,
    /// The program's version.
    pub terrane: String,
    /// Its number, and of how many.
    pub share: (u32, u32),
    /// The first and the last of all patches.
    pub of: ((i64, i64), (i64, i64)),
    /// Digests of the outputs' values, by patch and by file.
    pub patches: BTreeMap<String, BTreeMap<String, String>>,
}

/// What is said of a world and of the outputs that are asked for.
///
/// # Errors
/// That it cannot be written down.
pub fn of_world(world: &LoadedWorld, entries: &[&OutputEntry]) -> Result<WorldPage, Failure> {
    let of = outputs::run_page(world.graph(), &FileDigests::default());
    let text = serde_json::to_vec(&of).map_err(|error| {
        Failure::usage(
            format!("the world cannot be written down: {error}"),
            "this is a defect in Terrane: please report it",
        )
    })?;
    Ok(WorldPage {
        key: blake3::hash(&text).to_hex()[..32].to_owned(),
        terrane: of.terrane,
        size: of.size,
        spacing: of.spacing,
        start: (world.tiling().first, world.tiling().corner),
        outputs: entries.iter().map(|entry| entry.file.clone()).collect(),
    })
}

/// What is said of a share that made nothing yet.
pub fn of_share(world: &WorldPage, share: Share, patches: &Patches) -> SharePage {
    SharePage {
        key: world.key.clone(),
        terrane: world.terrane.clone(),
        share: (share.number, share.of),
        of: (patches.low, patches.high),
        patches: BTreeMap::new(),
    }
}

/// Finds out, or writes down, which world the patches of a folder are of.
///
/// # Errors
/// That they are of another world, or that the page cannot be read or written.
pub fn claim(out: &Path, own: &WorldPage) -> Result<(), Failure> {
    // Several shares may begin at once: the first one writes it.
    let written = create_atomic(&out.join(WORLD), |out| {
        serde_json::to_writer_pretty(&mut *out, own)?;
        out.write_all(b"\n")
    });
    if written.map_err(|error| Failure::Evaluation(vec![crate::failure::of_file(&error)]))? {
        return Ok(());
    }
    compare(out, own, true)
}

/// Refuses a folder whose patches are of another world; with other outputs also, where a share is made.
///
/// # Errors
/// That they are, or that the page cannot be read.
pub fn compare(out: &Path, own: &WorldPage, is_share: bool) -> Result<(), Failure> {
    let there: WorldPage = read(&out.join(WORLD))?;
    if there.key == own.key && (!is_share || there.outputs == own.outputs) {
        return Ok(());
    }
    let what = if there.key == own.key {
        format!(
            "{} has shares of the same world with other outputs: {}",
            out.display(),
            there.outputs.join(", ")
        )
    } else {
        format!(
            "{} has shares of another world, {} by Terrane {}; this one is {}",
            out.display(),
            there.key,
            there.terrane,
            own.key
        )
    };
    Err(Failure::usage(
        what,
        "name another folder, or remove this one: a world that is changed, or another version, has another \
        key",
    ))
}

/// Where the page of a share lies.
pub fn path_of(out: &Path, share: Share, of: &Patches) -> PathBuf {
    let ((left, top), (right, bottom)) = (of.low, of.high);
    out.join(SHARES)
        .join(format!("{left}_{top}-{right}_{bottom}"))
        .join(format!("{}-of-{}.json", share.number, share.of))
}

/// Writes what a share made.
///
/// # Errors
/// That the page cannot be written.
pub fn write(out: &Path, share: Share, of: &Patches, page: &SharePage) -> Result<PathBuf, Problem> {
    let path = path_of(out, share, of);
    // Through a link it would lie elsewhere.
    for folder in [out.join(SHARES), path.parent().unwrap_or(out).to_owned()] {
        if folder.is_symlink() {
            let message = format!("{} is a link, which leads out of the folder", folder.display());
            return Err(Problem::new(message, "remove it"));
        }
    }
    let written = write_atomic(&path, false, |out| {
        serde_json::to_writer_pretty(&mut *out, page)?;
        out.write_all(b"\n")
    });
    written.map(|_| path).map_err(|error| crate::failure::of_file(&error))
}

/// Reads a page.
///
/// # Errors
/// That it cannot be read, or is none.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let text = text_of(path).map_err(|error| {
        let help = "name a folder that shares of a world were written to";
        Failure::usage(format!("{}: {error}", path.display()), help)
    })?;
    serde_json::from_str(&text).map_err(|error| {
        let help = "it was not written by a share, or is damaged: remove it and run the share again";
        Failure::usage(format!("{}: {error}", path.display()), help)
    })
}

/// The text of a page: a regular file of no more than what a million patches need. Opening a pipe would wait
/// for somebody who writes.
fn text_of(path: &Path) -> io::Result<String> {
    const MOST_BYTES: u64 = 1 << 30;
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("is no file"));
    }
    if metadata.len() > MOST_BYTES {
        return Err(io::Error::other("is larger than any page"));
    }
    fs::read_to_string(path)
}

/// Pages of all shares, in order of their paths.
///
/// # Errors
/// That the folder cannot be read.
pub fn all(out: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let ranges = match fs::read_dir(out.join(SHARES)) {
        Ok(ranges) => ranges,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(error),
    };
    for range in ranges {
        let range = range?.path();
        if range.is_dir() {
            for page in fs::read_dir(range)? {
                found.push(page?.path());
            }
        }
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    found.sort();
    Ok(found)
}
