//! `terrane new`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use terrane_flow::suggest;
use terrane_nodes::suited_source;
use terrane_runs::Failure;

use super::{console, templates};

#[derive(Debug, Args)]
pub struct New {
    /// File name of the graph; `.ron` is added if missing.
    pub name: String,
    /// Copy a graph of the gallery instead of the small one.
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(templates::names()),
        conflicts_with_all = ["extent", "source"]
    )]
    pub template: Option<String>,
    /// Length of the map's side in world units, such as metres.
    #[arg(long, default_value_t = 2048.0, value_parser = extent)]
    pub extent: f64,
    /// Type of the source: Perlin, OpenSimplex, Voronoi, ...
    #[arg(long, default_value = "Perlin")]
    pub source: String,
}

/// The starter graph for the default source and extent.
const STARTER: &str = include_str!("starter.ron");

/// Samples along a side of the starter graph.
const SIDE: usize = 513;

/// Reads an extent of which samples still have a spacing, and slopes a meaning.
fn extent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(extent) if (1e-3..=1e9).contains(&extent) => Ok(extent),
        _ => Err("expected a length from 0.001 to 1e9 world units, such as 40000".to_owned()),
    }
}

/// The text of the starter graph.
fn text(source: &str, extent: f64) -> Result<String, Failure> {
    let registry = terrane_nodes::registry();
    let suited = |name: &str| registry.node(name).and_then(|node| suited_source(node.spec(), extent));
    let source = suited(source).ok_or_else(|| {
        let names: Vec<&str> = registry.nodes().map(|node| node.spec().name).collect();
        let names: Vec<&str> = names.into_iter().filter(|name| suited(name).is_some()).collect();
        let message = format!("`{source}` is not a source that needs nothing but an extent");
        Failure::usage(message, suggest::help(source, &names, "choose one of"))
    })?;
    let spacing = format!("spacing: {:?}", extent / (SIDE - 1) as f64);
    Ok(STARTER
        .replace("Perlin(wavelength: 500.0, amplitude: 250.0)", &source)
        .replace("spacing: 4.0", &spacing))
}

pub fn new(args: &New) -> Result<(), Failure> {
    let mut path = PathBuf::from(&args.name);
    if path.file_name().is_none() {
        let message = format!("`{}` is not the name of a file", args.name);
        return Err(Failure::usage(message, "write a name such as hills.ron"));
    }
    if path.extension().is_none_or(|extension| extension != "ron") {
        path.as_mut_os_string().push(".ron");
    }
    terrane_runs::outputs::check_named(&path, &[]).map_err(Failure::Usage)?;
    if path.exists() {
        return Err(Failure::usage(format!("`{}` already exists", path.display()), "choose another name"));
    }
    let name = path.display().to_string();
    let copied = args.template.as_ref().and_then(|template| templates::text(template, &name));
    let text = copied.map_or_else(|| text(&args.source, args.extent), Ok)?;
    terrane_io::write_atomic(&path, false, |out| std::io::Write::write_all(out, text.as_bytes())).map_err(
        |error| Failure::evaluation(format!("{}: {}", path.display(), error.problem), error.remedy()),
    )?;
    let plain = name.chars().all(|c| c.is_alphanumeric() || "-_./\\:".contains(c));
    let typed = if plain { name.clone() } else { format!("\"{name}\"") };
    console::line(&format!("wrote {name}; run it with: terrane run {typed}"));
    Ok(())
}
