//! Expected contents of files, and their contents after a kill.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use terrane::runs::outputs::{MANIFEST, Manifest, verify};

use super::{Folders, Mode, VARIANTS};
use crate::Result;

/// Files of a folder by their relative paths, without temporary ones.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The results of undisturbed runs in clean folders.
pub struct Whole {
    /// Files per variant.
    files: Vec<Files>,
    /// Duration of the longest run.
    pub time: Duration,
}

/// What a check covered.
pub struct Found {
    /// Number of files.
    pub files: u64,
    /// Number of files whose sidecar belongs to another variant.
    pub apart: u64,
}

impl Whole {
    /// Runs all variants to completion.
    pub fn new(mode: &dyn Mode, clean: &Folders) -> Result<Self> {
        let (mut files, mut time) = (Vec::new(), Duration::ZERO);
        for variant in 0..VARIANTS {
            clean.clear()?;
            let begun = Instant::now();
            if !mode.whole(clean, variant).status()?.success() {
                return Err("an undisturbed run failed".into());
            }
            time = time.max(begun.elapsed());
            files.push(all(&clean.out)?);
        }
        Ok(Self { files, time })
    }

    /// Checks that every file is whole: equal to a file of some undisturbed run.
    pub fn look(&self, at: &Folders) -> Result<Found> {
        let (now, mut apart) = (all(&at.out)?, 0);
        for folder in manifests(&at.out)? {
            Manifest::read(&folder)
                .map_err(|error| format!("the manifest of {}: {error}", folder.display()))?;
        }
        for (file, bytes) in now.iter().filter(|(file, _)| !is_grown(file)) {
            if !self.files.iter().any(|files| files.get(file) == Some(bytes)) && !tells_of_two(bytes) {
                return Err(format!("{} matches no undisturbed run", file.display()).into());
            }
            let mut name = file.clone().into_os_string();
            name.push(".json");
            let side = PathBuf::from(name);
            if let Some(beside) = now.get(&side) {
                let fits = |files: &Files| files.get(file) == Some(bytes) && files.get(&side) == Some(beside);
                apart += u64::from(!self.files.iter().any(fits));
            }
        }
        Ok(Found { files: now.len() as u64, apart })
    }

    /// Checks that a run after kills writes the same files as a run in clean folders.
    pub fn compare(&self, mode: &dyn Mode, at: &Folders, variant: u32) -> Result<()> {
        if !mode.whole(at, variant).status()?.success() {
            return Err("a run after kills failed".into());
        }
        let (now, whole) = (all(&at.out)?, &self.files[variant as usize]);
        if let Some(file) = whole.keys().find(|file| now.get(*file) != whole.get(*file)) {
            return Err(format!("{} differs after kills", file.display()).into());
        }
        if let Some(file) = now.keys().find(|file| !whole.contains_key(*file)) {
            return Err(format!("{} remained after kills", file.display()).into());
        }
        // Sweeps write no manifest.
        if !manifests(&at.out)?.is_empty() {
            verify(&at.out, |_, _| ()).map_err(|failure| format!("after kills: {failure}"))?;
        }
        Ok(())
    }
}

/// Whether a sidecar has digests of the data before and after, as it does between two renames.
fn tells_of_two(bytes: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(bytes).is_ok_and(|note| note.get("other").is_some())
}

/// Tables grow and are checked by rows; a killed sweep's lock remains until the next sweep.
fn is_grown(file: &Path) -> bool {
    file.extension().is_some_and(|extension| ["csv", "md", "lock"].iter().any(|known| extension == *known))
}

/// Folders with a manifest. A manifest also contains the graph's text, so it differs when the same files
/// come from different texts.
fn manifests(folder: &Path) -> Result<Vec<PathBuf>> {
    let pages = walk(folder)?.into_iter().filter(|path| path.ends_with(MANIFEST));
    Ok(pages.filter_map(|path| path.parent().map(Path::to_owned)).collect())
}

/// All files in a folder, recursively, except manifests and temporary files.
pub fn all(folder: &Path) -> Result<Files> {
    let mut found = Files::new();
    for path in walk(folder)?.into_iter().filter(|path| !is_temporary(path) && !path.ends_with(MANIFEST)) {
        found.insert(path.strip_prefix(folder)?.to_owned(), std::fs::read(&path)?);
    }
    Ok(found)
}

/// Temporary files in a folder, recursively.
pub fn leftovers(folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(walk(folder)?.into_iter().filter(|path| is_temporary(path)).collect())
}

fn is_temporary(path: &Path) -> bool {
    let in_cache = path.parent().is_some_and(|folder| folder.ends_with("cache/tmp"));
    in_cache || path.extension().is_some_and(|extension| extension == "tmp")
}

fn walk(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.exists() {
        return Ok(found);
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(walk(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

/// Sets modification times back by two hours.
pub fn age(files: &[PathBuf]) -> Result<()> {
    for file in files {
        let past = SystemTime::now() - Duration::from_secs(7200);
        std::fs::OpenOptions::new().write(true).open(file)?.set_modified(past)?;
    }
    Ok(())
}
