//! Metrics: numbers from values.

use glob::{MatchOptions, Pattern};
use terrane_flow::syntax::Problem;
use terrane_flow::{Graph, NodeTiming, Outcome, Reference, Value, suggest};
use terrane_nodes::values::{Measured, Numbers as Table, TerrainKind};

use super::row_selector::{NoRow, RowSelector};
use crate::Failure;

/// The suffix that follows a node's name in the metric of the node's run time.
pub const SECONDS: &str = ".seconds";

/// A metric: one or more columns of the table.
#[derive(Debug)]
pub struct Metric {
    /// The name as the user wrote it. A `*` is replaced, so that the name is that of one node.
    name: String,
    pub reference: Reference,
    /// For a table, a column; for a map, one of its statistics.
    column: Option<String>,
    /// For a table with many rows, the row.
    pub row: Option<RowSelector>,
    /// Whether it is the node's run time.
    pub timed: bool,
}

/// The numbers of a metric in one run.
pub struct Numbers {
    /// Column names with their numbers.
    pub columns: Vec<(String, f64)>,
    /// The problem, if the table of this run lacks the selected row. The numbers are then NaN.
    pub missing: Option<Problem>,
}

/// A column of a table with many rows, as a curve over the first column.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// `NODE[.OUTPUT].COLUMN`.
    pub name: String,
    /// The name of the first column.
    pub along: String,
    pub points: Vec<(f64, f64)>,
}

impl Metric {
    /// Resolves `NODE[.OUTPUT][.COLUMN][@ROW]` in a graph. A `*` in the node's name matches any characters.
    fn parse_all(name: &str, graph: &Graph) -> Result<Vec<Self>, Failure> {
        if !name.contains('*') || graph.nodes.contains_key(name) {
            return Ok(vec![Self::parse(name, graph)?]);
        }
        let found: Vec<Self> =
            expand(name, graph).iter().filter_map(|name| Self::parse(name, graph).ok()).collect();
        if found.is_empty() {
            let known: Vec<&str> = graph.nodes.keys().map(String::as_str).collect();
            let message = format!("--metric {name}: no node with a matching name has this metric");
            return Err(Failure::usage(message, suggest::help(name, &known, "the nodes are")));
        }
        Ok(found)
    }

    /// Resolves `NODE[.OUTPUT][.COLUMN][@ROW]` in a graph.
    fn parse(name: &str, graph: &Graph) -> Result<Self, Failure> {
        let (port, row) = match name.rsplit_once('@') {
            Some((port, text)) if graph.find(&Reference::parse(name)).is_err() => {
                let row = RowSelector::parse(text).ok_or_else(|| {
                    Failure::usage(
                        format!("--metric {name}: `@{text}` is not a row"),
                        "write @last, @0 for the first row, or @iteration=100 for the row where \
                        `iteration` is 100",
                    )
                })?;
                (port, Some(row))
            }
            _ => (name, None),
        };
        if let Some(node) = name.strip_suffix(SECONDS).filter(|node| graph.nodes.contains_key(*node)) {
            let reference = Reference { node: node.into(), output: None };
            return Ok(Self { name: name.to_owned(), reference, column: None, row: None, timed: true });
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
                return Err(Failure::usage(message, "use a map, or the table of a node such as Statistics"));
            }
            Measured::By(names) => {
                if let Some(column) = column.as_ref().filter(|column| !names.contains(&column.as_str())) {
                    let known: Vec<&str> =
                        spec.outputs.iter().map(|output| output.name).chain(names.iter().copied()).collect();
                    let message = format!("--metric {name}: {is_one}, which has no `{column}`");
                    return Err(Failure::usage(message, suggest::help(column, &known, "there are")));
                }
                if row.is_some() {
                    let message = format!("--metric {name}: {is_one}, which has no rows");
                    return Err(Failure::usage(message, "remove the @ and the text after it"));
                }
            }
        }
        Ok(Self { name: name.to_owned(), reference, column, row, timed: false })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a column of the table may belong to this metric.
    pub fn owns(&self, column: &str) -> bool {
        let row = self.row.as_ref().map_or_else(String::new, |row| format!("@{row}"));
        let rest = column.strip_suffix(row.as_str()).and_then(|column| column.strip_prefix(self.base()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// The metric's name without its row.
    fn base(&self) -> &str {
        let row = self.row.as_ref().and(self.name.rsplit_once('@'));
        row.map_or(self.name.as_str(), |(base, _)| base)
    }

    /// A problem with this metric.
    fn of(&self, problem: Problem) -> Problem {
        Problem { message: format!("--metric {}: {}", self.name, problem.message), ..problem }
    }

    /// The numbers of a value, with their column names.
    pub fn numbers(&self, value: &Value) -> Result<Numbers, Failure> {
        let mut missing = None;
        let table = TerrainKind::find(value.kind()).map(|kind| kind.numbers(value)).unwrap_or_default();
        let index = match &self.row {
            Some(row) => match row.find(&table) {
                Ok(index) => Some(index),
                Err(NoRow::InThisRun(problem)) => {
                    missing = Some(self.of(problem));
                    None
                }
                Err(NoRow::InAnyRun(problem)) => {
                    return Err(Failure::Usage(self.of(problem)));
                }
            },
            None if table.rows() == 1 => Some(0),
            None => return Err(self.many_rows(&table)),
        };
        let number = |values: &[f64]| index.map_or(f64::NAN, |index| values[index]);
        // The column that selects the row is left out: its value is in the selector.
        let selects = |name: &str| {
            self.column.is_none()
                && matches!(&self.row, Some(RowSelector::Where(column, _)) if column == name)
        };
        let shown = table.columns().iter().filter(|(name, _)| !selects(name));
        let all: Vec<(&str, f64)> = shown.map(|(name, values)| (&**name, number(values))).collect();
        let row = self.row.as_ref().map_or_else(String::new, |row| format!("@{row}"));
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

    /// The node's run time in this run. It is NaN if the node's result was cached, because then nothing was
    /// measured. In a patch, the node may have the name in `own` if it is evaluated without an overlap.
    pub fn seconds(&self, nodes: &[NodeTiming], own: &Reference) -> Numbers {
        let called = |name: &str| nodes.iter().find(|node| &*node.node == name);
        let of = called(&self.reference.node).or_else(|| called(&own.node));
        let seconds =
            of.filter(|node| node.outcome == Outcome::Ran).map_or(f64::NAN, |node| node.time.as_secs_f64());
        Numbers { columns: vec![(self.name.clone(), seconds)], missing: None }
    }

    /// The columns of the table from which the metric selects one row. Each is a curve over the first column.
    pub fn curves(&self, value: &Value) -> Vec<Curve> {
        let (Some(kind), Some(_)) = (TerrainKind::find(value.kind()), &self.row) else { return Vec::new() };
        let table = kind.numbers(value);
        let Some(((along, positions), others)) = table.columns().split_first() else { return Vec::new() };
        let selected =
            others.iter().filter(|(name, _)| self.column.as_ref().is_none_or(|column| column == &**name));
        let name = |column: &str| match &self.column {
            Some(_) => self.base().to_owned(),
            None => format!("{}.{column}", self.base()),
        };
        selected
            .map(|(column, values)| Curve {
                name: name(column),
                along: along.clone().into_owned(),
                points: positions.iter().copied().zip(values.iter().copied()).collect(),
            })
            .collect()
    }

    fn many_rows(&self, table: &Table<'_>) -> Failure {
        let rows = table.rows();
        let message = format!("--metric {}: its table has {rows} rows, but a metric needs one", self.name);
        let help = match (rows, table.columns().first()) {
            (0, _) => "a history has rows if the node's `history_every` is above 0".to_owned(),
            (_, Some((name, values))) => {
                format!("name a row: {0}@last, {0}@0 or {0}@{name}={1}", self.name, values[rows / 2])
            }
            (_, None) => String::new(),
        };
        Failure::usage(message, help)
    }
}

/// The metric names that a name with a `*` expands to, in the order of nodes. Some of these nodes may lack
/// the metric.
fn expand(name: &str, graph: &Graph) -> Vec<String> {
    // As in a shell, a star does not match a slash: nodes of subgraphs must be named explicitly.
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::default() };
    let bare = name.split('@').next().unwrap_or_default();
    // A node's name may contain dots, so it may end at any dot of the metric's name, or at the very end.
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

/// The metrics that the names resolve to, each once.
pub fn resolve(names: &[String], graph: &Graph) -> Result<Vec<Metric>, Failure> {
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
