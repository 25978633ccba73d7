//! What paths require of a patch's graph.

use std::collections::BTreeSet;

use terrane_flow::syntax::Problem;
use terrane_flow::{GraphNode, Loaded, Node, Reach, Reference, Source};
use terrane_nodes::paths::{Borders, PathGraph, SubdividePath, kept_bank_slope};
use terrane_paths::path::Zone;

/// What the paths of a world require of a patch's graph. These rules come from the only `SubdividePath` with
/// shared borders in the graph.
pub struct Rules {
    /// The node with the paths.
    pub paths: String,
    /// The output with the ground.
    pub ground: Reference,
    /// Whether the ground is the same on maps of any size, not only on maps of a patch's size.
    pub is_ground_of_any_size: bool,
    /// The output with the bounds that paths impose on the ground.
    pub bounds: Reference,
    /// The maximum slope of banks.
    pub bank_slope: Option<f64>,
    /// The maximum slope of paths that do not set their own.
    pub max_slope: f64,
    /// The distance from a path, in world units, within which the path bounds the ground.
    pub reach: f64,
}

/// The nodes with shared borders, with their names.
fn sharing(graph: &Loaded) -> impl Iterator<Item = (&String, &SubdividePath, &dyn Node)> {
    graph.graph.nodes.iter().filter_map(|(name, node)| {
        let path = node.node().downcast::<SubdividePath>()?;
        (path.borders == Borders::Shared).then_some((name, path, node.node() as &dyn Node))
    })
}

/// Whether a graph has a node with shared borders.
pub fn shares_borders(graph: &Loaded) -> bool {
    sharing(graph).next().is_some()
}

impl Rules {
    /// The rules of a graph.
    pub fn of(graph: &Loaded) -> Result<Self, Problem> {
        let (name, path, node) = match sharing(graph).collect::<Vec<_>>()[..] {
            [(name, path, node)] => (name, path, node),
            [] => {
                let message = "the graph of a patch has no SubdividePath with borders: Shared".to_owned();
                return Err(Problem::new(
                    message,
                    "add borders: Shared to its SubdividePath, so that patches meet",
                ));
            }
            [(a, ..), (b, ..), ..] => {
                let message = format!("`{a}` and `{b}` both share the patch's borders");
                return Err(Problem::new(message, "a patch has one SubdividePath with borders: Shared"));
            }
        };
        let wire = |port: &str| -> Option<Reference> {
            let index = node.spec().inputs.iter().position(|input| input.name == port)?;
            match node.port(index).source() {
                Source::Wire(reference) => Some(reference.clone()),
                _ => None,
            }
        };
        let (Some(paths), Some(ground)) = (wire("graph"), wire("height")) else {
            return Err(Problem::new(
                format!("`{name}` has no ground or no paths"),
                "connect height and graph",
            ));
        };
        let source = graph.graph.nodes.get(&*paths.node).map(GraphNode::node);
        if source.is_none_or(|source| source.downcast::<PathGraph>().is_none()) {
            let source = source.map_or("missing node", |source| source.spec().name);
            let message = format!("the paths of `{name}` come from a {source}");
            return Err(Problem::new(message, "connect a PathGraph: the world replaces it by its own paths"));
        }
        if let Some((culprit, kind, reach)) = not_pointwise(graph, &ground) {
            let why = match reach {
                Reach::Map(why) | Reach::Size(why) => {
                    format!("depends on the whole map, and each patch is a separate map: {why}")
                }
                Reach::Samples(_) => {
                    "reads neighbouring samples, which differ from patch to patch".to_owned()
                }
            };
            let message = format!(
                "the ground of `{name}` depends on more than the position: `{culprit}` ({kind}) {why}"
            );
            let help = "use ground from nodes whose page says \"Tiling: pointwise\", such as Perlin, with \
                the defaults that keep them pointwise. Change the shape of the ground downstream of the \
                paths: patches with paths have no overlap";
            return Err(Problem::new(message, help));
        }
        // A map at one of these ports would differ from patch to patch, and neighbours would not match.
        let everywhere = |port: &str, default: Option<f64>| -> Result<f64, Problem> {
            let index = node.spec().inputs.iter().position(|input| input.name == port);
            match (index.map(|index| node.port(index).source()), default) {
                (Some(&Source::Number(number)), _) | (Some(Source::Unset), Some(number)) => Ok(number),
                _ => {
                    let message = format!("`{port}` of `{name}` is a map");
                    Err(Problem::new(
                        message,
                        "give it a number: patches that share borders need the same value everywhere",
                    ))
                }
            }
        };
        let Zone { border, slope_gain } = SubdividePath::SHARED_ZONE;
        let (max_slope, border) = (everywhere("max_slope", None)?, everywhere("border", Some(border))?);
        everywhere("slope_gain", Some(slope_gain))?;
        let is_ground_of_any_size = upstream(graph, &ground).all(|(_, node)| is_pointwise(graph, node));
        let width = path.width.max(path.node_width.unwrap_or(0.0));
        Ok(Self {
            paths: paths.node.to_string(),
            is_ground_of_any_size,
            ground,
            bounds: Reference::parse(&format!("{name}.subdivision")),
            bank_slope: bank_slope(graph, name),
            max_slope,
            reach: width / 2.0 + border,
        })
    }
}

/// The minimum bank slope of all nodes that reshape the ground along the paths of the node `name`.
fn bank_slope(graph: &Loaded, name: &str) -> Option<f64> {
    let reads = |node: &dyn Node| {
        (0..node.spec().inputs.len()).any(|index| match node.port(index).source() {
            Source::Wire(reference) => &*reference.node == name,
            _ => false,
        })
    };
    let nodes = graph.graph.nodes.values().map(GraphNode::node).filter(|node| reads(*node));
    nodes.filter_map(|node| kept_bank_slope(node).flatten()).min_by(f64::total_cmp)
}

/// The name of a node that depends on more than the position, with its type and its reach.
type Culprit = (String, &'static str, Reach);

/// The nodes upstream of an output, sorted by name. Connected nodes are included even if they are never read.
pub fn upstream<'a>(graph: &'a Loaded, output: &Reference) -> impl Iterator<Item = (String, &'a dyn Node)> {
    let mut open = vec![output.node.to_string()];
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some(entry) = graph.graph.nodes.get(&name) else { continue };
        let node = entry.node();
        for index in 0..node.spec().inputs.len() {
            if let Source::Wire(reference) = node.port(index).source() {
                open.push(reference.node.to_string());
            }
        }
        seen.insert(name);
        open.retain(|name| !seen.contains(name));
    }
    seen.into_iter().filter_map(|name| {
        let node = graph.graph.nodes.get(&name)?.node() as &dyn Node;
        Some((name, node))
    })
}

fn is_pointwise(graph: &Loaded, node: &dyn Node) -> bool {
    matches!(node.reach(&*graph.graph.header), Reach::Samples(0))
}

/// The first node in order of names that is upstream of an output and depends on more than the position.
fn not_pointwise(graph: &Loaded, output: &Reference) -> Option<Culprit> {
    upstream(graph, output).find_map(|(name, node)| {
        let reach = node.reach(&*graph.graph.header);
        // A dependency on the size is harmless: all patches have the same size.
        (!matches!(reach, Reach::Samples(0) | Reach::Size(_))).then_some((name, node.spec().name, reach))
    })
}
