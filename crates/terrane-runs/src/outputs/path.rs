//! The paths at which outputs may be written.

use std::fs;
use std::path::{Path, PathBuf};

use terrane_flow::name_key;
use terrane_flow::syntax::Problem;
use terrane_io::{LeadsOut, Sidecar, check_links, check_links_below};

/// The path of an output below the output folder.
///
/// # Errors
/// Fails if the output folder is a link that leads out of the working folder, unless its path is absolute.
/// Fails if the file, its sidecar or a folder on the path is a link that leads out of the output folder. An
/// untrusted graph must not write elsewhere. Also fails if the file is one of `inputs`, the graph's source
/// files.
pub fn place(out: &Path, file: &str, inputs: &[PathBuf]) -> Result<PathBuf, Problem> {
    let path = out.join(file);
    let sidecar = Sidecar::path_of(Path::new(file));
    check_links(out)
        .and_then(|()| check_links_below(out, Path::new(file)))
        .and_then(|()| check_links_below(out, &sidecar))
        .map_err(|found| {
            let message = format!("cannot write {}: {found}", path.display());
            Problem::new(message, "remove the link, or choose its target folder with --out")
        })?;
    check_unread(&path, inputs).map(|()| path)
}

/// Checks that a file is none of those that a graph reads.
///
/// # Errors
/// Fails if it is one of `inputs`, even by another path, or if its name is that of one on a system that
/// ignores case: a graph must not lose a file there that it keeps here.
pub fn check_unread(path: &Path, inputs: &[PathBuf]) -> Result<(), Problem> {
    let (target, key) = (fs::canonicalize(path).ok(), key(path));
    let is_target = |input: &PathBuf| target.is_some() && fs::canonicalize(input).ok() == target;
    if inputs.iter().any(|input| is_target(input) || key.is_some() && self::key(input) == key) {
        return Err(Problem::new(
            format!("cannot write {}: the graph reads this file", path.display()),
            "choose another name or folder",
        ));
    }
    Ok(())
}

/// The folder of a file, and its name as systems compare it that ignore case. `None` if there is no such
/// folder.
fn key(path: &Path) -> Option<(PathBuf, String)> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((fs::canonicalize(folder).ok()?, name_key(path.file_name()?.to_str()?)))
}

/// Checks that a file that the user named can be written and is none of `inputs`, before anything is
/// evaluated.
///
/// # Errors
/// Fails if a link on a relative path leads out of the working folder, if the file is a link that leads out
/// of its folder, or if it exists and is not a regular file. Also fails if the file or its sidecar is one of
/// `inputs`, the files that the graph reads.
pub fn check_named(path: &Path, inputs: &[PathBuf]) -> Result<(), Problem> {
    let name = path.file_name().map(Path::new).unwrap_or(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    check_links(path).and_then(|()| check_links_below(folder, name)).map_err(|found| {
        Problem::new(format!("cannot write {}: {found}", path.display()), LeadsOut::REMEDY)
    })?;
    if path.exists() && !path.is_file() {
        let message = format!("cannot write {}: it exists and is not a regular file", path.display());
        return Err(Problem::new(message, "remove it, or choose another name"));
    }
    check_unread(path, inputs).and_then(|()| check_unread(&Sidecar::path_of(path), inputs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_read_is_not_written_under_a_name_that_differs_in_case() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("dem.npy"), "").unwrap();
        fs::create_dir(at("out")).unwrap();
        let inputs = [at("dem.npy")];
        for name in ["dem.npy", "DEM.NPY", "out/../Dem.npy"] {
            assert!(check_unread(&at(name), &inputs).is_err(), "{name}");
        }
        for name in ["dem2.npy", "out/dem.npy", "nowhere/dem.npy"] {
            assert!(check_unread(&at(name), &inputs).is_ok(), "{name}");
        }
    }
}
