//! Checks the names of a graph's outputs.

use std::collections::HashMap;
use std::ops::Range as Span;
use std::sync::Arc;

use super::loader::Loader;
use crate::language::document::Entry;
use crate::language::file_names::{bad_output, name_key, too_long};
use crate::report::SourceText;
use crate::report::suggest::shorten_path;

/// A file that is written.
struct Written<'t> {
    /// The key of its name, with a sign between folders that sorts before all others.
    key: String,
    /// The output that it belongs to.
    output: &'t str,
    span: Span<usize>,
}

impl Loader<'_> {
    /// Reports names of outputs that cannot be written, and outputs that would overwrite each other. The
    /// names of each text are checked once, however often the text is used.
    pub(super) fn check_output_names(&mut self, source: &Arc<SourceText>, entries: &[Entry<'_>]) {
        if !self.checked_names.insert(source.text.as_ptr() as usize) {
            return;
        }
        // Every file that is written, with the output that it belongs to.
        let mut taken: HashMap<String, &str> = HashMap::new();
        let mut files = Vec::new();
        for entry in entries {
            let span = &entry.name_span;
            let companions = self.registry.family().companions;
            let long =
                too_long(entry.name).or_else(|| companions(entry.name).iter().find_map(|f| too_long(f)));
            if let Some((reason, help)) = long.or_else(|| bad_output(entry.name)) {
                let message = format!("cannot write {}: {reason}", shown(entry.name));
                self.error(source, span.clone(), "file-name", message, help);
                continue;
            }
            let name = name_key(entry.name);
            let companions = companions(&name);
            let written = || std::iter::once(&name).chain(&companions);
            if let Some((file, other)) = written().find_map(|file| taken.get_key_value(file)) {
                let message =
                    format!("{} and {} would overwrite each other", shown(entry.name), shown(other));
                let help = if name == name_key(other) {
                    "use names that differ in more than case, Unicode form and `./`".to_owned()
                } else {
                    format!("{} is written together with another output: choose another name", shown(file))
                };
                self.error(source, span.clone(), "same-file", message, help);
            }
            for file in written() {
                taken.entry(file.clone()).or_insert(entry.name);
                files.push(Written { key: file.replace('/', "\0"), output: entry.name, span: span.clone() });
            }
        }
        self.check_folders(source, files);
    }

    /// Reports outputs in folders that are files of other outputs. In the order of the names, all files in a
    /// folder directly follow a file of the folder's name.
    fn check_folders(&mut self, source: &Arc<SourceText>, mut files: Vec<Written<'_>>) {
        files.sort_by(|a, b| (&a.key, a.span.start).cmp(&(&b.key, b.span.start)));
        let mut above: Option<&Written<'_>> = None;
        for file in &files {
            let inside = |above: &&Written<'_>| {
                file.key.strip_prefix(&*above.key).is_some_and(|rest| rest.starts_with('\0'))
            };
            let Some(folder) = above.filter(inside) else {
                above = Some(file);
                continue;
            };
            let message = format!(
                "{} cannot be a folder of {}: the output {} is a file of this name",
                shown(&folder.key.replace('\0', "/")),
                shown(file.output),
                shown(folder.output)
            );
            self.error(source, file.span.clone(), "same-file", message, "choose another name");
        }
    }
}

/// A name for a message, without control characters.
fn shown(name: &str) -> String {
    shorten_path(&name.escape_debug().to_string())
}
