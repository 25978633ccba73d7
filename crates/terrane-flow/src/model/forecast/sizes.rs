//! Sizes of the values of a graph before any is computed.

use super::workload::Workload;
use crate::model::context::Sizes;
use crate::model::fused::Fusions;
use crate::model::graph::Graph;
use crate::model::node::Node;
use crate::model::plan::Plan;

/// The known sizes of the values of a graph before any is computed.
pub struct ValueSizes {
    /// Positions of the nodes that run, upstream nodes first.
    pub order: Vec<usize>,
    /// Per node, bytes of its outputs.
    pub output_bytes: Vec<u64>,
    /// Per node that runs, the bytes of its working memory besides inputs and outputs.
    pub working_bytes: Vec<u64>,
    /// Per node that runs, the bytes of its working memory if it runs on a single thread.
    working_bytes_alone: Vec<u64>,
    /// Per node that runs, bytes of its inputs.
    pub input_bytes: Vec<u64>,
    /// Per node, how many times nodes that run read it, plus one if it is held until the end.
    pub reads: Vec<u32>,
}

impl ValueSizes {
    pub fn new(plan: &Plan, graph: &Graph, workload: &Workload<'_>) -> Self {
        let count = plan.wires.len();
        let of_nodes = || vec![0; count];
        let mut this = Self {
            order: Vec::new(),
            output_bytes: of_nodes(),
            working_bytes: of_nodes(),
            working_bytes_alone: of_nodes(),
            input_bytes: of_nodes(),
            reads: vec![0; count],
        };
        // Bytes of all outputs of all nodes, and the position in this list at which the outputs of each node
        // begin.
        let (mut outputs, mut begins) = (Vec::with_capacity(count), vec![0; count]);
        let mut inputs = Vec::new();
        let sized =
            plan.needed(workload.held.iter().copied().chain((0..count).filter(|&at| workload.runs[at])));
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
                asked: workload.asked[at],
                threads: workload.threads,
                holes: plan.holes[at].inputs,
            };
            begins[at] = outputs.len();
            outputs.extend(output_bytes(node, &sizes));
            let own = &outputs[begins[at]..];
            let sum = |bytes: &[u64]| bytes.iter().copied().fold(0, u64::saturating_add);
            this.output_bytes[at] = sum(own);
            if workload.runs[at] {
                this.order.push(at);
                this.working_bytes[at] = node_working_bytes(node, own, &sizes);
                this.working_bytes_alone[at] = node_working_bytes(node, own, &Sizes { threads: 1, ..sizes });
                this.input_bytes[at] = sum(&inputs);
            }
        }
        this.count_reads(plan, &Fusions::default(), workload.held);
        this
    }

    /// Leaves out the values within fusions.
    pub fn fuse(&mut self, plan: &Plan, fusions: &Fusions, held: &[usize]) {
        for node in (0..self.output_bytes.len()).filter(|&node| fusions.is_inner(node)) {
            self.output_bytes[node] = 0;
        }
        self.order.retain(|&node| !fusions.is_inner(node));
        self.count_reads(plan, fusions, held);
    }

    fn count_reads(&mut self, plan: &Plan, fusions: &Fusions, held: &[usize]) {
        self.reads.fill(0);
        let wires = self.order.iter().flat_map(|&node| fusions.wires(plan, node));
        for node in wires.map(|wire| wire.node).chain(held.iter().copied()) {
            self.reads[node] += 1;
        }
    }

    /// Bytes of a node's inputs and outputs, and of its working memory.
    pub fn bytes_while_running(&self, node: usize) -> u64 {
        let own = self.output_bytes[node].saturating_add(self.working_bytes[node]);
        own.saturating_add(self.input_bytes[node])
    }

    /// The working memory of a node that runs on `share` of all `threads`.
    pub fn working_bytes_on(&self, node: usize, share: usize, threads: usize) -> u64 {
        let (alone, all) = (self.working_bytes_alone[node], self.working_bytes[node]);
        let more = all.saturating_sub(alone) / (threads.max(2) - 1) as u64;
        alone.saturating_add(more.saturating_mul(share as u64 - 1)).min(all)
    }
}

/// Bytes of each output of a node, as far as known; 0 for those that it does not compute. A value whose size
/// does not depend on the header, such as a graph, counts as much as the largest input of its kind.
fn output_bytes<'a>(node: &'a dyn Node, sizes: &'a Sizes<'a>) -> impl Iterator<Item = u64> + 'a {
    node.spec().outputs.iter().enumerate().map(|(i, output)| {
        if output.lazy && sizes.asked >> i & 1 == 0 {
            return 0;
        }
        node.output_bytes(i, sizes).unwrap_or_else(|| match sizes.header.value_bytes(output.kind.name) {
            0 => {
                let inputs = node.spec().inputs.iter().zip(sizes.inputs);
                let same = inputs.filter(|(input, _)| input.kind == output.kind).map(|(_, bytes)| *bytes);
                same.max().unwrap_or(0)
            }
            bytes => bytes,
        })
    })
}

/// The working memory of a node besides inputs and outputs.
fn node_working_bytes(node: &dyn Node, outputs: &[u64], sizes: &Sizes<'_>) -> u64 {
    let spec = node.spec();
    let of_header =
        outputs.iter().zip(spec.outputs).filter(|(_, o)| sizes.header.value_bytes(o.kind.name) > 0);
    let largest = of_header.map(|(bytes, _)| *bytes).max().unwrap_or(0);
    let working = (largest as f64 * f64::from(spec.working_maps)) as u64;
    working.saturating_add(node.extra_bytes(sizes))
}
