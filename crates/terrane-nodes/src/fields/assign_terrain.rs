//! Assignment of descriptions to fields.

use std::collections::BTreeMap;

use terrane_fields::sectioning::{Assign, assign, identities};
use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Sizes};
use terrane_grid::{Domain, Heightmap};

use super::support::{ids, numbers};
use crate::support::{domain, seed};
use crate::values::{Description, FieldAt, Fields, Ground, Map, Table};

/// Assigns a terrain description to each field: manually, or at random according to weights and adjacency
/// rules.
///
/// A description has a name and the parameters of noise or of midpoint displacement. Alternatively, it is
/// `Map()`, and a `DescribeTerrain` node sets its terrain. The weight of a description is its relative
/// frequency. Descriptions with the weight 0 are only assigned manually.
///
/// A rule lists the descriptions that a description may touch. Two descriptions may touch if the rules of
/// both allow it. A description without a rule allows every description. A description with a rule may touch
/// itself only if its own list contains it. If the node finds no assignment that satisfies the rules, it
/// fails and names a field.
///
/// The random choice for a field depends on the position of the field's centre. So if all descriptions with a
/// weight may touch each other, an edit of the graph affects only the fields whose borders it changes.
///
/// If rules keep descriptions apart, fields of the same description form clusters. The counts of fields match
/// the weights as far as the rules allow. With such rules, an edit of the graph affects more fields: it can
/// change the random choice for fields up to 14 fields away. Random choices are then adjusted to the rules,
/// so fields farther away can change as well.
///
/// An edit of the graph can also change the numbers of fields. To name a field independently of its number,
/// write a point in the field, as in `manual: [((120, 80), "Lake")]`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "graph": HexGraph(columns: 6, rows: 6, side: 44),
///         "empty": Section(graph: "graph"),
///         "fields": AssignTerrain(
///             fields: "empty",
///             descriptions: [
///                 ("Mountain", MidpointDisplacement(amplitude: 90, offset: 40, persistence: 0.6)),
///                 ("Lowland", Noise(amplitude: 20, wavelength: 100, offset: 15, weight: 2.0)),
///                 ("Lake", Noise(amplitude: 5, wavelength: 150)),
///             ],
///             rules: [("Lake", ["Lake", "Lowland"])], manual: [(0, "Lake")],
///         ),
///         "terrain": StitchFields(fields: "fields", distance: 40),
///         "shade": Hillshade(height: "terrain"),
///     },
///     outputs: { "shade.png": "shade", "fields.json": "fields", "counts.json": "fields.counts" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "biome biomes kinds regions zones plains mountains desert hills distribute rules adjacency",
    tiles = Pointwise, paper = "Mijailovic, sections 3.3 and \
    3.5", version = 3, working_maps = 1.0, header)]
#[output(fields: Fields, doc = "The fields with their descriptions.")]
#[output(counts: Table, doc = "One row, with the number of fields for each description.")]
#[output(kinds: Map, lazy, doc = "For each sample, the index of its field's description in `descriptions`, \
    or -1 outside all fields.")]
pub struct AssignTerrain {
    /// The fields.
    #[input]
    pub fields: Input<Fields>,
    /// Descriptions as (name, terrain).
    #[param(default = Vec::new())]
    pub descriptions: Vec<(String, Description)>,
    /// Manual assignments as (field, name). Write the field as its number or as a point (x, y) in it.
    #[param(default = Vec::new())]
    pub manual: Vec<(FieldAt, String)>,
    /// Adjacency rules as (name, names that it may touch).
    #[param(default = Vec::new())]
    pub rules: Vec<(String, Vec<String>)>,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
}

impl Evaluate for AssignTerrain {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let mut fields = (*self.fields.get()).clone();
        let kinds = self.names();
        let number = |name: &str| kinds.iter().position(|kind| *kind == name).unwrap_or(0) as u32;
        let mut given = vec![None; fields.names.len()];
        let manual = numbers(&fields, self.manual.iter().map(|(field, _)| field))?;
        for (field, (_, name)) in manual.into_iter().zip(&self.manual) {
            given[field as usize] = Some(number(name));
        }
        let mut may_touch = vec![u64::MAX; kinds.len()];
        for (name, others) in &self.rules {
            may_touch[number(name) as usize] = others.iter().fold(0, |bits, other| bits | 1 << number(other));
        }
        let weights: Vec<f64> =
            self.descriptions.iter().map(|(_, description)| description.weight()).collect();
        let node_seed = seed(cx, self.seed);
        let beside = beside(&fields);
        let task = Assign {
            beside: &beside,
            identities: &identities(&fields.plane, &fields.sections),
            given: &given,
            weights: &weights,
            may_touch: &may_touch,
            seed: node_seed,
        };
        let found = assign(&task).map_err(|conflict| {
            NodeError::failed(
                format!(
                    "the rules leave no description for field {}, which is adjacent to \
                    {:?}",
                    conflict.field, conflict.beside
                ),
                "relax the rules, or assign fewer fields manually",
            )
        })?;
        let mut counts = BTreeMap::new();
        for (name, &kind) in fields.names.iter_mut().zip(&found) {
            kinds[kind as usize].clone_into(name);
            *counts.entry(kinds[kind as usize]).or_insert(0.0) += 1.0;
        }
        for (name, description) in &self.descriptions {
            let ground = match description {
                Description::Map { .. } => continue,
                Description::Noise { seed, .. } | Description::MidpointDisplacement { seed, .. } => {
                    Ground::Described(description.clone(), node_seed.mixed(*seed))
                }
            };
            fields.grounds.insert(name.clone(), ground);
        }
        // Removes the maps of an earlier `PopulateFields`, because they may show other descriptions.
        (fields.maps, fields.domain) = (Vec::new(), None);
        let row: Vec<(&str, f64)> =
            kinds.iter().map(|kind| (*kind, counts.get(kind).copied().unwrap_or(0.0))).collect();
        let counts = Table::row(&row);
        let numbers = match cx.asked(Self::KINDS) {
            true => {
                let (ids, _) = ids(&fields, &domain(cx));
                let kind = |&id: &u32| found.get(id as usize).map_or(-1.0, |&kind| kind as f32);
                Heightmap::from_grid(domain(cx), ids.map(kind))
            }
            false => Heightmap::from_vec(Domain::new(0, 0), Vec::new()),
        };
        Ok((fields, counts, Map(numbers)))
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid = |field, message: String, help: String| Err(Invalid { field, message, help });
        let known = self.names();
        if known.is_empty() {
            return invalid(
                "descriptions",
                "`descriptions` is empty".to_owned(),
                "write descriptions: [(\"Mountain\", Noise(amplitude: 50))]".to_owned(),
            );
        }
        if known.len() > 64 || known.iter().any(|name| name.is_empty()) {
            return invalid(
                "descriptions",
                "a name is empty, or there are more than 64 descriptions".to_owned(),
                "write at most 64 descriptions, each with a name".to_owned(),
            );
        }
        if let Some((index, name)) =
            known.iter().enumerate().find(|(index, name)| known[..*index].contains(name))
        {
            return invalid(
                "descriptions",
                format!("`{name}` is listed twice, the second time at index {index}"),
                "list each name once".to_owned(),
            );
        }
        for (name, description) in &self.descriptions {
            if let Some(problem) = description.problem() {
                return invalid(
                    "descriptions",
                    format!("in `{name}`, {problem}"),
                    "change the number".to_owned(),
                );
            }
        }
        if self.descriptions.iter().all(|(_, d)| d.weight() == 0.0) && self.manual.is_empty() {
            return invalid(
                "descriptions",
                "all weights are 0".to_owned(),
                "set a weight greater than \
                0"
                .to_owned(),
            );
        }
        let help = |name: &str| terrane_flow::suggest::help(name, &known, "descriptions are");
        if let Some((_, name)) = self.manual.iter().find(|(_, name)| !known.contains(&name.as_str())) {
            return invalid("manual", format!("there is no description `{name}`"), help(name));
        }
        let ruled = self.rules.iter().flat_map(|(name, others)| std::iter::once(name).chain(others));
        match ruled.map(String::as_str).find(|name| !known.contains(name)) {
            Some(name) => invalid("rules", format!("there is no description `{name}`"), help(name)),
            None => Ok(()),
        }
    }

    /// Memory for the search.
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        400 << 10
    }
}

impl AssignTerrain {
    fn names(&self) -> Vec<&str> {
        self.descriptions.iter().map(|(name, _)| name.as_str()).collect()
    }
}

/// For each field, the fields that share an edge with it.
fn beside(fields: &Fields) -> Vec<Vec<u32>> {
    let mut beside = vec![Vec::new(); fields.names.len()];
    for [left, right] in &fields.sections.sides {
        if let (Some(a), Some(b)) = (*left, *right)
            && a != b
        {
            beside[a as usize].push(b);
            beside[b as usize].push(a);
        }
    }
    for near in &mut beside {
        near.sort_unstable();
        near.dedup();
    }
    beside
}
