//! Graphs that are evaluated several times, each time on their previous outputs.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use indexmap::IndexSet;
use terrane_syntax::read;

use super::inner_file::{own_fields, stem};
use super::loader::{Alias, InnerOutputs, Loader, Parts};
use super::nodes::Place;
use crate::language::declared::Repeat;
use crate::language::document::{Call, Entry};
use crate::model::fields::Fields;
use crate::model::node::Declare as _;
use crate::model::port::Reference;

/// Outputs of one repetition with the nodes that they replace in the next.
type Carried = Vec<(String, String)>;

impl Loader<'_> {
    /// Expands another graph's file once per repetition.
    pub(super) fn repeat(&mut self, place: &Place<'_>, entry: &Entry<'_>, call: &Call<'_>) {
        let (source, name) = (place.source, entry.name);
        let own = own_fields(place, call, &["inputs", "params", "carry"]);
        let lookup = self.limited(place.scope);
        let mut reader = Fields::new(Repeat::spec(), &own, &lookup).of_broken_text(call.is_wrong);
        let given = Repeat::from_fields(&mut reader);
        let is_right = reader.is_right();
        self.field_errors(source, call.name_span.clone(), reader.into_errors());
        let Some(file) = self.inner_file(place, &own, &given.file, is_right) else { return };
        let Some(parts) = self.inner_parts(&file, false) else { return };
        let first = self.subgraph_inputs(place, &call.fields, &parts);
        let set = self.subgraph_params(place, name, &call.fields, &parts);
        let Some(carried) = self.carried(place, call, &parts, &first) else { return };
        let whole = format!("{}{name}", place.prefix);
        let from = |time: u32, output: &str| Reference {
            node: format!("{whole}/{time}").into(),
            output: Some(output.to_owned().into()),
        };
        let inner = self.inner(&file, &parts, set);
        let (mistakes, mut last) = (self.errors.len(), 0);
        let times = if is_right { given.times } else { 1 };
        for time in 1..=times {
            // A mistake would be reported again for each repetition.
            if self.errors.len() > mistakes || self.is_full(source, entry) {
                break;
            }
            let mut replaced = first.clone();
            if time > 1 {
                replaced.extend(carried.iter().map(|(output, node)| (node.clone(), from(time - 1, output))));
            }
            self.copy(place, &format!("{name}/{time}"), (&file, &parts, &inner), replaced);
            last = time;
        }
        let carried: HashMap<&str, &str> =
            carried.iter().map(|(output, node)| (&**output, &**node)).collect();
        // Within the repeated graphs, the last repetition is a node, whose name is its number.
        let outputs = outputs(&parts).into_iter().map(|output| {
            let source = if last > 0 {
                Some(Reference { node: last.to_string().into(), output: Some(output.clone().into()) })
            } else {
                carried.get(&*output).map(|node| Reference { node: (*node).into(), output: None })
            };
            (output, source)
        });
        let outputs: Rc<InnerOutputs> = Rc::new(outputs.collect());
        let replaced = if last > 0 { HashMap::new() } else { first };
        let prefix = format!("{whole}/");
        self.aliases.insert(whole, Alias { outputs, prefix, replaced });
    }

    /// The outputs that are carried from one repetition to the next. If they are invalid, this is reported,
    /// and the result is `None`.
    fn carried(
        &mut self,
        place: &Place<'_>,
        call: &Call<'_>,
        parts: &Parts<'_>,
        first: &HashMap<String, Reference>,
    ) -> Option<Carried> {
        let outputs = outputs(parts);
        let Some(field) = call.fields.iter().find(|field| field.name == "carry") else {
            let same = outputs.into_iter().filter(|output| first.contains_key(output));
            let carried: Carried = same.map(|output| (output.clone(), output)).collect();
            if carried.is_empty() && !call.is_wrong {
                let message =
                    "no output has the name of an input, so nothing is carried to the next repetition";
                let help = "write carry: { \"OUTPUT\": \"NODE\" }, and list the node in inputs too";
                self.error(place.source, call.name_span.clone(), "carry", message, help);
                return None;
            }
            return Some(carried);
        };
        let known: HashSet<&str> = outputs.iter().map(String::as_str).collect();
        let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
        let mut inputs: Vec<&str> = first.keys().map(String::as_str).collect();
        inputs.sort_unstable();
        let mistakes = self.errors.len();
        let (mut carried, mut taken) = (Carried::new(), HashSet::new());
        for entry in self.entries(place.source, field, "output") {
            let field = entry.field();
            if !known.contains(entry.name) {
                let message = format!("the graph has no output `{}`", entry.name);
                let names = (entry.name, &*outputs, "its outputs, by file name without extension, are");
                self.unknown("unknown-output", (place.source, field.name_span), message, names);
                continue;
            }
            let Ok(node) = read::<String>(entry.value, &self.limited(place.scope)) else {
                let help = "write \"NODE\", the name of a node of that graph, in quotes";
                self.error(place.source, field.value_span, "wrong-type", "expected the name of a node", help);
                continue;
            };
            if !first.contains_key(&*node) {
                let message =
                    format!("`{node}` is not among the inputs, so the first repetition has no value for it");
                let names = (&*node, &*inputs, "the inputs are");
                self.unknown("unknown-node", (place.source, field.value_span), message, names);
            } else if !taken.insert(node.clone()) {
                let message = format!("two outputs are carried to `{node}`");
                self.error(place.source, field.value_span, "given-twice", message, "remove one of the two");
            } else {
                carried.push((entry.name.to_owned(), node));
            }
        }
        (self.errors.len() == mistakes).then_some(carried)
    }
}

/// The names that the outer graph uses for a graph's outputs.
fn outputs(parts: &Parts<'_>) -> Vec<String> {
    let outputs: IndexSet<String> = parts.outputs.iter().map(|entry| stem(entry.name)).collect();
    outputs.into_iter().collect()
}
