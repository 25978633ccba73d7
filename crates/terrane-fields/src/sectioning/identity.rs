//! Identities of fields by position, which key random draws.

use terrane_grid::{PlanarGraph, Seed};

use super::{Ring, Sections};

/// Cell sizes change at lengths of a power of two times this number. Graphs rarely have such sizes, so
/// rounding rarely decides the cell size.
const SIZES: f64 = 1.3;
/// Side of a cell relative to the smallest length that uses it.
const CELL: f64 = 0.75;
/// Offset of the cells, in cells: graphs with round numbers rarely have field centres at such positions.
const SHIFT: f64 = 0.381_966_011_250_105_1;

/// A number for each field that depends on the field's position. It is a hash of the cell of a square lattice
/// that contains the centre of the field's outer ring, and of the lattice's size.
///
/// The side of a cell is 0.975 times a power of two: the largest such number that is at most three quarters
/// of the ring's area over its perimeter. The field's number depends only on the ring: not on other fields,
/// holes, the order of nodes and edges, nodes in the middle of straight edges, or a window of the world. A
/// ring that changes keeps its number as long as its centre stays in the cell. For a hexagon, cells are a
/// twelfth to a sixth as wide as the field.
///
/// Two convex fields never share a number: their centres are at least two thirds of the sum of both lengths
/// (area over perimeter) apart. Other fields may share a number, because one surrounds the other. Then the
/// exact area of each ring is mixed into its number and, if numbers are still equal, the position of the
/// ring's first node. O(nodes · log).
#[must_use]
pub fn identities(graph: &PlanarGraph, sections: &Sections) -> Vec<u64> {
    let mut found: Vec<u64> =
        sections.fields.iter().map(|field| Measures::of(&field.ring, graph).identity()).collect();
    for round in 0..2 {
        for field in twice(&found) {
            let ring = &sections.fields[field as usize].ring;
            let own = &mut found[field as usize];
            *own = match (round, ring.nodes.first()) {
                (0, _) => Seed(*own).mixed(ring.area(graph).to_bits()).0,
                (_, Some(&node)) => {
                    let (x, y) = graph.nodes[node as usize];
                    Seed(*own).mixed(x.to_bits()).mixed(y.to_bits()).0
                }
                (_, None) => *own,
            };
        }
    }
    found
}

/// Fields whose number is not unique.
fn twice(found: &[u64]) -> Vec<u32> {
    let mut sorted: Vec<(u64, u32)> = found.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    let shared = sorted.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1);
    shared.flatten().map(|&(_, field)| field).collect()
}

/// The measures that determine a ring's identity.
struct Measures {
    area: f64,
    perimeter: f64,
    centre: (f64, f64),
}

impl Measures {
    fn of(ring: &Ring, graph: &PlanarGraph) -> Self {
        let Some(&first) = ring.nodes.first() else {
            return Self { area: 0.0, perimeter: 0.0, centre: (0.0, 0.0) };
        };
        let from = graph.nodes[first as usize];
        let position = |node: u32| {
            let (x, y) = graph.nodes[node as usize];
            (x - from.0, y - from.1)
        };
        let (mut twice, mut moment, mut perimeter) = (0.0, (0.0, 0.0), 0.0);
        for (&node, &next) in ring.nodes.iter().zip(ring.nodes.iter().cycle().skip(1)) {
            let ((ax, ay), (bx, by)) = (position(node), position(next));
            let cross = ax * by - ay * bx;
            twice += cross;
            moment = (moment.0 + (ax + bx) * cross, moment.1 + (ay + by) * cross);
            perimeter += ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)).sqrt();
        }
        let centre = (from.0 + moment.0 / (3.0 * twice), from.1 + moment.1 / (3.0 * twice));
        Self { area: twice / 2.0, perimeter, centre }
    }

    fn identity(&self) -> u64 {
        let length = self.area / self.perimeter;
        // If numbers overflow, what remains of them decides.
        let level = libm::floor(libm::log2(length / SIZES));
        let cell = SIZES * CELL * libm::exp2(level);
        let along = |position: f64| libm::floor(position / cell + SHIFT);
        let parts = [level, along(self.centre.0), along(self.centre.1)];
        // Normalises the sign of zero and the representation of not-a-number.
        let bits = |part: f64| if part.is_nan() { f64::NAN.to_bits() } else { (part + 0.0).to_bits() };
        parts.into_iter().fold(Seed(0), |seed, part| seed.mixed(bits(part))).0
    }
}
