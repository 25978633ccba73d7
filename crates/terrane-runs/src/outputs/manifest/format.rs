//! The contents of a manifest.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use terrane_flow::syntax::Problem;
use terrane_io::{open_regular, write_atomic, write_json};

/// The name of the manifest beside its outputs.
pub const MANIFEST: &str = "manifest.json";

/// The version of the format that this program writes.
const VERSION: u32 = 1;

/// The maximum size of a manifest in bytes: enough for 50,000 outputs.
const MAX_BYTES: u64 = 64 << 20;

/// The maximum number of values in a manifest. Each value takes many times the memory of its shortest text.
const MAX_VALUES: usize = 2_500_000;

/// A list of the files in a folder of outputs, with the sources of each. The list contains no times or
/// locations, so equal runs have equal manifests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the format.
    pub manifest: u32,
    /// The runs. A file is listed under the last run that wrote it or found it up to date.
    pub runs: Vec<Run>,
}

/// The version alone, of a manifest of any version.
#[derive(Deserialize)]
struct Version {
    manifest: u64,
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
    /// The values of the graph's parameters, as RON.
    pub parameters: BTreeMap<String, String>,
    /// The node types in the graph, with the versions of their techniques.
    pub nodes: BTreeMap<String, u32>,
    /// The graph's source files, relative to its folder.
    pub sources: Vec<Source>,
    /// The outputs.
    pub files: Vec<OutputFile>,
}

/// A source file of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its path.
    pub file: String,
    /// The BLAKE3 hash of its bytes.
    pub blake3: String,
}

/// An output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputFile {
    /// Its path, relative to the folder of the manifest.
    pub file: String,
    /// The node, or `node.output`.
    pub from: String,
    /// The kind of the value.
    pub kind: String,
    /// The digest of the value.
    pub content: String,
    /// The unit of the value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Options of its `Export`, as RON.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// A digest of the place of the world on a map, if it has one: files hold its coordinates.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The kind's description of the value: for a map its size, position, extent and range.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub value: Json,
    /// The bytes of the file.
    #[serde(flatten)]
    pub state: State,
    /// The bytes of the sidecar, if any. The sidecar has the file's name plus `.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sidecar: Option<State>,
}

/// The bytes of a file, by size and hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The number of bytes.
    pub bytes: u64,
    /// Their BLAKE3 hash.
    pub blake3: String,
}

impl State {
    /// The state of a regular file; `None` if there is none at this path.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn of(file: &Path) -> io::Result<Option<Self>> {
        match fs::metadata(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
            Ok(metadata) if !metadata.is_file() => return Ok(None),
            Ok(_) => {}
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(open_regular(file)?)?;
        Ok(Some(Self { bytes: hasher.count(), blake3: hasher.finalize().to_hex().to_string() }))
    }
}

/// An output's path as it is listed: `./a//b` becomes `a/b`.
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
    /// The manifest of a folder, for adding a run to it. It is empty if the folder has no manifest, or a
    /// damaged one that a run wrote.
    ///
    /// # Errors
    /// Fails if the file belongs to another program, is a link, or was written by a newer version of this
    /// program.
    pub fn to_add_to(folder: &Path) -> Result<Self, Problem> {
        let path = folder.join(MANIFEST);
        let refused = |what: &str, help: &str| Err(Problem::new(format!("{} {what}", path.display()), help));
        if folder.is_file() {
            let message = format!("{} is a file, and outputs go into a folder", folder.display());
            return Err(Problem::new(message, "choose another name with --out"));
        }
        if path.is_symlink() {
            return refused("is a link", "remove it, or choose another folder with --out");
        }
        match Self::read(folder) {
            Ok(found) => Ok(found.unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => refused(
                &format!("cannot be extended: {error}"),
                "use the newer program, or choose another folder with --out",
            ),
            // A file that begins like this was written by a run, even if it was edited later.
            Err(_) if starts_like_a_manifest(&path) => Ok(Self::default()),
            Err(_) => refused(
                "is not a list of outputs, which every run writes to this file",
                "move it away, or choose another folder with --out",
            ),
        }
    }

    /// The manifest of a folder; `None` if there is no such file.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a manifest.
    pub fn read(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join(MANIFEST);
        let file = match open_regular(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let mut text = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut text)?;
        if text.len() as u64 > MAX_BYTES {
            return Err(io::Error::other(format!("it has more than {MAX_BYTES} bytes")));
        }
        // Every value but the first follows one of these signs. Signs in texts count too.
        let values = text.iter().filter(|byte| matches!(byte, b'[' | b'{' | b',' | b':')).count();
        if values > MAX_VALUES {
            return Err(io::Error::other(format!("it has more than {MAX_VALUES} values")));
        }
        let manifest: Result<Self, _> = serde_json::from_slice(&text);
        // A newer version may have other members, so it is recognised even if it cannot be read.
        let version = match &manifest {
            Ok(manifest) => u64::from(manifest.manifest),
            Err(_) => serde_json::from_slice(&text).map_or(0, |Version { manifest }| manifest),
        };
        if version > u64::from(VERSION) {
            let message = format!("its version is {version}, but this program supports only {VERSION}");
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        Ok(Some(manifest?))
    }

    /// Writes the manifest beside the outputs.
    ///
    /// # Errors
    /// Fails with the file system's error.
    pub fn write(&self, folder: &Path) -> Result<terrane_io::Written, terrane_io::IoError> {
        write_atomic(&folder.join(MANIFEST), false, |out| write_json(out, self))
    }

    /// The description of an output.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&OutputFile> {
        let name = plain(name);
        self.runs.iter().flat_map(|run| &run.files).find(|file| file.file == name)
    }

    /// Adds a run's files. They replace the entries of other runs with the same names. Runs with the same
    /// settings and sources are merged. Files that no longer exist are dropped, and so are runs without
    /// files.
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

/// Whether a file begins like a manifest.
fn starts_like_a_manifest(path: &Path) -> bool {
    const START: &[u8] = b"{\n  \"manifest\": ";
    let mut start = [0; START.len()];
    open_regular(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *START
}

impl Run {
    /// Whether another run has the same settings and sources.
    fn is_like(&self, other: &Self) -> bool {
        Self { files: Vec::new(), ..self.clone() } == Self { files: Vec::new(), ..other.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_and_excessive_manifests_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            fs::write(folder.path().join(MANIFEST), text).unwrap();
            Manifest::read(folder.path()).map(Option::unwrap)
        };
        assert_eq!(read(r#"{"manifest": 1, "runs": []}"#).unwrap(), Manifest::default());
        for newer in [r#"{"manifest": 2, "runs": []}"#, r#"{"x": [{}], "manifest": 5000000000}"#] {
            assert_eq!(read(newer).unwrap_err().kind(), io::ErrorKind::Unsupported, "{newer}");
        }
        for damaged in ["", "[]", r#"{"manifest": 1}"#, r#"{"manifest": -1, "runs": []}"#] {
            assert_ne!(read(damaged).unwrap_err().kind(), io::ErrorKind::Unsupported, "{damaged}");
        }
        let many = format!(r#"{{"manifest": 1, "runs": [], "x": [{}0]}}"#, "0,".repeat(3_000_000));
        assert!(read(&many).unwrap_err().to_string().contains("more than 2500000 values"));
    }
}
