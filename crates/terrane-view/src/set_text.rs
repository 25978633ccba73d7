//! Sets the texts of files whose present texts are known, so that nothing that another program saved is lost.

use std::path::Path;

use crate::draft::WrittenFile;

/// Why a file is left as it is.
pub const SAVED: &str = "another program has just saved it";

/// Sets the text of a file that has the text `before`, or that does not exist if that is `None`.
///
/// # Errors
/// If the file cannot be written, or if its text is another one.
pub fn put(path: &Path, before: Option<&str>, after: &str) -> Result<(), String> {
    let is_same =
        || terrane_io::read_regular(path).is_ok_and(|bytes| Some(&*bytes) == before.map(str::as_bytes));
    let saved = || Err(std::io::Error::other(SAVED));
    let text = |out: &mut dyn std::io::Write| out.write_all(after.as_bytes());
    let done = match before {
        // The last check before renaming, so that a file saved in the meantime is not overwritten.
        Some(_) => {
            terrane_io::write_atomic_if(path, || if is_same() { Ok(()) } else { saved() }, |out| text(out))
        }
        None => match terrane_io::create_atomic(path, |out| text(out)) {
            Ok(false) => return Err("another program has just made it".to_owned()),
            done => done.map(|_| terrane_io::Written::Created),
        },
    };
    done.map(|_| ()).map_err(|error| error.problem.to_string())
}

/// Sets the text of a file, or removes the file, if it has the text `from`.
///
/// # Errors
/// As [`put`].
pub fn replace(path: &Path, from: Option<&str>, to: Option<&str>) -> Result<(), String> {
    match to {
        Some(to) => put(path, from, to),
        // A link is not the file that was made.
        None => match terrane_io::read_regular(path) {
            Ok(_) if path.is_symlink() => Err(SAVED.to_owned()),
            Ok(bytes) if Some(&*bytes) == from.map(str::as_bytes) => {
                std::fs::remove_file(path).map_err(|error| error.to_string())
            }
            _ => Err(SAVED.to_owned()),
        },
    }
}

/// Takes back the writing of files, or repeats it: all of them or none.
///
/// # Errors
/// If a file has another text now, or cannot be set.
pub fn turn(files: &[WrittenFile], back: bool) -> Result<(), String> {
    let ends = |file: &WrittenFile, back: bool| {
        let texts = (Some(file.after.clone()), file.before.clone());
        if back { texts } else { (texts.1, texts.0) }
    };
    for file in files {
        let now = terrane_io::read_regular(&file.path).ok();
        let is_there = file.path.symlink_metadata().is_ok();
        let (from, _) = ends(file, back);
        if now.as_deref() != from.as_deref().map(str::as_bytes) || is_there != from.is_some() {
            return Err(format!("{} has another text now", file.shown));
        }
    }
    // The file that names the others was written last.
    let order: Vec<&WrittenFile> = if back { files.iter().rev().collect() } else { files.iter().collect() };
    for (index, file) in order.iter().enumerate() {
        let (from, to) = ends(file, back);
        if let Err(why) = replace(&file.path, from.as_deref(), to.as_deref()) {
            for file in order[..index].iter().rev() {
                let (from, to) = ends(file, back);
                let _as_before = replace(&file.path, to.as_deref(), from.as_deref());
            }
            return Err(format!("{} cannot be set: {why}", file.shown));
        }
    }
    Ok(())
}
