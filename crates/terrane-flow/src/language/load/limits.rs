//! Limits on the text that parameters fill in.

use std::cell::Cell;
use std::rc::Rc;

use terrane_syntax::{Parameters, Problem, Value};

use super::loader::Loader;
use crate::model::origin::Scope;
use crate::model::parameter_help::unknown;
use crate::report::{Diagnostic, MAX_RENDERED};

/// The maximum number of nodes of a graph, including those of its subgraphs. It stops runaway expansion.
pub const MAX_NODES: usize = 100_000;

/// The maximum number of bytes of subgraph text. Each use of a subgraph counts.
pub const MAX_TEXT: usize = 256 << 20;

/// Each use of a subgraph that sets parameters counts each parameter and each output of the subgraph as this
/// many bytes of text. All other uses of a subgraph share its parameters and outputs.
pub const ENTRY_BYTES: usize = 512;

/// The maximum number of bytes that all fields of a graph's nodes take from parameters. Each use of a
/// parameter counts.
const MAX_IN_FIELDS: usize = 64 << 20;

/// The maximum number of bytes of all values that are made of parameters: those of other parameters, and
/// those of the options of outputs. Such a value is kept as a text and a tree, which takes about 20 times as
/// much memory. A value that only names a parameter shares the parameter's memory and does not count.
const MAX_IN_VALUES: usize = 8 << 20;

/// The maximum of all profiles of a graph together, when each is checked: this many times what one graph may
/// take of a limit.
const MAX_OF_PROFILES: f64 = 4.0;

const HELP: &str = "use long parameters less often, or import their values from a file";

/// The parameters of a text, with a limit on the total text that nodes take from them.
pub struct LimitedParameters<'a> {
    scope: &'a Scope,
    /// The number of bytes filled in so far.
    filled_in: Rc<Cell<usize>>,
    /// Whether near names are suggested. This takes a search of all names.
    suggests: bool,
}

impl Parameters for LimitedParameters<'_> {
    fn get(&self, name: &str) -> Result<Value<'_>, Problem> {
        if !self.suggests && !self.has(name) {
            return Err(Problem { message: unknown(name), help: String::new() });
        }
        let value = self.scope.get(name)?;
        self.filled_in.set(self.filled_in.get() + value.text().len());
        if self.filled_in.get() <= MAX_IN_FIELDS {
            return Ok(value);
        }
        Err(Problem {
            message: format!("parameters fill in more than {} MiB of text", MAX_IN_FIELDS >> 20),
            help: HELP.to_owned(),
        })
    }

    fn has(&self, name: &str) -> bool {
        self.scope.has(name)
    }
}

/// What the profiles of a graph have used of the limits, so that checking a short text with many profiles
/// takes no more time than loading a few large graphs.
#[derive(Default)]
pub struct OfProfiles {
    used: f64,
    checked: usize,
}

impl OfProfiles {
    /// Counts a profile that was checked.
    pub fn add(&mut self, used: f64) {
        self.used += used;
        self.checked += 1;
    }

    /// The mistake of a graph whose profiles take too much together, so that no other profile is checked.
    pub fn excess(&self, profiles: usize) -> Option<Diagnostic> {
        if self.used < MAX_OF_PROFILES {
            return None;
        }
        let message = format!(
            "the graph is too large to be checked with each of its {profiles} profiles: {} were checked",
            self.checked
        );
        let help = "use fewer profiles in one file, or make the graph smaller";
        Some(Diagnostic::nowhere(message, help).coded("too-large"))
    }
}

impl Loader<'_> {
    /// The parameters of a text for its nodes.
    pub(super) fn limited<'s>(&self, scope: &'s Scope) -> LimitedParameters<'s> {
        let suggests = self.errors.len() < MAX_RENDERED;
        LimitedParameters { scope, filled_in: Rc::clone(&self.filled_in), suggests }
    }

    /// The largest share of a limit that loading a text has used. 1 is all that one graph may use.
    pub(super) fn used(&self) -> f64 {
        let share = |used: usize, limit: usize| used as f64 / limit as f64;
        let nodes = self.read_nodes + self.aliases.len() + self.unread.len();
        share(self.filled_in.get(), MAX_IN_FIELDS)
            .max(share(self.in_values, MAX_IN_VALUES))
            .max(share(self.expanded + self.own, MAX_TEXT))
            .max(share(nodes, MAX_NODES))
    }

    /// Counts a value that is made of parameters.
    ///
    /// # Errors
    /// Fails if all such values together exceed the limit.
    pub(super) fn count(&mut self, value: &str) -> Result<(), Problem> {
        self.in_values += value.len();
        if self.in_values <= MAX_IN_VALUES {
            return Ok(());
        }
        Err(Problem {
            message: format!(
                "values that are made of parameters have more than {} MiB together",
                MAX_IN_VALUES >> 20
            ),
            help: HELP.to_owned(),
        })
    }
}
