//! What can be typed.

use clap::{Parser, Subcommand};

use super::arguments::Colour;
use super::cache::Cache;
use super::catalogue::Nodes;
use super::check::Check;
use super::eval::Eval;
use super::explain::Explain;
use super::fmt::Fmt;
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
    /// When to use colour; NO_COLOR is respected.
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Evaluate a graph and write its outputs.
    Run(Run),
    /// Evaluate one output of one node into a file, or print numbers and tables.
    Eval(Eval),
    /// Run a graph, and again after every change of its files.
    Watch(Watch),
    /// Show a graph in the browser, live: its nodes, maps and terrain, and sliders for its parameters.
    View(View),
    /// Report every mistake in graphs; nothing is evaluated or written.
    Check(Check),
    /// Write graphs in the one form, comments kept.
    Fmt(Fmt),
    /// Compare the outputs of graphs with their snapshots.
    #[command(
        after_help = "Exit codes: 0 all as they were, 1 something changed, is new or failed, 2 bad graph or \
            usage."
    )]
    Test(Test),
    /// Evaluate a graph for many seeds and parameters, and put its metrics into one table.
    Sweep(Sweep),
    /// Tell, per node, whether its result is known, and what changed since the last run.
    Explain(Explain),
    /// The catalogue of nodes, or one node's page.
    Nodes(Nodes),
    /// A picture of a graph.
    Graph(GraphPicture),
    /// Look after the disk cache.
    Cache(Cache),
    /// Compare the outputs in a folder with its `manifest.json`.
    #[command(after_help = "Exit codes: 0 all as they were written, 1 some are not, 2 there is no manifest.")]
    Verify(Verify),
    /// Check and convert worlds that were made in shares or in a store.
    World(World),
    /// Write a starter graph that runs.
    New(New),
    /// Completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}
