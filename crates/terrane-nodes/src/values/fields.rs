//! Fields of a graph.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use terrane_flow::Data;
use terrane_grid::PlanarGraph;
use terrane_kernels::sectioning::{Sections, section};
use terrane_kernels::stitch::Outline;

use super::bytes::{Reader, invalid, write_text};
use super::{Graph, Map};

/// What the edges of a graph close in, what each field is called, and the terrain that goes with a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// The graph.
    pub plane: PlanarGraph,
    /// Its fields.
    pub sections: Sections,
    /// The description of each field; empty where it has none.
    pub names: Vec<String>,
    /// Terrain by description.
    pub terrains: BTreeMap<String, Arc<Map>>,
}

impl Fields {
    /// Fields without descriptions.
    #[must_use]
    pub fn new(plane: PlanarGraph, sections: Sections) -> Self {
        let names = vec![String::new(); sections.fields.len()];
        Self { plane, sections, names, terrains: BTreeMap::new() }
    }

    /// Where each field lies.
    #[must_use]
    pub fn outlines(&self) -> Vec<Outline> {
        let outline = |field: &terrane_kernels::sectioning::Field| Outline {
            rings: std::iter::once(&field.ring).chain(&field.holes).map(|ring| ring.nodes.clone()).collect(),
        };
        self.sections.fields.iter().map(outline).collect()
    }
}

impl Data for Fields {
    const KIND: &'static str = "fields";

    /// The fields themselves follow from the graph.
    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut part = Vec::new();
        Graph { plane: self.plane.clone(), ..Graph::default() }.encode(&mut part)?;
        write_part(out, &part)?;
        out.write_all(&(self.names.len() as u64).to_le_bytes())?;
        self.names.iter().try_for_each(|name| write_text(out, name))?;
        out.write_all(&(self.terrains.len() as u64).to_le_bytes())?;
        for (name, map) in &self.terrains {
            write_text(out, name)?;
            part.clear();
            map.encode(&mut part)?;
            write_part(out, &part)?;
        }
        Ok(())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let plane = Graph::decode(read_part(&mut reader)?)?.plane;
        let sections = section(&plane).map_err(|error| invalid(&error.to_string()))?;
        let count = reader.count(8)?;
        let names: Vec<String> = (0..count).map(|_| reader.text()).collect::<io::Result<_>>()?;
        let count = reader.count(16)?;
        let mut terrains = BTreeMap::new();
        for _ in 0..count {
            let name = reader.text()?;
            terrains.insert(name, Arc::new(Map::decode(read_part(&mut reader)?)?));
        }
        reader.end()?;
        match names.len() == sections.fields.len() {
            true => Ok(Self { plane, sections, names, terrains }),
            false => Err(invalid("fields and descriptions differ in count")),
        }
    }

    fn heap_bytes(&self) -> usize {
        let maps: usize = self.terrains.values().map(|map| map.heap_bytes()).sum();
        maps + self.plane.nodes.len() * 24 + self.plane.edges.len() * 48 + self.names.len() * 32
    }

    /// Per field its nodes, those of its holes, its description and its area.
    fn to_json(&self) -> Option<Json> {
        let field = |(field, name): (&terrane_kernels::sectioning::Field, &String)| {
            let holes: Vec<&Vec<u32>> = field.holes.iter().map(|hole| &hole.nodes).collect();
            json!({ "nodes": field.ring.nodes, "holes": holes, "description": name, "area": field.area(&self.plane) })
        };
        let fields: Vec<Json> = self.sections.fields.iter().zip(&self.names).map(field).collect();
        Some(
            json!({ "nodes": self.plane.nodes, "edges": self.plane.edges, "fields": fields, "dangling": self.sections.dangling }),
        )
    }
}

fn write_part(out: &mut dyn Write, part: &[u8]) -> io::Result<()> {
    out.write_all(&(part.len() as u64).to_le_bytes())?;
    out.write_all(part)
}

fn read_part<'a>(reader: &mut Reader<'a>) -> io::Result<&'a [u8]> {
    let count = reader.count(1)?;
    reader.take(count)
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, Heightmap};

    use super::*;

    #[test]
    fn every_bit_comes_back_and_anything_shorter_is_refused() {
        let plane = PlanarGraph {
            nodes: vec![(0.0, 0.0), (4.0, 0.0), (0.0, 3.0)],
            edges: vec![(0, 1), (1, 2), (2, 0)],
        };
        let sections = section(&plane).unwrap();
        let mut fields = Fields::new(plane, sections);
        fields.names[0] = "Lake".to_owned();
        let map = Map(Heightmap::constant(Domain::new(3, 2), -0.5));
        fields.terrains.insert("Lake".to_owned(), Arc::new(map));
        let mut bytes = Vec::new();
        fields.encode(&mut bytes).unwrap();
        assert_eq!(Fields::decode(&bytes).unwrap(), fields);
        assert!((0..bytes.len()).all(|length| Fields::decode(&bytes[..length]).is_err()));
    }
}
