//! From the text of a graph to a [`Graph`], with every mistake of every file at once.

mod described;
mod edit;
mod nodes;
mod outputs;
mod scope;
mod subgraph;
mod text;
mod values;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ops::Range as Span;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::{self, Entry, Parsed};
use crate::fields::{Field, FieldError};
use crate::graph::{Graph, Nodes};
use crate::plan::Plan;
use crate::registry::Registry;
use crate::report::{Diagnostic, Diagnostics, SourceText};
use crate::suggest;
pub use nodes::bad_name;
use subgraph::Alias;
pub use subgraph::SUBGRAPH;
use text::{canonical_path, read_text};

pub use described::{Described, described_type, load_described};
pub use text::read_source;
pub use values::read_values;

/// What the command line changes about a graph.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Graph parameters to set: name and RON text. `@NAME`, with no text, sets those of one of the graph's profiles; later ones win.
    pub set: Vec<(String, String)>,
    /// The seed, in place of the graph's.
    pub seed: Option<u64>,
    /// Header fields in place of the graph's: name and RON text.
    pub header: Vec<(String, String)>,
    /// Whether files outside the graph's folder may be read.
    pub allow_outside: bool,
}

/// A graph that was read and checked whole. Engines share it in an `Arc`; to edit it there, `Arc::make_mut` copies it only
/// while an evaluation still holds it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The graph.
    pub graph: Graph,
    /// Its plan.
    pub plan: Arc<Plan>,
}

/// Every file that had to be looked at, also when loading failed, and also where there is none yet: what a watcher must watch.
#[derive(Clone, Debug, Default)]
pub struct Touched(pub Vec<PathBuf>);

/// Reads and checks a graph file.
///
/// # Errors
/// Every mistake in the file, its subgraphs and the options. Nothing is evaluated or written.
pub fn load_file(path: &Path, registry: &Registry, options: &LoadOptions) -> Result<Loaded, Diagnostics> {
    load_watched(path, registry, options).0
}

/// [`load_file`], together with the files that it looked at.
pub fn load_watched(
    path: &Path,
    registry: &Registry,
    options: &LoadOptions,
) -> (Result<Loaded, Diagnostics>, Touched) {
    load_edited(path, registry, options, &mut |_, text| text)
}

/// [`load_watched`], of texts as `edit` changes them: a preview of what saving them would give. It is told the canonical path of
/// the graph's file, and of every subgraph's, with the text. Places in diagnostics are those of the changed texts.
pub fn load_edited(
    path: &Path,
    registry: &Registry,
    options: &LoadOptions,
    edit: &mut dyn FnMut(&Path, String) -> String,
) -> (Result<Loaded, Diagnostics>, Touched) {
    let mut loader = Loader::new(registry, options, path.parent().unwrap_or(Path::new("")), edit);
    loader.files.push(path.to_owned());
    let result = match read_text(path) {
        Err(error) => Err(Diagnostics::from(Diagnostic::nowhere(
            format!("cannot read the graph `{}`: {}", path.display(), error.0),
            error.1,
        ))),
        Ok(text) => {
            let file = canonical_path(path);
            let text = (loader.edit)(&file, text);
            loader.stack.push(file.clone());
            let source = SourceText { name: path.display().to_string(), text: text.into() };
            loader.load(&Parsed::new(Arc::new(source)), Some(file.into()))
        }
    };
    (result, Touched(loader.files))
}

/// Reads and checks a graph from text; relative files are looked for in `folder`.
///
/// # Errors
/// As [`load_file`].
pub fn load(
    name: &str,
    text: &str,
    folder: &Path,
    registry: &Registry,
    options: &LoadOptions,
) -> Result<Loaded, Diagnostics> {
    let source = Arc::new(SourceText { name: name.to_owned(), text: text.into() });
    Loader::new(registry, options, folder, &mut |_, text| text).load(&Parsed::new(source), None)
}

struct Loader<'a> {
    registry: &'a Registry,
    options: &'a LoadOptions,
    root: PathBuf,
    /// Graph files being expanded, outermost first: a repetition is a recursion.
    stack: Vec<PathBuf>,
    files: Vec<PathBuf>,
    nodes: Nodes,
    aliases: HashMap<String, Alias>,
    /// Nodes whose text is wrong, and which the graph lacks therefore.
    unread: HashSet<String>,
    errors: Vec<Diagnostic>,
    /// Whether the graph has more than it can have: said once.
    is_too_large: bool,
    /// Bytes of text that parameters have filled in.
    filled_in: Cell<usize>,
    /// Texts of subgraphs by canonical path, each read and parsed once.
    texts: HashMap<PathBuf, Arc<Parsed>>,
    /// Bytes of text that subgraphs come to, each time that one is used.
    expanded: usize,
    edit: &'a mut dyn FnMut(&Path, String) -> String,
}

/// The parts of a graph's text.
#[derive(Default)]
struct Parts<'a> {
    header: Vec<Field<'a>>,
    seed: Option<Field<'a>>,
    params: Vec<Entry<'a>>,
    profiles: Vec<Entry<'a>>,
    nodes: Vec<Entry<'a>>,
    outputs: Vec<Entry<'a>>,
}

impl<'a> Loader<'a> {
    fn new(
        registry: &'a Registry,
        options: &'a LoadOptions,
        root: &Path,
        edit: &'a mut dyn FnMut(&Path, String) -> String,
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
            errors: Vec::new(),
            is_too_large: false,
            filled_in: Cell::new(0),
            texts: HashMap::new(),
            expanded: 0,
            edit,
        }
    }

    fn load(&mut self, parsed: &Parsed, file: Option<Arc<Path>>) -> Result<Loaded, Diagnostics> {
        let source = &parsed.source;
        self.errors.extend(parsed.mistakes());
        let parts = match self.parts(parsed) {
            Ok(parts) => parts,
            Err(wrong) => {
                self.errors.extend(wrong.0);
                return Err(self.take_errors());
            }
        };
        let profiles = self.profiles(source, &parts);
        let set = self.params(source, &parts.params, &profiles);
        let scope = Arc::new(self.scope(source, file, &parts.params, set));
        let texts = self.filled_fields(source, &parts.header, &scope);
        let filled = parts.header.iter().zip(&texts).filter(|(field, _)| !field.is_wrong);
        let fields: Vec<Field<'_>> = filled
            .map(|(field, text)| Field { value: text.as_deref().unwrap_or(field.value), ..field.clone() })
            .collect();
        let header = match (self.registry.family().read_header)(&fields, &self.options.header) {
            Ok(header) => Some(header),
            Err(errors) => {
                self.field_errors(source, 0..0, errors);
                None
            }
        };
        let seed = self.seed(source, parts.seed.as_ref(), &scope);
        let folder = self.root.clone();
        self.read_nodes(source, "", &folder, &parts.nodes, &scope, &HashMap::new());
        let outputs = self.read_outputs(source, &parts.outputs, &scope);
        if self.is_too_large {
            return Err(self.take_errors());
        }
        self.resolve_aliases();
        let Some(header) = header else { return Err(self.take_errors()) };
        let mut graph = Graph {
            header,
            seed,
            nodes: std::mem::take(&mut self.nodes),
            outputs,
            scope,
            files: self.files.clone(),
        };
        self.resolve_outputs(&mut graph.outputs);
        match Plan::checked(&graph, Some(self.registry), &self.unread) {
            Ok(plan) if self.errors.is_empty() => Ok(Loaded { graph, plan: Arc::new(plan) }),
            Ok(_) => Err(self.take_errors()),
            Err(errors) => {
                self.errors.extend(errors.0);
                Err(self.take_errors())
            }
        }
    }

    /// The mistakes found, in the order of the text.
    fn take_errors(&mut self) -> Diagnostics {
        let mut errors = std::mem::take(&mut self.errors);
        errors.sort_by_key(|d| {
            d.place.as_ref().map_or((String::new(), 0), |(s, span)| (s.name.clone(), span.start))
        });
        errors.dedup();
        Diagnostics(errors)
    }

    fn error(
        &mut self,
        source: &Arc<SourceText>,
        span: Span<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.errors.push(Diagnostic::at(source, span, message, help));
    }

    fn field_errors(&mut self, source: &Arc<SourceText>, whole: Span<usize>, errors: Vec<FieldError>) {
        for error in errors {
            self.error(source, error.span.unwrap_or_else(|| whole.clone()), error.message, error.help);
        }
    }

    fn parts<'t>(&mut self, parsed: &'t Parsed) -> Result<Parts<'t>, Diagnostics> {
        let source = &parsed.source;
        let mut parts = Parts::default();
        let mut seen = HashSet::new();
        let header: Vec<&'static str> =
            self.registry.family().header.iter().map(|field| field.name).collect();
        for entry in parsed.graph()? {
            let field = entry.field();
            if !seen.insert(entry.name) {
                self.error(
                    source,
                    field.name_span,
                    format!("`{}` is given twice", entry.name),
                    "keep one of the two",
                );
                continue;
            }
            match entry.name {
                "seed" => parts.seed = Some(field),
                "params" => parts.params = self.entries(source, &entry, "parameter"),
                "profiles" => parts.profiles = self.entries(source, &entry, "profile"),
                "nodes" => parts.nodes = self.entries(source, &entry, "node"),
                "outputs" => parts.outputs = self.entries(source, &entry, "output"),
                name if header.contains(&name) => parts.header.push(field),
                name => {
                    let known: Vec<&str> = header
                        .iter()
                        .copied()
                        .chain(["seed", "params", "profiles", "nodes", "outputs"])
                        .collect();
                    self.error(
                        source,
                        field.name_span,
                        format!("a graph has no field `{name}`"),
                        suggest::help(name, &known, "its fields are"),
                    );
                }
            }
        }
        Ok(parts)
    }

    /// The entries of a map, with repeated names reported.
    fn entries<'t>(&mut self, source: &Arc<SourceText>, field: &Entry<'t>, what: &str) -> Vec<Entry<'t>> {
        let all = match document::map(source, field.value) {
            Ok(all) => all,
            Err(wrong) => {
                self.errors.extend(wrong.0);
                return Vec::new();
            }
        };
        let mut entries: Vec<Entry<'t>> = Vec::with_capacity(all.len());
        let mut seen = HashSet::new();
        for entry in all {
            // Names of outputs are files, and head no column.
            if what != "output" && entry.name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
                let name = suggest::shorten(&entry.name.escape_debug().to_string());
                let message = format!("the {what} {name} cannot be called so");
                let help = "begin with a letter: programs that open tables would take it for a formula";
                self.error(source, entry.name_span.clone(), message, help);
            }
            if seen.insert(entry.name) {
                entries.push(entry);
            } else {
                let message = format!("the {what} `{}` is there twice", entry.name);
                self.error(source, entry.name_span, message, "rename one of the two");
            }
        }
        entries
    }
}
