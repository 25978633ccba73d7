//! Nodes that have all the wires that they need.

use terrane_flow::Loaded;

/// The nodes that can be evaluated: neither they nor what they read have a port that needs a wire.
pub fn connected(loaded: &Loaded) -> Vec<bool> {
    let mut connected = vec![true; loaded.plan.wires.len()];
    for &node in &loaded.plan.order {
        connected[node] = loaded.graph.unconnected(node).is_empty()
            && loaded.graph.nodes[node].lacks.is_none()
            && loaded.plan.wires[node].iter().all(|wire| connected[wire.node]);
    }
    connected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::load;
    use terrane_flow::LoadOptions;

    #[test]
    fn a_node_waits_for_those_that_it_reads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.ron");
        let nodes = "\"a\": Take(), \"b\": Sum(left: \"a\"), \"c\": Sum(left: \"b\", right: \"a\")";
        std::fs::write(&path, format!("Graph(nodes: {{ {nodes} }})")).unwrap();
        let options = LoadOptions { unconnected: true, ..LoadOptions::default() };
        assert_eq!(connected(&load(&path, &options)), [true, false, false]);
    }
}
