//! What grows on each field.

use std::collections::BTreeMap;

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError};
use terrane_kernels::sectioning::{Assign, assign};

use crate::support::seed;
use crate::values::{Fields, Table};

/// A description for each field: by hand, at random with weights, and so that neighbours get along.
///
/// `kinds` names the descriptions and how often each is to be. A rule says which others a description may touch, itself included where it is named; two may
/// touch where each says so, and one without a rule may touch any. Where rules leave no way the node fails and names a field.
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
///             fields: "empty", kinds: [("Mountain", 1.0), ("Lowland", 2.0), ("Lake", 1.0)],
///             rules: [("Lake", ["Lake", "Lowland"])], manual: [(0, "Lake")],
///         ),
///     },
///     outputs: { "fields.json": "fields", "counts.json": "fields.counts" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields", tiles = Pointwise, paper = "Mijailovic, section 3.6")]
#[output(fields: Fields, doc = "The fields with their descriptions.")]
#[output(counts: Table, doc = "One row: how many fields have each description.")]
pub struct AssignTerrain {
    /// The fields.
    #[input]
    pub fields: Input<Fields>,
    /// Names with weights; 0 for what is given by hand alone.
    #[param(default = Vec::new(), min = 0.0)]
    pub kinds: Vec<(String, f64)>,
    /// Fields whose description is given, as (field, name).
    #[param(default = Vec::new())]
    pub manual: Vec<(u32, String)>,
    /// What may touch what, as a name and the list of those that it may.
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
        for (field, name) in &self.manual {
            let place = given.get_mut(*field as usize).ok_or_else(|| {
                NodeError::failed(
                    format!("there is no field {field}"),
                    format!("there are {}, counted from 0", fields.names.len()),
                )
            })?;
            *place = Some(number(name));
        }
        let mut may_touch = vec![u64::MAX; kinds.len()];
        for (name, others) in &self.rules {
            may_touch[number(name) as usize] = others.iter().fold(0, |bits, other| bits | 1 << number(other));
        }
        let weight =
            |name: &&str| self.kinds.iter().find(|(kind, _)| kind == name).map_or(0.0, |(_, weight)| *weight);
        let weights: Vec<f64> = kinds.iter().map(weight).collect();
        let beside = beside(&fields);
        let asked = Assign {
            beside: &beside,
            given: &given,
            weights: &weights,
            may_touch: &may_touch,
            seed: seed(cx, self.seed),
        };
        let found = assign(&asked).map_err(|conflict| {
            NodeError::failed(
                format!("no description is left for field {}, beside {:?}", conflict.field, conflict.beside),
                "allow more in rules, or give fewer fields by hand",
            )
        })?;
        let mut counts = BTreeMap::new();
        for (name, kind) in fields.names.iter_mut().zip(found) {
            kinds[kind as usize].clone_into(name);
            *counts.entry(kinds[kind as usize]).or_insert(0.0) += 1.0;
        }
        let row: Vec<(&str, f64)> =
            kinds.iter().map(|kind| (*kind, counts.get(kind).copied().unwrap_or(0.0))).collect();
        let counts = Table::row(&row);
        Ok((fields, counts))
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid = |field, message: String, help: String| Err(Invalid { field, message, help });
        let known: Vec<&str> = self.kinds.iter().map(|(name, _)| name.as_str()).collect();
        if known.is_empty() {
            return invalid(
                "kinds",
                "no description is named".to_owned(),
                "write kinds: [(\"Mountain\", 1.0)]".to_owned(),
            );
        }
        if known.len() > 64 || known.iter().any(|name| name.is_empty()) {
            return invalid(
                "kinds",
                "names are empty, or more than 64".to_owned(),
                "name at most 64 descriptions".to_owned(),
            );
        }
        if let Some((index, name)) =
            known.iter().enumerate().find(|(index, name)| known[..*index].contains(name))
        {
            return invalid(
                "kinds",
                format!("`{name}` is there twice, the second time as number {index}"),
                "name each once".to_owned(),
            );
        }
        if self.kinds.iter().all(|(_, weight)| *weight == 0.0) && self.manual.is_empty() {
            return invalid("kinds", "all weights are 0".to_owned(), "give one a weight".to_owned());
        }
        let help = |name: &str| terrane_flow::suggest::help(name, &known, "kinds are");
        if let Some((_, name)) = self.manual.iter().find(|(_, name)| !known.contains(&name.as_str())) {
            return invalid("manual", format!("`{name}` is not among kinds"), help(name));
        }
        let ruled = self.rules.iter().flat_map(|(name, others)| std::iter::once(name).chain(others));
        match ruled.map(String::as_str).find(|name| !known.contains(name)) {
            Some(name) => invalid("rules", format!("`{name}` is not among kinds"), help(name)),
            None => Ok(()),
        }
    }
}

impl AssignTerrain {
    fn names(&self) -> Vec<&str> {
        self.kinds.iter().map(|(name, _)| name.as_str()).collect()
    }
}

/// Fields that share an edge.
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
