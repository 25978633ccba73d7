//! Links on the way to a file that is written.
//!
//! A folder of graphs from a stranger may hold links. A file that is written through such a link would
//! replace a file elsewhere, which the user did not name.

use std::{
    fmt, fs, io,
    path::{Component, Path, PathBuf},
};

/// A link that leads out of the folder in which the caller wants to write.
#[derive(Debug)]
pub struct LeadsOut {
    /// The link.
    pub link: PathBuf,
    /// The folder that it leads out of.
    pub folder: PathBuf,
}

impl fmt::Display for LeadsOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = if self.folder == Path::new(".") {
            "the working folder".into()
        } else {
            self.folder.display().to_string()
        };
        write!(f, "the link {} leads out of {folder}", self.link.display())
    }
}

impl std::error::Error for LeadsOut {}

impl LeadsOut {
    /// What a person can do about it.
    pub const REMEDY: &str = "remove the link, or name the file or folder that it leads to";
}

impl From<LeadsOut> for io::Error {
    fn from(found: LeadsOut) -> Self {
        Self::other(found)
    }
}

/// Checks that a file or folder to be written lies where its path says.
///
/// A relative path must stay in the working folder, or in the folder to which its `..` lead. An absolute path
/// may lead anywhere, because the user wrote all of it. Parts that do not exist are no links.
///
/// # Errors
/// The first link that leads out, or that leads nowhere.
pub fn check_links(path: &Path) -> Result<(), LeadsOut> {
    if path.is_absolute() || path.has_root() {
        return Ok(());
    }
    let parts: Vec<Component<'_>> = path.components().collect();
    let named = parts.iter().rposition(|part| *part == Component::ParentDir).map_or(0, |at| at + 1);
    let folder: PathBuf = parts[..named].iter().collect();
    let folder = if named == 0 { PathBuf::from(".") } else { folder };
    check_links_below(&folder, parts[named..].iter().collect::<PathBuf>().as_path())
}

/// Checks that no link on the way from a folder to a path below it leads out of the folder.
///
/// # Errors
/// The first link that leads out, or that leads nowhere.
pub fn check_links_below(folder: &Path, below: &Path) -> Result<(), LeadsOut> {
    // A folder that does not exist contains no links.
    let Ok(root) = fs::canonicalize(folder) else { return Ok(()) };
    let mut path = folder.to_owned();
    let goes_up = below.components().any(|part| part == Component::ParentDir);
    for part in below.components() {
        path.push(part);
        // Below what does not exist, there are no links. This also ends the search in paths that are longer
        // than any system allows.
        if !goes_up && fs::symlink_metadata(&path).is_err() {
            return Ok(());
        }
        if path.is_symlink() && !fs::canonicalize(&path).is_ok_and(|real| real.starts_with(&root)) {
            return Err(LeadsOut { link: path, folder: folder.to_owned() });
        }
    }
    Ok(())
}

/// The file that a path to be written names: the path itself, or the target of a link within its folder.
pub(crate) fn target(path: &Path) -> io::Result<PathBuf> {
    check_links(path)?;
    let name = path.file_name().map_or_else(|| path.to_owned(), PathBuf::from);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    check_links_below(folder, &name)?;
    // Renaming onto a link would replace the link, not what it points to.
    if path.is_symlink() { fs::canonicalize(path) } else { Ok(path.to_owned()) }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_may_not_lead_out_of_the_folder_that_was_named() {
        let outside = tempfile::tempdir().unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("precious"), "mine").unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        fs::write(folder.path().join("in/file"), "ours").unwrap();
        for (link, target, is_fine) in [
            ("a", outside.path().join("precious"), false),
            ("b", outside.path().join("not there"), false),
            ("c", outside.path().to_owned(), false),
            ("d", folder.path().join("in"), true),
            ("e", folder.path().join("in/file"), true),
            ("in/f", folder.path().join("in/file"), true),
        ] {
            symlink(&target, folder.path().join(link)).unwrap();
            let checked = check_links_below(folder.path(), Path::new(link));
            assert_eq!(checked.is_ok(), is_fine, "{link} -> {}", target.display());
            if !is_fine {
                let said = super::target(&folder.path().join(link)).unwrap_err().to_string();
                assert!(said.contains("leads out of"), "{said}");
            }
        }
        assert!(check_links_below(folder.path(), Path::new("c/new/file")).is_err());
        assert!(check_links_below(folder.path(), Path::new("d/new/file")).is_ok());
        assert!(check_links_below(folder.path(), Path::new("none/such")).is_ok());
        let long: PathBuf = std::iter::repeat_n("none", 200_000).collect();
        let start = std::time::Instant::now();
        assert!(check_links_below(folder.path(), &long).is_ok());
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
        assert!(check_links(folder.path()).is_ok(), "an absolute path is all the user's");
    }
}
