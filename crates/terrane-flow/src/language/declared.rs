//! What stands in the files of every family of graphs.

use terrane_flow_derive::Declare;

use crate::model::entries::Entries;
use crate::model::node::Declare as _;
use crate::model::param::FilePath;
use crate::model::registry::{Family, ReadHeader};

/// A family of graphs whose text says nothing beside what every graph says, and whose outputs take any file.
#[must_use]
pub fn family(read_header: ReadHeader) -> Family {
    Family { graph: Graph::spec(), export: Export::spec(), read_header, check_output: |_, _, _, _| Ok(()) }
}

/// A graph of nodes.
///
/// Families of graphs have a declaration of their own, with the fields of their header.
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
    /// Mixed into every node that has a seed.
    #[param(default = 0)]
    pub seed: u64,
    /// Values that nodes name as `"$name"`: names and values.
    #[param(default = Entries)]
    pub params: Entries,
    /// Parameters that are set together by `--set @NAME`: names and maps of parameters.
    #[param(default = Entries)]
    pub profiles: Entries,
    /// The nodes: names and nodes, `Type(port: "node", parameter: value)`. Any node may also say
    /// `keep: Always` or `keep: Never`: whether its results are kept for other runs.
    #[param(default = Entries)]
    pub nodes: Entries,
    /// The files that are made: their names, and `"node"`, `"node.output"` or `Export(from: "node", ...)`.
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

/// Another graph's file as a node: its nodes become part of this graph, with names `sub/node`.
///
/// Its outputs are the node's: `"sub.height"` is what that graph writes to `height.png`, and `"sub"` its
/// first. A subgraph has no declared inputs: any of its nodes can be replaced from outside by `inputs`. Size,
/// spacing and seed are those of the graph that uses it. Files that it names are relative to its own.
///
/// # Example
///
/// ```text
/// "hills": Subgraph(file: "parts/hills.ron", inputs: { "ground": "dem" }, params: { "height": 80.0 }),
/// ```
#[derive(Clone, Debug, Declare)]
#[node(category = "files")]
pub struct Subgraph {
    /// The graph's file, relative to this one.
    #[param()]
    pub file: FilePath,
    /// Nodes of the subgraph that are replaced: their names there, and `"node"` or `"node.output"` here.
    #[param(default = Entries)]
    pub inputs: Entries,
    /// Values for its parameters: names and values.
    #[param(default = Entries)]
    pub params: Entries,
}

/// Another graph's file, evaluated several times: each time on what it gave the time before.
///
/// `carry` says which outputs go where: `{ "eroded": "ground" }` puts what the graph writes to `eroded.png`
/// in the place of its node `ground` the next time. Where nothing is said, outputs go to the inputs with
/// their name. The node's outputs are those of the last time; with `times: 0` those that are carried are what
/// `inputs` give, and the others cannot be read. Everything else is as with `Subgraph`: each time has the
/// same parameters and the same seed, and its nodes have names `again/1/node`, `again/2/node`. Every time is
/// kept by itself, so that two more times evaluate two.
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
#[node(category = "files")]
pub struct Repeat {
    /// The graph's file, relative to this one.
    #[param()]
    pub file: FilePath,
    /// How many times it is evaluated.
    #[param(min = 0, max = 10000)]
    pub times: u32,
    /// Which output of one time is put in the place of which node the next time: names of outputs, without
    /// extension, and of nodes.
    #[param(default = Entries)]
    pub carry: Entries,
    /// Nodes that are replaced: their names there, and `"node"` or `"node.output"` here; those that are
    /// carried, the first time only.
    #[param(default = Entries)]
    pub inputs: Entries,
    /// Values for its parameters: names and values.
    #[param(default = Entries)]
    pub params: Entries,
}
