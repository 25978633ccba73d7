//! Warnings about values that earlier runs left in the cache.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use terrane_flow::{Engine, Graph, Key, Loaded, Resolved, Wanted, lock};

use super::allow::allowed;
use super::subjects::Subject;
use super::warning::{LINTS, Warning, of_node};

/// Values that are looked at have at most so many bytes.
const LARGEST: u64 = 64 << 20;
/// Values whose warnings are remembered, at most.
const MOST: usize = 10_000;
/// Values that are looked at for the first time in one call, at most: an editor asks after each change.
const NEW: usize = 32;

/// What values showed.
#[derive(Debug, Default)]
pub struct KnownValues {
    /// By the key of a node, its output and what is written of it: the lint, the message and the help.
    seen: Mutex<HashMap<(Key, usize, String), Option<Seen>>>,
}

#[derive(Clone, Debug)]
struct Seen {
    lint: &'static str,
    node: String,
    message: String,
    help: String,
}

impl KnownValues {
    /// The warnings of those values that an engine has in its caches, or can make from them in no time.
    #[must_use]
    pub fn warnings(&self, engine: &Engine, loaded: &Arc<Loaded>) -> Vec<Warning> {
        let graph = &loaded.graph;
        let subjects = Subject::all(loaded).into_iter();
        let found = subjects.filter_map(|own| Some((graph.find(own.reference(graph)).ok()?, own)));
        let found: Vec<((usize, usize), Subject)> = found.collect();
        let targets: Vec<(usize, usize)> = found.iter().map(|(target, _)| *target).collect();
        let resolved: HashMap<usize, Resolved> =
            engine.resolve(loaded, &targets).into_iter().map(|node| (node.node, node)).collect();
        let mut left = NEW;
        let all = found.into_iter().filter_map(|(target, subject)| {
            let seen = self.seen(engine, loaded, (target, &subject), resolved.get(&target.0)?, &mut left)?;
            let mut warning = of_node(graph, seen.lint, seen.node, seen.message);
            warning.diagnostic.help = seen.help;
            Some(warning)
        });
        allowed(graph, all.collect())
    }

    /// What a value shows, of a node that was resolved together with all others.
    fn seen(
        &self,
        engine: &Engine,
        loaded: &Arc<Loaded>,
        (target, subject): ((usize, usize), &Subject),
        own: &Resolved,
        left: &mut usize,
    ) -> Option<Seen> {
        let graph = &loaded.graph;
        let reference = subject.reference(graph);
        let id = (own.key?, target.1, written(graph, subject));
        if let Some(seen) = lock(&self.seen).get(&id) {
            return seen.clone();
        }
        let kind = graph.nodes[target.0].node().spec().outputs[target.1].kind;
        let is_large = graph.header_of(target.0).value_bytes(kind.name) > LARGEST;
        if !own.is_at_hand() || is_large || *left == 0 {
            return None;
        }
        *left -= 1;
        // What a value that is made anew reads must be at hand too.
        if own.runs && !engine.resolve(loaded, &[target]).iter().all(Resolved::is_at_hand) {
            return None;
        }
        let job = engine.start(loaded, [Wanted::from(reference.clone())]).ok()?;
        let value = job.wait().outputs.into_iter().next().and_then(|output| output.value)?;
        let seen = subject.warning(graph, &value).map(|warning| Seen {
            lint: name_of(warning.diagnostic.code),
            node: warning.node,
            message: warning.diagnostic.message,
            help: warning.diagnostic.help,
        });
        let mut all = lock(&self.seen);
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(id, seen.clone());
        seen
    }
}

fn name_of(code: &str) -> &'static str {
    LINTS.iter().map(|lint| lint.name).find(|name| *name == code).unwrap_or_default()
}

/// How an output is written, on which its warning depends.
fn written(graph: &Graph, subject: &Subject) -> String {
    match subject {
        Subject::File(index) => {
            let entry = &graph.outputs[*index];
            format!("{} {:?}", entry.file, entry.options)
        }
        Subject::Mask(_) => String::new(),
    }
}
