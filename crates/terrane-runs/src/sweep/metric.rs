//! Numbers out of values.

use glob::{MatchOptions, Pattern};
use terrane_flow::syntax::Problem;
use terrane_flow::{Graph, NodeTiming, Outcome, Reference, Value, suggest};
use terrane_nodes::values::{Measured, Numbers as Table, TerrainKind};

use super::place::{Missing, Place};
use crate::Failure;

/// How long a node ran, behind its name.
pub const SECONDS: &str = ".seconds";

/// What is tabled.
#[derive(Debug)]
pub struct Metric {
    /// As the user wrote it, with one node.
    name: String,
    pub reference: Reference,
    /// Of a table, a column; of a map, one of its statistics.
    column: Option<String>,
    /// Of a table with many rows, which.
    pub place: Option<Place>,
    /// Whether it is how long the node ran.
    pub timed: bool,
}

/// What a metric has in one run.
pub struct Numbers {
    /// Names of columns and their numbers.
    pub columns: Vec<(String, f64)>,
    /// Why they are none: the table of this run has no such row.
    pub missing: Option<Problem>,
}

/// A column of a table with many rows, over its first column.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// `NODE[.OUTPUT].COLUMN`.
    pub name: String,
    /// Name of the first column.
    pub along: String,
    pub points: Vec<(f64, f64)>,
}

impl Metric {
    /// Finds what `NODE[.OUTPUT][.COLUMN][@ROW]` means in a graph; a `*` in the node's name stands for any
    /// letters.
    fn parse_all(name: &str, graph: &Graph) -> Result<Vec<Self>, Failure> {
        if !name.contains('*') || graph.nodes.contains_key(name) {
            return Ok(vec![Self::parse(name, graph)?]);
        }
        let found: Vec<Self> =
            meant(name, graph).iter().filter_map(|name| Self::parse(name, graph).ok()).collect();
        if found.is_empty() {
            let known: Vec<&str> = graph.nodes.keys().map(String::as_str).collect();
            let message = format!("--metric {name}: no node with such a name has it");
            return Err(Failure::usage(message, suggest::help(name, &known, "the nodes are")));
        }
        Ok(found)
    }

    /// Finds `NODE[.OUTPUT][.COLUMN][@ROW]` in a graph.
    fn parse(name: &str, graph: &Graph) -> Result<Self, Failure> {
        let (port, place) = match name.rsplit_once('@') {
            Some((port, row)) if graph.find(&Reference::parse(name)).is_err() => {
                let place = Place::parse(row).ok_or_else(|| {
                    Failure::usage(
                        format!("--metric {name}: `@{row}` names no row"),
                        "write @last, @0 for the first, or @iteration=100 for the row where that column has \
                        that value",
                    )
                })?;
                (port, Some(place))
            }
            _ => (name, None),
        };
        if let Some(node) = name.strip_suffix(SECONDS).filter(|node| graph.nodes.contains_key(*node)) {
            let reference = Reference { node: node.into(), output: None };
            return Ok(Self { name: name.to_owned(), reference, column: None, place: None, timed: true });
        }
        let whole = Reference::parse(port);
        let (reference, column) = match (graph.find(&whole), port.rsplit_once('.')) {
            (Ok(_), _) => (whole, None),
            (Err(_), Some((port, column))) if graph.find(&Reference::parse(port)).is_ok() => {
                (Reference::parse(port), Some(column.to_owned()))
            }
            (Err(problem), _) => {
                let message = format!("--metric {name}: {}", problem.message);
                return Err(Failure::usage(message, problem.help));
            }
        };
        let (node, output) = graph.find(&reference).map_err(Failure::Usage)?;
        let spec = graph.nodes[node].node().spec();
        let kind = spec.outputs[output].kind;
        let is_one = format!("`{reference}` is {}", suggest::one(kind.name));
        match TerrainKind::find(kind).map_or(Measured::No, |kind| kind.measured) {
            Measured::InColumns => {}
            Measured::No => {
                let message = format!("--metric {name}: {is_one}, which has no numbers");
                return Err(Failure::usage(message, "take a map, or the table of a node such as Statistics"));
            }
            Measured::By(names) => {
                if let Some(column) = column.as_ref().filter(|column| !names.contains(&column.as_str())) {
                    let known: Vec<&str> =
                        spec.outputs.iter().map(|output| output.name).chain(names.iter().copied()).collect();
                    let message = format!("--metric {name}: {is_one}, which has no `{column}`");
                    return Err(Failure::usage(message, suggest::help(column, &known, "there are")));
                }
                if place.is_some() {
                    let message = format!("--metric {name}: {is_one}, which has no rows");
                    return Err(Failure::usage(message, "leave out what stands behind the @"));
                }
            }
        }
        Ok(Self { name: name.to_owned(), reference, column, place, timed: false })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a column of the table can be of this metric.
    pub fn owns(&self, column: &str) -> bool {
        let row = self.place.as_ref().map_or_else(String::new, |place| format!("@{place}"));
        let rest = column.strip_suffix(row.as_str()).and_then(|column| column.strip_prefix(self.base()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// The metric's name without its row.
    fn base(&self) -> &str {
        let row = self.place.as_ref().and(self.name.rsplit_once('@'));
        row.map_or(self.name.as_str(), |(base, _)| base)
    }

    /// A problem with this metric.
    fn of(&self, problem: Problem) -> Problem {
        Problem { message: format!("--metric {}: {}", self.name, problem.message), ..problem }
    }

    /// The numbers with the names of their columns.
    pub fn numbers(&self, value: &Value) -> Result<Numbers, Failure> {
        let mut missing = None;
        let table = TerrainKind::find(value.kind()).map(|kind| kind.numbers(value)).unwrap_or_default();
        let row = match &self.place {
            Some(place) => match place.find(&table) {
                Ok(row) => Some(row),
                Err(Missing::Here(problem)) => {
                    missing = Some(self.of(problem));
                    None
                }
                Err(Missing::Never(problem)) => {
                    return Err(Failure::Usage(self.of(problem)));
                }
            },
            None if table.rows() == 1 => Some(0),
            None => return Err(self.many_rows(&table)),
        };
        let number = |values: &[f64]| row.map_or(f64::NAN, |row| values[row]);
        // That the column that names the row has that value goes without saying.
        let said = |name: &str| {
            self.column.is_none() && matches!(&self.place, Some(Place::Where(column, _)) if column == name)
        };
        let told = table.columns().iter().filter(|(name, _)| !said(name));
        let all: Vec<(&str, f64)> = told.map(|(name, values)| (&**name, number(values))).collect();
        let row = self.place.as_ref().map_or_else(String::new, |place| format!("@{place}"));
        let base = self.base();
        let Some(wanted) = &self.column else {
            let single = all.len() == 1;
            let name =
                |column: &str| if single { format!("{base}{row}") } else { format!("{base}.{column}{row}") };
            let columns = all.iter().map(|(column, number)| (name(column), *number)).collect();
            return Ok(Numbers { columns, missing });
        };
        match all.iter().find(|(name, _)| *name == wanted.as_str()) {
            Some((_, number)) => Ok(Numbers { columns: vec![(format!("{base}{row}"), *number)], missing }),
            None => {
                let known: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
                Err(Failure::usage(
                    format!(
                        "--metric {}: the table `{}` has no column `{wanted}`",
                        self.name, self.reference
                    ),
                    suggest::help(wanted, &known, "its columns are"),
                ))
            }
        }
    }

    /// How long the node ran in this run; no number where its result was known, since then nothing was
    /// measured. Of a patch it may have another name, `own`, where it is not evaluated over more ground.
    pub fn seconds(&self, nodes: &[NodeTiming], own: &Reference) -> Numbers {
        let called = |name: &str| nodes.iter().find(|node| &*node.node == name);
        let of = called(&self.reference.node).or_else(|| called(&own.node));
        let seconds =
            of.filter(|node| node.outcome == Outcome::Ran).map_or(f64::NAN, |node| node.time.as_secs_f64());
        Numbers { columns: vec![(self.name.clone(), seconds)], missing: None }
    }

    /// The columns of which the metric is one row, as curves over the first.
    pub fn curves(&self, value: &Value) -> Vec<Curve> {
        let (Some(kind), Some(_)) = (TerrainKind::find(value.kind()), &self.place) else { return Vec::new() };
        let table = kind.numbers(value);
        let Some(((along, places), others)) = table.columns().split_first() else { return Vec::new() };
        let drawn =
            others.iter().filter(|(name, _)| self.column.as_ref().is_none_or(|column| column == &**name));
        let name = |column: &str| match &self.column {
            Some(_) => self.base().to_owned(),
            None => format!("{}.{column}", self.base()),
        };
        drawn
            .map(|(column, values)| Curve {
                name: name(column),
                along: along.clone().into_owned(),
                points: places.iter().copied().zip(values.iter().copied()).collect(),
            })
            .collect()
    }

    fn many_rows(&self, table: &Table<'_>) -> Failure {
        let rows = table.rows();
        let message = format!("--metric {}: its table has {rows} rows, and a metric has one", self.name);
        let help = match (rows, table.columns().first()) {
            (0, _) => "a history has rows where the node's `history_every` is above 0".to_owned(),
            (_, Some((name, values))) => {
                format!("name a row: {0}@last, {0}@0 or {0}@{name}={1}", self.name, values[rows / 2])
            }
            (_, None) => String::new(),
        };
        Failure::usage(message, help)
    }
}

/// The names that one with a `*` in its node's stands for, in order of nodes; not all of them need to have
/// what is named behind the node.
fn meant(name: &str, graph: &Graph) -> Vec<String> {
    // As in a shell, a star ends at a slash, so that nodes of subgraphs are named on purpose.
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::default() };
    let bare = name.split('@').next().unwrap_or_default();
    // The node's name may have dots itself: it ends at any, or at none.
    let ends = bare.match_indices('.').map(|(at, _)| at).chain([bare.len()]);
    let patterns: Vec<(Pattern, &str)> =
        ends.filter_map(|end| Some((Pattern::new(&name[..end]).ok()?, &name[end..]))).collect();
    graph
        .nodes
        .keys()
        .filter_map(|node| {
            let fits = |(pattern, _): &&(Pattern, &str)| pattern.matches_with(node, options);
            patterns.iter().find(fits).map(|(_, rest)| format!("{node}{rest}"))
        })
        .collect()
}

/// The metrics that names mean, each once.
pub fn asked(names: &[String], graph: &Graph) -> Result<Vec<Metric>, Failure> {
    let mut metrics: Vec<Metric> = Vec::new();
    for name in names {
        for metric in Metric::parse_all(name, graph)? {
            if metrics.iter().all(|other| other.name != metric.name) {
                metrics.push(metric);
            }
        }
    }
    Ok(metrics)
}
