//! The environment of a running node.

use std::any::Any;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::model::error::NodeError;
use crate::model::files::FileDigests;
use crate::model::node_key::Key;
use crate::model::param::FilePath;
use crate::model::spec::NodeSpec;
use crate::model::value::Digest;

/// The settings of a graph besides its nodes. The graph's family defines them; for terrain, they are size,
/// spacing and origin.
pub trait Header: Any + Send + Sync + std::fmt::Debug {
    /// Canonical bytes, which are part of the key of every node that uses the header.
    fn key(&self) -> Vec<u8>;

    /// The memory in bytes of one value of `kind`, as far as the header determines it. The memory forecast
    /// uses this.
    fn value_bytes(&self, kind: &str) -> u64;

    /// The header as [`Any`]; the family's nodes downcast it.
    fn as_any(&self) -> &dyn Any;
}

/// The known sizes of a node's values before it runs.
#[derive(Clone, Copy, Debug)]
pub struct Sizes<'a> {
    /// The graph's header.
    pub header: &'a dyn Header,
    /// Bytes at each port, by its position in the spec; 0 if the port is not connected or the size is
    /// unknown.
    pub inputs: &'a [u64],
    /// One bit per requested output.
    pub asked: u32,
    /// The number of threads that share the work.
    pub threads: usize,
    /// Whether the rasters at the node's ports can have holes.
    pub holes: bool,
}

/// A switch that cancels an evaluation. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch that is off.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests everything that shares the switch to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was requested.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The environment of a running node: header, seed, files, progress and cancellation.
pub struct Context<'a> {
    header: &'a dyn Header,
    seed: u64,
    cancel: &'a Cancel,
    progress: &'a (dyn Fn(f64) + Sync),
    warn: &'a (dyn Fn(String) + Sync),
    asked: u32,
    holes: bool,
    files: Option<&'a FileDigests>,
    spec: Option<&'static NodeSpec>,
    key: Option<Key>,
    waiting: &'a [Key],
}

impl<'a> Context<'a> {
    /// A context. `progress` receives fractions in [0, 1], and `warn` receives messages for the author of the
    /// graph.
    #[must_use]
    pub fn new(
        header: &'a dyn Header,
        seed: u64,
        cancel: &'a Cancel,
        progress: &'a (dyn Fn(f64) + Sync),
        warn: &'a (dyn Fn(String) + Sync),
    ) -> Self {
        Self {
            header,
            seed,
            cancel,
            progress,
            warn,
            asked: u32::MAX,
            holes: false,
            files: None,
            spec: None,
            key: None,
            waiting: &[],
        }
    }

    /// Sets the requested outputs, one bit each. Default: all.
    #[must_use]
    pub const fn with_asked(self, asked: u32) -> Self {
        Self { asked, ..self }
    }

    /// Sets whether the rasters at the node's ports can have holes. Default: they have none.
    #[must_use]
    pub const fn with_holes(self, holes: bool) -> Self {
        Self { holes, ..self }
    }

    /// Sets the known digests of files.
    #[must_use]
    pub(crate) const fn with_files(self, files: &'a FileDigests) -> Self {
        Self { files: Some(files), ..self }
    }

    /// Restricts the context to the settings that are covered by the key of a node with this spec.
    #[must_use]
    pub(crate) const fn for_node(self, spec: &'static NodeSpec) -> Self {
        Self { spec: Some(spec), ..self }
    }

    /// Sets the node's key, and the keys of nodes that wait for the evaluation.
    #[must_use]
    pub(crate) const fn with_keys(self, key: Key, waiting: &'a [Key]) -> Self {
        Self { key: Some(key), waiting, ..self }
    }

    /// The node's key, and the keys of nodes that wait for the evaluation. A node that waits for a session
    /// passes them to [`Session::within`](crate::Session::within).
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.key.into_iter().chain(self.waiting.iter().copied())
    }

    /// The digest of a file that a parameter names. Usually it is known from the node's key, so the file is
    /// not read again.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn file_digest(&self, file: &FilePath) -> io::Result<Digest> {
        match self.files {
            Some(files) => files.digest(file.files(), &file.path()),
            None => FileDigests::default().digest(file.files(), &file.path()),
        }
    }

    /// Whether anything reads an output that is declared `lazy`. For an output `frames`, call
    /// `cx.asked(Self::FRAMES)`. If nothing reads the output, the node returns an empty value for it, which
    /// is never used.
    #[must_use]
    pub const fn asked(&self, output: usize) -> bool {
        self.asked >> output & 1 == 1
    }

    /// Whether the rasters at the node's ports can have holes. This can be true only for nodes that declare
    /// what they make of holes.
    #[must_use]
    pub const fn has_holes(&self) -> bool {
        self.holes
    }

    /// The graph's header.
    ///
    /// # Panics
    /// If the node is not declared with `#[node(header)]`, since its key does not cover the header then. Also
    /// if the node is used in a graph of another family. Both are bugs in the program that registered the
    /// node.
    #[must_use]
    pub fn header<H: Header>(&self) -> &'a H {
        if let Some(spec) = self.spec.filter(|spec| !spec.header) {
            panic!(
                "`{}` reads the graph's header, which is not part of its key: declare it with \
                #[node(header)]",
                spec.name
            );
        }
        self.header_unkeyed()
    }

    /// The header, for uses that cannot change a result, such as a log.
    pub(crate) fn header_unkeyed<H: Header>(&self) -> &'a H {
        match self.header.as_any().downcast_ref() {
            Some(header) => header,
            None => panic!("this node belongs to another family: the graph's header is {:?}", self.header),
        }
    }

    /// The graph's seed.
    ///
    /// # Panics
    /// If the node has no parameter `seed`, since its key does not cover the graph's seed then. This is a bug
    /// in the node.
    #[must_use]
    pub fn seed(&self) -> u64 {
        if let Some(spec) = self.spec.filter(|spec| !spec.seeded()) {
            panic!(
                "`{}` reads the graph's seed, which is not part of its key: give it a parameter `seed`",
                spec.name
            );
        }
        self.seed
    }

    /// Checks whether to continue.
    ///
    /// # Errors
    /// [`NodeError::Cancelled`] if the node should return at once.
    pub fn check(&self) -> Result<(), NodeError> {
        if self.cancel.is_cancelled() { Err(NodeError::Cancelled) } else { Ok(()) }
    }

    /// Reports that `fraction` of the node's work is done, and checks whether to continue.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn progress(&self, fraction: f64) -> Result<(), NodeError> {
        self.check()?;
        (self.progress)(fraction);
        Ok(())
    }

    /// Sends a warning to the author of the graph; the evaluation continues.
    pub fn warn(&self, message: impl Into<String>) {
        (self.warn)(message.into());
    }
}
