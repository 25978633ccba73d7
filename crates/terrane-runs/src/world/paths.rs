//! The paths of a world, and the part of them that a patch needs.

use terrane_flow::{Described, Diagnostic, Diagnostics, Engine, Loaded};
use terrane_grid::{PlanarGraph, Tiling};
use terrane_nodes::Terrain;
use terrane_nodes::paths::PathGraph;
use terrane_paths::path::{self, Frame, MOST_ANCHORS, Place, Plane, WorldError};

use super::anchor_heights::AnchorHeights;
use super::derived_location::derived_location;
use super::description::World;
use super::patch_error::PatchError;
use super::patch_template::PatchTemplate;
use super::rules::Rules;

/// The paths of a world over the ground of its patches.
pub struct Paths {
    pub template: PatchTemplate,
    described: Described<World>,
    plane: Plane,
    anchor_heights: AnchorHeights,
}

impl Paths {
    /// Builds the paths from a world's file and the graph of its patches.
    ///
    /// # Errors
    /// Fails with every conflict between the file and the graph.
    pub fn new(described: Described<World>, graph: Loaded) -> Result<Self, Diagnostics> {
        let world = &described.value;
        let fault = |message: String, help: &str| described.error("patch", message, help);
        let rules = Rules::of(&graph).map_err(|problem| fault(problem.message, &problem.help))?;
        let tiling = tiling(&described, &graph)?;
        let plane = PlanarGraph { nodes: world.nodes.clone(), edges: world.edges.clone() };
        let slope_of = |edge: usize| world.slopes.get(edge).copied().unwrap_or(rules.max_slope);
        let anchors = path::anchors(&plane, slope_of, &tiling, 2.0 * rules.reach)
            .map_err(|error| limit_error(&described, error))?;
        let stations =
            path::stations(&plane, tiling.spacing).map_err(|error| limit_error(&described, error))?;
        if let Some((edge, &(a, b))) =
            plane.edges.iter().enumerate().find(|(_, (a, b))| stations[*a as usize] == stations[*b as usize])
        {
            let message = format!("both ends of edge {edge}, nodes {a} and {b}, are at the same sample");
            return Err(described.error("edges", message, "remove the edge, or move its nodes apart").into());
        }
        let template = PatchTemplate { graph, tiling, rules };
        let anchor_heights = AnchorHeights::new(anchors, &template);
        Ok(Self { plane: Plane::new(plane, stations), template, described, anchor_heights })
    }

    /// The graph at the position of a patch, with the relevant paths and the heights on its borders.
    pub fn with_paths(&self, patch: (i64, i64), world_heights: Vec<f64>) -> Result<Loaded, PatchError> {
        let frame = self.template.around(patch, self.template.rules.reach);
        let world = &self.described.value;
        let (plane, from) = self.plane.concerning(frame);
        let slopes = match world.slopes.as_slice() {
            [] => Vec::new(),
            slopes => from.iter().map(|&edge| slopes[edge]).collect(),
        };
        let node = PathGraph {
            nodes: plane.nodes,
            edges: plane.edges,
            slopes,
            numbers: from.iter().map(|&edge| edge as u32).collect(),
            world_heights,
            cut: false,
            ..PathGraph::default()
        };
        let mut loaded = self.template.at(patch);
        let internal = |problems: Diagnostics| PatchError {
            message: format!("the paths of patch {patch:?} do not fit its graph: {}", problems.render(false)),
            help: "this is a defect in Terrane: please report it with the world".to_owned(),
        };
        loaded.replace(&self.template.rules.paths, Box::new(node)).map_err(internal)?;
        if let Some(paths) = loaded.graph.nodes.get_mut(&self.template.rules.paths) {
            paths.location = derived_location(paths.location.as_ref(), paths.node());
        }
        Ok(loaded)
    }

    /// The anchors in a frame, and their heights.
    pub fn heights_in(&self, engine: &Engine, frame: Frame) -> Result<Vec<(Place, f64)>, PatchError> {
        self.anchor_heights.heights_in(&self.template, engine, frame, self.described.value.heights)
    }
}

/// The division of a world into patches.
pub fn tiling(described: &Described<World>, graph: &Loaded) -> Result<Tiling, Diagnostics> {
    let header = Terrain::of(&*graph.graph.header);
    header.and_then(|terrain| Tiling::new(&terrain.domain)).ok_or_else(|| {
        let message = "a patch of one column or row has no neighbours".to_owned();
        described.error("patch", message, "give it a size of at least (2, 2)").into()
    })
}

fn limit_error(described: &Described<World>, error: WorldError) -> Diagnostic {
    match error {
        WorldError::TooFar { node } => described.error(
            "nodes",
            format!("node {node} at {:?} is too far from the origin", described.value.nodes[node]),
            "move it closer, or use a larger spacing",
        ),
        WorldError::TooMany => described.error(
            "edges",
            format!("paths cross more than {MOST_ANCHORS} borders of patches"),
            "use larger patches or shorter paths",
        ),
    }
}
