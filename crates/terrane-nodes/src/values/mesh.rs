//! Triangle meshes.

use std::io::{self, Write};
use std::ops::Deref;
use std::path::Path;

use terrane_flow::Data;
use terrane_grid::Mesh;
use terrane_io::{IoError, Kind as FileKind, Stop, WriteOptions, Written, write_mesh_until};

use super::bytes::{Reader, invalid, write_f32s, write_u32s};
use super::capabilities::{Shown, TerrainData, extensions_of};

/// A triangle mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshValue(pub Mesh);

impl Deref for MeshValue {
    type Target = Mesh;

    fn deref(&self) -> &Mesh {
        &self.0
    }
}

impl Data for MeshValue {
    const KIND: &'static str = "mesh";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&(self.positions.len() as u64).to_le_bytes())?;
        out.write_all(&(self.triangles.len() as u64).to_le_bytes())?;
        write_f32s(out, self.positions.as_flattened())?;
        write_f32s(out, self.normals.as_flattened())?;
        write_f32s(out, self.uvs.as_flattened())?;
        write_u32s(out, self.triangles.as_flattened())?;
        out.write_all(&(self.water as u64).to_le_bytes())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let vertices = reader.count(32)?;
        let triangles = reader.count(12)?;
        let positions = reader.f32s(vertices * 3)?.as_chunks().0.to_vec();
        let normals = reader.f32s(vertices * 3)?.as_chunks().0.to_vec();
        let uvs = reader.f32s(vertices * 2)?.as_chunks().0.to_vec();
        let indices = reader.take(triangles * 12)?.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b));
        let indices: Vec<u32> = indices.collect();
        let water = reader.u64()?;
        reader.end()?;
        if water > triangles as u64 {
            return Err(invalid("a mesh has more triangles of water than triangles"));
        }
        if indices.iter().any(|&index| index as usize >= vertices) {
            return Err(invalid("a triangle refers to a vertex that does not exist"));
        }
        Ok(Self(Mesh {
            positions,
            normals,
            uvs,
            triangles: indices.as_chunks().0.to_vec(),
            water: water as usize,
        }))
    }

    fn heap_bytes(&self) -> usize {
        self.positions.len() * 32 + self.triangles.len() * 12
    }
}

impl TerrainData for MeshValue {
    const IN_PIECES: bool = true;
    const BYTES_A_SAMPLE: u64 = 56;

    fn extensions() -> Vec<&'static str> {
        extensions_of(FileKind::Mesh)
    }

    fn write(&self, path: &Path, _: &WriteOptions, stop: Stop<'_>) -> Result<Written, IoError> {
        write_mesh_until(path, self, stop)
    }

    fn facts(&self) -> serde_json::Value {
        let mut facts = serde_json::json!({
            "vertices": self.positions.len(), "triangles": self.triangles.len()
        });
        if self.water > 0 {
            facts["water"] = self.water.into();
        }
        facts
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Nothing
    }
}
