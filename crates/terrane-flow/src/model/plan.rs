//! Plans: the checked connections between nodes and the order of evaluation.

use std::collections::HashSet;
use std::sync::Arc;

use petgraph::algo::{kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use terrane_syntax::Problem;

use crate::model::fields::Field;
use crate::model::graph::{Graph, GraphNode, Nodes, OutputEntry};
use crate::model::holes::Holes;
use crate::model::meant;
use crate::model::port::{Reference, Source};
use crate::model::registry::{CheckedOutput, Registry};
use crate::model::spec::InputSpec;
use crate::report::suggest;
use crate::report::{Diagnostic, Diagnostics, MAX_RENDERED};

/// The source of a port's value: the upstream node and its output, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Position of the port in the spec of the downstream node.
    pub input: usize,
    /// Position of the upstream node in the graph.
    pub node: usize,
    /// Position of the output in the spec of the upstream node.
    pub output: usize,
}

/// A graph's wires by position, and an order in which every node comes after its dependencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Per node, its wires, except those that it does not read.
    pub wires: Vec<Vec<Wire>>,
    /// Positions of all nodes, upstream nodes first.
    pub order: Vec<usize>,
    /// Names of the nodes, by position.
    pub names: Vec<Arc<str>>,
    /// Per node, where holes can be.
    pub holes: Vec<WithHoles>,
}

/// Whether the rasters at a node's ports, and the node's outputs, can have holes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WithHoles {
    /// Whether a raster at a port can.
    pub inputs: bool,
    /// Whether an output can.
    pub outputs: bool,
}

impl Plan {
    /// The plan of a graph.
    ///
    /// # Errors
    /// All mistakes: unknown nodes and outputs, wrong kinds, missing inputs, and cycles.
    pub fn new(graph: &Graph) -> Result<Self, Diagnostics> {
        Self::checked(graph, None, &HashSet::new())
    }

    /// Like [`Plan::new`]. With a registry, also checks whether each output can be written to its file. Nodes
    /// in `unread` have mistakes in their text, so references to them are not reported.
    pub(crate) fn checked(
        graph: &Graph,
        registry: Option<&Registry>,
        unread: &HashSet<String>,
    ) -> Result<Self, Diagnostics> {
        let mut errors = Vec::new();
        let mut wires = Vec::with_capacity(graph.nodes.len());
        for (name, node) in &graph.nodes {
            wires.push(node_wires(graph, name, (node, unread), &mut errors));
        }
        let mut cycles = Vec::new();
        let order = order(&graph.nodes, &wires).unwrap_or_else(|found| {
            cycles = found;
            Vec::new()
        });
        let holes = holes(graph, &wires, &order, &mut errors);
        for entry in graph.outputs.iter().filter(|entry| !is_unread(unread, &entry.from)) {
            check_output(graph, entry, registry, &holes, &mut errors);
        }
        errors.extend(cycles);
        Diagnostics(errors).into_result()?;
        let names = graph.nodes.keys().map(|name| Arc::from(name.as_str())).collect();
        Ok(Self { wires, order, names, holes })
    }

    /// Whether the value of an output, by the positions of its node and its own, can have holes.
    #[must_use]
    pub fn can_have_holes(&self, graph: &Graph, position: (usize, usize)) -> bool {
        can_have_holes(graph, &self.holes, position)
    }

    /// Per node, whether it is wanted or a wanted node depends on it.
    #[must_use]
    pub fn needed(&self, wanted: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut needed = vec![false; self.wires.len()];
        for node in wanted {
            needed[node] = true;
        }
        for &node in self.order.iter().rev() {
            if needed[node] {
                for wire in &self.wires[node] {
                    needed[wire.node] = true;
                }
            }
        }
        needed
    }

    /// Per node, one bit per output that a needed node or a target reads.
    #[must_use]
    pub fn asked(&self, needed: &[bool], targets: impl IntoIterator<Item = (usize, usize)>) -> Vec<u32> {
        let mut asked = vec![0; self.wires.len()];
        let wires = self.wires.iter().zip(needed).filter(|(_, needed)| **needed).flat_map(|(wires, _)| wires);
        for (node, output) in wires.map(|wire| (wire.node, wire.output)).chain(targets) {
            asked[node] |= 1 << output;
        }
        asked
    }
}

impl Graph {
    /// The position of a node and of one of its outputs.
    ///
    /// # Errors
    /// The unknown name, with the nearest known one.
    pub fn find(&self, reference: &Reference) -> Result<(usize, usize), Problem> {
        find(&self.nodes, reference, true)
    }
}

/// The position of a node and of one of its outputs. The error states the unknown name, and has help for an
/// unknown node only if `helps` is set.
pub fn find(nodes: &Nodes, reference: &Reference, helps: bool) -> Result<(usize, usize), Problem> {
    let Some((position, _, node)) = nodes.get_full(&*reference.node) else {
        let known = || nodes.keys().map(String::as_str).collect::<Vec<_>>();
        return Err(Problem::new(
            format!("there is no node `{}`", reference.node),
            if helps { suggest::help(&reference.node, &known(), "the nodes are") } else { String::new() },
        ));
    };
    let spec = node.node().spec();
    let output = spec.output(reference.output.as_deref()).ok_or_else(|| {
        let wanted = reference.output.as_deref().unwrap_or_default();
        let known: Vec<&str> = spec.outputs.iter().map(|o| o.name).collect();
        Problem::new(
            format!("`{}` is {}, which has no output `{wanted}`", reference.node, suggest::one(spec.name)),
            suggest::help(wanted, &known, "its outputs are"),
        )
    })?;
    Ok((position, output))
}

/// Whether the node of a reference, or a subgraph that it is in, has mistakes in its text.
fn is_unread(unread: &HashSet<String>, reference: &Reference) -> bool {
    let node = &*reference.node;
    unread.contains(node) || node.match_indices('/').any(|(end, _)| unread.contains(&node[..end]))
}

fn node_wires(
    graph: &Graph,
    name: &str,
    (node, unread): (&GraphNode, &HashSet<String>),
    errors: &mut Vec<Diagnostic>,
) -> Vec<Wire> {
    let spec = node.node().spec();
    let mut wires = Vec::new();
    for (index, input) in spec.inputs.iter().enumerate() {
        let place = || {
            let location = node.location.as_ref()?;
            Some((
                Arc::clone(&location.source),
                location.inputs[index].clone().unwrap_or(location.kind.clone()),
            ))
        };
        match node.node().port(index).source() {
            Source::Wire(reference) if is_unread(unread, reference) => {}
            Source::Wire(reference) => match find(&graph.nodes, reference, errors.len() < MAX_RENDERED) {
                Err(Problem { message, help }) => {
                    let coded = |help| Diagnostic::new(place(), message, help).coded("unknown-reference");
                    if let Some((written, help)) = meant::number(graph, reference).filter(|_| input.scalar) {
                        errors.push(coded(help).mended_by(Some(written)));
                        continue;
                    }
                    let diagnostic = coded(help);
                    // The search for near names takes time in proportion to all nodes.
                    let searches = errors.len() < MAX_RENDERED;
                    let written = meant::written_at_port(node, index);
                    let meant = searches.then(|| meant::reference(graph, written, reference)).flatten();
                    errors.push(diagnostic.mended_by(meant));
                }
                Ok((upstream, output)) => {
                    let found = &graph.nodes[upstream].node().spec().outputs[output];
                    if input.takes(found.kind) {
                        if node.node().reads(index) {
                            wires.push(Wire { input: index, node: upstream, output });
                        }
                    } else {
                        let message = format!(
                            "`{}` of `{name}` takes {}, but `{reference}` is of kind {}",
                            input.name,
                            input.in_a_sentence(),
                            found.kind.name
                        );
                        let fitting = fitting_outputs(graph, upstream, input);
                        let how = found.kind.converted.filter(|(kind, _)| *kind == input.kind.name);
                        let help = how.map_or(fitting.clone(), |(_, how)| format!("{how}; {fitting}"));
                        let written = meant::written_at_port(node, index);
                        let meant = meant::output(graph, written, reference, (upstream, input));
                        let wrong = Diagnostic::new(place(), message, help).coded("wrong-kind");
                        errors.push(wrong.mended_by(meant));
                    }
                }
            },
            // A missing input in a text was reported when the text was read. Graphs built in code are checked
            // here.
            Source::Unset if !input.optional && node.location.is_none() => {
                let message = format!("the node `{name}` needs `{}`, {}", input.name, input.in_a_sentence());
                let help = "connect it to an output of another node";
                errors.push(Diagnostic::nowhere(message, help).coded("missing-port"));
            }
            Source::Unset | Source::Number(_) | Source::Bound(_) => {}
        }
    }
    wires
}

/// Where holes can be, per node. A node that takes no holes is a mistake where there can be some.
fn holes(
    graph: &Graph,
    wires: &[Vec<Wire>],
    order: &[usize],
    errors: &mut Vec<Diagnostic>,
) -> Vec<WithHoles> {
    let mut all = vec![WithHoles::default(); wires.len()];
    for &at in order {
        let Some((name, node)) = graph.nodes.get_index(at) else { continue };
        let (spec, mut of) = (node.node().spec(), WithHoles::default());
        for (index, input) in spec.inputs.iter().enumerate() {
            let Some(remedy) = input.kind.without_holes else { continue };
            let source = node.node().port(index).source();
            let given = match source {
                Source::Bound(value) if node.node().reads(index) => value.holes(),
                _ => None,
            };
            let has_holes = match source {
                Source::Bound(_) => given.is_some(),
                _ => wires[at]
                    .iter()
                    .any(|wire| wire.input == index && can_have_holes(graph, &all, (wire.node, wire.output))),
            };
            if has_holes && spec.holes == Holes::Refused {
                let from = match (source, given) {
                    (Source::Wire(from), _) => format!("`{from}` can have some"),
                    (_, Some(holes)) => format!("the value there has {holes}"),
                    _ => "the value there has some".to_owned(),
                };
                let message = format!("`{}` of `{name}` takes no holes, but {from}", input.name);
                let place = node.location.as_ref().map(|location| {
                    let span = location.inputs[index].clone().unwrap_or(location.kind.clone());
                    (Arc::clone(&location.source), span)
                });
                errors.push(Diagnostic::new(place, message, remedy).coded("holes"));
            }
            of.inputs |= has_holes && spec.holes != Holes::Refused;
        }
        of.outputs = node.node().makes_holes() || of.inputs && spec.holes != Holes::Filled;
        all[at] = of;
    }
    all
}

/// Whether the value of an output of a node can have holes.
fn can_have_holes(graph: &Graph, all: &[WithHoles], (node, output): (usize, usize)) -> bool {
    let output = &graph.nodes[node].node().spec().outputs[output];
    all[node].outputs && !output.whole && output.kind.without_holes.is_some()
}

/// The help that lists those outputs of the upstream node that have the right kind.
fn fitting_outputs(graph: &Graph, upstream: usize, input: &InputSpec) -> String {
    let spec = graph.nodes[upstream].node().spec();
    let fitting: Vec<&str> = spec.outputs.iter().filter(|o| input.takes(o.kind)).map(|o| o.name).collect();
    if fitting.is_empty() {
        let kind = input.in_a_sentence();
        format!("connect a node that outputs {kind}: `terrane nodes` lists the outputs of all types")
    } else {
        format!("its outputs of kind {} are: {}", input.kinds(), fitting.join(", "))
    }
}

fn check_output(
    graph: &Graph,
    entry: &OutputEntry,
    registry: Option<&Registry>,
    holes: &[WithHoles],
    errors: &mut Vec<Diagnostic>,
) {
    match find(&graph.nodes, &entry.from, errors.len() < MAX_RENDERED) {
        Err(Problem { message, help }) => {
            let searches = errors.len() < MAX_RENDERED;
            let written = entry.location.as_ref().and_then(|(source, span)| source.text.get(span.clone()));
            let meant = searches.then(|| meant::reference(graph, written, &entry.from)).flatten();
            // If no output is like this one, the file and the node may have changed places.
            let is_swapped =
                meant.is_none() && graph.nodes.contains_key(&entry.file) && entry.from.output.is_some();
            let swapped = || format!("write \"{}\": \"{}\": the file comes first", entry.from, entry.file);
            let help = if is_swapped { swapped() } else { help };
            let diagnostic = Diagnostic::new(entry.location.clone(), message, help);
            errors.push(diagnostic.coded("unknown-reference").mended_by(meant));
        }
        Ok((node, output)) => {
            let Some(registry) = registry else { return };
            let kind = graph.nodes[node].node().spec().outputs[output].kind;
            let nowhere = || [0..0, 0..0];
            let spans = entry.option_spans.iter().cloned().chain(std::iter::repeat_with(nowhere));
            let options: Vec<Field<'_>> = entry
                .options
                .iter()
                .zip(spans)
                .map(|((name, value), [name_span, value_span])| Field {
                    name,
                    name_span,
                    value,
                    value_span,
                    is_wrong: false,
                    tree: None,
                })
                .collect();
            let holes = can_have_holes(graph, holes, (node, output));
            let from = CheckedOutput { graph, node: &entry.from.node, holes };
            let Err(problems) = (registry.family().check_output)(kind, &entry.file, &options, from) else {
                return;
            };
            for problem in problems {
                let span = problem.span.filter(|span| !span.is_empty());
                let place = entry.location.clone().map(|(source, whole)| (source, span.unwrap_or(whole)));
                let diagnostic = Diagnostic::new(place, problem.message, problem.help).coded(problem.code);
                errors.push(diagnostic.mended_by(problem.fix));
            }
        }
    }
}

/// An order of all nodes. If there are cycles, the error has one diagnostic per strongly connected component.
fn order(nodes: &Nodes, wires: &[Vec<Wire>]) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let edges = wires.iter().map(Vec::len).sum();
    let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(wires.len(), edges);
    for _ in wires {
        graph.add_node(());
    }
    for (downstream, wires) in wires.iter().enumerate() {
        for wire in wires {
            graph.add_edge(NodeIndex::new(wire.node), NodeIndex::new(downstream), ());
        }
    }
    match toposort(&graph, None) {
        Ok(order) => Ok(order.into_iter().map(NodeIndex::index).collect()),
        Err(_) => Err(kosaraju_scc(&graph)
            .into_iter()
            .filter(|component| component.len() > 1 || graph.contains_edge(component[0], component[0]))
            .map(|component| cycle(nodes, wires, &component))
            .collect()),
    }
}

/// Describes one cycle of a strongly connected component, node by node.
fn cycle(nodes: &Nodes, wires: &[Vec<Wire>], component: &[NodeIndex<u32>]) -> Diagnostic {
    const SHOWN: usize = 12;
    let mut inside = vec![false; wires.len()];
    for node in component {
        inside[node.index()] = true;
    }
    // Walk upstream: every node of the component reads a node of the component, so the walk returns to a
    // visited node.
    let first = component.iter().map(|n| n.index()).min().unwrap_or_default();
    let (mut path, mut seen) = (vec![first], vec![usize::MAX; wires.len()]);
    seen[first] = 0;
    let cycle = loop {
        let at = path[path.len() - 1];
        let Some(wire) = wires[at].iter().find(|wire| inside[wire.node]) else { break &path[..] };
        if seen[wire.node] != usize::MAX {
            break &path[seen[wire.node]..];
        }
        seen[wire.node] = path.len();
        path.push(wire.node);
    };
    let name = |node: &usize| nodes.get_index(*node).map_or("", |(name, _)| name.as_str());
    let mut names: Vec<&str> = cycle.iter().rev().take(SHOWN).map(name).collect();
    let more = cycle.len().saturating_sub(SHOWN);
    let ellipsis = format!("... {more} more ...");
    if more > 0 {
        names.push(&ellipsis);
    }
    names.push(name(&cycle[cycle.len() - 1]));
    let place = nodes.get_index(cycle[0]).and_then(|(_, node)| {
        let location = node.location.as_ref()?;
        Some((Arc::clone(&location.source), location.name.clone()))
    });
    let nodes = if cycle.len() == 1 { "node" } else { "nodes" };
    let message = format!("a cycle of {} {nodes}: {}", cycle.len(), names.join(" -> "));
    let help = "a node cannot depend on its own result: remove one of these wires";
    // The walk begins at the reported position, and goes from each node to a node that it reads.
    let read = cycle.get(1).map_or("itself".to_owned(), |node| format!("`{}`", name(node)));
    Diagnostic { label: format!("reads {read}"), ..Diagnostic::new(place, message, help).coded("cycle") }
}
