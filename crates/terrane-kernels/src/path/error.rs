//! Why what paths ask of the ground cannot be found.

use terrane_grid::Domain;

use super::graph::GraphError;
use super::straight::Place;
use super::terrain::BadFactor;
use crate::Cancelled;

/// Why there is no subdivision.
#[derive(Clone, Debug, PartialEq)]
pub enum SubdivideError {
    /// The caller asked to stop.
    Cancelled,
    /// The graph is not planar, or odd in another way.
    Graph(GraphError),
    /// A node lies outside the patch.
    Outside {
        /// The node.
        node: usize,
    },
    /// Both ends of an edge lie at one sample.
    TooShort {
        /// The edge.
        edge: usize,
    },
    /// Costs cannot be multiplied by a sample of the cost map.
    Factor(BadFactor),
    /// A node that an edge ends at stands where no way may lead.
    Forbidden {
        /// The node.
        node: usize,
        /// The edge.
        edge: usize,
    },
    /// Near the border, where ways are straight, one leads over what is forbidden.
    ForbiddenBorder {
        /// The edge.
        edge: usize,
        /// The forbidden sample.
        at: Place,
    },
    /// A way would begin or end at a sample that is not a number.
    NoHeight {
        /// The edge.
        edge: usize,
        /// The sample.
        at: Place,
    },
    /// No way leads from one end of an edge to the other.
    Enclosed {
        /// The node of the end from which fewer samples can be reached.
        node: usize,
        /// The edge.
        edge: usize,
        /// Where the search begins on that side: the node, or the end of the straight part near the border.
        at: Place,
        /// How many samples can be reached from there.
        reached: usize,
    },
    /// A sample of a map is out of range.
    Sample(BadSample),
    /// No sample is path.
    NoPath,
    /// No sample is pinned.
    NoPins,
    /// A map is no neighbour of the patch.
    Neighbour {
        /// Which of them, counted from 0.
        number: usize,
        /// Why.
        misfit: Misfit,
    },
    /// Borders are shared, and a map gives what neighbours would have to know as well.
    SharedMap {
        /// What it stands for.
        name: &'static str,
    },
    /// Heights to meet neighbours with are of another patch.
    WorldHeights {
        /// How many there are.
        found: usize,
        /// How many samples the patch has.
        expected: usize,
    },
    /// Borders are shared, and paths with their borders reach too far beyond the patch.
    TooWide {
        /// How far they reach, in world units.
        reach: f64,
        /// How far they may.
        most: f64,
    },
    /// Borders are shared, and an edge or a node is wider than all may be.
    SharedWidth {
        /// The widest.
        widest: f64,
        /// What it may be.
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

/// Why a map is no neighbour of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// Its samples have another spacing.
    Spacing,
    /// Its samples lie between the patch's.
    Between,
    /// It lies beside the patch and shares no sample of its border.
    Apart,
}

/// A sample of a map whose number cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct BadSample {
    /// What the map stands for, as a parameter is called.
    pub name: &'static str,
    /// What is there.
    pub value: f32,
    /// Column and row.
    pub at: (usize, usize),
    /// World x and y.
    pub place: (f64, f64),
    /// What was expected.
    pub expected: &'static str,
}

impl BadSample {
    /// At a sample in row order.
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
