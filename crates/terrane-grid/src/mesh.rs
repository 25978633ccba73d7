//! Triangles in world coordinates.

/// An indexed triangle mesh. The y axis points up, as in glTF: a sample's world (x, y) becomes (x, height,
/// y).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions of the vertices.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, one per vertex.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates in [0, 1], one pair per vertex; (0, 0) is the map's first sample.
    pub uvs: Vec<[f32; 2]>,
    /// The three vertices of each triangle, counter-clockwise when seen from above.
    pub triangles: Vec<[u32; 3]>,
    /// The surface of water, which has no water itself.
    pub water: Option<Box<Self>>,
}
