//! The files that a cache on disk wrote, by their names.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::store::Damage;

/// The index, with the version of its files.
pub const INDEX: &str = "index-2";

/// Tables of the cache, those of older versions, and folders of pages beside them.
pub const TABLES: [&str; 3] = ["objects", INDEX, "index"];
pub const OLD_TABLES: [&str; 1] = ["index"];
pub const PAGES: [&str; 2] = ["outputs", "explain"];

/// How names of temporaries begin.
pub const TEMPORARY: &str = "terrane-";

/// Says to backup programs that what is here can be made again.
pub const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# Results of Terrane, which can be removed at any time.\n";

pub fn is_hex(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// The folders of a table.
pub fn shelves(table: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(table) else { return Vec::new() };
    let is_shelf = |name: &str| name.len() == 2 && is_hex(name);
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(is_shelf))
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
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let meta = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            Some(CacheFile { path: entry.path(), name, length: meta.len(), used: meta.modified().ok()? })
        })
        .collect()
}

/// What is being written, or was when a process ended.
pub fn temporaries(folder: &Path) -> Vec<CacheFile> {
    let mut files = list(&folder.join("tmp"));
    files.retain(|file| file.name.starts_with(TEMPORARY));
    files
}

/// Removes a file, and says why.
pub fn discard(file: PathBuf, reason: String) -> Damage {
    // In a read-only folder the file stays; it is a miss all the same.
    let _best_effort = fs::remove_file(&file);
    Damage { file, reason }
}
