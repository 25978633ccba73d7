//! `terrane check`.

use terrane_flow::{Diagnostics, LoadOptions, load_file};

use super::args::Check;
use super::console::{self, Failure};

pub fn check(args: &Check) -> Result<(), Failure> {
    let registry = terrane_nodes::registry();
    let options = LoadOptions { allow_outside: args.allow_outside, ..LoadOptions::default() };
    let mut all = Diagnostics::default();
    for graph in &args.graphs {
        if let Err(diagnostics) = load_file(graph, &registry, &options) {
            all.0.extend(diagnostics.0);
        }
    }
    if args.json {
        for diagnostic in &all.0 {
            console::print(&format!("{}\n", diagnostic.to_json()));
        }
    }
    all.into_result()?;
    if !args.json {
        console::line(&format!("{} graphs, no mistakes", args.graphs.len()));
    }
    Ok(())
}
