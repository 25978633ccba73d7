//! Values into files, and what is known of files already written.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use terrane_flow::{Data as _, Digest, OutputEntry, Value};
use terrane_io::{Sidecar, WriteOptions, Written};
use terrane_io::{write_animation, write_atomic, write_heightmap, write_mesh, write_picture};
use terrane_nodes::values::{Animation, Chart, Map, MeshValue, Picture, Table};

/// Writes a value to a file, its format by extension.
///
/// # Errors
/// What went wrong, and what to do.
pub fn write(path: &Path, value: &Value, options: &WriteOptions) -> Result<Written, (String, String)> {
    let written = if let Some(map) = value.get::<Map>() {
        write_heightmap(path, map, options)
    } else if let Some(picture) = value.get::<Picture>() {
        write_picture(path, picture, options.effort)
    } else if let Some(animation) = value.get::<Animation>() {
        write_animation(path, &animation.pictures, animation.milliseconds)
    } else if let Some(mesh) = value.get::<MeshValue>() {
        write_mesh(path, mesh)
    } else {
        let text = text(path, value).ok_or_else(|| {
            (format!("a {} cannot be written so", value.kind().name), "choose .json or .csv".to_owned())
        })?;
        write_atomic(path, false, |out| text.write(out))
    };
    written.map_err(|error| (format!("{}: {}", error.path.display(), error.problem), error.remedy()))
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

/// Bytes that writing a value takes beside it: rasters and meshes are written piece by piece, on each thread; numbers are
/// JSON before they are text, which takes ten times what they do.
pub fn needed(value: &Value, threads: usize) -> u64 {
    const PIECE: u64 = 1 << 20;
    let in_pieces = [Map::KIND, Picture::KIND, Animation::KIND, MeshValue::KIND, Chart::KIND];
    let bytes = value.heap_bytes() as u64;
    let whole = if in_pieces.contains(&value.kind().name) { 0 } else { bytes.saturating_mul(10) };
    whole + PIECE * threads as u64
}

/// What a text file is to hold.
enum Text<'a> {
    Plain(Cow<'a, str>),
    Json(serde_json::Value),
}

impl Text<'_> {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Plain(text) => out.write_all(text.as_bytes()),
            Self::Json(json) => writeln!(out, "{json:#}"),
        }
    }
}

fn text<'a>(path: &Path, value: &'a Value) -> Option<Text<'a>> {
    if let Some(chart) = value.get::<Chart>() {
        return Some(Text::Plain(Cow::Borrowed(&chart.0)));
    }
    let csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    match value.get::<Table>() {
        Some(table) if csv => Some(Text::Plain(Cow::Owned(table.to_csv()))),
        _ => Some(Text::Json(value.to_json()?)),
    }
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
