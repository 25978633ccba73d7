//! Writing and checking of generated files.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use crate::picture::Renderer;
use crate::{Result, say};

/// Generated files of one folder, by their names.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Writes or checks pages, with a renderer that they share.
pub fn pages(parts: &[fn(&Renderer, bool) -> Result<()>], check: bool) -> Result<()> {
    let renderer = Renderer::new()?;
    parts.iter().try_for_each(|part| part(&renderer, check))
}

/// Writes the files of a folder, and removes its other files.
pub fn write(folder: &Path, files: &Files) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !files.contains_key(&*entry.file_name().to_string_lossy()) {
            std::fs::remove_file(entry.path())?;
        }
    }
    for (name, bytes) in files {
        terrane_io::write_atomic(&folder.join(name), false, |out| out.write_all(bytes))?;
    }
    let size: usize = files.values().map(Vec::len).sum();
    say(&format!("{}: {} files, {} kB", folder.display(), files.len(), size / 1000));
    Ok(())
}

/// Compares the files of a folder with those that `command` would write.
pub fn compare(folder: &Path, files: &Files, command: &str) -> Result<()> {
    for (name, bytes) in files {
        if std::fs::read(folder.join(name)).ok().as_ref() != Some(bytes) {
            return Err(format!("{} is stale: run `{command}`", folder.join(name).display()).into());
        }
    }
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        if !files.contains_key(&*name.to_string_lossy()) {
            let path = folder.join(name);
            return Err(format!("{} belongs to no page: run `{command}`", path.display()).into());
        }
    }
    say(&format!("{}: {} files are fresh", folder.display(), files.len()));
    Ok(())
}
