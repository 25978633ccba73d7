//! The smooth stitch, by brute force.

use super::{Edge, distance, dot, edges_of, far, moves, nearest, nearness, point, slope, sub};
use crate::stitch::tests::worlds::World;
use crate::stitch::{NONE, Stitch};

/// From 0 at 0 to 1 at 1, level at both.
fn step(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    3.0 * x * x - 2.0 * x * x * x
}

/// A border of a field: edges in a row to one other field, the way the field's ring goes.
struct Border<'a> {
    edges: Vec<&'a Edge>,
    length: f64,
    steps: i64,
    closed: bool,
    /// At each station half of the way to the other field, and what the fields around add.
    moves: Vec<[f64; 2]>,
}

impl<'a> Border<'a> {
    /// The border that an edge is of, and how far along it the edge begins. `everywhere` are all fields' edges.
    fn of(
        edge: &'a Edge,
        own: &'a [Edge],
        everywhere: &[Vec<Edge>],
        world: &World,
        reach: f64,
    ) -> (Self, f64) {
        // Where only two edges between fields meet, each being there once for each of its fields.
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
        let mut border = Self { edges, length, steps, closed, moves: Vec::new() };
        border.moves = (0..=steps).map(|station| border.at(station, world, everywhere, reach)).collect();
        (border, begins)
    }

    fn at(&self, station: i64, world: &World, everywhere: &[Vec<Edge>], reach: f64) -> [f64; 2] {
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
        moves(world, everywhere, found, q, reach)
    }

    fn between_ends(&self, part: f64) -> [f64; 2] {
        let (first, last) = (self.moves[0], self.moves[self.steps as usize]);
        [0, 1].map(|i| if self.closed { 0.0 } else { first[i] + (last[i] - first[i]) * step(part) })
    }

    /// What the way from end to end leaves, smoothed so many times, each time twice as widely; around where the border is closed, else 0 beyond the ends
    /// and so many stations.
    fn rest(&self, station: i64, times: u32, beyond: i64) -> [f64; 2] {
        let station = if self.closed { station.rem_euclid(self.steps) } else { station };
        if station < -beyond || station > self.steps + beyond {
            return [0.0; 2];
        }
        if times == 0 {
            if !(0..=self.steps).contains(&station) {
                return [0.0; 2];
            }
            let (all, even) =
                (self.moves[station as usize], self.between_ends(station as f64 / self.steps as f64));
            return [all[0] - even[0], all[1] - even[1]];
        }
        let by = 1 << (times - 1);
        let mut sum = [0.0; 2];
        for (weight, by) in [(1.0, -4), (4.0, -2), (6.0, 0), (4.0, 2), (1.0, 4)].map(|(w, b)| (w, b * by)) {
            let part = self.rest(station + by, times - 1, beyond);
            sum = [sum[0] + weight / 16.0 * part[0], sum[1] + weight / 16.0 * part[1]];
        }
        sum
    }
}

/// Every sample's height by the smooth stitch, where all fields share alike.
pub fn smooth(world: &World, parameters: &Stitch<'_>) -> Vec<f64> {
    let (ids, reach, spacing) = (world.ids(), parameters.distance, world.domain.spacing);
    let fields = world.outlines.len();
    let edges: Vec<Vec<Edge>> = (0..fields).map(|field| edges_of(world, field)).collect();
    let borders: Vec<Vec<_>> = edges
        .iter()
        .map(|own| own.iter().map(|edge| Border::of(edge, own, &edges, world, reach)).collect())
        .collect();
    let sample = |index: usize| {
        let (column, row) = (index % world.domain.width(), index / world.domain.width());
        let p = (world.domain.x(column), world.domain.y(row));
        let field = ids[(column, row)];
        if field == NONE {
            return f64::from(parameters.outside);
        }
        let terrain = f64::from(world.terrains[field as usize][(column, row)]);
        let (mut near, mut half, mut more) = ([0.0; 2], 0.0, 0.0);
        for (edge, (border, begins)) in edges[field as usize].iter().zip(&borders[field as usize]) {
            let [a, b] = edge.ends;
            let along = begins + dot(sub(p, a), sub(b, a)) / distance(a, b);
            let apart = nearest(edge.ends, p).1;
            if apart >= reach {
                continue;
            }
            let octave = libm::log2(1.0 + apart / spacing).floor();
            let within = (1.0 + apart / spacing) / libm::exp2(octave) - 1.0;
            let place = along / border.length * border.steps as f64;
            let first = place.floor() as i64;
            let beyond = (reach / (border.length / border.steps as f64)).ceil() as i64 + 2;
            let smoothed = |station: i64, i: usize| {
                let levels = [(octave - 1.0).max(0.0), octave, octave + 1.0];
                let [low, here, high] = levels.map(|times| border.rest(station, times as u32, beyond)[i]);
                0.5 * (low + here) + within * (here - low) + 0.5 * within * within * (low - 2.0 * here + high)
            };
            let even = border.between_ends(along / border.length);
            let on = |i: usize| {
                even[i]
                    + smoothed(first, i)
                    + (smoothed(first + 1, i) - smoothed(first, i)) * (place - first as f64)
            };
            let Some(part) = nearness(edge.ends, p, reach) else { return terrain + on(0) + on(1) };
            near = [near[0] + part[0], near[1] + part[1]];
            half += part[0] * on(0);
            more += part[0] * on(1);
        }
        let x = far(near);
        // Of no bend between two fields alike; what others add is level at the edge.
        if x < 1.0 { terrain + (slope(x) * half + (1.0 - step(x)) * more) / near[0] } else { terrain }
    };
    (0..world.domain.len()).map(sample).collect()
}
