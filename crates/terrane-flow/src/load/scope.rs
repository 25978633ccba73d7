//! What a graph's nodes can refer to, and its seed.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use super::Loader;
use crate::document::Entry;
use crate::fields::Field;
use crate::home::{Bound, Scope};
use crate::param::ron_options;
use crate::report::{Diagnostic, SourceText};
use crate::suggest;

impl Loader<'_> {
    /// What the nodes of a text can refer to: declared parameters, with those that are set from outside in their place.
    pub(super) fn scope(
        &self,
        file: Option<Arc<Path>>,
        declared: &[Entry<'_>],
        set: Vec<(String, Bound)>,
    ) -> Scope {
        let mut scope = Scope { file, params: IndexMap::new() };
        for entry in declared {
            let bound = Bound { text: entry.value.to_owned(), home: scope.declared(entry.name) };
            scope.params.insert(entry.name.to_owned(), bound);
        }
        scope.params.extend(set);
        scope
    }

    /// Graph parameters that are set from outside all files.
    pub(super) fn params(
        &mut self,
        source: &Arc<SourceText>,
        declared: &[Entry<'_>],
        set: &[(String, String)],
    ) -> Vec<(String, Bound)> {
        let mut params = Vec::new();
        for (name, value) in set {
            let known: Vec<&str> = declared.iter().map(|entry| entry.name).collect();
            if !known.contains(&name.as_str()) {
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
                params.push((name.clone(), Bound { text: value.clone(), home: None }));
            }
        }
        params
    }

    pub(super) fn seed(&mut self, source: &Arc<SourceText>, field: Option<&Field<'_>>) -> u64 {
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
}
