//! The contents of a world's file.

use terrane_flow::{Declare, FilePath, Invalid};
use terrane_grid::PlanarGraph;
use terrane_paths::planar::check_graph;

/// A world of patches: the graph that computes every patch, and optionally paths over the plane.
///
/// The plane is divided into patches of the size of that graph. Patch (0, 0) is at the graph's own position.
/// Neighbours share the samples of their border. These samples have the same coordinates in both patches,
/// because coordinates are whole multiples of the spacing. An `origin` of 10 becomes 16, the nearest
/// multiple, if samples are 16 apart. The spacing has single precision: a spacing of 7.3 becomes
/// 7.300000190734863. If this moves the patches, a note reports it. Patches lie within 2^29 samples of the
/// origin.
///
/// **Without paths**, every patch is part of one terrain, bit for bit. A patch is evaluated with as many
/// samples around it as the nodes of its graph read. Its rasters are then cropped. A node that depends on the
/// whole map is an error, which states the reason. Outputs that are not rasters, such as lines, tables and
/// meshes, are computed from the patch's own samples.
///
/// **With paths**, or with a `SubdividePath` that has `Shared` borders, patches are evaluated without samples
/// around them. The paths of the world replace the `PathGraph` that the `SubdividePath` reads. The ground
/// that the `SubdividePath` reads must depend only on the position. All nodes upstream of this ground must
/// therefore be pointwise. `terrane check` names nodes that may differ at borders.
///
/// First, the heights at which paths cross borders are found. They are limited to the range `heights`. This
/// range must cover the ground that paths follow. The default, (0, 1), is therefore too small for a world in
/// metres. Within the range, each height is as close to the ground as possible, while every path between two
/// crossings, however far apart, can keep its maximum slope. One height function over the whole world then
/// gives the heights on all borders. It equals the ground wherever the bounds on slopes permit. With these
/// heights on the borders, every bound on slopes can be met in every patch. Patches can therefore be computed
/// in any order, by several machines.
///
/// # Example
///
/// ```text
/// World(patch: "hills.ron")
///
/// World(
///     patch: "patch.ron",
///     heights: (0, 24), // the range of the ground in `patch.ron`
///     nodes: [(20, 30), (200, 90), (310, 300)],
///     edges: [(0, 1), (1, 2)],
/// )
/// ```
#[derive(Clone, Debug, Declare)]
#[node(category = "files",
    words = "infinite endless unbounded tiles patches large streaming chunks planet",
    tiles = Pointwise, paper = "Velzel, section 1.1 (Figure 2) and 6.1")]
pub struct World {
    /// The graph of a patch.
    #[param()]
    pub patch: FilePath,
    /// Positions of the nodes of paths, as (x, y).
    #[param(default = Vec::new(), unit = "world units")]
    pub nodes: Vec<(f64, f64)>,
    /// Pairs of nodes that a path connects, counted from 0.
    #[param(default = Vec::new())]
    pub edges: Vec<(u32, u32)>,
    /// The maximum slope of each edge, in the order of the edges. Default: the `max_slope` of the graph's
    /// `SubdividePath`, for every edge.
    #[param(default = Vec::new(), above = 0.0, unit = "rise over run")]
    pub slopes: Vec<f64>,
    /// A GeoJSON file of lines, instead of `nodes` and `edges`. The path is relative to the world's file. Its
    /// coordinates are those in which the graph of the patches writes lines. Equal points become one node. A
    /// line's property `slope` is the maximum slope of its edges.
    #[param(default = None)]
    pub file: Option<FilePath>,
    /// The minimum and maximum height of paths at borders of patches. Where a path crosses a border, its
    /// height is limited to this range. Set `heights` to the lowest and highest ground that paths follow. A
    /// wide range makes a crossing depend on more ground: on all ground within the distance that a path needs
    /// to rise from the minimum to the maximum.
    #[param(default = (0.0, 1.0), unit = "world units")]
    pub heights: (f64, f64),
}

impl World {
    /// Checks the fields together.
    ///
    /// # Errors
    /// Fails with an [`Invalid`] that points at the field.
    pub fn check(&self) -> Result<(), Invalid> {
        let invalid =
            |field, message: String, help: &str| Err(Invalid { field, message, help: help.to_owned() });
        if self.file.is_some() && !(self.nodes.is_empty() && self.edges.is_empty() && self.slopes.is_empty())
        {
            return invalid(
                "file",
                "`file` and `nodes` or `edges` are both given".to_owned(),
                "remove `file`, or `nodes`, `edges` and `slopes`",
            );
        }
        let plane = PlanarGraph { nodes: self.nodes.clone(), edges: self.edges.clone() };
        if let Err(error) = check_graph(&plane) {
            let help = "nodes and edges are counted from 0; edges meet only at common ends";
            return invalid("edges", error.to_string(), help);
        }
        if !self.slopes.is_empty() && self.slopes.len() != self.edges.len() {
            let message = format!("there are {} slopes for {} edges", self.slopes.len(), self.edges.len());
            return invalid("slopes", message, "give one for each edge, or none at all");
        }
        let (low, high) = self.heights;
        if low >= high {
            return invalid(
                "heights",
                format!("({low}, {high}) is not a range"),
                "write heights: (lowest, highest)",
            );
        }
        Ok(())
    }
}
