//! The state of loading a graph from text.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ops::Range as Span;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::loaded::LoadOptions;
use indexmap::IndexMap;
use terrane_syntax::Tree;

use crate::language::document::{Entry, Parsed};
use crate::model::field_error::FieldError;
use crate::model::fields::Field;
use crate::model::graph::Nodes;
use crate::model::origin::{Bound, Scope};
use crate::model::port::Reference;
use crate::model::registry::Registry;
use crate::report::suggest;
use crate::report::{Diagnostic, Diagnostics, MAX_RENDERED, SourceText};

/// An expanded subgraph.
pub struct Alias {
    /// The outputs, shared by all uses that set the same parameters.
    pub outputs: Rc<InnerOutputs>,
    /// The prefix of the names of the subgraph's nodes in the whole graph.
    pub prefix: String,
    /// The nodes of the subgraph that are replaced from outside.
    pub replaced: HashMap<String, Reference>,
}

/// The outputs of a graph that is used as a node, by the names that the outer graph uses. Each has its source
/// within the graph; `None` if nothing computes the output.
pub type InnerOutputs = IndexMap<String, Option<Reference>>;

/// A position in a text.
pub type At = (Arc<SourceText>, Span<usize>);

/// What uses of a graph share that set the same parameters.
#[derive(Clone)]
pub struct Inner {
    pub scope: Arc<Scope>,
    pub outputs: Rc<InnerOutputs>,
    /// The outputs with different sources, with their positions in the text.
    pub sources: Rc<[(Reference, Option<At>)]>,
}

/// A function that may change the tree of a file before the file is loaded. It receives the file's canonical
/// path and the tree.
pub type EditTree<'a> = dyn FnMut(&Path, Tree) -> Tree + 'a;

/// The state of loading a graph from text.
pub struct Loader<'a> {
    pub registry: &'a Registry,
    pub options: &'a LoadOptions,
    pub root: PathBuf,
    /// The graph files that are being expanded, outermost first. None of these files may be used again inside
    /// them: this would be recursion.
    pub stack: Vec<PathBuf>,
    pub files: Vec<PathBuf>,
    pub nodes: Nodes,
    pub aliases: HashMap<String, Alias>,
    /// Nodes with mistakes in their text, which are missing in the graph.
    pub unread: HashSet<String>,
    /// References that replace nodes of subgraphs, with their positions.
    pub given: Vec<(Arc<SourceText>, Span<usize>, Reference)>,
    /// References in `given` that are invalid and already reported.
    pub reported: HashSet<Reference>,
    pub errors: Vec<Diagnostic>,
    /// Whether the graph exceeds a limit, which is reported once.
    pub is_too_large: bool,
    /// The number of bytes that the fields of nodes have taken from parameters.
    pub filled_in: Rc<Cell<usize>>,
    /// The number of bytes of values that are made of parameters.
    pub in_values: usize,
    /// Values of parameters in subgraphs, by the address of their text and their position in it. Each use of
    /// the subgraph shares them.
    pub literals: HashMap<(usize, usize), Bound>,
    /// What uses of subgraphs without parameters share, by the canonical path of the subgraph.
    pub inner: HashMap<PathBuf, Inner>,
    /// The addresses of texts whose outputs have checked names.
    pub checked_names: HashSet<usize>,
    /// The texts of subgraphs, by canonical path. Each text is read and parsed once.
    pub texts: HashMap<PathBuf, Arc<Parsed>>,
    /// The number of bytes of all files of subgraphs that were read.
    pub read_bytes: usize,
    /// Whether the values of all profiles are read, or only those of the profiles that are set.
    pub reads_all_profiles: bool,
    /// The number of bytes of subgraph text, counted for each use. Outputs and parameters count more than
    /// their text, since each takes memory and time of its own.
    pub expanded: usize,
    /// The number of bytes of the graph's own text, with its outputs and parameters counted as in `expanded`.
    pub own: usize,
    /// The number of nodes that the graph got.
    pub read_nodes: usize,
    pub edit: &'a mut EditTree<'a>,
}

/// The parts of a graph's text.
#[derive(Default)]
pub struct Parts<'a> {
    pub header: Vec<Field<'a>>,
    pub params: Vec<Entry<'a>>,
    /// Whether parameters may be missing because of a mistake that is reported.
    pub has_broken_params: bool,
    pub profiles: Vec<Entry<'a>>,
    pub nodes: Vec<Entry<'a>>,
    pub outputs: Vec<Entry<'a>>,
}

impl<'a> Loader<'a> {
    pub fn new(
        registry: &'a Registry,
        options: &'a LoadOptions,
        root: &Path,
        edit: &'a mut EditTree<'a>,
    ) -> Self {
        let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root.to_owned() };
        Self {
            registry,
            options,
            root,
            stack: Vec::new(),
            files: Vec::new(),
            nodes: Nodes::default(),
            aliases: HashMap::new(),
            unread: HashSet::new(),
            given: Vec::new(),
            reported: HashSet::new(),
            errors: Vec::new(),
            is_too_large: false,
            filled_in: Rc::default(),
            in_values: 0,
            literals: HashMap::new(),
            inner: HashMap::new(),
            checked_names: HashSet::new(),
            texts: HashMap::new(),
            read_bytes: 0,
            reads_all_profiles: true,
            expanded: 0,
            own: 0,
            read_nodes: 0,
            edit,
        }
    }

    /// The mistakes found, in the order of the text.
    pub fn take_errors(&mut self) -> Diagnostics {
        let mut errors = std::mem::take(&mut self.errors);
        errors.sort_by_key(|d| {
            d.place.as_ref().map_or((String::new(), 0), |(s, span)| (s.name.clone(), span.start))
        });
        errors.dedup();
        Diagnostics(errors)
    }

    pub fn error(
        &mut self,
        source: &Arc<SourceText>,
        span: Span<usize>,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.errors.push(Diagnostic::at(source, span, message, help).coded(code));
    }

    /// Reports an unknown name, with the nearest known name if there is one. If there are many mistakes,
    /// names are not searched, so that the time stays proportional to the text.
    pub fn unknown(
        &mut self,
        code: &'static str,
        (source, span): (&Arc<SourceText>, Span<usize>),
        message: String,
        (given, known, intro): (&str, &[&str], &str),
    ) {
        if self.errors.len() >= MAX_RENDERED {
            return self.error(source, span, code, message, "");
        }
        let near = suggest::nearest(given, known).map(str::to_owned);
        let diagnostic = Diagnostic::at(source, span, message, suggest::help(given, known, intro));
        self.errors.push(diagnostic.coded(code).mended_by(near));
    }

    pub fn field_errors(&mut self, source: &Arc<SourceText>, whole: Span<usize>, errors: Vec<FieldError>) {
        for error in errors {
            let span = error.span.unwrap_or_else(|| whole.clone());
            let diagnostic = Diagnostic::at(source, span, error.message, error.help).coded(error.code);
            self.errors.push(diagnostic.mended_by(error.fix));
        }
    }
}
