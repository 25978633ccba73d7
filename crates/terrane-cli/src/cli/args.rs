//! The command line: options for all commands, and the commands.

use clap::{Parser, Subcommand};

use super::arguments::Colour;
use super::cache::Cache;
use super::catalogue::Nodes;
use super::check::Check;
use super::diff::Diff;
use super::eval::Eval;
use super::explain::Explain;
use super::fmt::Fmt;
use super::lsp::Lsp;
use super::mcp::Mcp;
use super::picture::GraphPicture;
use super::run::Run;
use super::shares::World;
use super::starter::New;
use super::sweep::Sweep;
use super::test::Test;
use super::verify::Verify;
use super::view::View;
use super::watch::Watch;

/// Procedural terrain as text.
#[derive(Debug, Parser)]
#[command(
    name = "terrane",
    version,
    about,
    after_help = "Exit codes: 0 done, 1 evaluation failed, 2 bad graph or usage."
)]
pub struct Args {
    /// When to colour messages; auto respects NO_COLOR.
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Evaluate a graph and write its outputs.
    Run(Run),
    /// Evaluate one output of one node: write it to a file, or print numbers and tables.
    Eval(Eval),
    /// Run a graph, and run it again whenever its files change.
    Watch(Watch),
    /// Show a live preview in the browser: nodes, maps, terrain, and sliders for parameters.
    View(View),
    /// Report every error in graph files, without evaluating or writing anything.
    Check(Check),
    /// Show what differs between two graphs: nodes, parameters, wires, and by how much outputs change.
    Diff(Diff),
    /// Format graph files; comments are kept.
    Fmt(Fmt),
    /// Compare the outputs of graphs with their snapshots.
    #[command(
        after_help = "Exit codes: 0 all outputs match their snapshots, 1 an output changed, is new or \
            failed, 2 bad graph or usage."
    )]
    Test(Test),
    /// Evaluate a graph for many seeds and parameter values, and tabulate its metrics.
    Sweep(Sweep),
    /// Show for each node whether its result is cached, and what changed since the last run.
    Explain(Explain),
    /// List the node types, find some by words, or show one node type's page.
    Nodes(Nodes),
    /// Print a drawing of a graph as DOT, Mermaid or SVG.
    Graph(GraphPicture),
    /// Inspect, check, shrink or clear the disk cache.
    Cache(Cache),
    /// Compare the outputs in folders with their `manifest.json`.
    #[command(after_help = "Exit codes: 0 all files match, 1 a file differs or is missing, 2 no manifest.")]
    Verify(Verify),
    /// Check and convert worlds that were written in shares or to a Zarr store.
    World(World),
    /// Write a small graph to start from.
    New(New),
    /// Serve an editor: completion, mistakes and more, by the language server protocol.
    Lsp(Lsp),
    /// Serve a program that writes graphs: tools to find node types, to check, edit and run graphs, by the
    /// Model Context Protocol.
    Mcp(Mcp),
    /// Print the completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}
