//! Edges between two fields, and how fields move there.

use terrane_grid::{Domain, PlanarGraph};

use super::line::Line;
use super::outline::{Outline, Point, edges};
use super::parameters::Stitch;
use super::terrain::Terrain;

/// An edge between two fields.
#[derive(Clone, Debug)]
pub struct Seam {
    pub nodes: [u32; 2],
    pub line: Line,
    /// The field on the left, then that on the right.
    pub sides: [Side; 2],
}

/// A field's side of a seam.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub field: u32,
    /// Distance from the seam within which the field may change.
    pub distance: f64,
    /// Fraction of the difference by which it moves, in [0, 1].
    pub part: f64,
    /// Its share of moves, relative to other fields.
    pub share: f64,
}

impl Seam {
    /// The distance at which its fields affect others: the smaller of both.
    pub fn reach(&self) -> f64 {
        self.sides[0].distance.min(self.sides[1].distance)
    }

    /// Whether both sides have the same distance and the same share.
    pub fn has_equal_sides(&self) -> bool {
        self.sides[0].distance == self.sides[1].distance && self.sides[0].share == self.sides[1].share
    }
}

/// One side of one seam, as a single number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeamSide(u32);

impl SeamSide {
    /// No side: its seam's number is larger than that of any seam.
    pub const NONE: Self = Self(u32::MAX);

    /// The side with this position among the sides of all seams, in order: the left side of the first seam,
    /// its right side, the left side of the second seam, and so on.
    pub const fn at(position: u32) -> Self {
        Self(position)
    }

    /// The number of the seam.
    pub const fn seam(self) -> usize {
        self.0 as usize / 2
    }

    /// The side: 0 for the left, 1 for the right.
    pub const fn side(self) -> usize {
        self.0 as usize % 2
    }
}

/// An edge between a field and the outside.
#[derive(Clone, Copy, Debug)]
pub struct Shore {
    pub line: Line,
    pub field: u32,
    /// The side of the line that the field is on.
    pub side: usize,
    /// Distance from the edge within which the field would change.
    pub distance: f64,
}

/// All seams, in an order that depends only on positions.
pub fn seams(graph: &PlanarGraph, outlines: &[Outline], stitch: &Stitch<'_>) -> Vec<Seam> {
    borders(graph, outlines, stitch).0
}

/// All seams and all shores, in an order that depends only on positions.
pub fn borders(graph: &PlanarGraph, outlines: &[Outline], stitch: &Stitch<'_>) -> (Vec<Seam>, Vec<Shore>) {
    let distances = Distances::new(graph, stitch);
    let (mut seams, mut shores) = (Vec::new(), Vec::new());
    for edge in edges(graph, outlines) {
        let Some(line) = Line::new(edge.ends) else { continue };
        match edge.fields {
            [Some(left), Some(right)] => {
                let shares = [left, right].map(|field| stitch.share(field));
                let all = shares[0] + shares[1];
                let side = |field: u32, own: f64| Side {
                    field,
                    distance: distances.of(edge.nodes, field),
                    part: if all > 0.0 { own / all } else { 0.0 },
                    share: own,
                };
                let sides = [side(left, shares[0]), side(right, shares[1])];
                seams.push(Seam { nodes: edge.nodes, line, sides });
            }
            [Some(field), None] => {
                shores.push(Shore { line, field, side: 0, distance: distances.of(edge.nodes, field) });
            }
            [None, Some(field)] => {
                shores.push(Shore { line, field, side: 1, distance: distances.of(edge.nodes, field) });
            }
            [None, None] => {}
        }
    }
    (seams, shores)
}

/// Distances from edges within which fields change.
struct Distances<'a> {
    stitch: &'a Stitch<'a>,
    /// Distances of individual edges, by their nodes.
    own: Vec<([u32; 2], f64)>,
}

impl<'a> Distances<'a> {
    fn new(graph: &PlanarGraph, stitch: &'a Stitch<'a>) -> Self {
        let named = |&(a, b): &(u32, u32)| [a.min(b), a.max(b)];
        let edges = graph.edges.iter().map(named).zip(stitch.edge_distances.iter().copied());
        let mut own: Vec<([u32; 2], f64)> = edges.filter_map(|(n, d)| Some((n, d?))).collect();
        // If an edge is given twice, the smaller distance applies.
        own.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        Self { stitch, own }
    }

    fn of(&self, [a, b]: [u32; 2], field: u32) -> f64 {
        let nodes = [a.min(b), a.max(b)];
        let first = self.own.partition_point(|(named, _)| *named < nodes);
        let given = self.own.get(first).filter(|(named, _)| *named == nodes).map(|&(_, distance)| distance);
        finite(given.unwrap_or_else(|| self.stitch.distance_of(field))).max(0.0)
    }
}

/// The points of a seam or border where both terrains are compared: evenly spaced, including both ends, no
/// farther apart than half a sample. Values are linear in between.
#[derive(Clone, Copy, Debug)]
pub struct Stations {
    pub count: usize,
    pub step: f64,
}

impl Stations {
    pub fn along(length: f64, spacing: f64) -> Self {
        let steps = libm::ceil(2.0 * length / spacing).clamp(1.0, 1e9);
        Self { count: steps as usize + 1, step: length / steps }
    }

    /// The stations of a seam: distance along it and position; the last one exactly at the end.
    pub fn points(self, seam: &Seam) -> impl Iterator<Item = (f64, Point)> {
        (0..self.count).map(move |station| {
            let along = station as f64 * self.step;
            if station + 1 == self.count {
                (seam.line.length, seam.line.ends[1])
            } else {
                (along, seam.line.point(along))
            }
        })
    }
}

/// The common input of all methods.
pub struct Plan<'a> {
    pub seams: Vec<Seam>,
    pub shores: Vec<Shore>,
    pub terrains: Vec<Terrain<'a>>,
    pub spacing: f64,
    /// The maximum distance within which any field changes.
    pub reach: f64,
}

impl Plan<'_> {
    /// A sample farther behind a line than this does not lie on it.
    pub fn behind(&self) -> f64 {
        -1e-9 * self.spacing
    }

    /// A field's side of a seam.
    pub fn side(&self, of: SeamSide) -> &Side {
        &self.seams[of.seam()].sides[of.side()]
    }

    /// Both fields' heights at a point of a seam.
    pub fn heights(&self, seam: &Seam, at: Point) -> [f64; 2] {
        seam.sides.map(|side| self.terrains[side.field as usize].at(at))
    }

    /// Whether a seam can affect any sample of a domain.
    pub fn matters(&self, seam: &Seam, domain: &Domain) -> bool {
        let [a, b] = seam.line.ends;
        let reach = seam.sides[0].distance.max(seam.sides[1].distance) + domain.spacing;
        let (extent, origin) = (domain.extent(), domain.origin);
        let meet = |a: f64, b: f64, low: f64, extent: f64| {
            a.max(b) + reach >= low && a.min(b) - reach <= low + extent
        };
        meet(a.0, b.0, origin.0, extent.0) && meet(a.1, b.1, origin.1, extent.1)
    }
}

/// The number, or 0 if it is not finite: terrain that is not a number has nothing to meet.
pub fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}
