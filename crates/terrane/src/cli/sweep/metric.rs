//! Numbers out of values.

use terrane_flow::{Graph, Reference, Value, suggest};
use terrane_nodes::values::{Map, Table};

use crate::cli::console::Failure;

/// What there is of a map.
const OF_MAPS: [&str; 4] = ["min", "max", "mean", "deviation"];

/// What is tabled.
pub struct Metric {
    /// As the user wrote it.
    name: String,
    pub reference: Reference,
    /// Of a table, a column; of a map, one of its statistics.
    column: Option<String>,
}

impl Metric {
    /// Finds `NODE[.OUTPUT][.COLUMN]` in a graph.
    pub fn parse(name: &str, graph: &Graph) -> Result<Self, Failure> {
        let whole = Reference::parse(name);
        let (reference, column) = match (graph.find(&whole), name.rsplit_once('.')) {
            (Ok(_), _) => (whole, None),
            (Err(_), Some((port, column))) if graph.find(&Reference::parse(port)).is_ok() => {
                (Reference::parse(port), Some(column.to_owned()))
            }
            (Err((message, help)), _) => {
                return Err(Failure::usage(format!("--metric {name}: {message}"), help));
            }
        };
        let (node, output) =
            graph.find(&reference).map_err(|(message, help)| Failure::usage(message, help))?;
        let spec = graph.nodes[node].node().spec();
        let kind = spec.outputs[output].kind.name;
        if !["table", "map"].contains(&kind) {
            let message = format!("--metric {name}: `{reference}` is a {kind}, which has no numbers");
            return Err(Failure::usage(message, "take a map, or the table of a node such as Statistics"));
        }
        if kind == "map"
            && let Some(column) = &column
            && !OF_MAPS.contains(&column.as_str())
        {
            let known: Vec<&str> = spec.outputs.iter().map(|output| output.name).chain(OF_MAPS).collect();
            let message = format!("--metric {name}: `{reference}` is a map, which has no `{column}`");
            return Err(Failure::usage(message, suggest::help(column, &known, "there are")));
        }
        Ok(Self { name: name.to_owned(), reference, column })
    }

    /// The numbers with the names of their columns.
    pub fn numbers(&self, value: &Value) -> Result<Vec<(String, f64)>, Failure> {
        let all: Vec<(String, f64)> = if let Some(table) = value.get::<Table>() {
            if table.rows() != 1 {
                return Err(Failure::usage(
                    format!(
                        "--metric {}: its table has {} rows, and a metric has one",
                        self.name,
                        table.rows()
                    ),
                    "take a node that sums it up, such as Statistics",
                ));
            }
            table.columns().iter().map(|(name, values)| (name.clone(), values[0])).collect()
        } else if let Some(map) = value.get::<Map>() {
            let s = terrane_kernels::metric::statistics(map);
            let numbers = [s.min, s.max, s.mean, s.deviation];
            OF_MAPS.iter().zip(numbers).map(|(name, number)| ((*name).to_owned(), number)).collect()
        } else {
            Vec::new()
        };
        let Some(wanted) = &self.column else {
            let single = all.len() == 1;
            let name =
                |column: &str| if single { self.name.clone() } else { format!("{}.{column}", self.name) };
            return Ok(all.iter().map(|(column, number)| (name(column), *number)).collect());
        };
        let known: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        match all.iter().find(|(name, _)| name == wanted) {
            Some((_, number)) => Ok(vec![(self.name.clone(), *number)]),
            None => Err(Failure::usage(
                format!("--metric {}: the table `{}` has no column `{wanted}`", self.name, self.reference),
                suggest::help(wanted, &known, "its columns are"),
            )),
        }
    }
}
