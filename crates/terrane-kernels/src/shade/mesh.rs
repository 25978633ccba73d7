//! Terrain as triangle meshes.

use std::collections::HashMap;

use terrane_grid::{Heightmap, Mesh};

use crate::parallel::{for_each, slices};

/// The error for a mesh that would need more vertices than 32-bit indices can address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The number of vertices that the mesh would have.
    pub vertices: u64,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a mesh of {} vertices is too large", self.vertices)
    }
}

impl std::error::Error for TooLarge {}

/// Rows of a task.
const ROWS_PER_TASK: usize = 16;

/// A mesh with two triangles for every square of samples `step` apart.
///
/// The last column and row are always included. Normals come from the heights, by central differences.
/// Samples that are not finite make holes. y is up. O(samples / step²).
///
/// # Errors
/// [`TooLarge`] beyond 2³² − 1 vertices.
pub fn terrain_mesh(map: &Heightmap, step: usize, exaggeration: f32) -> Result<Mesh, TooLarge> {
    let (columns, rows) = (lines(map.width(), step), lines(map.height(), step));
    let vertices = columns.len() as u64 * rows.len() as u64;
    if vertices > u64::from(u32::MAX) {
        return Err(TooLarge { vertices });
    }
    let (across, vertices) = (columns.len(), vertices as usize);
    let mut mesh = Mesh {
        positions: vec![[0.0; 3]; vertices],
        normals: vec![[0.0; 3]; vertices],
        uvs: vec![[0.0; 2]; vertices],
        triangles: Vec::new(),
        water: None,
    };
    let domain = map.domain();
    let parts = (slices(&mut mesh.positions, across.max(1)), slices(&mut mesh.normals, across.max(1)));
    for_each(
        (parts, slices(&mut mesh.uvs, across.max(1))),
        ROWS_PER_TASK,
        |at, ((positions, normals), uvs)| {
            let row = rows[at];
            for (at, &column) in columns.iter().enumerate() {
                let height = map[(column, row)];
                let height = if height.is_finite() { height } else { 0.0 };
                positions[at] = [domain.x(column) as f32, height * exaggeration, domain.y(row) as f32];
                normals[at] = normal(map, column, row, exaggeration);
                uvs[at] = uv(map, column, row);
            }
        },
    );
    mesh.triangles = triangles(map, &columns, &rows);
    Ok(mesh)
}

/// The surface of water with this level over a terrain, for the mesh of the terrain with the same `step` and
/// `exaggeration`; `None` if all is dry.
///
/// It has two triangles for each square with a wet corner. Its vertices have the level of the water there. A
/// dry corner has the highest level of the square's wet corners or, if its ground is lower, the height of the
/// ground. So the shore is where the ground rises through the level. Normals point up.
///
/// # Errors
/// [`TooLarge`] beyond 2³² − 1 vertices.
///
/// # Panics
/// If the level has another size than the terrain.
pub fn water_mesh(
    map: &Heightmap,
    level: &Heightmap,
    step: usize,
    exaggeration: f32,
) -> Result<Option<Mesh>, TooLarge> {
    assert_eq!(level.domain().size, map.domain().size, "water of another size");
    let (columns, rows) = (lines(map.width(), step), lines(map.height(), step));
    let mut mesh = Mesh::default();
    // Two lakes can give a sample between them two levels.
    let mut vertices: HashMap<(usize, usize, u32), u32> = HashMap::new();
    for pair in rows.windows(2) {
        for across in columns.windows(2) {
            let corners =
                [(across[0], pair[0]), (across[1], pair[0]), (across[0], pair[1]), (across[1], pair[1])];
            let of = |map: &Heightmap| corners.map(|at| map[at]);
            let (ground, levels) = (of(map), of(level));
            let is_wet = |corner: usize| levels[corner] > ground[corner];
            let highest =
                (0..4).filter(|corner| is_wet(*corner)).map(|corner| levels[corner]).reduce(f32::max);
            let Some(highest) = highest.filter(|_| ground.iter().all(|height| height.is_finite())) else {
                continue;
            };
            let [a, b, c, d] = [0, 1, 2, 3].map(|corner: usize| {
                let (column, row) = corners[corner];
                let surface = if is_wet(corner) { levels[corner] } else { highest.min(ground[corner]) };
                *vertices.entry((column, row, surface.to_bits())).or_insert_with(|| {
                    let (x, y) = (map.domain().x(column), map.domain().y(row));
                    mesh.positions.push([x as f32, surface * exaggeration, y as f32]);
                    mesh.normals.push([0.0, 1.0, 0.0]);
                    mesh.uvs.push(uv(map, column, row));
                    (mesh.positions.len() - 1) as u32
                })
            });
            mesh.triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    let vertices = mesh.positions.len() as u64;
    if vertices > u64::from(u32::MAX) {
        return Err(TooLarge { vertices });
    }
    Ok((!mesh.triangles.is_empty()).then_some(mesh))
}

/// The texture coordinates of a sample.
fn uv(map: &Heightmap, column: usize, row: usize) -> [f32; 2] {
    let extent = (map.width().max(2) - 1, map.height().max(2) - 1);
    [column as f32 / extent.0 as f32, row as f32 / extent.1 as f32]
}

/// Two triangles for each square whose corners are finite, by rows.
fn triangles(map: &Heightmap, columns: &[usize], rows: &[usize]) -> Vec<[u32; 3]> {
    let (across, down) = (columns.len().saturating_sub(1), rows.len().saturating_sub(1));
    let mut triangles = vec![[0u32; 3]; 2 * across * down];
    let mut counts = vec![0usize; down];
    let parts = (slices(&mut triangles, (2 * across).max(1)), slices(&mut counts, 1));
    for_each(parts, ROWS_PER_TASK, |row, (triangles, count)| {
        let (above, below) = (map.grid().row(rows[row]), map.grid().row(rows[row + 1]));
        let finite = |column: usize| above[columns[column]].is_finite() && below[columns[column]].is_finite();
        for column in 0..across {
            if finite(column) && finite(column + 1) {
                let a = (row * columns.len() + column) as u32;
                let (b, c) = (a + 1, a + columns.len() as u32);
                triangles[count[0]] = [a, c, b];
                triangles[count[0] + 1] = [b, c, c + 1];
                count[0] += 2;
            }
        }
    });
    // Rows with holes are shorter: those after them move up.
    let mut end = 0;
    for (row, count) in counts.into_iter().enumerate() {
        let start = row * 2 * across;
        if start != end {
            triangles.copy_within(start..start + count, end);
        }
        end += count;
    }
    triangles.truncate(end);
    triangles
}

/// Every `step`-th of `count` samples, and the last.
fn lines(count: usize, step: usize) -> Vec<usize> {
    let mut lines: Vec<usize> = (0..count).step_by(step.max(1)).collect();
    if count > 0 && lines.last() != Some(&(count - 1)) {
        lines.push(count - 1);
    }
    lines
}

fn normal(map: &Heightmap, column: usize, row: usize, exaggeration: f32) -> [f32; 3] {
    let (left, right) = (column.saturating_sub(1), (column + 1).min(map.width() - 1));
    let (up, down) = (row.saturating_sub(1), (row + 1).min(map.height() - 1));
    let slope = |a: f32, b: f32, apart: usize| {
        let rise = (b - a) * exaggeration / (apart.max(1) as f32 * map.spacing() as f32);
        if rise.is_finite() { rise } else { 0.0 }
    };
    let dx = slope(map[(left, row)], map[(right, row)], right - left);
    let dz = slope(map[(column, up)], map[(column, down)], down - up);
    let length = (1.0 + dx * dx + dz * dz).sqrt();
    [-dx / length, 1.0 / length, -dz / length]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn counts_orientation_and_normals() {
        let map = Heightmap::from_fn(Domain::new(5, 4).with_spacing(2.0), |x, _| x as f32 * 2.0);
        let mesh = terrain_mesh(&map, 1, 1.0).unwrap();
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (20, 24));
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|i| mesh.positions[i as usize]);
            let (ab, ac) = ([b[0] - a[0], b[2] - a[2]], [c[0] - a[0], c[2] - a[2]]);
            assert!(ab[1] * ac[0] - ab[0] * ac[1] > 0.0, "counter-clockwise from above");
        }
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert!(
            mesh.normals
                .iter()
                .all(|n| (n[0] + half).abs() < 1e-6 && (n[1] - half).abs() < 1e-6 && n[2] == 0.0)
        );
    }

    proptest! {
        #[test]
        fn squares_without_holes_have_two_triangles_each(
            (w, h) in (0usize..40, 0usize..60), step in 1usize..5, every in 1usize..90,
        ) {
            let map = Heightmap::from_fn(Domain::new(w, h), |x, y| {
                if (x * 7919 + y * 104_729) % 1009 % (every + 1) == every { f32::NAN } else { (x + y) as f32 }
            });
            let mesh = terrain_mesh(&map, step, 1.0).unwrap();
            let (columns, rows) = (lines(w, step), lines(h, step));
            let mut expected = Vec::new();
            for row in 1..rows.len() {
                for column in 1..columns.len() {
                    let square = [(column - 1, row - 1), (column, row - 1), (column - 1, row), (column, row)];
                    if square.iter().all(|&(c, r)| map[(columns[c], rows[r])].is_finite()) {
                        let [a, b, c, d] = square.map(|(c, r)| (r * columns.len() + c) as u32);
                        expected.extend([[a, c, b], [b, c, d]]);
                    }
                }
            }
            prop_assert_eq!(mesh.triangles, expected);
            for (at, position) in mesh.positions.iter().enumerate() {
                let (column, row) = (columns[at % columns.len()], rows[at / columns.len()]);
                let height = map[(column, row)];
                let height = if height.is_finite() { height } else { 0.0 };
                prop_assert_eq!(*position, [column as f32, height, row as f32]);
            }
        }
    }

    #[test]
    fn water_meets_the_ground() {
        // Ground rises from 0 to 4; the level of 2.5 covers the first three columns.
        let map = Heightmap::from_fn(Domain::new(5, 2), |x, _| x as f32);
        let level = Heightmap::from_fn(map.domain(), |x, _| if x < 3 { 2.5 } else { f32::NAN });
        let mesh = water_mesh(&map, &level, 1, 2.0).unwrap().unwrap();
        // Level up to the dry corner, whose ground is above it.
        assert_eq!((mesh.positions.len(), mesh.triangles.len(), mesh.normals.len()), (8, 6, 8));
        assert!(mesh.positions.iter().all(|position| position[1] == 5.0));
        let dry = Heightmap::constant(map.domain(), -1.0);
        assert_eq!(water_mesh(&map, &dry, 1, 2.0).unwrap(), None);
        // Between two lakes, a rim belongs to both.
        let rim = Heightmap::from_fn(Domain::new(5, 2), |x, _| [1.0, 1.0, 9.0, 1.0, 1.0][x]);
        let two = Heightmap::from_fn(rim.domain(), |x, _| [8.0, 8.0, f32::NAN, 7.0, 7.0][x]);
        let lakes = water_mesh(&rim, &two, 1, 1.0).unwrap().unwrap();
        for triangle in &lakes.triangles {
            let [a, b, c] = triangle.map(|at| lakes.positions[at as usize][1]);
            assert!(a == b && b == c);
        }
    }

    #[test]
    fn steps_keep_the_border_and_holes_have_no_triangles() {
        let mut map = Heightmap::constant(Domain::new(6, 6), 1.0);
        assert_eq!(terrain_mesh(&map, 2, 1.0).unwrap().positions.len(), 16);
        map.grid_mut()[(2, 2)] = f32::NAN;
        assert_eq!(terrain_mesh(&map, 1, 1.0).unwrap().triangles.len(), 2 * (25 - 4));
    }
}
