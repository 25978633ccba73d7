//! Faults and gaps that are seeded in the text of a graph.

use terrane_flow::syntax::{Call, Edit, Form, Group, Item, Tree, Value, apply, remove};
use terrane_flow::{InputSpec, NodeSpec, Registry, Shape};

use super::random::Random;

/// The kinds of faults.
pub const KINDS: [&str; 16] = [
    "misspelt type",
    "misspelt field",
    "misspelt choice",
    "misspelt node",
    "misspelt output",
    "missing comma",
    "missing bracket",
    "missing quote",
    "missing wire",
    "wire of the wrong kind",
    "value out of range",
    "unknown field",
    "field twice",
    "quoted value",
    "missing output",
    "missing parameter",
];

/// A node in a text.
#[derive(Clone, Copy)]
struct Node<'t> {
    item: Item<'t>,
    call: Call<'t>,
    spec: &'static NodeSpec,
}

/// The text with a fault of a kind; `None` if there is no place for one. `needed` are the nodes on which the
/// wanted value depends: only there, a lost wire can be found by its value.
pub fn seed(
    text: &str,
    kind: &str,
    (registry, needed): (&Registry, &[String]),
    random: &mut Random,
) -> Option<String> {
    let tree = Tree::parse(text);
    let graph = tree.value()?.call()?.group();
    let nodes = nodes(graph, registry)?;
    let needed: Vec<Node<'_>> = nodes
        .iter()
        .filter(|node| node.item.name().is_some_and(|name| needed.iter().any(|own| own == name)))
        .copied()
        .collect();
    let edit = match kind {
        "misspelt type" => {
            let node = *random.one(&nodes)?;
            replace(node.call.name_span(), misspelt(node.call.name(), random)?)
        }
        "misspelt field" => {
            let (_, field) = *random.one(&fields(&nodes))?;
            replace(field.name_span()?, misspelt(field.name()?, random)?)
        }
        "misspelt choice" => {
            let chosen = choices(&nodes);
            let (_, value) = *random.one(&chosen)?;
            replace(value.span(), misspelt(value.text(), random)?)
        }
        "misspelt node" => {
            let (_, _, value) = *random.one(&wires(&nodes))?;
            let name = value.text().trim_matches('"');
            let (node, output) = name.split_once('.').unwrap_or((name, ""));
            let dot = if output.is_empty() { "" } else { "." };
            replace(value.span(), format!("\"{}{dot}{output}\"", misspelt(node, random)?))
        }
        "misspelt output" => {
            let wired: Vec<Value<'_>> = wires(&nodes).into_iter().map(|(_, _, value)| value).collect();
            let named: Vec<Value<'_>> =
                wired.into_iter().filter(|value| value.text().contains('.')).collect();
            let value = *random.one(&named)?;
            let (node, output) = value.text().trim_matches('"').split_once('.')?;
            replace(value.span(), format!("\"{node}.{}\"", misspelt(output, random)?))
        }
        "missing comma" => {
            let items: Vec<Item<'_>> = nodes.iter().flat_map(|node| node.call.group().items()).collect();
            let last = |item: &Item<'_>| {
                item.comma().is_some_and(|comma| {
                    text[comma.end..].trim_start().starts_with(|c: char| c.is_alphabetic() || c == '"')
                })
            };
            let commas: Vec<Item<'_>> =
                items.into_iter().chain(nodes.iter().map(|node| node.item)).filter(last).collect();
            replace(random.one(&commas)?.comma()?, String::new())
        }
        "missing bracket" => {
            let end = random.one(&nodes)?.call.group().span().end;
            replace(end - 1..end, String::new())
        }
        "missing quote" => {
            let (_, _, value) = *random.one(&wires(&nodes))?;
            replace(value.span(), value.text().trim_matches('"').to_owned())
        }
        "missing wire" => {
            let wired: Vec<_> =
                wires(&needed).into_iter().filter(|(_, _, value)| is_required(&needed, *value)).collect();
            let (node, item, _) = *random.one(&wired)?;
            remove(node.call.group(), item)
        }
        "wire of the wrong kind" => {
            let (node, item, value) = *random.one(&wires(&needed))?;
            let input = port(node, item)?;
            let wrong = misfits(&nodes, input, node);
            replace(value.span(), format!("\"{}\"", random.one(&wrong)?))
        }
        "value out of range" => {
            let numbers = free_numbers(&nodes);
            let (node, entry) = random.one(&numbers)?;
            added(node.call, entry)
        }
        "unknown field" => {
            let name = *random.one(&["colour_of_sky", "xyzzy", "quality_level", "comment_text"])?;
            added(random.one(&nodes)?.call, &format!("{name}: 3"))
        }
        "field twice" => {
            let (node, field) = *random.one(&fields(&nodes))?;
            added(node.call, field.text().trim_end_matches(','))
        }
        "quoted value" => {
            let chosen = choices(&nodes);
            let (_, value) = *random.one(&chosen)?;
            replace(value.span(), format!("\"{}\"", value.text()))
        }
        "missing output" => {
            let Form::Group(outputs) = graph.get("outputs")?.value()?.form() else { return None };
            remove(outputs, outputs.items().next()?)
        }
        "missing parameter" => {
            let required: Vec<_> = choices(&nodes)
                .into_iter()
                .filter_map(|(node, value)| {
                    let item = node
                        .call
                        .group()
                        .items()
                        .find(|item| item.value().is_some_and(|own| own.span() == value.span()))?;
                    let spec = node.spec.params.iter().find(|param| Some(param.name) == item.name())?;
                    spec.default.is_none().then_some((node, item))
                })
                .collect();
            let (node, item) = *random.one(&required)?;
            remove(node.call.group(), item)
        }
        _ => return None,
    };
    let changed = apply(text, &[edit]);
    (changed != text).then_some(changed)
}

fn nodes<'t>(graph: Group<'t>, registry: &Registry) -> Option<Vec<Node<'t>>> {
    let Form::Group(nodes) = graph.get("nodes")?.value()?.form() else { return None };
    let one = |item: Item<'t>| {
        let call = item.value()?.call()?;
        Some(Node { item, call, spec: registry.node(call.name())?.spec() })
    };
    Some(nodes.items().filter_map(one).collect())
}

fn replace(span: std::ops::Range<usize>, text: String) -> Edit {
    Edit { span, text }
}

/// The edit that adds a field before the others.
fn added(call: Call<'_>, entry: &str) -> Edit {
    let at = call.group().open_span().end;
    let comma = if call.group().items().next().is_some() { ", " } else { "" };
    Edit { span: at..at, text: format!("{entry}{comma}") }
}

/// A name with one slip: two letters swapped, one left out, or one twice.
fn misspelt(name: &str, random: &mut Random) -> Option<String> {
    let mut letters: Vec<char> = name.chars().collect();
    if letters.len() < 4 {
        return None;
    }
    let at = 1 + random.below(letters.len() - 2);
    match random.below(3) {
        0 => letters.swap(at, at + 1),
        1 => drop(letters.remove(at)),
        _ => letters.insert(at, letters[at]),
    }
    let slip: String = letters.into_iter().collect();
    (slip != name).then_some(slip)
}

/// All fields of nodes.
fn fields<'t>(nodes: &[Node<'t>]) -> Vec<(Node<'t>, Item<'t>)> {
    nodes.iter().flat_map(|node| node.call.group().items().map(|item| (*node, item))).collect()
}

fn port<'t>(node: Node<'t>, item: Item<'t>) -> Option<&'static InputSpec> {
    node.spec.inputs.iter().find(|input| Some(input.name) == item.name())
}

/// All wires: fields of ports with texts.
fn wires<'t>(nodes: &[Node<'t>]) -> Vec<(Node<'t>, Item<'t>, Value<'t>)> {
    let wire = |(node, item): (Node<'t>, Item<'t>)| {
        let value = item.value()?;
        let is_wire = port(node, item).is_some() && matches!(value.form(), Form::Text(_));
        (is_wire && !value.text().contains('$')).then_some((node, item, value))
    };
    fields(nodes).into_iter().filter_map(wire).collect()
}

fn is_required(nodes: &[Node<'_>], value: Value<'_>) -> bool {
    let wired = wires(nodes).into_iter().find(|(_, _, own)| own.span() == value.span());
    wired.and_then(|(node, item, _)| port(node, item)).is_some_and(|input| !input.optional)
}

/// All values that are choices.
fn choices<'t>(nodes: &[Node<'t>]) -> Vec<(Node<'t>, Value<'t>)> {
    let chosen = |(node, item): (Node<'t>, Item<'t>)| {
        let param = node.spec.params.iter().find(|param| Some(param.name) == item.name())?;
        let value = item.value()?;
        let is_choice = matches!((param.shape)(), Shape::Choice(_)) && matches!(value.form(), Form::Word(_));
        is_choice.then_some((node, value))
    };
    fields(nodes).into_iter().filter_map(chosen).collect()
}

/// Outputs of other nodes that a port does not take.
fn misfits(nodes: &[Node<'_>], input: &InputSpec, of: Node<'_>) -> Vec<String> {
    let others = nodes.iter().filter(|node| node.item.span() != of.item.span());
    let outputs = others.flat_map(|node| {
        let name = node.item.name().unwrap_or_default().to_owned();
        node.spec.outputs.iter().map(move |output| (format!("{name}.{}", output.name), output.kind))
    });
    outputs.filter(|(_, kind)| !input.takes(kind)).map(|(name, _)| name).collect()
}

/// Fields that nodes do not set, with numbers out of range: without them, the defaults hold.
fn free_numbers<'t>(nodes: &[Node<'t>]) -> Vec<(Node<'t>, String)> {
    let mut found = Vec::new();
    for node in nodes {
        for param in node.spec.params {
            let is_free = param.default.is_some() && node.call.group().get(param.name).is_none();
            let is_number = matches!((param.shape)(), Shape::Float);
            match (param.range.min, param.range.max) {
                (_, Some(max)) if is_free && is_number => {
                    found.push((*node, format!("{}: {:?}", param.name, max * 2.0 + 1.0)));
                }
                (Some(min), _) if is_free && is_number => {
                    found.push((*node, format!("{}: {:?}", param.name, min - 1.0)));
                }
                _ => {}
            }
        }
    }
    found
}
