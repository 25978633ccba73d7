//! Where single fields are.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError};
use terrane_grid::Heightmap;

use super::support::{check_names, ids, numbers};
use crate::support::domain;
use crate::values::{FieldAt, Fields, Map};

/// 1 in some fields, 0 elsewhere: those of some numbers or places, or of some descriptions.
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
///             descriptions: [("Lake", Noise(amplitude: 5)), ("Land", Noise(amplitude: 30, offset: 10, weight: 2))],
///         ),
///         "lakes": FieldMask(fields: "fields", described: ["Lake"]),
///     },
///     outputs: { "lakes.png": "lakes" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields", tiles = Pointwise, paper = "Mijailovic, section 3.7", working_maps = 1.0)]
#[output(mask: Map, doc = "1 in these fields, 0 elsewhere.")]
pub struct FieldMask {
    /// The fields.
    #[input]
    pub fields: Input<Fields>,
    /// Numbers of fields, which shift where the graph is edited, or places (x, y) in them, which do not.
    #[param(default = Vec::new())]
    pub numbers: Vec<FieldAt>,
    /// Names of descriptions.
    #[param(default = Vec::new())]
    pub described: Vec<String>,
}

impl Evaluate for FieldMask {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (fields, domain) = (self.fields.get(), domain(cx));
        let meant = numbers(&fields, self.numbers.iter())?;
        check_names(&fields, &self.described)?;
        let mut within: Vec<bool> = fields.names.iter().map(|name| self.described.contains(name)).collect();
        meant.into_iter().for_each(|field| within[field as usize] = true);
        let mask = |&id: &u32| f32::from(u8::from(within.get(id as usize).copied().unwrap_or(false)));
        Ok((Map(Heightmap::from_grid(domain, ids(&fields, &domain).0.map(mask))),))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.numbers.is_empty() && self.described.is_empty() {
            return Err(Invalid {
                field: "numbers",
                message: "no field is asked for".to_owned(),
                help: "write numbers: [0], numbers: [(120, 80)], or described: [\"Lake\"]".to_owned(),
            });
        }
        Ok(())
    }
}
