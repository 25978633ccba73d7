//! The numbers of a value of any kind.

use std::borrow::Cow;

/// A column: its name and its numbers.
pub type Column<'a> = (Cow<'a, str>, Cow<'a, [f64]>);

/// Numbers in named columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers<'a>(Vec<Column<'a>>);

impl<'a> Numbers<'a> {
    /// Creates numbers from columns of equal length.
    #[must_use]
    pub const fn new(columns: Vec<Column<'a>>) -> Self {
        Self(columns)
    }

    /// Creates a single row.
    #[must_use]
    pub fn row(names: &[&'a str], numbers: &[f64]) -> Self {
        let column = |(name, number): (&&'a str, &f64)| (Cow::Borrowed(*name), Cow::Owned(vec![*number]));
        Self(names.iter().zip(numbers).map(column).collect())
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[Column<'a>] {
        &self.0
    }

    /// The column with this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, numbers)| &**numbers)
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.0.first().map_or(0, |(_, numbers)| numbers.len())
    }
}
