//! Every parameter of every node at the ends of its range: the node does not panic (tests are built with
//! overflow checks), does not return infinite heights silently, and stops when cancelled.

use std::sync::Arc;
use std::time::Duration;

use terrane::flow::{NodeError, Outcome};
use terrane::values::Map;
use terrane::{Engine, Loaded};
use terrane_flow::testing::edited;
use terrane_tests::variants::{examples, extremes};
use terrane_tests::{engine, evaluate_for, load_small, root};

/// A node's example over the same extent with fewer samples.
fn small(text: &str) -> Option<Arc<Loaded>> {
    load_small(&root().join("graphs/test.ron"), text, (29, 33)).ok().map(Arc::new)
}

/// What is wrong with a graph's evaluation, if anything.
fn wrong(engine: &Engine, loaded: &Arc<Loaded>, node: &str) -> Option<String> {
    let evaluation = evaluate_for(engine, loaded, Duration::from_millis(500))?;
    let panicked = evaluation.nodes.iter().find_map(|timing| match &timing.outcome {
        Outcome::Failed(NodeError::Panicked(why)) => Some(format!("{} panicked: {why}", timing.node)),
        _ => None,
    });
    let infinite = evaluation.outputs.iter().zip(&loaded.graph.outputs).find_map(|(output, entry)| {
        let map = output.value.as_ref()?.get::<Map>()?;
        let is_told = !evaluation.warnings.is_empty();
        (&*entry.from.node == node && !is_told && map.samples().iter().any(|height| height.is_infinite()))
            .then(|| "infinite heights".to_owned())
    });
    panicked.or(infinite)
}

#[test]
fn no_extreme_parameter_breaks_a_node() {
    let engine = engine(2, None);
    let (mut found, mut ran) = (Vec::new(), 0);
    for (spec, example) in examples() {
        let Some(loaded) = small(example) else { panic!("{}", spec.name) };
        let own = loaded.graph.nodes.iter().find(|(_, node)| node.node().spec().name == spec.name);
        let Some((node, _)) = own else { panic!("{}", spec.name) };
        for param in spec.params {
            for value in extremes(param) {
                let Ok(text) = edited(example, |graph| graph.set_field(node, param.name, &value)) else {
                    continue;
                };
                let Some(loaded) = small(&text) else { continue };
                ran += 1;
                if let Some(why) = wrong(&engine, &loaded, node) {
                    found.push(format!("{}({}: {value}): {why}", spec.name, param.name));
                }
            }
        }
    }
    assert!(found.is_empty(), "{} of {ran}:\n{}", found.len(), found.join("\n"));
    assert!(ran > 1000, "{ran}");
}
