//! Notes for the user about the patches of a world.

use terrane_flow::{Graph, Loaded, Reach};
use terrane_grid::Tiling;
use terrane_nodes::Terrain;
use terrane_nodes::paths::{SubdividePath, kept_bank_slope};
use terrane_nodes::values::has_heights;

/// Notes about the needed nodes whose results may differ at borders, because they read more than one
/// position. Nodes that reshape the ground along paths match at borders.
pub fn of_patches_with_paths(loaded: &Loaded) -> Vec<String> {
    let graph = &loaded.graph;
    let outputs = graph.outputs.iter().filter_map(|entry| graph.find(&entry.from).ok());
    let needed = loaded.plan.needed(outputs.map(|(node, _)| node));
    let note = |at: usize| {
        let (name, node) = graph.nodes.get_index(at)?;
        let why = match node.node().reach(graph.header_of(at)) {
            Reach::Samples(0) | Reach::Size(_) => return None,
            Reach::Samples(_) => {
                "reads neighbouring samples, and patches with paths have none beyond their borders".to_owned()
            }
            Reach::Map(why) => format!("depends on the whole map, and each patch is a separate map: {why}"),
        };
        (!matches_at_borders(graph, at)).then(|| {
            format!("`{name}` ({}) may differ where patches meet: it {why}", node.node().spec().name)
        })
    };
    (0..graph.nodes.len()).filter(|&at| needed[at]).filter_map(note).collect()
}

/// Whether the world ensures that a node's heights match at borders.
fn matches_at_borders(graph: &Graph, at: usize) -> bool {
    let node = graph.nodes[at].node();
    node.downcast::<SubdividePath>().is_some() || kept_bank_slope(node).is_some()
}

/// A note, if patches are not exactly where the graph places them. Coordinates are whole multiples of the
/// spacing, and the spacing has single precision. A shared sample therefore has equal coordinates in both
/// patches.
pub fn rounded(loaded: &Loaded, tiling: &Tiling) -> Option<String> {
    let asked = Terrain::of(&*loaded.graph.header)?.domain;
    let made = tiling.domain((0, 0));
    let is_moved = made.origin != asked.origin || made.spacing.to_bits() != asked.spacing.to_bits();
    is_moved.then(|| {
        format!(
            "patches begin at {:?} and have a spacing of {:?} instead of {:?} and {:?} as in the graph: \
            coordinates are whole multiples of the spacing, and the spacing has single precision",
            made.origin, made.spacing, asked.origin, asked.spacing
        )
    })
}

/// A note about the width of the overlap.
pub fn of_overlap(rim: u64) -> Option<String> {
    (rim > 0)
        .then(|| format!("patches are evaluated with {rim} samples of ground around them, which are cut off"))
}

/// Notes about files whose range of heights differs from patch to patch.
pub fn stretched(loaded: &Loaded) -> Vec<String> {
    let graph = &loaded.graph;
    let note = |entry: &terrane_flow::OutputEntry| {
        let (node, output) = graph.find(&entry.from).ok()?;
        let is_map = has_heights(graph.nodes[node].node().spec().outputs[output].kind);
        let texts = entry.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let is_scaled = terrane_nodes::write_options(texts)
            .is_ok_and(|options| options.scales_each_map(entry.file.as_ref()));
        (is_map && is_scaled).then(|| {
            format!(
                "`{}` is scaled from the minimum to the maximum height of each patch, so neighbours do not \
                match: give it a range, Export(from: .., range: (0, 1000))",
                entry.file
            )
        })
    };
    graph.outputs.iter().filter_map(note).collect()
}
