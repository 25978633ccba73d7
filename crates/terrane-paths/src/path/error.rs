//! Errors of path constraints.

use terrane_grid::Domain;

use super::straight::Place;
use super::terrain::BadFactor;
use crate::Cancelled;
use crate::planar::GraphError;

/// Why a subdivision fails.
#[derive(Clone, Debug, PartialEq)]
pub enum SubdivideError {
    /// The caller cancelled.
    Cancelled,
    /// The graph is not planar, or invalid in another way.
    Graph(GraphError),
    /// A node lies outside the patch.
    Outside {
        /// The node.
        node: usize,
    },
    /// Both ends of an edge lie at the same sample.
    TooShort {
        /// The edge.
        edge: usize,
    },
    /// A sample of the cost map is not a valid factor.
    Factor(BadFactor),
    /// The node at an edge's end lies where routes are forbidden.
    Forbidden {
        /// The node.
        node: usize,
        /// The edge.
        edge: usize,
    },
    /// A route crosses a forbidden sample near the border, where routes are straight.
    ForbiddenBorder {
        /// The edge.
        edge: usize,
        /// The forbidden sample.
        at: Place,
    },
    /// A route would begin or end at a sample that is not finite.
    NoHeight {
        /// The edge.
        edge: usize,
        /// The sample.
        at: Place,
    },
    /// No route leads from one end of an edge to the other.
    Enclosed {
        /// The node of the end from which fewer samples can be reached.
        node: usize,
        /// The edge.
        edge: usize,
        /// Where the search starts on that side: the node, or the end of the straight part near the border.
        at: Place,
        /// Number of samples that can be reached from there.
        reached: usize,
    },
    /// A sample of a map is out of range.
    Sample(BadSample),
    /// No sample belongs to a path.
    NoPath,
    /// No sample is pinned.
    NoPins,
    /// A map does not fit as a neighbour of the patch.
    Neighbour {
        /// Its index, from 0.
        number: usize,
        /// Why.
        misfit: Misfit,
    },
    /// Borders are shared, but a map is set that neighbouring patches would need too.
    SharedMap {
        /// The name of its parameter.
        name: &'static str,
    },
    /// The world heights have the wrong number of samples.
    WorldHeights {
        /// Their number of samples.
        found: usize,
        /// The patch's number of samples.
        expected: usize,
    },
    /// Borders are shared, but paths with their borders reach too far beyond the patch.
    TooWide {
        /// How far they reach, in world units.
        reach: f64,
        /// The maximum reach.
        most: f64,
    },
    /// Borders are shared, but an edge or a node is wider than the common maximum.
    SharedWidth {
        /// The largest width.
        widest: f64,
        /// The maximum width.
        most: f64,
    },
}

impl From<BadFactor> for SubdivideError {
    fn from(bad: BadFactor) -> Self {
        Self::Factor(bad)
    }
}

impl From<Cancelled> for SubdivideError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Why a map is not a neighbour of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// Its spacing differs from the patch's.
    Spacing,
    /// Its samples lie between the patch's.
    Between,
    /// It shares no sample of the patch's border.
    Apart,
}

/// A sample of a map with an invalid value.
#[derive(Clone, Debug, PartialEq)]
pub struct BadSample {
    /// The name of the map's parameter.
    pub name: &'static str,
    /// The value.
    pub value: f32,
    /// Column and row.
    pub at: (usize, usize),
    /// World x and y.
    pub place: (f64, f64),
    /// The expected values.
    pub expected: &'static str,
}

impl BadSample {
    /// The error for a sample in row order.
    pub fn new(domain: &Domain, name: &'static str, at: usize, value: f32, expected: &'static str) -> Self {
        let (column, row) = (at % domain.width(), at / domain.width());
        Self { name, value, at: (column, row), place: (domain.x(column), domain.y(row)), expected }
    }
}

impl std::fmt::Display for BadSample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, value, at: (column, row), place: (x, y), expected } = self;
        write!(f, "`{name}` is {value} at column {column}, row {row}, world ({x}, {y}): expected {expected}")
    }
}
