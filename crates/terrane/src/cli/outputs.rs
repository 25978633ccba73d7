//! Values into files, and what is known of files already written.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use terrane_flow::{Digest, OutputEntry, Value};
use terrane_io::{Sidecar, WriteOptions, Written, write_atomic};
use terrane_nodes::values::TerrainKind;

/// Writes a value to a file, its format by extension.
///
/// # Errors
/// What went wrong, and what to do.
pub fn write(path: &Path, value: &Value, options: &WriteOptions) -> Result<Written, (String, String)> {
    let kind = TerrainKind::find(value.kind()).ok_or_else(|| {
        (format!("a {} cannot be written to a file", value.kind().name), "connect another output".to_owned())
    })?;
    let written = kind.write(value, path, options);
    written.map_err(|error| (format!("{}: {}", error.path.display(), error.problem), error.remedy()))
}

/// Bytes that writing a value takes beside it.
pub fn needed(value: &Value, threads: usize) -> u64 {
    TerrainKind::find(value.kind()).map_or(0, |kind| kind.bytes_to_write(value, threads))
}

/// The path of an output of a graph below the folder of outputs.
///
/// # Errors
/// When a link there, of the file, of its sidecar or of a folder on the way, leads out of the folder: graphs of strangers are to write nowhere else. When it
/// is one of `inputs`, the files that the graph is made from.
pub fn place(out: &Path, file: &str, inputs: &[PathBuf]) -> Result<PathBuf, (String, String)> {
    let path = out.join(file);
    let real = |path: &Path| fs::canonicalize(path);
    // A folder that is not there has no links in it.
    let Ok(root) = real(out) else { return Ok(path) };
    let leads_out = |path: &Path| {
        if !path.is_symlink() && !path.exists() {
            return false;
        }
        // A link to nothing cannot be followed, but could be written through.
        real(path).map_or(true, |real| !real.starts_with(&root))
    };
    let below = path.ancestors().take_while(|folder| *folder != out).map(Path::to_owned);
    if let Some(link) = below.chain([Sidecar::path_of(&path)]).find(|path| leads_out(path)) {
        return Err((
            format!(
                "cannot write {}: the link {} leads out of {}",
                path.display(),
                link.display(),
                out.display()
            ),
            "remove the link, or name the folder that it leads to with --out".to_owned(),
        ));
    }
    if let Ok(own) = real(&path)
        && inputs.iter().any(|input| real(input).is_ok_and(|input| input == own))
    {
        return Err((
            format!("cannot write {}: the graph is made from this file", path.display()),
            "name another output, or another folder with --out".to_owned(),
        ));
    }
    Ok(path)
}

/// The options of an output.
pub fn options(entry: &OutputEntry) -> Result<WriteOptions, (String, String)> {
    terrane_nodes::write_options(entry.options.iter().map(|(name, value)| (name.as_str(), value.as_str())))
}

/// What was written where: so that a run that would write the same again neither loads nor writes.
pub struct Ledger {
    folder: Option<PathBuf>,
}

impl Ledger {
    /// A ledger in the cache's folder.
    pub fn new(cache: Option<&Path>) -> Self {
        Self { folder: cache.map(|folder| folder.join("outputs")) }
    }

    fn page(&self, file: &Path) -> Option<PathBuf> {
        let absolute = std::path::absolute(file).ok()?;
        let name = blake3::hash(absolute.as_os_str().as_encoded_bytes()).to_hex();
        Some(self.folder.as_ref()?.join(&name[..32]))
    }

    /// The content that a file holds, when it is just as it was written, with the same options.
    pub fn content(&self, file: &Path, entry: &OutputEntry) -> Option<Digest> {
        let page = fs::read_to_string(self.page(file)?).ok()?;
        let [digest, options, state] = page.lines().collect::<Vec<_>>()[..] else { return None };
        (options == format!("{:?}", entry.options) && state == state_of(file)?)
            .then(|| Digest::from_hex(digest))?
    }

    /// Notes what a file holds.
    pub fn note(&self, file: &Path, entry: &OutputEntry, content: Digest) {
        let (Some(page), Some(state)) = (self.page(file), state_of(file)) else { return };
        let text = format!("{}\n{:?}\n{state}\n", content.hex(), entry.options);
        // Without a note the file is only written again.
        let _best_effort = write_atomic(&page, false, |out| out.write_all(text.as_bytes()));
    }
}

/// A file's bytes and those of its sidecar, hashed.
fn state_of(file: &Path) -> Option<String> {
    // Opening a pipe would wait for somebody who writes to it.
    let regular = |path: &Path| fs::metadata(path).ok()?.is_file().then(|| fs::File::open(path).ok())?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(regular(file)?).ok()?;
    if let Some(sidecar) = regular(&Sidecar::path_of(file)) {
        hasher.update_reader(sidecar).ok()?;
    }
    Some(hasher.finalize().to_hex().to_string())
}
