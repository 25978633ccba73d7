//! What a graph takes from the georeferenced file that it imports: its place on a map, and its spacing.

use std::any::Any;

use terrane_flow::syntax::Problem;
use terrane_flow::{Graph, suggest};
use terrane_grid::{Domain, Place};
use terrane_io::Refused;

use crate::place::{square_rows, step};
use crate::sources::Import;
use crate::terrain::Terrain;

/// The place of a graph: that of its first import of a file with a reference system, otherwise of its first
/// import of a file that is placed on a map.
pub fn of_graph(graph: &Graph, domain: &Domain) -> Option<Place> {
    let imports = graph.nodes.values().filter_map(|node| (node.node() as &dyn Any).downcast_ref::<Import>());
    let mut places = imports.filter_map(|import| import.place(domain)).peekable();
    let first = places.peek().cloned();
    places.find(|place| place.reference().epsg().is_some()).or(first)
}

/// For each import whose samples are not as far apart as the graph says, its name and the warning of its run,
/// as far as headers of files tell it.
#[must_use]
pub fn spacing_warnings(graph: &Graph) -> Vec<(String, String)> {
    let warning = |at: usize| {
        let (name, node) = graph.nodes.get_index(at)?;
        let import = (node.node() as &dyn Any).downcast_ref::<Import>()?;
        let domain = Terrain::of(graph.header_of(at))?.domain;
        Some((name.clone(), import.spacing_warning(&domain)?))
    };
    (0..graph.nodes.len()).filter_map(warning).collect()
}

/// The domain of a graph whose spacing is that of the file of an import: the file's extent with cells that
/// are squares, in metres.
pub fn domain_of_file(
    graph: &Graph,
    name: &str,
    size: Option<(usize, usize)>,
    origin: (f64, f64),
) -> Result<Domain, Problem> {
    let node = graph.nodes.get(name).map(|node| node.node() as &dyn Any);
    let Some(import) = node.and_then(|node| node.downcast_ref::<Import>()) else {
        let is_import = |node: &&str| (graph.nodes[*node].node() as &dyn Any).is::<Import>();
        let imports: Vec<&str> = graph.nodes.keys().map(String::as_str).filter(is_import).collect();
        return Err(Problem::new(
            format!("there is no Import `{name}`"),
            suggest::help(name, &imports, "the imports of the graph are"),
        ));
    };
    let file = import.file.given();
    let Some(needed) = import.needed() else {
        return Err(Problem::new(
            format!("the spacing of `{name}` is not known: {file} cannot be read"),
            "check the file, or write the spacing",
        ));
    };
    if let Some(Refused { message, help }) = needed.refused {
        return Err(Problem::new(format!("the spacing of `{name}` is not known: {file}: {message}"), help));
    }
    let Some((x, y)) = needed.distance.filter(|(x, y)| *x > 0.0 && *y > 0.0) else {
        return Err(Problem::new(
            format!(
                "the spacing of `{name}` is not known: {file} has no sidecar, world file or geographic \
                tags with a usable distance of samples"
            ),
            "write the spacing",
        ));
    };
    let (columns, rows) = needed.size;
    let (width, height) = size.unwrap_or_else(|| {
        let fitting = if import.origin.is_some() { rows } else { square_rows((x, y), rows) };
        (columns, fitting)
    });
    let spacing = match import.origin {
        Some(_) => x,
        None if width > 1 => x * step(columns, width),
        None => y * step(rows, height),
    };
    Ok(Domain { size: (width, height), spacing, origin })
}
