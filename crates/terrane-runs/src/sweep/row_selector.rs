//! The row of a table that a metric selects: `@last`, `@0`, `@iteration=100`.

use std::fmt;

use terrane_flow::suggest;
use terrane_flow::syntax::Problem;
use terrane_nodes::values::Numbers;

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum RowSelector {
    Last,
    /// Counted from 0.
    Nth(usize),
    /// The first row in which the named column has this value.
    Where(String, f64),
}

/// Why a table has no such row.
#[derive(Clone, Debug, PartialEq)]
pub enum NoRow {
    /// The node's table lacks the column in every run.
    InAnyRun(Problem),
    /// This run's table lacks the row. Another run's table may have it.
    InThisRun(Problem),
}

impl RowSelector {
    /// Parses the text after the `@`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('=') {
            Some((column, value)) => {
                let value = value.trim().parse().ok().filter(|value: &f64| value.is_finite())?;
                let column = column.trim();
                (!column.is_empty()).then(|| Self::Where(column.to_owned(), value))
            }
            None if text == "last" => Some(Self::Last),
            None => text.parse().ok().map(Self::Nth),
        }
    }

    /// The index of the row in a table.
    pub fn find(&self, table: &Numbers<'_>) -> Result<usize, NoRow> {
        let rows = table.rows();
        if rows == 0 {
            let help = "a history has rows if the node's `history_every` is above 0";
            return Err(NoRow::InThisRun(Problem::new("its table has no rows", help)));
        }
        match self {
            Self::Last => Ok(rows - 1),
            Self::Nth(row) if *row < rows => Ok(*row),
            Self::Nth(row) => {
                let message = format!("its table has no row {row}");
                Err(NoRow::InThisRun(Problem::new(message, format!("its rows are @0 to @{}", rows - 1))))
            }
            Self::Where(name, value) => {
                let Some(column) = table.column(name) else {
                    let known: Vec<&str> = table.columns().iter().map(|(name, _)| &**name).collect();
                    let message = format!("its table has no column `{name}`");
                    return Err(NoRow::InAnyRun(Problem::new(
                        message,
                        suggest::help(name, &known, "its columns are"),
                    )));
                };
                column.iter().position(|number| number == value).ok_or_else(|| {
                    let message = format!("its table has no row where `{name}` is {value}");
                    NoRow::InThisRun(Problem::new(message, near(column, *value)))
                })
            }
        }
    }
}

/// Names the values on both sides of the missing one.
fn near(column: &[f64], value: f64) -> String {
    let below = column.iter().copied().filter(|number| *number < value).fold(f64::NEG_INFINITY, f64::max);
    let above = column.iter().copied().filter(|number| *number > value).fold(f64::INFINITY, f64::min);
    match (below.is_finite(), above.is_finite()) {
        (true, true) => format!("the nearest are {below} and {above}"),
        (true, false) => format!("the maximum is {below}; @last selects the last row in any case"),
        (false, true) => format!("the minimum is {above}"),
        (false, false) => "the column has no numbers".to_owned(),
    }
}

impl fmt::Display for RowSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Last => f.write_str("last"),
            Self::Nth(row) => write!(f, "{row}"),
            Self::Where(column, value) => write!(f, "{column}={value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_parsed() {
        for (text, expected) in [
            ("last", Some(RowSelector::Last)),
            ("0", Some(RowSelector::Nth(0))),
            ("iteration=100", Some(RowSelector::Where("iteration".to_owned(), 100.0))),
            ("lower = -0.5", Some(RowSelector::Where("lower".to_owned(), -0.5))),
            ("lst", None),
            ("-1", None),
            ("", None),
            ("=3", None),
            ("iteration=", None),
            ("iteration=nan", None),
        ] {
            assert_eq!(RowSelector::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn rows_are_found_and_missing_ones_are_reported() {
        let table = Numbers::new(vec![
            ("iteration".into(), vec![0.0, 10.0, 20.0].into()),
            ("score".into(), vec![1.0, 2.0, 3.0].into()),
        ]);
        let find = |text: &str| RowSelector::parse(text).unwrap().find(&table);
        assert_eq!(
            (find("last"), find("1"), find("iteration=20"), find("score=2")),
            (Ok(2), Ok(1), Ok(2), Ok(1))
        );
        let help = |text: &str| match find(text) {
            Err(NoRow::InThisRun(problem)) => problem.help,
            other => format!("{other:?}"),
        };
        assert_eq!(help("3"), "its rows are @0 to @2");
        assert_eq!(help("iteration=15"), "the nearest are 10 and 20");
        assert_eq!(help("iteration=500"), "the maximum is 20; @last selects the last row in any case");
        let never = help("itration=10");
        assert!(never.starts_with("Err(InAnyRun") && never.contains("did you mean `iteration`?"), "{never}");
        assert!(matches!(RowSelector::Last.find(&Numbers::default()), Err(NoRow::InThisRun(..))));
    }
}
