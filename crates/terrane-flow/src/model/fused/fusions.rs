//! Which nodes are evaluated together.

use smallvec::SmallVec;

use crate::model::graph::Graph;
use crate::model::holes::Holes;
use crate::model::node::Node;
use crate::model::panics::catch_panics;
use crate::model::plan::{Plan, Wire};
use crate::model::spec::Cost;

/// The maximum number of nodes in a fusion. It bounds the memory of a block.
const MAX_MEMBERS: usize = 64;

/// The maximum number of maps that a fusion reads. While the fusion waits for all of them, they are in
/// memory.
const MAX_MAPS: usize = 4;

/// The fusions of an evaluation. Only the value of a fusion's last node is made. All readers of the other
/// nodes belong to the fusion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fusions {
    /// Per node, 0 if it is in no fusion, or else the position of the fusion plus 1. Empty without fusions.
    of: Vec<u32>,
    all: Vec<Fusion>,
}

/// A fusion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fusion {
    /// The nodes, upstream nodes first.
    pub members: Vec<usize>,
    /// The wires from outside to the members.
    pub wires: Vec<Wire>,
    /// Per wire, the member that reads it.
    pub readers: Vec<usize>,
}

impl Fusion {
    /// The node whose value is made.
    pub fn last(&self) -> usize {
        self.members[self.members.len() - 1]
    }

    /// The other nodes.
    pub fn inner(&self) -> &[usize] {
        &self.members[..self.members.len() - 1]
    }
}

/// A fusion in the making.
#[derive(Default)]
struct Growing {
    members: usize,
    /// The values that it reads, as the positions of their nodes and outputs.
    maps: SmallVec<[(usize, usize); MAX_MAPS]>,
}

/// Who reads the value of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Readers {
    None,
    /// Only members of the fusion with this last node.
    Fusion(usize),
    Others,
}

impl Fusions {
    /// The fusions of nodes that run. `made`: nodes whose values are asked for, which are made in any case.
    /// `worth`: nodes that are worth it.
    pub fn new(plan: &Plan, graph: &Graph, (runs, made, worth): (&[bool], &[bool], &[bool])) -> Self {
        let count = plan.wires.len();
        let is_pointwise: Vec<bool> = (0..count)
            .map(|at| {
                runs[at]
                    && worth[at]
                    && !graph.nodes[at].own().imports
                    && is_pointwise(graph.nodes[at].node(), plan, at)
            })
            .collect();
        if !(0..count).any(|at| is_pointwise[at] && !made[at]) {
            return Self::default();
        }
        let mut readers = vec![Readers::None; count];
        let mut last: Vec<usize> = (0..count).collect();
        let mut growing: Vec<Option<Growing>> = (0..count).map(|_| None).collect();
        // Readers come first, so that a node knows the fusions of all its readers.
        for &at in plan.order.iter().rev().filter(|&&at| runs[at]) {
            let wires = &plan.wires[at];
            if is_pointwise[at] {
                let joined = match readers[at] {
                    Readers::Fusion(fusion) if !made[at] => {
                        let joins = growing[fusion].as_mut().is_some_and(|fusion| fusion.join(at, wires));
                        joins.then_some(fusion)
                    }
                    _ => None,
                };
                last[at] = joined.unwrap_or_else(|| {
                    growing[at] = Some(Growing::new(wires));
                    at
                });
            }
            for wire in wires {
                let reader = if is_pointwise[at] { Readers::Fusion(last[at]) } else { Readers::Others };
                let known = &mut readers[wire.node];
                *known = if *known == Readers::None || *known == reader { reader } else { Readers::Others };
            }
        }
        let is_fusion = |at: usize| growing[at].as_ref().is_some_and(|fusion| fusion.members > 1);
        let mut this = Self { of: vec![0; count], all: Vec::new() };
        // The last node gives a fusion its position.
        for &at in plan.order.iter().filter(|&&at| last[at] == at && is_fusion(at)) {
            this.all.push(Fusion { members: Vec::new(), wires: Vec::new(), readers: Vec::new() });
            this.of[at] = this.all.len() as u32;
        }
        for &at in plan.order.iter().filter(|&&at| is_fusion(last[at])) {
            let position = this.of[last[at]];
            this.of[at] = position;
            let fusion = &mut this.all[position as usize - 1];
            fusion.members.push(at);
            for wire in plan.wires[at].iter().filter(|wire| last[wire.node] != last[at]) {
                fusion.wires.push(*wire);
                fusion.readers.push(at);
            }
        }
        this
    }

    /// The fusion of a node.
    pub fn of(&self, node: usize) -> Option<&Fusion> {
        let position = self.of.get(node).copied().unwrap_or(0);
        (position > 0).then(|| &self.all[position as usize - 1])
    }

    /// The fusion whose value is that of a node.
    pub fn ending_in(&self, node: usize) -> Option<&Fusion> {
        self.of(node).filter(|fusion| fusion.last() == node)
    }

    /// Whether a node's value is not made.
    pub fn is_inner(&self, node: usize) -> bool {
        self.of(node).is_some_and(|fusion| fusion.last() != node)
    }

    /// The nodes of the fusion that ends in a node, without this node.
    pub fn inner(&self, node: usize) -> &[usize] {
        self.ending_in(node).map_or(&[], Fusion::inner)
    }

    /// The wires that must have values before a node runs: those of its fusion, if it is the last. Nodes
    /// within a fusion have none.
    pub fn wires<'a>(&'a self, plan: &'a Plan, node: usize) -> &'a [Wire] {
        match self.of(node) {
            None => &plan.wires[node],
            Some(fusion) if fusion.last() == node => &fusion.wires,
            Some(_) => &[],
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

impl Growing {
    fn new(wires: &[Wire]) -> Self {
        let mut this = Self { members: 1, maps: SmallVec::new() };
        this.read(wires);
        this
    }

    fn read(&mut self, wires: &[Wire]) {
        for map in wires.iter().map(|wire| (wire.node, wire.output)) {
            if !self.maps.contains(&map) {
                self.maps.push(map);
            }
        }
    }

    /// Adds a node, if the fusion does not become too large. Its value is then no longer read from outside.
    fn join(&mut self, node: usize, wires: &[Wire]) -> bool {
        let mut maps = self.maps.clone();
        maps.retain(|map| map.0 != node);
        let mut more = Self { members: self.members + 1, maps };
        more.read(wires);
        let fits = more.members <= MAX_MEMBERS && more.maps.len() <= MAX_MAPS;
        if fits {
            *self = more;
        }
        fits
    }
}

/// Whether a node can be evaluated together with others.
fn is_pointwise(node: &dyn Node, plan: &Plan, at: usize) -> bool {
    let spec = node.spec();
    let keeps_holes = spec.holes == Holes::Kept && !node.makes_holes() || !plan.holes[at].outputs;
    let takes_one_size = spec.inputs.iter().all(|input| !input.any_size);
    node.cost() == Cost::Cheap
        && spec.outputs.len() == 1
        && keeps_holes
        && takes_one_size
        // A node that panics here does so again when it runs alone, and is reported.
        && catch_panics(|| node.pointwise().is_some()).unwrap_or(false)
}
