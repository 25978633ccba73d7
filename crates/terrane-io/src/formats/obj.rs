//! Wavefront OBJ: text, vertices counted from 1.

use std::io;

use terrane_grid::Mesh;

use crate::{
    Format,
    codec::{Codec, MeshWriter, Sink},
    format::Description,
};

impl Format {
    /// Wavefront OBJ.
    pub const OBJ: Self = Self(&Description { name: "OBJ", extensions: &["obj"], ..Description::DEFAULT });
}

pub(super) static CODEC: Codec =
    Codec { mesh: Some(MeshWriter { check: |_| Ok(()), write }), ..Codec::new(Format::OBJ) };

/// Writes a checked mesh. Numbers are the shortest that give the same f32 back.
fn write(w: &mut dyn Sink, mesh: &Mesh) -> io::Result<()> {
    writeln!(w, "o terrain")?;
    for [x, y, z] in &mesh.positions {
        writeln!(w, "v {x} {y} {z}")?;
    }
    for [u, v] in &mesh.uvs {
        writeln!(w, "vt {u} {}", 1.0 - v)?;
    }
    for [x, y, z] in &mesh.normals {
        writeln!(w, "vn {x} {y} {z}")?;
    }
    let (uvs, normals) = (!mesh.uvs.is_empty(), !mesh.normals.is_empty());
    for triangle in &mesh.triangles {
        write!(w, "f")?;
        for &index in triangle {
            let i = u64::from(index) + 1;
            match (uvs, normals) {
                (true, true) => write!(w, " {i}/{i}/{i}")?,
                (true, false) => write!(w, " {i}/{i}")?,
                (false, true) => write!(w, " {i}//{i}")?,
                (false, false) => write!(w, " {i}")?,
            }
        }
        writeln!(w)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::tests::square;
    use std::io::Cursor;

    fn text(mesh: &Mesh) -> String {
        let mut bytes = Cursor::new(Vec::new());
        write(&mut bytes, mesh).unwrap();
        String::from_utf8(bytes.into_inner()).unwrap()
    }

    fn reals(text: &str, word: &str) -> Vec<Vec<f32>> {
        let lines = text.lines().filter_map(|l| l.strip_prefix(word)?.strip_prefix(' '));
        lines.map(|l| l.split(' ').map(|n| n.parse().unwrap()).collect()).collect()
    }

    #[test]
    fn an_independent_reading_gives_the_mesh_back() {
        let mesh = square();
        let text = text(&mesh);
        let positions: Vec<Vec<f32>> = mesh.positions.iter().map(|p| p.to_vec()).collect();
        assert_eq!(reals(&text, "v"), positions);
        assert_eq!(reals(&text, "vn"), vec![vec![0.0, 1.0, 0.0]; 4]);
        assert_eq!(reals(&text, "vt")[0], [0.0, 1.0]);
        let faces: Vec<_> = text.lines().filter(|l| l.starts_with("f ")).collect();
        assert_eq!(faces, ["f 1/1/1 3/3/3 2/2/2", "f 2/2/2 3/3/3 4/4/4"]);
    }

    #[test]
    fn parts_may_be_left_out() {
        let mut mesh = square();
        mesh.uvs.clear();
        assert!(text(&mesh).contains("f 1//1 3//3 2//2\n"));
        mesh.normals.clear();
        assert!(text(&mesh).contains("f 1 3 2\n"));
        mesh.uvs = vec![[0.0, 0.0]; 4];
        assert!(text(&mesh).contains("f 1/1 3/3 2/2\n"));
    }
}
