//! What files should hold, and what they hold after a kill.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use terrane::runs::outputs::{MANIFEST, Manifest, verify};

use super::{Mode, Places, VARIANTS};
use crate::Result;

/// Files of a folder by their paths in it, temporary ones left out.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// What undisturbed runs in clean folders give.
pub struct Whole {
    /// Per variant.
    files: Vec<Files>,
    /// How long the longest took.
    pub time: Duration,
}

/// What was looked at.
pub struct Found {
    /// Files.
    pub files: u64,
    /// Files whose sidecar is of another variant.
    pub apart: u64,
}

impl Whole {
    /// Runs all variants to their ends.
    pub fn new(mode: &dyn Mode, clean: &Places) -> Result<Self> {
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

    /// Every file is whole: it is one of those of undisturbed runs.
    pub fn look(&self, at: &Places) -> Result<Found> {
        let (now, mut apart) = (all(&at.out)?, 0);
        for folder in manifests(&at.out)? {
            Manifest::read(&folder)
                .map_err(|error| format!("the manifest of {}: {error}", folder.display()))?;
        }
        for (file, bytes) in now.iter().filter(|(file, _)| !is_grown(file)) {
            if !self.files.iter().any(|files| files.get(file) == Some(bytes)) && !tells_of_two(bytes) {
                return Err(format!("{} is of no undisturbed run", file.display()).into());
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

    /// A run after kills gives the files that a run in clean folders gives.
    pub fn compare(&self, mode: &dyn Mode, at: &Places, variant: u32) -> Result<()> {
        if !mode.whole(at, variant).status()?.success() {
            return Err("a run after kills failed".into());
        }
        let (now, whole) = (all(&at.out)?, &self.files[variant as usize]);
        if let Some(file) = whole.keys().find(|file| now.get(*file) != whole.get(*file)) {
            return Err(format!("{} differs after kills", file.display()).into());
        }
        if let Some(file) = now.keys().find(|file| !whole.contains_key(*file)) {
            return Err(format!("{} is left after kills", file.display()).into());
        }
        // Sweeps write no manifest.
        if !manifests(&at.out)?.is_empty() {
            verify(&at.out, |_, _| ()).map_err(|failure| format!("after kills: {failure}"))?;
        }
        Ok(())
    }
}

/// Whether a sidecar tells of the data before it and after it, as it does between two renames.
fn tells_of_two(bytes: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(bytes).is_ok_and(|note| note.get("other").is_some())
}

/// Tables grow, which is looked at by rows; the lock of a killed sweep stays until the next.
fn is_grown(file: &Path) -> bool {
    file.extension().is_some_and(|extension| ["csv", "md", "lock"].iter().any(|known| extension == *known))
}

/// Folders with a manifest, which also tells of the graph's text, and so has other bytes where the same files
/// come of other texts.
fn manifests(folder: &Path) -> Result<Vec<PathBuf>> {
    let pages = walk(folder)?.into_iter().filter(|path| path.ends_with(MANIFEST));
    Ok(pages.filter_map(|path| path.parent().map(Path::to_owned)).collect())
}

/// All files of a folder and those below it but manifests and temporary ones.
pub fn all(folder: &Path) -> Result<Files> {
    let mut found = Files::new();
    for path in walk(folder)?.into_iter().filter(|path| !is_temporary(path) && !path.ends_with(MANIFEST)) {
        found.insert(path.strip_prefix(folder)?.to_owned(), std::fs::read(&path)?);
    }
    Ok(found)
}

/// Temporary files in a folder and those below it.
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

/// Makes files look two hours old.
pub fn age(files: &[PathBuf]) -> Result<()> {
    for file in files {
        let past = SystemTime::now() - Duration::from_secs(7200);
        std::fs::OpenOptions::new().write(true).open(file)?.set_modified(past)?;
    }
    Ok(())
}
