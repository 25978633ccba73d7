//! Heights along borders, by brute force.

use super::{Edge, bilinear, distance, point};
use crate::stitch::tests::worlds::World;

/// A border of a field: consecutive edges to one other field, in the direction of the field's ring.
pub struct Border<'a> {
    edges: Vec<&'a Edge>,
    length: f64,
    steps: i64,
    closed: bool,
    /// The field's height at each station.
    heights: Vec<f64>,
}

impl<'a> Border<'a> {
    /// The border of an edge, and the edge's start along it. `everywhere` holds all fields' edges.
    pub fn of(edge: &'a Edge, own: &'a [Edge], everywhere: &[Vec<Edge>], world: &World) -> (Self, f64) {
        // Where only two edges between fields meet, each occurring once for each of its fields.
        let goes_on =
            |node: u32| everywhere.iter().flatten().filter(|edge| edge.nodes.contains(&node)).count() == 4;
        let next = |edge: &Edge| {
            own.iter().find(|next| {
                next.nodes[0] == edge.nodes[1] && next.fields == edge.fields && goes_on(edge.nodes[1])
            })
        };
        let before = |edge: &Edge| {
            own.iter().find(|before| {
                before.nodes[1] == edge.nodes[0] && before.fields == edge.fields && goes_on(edge.nodes[0])
            })
        };
        let (mut first, mut closed) = (edge, false);
        while let Some(edge_before) = before(first) {
            first = edge_before;
            if std::ptr::eq(first, edge) {
                closed = true;
                break;
            }
        }
        let mut edges = vec![first];
        while let Some(after) = next(edges[edges.len() - 1]).filter(|after| !std::ptr::eq(*after, first)) {
            edges.push(after);
        }
        if closed {
            let least = |edge: &&Edge| edge.ends[0];
            let at =
                (0..edges.len()).min_by(|a, b| least(&edges[*a]).partial_cmp(&least(&edges[*b])).unwrap());
            edges.rotate_left(at.unwrap());
        }
        let lengths = edges.iter().map(|edge| distance(edge.ends[0], edge.ends[1]));
        let length: f64 = lengths.clone().sum();
        let begins = lengths
            .zip(&edges)
            .take_while(|(_, other)| !std::ptr::eq(**other, edge))
            .map(|(length, _)| length)
            .sum();
        let steps = (2.0 * length / world.domain.spacing).ceil() as i64;
        let mut border = Self { edges, length, steps, closed, heights: Vec::new() };
        border.heights = (0..=steps).map(|station| border.at(station, world)).collect();
        (border, begins)
    }

    fn at(&self, station: i64, world: &World) -> f64 {
        let mut along = station as f64 / self.steps as f64 * self.length;
        let mut found = self.edges[0];
        for next in &self.edges[1..] {
            let length = distance(found.ends[0], found.ends[1]);
            if along <= length {
                break;
            }
            (found, along) = (next, along - length);
        }
        let q = match station {
            0 => self.edges[0].ends[0],
            last if last == self.steps => found.ends[1],
            _ => point(found.ends, (along / distance(found.ends[0], found.ends[1])).min(1.0)),
        };
        f64::from(bilinear(world, found.fields[0], q) as f32)
    }

    /// The value at a station; it repeats beyond the ends, or continues around a closed border.
    fn station(&self, station: i64) -> f64 {
        let station = if self.closed { station.rem_euclid(self.steps) } else { station.clamp(0, self.steps) };
        self.heights[station as usize]
    }

    /// The mean around a station by a cubic B-spline, as four boxes of this many stations.
    fn smoothed(&self, station: i64, wide: i64) -> f64 {
        let mut weights = vec![1.0];
        for _ in 0..4 {
            let before = weights;
            weights = vec![0.0; before.len() + wide as usize - 1];
            for (at, weight) in before.iter().enumerate() {
                weights[at..at + wide as usize].iter_mut().for_each(|sum| *sum += weight / wide as f64);
            }
        }
        let first = station - 2 * (wide - 1);
        weights.iter().zip(first..).map(|(weight, station)| weight * self.station(station)).sum()
    }

    /// The field's height at a distance along, smoothed to a width in world units.
    pub fn height(&self, along: f64, width: f64) -> f64 {
        // Boxes of 1, 2, 3, 4, 6, 8, 12 and so on stations.
        let wide = |rung: i64| match rung {
            ..=0 => 1,
            rung if rung % 2 == 1 => 2i64 << (rung / 2),
            rung => 3i64 << (rung / 2 - 1),
        };
        let boxes = 1.0 + width / (self.length / self.steps as f64);
        let rung = (0..).find(|&rung| wide(rung + 1) as f64 > boxes).unwrap();
        let [low, high] = [wide(rung), wide(rung + 1)].map(|wide| wide as f64);
        let within = (boxes - low) / (high - low);
        let position = along / self.length * self.steps as f64;
        let first = position.floor() as i64;
        let at = |station: i64| {
            let [low, here, high] = [rung - 1, rung, rung + 1].map(|rung| self.smoothed(station, wide(rung)));
            0.5 * (low + here) + within * (here - low) + 0.5 * within * within * (low - 2.0 * here + high)
        };
        let (a, b) = (at(first), at(first + 1));
        a + (b - a) * (position - first as f64)
    }
}
