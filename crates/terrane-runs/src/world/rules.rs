//! What the graph of a patch says about paths.

use std::collections::BTreeSet;

use terrane_flow::syntax::Problem;
use terrane_flow::{GraphNode, Loaded, Node, Reference, Source, Tiles};
use terrane_nodes::paths::{Borders, OptimalPath, PathGraph, RelaxPath, SubdividePath};

/// The one node of a patch's graph that says what paths ask of the ground, and what it reads.
pub struct Rules {
    /// The node that gives the paths.
    pub paths: String,
    /// The output that gives the ground.
    pub ground: Reference,
    /// The output that says what paths ask of it.
    pub bounds: Reference,
    /// How steep banks may become.
    pub bank_slope: Option<f64>,
    /// Greatest slope of paths without one of their own.
    pub max_slope: f64,
    /// How far from a path ground is bound, in world units.
    pub reach: f64,
}

impl Rules {
    /// The rules of a graph.
    pub fn of(graph: &Loaded) -> Result<Self, Problem> {
        let sharing = graph.graph.nodes.iter().filter_map(|(name, node)| {
            let path = node.node().downcast::<SubdividePath>()?;
            (path.borders == Borders::Shared).then_some((name, path, node.node()))
        });
        let (name, path, node) = match sharing.collect::<Vec<_>>()[..] {
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
        if let Some((culprit, kind, param)) = not_pointwise(graph, &ground) {
            if let Some(param) = param {
                let message = format!(
                    "the ground of `{name}` depends on more than its place: `{param}` of `{culprit}` ({kind}) makes it depend on the whole map, and each patch is a map of its own"
                );
                let help = "leave the parameter out: ground is a function of the place in the world with its default";
                return Err(Problem::new(message, help));
            }
            let message = format!(
                "the ground of `{name}` depends on more than its place: `{culprit}` ({kind}) looks at the samples around, which differ from patch to patch"
            );
            let help = "take ground from nodes whose page says \"tiles: pointwise\", such as Perlin, and shape it after the paths, patch by patch: patches are made without an overlap";
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
        let width = path.width.max(path.node_width.unwrap_or(0.0));
        Ok(Self {
            paths: paths.node.to_string(),
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

/// A node that is not a function of the place alone, its type, and the parameter that makes it so where another would not.
type Culprit = (String, &'static str, Option<&'static str>);

/// The first node upstream of an output, by name, that is not a function of the place alone.
fn not_pointwise(graph: &Loaded, output: &Reference) -> Option<Culprit> {
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
    seen.into_iter().find_map(|name| {
        let node = graph.graph.nodes.get(&name)?.node();
        let (spec, param) = (node.spec(), node.whole_map());
        (spec.tiles != Tiles::Pointwise || param.is_some()).then_some((name, spec.name, param))
    })
}
