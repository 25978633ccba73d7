//! What nodes of fields have in common.

use std::collections::BTreeSet;

use terrane_flow::{Invalid, NodeError};
use terrane_grid::{Domain, Grid, Heightmap, PlanarGraph};
use terrane_kernels::sectioning::{GenerateError, MOST_FIELDS, locate};
use terrane_kernels::stitch::{NONE, rasterise};

use crate::values::{FieldAt, Fields, Graph};

/// A graph without slopes and anchors.
pub fn bare(plane: PlanarGraph) -> Graph {
    Graph { plane, ..Graph::default() }
}

/// A generated graph, or why there is none.
pub fn generated(graph: Result<PlanarGraph, GenerateError>) -> Result<Graph, NodeError> {
    graph.map(bare).map_err(|error| match error {
        GenerateError::Cancelled => NodeError::Cancelled,
        error => NodeError::failed(error.to_string(), "take sizes that fit the graph's place"),
    })
}

/// Refuses more fields than a graph can have.
pub fn check_fields(columns: u32, rows: u32) -> Result<(), Invalid> {
    let fields = u64::from(columns) * u64::from(rows);
    if fields <= MOST_FIELDS as u64 {
        return Ok(());
    }
    let message = format!("{columns} columns and {rows} rows are {fields} fields");
    Err(Invalid { field: "columns", message, help: format!("a graph has {MOST_FIELDS} fields at most") })
}

/// Corners of the graph's part of the world.
pub fn corners(domain: &Domain) -> ((f64, f64), (f64, f64)) {
    (domain.origin, (domain.x(domain.width().max(1) - 1), domain.y(domain.height().max(1) - 1)))
}

/// Numbers of fields per sample, as maps have them: -1 where there is none.
pub fn ids(fields: &Fields, domain: &Domain) -> (Grid<u32>, Heightmap) {
    let ids = rasterise(&fields.plane, &fields.outlines(), domain);
    let number = |&id: &u32| if id == NONE { -1.0 } else { id as f32 };
    let map = Heightmap::from_grid(*domain, ids.map(number));
    (ids, map)
}

/// The numbers of fields that are meant.
pub fn numbers<'a>(fields: &Fields, meant: impl Iterator<Item = &'a FieldAt>) -> Result<Vec<u32>, NodeError> {
    let meant: Vec<FieldAt> = meant.copied().collect();
    let places: Vec<(f64, f64)> = meant
        .iter()
        .filter_map(|field| match *field {
            FieldAt::Place(x, y) => Some((x, y)),
            FieldAt::Number(_) => None,
        })
        .collect();
    let mut found = locate(&fields.plane, &fields.sections, &places).into_iter();
    let count = fields.names.len();
    let number = |field: &FieldAt| match *field {
        FieldAt::Number(number) => ((number as usize) < count).then_some(number),
        FieldAt::Place(..) => found.next().flatten(),
    };
    let help = |field: &FieldAt| match field {
        FieldAt::Number(_) => {
            format!("there are {count}, counted from 0; Section's fields as .json list them")
        }
        FieldAt::Place(..) => {
            "write a place in a field; Section's fields as .json have one of each".to_owned()
        }
    };
    let numbers: Vec<Option<u32>> = meant.iter().map(number).collect();
    meant
        .iter()
        .zip(numbers)
        .map(|(field, number)| {
            number.ok_or_else(|| NodeError::failed(format!("there is no {field}"), help(field)))
        })
        .collect()
}

/// Refuses names of no description: neither of a field nor one that a field might have had.
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
            Err(NodeError::failed(format!("no description is called `{name}`"), help))
        }
        None => Ok(()),
    }
}
