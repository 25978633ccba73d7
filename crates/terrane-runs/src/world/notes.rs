//! What a person should know of the patches of a world.

use terrane_flow::{Graph, Loaded, Reach};
use terrane_grid::Tiling;
use terrane_io::Format;
use terrane_nodes::Terrain;
use terrane_nodes::paths::{OptimalPath, RelaxPath, SubdividePath};

/// What differs at borders, though heights that paths bend do not: nodes upstream of the outputs that look at
/// more than a place.
pub fn of_patches_with_paths(loaded: &Loaded) -> Vec<String> {
    let graph = &loaded.graph;
    let outputs = graph.outputs.iter().filter_map(|entry| graph.find(&entry.from).ok());
    let needed = loaded.plan.needed(outputs.map(|(node, _)| node));
    let told = |at: usize| {
        let (name, node) = graph.nodes.get_index(at)?;
        let why = match node.node().reach(graph.header_of(at)) {
            Reach::Samples(0) | Reach::Size(_) => return None,
            Reach::Samples(_) => {
                "looks at the samples around, and patches with paths have none beyond their borders"
                    .to_owned()
            }
            Reach::Map(why) => format!("depends on the whole map, and each patch is one: {why}"),
        };
        (!meets(graph, at)).then(|| {
            format!("`{name}` ({}) may differ where patches meet: it {why}", node.node().spec().name)
        })
    };
    (0..graph.nodes.len()).filter(|&at| needed[at]).filter_map(told).collect()
}

/// Whether the world sees to it that a node's heights meet.
fn meets(graph: &Graph, at: usize) -> bool {
    let node = graph.nodes[at].node();
    node.downcast::<SubdividePath>().is_some()
        || node.downcast::<RelaxPath>().is_some()
        || node.downcast::<OptimalPath>().is_some()
}

/// Where patches stand otherwise than the graph says: places are whole numbers of spacings, which have the
/// digits of single precision, so that they are the same in every patch.
pub fn rounded(loaded: &Loaded, tiling: &Tiling) -> Option<String> {
    let Terrain(asked) = loaded.graph.header.as_any().downcast_ref()?;
    let made = tiling.domain((0, 0));
    let is_moved = made.origin != asked.origin || made.spacing.to_bits() != asked.spacing.to_bits();
    is_moved.then(|| {
        format!(
            "patches begin at {:?} and have a spacing of {:?}, where the graph says {:?} and {:?}: places \
            are whole numbers of spacings, and spacings have the digits of single precision",
            made.origin, made.spacing, asked.origin, asked.spacing
        )
    })
}

/// How much ground around patches is made with them.
pub fn of_any_graph(rim: u64) -> Option<String> {
    (rim > 0).then(|| format!("patches are made with {rim} samples of ground around them, which are cut off"))
}

/// Files of heights whose numbers stand for other heights in each patch.
pub fn stretched(loaded: &Loaded) -> Vec<String> {
    let graph = &loaded.graph;
    let told = |entry: &terrane_flow::OutputEntry| {
        let (node, output) = graph.find(&entry.from).ok()?;
        let is_map = graph.nodes[node].node().spec().outputs[output].kind.name == "map";
        let has_range = entry.options.iter().any(|(name, _)| name == "range");
        let is_whole =
            Format::from_extension(entry.file.as_ref()).is_some_and(|format| format == Format::PNG);
        (is_map && is_whole && !has_range).then(|| {
            format!(
                "`{}` goes from the lowest to the highest height of each patch, so that it does not meet its \
                neighbours: give it a range, Export(from: .., range: (0, 1000))",
                entry.file
            )
        })
    };
    graph.outputs.iter().filter_map(told).collect()
}
