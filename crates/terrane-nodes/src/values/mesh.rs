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
        encode(self, out)?;
        let water = self.water.as_deref();
        out.write_all(&[u8::from(water.is_some())])?;
        water.map_or(Ok(()), |water| encode(water, out))
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let mut mesh = decode(&mut reader)?;
        if reader.take(1)? == [1] {
            mesh.water = Some(Box::new(decode(&mut reader)?));
        }
        reader.end()?;
        Ok(Self(mesh))
    }

    fn heap_bytes(&self) -> usize {
        let of = |mesh: &Mesh| mesh.positions.len() * 32 + mesh.triangles.len() * 12;
        of(self) + self.water.as_deref().map_or(0, of)
    }
}

/// Writes a mesh without its water.
fn encode(mesh: &Mesh, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&(mesh.positions.len() as u64).to_le_bytes())?;
    out.write_all(&(mesh.triangles.len() as u64).to_le_bytes())?;
    write_f32s(out, mesh.positions.as_flattened())?;
    write_f32s(out, mesh.normals.as_flattened())?;
    write_f32s(out, mesh.uvs.as_flattened())?;
    write_u32s(out, mesh.triangles.as_flattened())
}

/// Reads a mesh without its water.
fn decode(reader: &mut Reader<'_>) -> io::Result<Mesh> {
    let vertices = reader.count(32)?;
    let triangles = reader.count(12)?;
    let positions = reader.f32s(vertices * 3)?.as_chunks().0.to_vec();
    let normals = reader.f32s(vertices * 3)?.as_chunks().0.to_vec();
    let uvs = reader.f32s(vertices * 2)?.as_chunks().0.to_vec();
    let indices = reader.take(triangles * 12)?.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b));
    let indices: Vec<u32> = indices.collect();
    if indices.iter().any(|&index| index as usize >= vertices) {
        return Err(invalid("a triangle refers to a vertex that does not exist"));
    }
    Ok(Mesh { positions, normals, uvs, triangles: indices.as_chunks().0.to_vec(), water: None })
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
        if let Some(water) = &self.water {
            facts["water"] = serde_json::json!({
                "vertices": water.positions.len(), "triangles": water.triangles.len()
            });
        }
        facts
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_restores_every_bit_and_rejects_truncated_bytes() {
        let part = |height: f32| Mesh {
            positions: vec![[0.0, height, 0.0], [1.0, height, 0.0], [0.0, height, 1.0]],
            normals: vec![[0.0, 1.0, 0.0]; 3],
            uvs: vec![[0.0, 0.5]; 3],
            triangles: vec![[0, 2, 1]],
            water: None,
        };
        for water in [None, Some(Box::new(part(2.0)))] {
            let mesh = MeshValue(Mesh { water, ..part(1.0) });
            let mut bytes = Vec::new();
            mesh.encode(&mut bytes).unwrap();
            assert_eq!(MeshValue::decode(&bytes).unwrap(), mesh);
            assert!((0..bytes.len()).all(|length| MeshValue::decode(&bytes[..length]).is_err()));
        }
    }
}
