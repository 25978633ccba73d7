//! What does not meet at the borders of patches with paths.

use terrane_flow::{Graph, Loaded, Reach};
use terrane_nodes::paths::{OptimalPath, RelaxPath, SubdividePath};

/// What differs at borders, though heights that paths bend do not: nodes upstream of the outputs that look at more than a place.
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
