//! Files of graphs that are used as nodes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_syntax::{NoParameters, Problem, Tree};

use super::loader::{Loader, Parts};
use super::nodes::Place;
use super::text::{canonical_path, note, read_text, resolve};
use crate::language::document::{Call, Parsed};
use crate::model::fields::{Field, Fields};
use crate::model::param::FilePath;
use crate::report::suggest::shorten_path;

/// The maximum nesting depth of files.
const MAX_DEPTH: usize = 64;

/// The maximum number of bytes of all files of subgraphs together. Each file counts once.
const MAX_READ: usize = 32 << 20;

/// The file of a graph that is used as a node.
pub struct InnerFile {
    pub path: PathBuf,
    pub canonical: PathBuf,
    pub parsed: Arc<Parsed>,
}

/// The fields of a node, except for `maps`, which the loader reads separately.
pub fn own_fields<'a>(place: &Place<'_>, call: &'a Call<'a>, maps: &[&str]) -> Vec<Field<'a>> {
    let own = call.fields.iter().filter(|field| !maps.contains(&field.name));
    own.map(|entry| place.scope.field(entry.field())).collect()
}

/// The name of an output for the outer graph: its file name without folder and extension.
pub fn stem(file: &str) -> String {
    Path::new(file).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

impl Loader<'_> {
    /// The file of a node. Each file is read and parsed only once. If the file cannot be read, this is
    /// reported, and the result is `None`.
    pub(super) fn inner_file(
        &mut self,
        place: &Place<'_>,
        own: &[Field<'_>],
        file: &FilePath,
        is_right: bool,
    ) -> Option<InnerFile> {
        let (source, given) = (place.source, file.given());
        let shown = shorten_path(given);
        let field = own.iter().find(|field| field.name == "file" && (is_right || !given.is_empty()))?;
        let file_span = field.value_span.clone();
        let files = &*self.options.files;
        note(&mut self.files, files, place.folder, given);
        let path = match resolve(files, &self.root, place.folder, given, self.options.allow_outside) {
            Ok(path) => path,
            Err(Problem { message, help }) => {
                self.error(source, file_span, "file", message, help);
                return None;
            }
        };
        let canonical = canonical_path(files, &path);
        if self.stack.contains(&canonical) {
            let chain: Vec<String> = self.stack.iter().map(|p| p.display().to_string()).collect();
            let message = format!("{shown} uses itself: {} -> {}", chain.join(" -> "), canonical.display());
            let help = "split the graph so that no file contains itself";
            self.error(source, file_span, "recursion", message, help);
            return None;
        }
        if self.stack.len() > MAX_DEPTH {
            let message = format!("{shown} is nested {} files deep", self.stack.len());
            let help =
                format!("subgraphs can be nested at most {MAX_DEPTH} deep: split the graph differently");
            self.error(source, file_span, "too-deep", message, help);
            return None;
        }
        let parsed = match self.texts.get(&canonical) {
            Some(inner) => Arc::clone(inner),
            None => match read_text(files, &path) {
                Ok(text) => {
                    self.read_bytes += text.len();
                    if self.read_bytes > MAX_READ {
                        let message =
                            format!("the files of subgraphs have more than {} MiB together", MAX_READ >> 20);
                        let help = "use fewer files, or import long lists from other files";
                        self.error(source, file_span, "too-large", message, help);
                        return None;
                    }
                    let tree = (self.edit)(&canonical, Tree::parse(text));
                    let inner = Arc::new(Parsed::of(&path.display().to_string(), tree));
                    self.errors.extend(inner.mistakes());
                    self.texts.insert(canonical.clone(), Arc::clone(&inner));
                    inner
                }
                Err(Problem { message, help }) => {
                    let message = format!("cannot read {shown}: {message}");
                    self.error(source, file_span, "file", message, help);
                    return None;
                }
            },
        };
        Some(InnerFile { path, canonical, parsed })
    }

    /// The parts of a graph that is used as a node. If the graph was used before and this use
    /// shares its parameters, these are only its nodes.
    pub(super) fn inner_parts<'t>(&mut self, file: &'t InnerFile, shares: bool) -> Option<Parts<'t>> {
        let inner = &*file.parsed;
        if shares && self.inner.contains_key(&file.canonical) {
            return self.parts_of(inner, |name| name == "nodes").ok();
        }
        match self.parts(inner) {
            Ok(parts) => {
                // The header of a subgraph is not used, but unknown fields in it are reported.
                let header = Fields::new(self.registry.family().graph, &parts.header, &NoParameters);
                self.field_errors(&inner.source, 0..0, header.into_errors());
                Some(parts)
            }
            Err(wrong) => {
                self.errors.extend(wrong.0);
                None
            }
        }
    }
}
