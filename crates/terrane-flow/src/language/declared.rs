//! Declarations that the files of all families of graphs share.

use terrane_flow_derive::Declare;

use crate::model::entries::Entries;
use crate::model::node::Declare as _;
use crate::model::param::FilePath;
use crate::model::registry::{Family, ReadHeader};

/// A family of graphs that adds no header fields. Its outputs accept any file name, and have no companions.
#[must_use]
pub fn family(read_header: ReadHeader) -> Family {
    Family {
        graph: Graph::spec(),
        export: Export::spec(),
        read_header,
        settle: |_, _, _| {},
        check_output: |_, _, _, _| Ok(()),
        companions: |_| Vec::new(),
    }
}

/// A graph of nodes.
///
/// Each family of graphs has its own declaration with the fields of its header.
///
/// # Example
///
/// ```text
/// Graph(
///     params: { "amount": 0.5 },
///     nodes: { "a": Take(amount: "$amount"), "b": Mix(from: "a") },
///     outputs: { "b.txt": "b" },
/// )
/// ```
#[derive(Clone, Debug, Declare)]
#[node(category = "files")]
pub struct Graph {
    /// The graph's seed. It is combined with the seed of every node that has a seed.
    #[param(default = 0)]
    pub seed: u64,
    /// Parameters, which nodes use as `"$name"`: names and values.
    #[param(default = Entries)]
    pub params: Entries,
    /// Sets of parameters that `--set @NAME` applies together: names and maps of parameters.
    #[param(default = Entries)]
    pub profiles: Entries,
    /// The nodes: names and nodes, `Type(port: "node", parameter: value)`. Any node may also set
    /// `keep: Always` or `keep: Never`, which controls whether its results are kept for other runs.
    #[param(default = Entries)]
    pub nodes: Entries,
    /// The output files: their names, and `"node"`, `"node.output"` or `Export(from: "node", ...)`.
    #[param(default = Entries)]
    pub outputs: Entries,
}

/// An output with options.
///
/// # Example
///
/// ```text
/// outputs: { "b.txt": Export(from: "b") }
/// ```
#[derive(Clone, Debug, Declare)]
#[node(category = "files")]
pub struct Export {
    /// The node, or `"node.output"`.
    #[param()]
    pub from: String,
}

/// Another graph's file as a node: the nodes of the file become part of this graph, with names like
/// `sub/node`.
///
/// The outputs of the other graph become the node's outputs. `"sub.height"` is the output that the other
/// graph writes to `height.png`, and `"sub"` is the other graph's first output. A subgraph does not declare
/// inputs. Instead, `inputs` can replace any of its nodes. Size, spacing, origin and seed are those of the
/// outermost graph. File paths in a subgraph are relative to the subgraph's file.
///
/// # Example
///
/// ```text
/// "hills": Subgraph(file: "parts/hills.ron", inputs: { "ground": "dem" }, params: { "height": 80.0 }),
/// ```
#[derive(Clone, Debug, Declare)]
#[node(category = "files", words = "reuse include function group nested macro part another file module nest")]
pub struct Subgraph {
    /// The graph's file, relative to this one.
    #[param()]
    pub file: FilePath,
    /// Nodes of the subgraph to replace: their names in the subgraph, each with `"node"` or `"node.output"`
    /// of this graph.
    #[param(default = Entries)]
    pub inputs: Entries,
    /// Values for the parameters of the other graph: names and values.
    #[param(default = Entries)]
    pub params: Entries,
}

/// Another graph's file, evaluated several times, each time on its previous outputs.
///
/// `carry` maps outputs to nodes. `{ "eroded": "ground" }` replaces the node `ground` by the output for
/// `eroded.png` of the previous repetition. Default: outputs replace the inputs with the same name. The
/// node's outputs are those of the last repetition. With `times: 0`, nothing runs: each carried output
/// is then the value that `inputs` sets for its node. In the example below, `again.eroded` is then the map
/// `dem`. Outputs that are not carried cannot be read.
///
/// Everything else is as with `Subgraph`. Each repetition has the same parameters and the same seed. The
/// nodes of the repetitions are named `again/1/node`, `again/2/node`, and so on. Each repetition is cached
/// separately, so raising `times` by two evaluates only two more repetitions.
///
/// # Example
///
/// ```text
/// "again": Repeat(
///     file: "parts/storm.ron",
///     times: 12,
///     inputs: { "ground": "dem" },
///     carry: { "eroded": "ground" },
/// ),
/// ```
#[derive(Clone, Debug, Declare)]
#[node(category = "files", words = "loop iterate iterations times again repetition for multiple")]
pub struct Repeat {
    /// The graph's file, relative to this one.
    #[param()]
    pub file: FilePath,
    /// How many times the graph is evaluated.
    #[param(min = 0, max = 10000)]
    pub times: u32,
    /// Outputs of one repetition that replace nodes in the next repetition: names of outputs, without
    /// extension, each with the name of a node.
    #[param(default = Entries)]
    pub carry: Entries,
    /// Nodes of the other graph to replace: their names in that graph, each with `"node"` or `"node.output"`
    /// of this graph. If a carried output also replaces the node, the value in `inputs` applies only to the
    /// first repetition.
    #[param(default = Entries)]
    pub inputs: Entries,
    /// Values for the parameters of the other graph: names and values.
    #[param(default = Entries)]
    pub params: Entries,
}
