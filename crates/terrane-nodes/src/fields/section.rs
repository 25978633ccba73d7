//! Sectioning of planar graphs into fields.

use terrane_fields::sectioning::{Ring, SectionError, section};
use terrane_flow::{Context, Evaluate, Input, Node, NodeError, Sizes};
use terrane_grid::{PlanarGraph, Polyline};

use super::support::ids;
use crate::support::domain;
use crate::values::{Fields, Graph, Map, Paths, Table};

/// Finds the fields of a planar graph: the regions that its edges enclose.
///
/// The borders of fields are found by following every edge once on each side. At each node of the graph, the
/// border continues with the next edge around that node. Dead ends and bridges bound no field and are output
/// as `dangling`. A part of the graph can lie inside a field and not touch the field's border, or touch it
/// only at a node. Such a part is a hole in the field. Nodes in the middle of a straight border are kept.
/// Positions are compared exactly, without rounding errors, so edges that nearly touch are never treated as
/// touching.
///
/// Fields are numbered from left to right, by the position of the leftmost node of each field's border. Of
/// several leftmost nodes, the one with the smallest y counts. So the numbers do not depend on the order in
/// which the graph lists its nodes and edges. The numbers can change when the graph is edited. Therefore
/// every parameter that takes the number of a field also takes a point (x, y) in the field. A .json file of
/// the fields contains such a point for each field.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 2.0, seed: 7,
///     nodes: {
///         "graph": VoronoiGraph(count: 24),
///         "fields": Section(graph: "graph"),
///         "ground": Perlin(wavelength: 90, amplitude: 40),
///         "relief": ColorRelief(height: "ground"),
///         "map": Overlay(picture: "relief", paths: "fields.edges", color: (200, 30, 30)),
///     },
///     outputs: { "fields.json": "fields", "map.png": "map", "edges.geojson": "fields.edges" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "regions fields zones faces areas enclosed polygons find biomes",
    tiles = Pointwise, paper = "Mijailovic, section 3.5", working_maps = 1.0, header)]
#[output(fields: Fields, doc = "The fields.")]
#[output(outer: Paths, doc = "The outer border of all fields together.")]
#[output(dangling: Paths, doc = "Dead ends and bridges, with the numbers of their edges.")]
#[output(edges: Paths, doc = "All edges, with their numbers.")]
#[output(field_ids: Map, lazy, doc = "For each sample, the number of its field, or -1 outside all fields. A \
    sample on an edge is in one field.")]
pub struct Section {
    /// The graph.
    #[input]
    pub graph: Input<Graph>,
}

impl Evaluate for Section {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let plane = self.graph.get().plane.clone();
        let sections = section(&plane).map_err(|error| {
            let help = match error {
                SectionError::Graph(_) => {
                    "edges may meet only at common nodes: EditGraph turns crossings \
                    into nodes"
                }
                SectionError::NoField => "add edges that form a closed loop",
            };
            NodeError::failed(error.to_string(), help)
        })?;
        let outer = sections.outer.iter().map(|ring| closed(&plane, ring)).collect();
        let dangling = lines(&plane, sections.dangling.iter().copied());
        let edges = lines(&plane, 0..plane.edges.len() as u32);
        let fields = Fields::new(plane, sections);
        let domain = domain(cx);
        let field_ids = match cx.asked(Self::FIELD_IDS) {
            true => ids(&fields, &domain).1,
            false => terrane_grid::Heightmap::from_vec(terrane_grid::Domain::new(0, 0), Vec::new()),
        };
        Ok((fields, Paths::new(outer, Table::default()), dangling, edges, Map(field_ids)))
    }

    /// Fields and lines take several times the memory of the graph, if that is known; the factors are
    /// measured.
    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        let graph = sizes.inputs.first().copied().unwrap_or(0);
        match output {
            Self::FIELDS => Some(graph.saturating_mul(8)),
            Self::EDGES => Some(graph.saturating_mul(6)),
            _ => None,
        }
    }

    /// Measured memory for the search of fields.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        sizes.inputs.first().copied().unwrap_or(0).saturating_mul(13)
    }
}

fn closed(plane: &PlanarGraph, ring: &Ring) -> Polyline {
    Polyline { points: ring.nodes.iter().map(|&node| plane.nodes[node as usize]).collect(), closed: true }
}

/// Edges as lines, with their numbers.
fn lines(plane: &PlanarGraph, edges: impl Iterator<Item = u32>) -> Paths {
    let (numbers, lines): (Vec<f64>, Vec<Polyline>) = edges
        .filter_map(|edge| {
            let (a, b) = plane.ends(edge as usize)?;
            Some((f64::from(edge), Polyline { points: vec![a, b], closed: false }))
        })
        .unzip();
    Paths::new(lines, Table::new(vec![("edge", numbers)]))
}
