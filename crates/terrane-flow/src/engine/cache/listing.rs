//! Finds the files that a disk cache has written. They are recognized by their names.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::store::Damage;

/// The name of the index, with the version of its files.
pub const INDEX: &str = "index-3";
/// The name of the table of values, with the version of its files.
pub const OBJECTS: &str = "objects-3";

/// The tables of the cache, including those of older versions.
pub const TABLES: [&str; 5] = [OBJECTS, INDEX, "objects", "index-2", "index"];
/// The tables of older versions.
pub const OLD_TABLES: [&str; 3] = ["objects", "index-2", "index"];
/// The folders of pages: notes that commands such as `explain` keep about files.
pub const PAGES: [&str; 2] = ["outputs", "explain"];

/// The prefix of temporary files.
pub const TEMPORARY: &str = "terrane-";

/// The text of `CACHEDIR.TAG`. It tells backup programs that the content of the folder can be recreated.
pub const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# Results of Terrane, which can be removed at any time.\n";

pub fn is_hex(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// The entries of a folder; none of a link: what it leads to is not the cache's, and must not be removed.
fn entries(folder: &Path) -> impl Iterator<Item = fs::DirEntry> {
    let is_own = fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir());
    let entries = if is_own { fs::read_dir(folder).ok() } else { None };
    entries.into_iter().flatten().flatten()
}

/// The subfolders of a table.
pub fn subfolders(table: &Path) -> Vec<PathBuf> {
    let is_subfolder = |name: &str| name.len() == 2 && is_hex(name);
    entries(table)
        .filter(|entry| entry.file_name().to_str().is_some_and(is_subfolder))
        .map(|entry| entry.path())
        .collect()
}

/// A file of the cache.
pub struct CacheFile {
    pub path: PathBuf,
    pub name: String,
    pub length: u64,
    pub used: SystemTime,
}

/// The files of a folder.
pub fn list(folder: &Path) -> Vec<CacheFile> {
    entries(folder)
        .filter_map(|entry| {
            let meta = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            Some(CacheFile { path: entry.path(), name, length: meta.len(), used: meta.modified().ok()? })
        })
        .collect()
}

/// Files that are being written, or that a process left unfinished.
pub fn temporaries(folder: &Path) -> Vec<CacheFile> {
    let mut files = list(&folder.join("tmp"));
    files.retain(|file| file.name.starts_with(TEMPORARY));
    files
}

/// Removes a damaged file, and returns the reason.
pub fn discard(file: PathBuf, reason: String) -> Damage {
    // In a read-only folder, the file stays. It still counts as missing.
    let _best_effort = fs::remove_file(&file);
    Damage { file, reason }
}
