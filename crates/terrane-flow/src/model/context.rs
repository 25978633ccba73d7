//! What a node sees of its surroundings while it runs.

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

/// What a graph says beside its nodes, in the terms of its family: for terrain, size, spacing and origin.
pub trait Header: Any + Send + Sync + std::fmt::Debug {
    /// Canonical bytes: they enter the key of every node that uses the header.
    fn key(&self) -> Vec<u8>;

    /// Bytes that one value of `kind` will take, as far as the header can tell; for the forecast of memory.
    fn value_bytes(&self, kind: &str) -> u64;

    /// The header as [`Any`], to be downcast by the family's nodes.
    fn as_any(&self) -> &dyn Any;
}

/// What is known of the size of a node's values before it runs.
#[derive(Clone, Copy, Debug)]
pub struct Sizes<'a> {
    /// The graph's header.
    pub header: &'a dyn Header,
    /// Bytes at each port, by its position in the spec; 0 where no wire ends, and where nothing can be told.
    pub inputs: &'a [u64],
    /// A bit per output that is asked for.
    pub asked: u32,
    /// How many threads share the work.
    pub threads: usize,
}

/// A switch that ends an evaluation; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch that is off.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everything that shares the switch to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a node sees of its surroundings while it runs.
pub struct Context<'a> {
    header: &'a dyn Header,
    seed: u64,
    cancel: &'a Cancel,
    progress: &'a (dyn Fn(f64) + Sync),
    warn: &'a (dyn Fn(String) + Sync),
    asked: u32,
    files: Option<&'a FileDigests>,
    spec: Option<&'static NodeSpec>,
    key: Option<Key>,
    waiting: &'a [Key],
}

impl<'a> Context<'a> {
    /// A context; `progress` hears fractions in [0, 1], `warn` hears what the author should know.
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
            files: None,
            spec: None,
            key: None,
            waiting: &[],
        }
    }

    /// The same, with a bit per output that is asked for; without this, all are.
    #[must_use]
    pub const fn with_asked(self, asked: u32) -> Self {
        Self { asked, ..self }
    }

    /// The same, with what is known of files' content.
    #[must_use]
    pub(crate) const fn with_files(self, files: &'a FileDigests) -> Self {
        Self { files: Some(files), ..self }
    }

    /// The same for a node of that type, which sees no more than its key tells of.
    #[must_use]
    pub(crate) const fn for_node(self, spec: &'static NodeSpec) -> Self {
        Self { spec: Some(spec), ..self }
    }

    /// The same, with the key that the node runs under, and those of nodes that wait for the evaluation.
    #[must_use]
    pub(crate) const fn with_keys(self, key: Key, waiting: &'a [Key]) -> Self {
        Self { key: Some(key), waiting, ..self }
    }

    /// The key that the node runs under, and those of nodes that wait for the evaluation: for a
    /// [`Session`](crate::Session) that the node waits for.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.key.into_iter().chain(self.waiting.iter().copied())
    }

    /// The digest of a file that a parameter names: mostly that of the node's key, so that the file is not
    /// read for it once more.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn file_digest(&self, file: &FilePath) -> io::Result<Digest> {
        match self.files {
            Some(files) => files.digest(file.files(), &file.path()),
            None => FileDigests::default().digest(file.files(), &file.path()),
        }
    }

    /// Whether something reads an output, `cx.asked(Self::FRAMES)` of one called `frames`, among those
    /// declared `lazy`. Where nothing does, the node gives something empty in its place, which nobody will
    /// see.
    #[must_use]
    pub const fn asked(&self, output: usize) -> bool {
        self.asked >> output & 1 == 1
    }

    /// The graph's header.
    ///
    /// # Panics
    /// When the node does not say that it uses the header, `#[node(header)]`, since its key would not tell of
    /// it; or when it is used in a graph of another family than it was written for. Both are defects of the
    /// program that registered it.
    #[must_use]
    pub fn header<H: Header>(&self) -> &'a H {
        if let Some(spec) = self.spec.filter(|spec| !spec.header) {
            panic!(
                "`{}` reads the graph's header, of which its key does not tell: declare it with \
                #[node(header)]",
                spec.name
            );
        }
        self.header_unkeyed()
    }

    /// The header, for what cannot change a result, such as a log of what ran.
    pub(crate) fn header_unkeyed<H: Header>(&self) -> &'a H {
        match self.header.as_any().downcast_ref() {
            Some(header) => header,
            None => panic!("a node of another family: the graph's header is {:?}", self.header),
        }
    }

    /// The graph's seed.
    ///
    /// # Panics
    /// When the node has no parameter called `seed`, since its key would not tell of the graph's: a defect of
    /// the node.
    #[must_use]
    pub fn seed(&self) -> u64 {
        if let Some(spec) = self.spec.filter(|spec| !spec.seeded()) {
            panic!(
                "`{}` reads the graph's seed, of which its key does not tell: give it a parameter `seed`",
                spec.name
            );
        }
        self.seed
    }

    /// Reports that `fraction` of the node's work is done, and learns whether to go on.
    ///
    /// # Errors
    /// [`NodeError::Cancelled`] when the node should return at once.
    pub fn progress(&self, fraction: f64) -> Result<(), NodeError> {
        if self.cancel.is_cancelled() {
            return Err(NodeError::Cancelled);
        }
        (self.progress)(fraction);
        Ok(())
    }

    /// Tells the author something that does not stop the evaluation.
    pub fn warn(&self, message: impl Into<String>) {
        (self.warn)(message.into());
    }
}
