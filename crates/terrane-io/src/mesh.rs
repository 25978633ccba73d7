//! Meshes: Wavefront OBJ, and glTF 2.0 as text or binary.

use std::io;

use serde_json::json;
use terrane_grid::Mesh;

use crate::atomic::WriteSeek;

pub fn encode_obj(out: &mut dyn WriteSeek, mesh: &Mesh) -> io::Result<()> {
    writeln!(out, "# Terrane: {} vertices, {} triangles, y up", mesh.positions.len(), mesh.triangles.len())?;
    for [x, y, z] in &mesh.positions {
        writeln!(out, "v {x} {y} {z}")?;
    }
    for [u, v] in &mesh.uvs {
        // OBJ counts v from the bottom.
        writeln!(out, "vt {u} {}", 1.0 - v)?;
    }
    for [x, y, z] in &mesh.normals {
        writeln!(out, "vn {x} {y} {z}")?;
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|i| u64::from(i) + 1);
        writeln!(out, "f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}")?;
    }
    Ok(())
}

/// Everything binary, in one buffer: positions, normals, texture coordinates, indices.
fn buffer(mesh: &Mesh) -> Vec<u8> {
    let floats = mesh.positions.iter().chain(&mesh.normals).flatten().chain(mesh.uvs.iter().flatten());
    let mut bytes: Vec<u8> = floats.flat_map(|f| f.to_le_bytes()).collect();
    bytes.extend(mesh.triangles.iter().flatten().flat_map(|i| i.to_le_bytes()));
    bytes
}

fn document(mesh: &Mesh, uri: Option<String>) -> serde_json::Value {
    let (vertices, indices) = (mesh.positions.len(), mesh.triangles.len() * 3);
    let bound = |pick: fn(f32, f32) -> f32, start: f32| {
        mesh.positions.iter().fold([start; 3], |bound, p| std::array::from_fn(|i| pick(bound[i], p[i])))
    };
    let lengths = [vertices * 12, vertices * 12, vertices * 8, indices * 4];
    let mut offset = 0;
    let views: Vec<_> = lengths.iter().enumerate().map(|(i, &length)| {
        let view = json!({
            "buffer": 0, "byteOffset": offset, "byteLength": length, "target": if i == 3 { 34963 } else { 34962 }
        });
        offset += length;
        view
    }).collect();
    let mut buffer = json!({ "byteLength": offset });
    if let Some(uri) = uri {
        buffer["uri"] = uri.into();
    }
    json!({
        "asset": { "version": "2.0", "generator": "Terrane" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0, "name": "terrain" }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2 }, "indices": 3, "material": 0
        }] }],
        "materials": [{ "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 1.0 } }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": vertices, "type": "VEC3",
              "min": bound(f32::min, f32::MAX), "max": bound(f32::max, f32::MIN) },
            { "bufferView": 1, "componentType": 5126, "count": vertices, "type": "VEC3" },
            { "bufferView": 2, "componentType": 5126, "count": vertices, "type": "VEC2" },
            { "bufferView": 3, "componentType": 5125, "count": indices, "type": "SCALAR" },
        ],
        "bufferViews": views,
        "buffers": [buffer],
    })
}

pub fn encode_gltf(out: &mut dyn WriteSeek, mesh: &Mesh) -> io::Result<()> {
    let uri = format!("data:application/octet-stream;base64,{}", base64(&buffer(mesh)));
    serde_json::to_writer(out, &document(mesh, Some(uri))).map_err(io::Error::other)
}

pub fn encode_glb(out: &mut dyn WriteSeek, mesh: &Mesh) -> io::Result<()> {
    let mut text = serde_json::to_vec(&document(mesh, None)).map_err(io::Error::other)?;
    text.resize(text.len().next_multiple_of(4), b' ');
    let buffer = buffer(mesh);
    let total = 12 + 8 + text.len() + 8 + buffer.len();
    let length = |n: usize| {
        u32::try_from(n).map_err(|_| io::Error::other("a .glb file ends at 4 GiB: take a larger step"))
    };
    out.write_all(b"glTF")?;
    out.write_all(&2u32.to_le_bytes())?;
    out.write_all(&length(total)?.to_le_bytes())?;
    for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &buffer)] {
        out.write_all(&length(chunk.len())?.to_le_bytes())?;
        out.write_all(kind)?;
        out.write_all(chunk)?;
    }
    Ok(())
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().enumerate().fold(0u32, |word, (i, &byte)| word | u32::from(byte) << (16 - 8 * i));
        for i in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * i)) as usize & 63] as char;
            text.push(if i <= chunk.len() { digit } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_by_the_standard() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
