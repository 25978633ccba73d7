//! What a manifest says.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use terrane_flow::syntax::Problem;
use terrane_io::write_atomic;

/// The name of manifests, beside the outputs that they are of.
pub const MANIFEST: &str = "manifest.json";

/// What the program writes now.
const VERSION: u32 = 1;

/// Bytes of a manifest at most: far more than a graph with outputs for every node has.
const MOST_BYTES: u64 = 256 << 20;

/// What stands in a folder of outputs, and what each file was made from. It says nothing of time and place:
/// the same runs have the same manifest on any machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this page.
    pub manifest: u32,
    /// The runs that files are of, each with the files that it was the last to make or to find as it would
    /// make them.
    pub runs: Vec<Run>,
}

/// A run of a graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The graph's file, without its folder.
    pub graph: String,
    /// The program's version.
    pub terrane: String,
    /// The graph's seed.
    pub seed: u64,
    /// Columns and rows of the graph's maps.
    pub size: (usize, usize),
    /// Distance between samples.
    pub spacing: f64,
    /// World position of the first sample.
    pub origin: (f64, f64),
    /// The graph's parameters as they were, as RON.
    pub parameters: BTreeMap<String, String>,
    /// The types of the graph's nodes, with the versions of their techniques.
    pub nodes: BTreeMap<String, u32>,
    /// The files that the graph is made from, relative to its folder where they are below it.
    pub sources: Vec<Source>,
    /// The outputs.
    pub files: Vec<OutputFile>,
}

/// A file that a graph is made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its path.
    pub file: String,
    /// BLAKE3 of its bytes.
    pub blake3: String,
}

/// An output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputFile {
    /// Its path, relative to the folder of the manifest.
    pub file: String,
    /// The node, or `node.output`.
    pub from: String,
    /// The kind of value.
    pub kind: String,
    /// The digest of the value.
    pub content: String,
    /// The unit of the value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Options of its `Export`, as RON.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// What the kind says of the value: of a map its size, place, extent and range.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub value: Json,
    /// The file's bytes.
    #[serde(flatten)]
    pub state: State,
    /// The sidecar's bytes, where there is one: the file's name and `.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sidecar: Option<State>,
}

/// Bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// How many.
    pub bytes: u64,
    /// BLAKE3 of them.
    pub blake3: String,
}

impl State {
    /// The bytes of a regular file; nothing where there is none.
    ///
    /// # Errors
    /// That it cannot be read.
    pub fn of(file: &Path) -> io::Result<Option<Self>> {
        // Opening a pipe would wait for somebody who writes to it.
        match fs::metadata(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
            Ok(metadata) if !metadata.is_file() => return Ok(None),
            Ok(_) => {}
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(fs::File::open(file)?)?;
        Ok(Some(Self { bytes: hasher.count(), blake3: hasher.finalize().to_hex().to_string() }))
    }
}

/// A path of an output as it is listed: `./a//b` is `a/b`.
pub fn plain(file: &str) -> String {
    let parts = Path::new(file).components().filter(|part| *part != Component::CurDir);
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

impl Default for Manifest {
    fn default() -> Self {
        Self { manifest: VERSION, runs: Vec::new() }
    }
}

impl Manifest {
    /// The manifest of a folder, to be added to: an empty one where there is none, or where it is ours and
    /// damaged.
    ///
    /// # Errors
    /// That another program's file has its name, or a link, or a newer version of this program wrote it.
    pub fn to_add_to(folder: &Path) -> Result<Self, Problem> {
        let path = folder.join(MANIFEST);
        let refused = |what: &str, help: &str| Err(Problem::new(format!("{} {what}", path.display()), help));
        if path.is_symlink() {
            return refused("is a link", "remove it, or name another folder with --out");
        }
        match Self::read(folder) {
            Ok(found) => Ok(found.unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => refused(
                &format!("cannot be added to: {error}"),
                "take the newer program, or name another folder with --out",
            ),
            // What a run writes begins so: whoever changed it, it is ours.
            Err(_) if begins_as_ours(&path) => Ok(Self::default()),
            Err(_) => refused(
                "is no list of outputs, and every run writes one",
                "move it away, or name another folder with --out",
            ),
        }
    }

    /// The manifest of a folder; nothing where there is none.
    ///
    /// # Errors
    /// That it cannot be read, or is no manifest.
    pub fn read(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join(MANIFEST);
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
            Ok(metadata) if !metadata.is_file() => return Err(io::Error::other("it is no regular file")),
            Ok(_) => {}
        }
        let mut text = Vec::new();
        fs::File::open(&path)?.take(MOST_BYTES + 1).read_to_end(&mut text)?;
        if text.len() as u64 > MOST_BYTES {
            return Err(io::Error::other(format!("it has more than {MOST_BYTES} bytes")));
        }
        let version = serde_json::from_slice::<Json>(&text)?["manifest"].as_u64().unwrap_or(0);
        if version > u64::from(VERSION) {
            let message = format!("it is of version {version}, and {VERSION} is known");
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        Ok(Some(serde_json::from_slice(&text)?))
    }

    /// Writes it beside the outputs.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn write(&self, folder: &Path) -> Result<terrane_io::Written, terrane_io::IoError> {
        write_atomic(&folder.join(MANIFEST), false, |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            out.write_all(b"\n")
        })
    }

    /// What it says of an output.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&OutputFile> {
        let name = plain(name);
        self.runs.iter().flat_map(|run| &run.files).find(|file| file.file == name)
    }

    /// Puts a run's files in the place of what other runs had under their names. Runs of the same settings
    /// are one; files that are not there any more go, and so do runs without files.
    pub fn add(&mut self, folder: &Path, mut run: Run) {
        for other in &mut self.runs {
            let is_others = |old: &OutputFile| run.files.iter().all(|file| file.file != old.file);
            other.files.retain(|old| is_others(old) && folder.join(&old.file).exists());
        }
        run.files.sort_by(|a, b| a.file.cmp(&b.file));
        match self.runs.iter_mut().find(|other| other.is_like(&run)) {
            Some(other) => {
                other.files.extend(run.files);
                other.files.sort_by(|a, b| a.file.cmp(&b.file));
            }
            None => self.runs.push(run),
        }
        self.runs.retain(|run| !run.files.is_empty());
        self.runs.sort_by(|a, b| (&a.graph, &a.files[0].file).cmp(&(&b.graph, &b.files[0].file)));
    }
}

/// Whether a file begins as manifests do.
fn begins_as_ours(path: &Path) -> bool {
    const BEGIN: &[u8] = b"{\n  \"manifest\": ";
    let mut begin = [0; BEGIN.len()];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == *BEGIN
}

impl Run {
    /// Whether another run has the same settings and sources.
    fn is_like(&self, other: &Self) -> bool {
        Self { files: Vec::new(), ..self.clone() } == Self { files: Vec::new(), ..other.clone() }
    }
}
