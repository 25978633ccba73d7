//! Graphs in the plane.

use std::io::{self, Write};

use terrane_flow::Data;
use terrane_grid::PlanarGraph;

use super::bytes::{Reader, invalid, write_f64s};

/// Nodes of the world, joined by straight edges, with numbers about each edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Nodes and edges.
    pub plane: PlanarGraph,
    /// Greatest slopes of edges, where they have their own: as many as edges, or none.
    pub slopes: Vec<f64>,
    /// Places on paths whose height is known, as (x, y, height, greatest slope there).
    pub anchors: Vec<(f64, f64, f64, f64)>,
}

impl Graph {
    /// Moves all of it.
    pub fn shift(&mut self, (dx, dy): (f64, f64)) {
        self.plane.nodes.iter_mut().for_each(|(x, y)| (*x, *y) = (*x + dx, *y + dy));
        self.anchors.iter_mut().for_each(|(x, y, ..)| (*x, *y) = (*x + dx, *y + dy));
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
        write_f64s(
            out,
            &self.anchors.iter().flat_map(|&(x, y, height, slope)| [x, y, height, slope]).collect::<Vec<_>>(),
        )
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
        let slopes = reader.f64s()?;
        let numbers = reader.f64s()?;
        let (anchors, beyond) = numbers.as_chunks::<4>();
        let anchors = anchors.iter().map(|&[x, y, height, slope]| (x, y, height, slope)).collect();
        reader.end()?;
        let known = edges.iter().all(|&(a, b)| (a.max(b) as usize) < nodes.len());
        match rest.is_empty()
            && beyond.is_empty()
            && known
            && (slopes.is_empty() || slopes.len() == edges.len())
        {
            true => Ok(Self { plane: PlanarGraph { nodes, edges }, slopes, anchors }),
            false => Err(invalid("is no graph")),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.plane.nodes.len() * 16
            + self.plane.edges.len() * 8
            + self.slopes.len() * 8
            + self.anchors.len() * 32
    }

    fn to_json(&self) -> Option<serde_json::Value> {
        let Self { plane: PlanarGraph { nodes, edges }, slopes, anchors } = self;
        Some(serde_json::json!({ "nodes": nodes, "edges": edges, "slopes": slopes, "anchors": anchors }))
    }
}
