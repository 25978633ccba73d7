//! `terrane check`.

use terrane::world::LoadedWorld;
use terrane_flow::{Diagnostics, LoadOptions, described_type, load_file};

use super::args::Check;
use super::console::{self, Failure};

pub fn check(args: &Check) -> Result<(), Failure> {
    let registry = terrane_nodes::registry();
    let options = LoadOptions { allow_outside: args.allow_outside, ..LoadOptions::default() };
    let mut all = Diagnostics::default();
    for graph in &args.graphs {
        let checked = match described_type(&*options.files, graph).as_deref() {
            Some("World") => LoadedWorld::load(graph, &options).map(|_| ()),
            _ => load_file(graph, &registry, &options).map(|_| ()),
        };
        all.0.extend(checked.err().unwrap_or_default().0);
    }
    if args.json {
        for diagnostic in all.to_json() {
            console::print(&format!("{diagnostic}\n"));
        }
    }
    all.into_result()?;
    if !args.json {
        let count = args.graphs.len();
        console::line(&format!("{count} {}, no mistakes", if count == 1 { "graph" } else { "graphs" }));
    }
    Ok(())
}
