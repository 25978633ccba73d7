//! The graph of any patch of a world without paths. Nodes are evaluated with an overlap as wide as they read,
//! and their rasters are cropped.

use std::sync::Arc;

use terrane_flow::{Diagnostic, Diagnostics, Graph, GraphNode, Loaded, Plan, Reach, Reference, Source};
use terrane_grid::{MAX_SAMPLES, Tiling};
use terrane_nodes::Terrain;
use terrane_nodes::values::TerrainKind;

use super::cut::Cut;
use super::derived_location::derived_location;

/// The graph of any patch, evaluated with an overlap.
pub struct OverlapGraph {
    /// The graph at the position of patch (0, 0).
    graph: Loaded,
    /// How many samples around a patch are evaluated with it.
    rim: u64,
    /// The nodes evaluated with the overlap. All others cover only the patch.
    grown: Vec<usize>,
}

impl OverlapGraph {
    /// Prepares a graph. Its rasters are computed with an overlap and cropped. Its lines, tables and meshes
    /// are computed from the patch's own rasters.
    ///
    /// # Errors
    /// Fails with every node that depends on the whole map, each with its reason. Also fails if the overlap
    /// would be too wide.
    pub fn new(loaded: Loaded, tiling: &Tiling) -> Result<Self, Diagnostics> {
        let needs = Needs::of(&loaded)?;
        let rim = needs.far.iter().flatten().copied().max().unwrap_or(0);
        let samples = |side: usize| (side as u64).saturating_add(rim.saturating_mul(2));
        let is_too_large = samples(tiling.size.0).saturating_mul(samples(tiling.size.1)) > MAX_SAMPLES;
        if let (true, Some((at, reach))) = (is_too_large, needs.widest) {
            let what = format!("reads {reach} samples around each");
            let why = format!("together with the other nodes, a patch would need {rim}, which is too many");
            return Err(
                because(&loaded.graph, at, &what, &why, "use fewer iterations, or a smaller radius").into()
            );
        }
        let mut this = if rim == 0 {
            Self { graph: loaded, rim, grown: Vec::new() }
        } else {
            let (graph, grown) = needs.split(&loaded, rim);
            let plan = Arc::new(Plan::new(&graph)?);
            Self { graph: Loaded { graph, plan }, rim, grown }
        };
        this.graph = this.at(tiling, (0, 0));
        Ok(this)
    }

    /// The graph at the position of patch (0, 0).
    pub const fn graph(&self) -> &Loaded {
        &self.graph
    }

    /// How many samples around a patch are evaluated with it.
    pub const fn rim(&self) -> u64 {
        self.rim
    }

    /// The graph at the position of a patch.
    pub fn at(&self, tiling: &Tiling, patch: (i64, i64)) -> Loaded {
        let mut loaded = self.graph.clone();
        loaded.graph.header = Arc::new(Terrain::at(&*loaded.graph.header, tiling.domain(patch)));
        let around = Arc::new(Terrain::at(&*loaded.graph.header, tiling.domain_around(patch, self.rim)));
        for &node in &self.grown {
            loaded.graph.nodes[node].set_header(around.clone());
        }
        loaded
    }
}

/// What patches need from each node.
struct Needs {
    /// The distance around a patch within which the node's rasters must be correct; `None` if they are not
    /// needed.
    far: Vec<Option<u64>>,
    /// Whether the node is computed from the patch's own samples.
    own: Vec<bool>,
    /// The node with the widest reach, and its reach.
    widest: Option<(usize, u64)>,
}

impl Needs {
    fn of(loaded: &Loaded) -> Result<Self, Diagnostics> {
        let (graph, plan) = (&loaded.graph, &loaded.plan);
        let count = graph.nodes.len();
        let mut this = Self { far: vec![None; count], own: vec![false; count], widest: None };
        for entry in &graph.outputs {
            if let Ok((node, output)) = graph.find(&entry.from) {
                this.need(graph, (node, output), 0, true);
            }
        }
        let mut errors = Vec::new();
        // Dependents are visited before their dependencies.
        for &at in plan.order.iter().rev() {
            let node = graph.nodes[at].node();
            let read = || plan.wires[at].iter().filter(|wire| node.reads(wire.input));
            if this.own[at] {
                read().for_each(|wire| this.need(graph, (wire.node, wire.output), 0, true));
            }
            let Some(rim) = this.far[at] else { continue };
            let reach = match node.reach(graph.header_of(at)) {
                Reach::Samples(reach) => {
                    if this.widest.is_none_or(|(_, widest)| reach > widest) {
                        this.widest = Some((at, reach));
                    }
                    reach
                }
                Reach::Size(why) => {
                    errors.push(because(graph, at, "depends on the size of the map", &why, HELP));
                    continue;
                }
                Reach::Map(why) => {
                    errors.push(because(graph, at, "depends on the whole map", &why, HELP));
                    continue;
                }
            };
            read().for_each(|wire| {
                this.need(graph, (wire.node, wire.output), rim.saturating_add(reach), false);
            });
        }
        errors.reverse();
        Diagnostics(errors).into_result()?;
        Ok(this)
    }

    /// Registers that an output is needed up to a distance `rim` around a patch. `of_own` means that the
    /// output's reader is computed from the patch's own samples.
    fn need(&mut self, graph: &Graph, (node, output): (usize, usize), rim: u64, of_own: bool) {
        if of_own && !is_raster(graph, (node, output)) {
            self.own[node] = true;
        } else {
            self.far[node] = Some(self.far[node].unwrap_or(0).max(rim));
        }
    }

    /// Builds a graph from three kinds of nodes: nodes with overlap, nodes that crop their rasters, and nodes
    /// computed from the patch's own samples. Also returns the indices of the nodes with overlap.
    fn split(&self, loaded: &Loaded, rim: u64) -> (Graph, Vec<usize>) {
        let (old, wires) = (&loaded.graph, &loaded.plan.wires);
        let mut graph = Graph { nodes: terrane_flow::Nodes::default(), ..old.clone() };
        let mut grown = Vec::new();
        // Nodes that are not needed stay in the graph, because a `Switch` may name them.
        for (at, (name, node)) in
            old.nodes.iter().enumerate().filter(|(at, _)| self.far[*at].is_some() || !self.own[*at])
        {
            if self.far[at].is_some() {
                grown.push(graph.nodes.len());
            }
            graph.nodes.insert(name.clone(), node.clone());
        }
        let cut = |graph: &mut Graph, (node, output): (usize, usize)| -> Reference {
            let Some((name, of)) = old.nodes.get_index(node) else {
                unreachable!("a node of the same graph")
            };
            let output = &of.node().spec().outputs[output];
            let own = of_patch_name(old, &format!("{name}.{}", output.name));
            let whole =
                Source::Wire(Reference { node: name.as_str().into(), output: Some(output.name.into()) });
            if let Some(cut) = Cut::new(output.kind, rim, whole) {
                let location = derived_location(of.location.as_ref(), &cut);
                graph.nodes.entry(own.clone()).or_insert_with(|| GraphNode::new(Box::new(cut), location));
            }
            Reference { node: own.into(), output: None }
        };
        let own_name = |at: usize, name: &str| match self.far[at] {
            Some(_) => of_patch_name(old, name),
            None => name.to_owned(),
        };
        let of_patch = |graph: &mut Graph, from: (usize, usize)| -> Reference {
            if is_raster(old, from) {
                return cut(graph, from);
            }
            let Some((name, node)) = old.nodes.get_index(from.0) else {
                unreachable!("a node of the same graph")
            };
            let output = node.node().spec().outputs[from.1].name;
            Reference { node: own_name(from.0, name).into(), output: Some(output.into()) }
        };
        for (at, (name, node)) in old.nodes.iter().enumerate().filter(|(at, _)| self.own[*at]) {
            let mut node = node.clone();
            for wire in wires[at].iter().filter(|wire| old.nodes[at].node().reads(wire.input)) {
                let from = of_patch(&mut graph, (wire.node, wire.output));
                node.node_mut().port_mut(wire.input).connect(Source::Wire(from));
            }
            graph.nodes.insert(own_name(at, name), node);
        }
        for entry in 0..graph.outputs.len() {
            if let Ok(from) = old.find(&graph.outputs[entry].from) {
                graph.outputs[entry].from = of_patch(&mut graph, from);
            }
        }
        (graph, grown)
    }
}

/// A name for the patch's own version of a node or output, not yet used in the graph.
fn of_patch_name(graph: &Graph, name: &str) -> String {
    let mut own = format!("{name} (patch)");
    while graph.nodes.contains_key(&own) {
        own.push('*');
    }
    own
}

fn is_raster(graph: &Graph, (node, output): (usize, usize)) -> bool {
    let kind = graph.nodes[node].node().spec().outputs[output].kind;
    TerrainKind::find(kind).is_some_and(|kind| kind.is_raster)
}

/// The help for a node that reads more than an overlap can hold.
const HELP: &str = "set a parameter that avoids this, if its page names one (`terrane nodes TYPE`), or \
    remove its output";

/// The error for a node that cannot be computed patch by patch.
fn because(graph: &Graph, at: usize, what: &str, why: &str, help: &str) -> Diagnostic {
    let Some((name, node)) = graph.nodes.get_index(at) else { unreachable!("a node of the graph") };
    let message = format!(
        "`{name}` ({}) {what}, but worlds are computed patch by patch: {why}",
        node.node().spec().name
    );
    let place = node.location.as_ref().map(|place| (Arc::clone(&place.source), place.kind.clone()));
    Diagnostic::new(place, message, help)
}
