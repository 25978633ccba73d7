//! Loads a [`Graph`] from text, and reports every mistake in every file at once.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use terrane_syntax::Tree;

use super::limits::{ENTRY_BYTES, OfProfiles};
use super::loaded::{LoadOptions, Loaded, Setting, Touched};
use super::loader::{EditTree, Loader, Parts};
use super::text::{canonical_path, read_text};
use crate::language::document::{self, Entry, Parsed};
use crate::model::fields::{Field, Fields};
use crate::model::graph::Graph;
use crate::model::plan::Plan;
use crate::model::registry::Registry;
use crate::report::suggest;
use crate::report::{Diagnostic, Diagnostics, MAX_RENDERED, SourceText};

/// Reads and checks a graph file.
///
/// # Errors
/// All mistakes in the file, its subgraphs and the options. Nothing is evaluated or written.
pub fn load_file(path: &Path, registry: &Registry, options: &LoadOptions) -> Result<Loaded, Diagnostics> {
    load_edited(path, registry, options, &mut |_, tree| tree).0
}

/// Reads and checks a graph file without a profile, then with each of its profiles. Each file is read and
/// parsed once, and each value of a profile is read once. Returns the graph without a profile.
///
/// # Errors
/// As [`load_file`]. All profiles together may take four times as much as one graph.
pub fn check_file(path: &Path, registry: &Registry, options: &LoadOptions) -> Result<Loaded, Diagnostics> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let text = read_graph(path, options)?;
    let file = canonical_path(&*options.files, path);
    let parsed = Parsed::of(&path.display().to_string(), Tree::parse(text));
    let (mut texts, mut literals) = (HashMap::new(), HashMap::new());
    let mut load = |options: &LoadOptions, has_profile: bool| {
        let mut edit = |_: &Path, tree| tree;
        let mut loader = Loader::new(registry, options, folder, &mut edit);
        loader.files.push(path.to_owned());
        loader.stack.push(file.clone());
        (loader.texts, loader.literals) = (std::mem::take(&mut texts), std::mem::take(&mut literals));
        loader.reads_all_profiles = !has_profile;
        let loaded = loader.load(&parsed, Some(file.as_path().into()));
        let used = loader.used();
        (texts, literals) = (loader.texts, loader.literals);
        (loaded, used)
    };
    let graph = load(options, false).0?;
    let (mut wrong, mut all) = (Diagnostics::default(), OfProfiles::default());
    let profiles = &graph.graph.profiles;
    for profile in profiles {
        if let Some(mistake) = all.excess(profiles.len()) {
            wrong.0.push(mistake);
            break;
        }
        let set = vec![Setting::Profile(profile.clone())];
        let (loaded, used) = load(&LoadOptions { set, ..options.clone() }, true);
        all.add(used);
        if let Err(mistakes) = loaded {
            wrong.0.extend(mistakes.0.into_iter().map(|mistake| Diagnostic {
                message: format!("with the profile `{profile}`: {}", mistake.message),
                ..mistake
            }));
        }
    }
    wrong.into_result()?;
    Ok(graph)
}

/// The text of a graph file.
fn read_graph(path: &Path, options: &LoadOptions) -> Result<String, Diagnostics> {
    read_text(&*options.files, path).map_err(|error| {
        let whole = Diagnostic::nowhere(
            format!("cannot read the graph `{}`: {}", path.display(), error.message),
            error.help,
        );
        whole.coded("file").into()
    })
}

/// Like [`load_file`], but also returns the files that were accessed, and `edit` may change the texts, to
/// preview unsaved changes. `edit` receives the canonical path and the tree of the graph's file and of every
/// subgraph's file. It returns the tree to load: the same tree, or a tree changed by
/// [`GraphText`](crate::GraphText) or [`Tree::edited`]. Positions in diagnostics refer to the changed texts.
pub fn load_edited(
    path: &Path,
    registry: &Registry,
    options: &LoadOptions,
    edit: &mut EditTree<'_>,
) -> (Result<Loaded, Diagnostics>, Touched) {
    let mut loader = Loader::new(registry, options, path.parent().unwrap_or(Path::new("")), edit);
    loader.files.push(path.to_owned());
    let result = read_graph(path, options).and_then(|text| {
        let file = canonical_path(&*options.files, path);
        let tree = (loader.edit)(&file, Tree::parse(text));
        loader.stack.push(file.clone());
        loader.load(&Parsed::of(&path.display().to_string(), tree), Some(file.into()))
    });
    (result, Touched(loader.files))
}

/// Reads and checks a graph from text. File paths are relative to `folder`.
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
    Loader::new(registry, options, folder, &mut |_, tree| tree).load(&Parsed::new(source), None)
}

impl Loader<'_> {
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
        self.own = source.text.len() + (parts.params.len() + parts.outputs.len()) * ENTRY_BYTES;
        let own = file.as_ref().map(|file| (file.to_path_buf(), Arc::clone(&source.text)));
        let profiles = self.profiles(source, &parts);
        let set = self.params(source, &parts.params, &profiles);
        let scope = Arc::new(self.scope(source, file, &parts, set));
        let family = self.registry.family();
        let given: Vec<Field<'_>> = parts.header.iter().map(|field| scope.field(field.clone())).collect();
        let mut fields = Fields::new(family.graph, &given, &*scope).of_broken_text(true);
        let header = (family.read_header)(&mut fields, &self.options.header);
        let seed = match family.graph.params.iter().position(|param| param.name == "seed") {
            Some(seed) => fields.param(seed, 0),
            None => 0,
        };
        let seed = self.options.seed.unwrap_or(seed);
        let errors = fields.into_errors();
        // Checks that depend on the header are skipped if the header is invalid.
        let has_header = errors.iter().all(|error| error.code == "unknown-field");
        self.field_errors(source, 0..0, errors);
        let folder = self.root.clone();
        self.read_nodes(source, "", &folder, &parts.nodes, &scope, &HashMap::new());
        let outputs = self.read_outputs(source, &parts.outputs, &scope);
        self.read_nodes = self.nodes.len();
        if self.is_too_large {
            return Err(self.take_errors());
        }
        self.check_given();
        self.resolve_aliases();
        let inner = self.texts.iter().map(|(file, parsed)| (file.clone(), Arc::clone(&parsed.source.text)));
        let mut graph = Graph {
            header,
            seed,
            nodes: std::mem::take(&mut self.nodes),
            outputs,
            scope,
            profiles: profiles.iter().map(|(name, _)| (*name).to_owned()).collect(),
            files: self.files.clone(),
            texts: inner.chain(own).collect(),
        };
        self.resolve_outputs(&mut graph.outputs);
        if has_header {
            let scope = Arc::clone(&graph.scope);
            let mut fields = Fields::new(family.graph, &given, &*scope).of_broken_text(true);
            (family.settle)(&mut graph, &mut fields, &self.options.header);
            // Mistakes in the text were reported when the header was read.
            let refused = fields.into_errors().into_iter().filter(|error| error.code == "refused");
            self.field_errors(source, 0..0, refused.collect());
        }
        match Plan::checked(&graph, has_header.then_some(self.registry), &self.unread) {
            Ok(plan) if self.errors.is_empty() => Ok(Loaded { graph, plan: Arc::new(plan) }),
            Ok(_) => Err(self.take_errors()),
            Err(errors) => {
                self.errors.extend(errors.0);
                Err(self.take_errors())
            }
        }
    }

    pub fn parts<'t>(&mut self, parsed: &'t Parsed) -> Result<Parts<'t>, Diagnostics> {
        self.parts_of(parsed, |_| true)
    }

    /// The parts of a text whose names are wanted.
    pub fn parts_of<'t>(
        &mut self,
        parsed: &'t Parsed,
        is_wanted: fn(&str) -> bool,
    ) -> Result<Parts<'t>, Diagnostics> {
        let source = &parsed.source;
        let mut parts = Parts::default();
        let mut seen = HashMap::new();
        for entry in parsed.graph()? {
            if let Some(first) = seen.get(entry.name) {
                let help = self.with_line("remove one of the two", source, *first);
                let message = format!("`{}` appears twice", entry.name);
                self.error(source, entry.name_span, "given-twice", message, help);
                continue;
            }
            seen.insert(entry.name, entry.name_span.start);
            match entry.name {
                name if !is_wanted(name) => {}
                "params" => {
                    let before = self.errors.len();
                    parts.params = self.entries(source, &entry, "parameter");
                    let is_lost = parts.params.is_empty() && self.errors.len() > before;
                    parts.has_broken_params |= is_lost || entry.value.is_wrong();
                }
                "profiles" => parts.profiles = self.entries(source, &entry, "profile"),
                "nodes" => parts.nodes = self.entries(source, &entry, "node"),
                "outputs" => parts.outputs = self.entries(source, &entry, "output"),
                name => {
                    parts.has_broken_params |= suggest::nearest(name, &["params"]).is_some();
                    parts.header.push(entry.field());
                }
            }
        }
        Ok(parts)
    }

    /// The entries of a map. Repeated names are reported, and only the first entry of each name is returned.
    pub fn entries<'t>(&mut self, source: &Arc<SourceText>, field: &Entry<'t>, what: &str) -> Vec<Entry<'t>> {
        let all = match document::read_map(source, field.value) {
            Ok((all, wrong)) => {
                self.errors.extend(wrong.0);
                all
            }
            Err(wrong) => {
                self.errors.extend(wrong.0);
                return Vec::new();
            }
        };
        let mut entries: Vec<Entry<'t>> = Vec::with_capacity(all.len());
        let mut seen = HashMap::new();
        for entry in all {
            // Names of outputs are not checked, since they are file names and never become column titles.
            if what != "output" && entry.name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
                let name = suggest::shorten(&entry.name.escape_debug().to_string());
                let message = format!("{name} is not a valid {what} name");
                let help = "begin with a letter: spreadsheet programs would read it as a formula";
                self.error(source, entry.name_span.clone(), "name", message, help);
            }
            match seen.get(entry.name) {
                None => {
                    seen.insert(entry.name, entry.name_span.start);
                    entries.push(entry);
                }
                Some(first) => {
                    let message = format!("the {what} `{}` appears twice", entry.name);
                    let help = self.with_line("rename one of the two", source, *first);
                    self.error(source, entry.name_span, "given-twice", message, help);
                }
            }
        }
        entries
    }

    /// The help for a name that appears twice, with the line of the first. Finding the line number scans the
    /// text, so it is left out if there are many mistakes.
    fn with_line(&self, help: &str, source: &SourceText, first: usize) -> String {
        if self.errors.len() >= MAX_RENDERED {
            return help.to_owned();
        }
        format!("{help}: the first is on line {}", source.line_column(first).0)
    }
}
