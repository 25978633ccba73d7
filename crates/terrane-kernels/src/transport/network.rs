//! The flow network on one grid and the passes that solve it exactly.
//!
//! Every node has an integer potential, and no arc from `u` to `v` is steeper
//! than its cost: `potential(u) - potential(v) <= cost`. Flow only ever runs
//! along *tight* arcs, where the two are equal. A flow that meets all supplies
//! under these two rules is optimal by linear programming duality, whatever
//! the route that led to it, so nothing here depends on tolerances.
//!
//! One pass has three parts. (1) It finds how far each node with a surplus is from the nearest node with a
//! deficit. (2) It moves the potentials by these distances, which turns all the shortest routes tight. (3) It
//! sweeps the surpluses down those routes.
//!
//! The passes end: a node on a shortest route has an arc to a node of lower rank that can take more flow. A
//! sweep never pushes from lower to higher rank, so this arc can still take flow at the node's turn. So in
//! each pass at least one unit gets all the way to a deficit, and the total surplus, an integer, shrinks.

use super::link::{CELL_LINKS, DOWN, Link, Node, OUTSIDE, RIGHT, UNSETTLED, sides};
use crate::Cancelled;
use terrane_compute::Alive;

/// A grid with its outside (the last node), part way to the optimal flow.
pub(crate) struct Network {
    width: usize,
    cells: usize,
    sigma: i32,
    nodes: Vec<Node>,
    /// Whether all signs are currently reversed, see [`Network::mirror`].
    mirrored: bool,
    /// Nodes in the order in which the search settled them.
    order: Vec<usize>,
    /// Nodes that the search has reached, by distance; some entries are stale.
    buckets: Vec<Vec<usize>>,
}

impl Network {
    /// A network without flow. `start` holds one potential per cell, relative to the outside; it must obey
    /// the steepness rule. The nearer it is to the optimum, the fewer passes are needed.
    pub(crate) fn new(width: usize, sigma: i32, supply: &[i64], start: &[i32]) -> Self {
        let cells = supply.len();
        let mut nodes: Vec<Node> = supply
            .iter()
            .zip(start)
            .enumerate()
            .map(|(v, (&excess, &potential))| Node::new(excess, potential, sides(v, width, cells)))
            .collect();
        nodes.push(Node::new(-supply.iter().sum::<i64>(), 0, 0));
        Self {
            width,
            cells,
            sigma,
            nodes,
            mirrored: false,
            order: Vec::with_capacity(cells + 1),
            buckets: vec![Vec::new()],
        }
    }

    /// Runs passes until every supply is met, and calls `alive` before each of them.
    pub(crate) fn solve(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        loop {
            let sources = self.nodes.iter().filter(|n| n.excess > 0).count();
            let sinks = self.nodes.iter().filter(|n| n.excess < 0).count();
            if sources == 0 {
                break;
            }
            alive()?;
            // Searches from the side with fewer nodes. Then the many small amounts travel together towards
            // the few large ones. Otherwise one large amount would visit the many small ones, one pass after
            // another.
            if sources < sinks {
                self.mirror();
            }
            let reach = self.search(sources.max(sinks));
            self.tighten(reach);
            self.sweep();
        }
        if self.mirrored {
            self.mirror();
        }
        Ok(())
    }

    /// The potentials of the cells; that of the outside is zero.
    pub(crate) fn potentials(&self) -> Vec<i32> {
        self.cell_nodes().map(|n| n.potential).collect()
    }

    /// Net flow of every cell to the right, downwards and to the outside.
    pub(crate) fn flows(&self) -> (Vec<i64>, Vec<i64>, Vec<i64>) {
        let pick = |slot: usize| self.cell_nodes().map(|n| n.flow[slot]).collect();
        (pick(RIGHT), pick(DOWN), pick(OUTSIDE))
    }

    fn cell_nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().take(self.cells)
    }

    /// Reverses the problem: surpluses become deficits and all flows run backwards. Optimal flows stay
    /// optimal, as opposite arcs cost the same.
    fn mirror(&mut self) {
        for node in &mut self.nodes {
            node.excess = -node.excess;
            node.potential = -node.potential;
            node.flow = node.flow.map(|f| -f);
        }
        self.mirrored = !self.mirrored;
    }

    /// The number of links of a node, as numbered by [`Network::link`].
    fn degree(&self, v: usize) -> usize {
        if v == self.cells { self.cells } else { CELL_LINKS }
    }

    /// Link `i` of node `v`, or `None` if the grid ends there.
    fn link(&self, v: usize, i: usize) -> Option<Link> {
        if v == self.cells {
            return Some(Link::back(i, OUTSIDE, self.sigma));
        }
        self.nodes[v].cell_link(v, i, self.width, self.cells, self.sigma)
    }

    /// Net flow away from this end of the link.
    fn flow(&self, link: Link) -> i64 {
        link.sign * self.nodes[link.owner].flow[link.slot]
    }

    /// Dijkstra's search with buckets, backwards from all deficits over the
    /// arcs that can take more flow, until all `sources` surpluses are settled.
    /// Returns the distance of the last of them. Nodes at one distance are
    /// settled in waves, so that ranks fall along every shortest route.
    fn search(&mut self, sources: usize) -> i32 {
        let (mut wave, mut next) = (self.start_search(), Vec::new());
        let (mut left, mut rank, mut distance) = (sources, 0, 0);
        loop {
            while !wave.is_empty() {
                left -= self.settle(&mut wave, distance, rank);
                for &v in &wave {
                    self.relax(v, &mut next);
                }
                wave.clear();
                std::mem::swap(&mut wave, &mut next);
                rank += 1;
            }
            if left == 0 {
                return distance;
            }
            distance += 1;
            // The outside joins all nodes, so this never runs past the last
            // bucket with surpluses left.
            if let Some(bucket) = self.buckets.get_mut(distance as usize) {
                std::mem::swap(&mut wave, bucket);
            } else {
                return distance;
            }
        }
    }

    /// Forgets the last search and returns the deficits, the first wave.
    fn start_search(&mut self) -> Vec<usize> {
        self.order.clear();
        self.buckets.iter_mut().for_each(Vec::clear);
        let mut wave = Vec::new();
        for (v, node) in self.nodes.iter_mut().enumerate() {
            node.rank = UNSETTLED;
            node.distance = i32::MAX;
            if node.excess < 0 {
                node.distance = 0;
                wave.push(v);
            }
        }
        wave
    }

    /// Assigns a rank to the nodes of a wave, drops stale nodes from the wave, and returns how many surpluses
    /// the wave held.
    fn settle(&mut self, wave: &mut Vec<usize>, distance: i32, rank: u32) -> usize {
        let mut sources = 0;
        wave.retain(|&v| {
            let node = &mut self.nodes[v];
            let fresh = node.rank == UNSETTLED && node.distance == distance;
            if fresh {
                node.rank = rank;
                sources += usize::from(node.excess > 0);
            }
            fresh
        });
        self.order.extend_from_slice(wave);
        sources
    }

    /// Updates every unsettled node with an arc into `v` whose route through `v` is shorter.
    fn relax(&mut self, v: usize, next: &mut Vec<usize>) {
        let node = self.nodes[v];
        for i in 0..self.degree(v) {
            let Some(link) = self.link(v, i) else {
                continue;
            };
            let from = self.nodes[link.to];
            if from.rank != UNSETTLED {
                continue;
            }
            // Taking back flow that leaves `v` has a reduced cost of 0.
            let undo = self.flow(link) > 0;
            let length = if undo { 0 } else { link.cost - from.potential + node.potential };
            let distance = node.distance + length;
            if distance < from.distance {
                self.nodes[link.to].distance = distance;
                if length == 0 { next.push(link.to) } else { self.file(link.to, distance) }
            }
        }
    }

    /// Puts a node the search has reached into the bucket of its distance.
    fn file(&mut self, v: usize, distance: i32) {
        let position = distance as usize;
        if self.buckets.len() <= position {
            self.buckets.resize(position + 1, Vec::new());
        }
        self.buckets[position].push(v);
    }

    /// Raises the potential of each settled node by its distance, at most `reach`, and that of every other
    /// node by `reach`. Then shifts all potentials so that the outside stays at zero; otherwise they could
    /// drift out of their range.
    fn tighten(&mut self, reach: i32) {
        let rise = |n: &Node| {
            if n.rank == UNSETTLED { reach } else { n.distance }
        };
        let shift = self.nodes.last().map_or(0, rise);
        for node in &mut self.nodes {
            node.potential += rise(node) - shift;
        }
    }

    /// Sends the surpluses towards the deficits, farthest wave first, so that
    /// each node passes on all it receives in one visit.
    fn sweep(&mut self) {
        let order = std::mem::take(&mut self.order);
        for &v in order.iter().rev() {
            self.discharge(v, true);
            self.discharge(v, false);
        }
        self.order = order;
    }

    /// Pushes the surplus of a node to nodes of lower rank. With `only_lack`, each of them gets only as much
    /// as it lacks, otherwise as much as the arc takes. The first mode keeps the outside, which is next to
    /// all cells, from flooding one of them.
    fn discharge(&mut self, v: usize, only_lack: bool) {
        let node = self.nodes[v];
        let mut excess = node.excess;
        if excess <= 0 {
            return;
        }
        for i in 0..self.degree(v) {
            let Some(link) = self.link(v, i) else {
                continue;
            };
            let to = self.nodes[link.to];
            if to.rank >= node.rank {
                continue;
            }
            let tight = node.potential - to.potential == link.cost;
            let room = if tight { excess } else { (-self.flow(link)).max(0) };
            let lack = if only_lack { (-to.excess).max(0) } else { excess };
            let amount = excess.min(room).min(lack);
            self.nodes[link.owner].flow[link.slot] += link.sign * amount;
            self.nodes[link.to].excess += amount;
            excess -= amount;
        }
        self.nodes[v].excess = excess;
    }
}
