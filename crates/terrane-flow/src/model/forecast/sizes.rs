//! Sizes of the values of a graph before any is made.

use super::ahead::Ahead;
use crate::model::context::Sizes;
use crate::model::graph::Graph;
use crate::model::node::Node;
use crate::model::plan::Plan;

/// What is known of the values of a graph before any is made.
pub struct Values {
    /// Nodes that run, as positions in the order.
    pub order: Vec<usize>,
    /// Per node, bytes of its outputs.
    pub made: Vec<u64>,
    /// Per node that runs, bytes that it works with beside inputs and outputs.
    pub beside: Vec<u64>,
    /// Per node that runs, the same when it has one thread for itself.
    alone: Vec<u64>,
    /// Per node that runs, bytes of its inputs.
    pub read: Vec<u64>,
    /// Per node, how many times nodes that run read it, and one more where it is held to the end.
    pub reads: Vec<u32>,
}

impl Values {
    pub fn new(plan: &Plan, graph: &Graph, ahead: &Ahead<'_>) -> Self {
        let count = plan.wires.len();
        let of_nodes = || vec![0; count];
        let mut this = Self {
            order: Vec::new(),
            made: of_nodes(),
            beside: of_nodes(),
            alone: of_nodes(),
            read: of_nodes(),
            reads: vec![0; count],
        };
        // Bytes of all outputs of all nodes, and where those of each begin.
        let (mut outputs, mut begins) = (Vec::with_capacity(count), vec![0; count]);
        let mut inputs = Vec::new();
        let sized = plan.needed(ahead.held.iter().copied().chain((0..count).filter(|&at| ahead.runs[at])));
        for &at in plan.order.iter().filter(|&&at| sized[at]) {
            let node = graph.nodes[at].node();
            inputs.clear();
            inputs.resize(node.spec().inputs.len(), 0);
            for wire in &plan.wires[at] {
                inputs[wire.input] = outputs[begins[wire.node] + wire.output];
            }
            let sizes = Sizes {
                header: graph.header_of(at),
                inputs: &inputs,
                asked: ahead.asked[at],
                threads: ahead.threads,
            };
            begins[at] = outputs.len();
            outputs.extend(output_bytes(node, &sizes));
            let own = &outputs[begins[at]..];
            let sum = |bytes: &[u64]| bytes.iter().copied().fold(0, u64::saturating_add);
            this.made[at] = sum(own);
            if ahead.runs[at] {
                this.order.push(at);
                this.beside[at] = beside_bytes(node, own, &sizes);
                this.alone[at] = beside_bytes(node, own, &Sizes { threads: 1, ..sizes });
                this.read[at] = sum(&inputs);
            }
        }
        for wire in this.order.iter().flat_map(|&node| &plan.wires[node]) {
            this.reads[wire.node] += 1;
        }
        for &node in ahead.held {
            this.reads[node] += 1;
        }
        this
    }

    /// Bytes that a node works with when it has `share` of all threads for itself.
    pub fn beside_on(&self, node: usize, share: usize, threads: usize) -> u64 {
        let (alone, all) = (self.alone[node], self.beside[node]);
        let more = all.saturating_sub(alone) / (threads.max(2) - 1) as u64;
        alone.saturating_add(more.saturating_mul(share as u64 - 1)).min(all)
    }
}

/// Bytes of each output of a node, as far as can be told; 0 for those that it does not make.
fn output_bytes<'a>(node: &'a dyn Node, sizes: &'a Sizes<'a>) -> impl Iterator<Item = u64> + 'a {
    node.spec().outputs.iter().enumerate().map(|(i, output)| {
        if output.lazy && sizes.asked >> i & 1 == 0 {
            return 0;
        }
        node.output_bytes(i, sizes).unwrap_or_else(|| sizes.header.value_bytes(output.kind.name))
    })
}

/// Bytes that a node works with beside inputs and outputs.
fn beside_bytes(node: &dyn Node, outputs: &[u64], sizes: &Sizes<'_>) -> u64 {
    let spec = node.spec();
    let of_header =
        outputs.iter().zip(spec.outputs).filter(|(_, o)| sizes.header.value_bytes(o.kind.name) > 0);
    let largest = of_header.map(|(bytes, _)| *bytes).max().unwrap_or(0);
    let working = (largest as f64 * f64::from(spec.working_maps)) as u64;
    working.saturating_add(node.extra_bytes(sizes))
}
