//! From the text of a graph to a [`Graph`], with every mistake of every file at once.

use std::collections::HashMap;
use std::ops::Range as Span;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::document::{self, Entry};
use crate::fields::{Field, FieldError, Fields};
use crate::graph::{Graph, GraphNode, Location, OutputEntry};
use crate::param::ron_options;
use crate::plan::Plan;
use crate::port::{Port, Reference, Source};
use crate::registry::Registry;
use crate::report::{Diagnostic, Diagnostics, SourceText};
use crate::suggest;

/// The largest graph file that is read: beyond it, something else was named by mistake.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// The type name of a graph used as a node.
const SUBGRAPH: &str = "Subgraph";

/// What the command line changes about a graph.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Graph parameters to set: name and RON text.
    pub set: Vec<(String, String)>,
    /// The seed, in place of the graph's.
    pub seed: Option<u64>,
    /// Header fields in place of the graph's: name and RON text.
    pub header: Vec<(String, String)>,
    /// Whether files outside the graph's folder may be read.
    pub allow_outside: bool,
}

/// A graph that was read and checked whole.
#[derive(Debug)]
pub struct Loaded {
    /// The graph.
    pub graph: Graph,
    /// Its plan.
    pub plan: Plan,
}

/// Every file that had to be looked at, also when loading failed: what a watcher must watch.
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
    let mut loader = Loader::new(registry, options, path.parent().unwrap_or(Path::new("")));
    loader.files.push(path.to_owned());
    let result = match read_text(path) {
        Err(error) => Err(Diagnostics::from(Diagnostic::nowhere(
            format!("cannot read the graph `{}`: {}", path.display(), error.0),
            error.1,
        ))),
        Ok(text) => {
            loader.stack.push(canonical_path(path));
            loader.load(&Arc::new(SourceText { name: path.display().to_string(), text }))
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
    let source = Arc::new(SourceText { name: name.to_owned(), text: text.to_owned() });
    Loader::new(registry, options, folder).load(&source)
}

/// The text of a graph file, or what is wrong and what to do.
fn read_text(path: &Path) -> Result<String, (String, String)> {
    let problem = |error: std::io::Error| {
        let help = match error.kind() {
            std::io::ErrorKind::NotFound => "check the path, or make a starter graph with `terrane new NAME`",
            std::io::ErrorKind::PermissionDenied => "check the file's permissions",
            _ => "name a text file that holds a graph",
        };
        (error.to_string(), help.to_owned())
    };
    let length = std::fs::metadata(path).map_err(problem)?.len();
    if length > MAX_FILE_BYTES {
        return Err((format!("it has {length} bytes"), "name a text file that holds a graph".to_owned()));
    }
    let bytes = std::fs::read(path).map_err(problem)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        (format!("it is not UTF-8 text: line {line}, byte {at} of the file"), "save it as UTF-8".to_owned())
    })?;
    // Editors on some systems put a byte order mark in front; it is no part of the graph.
    Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
}

fn canonical_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// What is known of a subgraph once it is expanded: what its outputs are called outside.
struct Alias {
    outputs: IndexMap<String, Reference>,
    prefix: String,
}

struct Loader<'a> {
    registry: &'a Registry,
    options: &'a LoadOptions,
    root: PathBuf,
    /// Graph files being expanded, outermost first: a repetition is a recursion.
    stack: Vec<PathBuf>,
    files: Vec<PathBuf>,
    nodes: IndexMap<String, GraphNode>,
    aliases: HashMap<String, Alias>,
    errors: Vec<Diagnostic>,
}

/// The parts of a graph's text.
#[derive(Default)]
struct Parts<'a> {
    header: Vec<Field<'a>>,
    seed: Option<Field<'a>>,
    params: Vec<Entry<'a>>,
    nodes: Vec<Entry<'a>>,
    outputs: Vec<Entry<'a>>,
}

impl<'a> Loader<'a> {
    fn new(registry: &'a Registry, options: &'a LoadOptions, root: &Path) -> Self {
        let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root.to_owned() };
        Self {
            registry,
            options,
            root,
            stack: Vec::new(),
            files: Vec::new(),
            nodes: IndexMap::new(),
            aliases: HashMap::new(),
            errors: Vec::new(),
        }
    }

    fn load(&mut self, source: &Arc<SourceText>) -> Result<Loaded, Diagnostics> {
        let parts = self.parts(source)?;
        let params = self.params(source, &parts.params, &self.options.set);
        let header = match (self.registry.family().read_header)(&parts.header, &self.options.header) {
            Ok(header) => Some(header),
            Err(errors) => {
                self.field_errors(source, 0..0, errors);
                None
            }
        };
        let seed = self.seed(source, parts.seed.as_ref());
        let folder = self.root.clone();
        self.read_nodes(source, "", &folder, &parts.nodes, &params, &HashMap::new());
        let outputs = self.read_outputs(source, &parts.outputs);
        self.resolve_aliases();
        let Some(header) = header else { return Err(self.take_errors()) };
        let mut graph = Graph {
            header,
            seed,
            nodes: std::mem::take(&mut self.nodes),
            outputs,
            files: self.files.clone(),
        };
        self.resolve_outputs(&mut graph.outputs);
        match Plan::checked(&graph, Some(self.registry)) {
            Ok(plan) if self.errors.is_empty() => Ok(Loaded { graph, plan }),
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

    fn parts<'t>(&mut self, source: &'t Arc<SourceText>) -> Result<Parts<'t>, Diagnostic> {
        let mut parts = Parts::default();
        let mut seen: Vec<&str> = Vec::new();
        let header: Vec<&'static str> =
            self.registry.family().header.iter().map(|field| field.name).collect();
        for entry in document::graph(source, &source.text)? {
            let field = entry.field(source);
            if seen.contains(&entry.name) {
                self.error(
                    source,
                    field.name_span,
                    format!("`{}` is given twice", entry.name),
                    "keep one of the two",
                );
                continue;
            }
            seen.push(entry.name);
            match entry.name {
                "seed" => parts.seed = Some(field),
                "params" => parts.params = self.entries(source, &field, "parameter")?,
                "nodes" => parts.nodes = self.entries(source, &field, "node")?,
                "outputs" => parts.outputs = self.entries(source, &field, "output")?,
                name if header.contains(&name) => parts.header.push(field),
                name => {
                    let known: Vec<&str> =
                        header.iter().copied().chain(["seed", "params", "nodes", "outputs"]).collect();
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
    fn entries<'t>(
        &mut self,
        source: &Arc<SourceText>,
        field: &Field<'t>,
        what: &str,
    ) -> Result<Vec<Entry<'t>>, Diagnostic> {
        let mut entries: Vec<Entry<'t>> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for entry in document::map(source, field.value)? {
            if seen.insert(entry.name) {
                entries.push(entry);
            } else {
                let span = source.span_of(entry.name);
                self.error(
                    source,
                    span,
                    format!("the {what} `{}` is there twice", entry.name),
                    "rename one of the two",
                );
            }
        }
        Ok(entries)
    }

    /// Graph parameters as name and RON text, with those that are set from outside.
    fn params(
        &mut self,
        source: &Arc<SourceText>,
        declared: &[Entry<'_>],
        set: &[(String, String)],
    ) -> IndexMap<String, String> {
        let mut params: IndexMap<String, String> =
            declared.iter().map(|entry| (entry.name.to_owned(), entry.value.to_owned())).collect();
        for (name, value) in set {
            let known: Vec<&str> = declared.iter().map(|entry| entry.name).collect();
            if !params.contains_key(name) {
                self.errors.push(Diagnostic::nowhere(
                    format!("`{}` has no parameter `{name}` to set", source.name),
                    suggest::help(name, &known, "its parameters are"),
                ));
            } else if let Err(error) = ron_options().from_str::<&ron::value::RawValue>(value) {
                self.errors.push(Diagnostic::nowhere(
                    format!("the value `{value}` given for `{name}` is not RON: {}", error.code),
                    "write a number, true, false, a Name, \"text\" in quotes or a list [a, b]",
                ));
            } else {
                params.insert(name.clone(), value.clone());
            }
        }
        params
    }

    fn seed(&mut self, source: &Arc<SourceText>, field: Option<&Field<'_>>) -> u64 {
        let given = field.map(|field| ron_options().from_str::<u64>(field.value).map_err(|_| field));
        match (self.options.seed, given) {
            (Some(seed), _) => seed,
            (None, Some(Ok(seed))) => seed,
            (None, Some(Err(field))) => {
                let message = format!("`seed` is `{}`: expected a whole number", field.value);
                self.error(
                    source,
                    field.value_span.clone(),
                    message,
                    "write a number from 0 to 18446744073709551615",
                );
                0
            }
            (None, None) => 0,
        }
    }

    /// Reads nodes into the graph under `prefix`; those in `replaced` are given from outside instead.
    fn read_nodes(
        &mut self,
        source: &Arc<SourceText>,
        prefix: &str,
        folder: &Path,
        entries: &[Entry<'_>],
        params: &IndexMap<String, String>,
        replaced: &HashMap<String, Reference>,
    ) {
        for entry in entries {
            if replaced.contains_key(entry.name) {
                continue;
            }
            let name_span = source.span_of(entry.name);
            if let Some(reason) = bad_name(entry.name) {
                self.error(
                    source,
                    name_span,
                    format!("`{}` cannot be a node's name: {reason}", entry.name),
                    NAME_HELP,
                );
                continue;
            }
            match document::call(source, entry.value) {
                Err(diagnostic) => self.errors.push(diagnostic),
                Ok(call) => {
                    let fields: Vec<Field<'_>> = call.fields.iter().map(|e| e.field(source)).collect();
                    let place = Place { source, prefix, folder, params, replaced };
                    if call.name == SUBGRAPH {
                        self.subgraph(&place, entry.name, source.span_of(call.name), &fields);
                    } else {
                        self.read_node(&place, entry.name, call.name, &fields);
                    }
                }
            }
        }
    }

    fn read_node(&mut self, place: &Place<'_>, name: &str, type_name: &str, fields: &[Field<'_>]) {
        let source = place.source;
        let type_span = source.span_of(type_name);
        let Some(node_type) = self.registry.node(type_name) else {
            let known: Vec<&str> =
                self.registry.nodes().map(|node| node.spec().name).chain([SUBGRAPH]).collect();
            let help = suggest::nearest(type_name, &known).map_or_else(
                || "`terrane nodes` lists the types".to_owned(),
                |near| format!("did you mean `{near}`? `terrane nodes` lists the types"),
            );
            self.error(source, type_span, format!("there is no node type `{type_name}`"), help);
            return;
        };
        let spec = node_type.spec();
        let lookup = |wanted: &str| -> Result<String, String> {
            let known: Vec<&str> = place.params.keys().map(String::as_str).collect();
            place
                .params
                .get(wanted)
                .cloned()
                .ok_or_else(|| suggest::help(wanted, &known, "the graph's parameters are"))
        };
        let mut reader = Fields::new(spec, fields, &lookup);
        let mut node = node_type.read(&mut reader);
        let errors = reader.into_errors();
        if errors.is_empty()
            && let Err(invalid) = node.check()
        {
            let span = fields
                .iter()
                .find(|f| f.name == invalid.field)
                .map_or(type_span.clone(), |f| f.value_span.clone());
            self.error(source, span, invalid.message, invalid.help);
        }
        self.field_errors(source, type_span.clone(), errors);
        self.resolve_files(place, &mut *node, fields, &type_span);
        let inputs = spec
            .inputs
            .iter()
            .map(|input| fields.iter().find(|f| f.name == input.name).map(|f| f.value_span.clone()))
            .collect();
        for index in 0..spec.inputs.len() {
            place.rename(node.port_mut(index));
        }
        let location =
            Location { source: Arc::clone(source), name: source.span_of(name), kind: type_span, inputs };
        self.nodes.insert(format!("{}{name}", place.prefix), GraphNode { node, location: Some(location) });
    }

    /// Says where a node's files are, and refuses what is missing or leaves the graph's folder.
    fn resolve_files(
        &mut self,
        place: &Place<'_>,
        node: &mut dyn crate::node::Node,
        fields: &[Field<'_>],
        type_span: &Span<usize>,
    ) {
        let mut problems = Vec::new();
        let (root, outside, files) = (self.root.clone(), self.options.allow_outside, &mut self.files);
        node.files(&mut |file| match resolve(&root, place.folder, file.given(), outside) {
            Ok(path) => {
                files.push(path.clone());
                file.resolve(path);
            }
            Err((message, help)) => problems.push((file.given().to_owned(), message, help)),
        });
        for (given, message, help) in problems {
            let field = fields.iter().find(|f| f.value.contains(&given) && !given.is_empty());
            let span = field.map_or_else(|| type_span.clone(), |f| f.value_span.clone());
            self.error(place.source, span, message, help);
        }
    }

    /// Expands another graph's file as a node.
    fn subgraph(&mut self, place: &Place<'_>, name: &str, type_span: Span<usize>, fields: &[Field<'_>]) {
        let source = place.source;
        for field in fields.iter().filter(|f| !["file", "inputs", "params"].contains(&f.name)) {
            let help = suggest::help(field.name, &["file", "inputs", "params"], "its fields are");
            self.error(
                source,
                field.name_span.clone(),
                format!("`Subgraph` has no field `{}`", field.name),
                help,
            );
        }
        let Some(file) = fields.iter().find(|f| f.name == "file") else {
            self.error(source, type_span, "`Subgraph` needs `file`", "write file: \"other.ron\"");
            return;
        };
        let Ok(given) = ron_options().from_str::<String>(file.value) else {
            self.error(
                source,
                file.value_span.clone(),
                "`file` is not quoted text",
                "write file: \"other.ron\"",
            );
            return;
        };
        let path = match resolve(&self.root, place.folder, &given, self.options.allow_outside) {
            Ok(path) => path,
            Err((message, help)) => return self.error(source, file.value_span.clone(), message, help),
        };
        self.files.push(path.clone());
        let canonical = canonical_path(&path);
        if self.stack.contains(&canonical) {
            let chain: Vec<String> = self.stack.iter().map(|p| p.display().to_string()).collect();
            let message = format!("`{given}` uses itself: {} -> {}", chain.join(" -> "), canonical.display());
            return self.error(
                source,
                file.value_span.clone(),
                message,
                "take the graph apart so that no file needs itself",
            );
        }
        let text = match read_text(&path) {
            Ok(text) => text,
            Err((message, help)) => {
                let message = format!("cannot read `{given}`: {message}");
                return self.error(source, file.value_span.clone(), message, help);
            }
        };
        let inner = Arc::new(SourceText { name: path.display().to_string(), text });
        self.stack.push(canonical);
        self.expand(place, name, fields, &path, &inner);
        self.stack.pop();
    }

    fn expand(
        &mut self,
        place: &Place<'_>,
        name: &str,
        fields: &[Field<'_>],
        path: &Path,
        inner: &Arc<SourceText>,
    ) {
        let parts = match self.parts(inner) {
            Ok(parts) => parts,
            Err(diagnostic) => return self.errors.push(diagnostic),
        };
        let replaced = self.subgraph_inputs(place, fields, &parts);
        let set = self.subgraph_params(place, fields, &parts);
        let declared = parts.params.iter().map(|e| (e.name.to_owned(), e.value.to_owned()));
        let params: IndexMap<String, String> = declared.chain(set).collect();
        let prefix = format!("{}{name}/", place.prefix);
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        self.read_nodes(inner, &prefix, &folder, &parts.nodes, &params, &replaced);

        let mut outputs = IndexMap::new();
        for entry in self.read_outputs(inner, &parts.outputs) {
            let stem = Path::new(&entry.file)
                .file_stem()
                .map_or_else(String::new, |s| s.to_string_lossy().into_owned());
            let from = replaced.get(&entry.from.node).cloned().unwrap_or_else(|| Reference {
                node: format!("{prefix}{}", entry.from.node),
                output: entry.from.output,
            });
            outputs.entry(stem).or_insert(from);
        }
        self.aliases.insert(format!("{}{name}", place.prefix), Alias { outputs, prefix });
    }

    /// Which of a subgraph's nodes are given from outside, by what.
    fn subgraph_inputs(
        &mut self,
        place: &Place<'_>,
        fields: &[Field<'_>],
        parts: &Parts<'_>,
    ) -> HashMap<String, Reference> {
        let mut replaced = HashMap::new();
        let Some(field) = fields.iter().find(|f| f.name == "inputs") else { return replaced };
        let entries = match self.entries(place.source, field, "input") {
            Ok(entries) => entries,
            Err(diagnostic) => {
                self.errors.push(diagnostic);
                return replaced;
            }
        };
        let known: Vec<&str> = parts.nodes.iter().map(|e| e.name).collect();
        for entry in &entries {
            let field = entry.field(place.source);
            if !known.contains(&entry.name) {
                let help = suggest::help(
                    entry.name,
                    &known,
                    "an input replaces one of the subgraph's nodes, which are",
                );
                self.error(
                    place.source,
                    field.name_span,
                    format!("the subgraph has no node `{}`", entry.name),
                    help,
                );
            } else if let Ok(text) = entry.text() {
                replaced.insert(entry.name.to_owned(), place.outer(Reference::parse(&text)));
            } else {
                let help = "write \"NODE\" or \"NODE.OUTPUT\" in quotes; a number needs a Constant node";
                self.error(place.source, field.value_span, format!("`{}` is a port", entry.name), help);
            }
        }
        replaced
    }

    /// Parameters handed to a subgraph, with the outer graph's own parameters filled in.
    fn subgraph_params(
        &mut self,
        place: &Place<'_>,
        fields: &[Field<'_>],
        parts: &Parts<'_>,
    ) -> Vec<(String, String)> {
        let Some(field) = fields.iter().find(|f| f.name == "params") else { return Vec::new() };
        let entries = match self.entries(place.source, field, "parameter") {
            Ok(entries) => entries,
            Err(diagnostic) => {
                self.errors.push(diagnostic);
                return Vec::new();
            }
        };
        let known: Vec<&str> = parts.params.iter().map(|e| e.name).collect();
        let mut set = Vec::new();
        for entry in &entries {
            let field = entry.field(place.source);
            if !known.contains(&entry.name) {
                let help = suggest::help(entry.name, &known, "its parameters are");
                self.error(
                    place.source,
                    field.name_span,
                    format!("the subgraph has no parameter `{}`", entry.name),
                    help,
                );
                continue;
            }
            let outer = entry.value.strip_prefix("\"$").and_then(|rest| rest.strip_suffix('"'));
            let value = match outer {
                None => Some(entry.value.to_owned()),
                Some(name) => place.params.get(name).cloned(),
            };
            match value {
                Some(value) => set.push((entry.name.to_owned(), value)),
                None => {
                    let names: Vec<&str> = place.params.keys().map(String::as_str).collect();
                    let help = suggest::help(outer.unwrap_or_default(), &names, "the graph's parameters are");
                    self.error(place.source, field.value_span, format!("{} is not known", entry.value), help);
                }
            }
        }
        set
    }

    fn read_outputs(&mut self, source: &Arc<SourceText>, entries: &[Entry<'_>]) -> Vec<OutputEntry> {
        let mut outputs = Vec::new();
        for entry in entries {
            let field = entry.field(source);
            if let Some(reason) = bad_output(entry.name) {
                let help = "write a relative path such as \"height.png\" or \"maps/height.tif\"";
                self.error(
                    source,
                    field.name_span.clone(),
                    format!("cannot write `{}`: {reason}", entry.name),
                    help,
                );
            }
            let (from, span, options) = if entry.value.starts_with('"') {
                (entry.text().ok(), field.value_span.clone(), Vec::new())
            } else {
                match self.export(source, entry) {
                    Ok(export) => export,
                    Err(diagnostic) => {
                        self.errors.push(diagnostic);
                        continue;
                    }
                }
            };
            let Some(from) = from.filter(|text| !text.is_empty()) else {
                self.error(source, field.value_span, "an output comes from a node", EXPORT_HELP);
                continue;
            };
            outputs.push(OutputEntry {
                file: entry.name.to_owned(),
                from: Reference::parse(&from),
                options,
                location: Some((Arc::clone(source), span)),
            });
        }
        outputs
    }

    /// `Export(from: "node", option: value, ...)`.
    fn export(&mut self, source: &Arc<SourceText>, entry: &Entry<'_>) -> Result<Export, Diagnostic> {
        let call = document::call(source, entry.value)
            .map_err(|d| Diagnostic { help: EXPORT_HELP.to_owned(), ..d })?;
        let span = source.span_of(call.name);
        if call.name != "Export" {
            return Err(Diagnostic::at(
                source,
                span,
                format!("an output is no `{}`", call.name),
                EXPORT_HELP,
            ));
        }
        let mut from = None;
        let mut from_span = span;
        let mut options = Vec::new();
        for option in &call.fields {
            if option.name == "from" {
                from = option.text().ok();
                from_span = source.span_of(option.value);
            } else {
                options.push((option.name.to_owned(), option.value.to_owned()));
            }
        }
        Ok((from, from_span, options))
    }

    /// Replaces references to subgraphs by references to what is inside them.
    fn resolve_aliases(&mut self) {
        let mut errors = Vec::new();
        for graph_node in self.nodes.values_mut() {
            for index in 0..graph_node.node.spec().inputs.len() {
                let Source::Wire(reference) = graph_node.node.port(index).source() else { continue };
                match follow(&self.aliases, reference) {
                    Ok(None) => {}
                    Ok(Some(inner)) => graph_node.node.port_mut(index).connect(Source::Wire(inner)),
                    Err((message, help)) => {
                        let place = graph_node
                            .location
                            .as_ref()
                            .and_then(|l| Some((Arc::clone(&l.source), l.inputs[index].clone()?)));
                        errors.push(Diagnostic { place, message, help });
                    }
                }
            }
        }
        self.errors.extend(errors);
    }

    fn resolve_outputs(&mut self, outputs: &mut [OutputEntry]) {
        for entry in outputs {
            match follow(&self.aliases, &entry.from) {
                Ok(None) => {}
                Ok(Some(inner)) => entry.from = inner,
                Err((message, help)) => {
                    self.errors.push(Diagnostic { place: entry.location.clone(), message, help });
                }
            }
        }
    }
}

/// What an `Export` says: the source's text, where it stands, and the options.
type Export = (Option<String>, Span<usize>, Vec<(String, String)>);

const EXPORT_HELP: &str = "write \"NODE\", \"NODE.OUTPUT\" or Export(from: \"NODE\", range: (0, 1000))";
const NAME_HELP: &str = "use letters, digits, `_`, `-` and blanks";

/// Where nodes are being read.
struct Place<'a> {
    source: &'a Arc<SourceText>,
    prefix: &'a str,
    folder: &'a Path,
    params: &'a IndexMap<String, String>,
    replaced: &'a HashMap<String, Reference>,
}

impl Place<'_> {
    /// A reference in this text as a reference in the whole graph.
    fn outer(&self, reference: Reference) -> Reference {
        match self.replaced.get(&reference.node) {
            Some(outside) => outside.clone(),
            None => {
                Reference { node: format!("{}{}", self.prefix, reference.node), output: reference.output }
            }
        }
    }

    fn rename(&self, port: &mut dyn Port) {
        if let Source::Wire(reference) = port.source()
            && !(self.prefix.is_empty() && self.replaced.is_empty())
        {
            let outer = self.outer(reference.clone());
            port.connect(Source::Wire(outer));
        }
    }
}

/// Follows references into subgraphs; `None` when there is nothing to follow.
fn follow(
    aliases: &HashMap<String, Alias>,
    reference: &Reference,
) -> Result<Option<Reference>, (String, String)> {
    let mut current = reference.clone();
    let mut followed = 0;
    while let Some(alias) = aliases.get(&current.node) {
        followed += 1;
        if followed > aliases.len() {
            return Err((
                format!("`{reference}` leads from subgraph to subgraph back to itself"),
                "a node cannot need its own result: cut one of these wires".to_owned(),
            ));
        }
        let next = match &current.output {
            None => alias.outputs.values().next().cloned(),
            Some(name) => alias.outputs.get(name).cloned(),
        };
        current = next.ok_or_else(|| {
            let known: Vec<&str> = alias.outputs.keys().map(String::as_str).collect();
            let wanted = current.output.clone().unwrap_or_default();
            let inside = alias.prefix.trim_end_matches('/');
            (
                format!("the subgraph `{inside}` has no output `{wanted}`"),
                suggest::help(&wanted, &known, "its outputs, by file name without extension, are"),
            )
        })?;
    }
    Ok((followed > 0).then_some(current))
}

fn bad_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("it is empty")
    } else if name.contains(['.', '/', '$']) {
        Some("`.` names an output, `/` a node in a subgraph and `$` a parameter")
    } else if name.chars().any(char::is_control) {
        Some("it has control characters")
    } else {
        None
    }
}

fn bad_output(file: &str) -> Option<&'static str> {
    let path = Path::new(file);
    if file.is_empty() {
        Some("the name is empty")
    } else if path.components().any(|c| !matches!(c, Component::Normal(_) | Component::CurDir))
        || file.contains('\\')
    {
        Some("it leaves the folder of outputs")
    } else if file.ends_with('/') {
        Some("it names a folder")
    } else {
        None
    }
}

/// The file that `given` names in `folder`, when it exists and stays below `root` or may leave it.
fn resolve(root: &Path, folder: &Path, given: &str, outside: bool) -> Result<PathBuf, (String, String)> {
    if given.is_empty() {
        return Err((
            "no file is named".to_owned(),
            "write the file's path in quotes, relative to the graph".to_owned(),
        ));
    }
    let path = folder.join(given);
    let real = path.canonicalize().map_err(|error| {
        (
            format!("cannot read `{given}`: {error}"),
            format!("paths are relative to the graph's folder, `{}`", folder.display()),
        )
    })?;
    if real.is_dir() {
        return Err((format!("`{given}` is a folder"), "name a file".to_owned()));
    }
    let inside = root.canonicalize().is_ok_and(|root| real.starts_with(root));
    if !inside && !outside {
        return Err((
            format!("`{given}` leaves the graph's folder `{}`", root.display()),
            "move the file below the graph, or allow it with --allow-outside".to_owned(),
        ));
    }
    Ok(path)
}
