//! The workload of an evaluation.

/// The workload of an evaluation. `asked`, `runs` and `made` are in the order of the graph's nodes.
pub struct Workload<'a> {
    /// Per node, one bit per output that a needed node or a target reads.
    pub asked: &'a [u32],
    /// Per node, whether it runs. If not, its values are loaded when they are read or held.
    pub runs: &'a [bool],
    /// Nodes whose outputs are held until the end.
    pub held: &'a [usize],
    /// Per node, whether its values are made in any case, because they are asked for.
    pub made: &'a [bool],
    /// The number of nodes that run at once.
    pub threads: usize,
}
