//! What the graph of a patch says about paths.

use std::collections::BTreeSet;

use terrane_flow::syntax::Problem;
use terrane_flow::{GraphNode, Loaded, Node, Reach, Reference, Source};
use terrane_nodes::paths::{Borders, OptimalPath, PathGraph, RelaxPath, SubdividePath};

/// The one node of a patch's graph that says what paths ask of the ground, and what it reads.
pub struct Rules {
    /// The node that gives the paths.
    pub paths: String,
    /// The output that gives the ground.
    pub ground: Reference,
    /// Whether the ground is the same on ground of any size, and not only on that of a patch.
    pub is_ground_of_any_size: bool,
    /// The output that says what paths ask of it.
    pub bounds: Reference,
    /// How steep banks may become.
    pub bank_slope: Option<f64>,
    /// Greatest slope of paths without one of their own.
    pub max_slope: f64,
    /// How far from a path ground is bound, in world units.
    pub reach: f64,
}

/// Nodes that share the borders of patches.
fn sharing(graph: &Loaded) -> impl Iterator<Item = (&String, &SubdividePath, &dyn Node)> {
    graph.graph.nodes.iter().filter_map(|(name, node)| {
        let path = node.node().downcast::<SubdividePath>()?;
        (path.borders == Borders::Shared).then_some((name, path, node.node() as &dyn Node))
    })
}

/// Whether a graph has such a node.
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
                format!("`{name}` lacks its ground or its paths"),
                "connect height and graph",
            ));
        };
        let giver = graph.graph.nodes.get(&*paths.node).map(GraphNode::node);
        if giver.is_none_or(|giver| giver.downcast::<PathGraph>().is_none()) {
            let giver = giver.map_or("missing node", |giver| giver.spec().name);
            let message = format!("the paths of `{name}` come from a {giver}");
            return Err(Problem::new(
                message,
                "connect a PathGraph: the world puts its own paths in its place",
            ));
        }
        if let Some((culprit, kind, reach)) = not_pointwise(graph, &ground) {
            let why = match reach {
                Reach::Map(why) | Reach::Size(why) => {
                    format!("depends on the whole map, and each patch is a map of its own: {why}")
                }
                Reach::Samples(_) => {
                    "looks at the samples around, which differ from patch to patch".to_owned()
                }
            };
            let message =
                format!("the ground of `{name}` depends on more than its place: `{culprit}` ({kind}) {why}");
            let help = "take ground from nodes whose page says \"tiles: pointwise\", such as Perlin, with \
                defaults that keep them so, and shape it after the paths, patch by patch: patches with paths \
                are made without an overlap";
            return Err(Problem::new(message, help));
        }
        // What a map drives differs from patch to patch, so that neighbours could not agree.
        let everywhere = |port: &str| -> Result<f64, Problem> {
            let index = node.spec().inputs.iter().position(|input| input.name == port);
            match index.map(|index| node.port(index).source()) {
                Some(&Source::Number(number)) => Ok(number),
                _ => {
                    let message = format!("`{port}` of `{name}` is a map");
                    Err(Problem::new(
                        message,
                        "give it a number: patches that share borders have the same everywhere",
                    ))
                }
            }
        };
        let (max_slope, border) = (everywhere("max_slope")?, everywhere("border")?);
        everywhere("slope_gain")?;
        let is_ground_of_any_size = upstream(graph, &ground).all(|(_, node)| looks_at_its_place(graph, node));
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

/// The flattest banks of all nodes that bend the ground by what a node asks.
fn bank_slope(graph: &Loaded, name: &str) -> Option<f64> {
    let reads = |node: &dyn Node| {
        (0..node.spec().inputs.len()).any(|index| match node.port(index).source() {
            Source::Wire(reference) => &*reference.node == name,
            _ => false,
        })
    };
    let bank = |node: &dyn Node| {
        let relaxed = node.downcast::<RelaxPath>().map(|node| node.bank_slope);
        relaxed.or_else(|| node.downcast::<OptimalPath>().map(|node| node.bank_slope)).flatten()
    };
    let nodes = graph.graph.nodes.values().map(GraphNode::node).filter(|node| reads(*node));
    nodes.filter_map(bank).min_by(f64::total_cmp)
}

/// A node that is not a function of the place alone, its type, and how far it looks.
type Culprit = (String, &'static str, Reach);

/// The nodes upstream of an output, by name, whether they are read or not.
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

fn looks_at_its_place(graph: &Loaded, node: &dyn Node) -> bool {
    matches!(node.reach(&*graph.graph.header), Reach::Samples(0))
}

/// The first node upstream of an output, by name, that is not a function of the place alone.
fn not_pointwise(graph: &Loaded, output: &Reference) -> Option<Culprit> {
    upstream(graph, output).find_map(|(name, node)| {
        let reach = node.reach(&*graph.graph.header);
        // Patches are all of one size.
        (!matches!(reach, Reach::Samples(0) | Reach::Size(_))).then_some((name, node.spec().name, reach))
    })
}
