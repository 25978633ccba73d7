//! Fields of a graph.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value as Json;
use terrane_fields::sectioning::{Sections, place_in, section};
use terrane_fields::stitch::Outline;
use terrane_flow::{Data, read_value};
use terrane_grid::{Domain, PlanarGraph, Seed};
use terrane_io::write_json;

use super::bytes::{Reader, invalid, write_text};
use super::capabilities::{Shown, TerrainData};
use super::graph::edges_of;
use super::text::List;
use super::{Description, Graph, Map};

/// The fields that the edges of a graph enclose, their descriptions, and the terrain of each description.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// The graph.
    pub plane: PlanarGraph,
    /// Its fields.
    pub sections: Sections,
    /// The name of each field's description, or an empty text.
    pub names: Vec<String>,
    /// The level of detail of each field, or empty if all fields have full detail. Each level halves the
    /// resolution.
    pub levels: Vec<u32>,
    /// The terrain of each description.
    pub grounds: BTreeMap<String, Ground>,
    /// If the fields are populated, the map of each field, which covers a part of `domain`. Otherwise empty.
    pub maps: Vec<Arc<Map>>,
    /// If the fields are populated, the domain for which `maps` were generated.
    pub domain: Option<Domain>,
}

/// The terrain of a description.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    /// Parameters, and their seed, mixed with the seeds of the node and the graph.
    Described(Description, Seed),
    /// A map of the graph's domain.
    Map(Arc<Map>),
}

impl Fields {
    /// Creates fields without descriptions.
    #[must_use]
    pub fn new(plane: PlanarGraph, sections: Sections) -> Self {
        let names = vec![String::new(); sections.fields.len()];
        Self { plane, sections, names, ..Self::default() }
    }

    /// The outline of each field.
    #[must_use]
    pub fn outlines(&self) -> Vec<Outline> {
        let outline = |field: &terrane_fields::sectioning::Field| Outline {
            rings: std::iter::once(&field.ring).chain(&field.holes).map(|ring| ring.nodes.clone()).collect(),
        };
        self.sections.fields.iter().map(outline).collect()
    }
}

/// Fields as JSON.
struct AsJson<'a>(&'a Fields);

impl Serialize for AsJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Fields { plane, sections, names, .. } = self.0;
        let fields = List(|| {
            sections.fields.iter().zip(names).map(|(field, name)| FieldJson {
                nodes: &field.ring.nodes,
                holes: field.holes.iter().map(|hole| &*hole.nodes).collect(),
                description: name,
                area: field.area(plane),
                place: place_in(plane, field),
            })
        });
        let mut map = to.serialize_map(Some(4))?;
        map.serialize_entry("nodes", &plane.nodes)?;
        map.serialize_entry("edges", &plane.edges)?;
        map.serialize_entry("fields", &fields)?;
        map.serialize_entry("dangling", &sections.dangling)?;
        map.end()
    }
}

/// A field as JSON.
#[derive(serde::Serialize)]
struct FieldJson<'a, P: Serialize> {
    nodes: &'a [u32],
    holes: Vec<&'a [u32]>,
    description: &'a str,
    area: f64,
    place: P,
}

impl TerrainData for Fields {
    const IN_PIECES: bool = true;

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json(out, &AsJson(self))
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Lines(edges_of(&self.plane))
    }
}

impl Data for Fields {
    const KIND: &'static str = "fields";

    /// `sections` is not encoded, because it follows from the graph.
    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut part = Vec::new();
        Graph { plane: self.plane.clone(), ..Graph::default() }.encode(&mut part)?;
        write_part(out, &part)?;
        out.write_all(&(self.names.len() as u64).to_le_bytes())?;
        self.names.iter().try_for_each(|name| write_text(out, name))?;
        out.write_all(&(self.grounds.len() as u64).to_le_bytes())?;
        for (name, ground) in &self.grounds {
            write_text(out, name)?;
            ground.encode(out)?;
        }
        // The first bit says whether there are maps, the second whether there are levels.
        let parts = u64::from(self.domain.is_some()) | u64::from(!self.levels.is_empty()) << 1;
        out.write_all(&parts.to_le_bytes())?;
        if let Some(domain) = self.domain {
            write_domain(out, &domain)?;
            self.maps.iter().try_for_each(|map| write_map(out, map))?;
        }
        self.levels.iter().try_for_each(|level| out.write_all(&u64::from(*level).to_le_bytes()))
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let plane = Graph::decode(read_part(&mut reader)?)?.plane;
        let sections = section(&plane).map_err(|error| invalid(&error.to_string()))?;
        let count = reader.count(8)?;
        let names: Vec<String> = (0..count).map(|_| reader.text()).collect::<io::Result<_>>()?;
        let count = reader.count(16)?;
        let mut grounds = BTreeMap::new();
        for _ in 0..count {
            let name = reader.text()?;
            grounds.insert(name, Ground::decode(&mut reader)?);
        }
        if names.len() != sections.fields.len() {
            return Err(invalid("fields and descriptions differ in number"));
        }
        let (mut maps, mut domain) = (Vec::new(), None);
        let parts = reader.u64()?;
        if parts & 1 != 0 {
            domain = Some(read_domain(&mut reader)?);
            maps = names.iter().map(|_| read_map(&mut reader)).collect::<io::Result<_>>()?;
        }
        let count = if parts & 2 != 0 { names.len() } else { 0 };
        let level = |_| u32::try_from(reader.u64()?).map_err(|_| invalid("a level is too large"));
        let levels = (0..count).map(level).collect::<io::Result<_>>()?;
        reader.end()?;
        Ok(Self { plane, sections, names, levels, grounds, maps, domain })
    }

    fn heap_bytes(&self) -> usize {
        let given = self.grounds.values().filter_map(|ground| match ground {
            Ground::Map(map) => Some(map),
            Ground::Described(..) => None,
        });
        let maps: usize = given.chain(&self.maps).map(|map| map.heap_bytes()).sum();
        maps + self.plane.nodes.len() * 24 + self.plane.edges.len() * 48 + self.names.len() * 36
    }

    /// The graph, and for each field: its nodes, the nodes of its holes, its description, its area and a
    /// point in it.
    fn to_json(&self) -> Option<Json> {
        serde_json::to_value(AsJson(self)).ok()
    }
}

impl Ground {
    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Described(description, seed) => {
                out.write_all(&0u64.to_le_bytes())?;
                out.write_all(&seed.0.to_le_bytes())?;
                write_text(out, &terrane_flow::canonical(description))
            }
            Self::Map(map) => {
                out.write_all(&1u64.to_le_bytes())?;
                write_map(out, map)
            }
        }
    }

    fn decode(reader: &mut Reader<'_>) -> io::Result<Self> {
        if reader.u64()? != 0 {
            return Ok(Self::Map(read_map(reader)?));
        }
        let seed = Seed(reader.u64()?);
        let description =
            read_value(&reader.text()?).ok_or_else(|| invalid("has a description that cannot be read"))?;
        Ok(Self::Described(description, seed))
    }
}

fn write_domain(out: &mut dyn Write, domain: &Domain) -> io::Result<()> {
    let (width, height) = domain.size;
    [width, height].iter().try_for_each(|count| out.write_all(&(*count as u64).to_le_bytes()))?;
    let (x, y) = domain.origin;
    [domain.spacing, x, y].iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

fn read_domain(reader: &mut Reader<'_>) -> io::Result<Domain> {
    let size = [reader.u64()?, reader.u64()?];
    let [spacing, x, y] = [reader.f64()?, reader.f64()?, reader.f64()?];
    Ok(Domain::new(size[0] as usize, size[1] as usize).with_spacing(spacing).with_origin(x, y))
}

fn write_map(out: &mut dyn Write, map: &Map) -> io::Result<()> {
    let mut part = Vec::new();
    map.encode(&mut part)?;
    write_part(out, &part)
}

fn read_map(reader: &mut Reader<'_>) -> io::Result<Arc<Map>> {
    Ok(Arc::new(Map::decode(read_part(reader)?)?))
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
    use terrane_grid::Heightmap;

    use super::*;

    #[test]
    fn decoding_restores_every_bit_and_rejects_truncated_bytes() {
        let plane = PlanarGraph {
            nodes: vec![(0.0, 0.0), (4.0, 0.0), (0.0, 3.0)],
            edges: vec![(0, 1), (1, 2), (2, 0)],
        };
        let sections = section(&plane).unwrap();
        let mut fields = Fields::new(plane, sections);
        fields.names[0] = "Lake".to_owned();
        let map = Arc::new(Map(Heightmap::constant(Domain::new(3, 2), -0.5)));
        fields.grounds.insert("Lake".to_owned(), Ground::Map(Arc::clone(&map)));
        let noise = ron::from_str("Noise(amplitude: 0.1, wavelength: 285.7)").unwrap();
        fields.grounds.insert("Hills".to_owned(), Ground::Described(noise, Seed(u64::MAX)));
        fields.maps = vec![map];
        fields.domain = Some(Domain::new(7, 9).with_spacing(0.3).with_origin(-1.0, 2.0));
        for levels in [Vec::new(), vec![3]] {
            fields.levels = levels;
            for domain in [fields.domain, None] {
                let maps = if domain.is_some() { fields.maps.clone() } else { Vec::new() };
                let fields = Fields { domain, maps, ..fields.clone() };
                let mut bytes = Vec::new();
                fields.encode(&mut bytes).unwrap();
                assert_eq!(Fields::decode(&bytes).unwrap(), fields);
                assert!((0..bytes.len()).all(|length| Fields::decode(&bytes[..length]).is_err()));
            }
        }
    }
}
