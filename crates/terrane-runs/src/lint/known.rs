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
        let all = Subject::all(loaded).into_iter().filter_map(|subject| {
            let seen = self.seen(engine, loaded, &subject)?;
            let mut warning = of_node(graph, seen.lint, seen.node, seen.message);
            warning.diagnostic.help = seen.help;
            Some(warning)
        });
        allowed(graph, all.collect())
    }

    fn seen(&self, engine: &Engine, loaded: &Arc<Loaded>, subject: &Subject) -> Option<Seen> {
        let graph = &loaded.graph;
        let reference = subject.reference(graph);
        let target = graph.find(reference).ok()?;
        let resolved = engine.resolve(loaded, &[target]);
        let key = resolved.iter().find(|node| node.node == target.0)?.key?;
        let id = (key, target.1, written(graph, subject));
        if let Some(seen) = lock(&self.seen).get(&id) {
            return seen.clone();
        }
        let kind = graph.nodes[target.0].node().spec().outputs[target.1].kind;
        let is_at_hand = resolved.iter().all(Resolved::is_at_hand);
        if !is_at_hand || graph.header_of(target.0).value_bytes(kind.name) > LARGEST {
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
