//! Writing meshes.

use std::path::Path;

use terrane_grid::Mesh;

use crate::{IoError, Kind, Problem, Stop, Written, error::Outcome, stop::Until, write_atomic};

/// Writes a mesh as OBJ, glTF or GLB, according to the extension. It writes atomically, and the bytes depend
/// only on the mesh.
///
/// Positions and normals are written as they are (y up, units as given). Normals and texture coordinates are
/// optional. OBJ counts texture coordinates from the bottom, so its v is 1 − v.
///
/// # Errors
/// [`Problem::UnknownExtension`] and [`Problem::WrongKind`] by the extension; [`Problem::Nothing`] without
/// triangles; [`Problem::BadMesh`] if the number of normals or texture coordinates differs from that of
/// positions, or if a triangle names a vertex that does not exist; [`Problem::NotFinite`];
/// [`Problem::TooLarge`] for a GLB of more than 4 GiB; [`Problem::Write`].
pub fn write_mesh(path: &Path, mesh: &Mesh) -> Result<Written, IoError> {
    write_mesh_until(path, mesh, &|| false)
}

/// Like [`write_mesh`], until `stop` returns true.
///
/// # Errors
/// As [`write_mesh`], and [`Problem::Write`] if writing was stopped. The file is then as before.
pub fn write_mesh_until(path: &Path, mesh: &Mesh, stop: Stop<'_>) -> Result<Written, IoError> {
    let (_, writer) = Kind::Mesh.writer(path, |codec| codec.mesh)?;
    check(mesh).and_then(|()| (writer.check)(mesh)).map_err(|problem| problem.at(path))?;
    write_atomic(path, false, |w| (writer.write)(&mut Until::new(w, stop), mesh))
}

fn check(mesh: &Mesh) -> Outcome<()> {
    let bad = |detail: String| Err(Problem::BadMesh { detail });
    let vertices = mesh.positions.len();
    if mesh.triangles.is_empty() || vertices == 0 {
        return Err(Problem::Nothing { detail: "the mesh has no triangles" });
    }
    for (count, what) in [(mesh.normals.len(), "normals"), (mesh.uvs.len(), "texture coordinates")] {
        if count != 0 && count != vertices {
            return bad(format!("{count} {what} for {vertices} vertices"));
        }
    }
    if let Some(index) = mesh.triangles.as_flattened().iter().find(|&&i| i as usize >= vertices) {
        return bad(format!("a triangle names vertex {index} of {vertices}"));
    }
    let count = [mesh.positions.as_flattened(), mesh.normals.as_flattened(), mesh.uvs.as_flattened()]
        .iter()
        .flat_map(|values| values.iter())
        .filter(|v| !v.is_finite())
        .count();
    if count > 0 {
        return Err(Problem::NotFinite { count });
    }
    mesh.water.as_deref().map_or(Ok(()), check)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Two triangles over a square, lifted at one corner.
    pub(crate) fn square() -> Mesh {
        Mesh {
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.25, 0.0], [0.0, -1e-9, 2.0], [1.0, 0.1, 2.0]],
            normals: vec![[0.0, 1.0, 0.0]; 4],
            uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]],
            triangles: vec![[0, 2, 1], [1, 2, 3]],
            water: None,
        }
    }

    /// Uneven ground with the given number of vertices, and two triangles between every four neighbouring
    /// vertices.
    pub(crate) fn ground(width: usize, height: usize) -> Mesh {
        let mut mesh = Mesh::default();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let h = (x * x * 7 + y * 13) as f32 / 97.0;
            mesh.positions.push([x as f32, h, y as f32]);
            mesh.normals.push([h.fract(), 1.0, 0.5]);
            mesh.uvs.push([x as f32 / width as f32, y as f32 / height as f32]);
            if x + 1 < width && y + 1 < height {
                let at = (y * width + x) as u32;
                let below = at + width as u32;
                mesh.triangles.extend([[at, below, at + 1], [at + 1, below, below + 1]]);
            }
        }
        mesh
    }

    #[test]
    fn an_invalid_mesh_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, change: &dyn Fn(&mut Mesh)| {
            let mut mesh = square();
            change(&mut mesh);
            write_mesh(&folder.path().join(name), &mesh).unwrap_err().problem
        };
        assert!(matches!(write("a.png", &|_| {}), Problem::WrongKind { .. }));
        assert!(matches!(write("a.stl", &|_| {}), Problem::UnknownExtension { .. }));
        assert!(matches!(write("a.obj", &|m| m.triangles.clear()), Problem::Nothing { .. }));
        assert!(matches!(write("a.glb", &|m| m.triangles[1][0] = 4), Problem::BadMesh { .. }));
        assert!(matches!(write("a.glb", &|m| m.uvs.truncate(3)), Problem::BadMesh { .. }));
        assert!(matches!(
            write("a.gltf", &|m| m.positions[2][1] = f32::NAN),
            Problem::NotFinite { count: 1 }
        ));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn writing_again_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.obj", "a.gltf", "a.glb"] {
            let path = folder.path().join(name);
            assert_eq!(write_mesh(&path, &square()).unwrap(), Written::Created);
            assert_eq!(write_mesh(&path, &square()).unwrap(), Written::Unchanged);
        }
    }
}
