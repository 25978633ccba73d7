//! How much memory an evaluation will take.

use std::collections::VecDeque;

use super::context::Sizes;
use super::graph::Graph;
use super::node::Node;
use super::plan::Plan;

/// Values and nodes below this many bytes are not counted: there would be more to count than to save.
pub const SMALL: u64 = 64 << 10;

/// How much memory an evaluation will take, as far as kinds, header and nodes tell.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    /// Bytes held at once when nodes run one after the other: no evaluation does with less.
    pub serial: u64,
    /// The node that runs when that much is held.
    pub worst: Option<usize>,
    /// Bytes held at once when nodes run as soon as they can.
    pub parallel: u64,
    /// Per node, bytes that it takes while it runs beside its inputs: outputs, and what it works with.
    pub nodes: Vec<u64>,
}

/// What is known of the values of a graph before any is made.
struct Values {
    /// Nodes that run, as positions in the order.
    order: Vec<usize>,
    /// Per node, bytes of its outputs.
    made: Vec<u64>,
    /// Per node, bytes that it works with beside inputs and outputs.
    beside: Vec<u64>,
    /// Per node, how many times others read it, and one more where somebody wants it.
    reads: Vec<u32>,
}

impl Plan {
    /// How much memory evaluating the wanted outputs takes on so many threads when nothing is known yet.
    #[must_use]
    pub fn forecast(&self, graph: &Graph, wanted: &[(usize, usize)], threads: usize) -> Forecast {
        let values = self.values(graph, wanted, threads);
        let mut this = Forecast { nodes: vec![0; self.wires.len()], ..Forecast::default() };
        for &node in &values.order {
            this.nodes[node] = values.made[node].saturating_add(values.beside[node]);
        }
        let mut reads = values.reads.clone();
        let mut live = 0u64;
        for &node in &values.order {
            let held = live.saturating_add(this.nodes[node]);
            if held > this.serial || this.worst.is_none() {
                (this.serial, this.worst) = (held, Some(node));
            }
            live = live.saturating_add(values.made[node]);
            live = live.saturating_sub(self.ended(node, &values, &mut reads));
        }
        this.parallel = if threads > 1 { self.parallel(&values, &this, threads) } else { this.serial };
        this
    }

    fn values(&self, graph: &Graph, wanted: &[(usize, usize)], threads: usize) -> Values {
        let needed = self.needed(wanted.iter().map(|w| w.0));
        let asked = self.asked(&needed, wanted.iter().copied());
        let mut reads = vec![0; self.wires.len()];
        let order: Vec<usize> = self.order.iter().copied().filter(|&node| needed[node]).collect();
        let (mut made, mut beside) = (vec![0; self.wires.len()], vec![0; self.wires.len()]);
        // Bytes of all outputs of all nodes, and where those of each begin.
        let (mut outputs, mut begins) = (Vec::with_capacity(order.len()), vec![0; self.wires.len()]);
        let mut inputs = Vec::new();
        for &at in &order {
            let node = graph.nodes[at].node();
            inputs.clear();
            inputs.resize(node.spec().inputs.len(), 0);
            for wire in &self.wires[at] {
                inputs[wire.input] = outputs[begins[wire.node] + wire.output];
            }
            let sizes = Sizes { header: &*graph.header, inputs: &inputs, asked: asked[at], threads };
            begins[at] = outputs.len();
            outputs.extend(output_bytes(node, &sizes));
            let own = &outputs[begins[at]..];
            made[at] = own.iter().copied().fold(0, u64::saturating_add);
            beside[at] = beside_bytes(node, own, &sizes);
        }
        for wire in order.iter().flat_map(|&node| &self.wires[node]) {
            reads[wire.node] += 1;
        }
        for &(node, _) in wanted {
            reads[node] += 1;
        }
        Values { order, made, beside, reads }
    }

    /// Bytes of the values that end with a node's end: those it was the last to read, and its own where nobody reads them.
    fn ended(&self, node: usize, values: &Values, reads: &mut [u32]) -> u64 {
        let mut freed = if reads[node] == 0 { values.made[node] } else { 0 };
        for wire in &self.wires[node] {
            reads[wire.node] -= 1;
            if reads[wire.node] == 0 {
                freed += values.made[wire.node];
            }
        }
        freed
    }

    /// Plays the evaluation, each node as long as any other: as many at once as there are threads, each thread going on with
    /// a reader of what it has just made, otherwise with what has been ready for longest. A thread whose node waits for the parts of it that other
    /// threads work on takes up another node, so nodes too small to be counted take no thread's place.
    fn parallel(&self, values: &Values, forecast: &Forecast, threads: usize) -> u64 {
        let count = self.wires.len();
        let (mut pending, mut readers) = (vec![0u32; count], vec![Vec::new(); count]);
        for &node in &values.order {
            for wire in &self.wires[node] {
                pending[node] += 1;
                readers[wire.node].push(node);
            }
        }
        let mut ready: VecDeque<usize> =
            values.order.iter().copied().filter(|&node| pending[node] == 0).collect();
        let mut reads = values.reads.clone();
        let (mut running, mut live, mut peak) = (Vec::new(), 0u64, 0u64);
        loop {
            let counted = |node: &&usize| forecast.nodes[**node] >= SMALL;
            let mut busy = running.iter().filter(counted).count();
            while busy < threads
                && let Some(node) = ready.pop_front()
            {
                busy += usize::from(counted(&&node));
                running.push(node);
            }
            if running.is_empty() {
                return peak.max(forecast.serial);
            }
            let taken = running.iter().map(|&node| forecast.nodes[node]).fold(0, u64::saturating_add);
            peak = peak.max(live.saturating_add(taken));
            for node in std::mem::take(&mut running) {
                live = live.saturating_add(values.made[node]);
                live = live.saturating_sub(self.ended(node, values, &mut reads));
                let mut goes_on = false;
                for &reader in &readers[node] {
                    pending[reader] -= 1;
                    if pending[reader] > 0 {
                        continue;
                    }
                    if goes_on {
                        ready.push_back(reader);
                    } else {
                        running.push(reader);
                        goes_on = true;
                    }
                }
            }
        }
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
