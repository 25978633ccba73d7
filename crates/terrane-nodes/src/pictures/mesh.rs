//! Terrain as triangle meshes.

use terrane_flow::{Context, Data, Evaluate, Input, Node, NodeError, OptionalOneOf, Port, Sizes, Source};
use terrane_kernels::shade::{terrain_mesh, water_mesh};

use crate::values::{Map, MeshValue, Water};

/// Terrain as a triangle mesh, for OBJ and glTF files.
///
/// The y axis points up, and one unit of the mesh is one world unit. The surface of `water` is an object of
/// its own, named `water`, in glTF with a material. It reaches under the ground of the shore, so that ground
/// and water meet where the ground has the level. With a `stride`, the rim of a lake can lie between
/// vertices, and the surface slopes there.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "mesh": Mesh(height: "hills", stride: 2),
///     },
///     outputs: { "hills.glb": "mesh" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "3d model obj gltf glb triangles tin export stl geometry blender polygons print",
    tiles = Halo, version = 2, working_maps = 0.8, holes = Kept)]
#[output(mesh: MeshValue, doc = "Two triangles for every square of samples, with normals and texture \
    coordinates.")]
pub struct Mesh {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Water: its level, or a map of its depth.
    #[input(unit = "world units")]
    pub water: OptionalOneOf<Water>,
    /// Distance between neighbouring vertices.
    #[param(default = 1, min = 1, max = 65536, unit = "samples")]
    pub stride: u32,
    /// Factor that scales heights.
    #[param(default = 1.0)]
    pub exaggeration: f64,
}

impl Evaluate for Mesh {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, step, factor) = (self.height.get(), self.stride as usize, self.exaggeration as f32);
        let too_large = |error| NodeError::failed(error, "use a larger `stride`");
        let mut mesh = terrain_mesh(&height, step, factor).map_err(too_large)?;
        let (columns, rows) = height.domain().size;
        if mesh.triangles.is_empty() && columns.min(rows) < 2 {
            let message = format!("a map of {columns} x {rows} samples has no square, and so no triangle");
            return Err(NodeError::failed(message, "use a map of at least 2 x 2 samples"));
        }
        if cx.has_holes() && mesh.triangles.is_empty() {
            let message = "every square of samples has a hole at a corner, so the mesh has no triangle";
            return Err(NodeError::failed(
                message,
                "fill the holes with FillHoles, or use a smaller `stride`",
            ));
        }
        if let Some(water) = self.water.get() {
            water.warn_of_walls(cx, &height);
            let water = water_mesh(&height, &water.level(&height), step, factor).map_err(too_large)?;
            mesh.water = water.map(Box::new);
        }
        Ok((MeshValue(mesh),))
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        let kept = u64::from(self.stride) * u64::from(self.stride);
        // Water can cover all of the ground.
        let parts = if matches!(self.water.source(), Source::Unset) { 1 } else { 2 };
        (output == Self::MESH).then(|| parts * sizes.header.value_bytes(MeshValue::KIND) / kept)
    }
}
