//! The folder that an editor has opened, and the graphs in it.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use gen_lsp_types::Uri;
use terrane_flow::Files;
use terrane_flow::syntax::first_word;

/// Graphs that are read, at most.
const MOST: usize = 2000;
/// Files and folders that are looked at, at most.
const MOST_ENTRIES: usize = 50_000;
/// Folders in folders, at most.
const DEEPEST: usize = 12;
/// Bytes of a graph that is read, at most.
const LONGEST: u64 = 4 << 20;

/// The folders that are open. Nothing outside is searched or changed.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    roots: Vec<PathBuf>,
}

impl Workspace {
    /// These folders.
    #[must_use]
    pub fn new(roots: Vec<PathBuf>) -> Self {
        Self { roots: roots.into_iter().map(|root| real(&root)).collect() }
    }

    /// Whether a file is in one of the folders.
    #[must_use]
    pub fn holds(&self, path: &Path) -> bool {
        let path = real(path);
        self.roots.iter().any(|root| path.starts_with(root))
    }

    /// The files in the folders that begin as graphs or worlds do, with their texts: at most so many bytes.
    /// Hidden folders and `target` are left out.
    pub fn graphs<'a>(
        &self,
        files: &'a dyn Files,
        mut bytes: u64,
    ) -> impl Iterator<Item = (PathBuf, String)> + use<'a> {
        let mut paths = Vec::new();
        let mut left = MOST_ENTRIES;
        for root in &self.roots {
            // What cannot be read has no graphs.
            let _skipped = search(root, 0, &mut left, &mut paths);
        }
        let texts = paths.into_iter().filter_map(move |path| {
            let text = text_within(files, &path, bytes.min(LONGEST))?;
            bytes = bytes.saturating_sub(text.len() as u64);
            Some((path, text))
        });
        texts.filter(|(_, text)| matches!(first_word(text), Some("Graph" | "World"))).take(MOST)
    }
}

/// The files below a folder whose names end in `.ron`.
fn search(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.take(*left).filter_map(Result::ok).collect();
    *left -= entries.len();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let kind = entry.file_type()?;
        if name.starts_with('.') {
            continue;
        }
        if kind.is_dir() && depth < DEEPEST && name != "target" && name != "node_modules" {
            let _skipped = search(&path, depth + 1, left, found);
        } else if kind.is_file() && name.ends_with(".ron") {
            found.push(path);
        }
    }
    Ok(())
}

/// The text of a file; `None` if it cannot be read, or is too long.
#[must_use]
pub fn text_of(files: &dyn Files, path: &Path) -> Option<String> {
    text_within(files, path, LONGEST)
}

fn text_within(files: &dyn Files, path: &Path, longest: u64) -> Option<String> {
    let mut opened = files.open(path).ok().filter(|opened| opened.length <= longest)?;
    let mut text = String::new();
    opened.content.read_to_string(&mut text).ok()?;
    Some(text)
}

/// The path without links, as far as it exists.
#[must_use]
pub fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if parent != path => real(parent).join(name),
        _ => path.to_owned(),
    }
}

/// The path of an address.
#[must_use]
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    (uri.scheme() == "file").then(|| uri.to_file_path().ok())?
}

/// The address of a path.
#[must_use]
pub fn uri_of(path: &Path) -> Option<Uri> {
    Uri::from_file_path(real(path)).ok()
}
