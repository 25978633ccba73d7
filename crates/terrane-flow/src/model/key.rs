//! Computes the keys of nodes from everything that their results depend on.

use std::io;
use std::path::{Path, PathBuf};

use crate::model::context::Header;
use crate::model::files::{Disk, FileDigests};
use crate::model::node::Node;
use crate::model::node_key::Key;
use crate::model::param::FilePath;
use crate::model::port::Source;
use crate::model::spec::NodeSpec;
use crate::model::value::Digest;

/// One named part of a key, to explain why a node ran.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct KeyPart {
    /// The name of the part: `type`, `seed`, `header`, or the name of a parameter or port.
    pub name: String,
    /// Its canonical text, or a digest of it.
    pub value: String,
}

/// The parts of a key that do not depend on other nodes, in canonical order.
///
/// # Errors
/// When an imported file cannot be read.
pub fn own_parts(
    node: &dyn Node,
    seed: u64,
    header: &dyn Header,
    files: &FileDigests,
) -> Result<Vec<KeyPart>, FileProblem> {
    let spec = node.spec();
    let part = |name: &str, value: String| KeyPart { name: name.to_owned(), value };
    let mut parts = vec![part("type", format!("{} version {}", spec.name, spec.version))];
    parts.extend(node.code().map(|code| part("code", code.hex())));
    if spec.seeded() {
        parts.push(part("graph seed", seed.to_string()));
    }
    if spec.header {
        parts.push(part("header", blake3::hash(&header.key()).to_hex()[..16].to_owned()));
    }
    for (index, param) in spec.params.iter().enumerate() {
        parts.push(part(param.name, node.param(index)));
    }
    if imports(node) {
        contents(node, files, &mut |content| {
            parts.push(match content {
                Content::Named(digest) => part("file content", digest.hex()),
                Content::Beside(digest) => {
                    part("content beside the file", digest.map_or_else(|| "absent".to_owned(), |d| d.hex()))
                }
            });
        })?;
    }
    Ok(parts)
}

fn imports(node: &dyn Node) -> bool {
    node.spec().params.iter().any(|p| (p.shape)().has_file())
}

/// The content of a file that a node reads.
enum Content {
    /// A file that a parameter names.
    Named(Digest),
    /// A companion: an optional file that no parameter names. `None` if the file does not exist.
    Beside(Option<Digest>),
}

/// Calls `show` with the content of every file that a node reads: first the named files, then their
/// companions.
fn contents(node: &dyn Node, files: &FileDigests, show: &mut dyn FnMut(Content)) -> Result<(), FileProblem> {
    let problem =
        |path: &Path, error: &io::Error| FileProblem { path: path.to_owned(), error: error.to_string() };
    let mut named = Vec::new();
    // `Node::files` needs a mutable node, so it is called on a copy.
    dyn_clone::clone_box(node).files(&mut |file| named.push(file.clone()));
    for file in &named {
        let digest = files.digest(file.files(), &file.path());
        show(Content::Named(digest.map_err(|error| problem(&file.path(), &error))?));
    }
    for path in node.companions() {
        // All files of a graph have the same source.
        match files.digest(named.first().map_or(&Disk, FilePath::files), &path) {
            Ok(digest) => show(Content::Beside(Some(digest))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => show(Content::Beside(None)),
            Err(error) => return Err(problem(&path, &error)),
        }
    }
    Ok(())
}

/// An imported file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileProblem {
    /// The file.
    pub path: PathBuf,
    /// The system's message.
    pub error: String,
}

/// The part of a key that depends on the node alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePart {
    /// A hash of type, version, parameters and constants at ports.
    pub hash: blake3::Hash,
    /// Whether a parameter of the node can name files. The content of these files is also part of the key.
    pub imports: bool,
    /// One bit per lazy output. The key also depends on which of these outputs are requested.
    pub lazy: u32,
}

impl NodePart {
    /// The part for a node. `header` is the node's separate header, if it has one.
    pub fn new(node: &dyn Node, header: Option<&dyn Header>) -> Self {
        Self { hash: own_hash(node, header), imports: imports(node), lazy: node.spec().lazy() }
    }
}

fn own_hash(node: &dyn Node, header: Option<&dyn Header>) -> blake3::Hash {
    let spec = node.spec();
    // Hashing one short text at once is much faster than feeding a hasher piece by piece.
    let mut bytes = Vec::with_capacity(256);
    // Each text follows its length, so that neighbouring texts cannot be confused.
    let mut text = |text: &str| {
        bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    };
    text(spec.name);
    for index in 0..spec.params.len() {
        text(&node.param(index));
    }
    bytes.extend_from_slice(&spec.version.to_le_bytes());
    for index in 0..spec.inputs.len() {
        match node.port(index).source() {
            Source::Unset => bytes.push(0),
            Source::Number(number) => {
                bytes.push(1);
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            // A value that is bound in code and the same value from a wire lead to different keys. The
            // results are the same.
            Source::Bound(value) => {
                bytes.push(2);
                bytes.extend_from_slice(&value.digest().0);
            }
            Source::Wire(_) => bytes.push(3),
        }
    }
    if let Some(code) = node.code() {
        bytes.push(4);
        bytes.extend_from_slice(&code.0);
    }
    if let Some(header) = header.filter(|_| spec.header) {
        bytes.push(5);
        bytes.extend_from_slice(&header.key());
    }
    blake3::hash(&bytes)
}

/// Hashes of what all nodes of a graph share: its header and seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphHashes {
    /// Indexed by whether a node uses the header, then by whether it uses the seed.
    hashes: [[blake3::Hash; 2]; 2],
}

impl GraphHashes {
    /// The hashes of a graph.
    pub fn new(header: &dyn Header, seed: u64) -> Self {
        let both = |plain: blake3::Hash| [plain, blake3::keyed_hash(plain.as_bytes(), &seed.to_le_bytes())];
        Self { hashes: [both(blake3::hash(b"no header")), both(blake3::hash(&header.key()))] }
    }

    fn of(&self, spec: &NodeSpec) -> &blake3::Hash {
        &self.hashes[usize::from(spec.header)][usize::from(spec.seeded())]
    }
}

/// The key of a node. It is a hash of the node's own part, the requested lazy outputs, the content of
/// imported files, and the identities of the values at the wires. The wires are in the order of the ports.
/// It also depends on the graph's header and seed, if the node uses them.
///
/// # Errors
/// When an imported file cannot be read.
pub fn key(
    node: &dyn Node,
    part: &NodePart,
    asked: u32,
    graph_hashes: &GraphHashes,
    files: &FileDigests,
    wires: impl Iterator<Item = [u8; 32]>,
) -> Result<Key, FileProblem> {
    let mut bytes = Vec::with_capacity(128);
    bytes.extend_from_slice(part.hash.as_bytes());
    if part.lazy != 0 {
        bytes.extend_from_slice(&(asked & part.lazy).to_le_bytes());
    }
    if part.imports {
        contents(node, files, &mut |content| match content {
            Content::Named(digest) => bytes.extend_from_slice(&digest.0),
            Content::Beside(None) => bytes.push(0),
            Content::Beside(Some(digest)) => {
                bytes.push(1);
                bytes.extend_from_slice(&digest.0);
            }
        })?;
    }
    bytes.extend(wires.flatten());
    Ok(Key(Digest(*blake3::keyed_hash(graph_hashes.of(node.spec()).as_bytes(), &bytes).as_bytes())))
}
