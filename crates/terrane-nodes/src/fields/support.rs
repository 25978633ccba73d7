//! Helpers that the nodes for fields share.

use std::collections::BTreeSet;

use terrane_fields::sectioning::{GenerateError, MOST_FIELDS, locate};
use terrane_fields::stitch::{NONE, rasterise};
use terrane_flow::{Invalid, NodeError};
use terrane_grid::{Domain, Grid, Heightmap, PlanarGraph};

use crate::values::{FieldAt, Fields, Graph};

/// A graph without slopes and anchors.
pub fn bare(plane: PlanarGraph) -> Graph {
    Graph { plane, ..Graph::default() }
}

/// Converts the result of a function that generates a graph.
pub fn generated(graph: Result<PlanarGraph, GenerateError>) -> Result<Graph, NodeError> {
    graph.map(bare).map_err(|error| match error {
        GenerateError::Cancelled => NodeError::Cancelled,
        GenerateError::Site(_) => NodeError::failed(error.to_string(), "move this site, or remove it"),
        error => NodeError::failed(error.to_string(), "use sizes that fit the map"),
    })
}

/// Rejects more fields than a graph can have.
pub fn check_fields(columns: u32, rows: u32) -> Result<(), Invalid> {
    let fields = u64::from(columns) * u64::from(rows);
    if fields <= MOST_FIELDS as u64 {
        return Ok(());
    }
    let message = format!("{columns} columns and {rows} rows are {fields} fields");
    Err(Invalid { field: "columns", message, help: format!("use at most {MOST_FIELDS} fields") })
}

/// The corners of a domain with the smallest and with the largest x and y.
#[cfg(feature = "triangulation")]
pub fn corners(domain: &Domain) -> ((f64, f64), (f64, f64)) {
    (domain.origin, (domain.x(domain.width().max(1) - 1), domain.y(domain.height().max(1) - 1)))
}

/// For each sample, the number of its field: as a grid, with [`NONE`] outside all fields, and as a map, with
/// -1.
pub fn ids(fields: &Fields, domain: &Domain) -> (Grid<u32>, Heightmap) {
    let ids = rasterise(&fields.plane, &fields.outlines(), domain);
    let number = |&id: &u32| if id == NONE { -1.0 } else { id as f32 };
    let map = Heightmap::from_grid(*domain, ids.map(number));
    (ids, map)
}

/// Resolves fields to their numbers.
pub fn numbers<'a>(
    fields: &Fields,
    wanted: impl Iterator<Item = &'a FieldAt>,
) -> Result<Vec<u32>, NodeError> {
    let wanted: Vec<FieldAt> = wanted.copied().collect();
    let points: Vec<(f64, f64)> = wanted
        .iter()
        .filter_map(|field| match *field {
            FieldAt::Place(x, y) => Some((x, y)),
            FieldAt::Number(_) => None,
        })
        .collect();
    let mut found = locate(&fields.plane, &fields.sections, &points).into_iter();
    let count = fields.names.len();
    let number = |field: &FieldAt| match *field {
        FieldAt::Number(number) => ((number as usize) < count).then_some(number),
        FieldAt::Place(..) => found.next().flatten(),
    };
    let help = |field: &FieldAt| match field {
        FieldAt::Number(_) => {
            format!("there are {count}, counted from 0; write Section's fields to a .json file to list them")
        }
        FieldAt::Place(..) => {
            "write a point in a field; Section's fields in a .json file have one in each".to_owned()
        }
    };
    let numbers: Vec<Option<u32>> = wanted.iter().map(number).collect();
    wanted
        .iter()
        .zip(numbers)
        .map(|(field, number)| {
            number.ok_or_else(|| NodeError::failed(format!("there is no {field}"), help(field)))
        })
        .collect()
}

/// Rejects names for which there is no description. A description can exist even if no field has it.
pub fn check_names<'a>(
    fields: &Fields,
    names: impl IntoIterator<Item = &'a String>,
) -> Result<(), NodeError> {
    let known: BTreeSet<&str> =
        fields.names.iter().chain(fields.grounds.keys()).map(String::as_str).collect();
    match names.into_iter().find(|name| !known.contains(name.as_str())) {
        Some(name) => {
            let known: Vec<&str> = known.into_iter().collect();
            let help = terrane_flow::suggest::help(name, &known, "descriptions are");
            Err(NodeError::failed(format!("there is no description `{name}`"), help))
        }
        None => Ok(()),
    }
}
