//! Heights of the ground at the anchors of a world, before paths reshape the ground.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use terrane_flow::{
    Engine, Graph, GraphNode, Keep, Loaded, Nodes, Plan, Port, Reference, Source, Value, Wanted, lock,
};
use terrane_nodes::Terrain;
use terrane_nodes::values::Table;
use terrane_paths::path::Place;

use super::heights_at::HeightsAt;
use super::patch_error::PatchError;
use super::patch_template::PatchTemplate;
use super::rules::upstream;

/// The ground heights at anchors. Several patches are evaluated together as one piece of ground. Of each
/// piece, only the heights at its anchors are kept.
pub struct AnchorGround {
    /// The pieces of ground that contain anchors.
    pieces: Vec<Piece>,
    /// For each anchor, the index of its piece.
    piece_of: Vec<u32>,
    /// The height at each anchor; `None` until its piece is evaluated.
    known: Mutex<Vec<Option<f32>>>,
}

/// The ground of several patches.
struct Piece {
    /// The first and the last patch.
    patches: ((i64, i64), (i64, i64)),
    /// The anchors in the piece. `samples` has their columns and rows.
    anchors: Vec<u32>,
    samples: Vec<(u32, u32)>,
}

/// The maximum number of samples along a side of a piece, unless a single patch has more.
const SIDE: i64 = 512;

/// The maximum number of nodes in one evaluation of several pieces.
const NODES: usize = 4096;

impl AnchorGround {
    pub fn new(template: &PatchTemplate, anchors: &[Place]) -> Self {
        let tiling = &template.tiling;
        // If the ground depends on the size of its map, each patch is a separate piece.
        let max = if template.rules.is_ground_of_any_size { SIDE } else { 0 };
        let count = |samples: usize| (max / (samples as i64 - 1)).max(1);
        let (columns, rows) = (count(tiling.size.0), count(tiling.size.1));
        let mut numbers: HashMap<(i64, i64), u32> = HashMap::new();
        let mut pieces: Vec<Piece> = Vec::new();
        let piece_of = anchors.iter().zip(0..).map(|(&place, anchor)| {
            let (i, j) = tiling.patch_of(place);
            let at = (i.div_euclid(columns), j.div_euclid(rows));
            let low = (at.0 * columns, at.1 * rows);
            let number = *numbers.entry(at).or_insert_with(|| {
                let patches = (low, (low.0 + columns - 1, low.1 + rows - 1));
                pieces.push(Piece { patches, anchors: Vec::new(), samples: Vec::new() });
                pieces.len() as u32 - 1
            });
            let first = tiling.first_of(low);
            let piece = &mut pieces[number as usize];
            piece.anchors.push(anchor);
            piece.samples.push(((place.0 - first.0) as u32, (place.1 - first.1) as u32));
            number
        });
        let piece_of = piece_of.collect();
        Self { pieces, piece_of, known: Mutex::new(vec![None; anchors.len()]) }
    }

    /// The ground heights at some anchors.
    pub fn heights(
        &self,
        template: &PatchTemplate,
        engine: &Engine,
        places: &[Place],
        wanted: &[u32],
    ) -> Result<Vec<f32>, PatchError> {
        let mut missing: Vec<u32> = {
            let known = lock(&self.known);
            let unknown = wanted.iter().filter(|&&at| known[at as usize].is_none());
            unknown.map(|&at| self.piece_of[at as usize]).collect()
        };
        missing.sort_unstable();
        missing.dedup();
        let ground = Upstream::of(template);
        // Two threads may evaluate the same piece at once. Both find the same heights.
        for some in missing.chunks((NODES / (ground.nodes.len() + 1)).max(1)) {
            let pieces: Vec<&Piece> = some.iter().map(|&piece| &self.pieces[piece as usize]).collect();
            let found = ground.heights(engine, &pieces)?;
            let mut known = lock(&self.known);
            for (piece, heights) in pieces.iter().zip(found) {
                for (&anchor, height) in piece.anchors.iter().zip(heights) {
                    known[anchor as usize] = Some(height);
                }
            }
        }
        let known = lock(&self.known);
        let height = |&at: &u32| match (known[at as usize], places[at as usize]) {
            (Some(height), _) if height.is_finite() => Ok(height),
            (Some(_), place) => Err(PatchError {
                message: format!("the ground at sample {place:?} is not a number"),
                help: "fill gaps in the ground along the paths".to_owned(),
            }),
            (None, place) => Err(PatchError {
                message: format!("the ground at sample {place:?} is unknown"),
                help: "this is a defect in Terrane: please report it with the world".to_owned(),
            }),
        };
        wanted.iter().map(height).collect()
    }
}

/// The nodes upstream of the ground.
struct Upstream<'a> {
    template: &'a PatchTemplate,
    nodes: Vec<(&'a String, &'a GraphNode)>,
}

impl<'a> Upstream<'a> {
    fn of(template: &'a PatchTemplate) -> Self {
        let nodes = &template.graph.graph.nodes;
        let upstream = upstream(&template.graph, &template.rules.ground);
        Self { template, nodes: upstream.filter_map(|(name, _)| nodes.get_key_value(&name)).collect() }
    }

    /// The ground heights at the anchors of several pieces. One graph contains all pieces, so that all
    /// threads are used.
    fn heights(&self, engine: &Engine, pieces: &[&Piece]) -> Result<Vec<Vec<f32>>, PatchError> {
        let PatchTemplate { graph: Loaded { graph, .. }, tiling, rules, .. } = self.template;
        let mut all = Graph { nodes: Nodes::default(), outputs: Vec::new(), ..graph.clone() };
        let mut wanted = Vec::with_capacity(pieces.len());
        for (number, Piece { patches: (low, high), samples, .. }) in pieces.iter().enumerate() {
            let of_piece = |wire: &Reference| Reference {
                node: format!("{number}/{}", wire.node).into(),
                output: wire.output.clone(),
            };
            let header = Arc::new(Terrain::at(&*graph.header, tiling.domain_of(*low, *high)));
            for (name, node) in &self.nodes {
                let mut node = (*node).clone();
                for input in 0..node.node().spec().inputs.len() {
                    if let Source::Wire(wire) = node.node().port(input).source() {
                        let wire = of_piece(wire);
                        node.node_mut().port_mut(input).connect(Source::Wire(wire));
                    }
                }
                node.set_header(header.clone());
                // Only the heights at anchors are kept. The ground of a whole world would need too much
                // memory.
                node.keep = Some(Keep::Never);
                all.nodes.insert(format!("{number}/{name}"), node);
            }
            let mut heights = HeightsAt { samples: samples.clone(), ..HeightsAt::default() };
            heights.map.connect(Source::Wire(of_piece(&rules.ground)));
            // This name is unused: all others have a number before the slash.
            let name = format!("heights/{number}");
            all.nodes.insert(name.clone(), GraphNode::new(Box::new(heights), None));
            wanted.push(Wanted::from(Reference { node: name.into(), output: None }));
        }
        let internal = |why: String| PatchError {
            message: format!("the ground below paths cannot be evaluated: {why}"),
            help: "this is a defect in Terrane: please report it with the world".to_owned(),
        };
        let plan = Plan::new(&all).map_err(|problems| internal(problems.render(false)))?;
        let loaded = Arc::new(Loaded { graph: all, plan: Arc::new(plan) });
        let job = engine.start(&loaded, wanted).map_err(|problems| internal(problems.render(false)))?;
        let evaluation = job.wait();
        let heights = |(at, piece): (usize, &&Piece)| {
            let value = evaluation.outputs.get(at).and_then(|output| output.value.clone());
            let table = value.and_then(Value::downcast::<Table>);
            let found = table.as_ref().and_then(|table| table.column(HeightsAt::COLUMN));
            let found = found.map(|heights| heights.iter().map(|&height| height as f32).collect());
            found.ok_or_else(|| {
                let (i, j) = piece.patches.0;
                PatchError {
                    message: format!("the ground of patch {i},{j} cannot be evaluated"),
                    help: "evaluate it alone to see why: terrane eval PATCH.ron NODE -o height.tif"
                        .to_owned(),
                }
            })
        };
        pieces.iter().enumerate().map(heights).collect()
    }
}
