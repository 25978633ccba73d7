//! A sweep line over a graph: whether edges cross, and the edge below each node where edges begin.

use rayon::prelude::*;
use terrane_grid::PlanarGraph;

use super::predicates::{meet_elsewhere, turn};

/// No edge, or no node.
pub const NONE: u32 = u32::MAX;

/// The nodes of a graph by position: by x, then by y.
pub struct Order {
    /// Nodes, sorted by position.
    pub nodes: Vec<u32>,
    /// Per node, its index in `nodes`.
    pub ranks: Vec<u32>,
}

impl Order {
    /// Sorts the nodes of a graph, equal positions by number. O(nodes · log nodes).
    pub fn of(graph: &PlanarGraph) -> Self {
        // Bits that sort like the numbers; adding zero turns -0 into 0.
        let bits = |value: f64| {
            let bits = (value + 0.0).to_bits();
            if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
        };
        let mut keys: Vec<(u64, u64, u32)> =
            graph.nodes.iter().zip(0..).map(|(&(x, y), node)| (bits(x), bits(y), node)).collect();
        keys.par_sort_unstable();
        let nodes: Vec<u32> = keys.into_iter().map(|(_, _, node)| node).collect();
        let mut ranks = vec![0; nodes.len()];
        for (&node, rank) in nodes.iter().zip(0..) {
            ranks[node as usize] = rank;
        }
        Self { nodes, ranks }
    }
}

/// Per node at which no edge arrives from a lower position, the next edge below the node, or [`NONE`].
/// Unspecified for the other nodes.
///
/// The line visits the nodes in their order. Between two nodes it crosses the open edges in a fixed order
/// from below to above, until the first point where two meet. Edges that meet there are adjacent before that
/// point, so comparing adjacent edges finds it (Shamos & Hoey 1976). The edges that end at a node are
/// adjacent, and those that begin replace them, so that one search per node is enough. Exact. O(edges · log
/// edges), if at most about 10⁵ edges are open at once.
///
/// # Errors
/// Two edges that meet at a point that is not a common end, or that are next to such edges.
pub fn sweep(graph: &PlanarGraph, order: &Order) -> Result<Vec<u32>, (u32, u32)> {
    let lines = Lines::of(graph, order);
    let mut open = OpenEdges::default();
    let mut below = vec![NONE; graph.nodes.len()];
    let mut rising = Vec::new();
    for (rank, &node) in order.nodes.iter().enumerate() {
        rising.clear();
        rising.extend_from_slice(lines.from(rank));
        let ending = lines.ending[rank];
        if rising.is_empty() && ending == 0 {
            continue;
        }
        rising.sort_unstable_by(|&a, &b| lines.turn(rank, b, a).total_cmp(&0.0));
        let at = open.first_not_below(|edge| lines.side(edge, rank) > 0.0);
        let before = open.before(at);
        let (mut ended, mut after) = (0, None);
        for edge in open.from(at) {
            if lines.side(edge, rank) != 0.0 {
                after = Some(edge);
                break;
            }
            if lines.ranks[edge as usize].1 as usize != rank {
                // The node lies on an edge.
                return Err((edge, rising.first().copied().unwrap_or(edge)));
            }
            ended += 1;
        }
        if ended as u32 != ending {
            return Err((before.or(after).unwrap_or(0), rising.first().copied().or(before).unwrap_or(0)));
        }
        if ending == 0 {
            below[node as usize] = before.unwrap_or(NONE);
        }
        let neighbours = || before.into_iter().chain(rising.iter().copied()).chain(after);
        if let Some(pair) = neighbours().zip(neighbours().skip(1)).find(|&(a, b)| lines.meet(a, b)) {
            return Err(pair);
        }
        open.replace(at, ended, &rising);
    }
    Ok(below)
}

/// The edges of a graph from their lower end to their upper end.
struct Lines {
    places: Vec<(f64, f64)>,
    /// Ranks of the ends of each edge, the lower first.
    ranks: Vec<(u32, u32)>,
    /// Edges sorted by the rank of their lower end.
    rising: Vec<u32>,
    /// Per rank, the position in `rising` at which its edges begin.
    begin: Vec<u32>,
    /// Per rank, the number of edges whose upper end is there.
    ending: Vec<u32>,
}

impl Lines {
    fn of(graph: &PlanarGraph, order: &Order) -> Self {
        let rank = |node: u32| order.ranks[node as usize];
        let ranks: Vec<(u32, u32)> =
            graph.edges.iter().map(|&(a, b)| (rank(a).min(rank(b)), rank(a).max(rank(b)))).collect();
        let mut begin = vec![0; graph.nodes.len() + 1];
        let mut ending = vec![0; graph.nodes.len()];
        for &(low, high) in &ranks {
            begin[low as usize + 1] += 1;
            ending[high as usize] += 1;
        }
        for at in 1..begin.len() {
            begin[at] += begin[at - 1];
        }
        let (mut rising, mut next) = (vec![0; ranks.len()], begin.clone());
        for (&(low, _), edge) in ranks.iter().zip(0..) {
            rising[next[low as usize] as usize] = edge;
            next[low as usize] += 1;
        }
        let places = order.nodes.iter().map(|&node| graph.nodes[node as usize]).collect();
        Self { places, ranks, rising, begin, ending }
    }

    /// The edges that begin at a rank.
    fn from(&self, rank: usize) -> &[u32] {
        &self.rising[self.begin[rank] as usize..self.begin[rank + 1] as usize]
    }

    fn ends(&self, edge: u32) -> [(f64, f64); 2] {
        let (low, high) = self.ranks[edge as usize];
        [self.places[low as usize], self.places[high as usize]]
    }

    /// Positive if a node is above an edge, negative if below.
    fn side(&self, edge: u32, rank: usize) -> f64 {
        let [low, high] = self.ends(edge);
        turn(low, high, self.places[rank])
    }

    /// Positive if, of two edges that begin at a node, the second rises more steeply.
    fn turn(&self, rank: usize, a: u32, b: u32) -> f64 {
        turn(self.places[rank], self.ends(a)[1], self.ends(b)[1])
    }

    fn meet(&self, a: u32, b: u32) -> bool {
        meet_elsewhere(self.ends(a), self.ends(b))
    }
}

/// The edges that the line crosses, from below to above, in blocks: none is empty.
#[derive(Default)]
struct OpenEdges(Vec<Vec<u32>>);

/// Maximum number of edges in a block.
const BLOCK: usize = 256;

impl OpenEdges {
    /// Block and index of the first edge that is not below: edges below come first.
    fn first_not_below(&self, below: impl Fn(u32) -> bool) -> (usize, usize) {
        let block = self.0.partition_point(|block| below(block[0])).saturating_sub(1);
        let at = self.0.get(block).map_or(0, |edges| edges.partition_point(|&edge| below(edge)));
        (block, at)
    }

    fn before(&self, (block, at): (usize, usize)) -> Option<u32> {
        if at > 0 {
            return self.0[block].get(at - 1).copied();
        }
        self.0.get(block.checked_sub(1)?)?.last().copied()
    }

    /// The edges starting at an index.
    fn from(&self, (block, at): (usize, usize)) -> impl Iterator<Item = u32> {
        let first = self.0.get(block).map_or(&[][..], |edges| &edges[at..]);
        first.iter().chain(self.0.iter().skip(block + 1).flatten()).copied()
    }

    /// Replaces `count` edges by others.
    fn replace(&mut self, (block, at): (usize, usize), mut count: usize, new: &[u32]) {
        if self.0.is_empty() {
            self.0.push(Vec::new());
        }
        let here = count.min(self.0[block].len() - at);
        self.0[block].splice(at..at + here, new.iter().copied());
        count -= here;
        let mut whole = block + 1;
        while count > 0 && self.0[whole].len() <= count {
            count -= self.0[whole].len();
            whole += 1;
        }
        if count > 0 {
            self.0[whole].drain(..count);
        }
        self.0.drain(block + 1..whole);
        let edges = &self.0[block];
        if edges.is_empty() {
            self.0.remove(block);
        } else if edges.len() > BLOCK {
            let halves: Vec<Vec<u32>> = edges.chunks(BLOCK / 2).map(<[u32]>::to_vec).collect();
            self.0.splice(block..=block, halves);
        }
    }
}
