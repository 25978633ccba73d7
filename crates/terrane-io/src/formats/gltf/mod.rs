//! glTF 2.0 (Khronos Group, ISO/IEC 12113:2022): a triangle mesh and that of its water, as one binary file
//! (section 4.4) or as text with an embedded buffer. The buffer holds triangles, positions, normals and
//! texture coordinates, little-endian.

mod buffer;

use std::io;

use serde_json::{Value, json};
use terrane_grid::Mesh;

use crate::{
    Format, Problem,
    codec::{Codec, MeshWriter, Sink},
    error::Outcome,
    format::Description,
};
use buffer::Buffer;

impl Format {
    /// glTF 2.0 as text with an embedded buffer.
    pub const GLTF: Self = Self(&Description { name: "glTF", extensions: &["gltf"], ..Description::DEFAULT });

    /// glTF 2.0 as one binary file.
    pub const GLB: Self = Self(&Description { name: "GLB", extensions: &["glb"], ..Description::DEFAULT });
}

pub(super) static TEXT: Codec =
    Codec { mesh: Some(MeshWriter { check: |_| Ok(()), write: write_text }), ..Codec::new(Format::GLTF) };

pub(super) static BINARY: Codec =
    Codec { mesh: Some(MeshWriter { check: check_length, write: write_binary }), ..Codec::new(Format::GLB) };

const JSON_CHUNK: u32 = 0x4E4F_534A;
const BIN_CHUNK: u32 = 0x004E_4942;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// Checks that the length of a GLB fits into 32 bits.
fn check_length(mesh: &Mesh) -> Outcome<()> {
    // The header and the text need less than 4 KiB.
    if Buffer::new(mesh).length() + 4096 <= u64::from(u32::MAX) {
        return Ok(());
    }
    let (width, height) = (mesh.positions.len() as u64, 1);
    Err(Problem::TooLarge { width, height, limit: u64::from(u32::MAX) / 44 })
}

/// Writes a checked mesh as GLB.
fn write_binary(w: &mut dyn Sink, mesh: &Mesh) -> io::Result<()> {
    let mut text = serde_json::to_vec(&document(mesh, None))?;
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = |bytes: u64| {
        u32::try_from(bytes)
            .map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "a GLB has at most 4 GiB"))
    };
    let buffer = Buffer::new(mesh);
    w.write_all(b"glTF")?;
    for word in [2, length(28 + text.len() as u64 + buffer.length())?, length(text.len() as u64)?, JSON_CHUNK]
    {
        w.write_all(&word.to_le_bytes())?;
    }
    w.write_all(&text)?;
    for word in [length(buffer.length())?, BIN_CHUNK] {
        w.write_all(&word.to_le_bytes())?;
    }
    buffer.write(w)
}

/// Writes a checked mesh as glTF with the buffer in base 64. The buffer is streamed: it replaces a
/// placeholder in the document's text.
fn write_text(w: &mut dyn Sink, mesh: &Mesh) -> io::Result<()> {
    const PLACEHOLDER: &str = "@buffer@";
    let text = serde_json::to_string_pretty(&document(mesh, Some(PLACEHOLDER)))?;
    let (before, after) = text.split_once(PLACEHOLDER).unwrap_or((&text, ""));
    write!(w, "{before}data:application/octet-stream;base64,")?;
    Buffer::new(mesh).write_base64(w)?;
    writeln!(w, "{after}")
}

/// The colour of water in linear light, and its opacity.
const WATER: [f32; 4] = [0.02, 0.09, 0.16, 0.8];

/// The views and accessors of a document.
#[derive(Default)]
struct Layout {
    views: Vec<Value>,
    accessors: Vec<Value>,
    offset: u64,
}

impl Layout {
    /// Adds the next words of the buffer, and returns the number of their accessor.
    fn add(&mut self, count: usize, words: usize, component: u32, kind: &str, target: u32) -> usize {
        let length = 4 * (count * words) as u64;
        let (view, offset) = (self.views.len(), self.offset);
        self.views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": length, "target": target}));
        // Indices are counted individually, everything else per vertex.
        let count = if component == UNSIGNED_INT { count * words } else { count };
        self.accessors
            .push(json!({"bufferView": view, "componentType": component, "count": count, "type": kind}));
        self.offset += length;
        view
    }

    /// Adds a mesh without its water, and returns it as JSON.
    fn mesh(&mut self, mesh: &Mesh, name: &str, material: usize) -> Value {
        let indices = self.add(mesh.triangles.len(), 3, UNSIGNED_INT, "SCALAR", ELEMENT_ARRAY_BUFFER);
        let mut attributes = serde_json::Map::new();
        let positions = self.add(mesh.positions.len(), 3, FLOAT, "VEC3", ARRAY_BUFFER);
        attributes.insert("POSITION".into(), positions.into());
        if !mesh.normals.is_empty() {
            let normals = self.add(mesh.normals.len(), 3, FLOAT, "VEC3", ARRAY_BUFFER);
            attributes.insert("NORMAL".into(), normals.into());
        }
        if !mesh.uvs.is_empty() {
            let uvs = self.add(mesh.uvs.len(), 2, FLOAT, "VEC2", ARRAY_BUFFER);
            attributes.insert("TEXCOORD_0".into(), uvs.into());
        }
        let (low, high) = bounds(&mesh.positions);
        self.accessors[positions]["min"] = json!(low);
        self.accessors[positions]["max"] = json!(high);
        json!({"name": name, "primitives": [
            {"attributes": attributes, "indices": indices, "material": material, "mode": 4}
        ]})
    }
}

/// The document of a mesh. Water is a node with a mesh and a material of its own.
fn document(mesh: &Mesh, uri: Option<&str>) -> Value {
    let mut layout = Layout::default();
    let mut meshes = vec![layout.mesh(mesh, "terrain", 0)];
    let mut materials = vec![json!({
        "name": "ground", "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 1.0}
    })];
    if let Some(water) = &mesh.water {
        meshes.push(layout.mesh(water, "water", 1));
        materials.push(json!({
            "name": "water", "alphaMode": "BLEND", "doubleSided": true,
            "pbrMetallicRoughness":
                {"baseColorFactor": WATER, "metallicFactor": 0.0, "roughnessFactor": 0.05}
        }));
    }
    let nodes = (0..meshes.len()).map(|at| json!({"mesh": at, "name": meshes[at]["name"]}));
    let nodes: Vec<Value> = nodes.collect();
    let mut buffer = json!({"byteLength": Buffer::new(mesh).length()});
    if let Some(uri) = uri {
        buffer["uri"] = uri.into();
    }
    json!({
        "asset": {"version": "2.0", "generator": "Terrane"},
        "scene": 0,
        "scenes": [{"nodes": (0..nodes.len()).collect::<Vec<_>>()}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": materials,
        "buffers": [buffer],
        "bufferViews": layout.views,
        "accessors": layout.accessors,
    })
}

fn bounds(positions: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let start = positions.first().copied().unwrap_or_default();
    positions.iter().fold((start, start), |(low, high), p| {
        (std::array::from_fn(|i| low[i].min(p[i])), std::array::from_fn(|i| high[i].max(p[i])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::tests::square;
    use base64::{Engine, engine::general_purpose::STANDARD};
    use std::io::Cursor;

    fn word(bytes: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    }

    /// The data of an accessor, read as a client would.
    fn accessor(document: &Value, buffer: &[u8], index: &Value) -> (String, Vec<u32>) {
        let accessor = &document["accessors"][index.as_u64().unwrap() as usize];
        let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let (start, length) = (view["byteOffset"].as_u64().unwrap(), view["byteLength"].as_u64().unwrap());
        let kind = accessor["type"].as_str().unwrap();
        let words = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            _ => 3,
        };
        assert_eq!(length, accessor["count"].as_u64().unwrap() * words * 4);
        let bytes = &buffer[start as usize..(start + length) as usize];
        (kind.into(), bytes.chunks(4).map(|b| word(b, 0)).collect())
    }

    fn check(document: &Value, buffer: &[u8], mesh: &Mesh) {
        assert_eq!(document["asset"]["version"], "2.0");
        assert_eq!(document["buffers"][0]["byteLength"].as_u64().unwrap(), buffer.len() as u64);
        let primitive = &document["meshes"][0]["primitives"][0];
        let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        let (kind, indices) = accessor(document, buffer, &primitive["indices"]);
        assert_eq!((kind.as_str(), &indices[..]), ("SCALAR", mesh.triangles.as_flattened()));
        let attributes = &primitive["attributes"];
        assert_eq!(
            accessor(document, buffer, &attributes["POSITION"]).1,
            bits(mesh.positions.as_flattened())
        );
        assert_eq!(accessor(document, buffer, &attributes["NORMAL"]).1, bits(mesh.normals.as_flattened()));
        assert_eq!(accessor(document, buffer, &attributes["TEXCOORD_0"]).1, bits(mesh.uvs.as_flattened()));
        let positions = &document["accessors"][attributes["POSITION"].as_u64().unwrap() as usize];
        assert_eq!(positions["min"][1].as_f64().unwrap() as f32, -1e-9);
        assert_eq!(positions["max"], json!([1.0, 0.25, 2.0]));
    }

    #[test]
    fn a_glb_has_the_mesh() {
        let mut bytes = Cursor::new(Vec::new());
        write_binary(&mut bytes, &square()).unwrap();
        let bytes = bytes.into_inner();
        assert_eq!((&bytes[..4], word(&bytes, 4), word(&bytes, 8) as usize), (&b"glTF"[..], 2, bytes.len()));
        let text = word(&bytes, 12) as usize;
        assert_eq!((text % 4, word(&bytes, 16)), (0, JSON_CHUNK));
        let document: Value = serde_json::from_slice(&bytes[20..20 + text]).unwrap();
        assert_eq!(
            (word(&bytes, 20 + text) as usize, word(&bytes, 24 + text)),
            (bytes.len() - 28 - text, BIN_CHUNK)
        );
        check(&document, &bytes[28 + text..], &square());
    }

    #[test]
    fn a_gltf_has_the_mesh() {
        let mut bytes = Cursor::new(Vec::new());
        write_text(&mut bytes, &square()).unwrap();
        let bytes = bytes.into_inner();
        let document: Value = serde_json::from_slice(&bytes).unwrap();
        let uri = document["buffers"][0]["uri"].as_str().unwrap();
        let letters = uri.strip_prefix("data:application/octet-stream;base64,").unwrap();
        let buffer = STANDARD.decode(letters).unwrap();
        check(&document, &buffer, &square());
        let mut bare = square();
        (bare.normals, bare.uvs) = (vec![], vec![]);
        let attributes = &document_of(&bare)["meshes"][0]["primitives"][0]["attributes"];
        assert_eq!(attributes, &json!({"POSITION": 1}));
    }

    #[test]
    fn water_is_a_node_of_its_own() {
        let mesh = Mesh { water: Some(Box::new(square())), ..square() };
        let mut bytes = Cursor::new(Vec::new());
        write_binary(&mut bytes, &mesh).unwrap();
        let bytes = bytes.into_inner();
        let text = word(&bytes, 12) as usize;
        let document: Value = serde_json::from_slice(&bytes[20..20 + text]).unwrap();
        assert_eq!(document["nodes"], json!([{"mesh": 0, "name": "terrain"}, {"mesh": 1, "name": "water"}]));
        let buffer = &bytes[28 + text..];
        let of = |mesh: usize| {
            let primitive = &document["meshes"][mesh]["primitives"][0];
            let positions = accessor(&document, buffer, &primitive["attributes"]["POSITION"]);
            (accessor(&document, buffer, &primitive["indices"]), positions)
        };
        assert_eq!(of(0), of(1));
        assert_eq!(document["materials"][1]["name"], "water");
    }

    fn document_of(mesh: &Mesh) -> Value {
        document(mesh, None)
    }
}
