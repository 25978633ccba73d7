//! Masks of fields.

use terrane_fields::sectioning::{Line, faded};
use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError};

use super::support::{check_names, ids, numbers};
use crate::support::{Report, cancelled, domain};
use crate::values::{FieldAt, Fields, Map};

/// A mask that is 1 in selected fields and 0 elsewhere.
///
/// Fields are selected by number, by a point in them, or by description. With `fade`, the mask falls smoothly
/// from 1 to 0 across the borders of the selected fields. So an effect that the mask controls fades out
/// there. The mask stays 1 across a border between two selected fields.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "graph": VoronoiGraph(count: 24),
///         "empty": Section(graph: "graph"),
///         "fields": AssignTerrain(
///             fields: "empty",
///             descriptions: [
///                 ("Lake", Noise(amplitude: 5)),
///                 ("Land", Noise(amplitude: 30, offset: 10, weight: 2)),
///             ],
///         ),
///         "lakes": FieldMask(fields: "fields", described: ["Lake"]),
///     },
///     outputs: { "lakes.png": "lakes" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "mask region area zone biome select",
    tiles = Pointwise, paper = "Mijailovic, section 3.7", working_maps = 2.0, header)]
#[output(mask: Map, doc = "1 in the selected fields, 0 elsewhere.")]
pub struct FieldMask {
    /// The fields.
    #[input]
    pub fields: Input<Fields>,
    /// Fields to select, as numbers or as points (x, y) in them. Numbers can change when the graph is edited;
    /// points stay valid.
    #[param(default = Vec::new())]
    pub numbers: Vec<FieldAt>,
    /// Descriptions of the fields to select.
    #[param(default = Vec::new())]
    pub described: Vec<String>,
    /// Distance on each side of the border over which the mask falls from 1 to 0.
    #[param(default = 0.0, min = 0.0, unit = "world units")]
    pub fade: f64,
}

impl Evaluate for FieldMask {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (fields, domain) = (self.fields.get(), domain(cx));
        let selected = numbers(&fields, self.numbers.iter())?;
        check_names(&fields, &self.described)?;
        let mut within: Vec<bool> = fields.names.iter().map(|name| self.described.contains(name)).collect();
        selected.into_iter().for_each(|field| within[field as usize] = true);
        let inside = |field: Option<u32>| field.is_some_and(|field| within[field as usize]);
        let inside_of = |&id: &u32| within.get(id as usize).copied().unwrap_or(false);
        let edges = fields.plane.edges.iter().zip(&fields.sections.sides);
        let border = edges.filter(|(_, [left, right])| inside(*left) != inside(*right));
        let node = |node: u32| fields.plane.nodes[node as usize];
        let lines: Vec<Line> = border.map(|(&(a, b), _)| (node(a), node(b))).collect();
        let within = ids(&fields, &domain).0.map(inside_of);
        let mask = faded(&within, &lines, self.fade, &domain, &Report(cx)).map_err(cancelled)?;
        Ok((Map(mask),))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.numbers.is_empty() && self.described.is_empty() {
            return Err(Invalid {
                field: "numbers",
                message: "no field is selected".to_owned(),
                help: "write numbers: [0], numbers: [(120, 80)], or described: [\"Lake\"]".to_owned(),
            });
        }
        Ok(())
    }
}
