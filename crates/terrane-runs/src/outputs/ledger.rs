//! A record of the content of each written file. With it, a run with the same result neither loads the value
//! nor writes the file again.
//!
//! Manifests hold the same facts, but an output folder may come from anywhere. This record is in the cache.
//! Only this record decides whether a file is skipped.

use std::io::Write;
use std::path::{Path, PathBuf};

use terrane_flow::{FileDigests, OutputEntry, ValueId};
use terrane_io::{read_regular, write_atomic};

use super::manifest::OutputFile;

/// The contents of output files as they were written.
pub struct Ledger {
    folder: Option<PathBuf>,
    /// Digests of the graphs' source files. A digest is valid as long as its file does not change.
    pub(super) sources: FileDigests,
}

impl Ledger {
    /// A ledger in the cache folder. Without a cache folder, the ledger knows no files.
    #[must_use]
    pub fn new(cache: Option<&Path>) -> Self {
        Self { folder: cache.map(|folder| folder.join("outputs")), sources: FileDigests::default() }
    }

    fn record_path(&self, file: &Path) -> Option<PathBuf> {
        let absolute = std::path::absolute(file).ok()?;
        let name = blake3::hash(absolute.as_os_str().as_encoded_bytes()).to_hex();
        Some(self.folder.as_ref()?.join(&name[..32]))
    }

    /// The identity of the value in a file; `None` unless the file was written with these options and has
    /// these bytes.
    pub(super) fn id(&self, file: &Path, entry: &OutputEntry, listed: &OutputFile) -> Option<ValueId> {
        let page = read_regular(&self.record_path(file)?).ok()?;
        let page = std::str::from_utf8(&page).ok()?;
        let id = ValueId::from_hex(page.lines().nth(1)?)?;
        (page == text(id, entry, listed)).then_some(id)
    }

    /// Records the contents of a file.
    pub(super) fn note(&self, file: &Path, id: ValueId, entry: &OutputEntry, listed: &OutputFile) {
        let Some(page) = self.record_path(file) else { return };
        if self.folder.as_deref().is_some_and(Path::is_symlink) {
            return;
        }
        // If this fails, the only effect is that the file is written again.
        let _best_effort =
            write_atomic(&page, false, |out| out.write_all(text(id, entry, listed).as_bytes()));
    }
}

/// The version of the files' contents: a file of an earlier version is written again.
const VERSION: u32 = 4;

/// The text of a record: the identity and the digest of the value, the options, the digest of the place on a
/// map, and the digests of the file and its sidecar.
fn text(id: ValueId, entry: &OutputEntry, listed: &OutputFile) -> String {
    let OutputFile { content, place, state, .. } = listed;
    let sidecar = listed.sidecar.as_ref().map(|state| &*state.blake3).unwrap_or_default();
    format!("{VERSION}\n{}\n{content}\n{:?}\n{place}\n{} {sidecar}\n", id.hex(), entry.options, state.blake3)
}
