//! Graphs in the plane.

use std::io::{self, Write};

use serde::Serialize;
use terrane_flow::Data;
use terrane_grid::{PlanarGraph, Polyline};
use terrane_io::write_json;

use super::bytes::{Reader, invalid, write_f64s};
use super::capabilities::{Shown, TerrainData};

/// Nodes in the world, connected by straight edges, with attributes of nodes and edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Nodes and edges.
    pub plane: PlanarGraph,
    /// Maximum slope of each edge, or empty.
    pub slopes: Vec<f64>,
    /// Width of each edge, or empty.
    pub widths: Vec<f64>,
    /// Diameter of the disc around each node, or empty.
    pub node_widths: Vec<f64>,
    /// If this graph is a part of a larger graph: the number of each edge in the larger graph. Empty if edges
    /// are numbered from 0.
    pub numbers: Vec<u32>,
    /// Points on paths with a known height, as (x, y, height, maximum slope).
    pub anchors: Vec<(f64, f64, f64, f64)>,
    /// Heights of the patch's samples, row by row, from a world in which neighbouring patches meet. Empty
    /// outside of such a world.
    pub world_heights: Vec<f64>,
}

impl Graph {
    /// The number of an edge. If this graph is a part of a larger graph, the number in the larger graph.
    #[must_use]
    pub fn number(&self, edge: usize) -> usize {
        self.numbers.get(edge).map_or(edge, |&number| number as usize)
    }

    /// Translates the graph.
    pub fn shift(&mut self, (dx, dy): (f64, f64)) {
        self.plane.nodes.iter_mut().for_each(|(x, y)| (*x, *y) = (*x + dx, *y + dy));
        self.anchors.iter_mut().for_each(|(x, y, ..)| (*x, *y) = (*x + dx, *y + dy));
    }
}

/// Each edge as a line.
pub(super) fn edges_of(plane: &PlanarGraph) -> Vec<Polyline> {
    let line = |&(a, b): &(u32, u32)| Polyline {
        points: vec![plane.nodes[a as usize], plane.nodes[b as usize]],
        closed: false,
    };
    plane.edges.iter().map(line).collect()
}

impl TerrainData for Graph {
    const IN_PIECES: bool = true;

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json(out, &self.json())
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Lines(edges_of(&self.plane))
    }
}

impl Data for Graph {
    const KIND: &'static str = "graph";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        write_f64s(out, &self.plane.nodes.iter().flat_map(|&(x, y)| [x, y]).collect::<Vec<_>>())?;
        out.write_all(&(self.plane.edges.len() as u64).to_le_bytes())?;
        for &(a, b) in &self.plane.edges {
            out.write_all(&a.to_le_bytes())?;
            out.write_all(&b.to_le_bytes())?;
        }
        write_f64s(out, &self.slopes)?;
        write_f64s(out, &self.widths)?;
        write_f64s(out, &self.node_widths)?;
        out.write_all(&(self.numbers.len() as u64).to_le_bytes())?;
        self.numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
        write_f64s(
            out,
            &self.anchors.iter().flat_map(|&(x, y, height, slope)| [x, y, height, slope]).collect::<Vec<_>>(),
        )?;
        write_f64s(out, &self.world_heights)
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let numbers = reader.f64s()?;
        let (places, rest) = numbers.as_chunks::<2>();
        let nodes: Vec<(f64, f64)> = places.iter().map(|&[x, y]| (x, y)).collect();
        let count = reader.count(8)?;
        let ends = reader.take(count * 8)?.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b));
        let ends: Vec<u32> = ends.collect();
        let edges: Vec<(u32, u32)> = ends.as_chunks::<2>().0.iter().map(|&[a, b]| (a, b)).collect();
        let (slopes, widths, node_widths) = (reader.f64s()?, reader.f64s()?, reader.f64s()?);
        let count = reader.count(4)?;
        let numbers = reader.take(count * 4)?.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b));
        let numbers: Vec<u32> = numbers.collect();
        let places = reader.f64s()?;
        let (anchors, beyond) = places.as_chunks::<4>();
        let anchors = anchors.iter().map(|&[x, y, height, slope]| (x, y, height, slope)).collect();
        let world_heights = reader.f64s()?;
        reader.end()?;
        let known = edges.iter().all(|&(a, b)| (a.max(b) as usize) < nodes.len());
        let fits = |count: usize, all: usize| count == 0 || count == all;
        match rest.is_empty()
            && beyond.is_empty()
            && known
            && [slopes.len(), widths.len(), numbers.len()].into_iter().all(|count| fits(count, edges.len()))
            && fits(node_widths.len(), nodes.len())
        {
            true => {
                let plane = PlanarGraph { nodes, edges };
                Ok(Self { plane, slopes, widths, node_widths, numbers, anchors, world_heights })
            }
            false => Err(invalid("is not a graph")),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.plane.nodes.len() * 16
            + self.plane.edges.len() * 8
            + (self.slopes.len() + self.widths.len() + self.node_widths.len()) * 8
            + self.numbers.len() * 4
            + self.anchors.len() * 32
            + self.world_heights.len() * 8
    }

    fn to_json(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self.json()).ok()
    }
}

/// A graph as JSON. Attributes that few graphs have are left out if they are empty. The heights of a world
/// are always left out: there is one per sample, of no use to readers of the graph.
#[derive(Serialize)]
struct GraphJson<'a> {
    nodes: &'a [(f64, f64)],
    edges: &'a [(u32, u32)],
    slopes: &'a [f64],
    anchors: &'a [(f64, f64, f64, f64)],
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    widths: &'a [f64],
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    node_widths: &'a [f64],
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    numbers: &'a [u32],
}

impl Graph {
    fn json(&self) -> GraphJson<'_> {
        GraphJson {
            nodes: &self.plane.nodes,
            edges: &self.plane.edges,
            slopes: &self.slopes,
            anchors: &self.anchors,
            widths: &self.widths,
            node_widths: &self.node_widths,
            numbers: &self.numbers,
        }
    }
}
