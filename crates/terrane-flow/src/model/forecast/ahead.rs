//! What an evaluation has ahead of it.

/// What an evaluation has ahead of it; all but threads in the order of the graph's nodes.
pub struct Ahead<'a> {
    /// A bit per output that something reads.
    pub asked: &'a [u32],
    /// Whether the node runs; of those that do not, what is read or held is loaded.
    pub runs: &'a [bool],
    /// Nodes whose outputs are held to the end.
    pub held: &'a [usize],
    /// How many nodes run at once.
    pub threads: usize,
}
