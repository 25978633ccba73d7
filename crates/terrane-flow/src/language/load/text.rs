//! Reads text files, and checks where files may lie.

use std::io::Read;
use std::path::{Path, PathBuf};

use terrane_syntax::Problem;

use crate::model::fields::Field;
use crate::model::files::{Entry, Files};
use crate::report::suggest::shorten_path;
use crate::report::{Diagnostic, Diagnostics, SourceText};

/// The maximum size of a graph file in bytes. A larger file is not a graph. As a tree, a text takes up to 35
/// times its size in memory (`terrane-syntax/tree.rs`).
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// The text of a graph's or a world's file.
///
/// # Errors
/// If it cannot be read, is not UTF-8, or is larger than 16 MiB.
pub fn read_source(files: &dyn Files, path: &Path) -> Result<SourceText, Diagnostics> {
    match read_text(files, path) {
        Ok(text) => Ok(SourceText { name: path.display().to_string(), text: text.into() }),
        Err(Problem { message, help }) => {
            let message = format!("cannot read {}: {message}", shorten_path(&path.display().to_string()));
            Err(Diagnostic::nowhere(message, help).coded("file").into())
        }
    }
}

/// The text of a graph file, or what is wrong and what to do.
pub fn read_text(files: &dyn Files, path: &Path) -> Result<String, Problem> {
    let problem = |error: std::io::Error| {
        let help = match error.kind() {
            std::io::ErrorKind::NotFound => {
                "check the path, or create a starter graph with `terrane new NAME`"
            }
            std::io::ErrorKind::PermissionDenied => "check the file's permissions",
            _ => "name a text file that contains a graph",
        };
        Problem::new(error.to_string(), help)
    };
    let name_a_graph = || "name a text file that contains a graph".to_owned();
    let mut bytes = Vec::new();
    let file = files.open(path).map_err(problem)?;
    file.content.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(problem)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Problem::new(format!("it has more than {} MiB", MAX_FILE_BYTES >> 20), name_a_graph()));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        Problem::new(format!("it is not UTF-8 text: line {line}, byte {at} of the file"), "save it as UTF-8")
    })?;
    Ok(text)
}

/// The canonical path of a file, or the path itself if the file does not exist.
pub fn canonical_path(files: &dyn Files, path: &Path) -> PathBuf {
    files.real(path).unwrap_or_else(|_| path.to_owned())
}

/// Records a file to be watched, even if it does not exist yet. Folders are not recorded, since a folder
/// changes with everything in it.
pub fn note(noted: &mut Vec<PathBuf>, files: &dyn Files, folder: &Path, given: &str) {
    let path = folder.join(given);
    if !given.is_empty() && !matches!(files.entry(&path), Ok(Entry::Folder)) {
        noted.push(path);
    }
}

/// The field that names a file. An empty name is that of a field which is missing or empty.
pub fn naming<'a>(fields: &'a [Field<'a>], given: &str) -> Option<&'a Field<'a>> {
    fields.iter().find(|field| match given {
        "" => field.value.trim() == "\"\"",
        given => field.value.contains(given),
    })
}

/// The path of the file that `given` names in `folder`. The file must exist, and must lie below `root` unless
/// `outside` is set.
pub fn resolve(
    files: &dyn Files,
    root: &Path,
    folder: &Path,
    given: &str,
    outside: bool,
) -> Result<PathBuf, Problem> {
    if given.is_empty() {
        return Err(Problem::new(
            "no file is named".to_owned(),
            "write the file's path in quotes, relative to the graph".to_owned(),
        ));
    }
    let (path, shown) = (folder.join(given), shorten_path(given));
    let found = files.real(&path).and_then(|real| Ok((files.entry(&real)?, real)));
    let (entry, real) = found.map_err(|error| {
        Problem::new(
            format!("cannot read {shown}: {error}"),
            format!("paths are relative to the graph's folder, `{}`", folder.display()),
        )
    })?;
    match entry {
        Entry::File(_) => {}
        Entry::Folder => {
            return Err(Problem::new(format!("{shown} is a folder"), "name a file".to_owned()));
        }
        Entry::Other => {
            return Err(Problem::new(
                format!("{shown} is not a regular file"),
                "name a regular file".to_owned(),
            ));
        }
    }
    let inside = files.real(root).is_ok_and(|root| real.starts_with(root));
    if !inside && !outside {
        return Err(Problem::new(
            format!("{shown} is outside the graph's folder `{}`", root.display()),
            "move the file below the graph, or allow it with --allow-outside".to_owned(),
        ));
    }
    Ok(path)
}

/// Checks a companion file. If it exists, it must be a regular file, and must lie below `root` unless
/// `outside` is set.
pub fn stays(files: &dyn Files, root: &Path, file: &Path, outside: bool) -> Result<(), Problem> {
    let Ok(real) = files.real(file) else { return Ok(()) };
    let name = file.display();
    if !matches!(files.entry(&real), Ok(Entry::File(_))) {
        return Err(Problem::new(
            format!("`{name}` is not a regular file"),
            "remove it, or replace it with a regular file".to_owned(),
        ));
    }
    let inside = outside || files.real(root).is_ok_and(|root| real.starts_with(root));
    if inside {
        return Ok(());
    }
    Err(Problem::new(
        format!("`{name}` is outside the graph's folder `{}`", root.display()),
        "replace the link with the file itself, or allow it with --allow-outside".to_owned(),
    ))
}
