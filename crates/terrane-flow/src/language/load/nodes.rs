//! Reads nodes from text.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range as Span;
use std::path::Path;
use std::sync::Arc;

use terrane_syntax::{Form, Problem};

use super::limits::{MAX_NODES, MAX_TEXT};
use super::loader::Loader;
use super::text::{naming, note, resolve, stays};
use crate::language::document::{self, Call, Entry};
use crate::language::names::{REPEAT, SUBGRAPH, bad_name};
use crate::model::fields::{Field, Fields};
use crate::model::graph::GraphNode;
use crate::model::keep::Common;
use crate::model::node::{Declare as _, Node};
use crate::model::origin::{Location, Scope};
use crate::model::port::{Port, Reference, Source};
use crate::model::registry::NodeType;
use crate::model::spec::NodeSpec;
use crate::report::suggest;
use crate::report::{Diagnostic, SourceText};

const NAME_HELP: &str = "use letters, digits, `_`, `-` and spaces";

/// The context in which nodes are read.
pub struct Place<'a> {
    pub source: &'a Arc<SourceText>,
    pub prefix: &'a str,
    pub folder: &'a Path,
    pub scope: &'a Arc<Scope>,
    pub replaced: &'a HashMap<String, Reference>,
}

impl Place<'_> {
    /// Converts a reference in this text to one in the whole graph.
    pub fn outer(&self, reference: Reference) -> Reference {
        match self.replaced.get(&*reference.node) {
            Some(outside) => outside.clone(),
            None => Reference {
                node: format!("{}{}", self.prefix, reference.node).into(),
                output: reference.output,
            },
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

impl Loader<'_> {
    /// Reads nodes into the graph, with `prefix` before their names. The nodes in `replaced` are left out,
    /// since nodes of the outer graph replace them.
    pub(super) fn read_nodes(
        &mut self,
        source: &Arc<SourceText>,
        prefix: &str,
        folder: &Path,
        entries: &[Entry<'_>],
        scope: &Arc<Scope>,
        replaced: &HashMap<String, Reference>,
    ) {
        // Prefixes count as text too: names in subgraphs begin with the names of all enclosing subgraphs.
        self.expanded += prefix.len() * entries.len();
        for entry in entries {
            if replaced.contains_key(entry.name) {
                continue;
            }
            if self.is_full(source, entry) {
                return;
            }
            self.read_entry(&Place { source, prefix, folder, scope, replaced }, entry);
            let whole = format!("{prefix}{}", entry.name);
            if !self.nodes.contains_key(&whole) && !self.aliases.contains_key(&whole) {
                self.unread.insert(whole);
            }
            // A name with escapes is a mistake, and references write it in the same way.
            self.unread.extend(entry.meant().map(|meant| format!("{prefix}{meant}")));
        }
    }

    /// Whether the graph has reached a limit, so that no further entry can be added. Reports this the first
    /// time.
    pub(super) fn is_full(&mut self, source: &Arc<SourceText>, entry: &Entry<'_>) -> bool {
        let nodes = self.nodes.len() + self.aliases.len() + self.unread.len();
        let message = if nodes >= MAX_NODES {
            format!("this is more than the {MAX_NODES} nodes that a graph can have")
        } else if self.expanded > MAX_TEXT {
            format!("this is more than the {} MiB of text that subgraphs can expand to", MAX_TEXT >> 20)
        } else {
            return false;
        };
        if !std::mem::replace(&mut self.is_too_large, true) {
            let help = "subgraphs count in full each time they are used: split the graph";
            self.error(source, entry.name_span.clone(), "too-large", message, help);
        }
        true
    }

    fn read_entry(&mut self, place: &Place<'_>, entry: &Entry<'_>) {
        let source = place.source;
        let name_span = entry.name_span.clone();
        if let Some(reason) = bad_name(entry.name) {
            self.error(
                source,
                name_span,
                "node-name",
                format!("{} is not a valid node name: {reason}", suggest::shorten(entry.name)),
                NAME_HELP,
            );
            return;
        }
        match document::call(source, entry.value) {
            Err(wrong) => match entry.value.form() {
                Form::Word(name)
                    if wrong.0.iter().any(|own| own.code == "no-parentheses") && !self.is_type(name) =>
                {
                    self.unknown_type(source, entry.value.span(), (name, "()"), &[]);
                }
                _ => self.errors.extend(wrong.0),
            },
            Ok(call) if call.name == SUBGRAPH => self.subgraph(place, entry.name, &call),
            Ok(call) if call.name == REPEAT => self.repeat(place, entry, &call),
            Ok(call) => self.read_node(place, entry, &call),
        }
    }

    fn is_type(&self, name: &str) -> bool {
        [SUBGRAPH, REPEAT].contains(&name)
            || self.registry.node(name).is_some()
            || self.registry.lacking(name).is_some()
    }

    /// Reports a type that does not exist. What is probably meant is one with a similar name, of several the
    /// one with the most of these fields, or the only one with this word; `brackets` follow it in the text
    /// that mends the mistake.
    fn unknown_type(
        &mut self,
        source: &Arc<SourceText>,
        span: Span<usize>,
        (name, brackets): (&str, &str),
        fields: &[Field<'_>],
    ) {
        let known: Vec<&str> =
            self.registry.nodes().map(|node| node.spec().name).chain([SUBGRAPH, REPEAT]).collect();
        let word = name.to_lowercase();
        let has_word = |known: &&&str| word.len() > 2 && known.to_lowercase().contains(&word);
        let mut with_word = known.iter().filter(has_word);
        let only = with_word.next().filter(|_| with_word.next().is_none()).copied();
        let takes = |near: &&str| {
            let spec = self.registry.node(near).map(NodeType::spec);
            let names = spec.into_iter().flat_map(NodeSpec::fields).collect::<Vec<_>>();
            Reverse(fields.iter().filter(|field| names.contains(&field.name)).count())
        };
        let near = suggest::all_nearest(name, &known).into_iter().min_by_key(takes).or(only);
        let help = near.map_or_else(
            || "`terrane nodes` lists the types".to_owned(),
            |near| format!("did you mean `{near}`? `terrane nodes` lists the types"),
        );
        let message = format!("there is no node type {}", suggest::shorten(name));
        let unknown = Diagnostic::at(source, span, message, help).coded("unknown-type");
        self.errors.push(unknown.mended_by(near.map(|near| format!("{near}{brackets}"))));
    }

    fn read_node(&mut self, place: &Place<'_>, entry: &Entry<'_>, call: &Call<'_>) {
        let source = place.source;
        let (type_name, type_span) = (call.name, call.name_span.clone());
        let fields: Vec<Field<'_>> =
            call.fields.iter().map(|entry| place.scope.field(entry.field())).collect();
        let fields = &*fields;
        let Some(node_type) = self.registry.node(type_name) else {
            if let Some(feature) = self.registry.lacking(type_name) {
                let message = format!("this build has no `{type_name}`");
                let help = format!("use a build with the feature `{feature}`");
                self.errors.push(Diagnostic::at(source, type_span, message, help).coded("lacking-type"));
                return;
            }
            return self.unknown_type(source, type_span, (type_name, ""), fields);
        };
        let spec = node_type.spec();
        let lookup = self.limited(place.scope);
        let common = Common::fields();
        let mut reader = Fields::beside(spec, common.params, fields, &lookup).of_broken_text(call.is_wrong);
        let mut node = node_type.read(&mut reader);
        let mut errors = reader.into_errors();
        let (mut keep, mut lacks) = (None, None);
        // The field `keep` is read separately, since few nodes set it.
        if let Some(at) = fields.iter().position(|field| field.name == "keep")
            && spec.params.iter().all(|param| param.name != "keep")
        {
            let mut reader = Fields::new(common, &fields[at..=at], &lookup);
            keep = Common::from_fields(&mut reader).keep;
            errors.extend(reader.into_errors());
        }
        if errors.is_empty()
            && !call.is_wrong
            && let Err(invalid) = node.check()
        {
            let port = spec.inputs.iter().position(|input| input.name == invalid.field);
            let is_unset = port.is_some_and(|port| matches!(node.port(port).source(), Source::Unset));
            if self.options.unconnected && is_unset {
                lacks = Some(format!("{}: {}", invalid.message, invalid.help));
            } else {
                let span = fields
                    .iter()
                    .find(|f| f.name == invalid.field)
                    .map_or(type_span.clone(), |f| f.value_span.clone());
                self.error(source, span, "refused", invalid.message, invalid.help);
            }
        }
        if self.options.unconnected {
            errors.retain(|error| error.code != "missing-port");
        }
        self.field_errors(source, type_span.clone(), errors);
        self.resolve_files(place, &mut *node, fields, &type_span);
        let given = |name: &str| fields.iter().find(|f| f.name == name).map(|f| f.value_span.clone());
        let inputs = spec.inputs.iter().map(|input| given(input.name)).collect();
        let params = spec.params.iter().map(|param| given(param.name)).collect();
        for index in 0..spec.inputs.len() {
            place.rename(node.port_mut(index));
        }
        let location = Location {
            source: Arc::clone(source),
            name: entry.name_span.clone(),
            kind: type_span,
            inputs,
            params,
            scope: Arc::clone(place.scope),
        };
        let mut node = GraphNode::new(node, Some(location));
        node.keep = keep;
        node.lacks = lacks;
        self.nodes.insert(format!("{}{}", place.prefix, entry.name), node);
    }

    /// Resolves a node's files, and reports those that are missing or outside the graph's folder.
    fn resolve_files(
        &mut self,
        place: &Place<'_>,
        node: &mut dyn Node,
        fields: &[Field<'_>],
        type_span: &Span<usize>,
    ) {
        let (mut problems, mut is_whole) = (Vec::new(), true);
        let (root, outside) = (self.root.clone(), self.options.allow_outside);
        let (noted, files) = (&mut self.files, &self.options.files);
        node.files(&mut |file| {
            // That a field is missing is reported with the other fields.
            if file.given().is_empty() && naming(fields, "").is_none() {
                is_whole = false;
                return;
            }
            note(noted, &**files, place.folder, file.given());
            match resolve(&**files, &root, place.folder, file.given(), outside) {
                Ok(path) => file.resolve(path, Arc::clone(files)),
                Err(Problem { message, help }) => problems.push((file.given().to_owned(), message, help)),
            }
        });
        if problems.is_empty() && is_whole {
            for companion in node.companions() {
                if let Err(Problem { message, help }) = stays(&**files, &root, &companion, outside) {
                    problems.push((String::new(), message, help));
                }
                noted.push(companion);
            }
        }
        for (given, message, help) in problems {
            let span = naming(fields, &given).map_or_else(|| type_span.clone(), |f| f.value_span.clone());
            self.error(place.source, span, "file", message, help);
        }
    }
}
