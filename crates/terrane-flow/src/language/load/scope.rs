//! The parameters that a graph's nodes can refer to.

use std::collections::{HashMap, HashSet};
use std::ops::Range as Span;
use std::path::Path;
use std::sync::Arc;

use terrane_syntax::{ReadError, TokenKind, Tree, Value, Wrong, fill, parameter_name, parameter_names};

use super::loaded::Setting;
use super::loader::{Loader, Parts};
use super::values::read_values;
use crate::language::document::Entry;
use crate::model::origin::{Bound, Home, Scope};
use crate::model::parameter_help::{mended_parameter, unknown};
use crate::report::suggest::{self, shorten};
use crate::report::{Diagnostic, SourceText};

/// Parameters that are set together, by the name of the profile.
pub type Profiles<'t> = Vec<(&'t str, Vec<(&'t str, Bound)>)>;

impl Loader<'_> {
    /// The parameters that the nodes of a text can refer to: the declared parameters, with the values that
    /// are set from outside. A parameter's value can use earlier parameters.
    pub(super) fn scope(
        &mut self,
        source: &Arc<SourceText>,
        file: Option<Arc<Path>>,
        parts: &Parts<'_>,
        set: Vec<(String, Bound)>,
    ) -> Scope {
        let mut scope = Scope { file, is_broken: parts.has_broken_params, ..Scope::default() };
        let mut set: HashMap<String, Bound> = set.into_iter().collect();
        for entry in &parts.params {
            if let Some(name) = entry.name.strip_prefix('$') {
                let message = format!("the parameter {} must be declared without `$`", shorten(entry.name));
                let help = format!("write \"{name}\"");
                let wrong = Diagnostic::at(source, entry.name_span.clone(), message, help).coded("name");
                self.errors.push(wrong.mended_by(Some(name.to_owned())));
                scope.wrong.insert(name.to_owned());
            }
            let home = scope.declared(entry.name);
            let own = self.bound(source, entry.value, &scope, home);
            if own.is_none() {
                scope.wrong.insert(entry.name.to_owned());
            }
            scope.params.insert(entry.name.to_owned(), own.unwrap_or_else(|| Bound::new("0", None)));
            if let Some(bound) = set.remove(entry.name)
                && let Some(bound) = self.bound_from_outside(entry.name, bound, &scope)
            {
                scope.wrong.remove(entry.name);
                scope.params.insert(entry.name.to_owned(), bound);
            }
        }
        scope
    }

    /// Resolves a value that is set from outside. The value may use earlier parameters. It may also use its
    /// own name, for the value that the graph declares.
    fn bound_from_outside(&mut self, name: &str, bound: Bound, scope: &Scope) -> Option<Bound> {
        if bound.home.is_some() || !bound.text.contains('$') {
            return Some(bound);
        }
        let tree = Tree::parse(Arc::clone(&bound.text));
        let filled = tree.value().map(|value| {
            let text = fill(value, &self.limited(scope))?;
            self.count(&text).map_err(|problem| ReadError { span: None, wrong: Wrong::Problem(problem) })?;
            Ok(text)
        });
        match filled {
            Some(Ok(text)) => Some(Bound::new(text, None)),
            Some(Err(error)) => {
                let error: ReadError = error;
                let help = match &error.wrong {
                    Wrong::Problem(problem) => problem.help.clone(),
                    _ => String::new(),
                };
                let message = format!("the value {} for `{name}` is invalid: {error}", shorten(&bound.text));
                self.errors.push(Diagnostic::nowhere(message, help).coded("parameter"));
                None
            }
            None => Some(bound),
        }
    }

    /// A value with its parameters resolved. If a parameter is unknown, this is reported, and the result is
    /// `None`.
    pub(super) fn bound(
        &mut self,
        source: &Arc<SourceText>,
        value: Value<'_>,
        scope: &Scope,
        home: Option<Home>,
    ) -> Option<Bound> {
        if value.is_wrong() || scope.is_reported(value) {
            return None;
        }
        if let Some(other) = parameter_name(value.text()).and_then(|name| scope.params.get(name)) {
            return Some(other.clone());
        }
        if value.text().contains('$') {
            return Some(Bound::new(self.filled(source, value, scope)?, home));
        }
        // Uses of a subgraph share the values that its file gives.
        let place = (source.text.as_ptr() as usize, value.span().start);
        let bound = self.literals.entry(place).or_insert_with(|| Bound::new(value.text(), None));
        Some(bound.at(home))
    }

    /// The text of a value with its parameters filled in. If a parameter is unknown, this is reported, and
    /// the result is `None`.
    pub(super) fn filled(
        &mut self,
        source: &Arc<SourceText>,
        value: Value<'_>,
        scope: &Scope,
    ) -> Option<String> {
        if value.is_wrong() || !value.text().contains('$') {
            return Some(value.text().to_owned());
        }
        if scope.is_reported(value) {
            return None;
        }
        let error = match fill(value, &self.limited(scope)) {
            Ok(text) => match self.count(&text) {
                Ok(()) => return Some(text),
                Err(problem) => ReadError { span: None, wrong: Wrong::Problem(problem) },
            },
            Err(error) => error,
        };
        let span = error.span.clone().unwrap_or_else(|| value.span());
        match error.wrong {
            Wrong::Problem(problem) => {
                let fix = mended_parameter(&source.text[span.clone()], &problem);
                let wrong = Diagnostic::at(source, span, problem.message, problem.help).coded("parameter");
                self.errors.push(wrong.mended_by(fix));
            }
            _ => self.error(source, span, "parameter", error.to_string(), ""),
        }
        None
    }

    /// The checked values of all profiles of a text, by the names of the profiles.
    pub(super) fn profiles<'t>(&mut self, source: &Arc<SourceText>, parts: &Parts<'t>) -> Profiles<'t> {
        let mut profiles = Vec::new();
        let names: Vec<&str> = parts.params.iter().map(|entry| entry.name).collect();
        let known: HashSet<&str> = names.iter().copied().collect();
        for profile in &parts.profiles {
            let mut values = Vec::new();
            let is_set = |setting: &Setting| matches!(setting, Setting::Profile(set) if set == profile.name);
            if !self.reads_all_profiles && !self.options.set.iter().any(is_set) {
                continue;
            }
            for entry in self.entries(source, profile, "parameter") {
                if !known.contains(&entry.name) {
                    let message = format!("the graph has no parameter `{}`", entry.name);
                    let place = (source, entry.name_span.clone());
                    let names = (entry.name, &*names, "its parameters are");
                    self.unknown("unknown-parameter", place, message, names);
                }
                if !entry.value.is_wrong() && self.names_known(source, entry.value, (&known, &names), parts) {
                    values.push((entry.name, Bound::new(entry.value.text(), None)));
                }
            }
            profiles.push((profile.name, values));
        }
        profiles
    }

    /// Whether the graph declares all parameters that a value uses. Reports parameters that are not declared.
    fn names_known(
        &mut self,
        source: &Arc<SourceText>,
        value: Value<'_>,
        (known, names): (&HashSet<&str>, &[&str]),
        parts: &Parts<'_>,
    ) -> bool {
        if !value.text().contains('$') {
            return true;
        }
        let (tree, span) = (value.tree(), value.span());
        let within = tree.tokens_from(span.start).take_while(|(_, place)| place.start < span.end);
        let texts: Vec<Span<usize>> =
            within.filter(|(kind, _)| *kind == TokenKind::Text).map(|(_, place)| place).collect();
        for place in texts {
            let unknown_name =
                parameter_names(&tree.text()[place.clone()]).find(|name| !known.contains(*name));
            if let Some(name) = unknown_name {
                if !parts.has_broken_params {
                    let names = (name, names, "the graph's parameters are");
                    self.unknown("parameter", (source, place), unknown(name), names);
                }
                return false;
            }
        }
        true
    }

    /// Graph parameters that are set from outside the files.
    pub(super) fn params(
        &mut self,
        source: &Arc<SourceText>,
        declared: &[Entry<'_>],
        profiles: &Profiles<'_>,
    ) -> Vec<(String, Bound)> {
        let mut params = Vec::new();
        let names: Vec<&str> = declared.iter().map(|entry| entry.name).collect();
        let known: HashSet<&str> = names.iter().copied().collect();
        let options = self.options;
        for setting in &options.set {
            match setting {
                Setting::Param(name, value) => {
                    params.extend(self.param(source, (name, value), (&known, &names)));
                }
                Setting::Profile(wanted) => match profiles.iter().find(|(profile, _)| profile == wanted) {
                    Some((_, values)) => {
                        params.extend(values.iter().map(|(name, bound)| ((*name).to_owned(), bound.clone())));
                    }
                    None => {
                        let names: Vec<&str> = profiles.iter().map(|(profile, _)| *profile).collect();
                        let message = format!("`{}` has no profile `{wanted}`", source.name);
                        let help = match &names[..] {
                            [] => "it has none: set parameters by NAME=VALUE, or by a file, @FILE.ron"
                                .to_owned(),
                            names => suggest::help(wanted, names, "its profiles are"),
                        };
                        self.errors.push(Diagnostic::nowhere(message, help).coded("parameter"));
                    }
                },
                Setting::Values(file) => {
                    self.files.push(file.clone());
                    match read_values(&*options.files, file) {
                        Ok(values) => {
                            for (name, value) in &values {
                                params.extend(self.param(source, (name, value), (&known, &names)));
                            }
                        }
                        Err(wrong) => self.errors.extend(wrong.0),
                    }
                }
            }
        }
        params
    }

    /// A parameter that is set from outside the files. If it is invalid, this is reported.
    fn param(
        &mut self,
        source: &SourceText,
        (name, value): (&str, &str),
        (known, names): (&HashSet<&str>, &[&str]),
    ) -> Option<(String, Bound)> {
        if !known.contains(name) {
            let message = format!("`{}` has no parameter `{name}` to set", source.name);
            let help = suggest::help(name, names, "its parameters are");
            self.errors.push(Diagnostic::nowhere(message, help).coded("unknown-parameter"));
            return None;
        }
        if let Err(error) = crate::language::document::one_value(value) {
            let message = format!("the value {} for `{name}` cannot be read: {error}", shorten(value));
            let help = "write a number, true, false, a Name, \"text\" in quotes or a list [a, b]";
            self.errors.push(Diagnostic::nowhere(message, help).coded("wrong-type"));
            return None;
        }
        Some((name.to_owned(), Bound::new(value, None)))
    }
}
