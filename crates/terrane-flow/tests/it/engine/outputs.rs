//! Nodes with many outputs.

use terrane_flow::testing::{Number, family, number};
use terrane_flow::{
    Context, Engine, EngineOptions, Evaluate, LoadOptions, Node, NodeError, Reference, Registry, Wanted, load,
};

/// Counts from one.
#[derive(Clone, Debug, Node)]
#[output(a: Number, doc = "1.")]
#[output(b: Number, doc = "2.")]
#[output(c: Number, doc = "3.")]
#[output(d: Number, doc = "4.")]
#[output(e: Number, doc = "5.")]
#[output(f: Number, doc = "6.")]
#[output(g: Number, doc = "7.")]
#[output(h: Number, doc = "8.")]
#[output(i: Number, doc = "9.")]
struct Nine;

impl Evaluate for Nine {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let n = |n: u8| Number(f64::from(n));
        Ok((n(1), n(2), n(3), n(4), n(5), n(6), n(7), n(8), n(9)))
    }
}

#[test]
fn a_node_can_have_nine_outputs() {
    let mut registry = Registry::new(family());
    registry.add::<Nine>().unwrap();
    let text = "Graph(nodes: { \"n\": Nine() })";
    let loaded = load("nine.ron", text, ".".as_ref(), &registry, &LoadOptions::default()).unwrap();
    let engine = Engine::new(EngineOptions { threads: 1, ..EngineOptions::default() }).unwrap();
    let names = ["n", "n.b", "n.c", "n.d", "n.e", "n.f", "n.g", "n.h", "n.i"];
    let wanted: Vec<Wanted> = names.iter().map(|name| Wanted::from(Reference::parse(name))).collect();
    let evaluation = engine.start(&loaded.into(), wanted).unwrap().wait();
    let numbers: Vec<_> = (0..names.len()).filter_map(|at| number(&evaluation, at)).collect();
    assert_eq!(numbers, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
}
