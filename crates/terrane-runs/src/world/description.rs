//! What a world's file says.

use terrane_flow::{Declare, FilePath, Invalid};
use terrane_grid::PlanarGraph;
use terrane_kernels::path::check_graph;

/// A world of patches: the graph that every patch is made with, and paths over the plane where there are any.
///
/// The plane is cut into patches of the size of that graph; patch (0, 0) stands where the graph itself does.
/// Neighbours share the samples of their border. So that these have one place, places are whole numbers of
/// spacings, and spacings have the digits of single precision: 7.3 is 7.300000190734863, and an `origin` of
/// 10 is 0 or 16 where samples are 16 apart. A note tells where patches stand otherwise than the graph.
/// Patches lie within 2^29 samples of the origin.
///
/// **Without paths** any patch is a part of one terrain, to the bit: its graph is evaluated over as many
/// samples around it as its nodes look at, and rasters are cut. A node that depends on the whole map is an
/// error, with its reason; what is no raster, such as lines, tables and meshes, is made of the patch's own
/// samples.
///
/// **With paths**, or with a `SubdividePath` that has `Shared` borders, patches have no samples around them.
/// The `PathGraph` that it reads is replaced by the paths of the world; the ground that it reads must depend
/// on the place alone: all nodes upstream are pointwise. `terrane check` names the nodes that may differ at
/// borders.
///
/// Where paths cross borders their heights are found first, along all paths: as near to the ground's as
/// slopes allow, however far apart two crossings are. Then heights on all borders are those of one function
/// of the world, the ground's where it may stay, from which every bound on slopes can be met in every patch.
/// So patches can be made in any order, on any machine.
///
/// # Example
///
/// ```text
/// World(patch: "hills.ron")
///
/// World(
///     patch: "patch.ron",
///     nodes: [(20, 30), (200, 90), (310, 300)],
///     edges: [(0, 1), (1, 2)],
/// )
/// ```
#[derive(Clone, Debug, Declare)]
#[node(category = "files", tiles = Pointwise, paper = "Velzel, section 1.1 (Figure 2) and 6.1")]
pub struct World {
    /// The graph of a patch.
    #[param()]
    pub patch: FilePath,
    /// Places as (x, y).
    #[param(default = Vec::new(), unit = "world units")]
    pub nodes: Vec<(f64, f64)>,
    /// Pairs of nodes, counted from 0.
    #[param(default = Vec::new())]
    pub edges: Vec<(u32, u32)>,
    /// Greatest slopes of the edges, in their order, where they have their own.
    #[param(default = Vec::new(), above = 0.0, unit = "rise over run")]
    pub slopes: Vec<f64>,
    /// A GeoJSON file of lines in place of `nodes` and `edges`, relative to the world's: points that are the
    /// same are one node, and a property `slope` of a line is that of its edges.
    #[param(default = None)]
    pub file: Option<FilePath>,
    /// The lowest and the highest ground that paths follow: heights of crossings are kept within, and depend
    /// on no ground that is farther away than slopes need to lead from the one to the other.
    #[param(default = (0.0, 1.0), unit = "world units")]
    pub heights: (f64, f64),
}

impl World {
    /// What is wrong with the fields together.
    ///
    /// # Errors
    /// An [`Invalid`] that is drawn at the field.
    pub fn check(&self) -> Result<(), Invalid> {
        let invalid =
            |field, message: String, help: &str| Err(Invalid { field, message, help: help.to_owned() });
        if self.file.is_some() && !(self.nodes.is_empty() && self.edges.is_empty() && self.slopes.is_empty())
        {
            return invalid(
                "file",
                "there are two graphs: a file, and nodes and edges".to_owned(),
                "leave out `file`, or `nodes`, `edges` and `slopes`",
            );
        }
        let plane = PlanarGraph { nodes: self.nodes.clone(), edges: self.edges.clone() };
        if let Err(error) = check_graph(&plane) {
            let help = "nodes and edges are counted from 0; edges meet at common ends only";
            return invalid("edges", error.to_string(), help);
        }
        if !self.slopes.is_empty() && self.slopes.len() != self.edges.len() {
            let message = format!("there are {} slopes for {} edges", self.slopes.len(), self.edges.len());
            return invalid("slopes", message, "give each edge one, or none any");
        }
        let (low, high) = self.heights;
        if low >= high {
            return invalid(
                "heights",
                format!("({low}, {high}) is no range"),
                "write heights: (lowest, highest)",
            );
        }
        Ok(())
    }
}
