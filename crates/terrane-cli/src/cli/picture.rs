//! `terrane graph`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use terrane_runs::Failure;

use super::arguments::{Load, LoadWith, OfWorld};
use super::console;
use super::session;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PictureFormat {
    Dot,
    Mermaid,
    Svg,
}

#[derive(Debug, Args)]
pub struct GraphPicture {
    /// The graph file.
    pub graph: PathBuf,
    /// Set a parameter of the graph. `@PROFILE` sets the parameters of one of the graph's profiles, and
    /// `@FILE.ron` those in a file `{ "name": value }`. Can be repeated; the last value of a parameter wins.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Let the graph read files outside its folder.
    #[arg(long)]
    pub allow_outside: bool,
    #[command(flatten)]
    pub of_world: OfWorld,
    /// The format to print.
    #[arg(long, value_enum, default_value_t = PictureFormat::Mermaid)]
    pub format: PictureFormat,
}

pub fn graph(args: &GraphPicture) -> Result<(), Failure> {
    let load = Load {
        graph: args.graph.clone(),
        with: LoadWith { set: args.set.clone(), allow_outside: args.allow_outside, ..LoadWith::default() },
    };
    let engine = session::lookup_engine(None)?;
    let loaded = session::graph_or_patch(&load, &args.of_world, &engine)?;
    let draw = match args.format {
        PictureFormat::Dot => terrane_view::dot,
        PictureFormat::Mermaid => terrane_view::mermaid,
        PictureFormat::Svg => terrane_view::svg,
    };
    console::print(&draw(&loaded.graph, &loaded.plan));
    Ok(())
}
