//! Records beside patches that are computed in shares: their world, and the results of each share.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use terrane_flow::syntax::Problem;
use terrane_flow::{FileDigests, OutputEntry};
use terrane_io::{create_atomic, read_regular, write_atomic, write_json};

use super::range::Patches;
use super::share::Share;
use crate::world::LoadedWorld;
use crate::{Failure, outputs};

/// The name of the world's record.
pub const WORLD: &str = "world.json";

/// The folder of the shares' records.
pub const SHARES: &str = "shares";

/// The record of the world that a folder's patches belong to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldPage {
    /// The world's key. It is derived from the world's graph, parameters and files, and from the program's
    /// version.
    pub key: String,
    /// The program's version.
    pub terrane: String,
    /// Columns and rows of a patch.
    pub size: (usize, usize),
    /// Distance between samples.
    pub spacing: f64,
    /// The column and row of the first sample of patch (0, 0), and the position from which samples are
    /// counted.
    #[serde(default)]
    pub start: ((i64, i64), (f64, f64)),
    /// The outputs of a patch.
    pub outputs: Vec<String>,
}

/// The record of a share's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharePage {
    /// The key of the world.
    pub key: String,
    /// The program's version.
    pub terrane: String,
    /// The share's number, and the number of shares.
    pub share: (u32, u32),
    /// The first and the last patch of the range that all shares together cover.
    pub of: ((i64, i64), (i64, i64)),
    /// Digests of the outputs' values, by patch and by file.
    pub patches: BTreeMap<String, BTreeMap<String, String>>,
}

/// The record of a world with the given outputs.
///
/// # Errors
/// Fails if the record cannot be serialised.
pub fn of_world(world: &LoadedWorld, entries: &[&OutputEntry]) -> Result<WorldPage, Failure> {
    let of = outputs::run_page(world.graph(), &FileDigests::default());
    let text = serde_json::to_vec(&of).map_err(|error| {
        Failure::usage(
            format!("cannot describe the world: {error}"),
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

/// The record of a share before its first patch.
pub fn of_share(world: &WorldPage, share: Share, patches: &Patches) -> SharePage {
    SharePage {
        key: world.key.clone(),
        terrane: world.terrane.clone(),
        share: (share.number, share.of),
        of: (patches.low, patches.high),
        patches: BTreeMap::new(),
    }
}

/// Claims a folder for a world, or checks that the folder already belongs to this world.
///
/// # Errors
/// Fails if the folder belongs to another world, or if the record cannot be read or written.
pub fn claim(out: &Path, own: &WorldPage) -> Result<(), Failure> {
    // Several shares may start at once: the first one writes the record.
    let path = outputs::place(out, WORLD, &[]).map_err(Failure::Usage)?;
    let written = create_atomic(&path, |out| write_json(out, own));
    if written.map_err(|error| Failure::Evaluation(vec![crate::failure::of_file(&error)]))? {
        return Ok(());
    }
    compare(out, own, true)
}

/// Refuses a folder with patches of another world. For a share, also refuses a folder with other outputs.
///
/// # Errors
/// Fails in these cases, or if the record cannot be read.
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
        "use another folder, or remove this one: any change to the world, or \
        another version of Terrane, changes its key",
    ))
}

/// The path of a share's record.
pub fn path_of(out: &Path, share: Share, of: &Patches) -> PathBuf {
    out.join(name_of(share, of))
}

/// The path of a share's record from the output folder.
fn name_of(share: Share, of: &Patches) -> String {
    let ((left, top), (right, bottom)) = (of.low, of.high);
    format!("{SHARES}/{left}_{top}-{right}_{bottom}/{}-of-{}.json", share.number, share.of)
}

/// Writes the record of a share.
///
/// # Errors
/// Fails if the record cannot be written.
pub fn write(out: &Path, share: Share, of: &Patches, page: &SharePage) -> Result<PathBuf, Problem> {
    let path = outputs::place(out, &name_of(share, of), &[])?;
    let written = write_atomic(&path, false, |out| write_json(out, page));
    written.map(|_| path).map_err(|error| crate::failure::of_file(&error))
}

/// Reads a record.
///
/// # Errors
/// Fails if the file cannot be read or is not such a record.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let text = text_of(path).map_err(|error| {
        let help = "choose a folder that contains shares of a world";
        Failure::usage(format!("{}: {error}", path.display()), help)
    })?;
    serde_json::from_str(&text).map_err(|error| {
        let help = "it is not a share's record, or is damaged: remove it and run the share again";
        Failure::usage(format!("{}: {error}", path.display()), help)
    })
}

/// The text of a record. The record must be a regular file, and no larger than a million patches require.
fn text_of(path: &Path) -> io::Result<String> {
    const MAX_BYTES: u64 = 1 << 30;
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("is not a file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(io::Error::other("is larger than any record of a share"));
    }
    String::from_utf8(read_regular(path)?).map_err(io::Error::other)
}

/// The records of all shares, sorted by path.
///
/// # Errors
/// Fails if the folder cannot be read.
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
