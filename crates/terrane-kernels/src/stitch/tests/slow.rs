//! Both stitches, one sample at a time and by brute force.

use super::worlds::World;
use crate::stitch::{NONE, Stitch};

type Point = (f64, f64);

struct Edge {
    ends: [Point; 2],
    nodes: [u32; 2],
    /// The field asked about, then the other.
    fields: [usize; 2],
}

fn sub(a: Point, b: Point) -> Point {
    (a.0 - b.0, a.1 - b.1)
}

fn dot(a: Point, b: Point) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

fn distance(a: Point, b: Point) -> f64 {
    dot(sub(a, b), sub(a, b)).sqrt()
}

/// How far along an edge, in parts of it, its nearest point to `p` is, and how far from `p`.
fn nearest(ends: [Point; 2], p: Point) -> (f64, f64) {
    let along = sub(ends[1], ends[0]);
    let t = (dot(sub(p, ends[0]), along) / dot(along, along)).clamp(0.0, 1.0);
    (t, distance(p, point(ends, t)))
}

fn point(ends: [Point; 2], t: f64) -> Point {
    (ends[0].0 + t * (ends[1].0 - ends[0].0), ends[0].1 + t * (ends[1].1 - ends[0].1))
}

fn pairs(ring: &[u32]) -> Vec<[u32; 2]> {
    (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]).collect()
}

/// A field's edges to others, walked so that the field is on the left (x × y positive); rings must be walked so.
fn edges_of(world: &World, field: usize) -> Vec<Edge> {
    let mut edges = Vec::new();
    for [a, b] in world.outlines[field].rings.iter().flat_map(|ring| pairs(ring)) {
        for (other, outline) in world.outlines.iter().enumerate() {
            if other != field && outline.rings.iter().any(|ring| pairs(ring).contains(&[b, a])) {
                let ends = [a, b].map(|node| world.graph.nodes[node as usize]);
                edges.push(Edge { ends, nodes: [a, b], fields: [field, other] });
            }
        }
    }
    edges
}

fn bilinear(world: &World, field: usize, p: Point) -> f64 {
    let map = &world.terrains[field];
    let (u, v) = (p.0 / map.spacing(), p.1 / map.spacing());
    let (i, j) = ((u as usize).min(map.width() - 2), (v as usize).min(map.height() - 2));
    let (s, t) = (u - i as f64, v - j as f64);
    let h = |i, j| f64::from(map[(i, j)]);
    (h(i, j) * (1.0 - s) + h(i + 1, j) * s) * (1.0 - t) + (h(i, j + 1) * (1.0 - s) + h(i + 1, j + 1) * s) * t
}

/// The integrals of ρ⁻³ and ρ⁻⁵ along an edge, less their polynomials, by the textbook; `None` on the edge.
fn nearness(ends: [Point; 2], p: Point, reach: f64) -> Option<[f64; 2]> {
    if nearest(ends, p).1 < 1e-9 * reach {
        return None;
    }
    let length = distance(ends[0], ends[1]);
    let along = dot(sub(p, ends[0]), sub(ends[1], ends[0])) / length;
    let cross = (ends[1].0 - ends[0].0) * (p.1 - ends[0].1) - (ends[1].1 - ends[0].1) * (p.0 - ends[0].0);
    let off = (cross / length / reach).abs();
    let half = (1.0 - off * off).max(0.0).sqrt();
    let [a, b] = [(-along / reach).max(-half), ((length - along) / reach).min(half)];
    if a >= b {
        return Some([0.0; 2]);
    }
    // Beyond an end the antiderivatives' difference is next to nothing: by Simpson's rule there, over even steps of the logarithm.
    let [low, high] = if a > 0.0 { [a, b] } else { [-b, -a] };
    if low > off {
        let range = libm::log(high / low);
        let count = 2 * (range * 40.0).ceil() as i32;
        let step = range / f64::from(count);
        let mut sum = [0.0; 2];
        for i in 0..=count {
            let x = low * libm::exp(step * f64::from(i));
            let weight =
                if i == 0 || i == count { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) } * step / 3.0 * x;
            let square = x * x + off * off;
            let root = square.sqrt();
            sum[0] += weight * (1.0 / (square * root) - 2.5 + 1.5 * square);
            sum[1] += weight * (1.0 / (square * square * root) - 3.5 + 2.5 * square);
        }
        return Some(sum);
    }
    let upto = |x: f64| {
        let (sine, cube) = (x / (x * x + off * off).sqrt(), x * x * x / 3.0 + off * off * x);
        let [third, fifth] =
            [sine / (off * off), (sine - sine * sine * sine / 3.0) / (off * off * off * off)];
        [third - 2.5 * x + 1.5 * cube, fifth - 3.5 * x + 2.5 * cube]
    };
    let (a, b) = (upto(a), upto(b));
    Some([b[0] - a[0], b[1] - a[1]])
}

/// How far all of a border is, as a part of the reach.
fn far([third, fifth]: [f64; 2]) -> f64 {
    if third > 1e-13 && fifth > 1e-13 {
        (2.0 * third / (3.0 * fifth - 5.0 * third)).sqrt().min(1.0)
    } else {
        1.0
    }
}

fn slope(x: f64) -> f64 {
    1.0 - 1.5 * x + 0.5 * x * x * x
}

/// Straight for three quarters, then a parabola to a level end.
fn ramp(x: f64) -> f64 {
    if x < 0.75 { 1.0 - x / 0.875 } else { 2.0 * (1.0 - x) * (1.0 - x) / 0.875 }
}

/// Half of the way to the other field at a point of an edge, and what the fields around add.
fn moves(world: &World, everywhere: &[Vec<Edge>], edge: &Edge, q: Point, reach: f64) -> [f64; 2] {
    let [own, other] = edge.fields.map(|field| bilinear(world, field, q));
    let (mut sum, mut weights) = (0.0, 1.0);
    for (third, edges) in everywhere.iter().enumerate().filter(|(third, _)| !edge.fields.contains(third)) {
        let (mut near, mut heights, mut there) = ([0.0; 2], 0.0, false);
        for edge in edges {
            match nearness(edge.ends, q, reach) {
                None => there = true,
                Some(part) => {
                    near = [near[0] + part[0], near[1] + part[1]];
                    heights += part[0] * bilinear(world, third, point(edge.ends, nearest(edge.ends, q).0));
                }
            }
        }
        let (part, height) = match there {
            true => (1.0, bilinear(world, third, q)),
            false if near[0] > 0.0 => (ramp(far(near)), heights / near[0]),
            false => continue,
        };
        sum += 0.5 * part * (height - 0.5 * (own + other));
        weights += 0.5 * part;
    }
    [0.5 * (other - own), sum / weights]
}

/// The radius of the greatest circle that touches an edge from inside and crosses no other of the field, by bisection.
fn greatest_circle(edges: &[Edge], own: usize, at: Point, reach: f64) -> f64 {
    let [a, b] = edges[own].ends;
    let along = sub(b, a);
    let length = dot(along, along).sqrt();
    let inward = (-along.1 / length, along.0 / length);
    let fits = |radius: f64| {
        let middle = (at.0 + radius * inward.0, at.1 + radius * inward.1);
        let others = edges.iter().enumerate().filter(|&(other, _)| other != own);
        others.into_iter().all(|(_, edge)| nearest(edge.ends, middle).1 >= radius * (1.0 - 1e-13))
    };
    if fits(reach) {
        return reach;
    }
    let (mut low, mut high) = (0.0, reach);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

/// Every sample's height where all fields share alike.
pub fn linear(world: &World, parameters: &Stitch<'_>) -> Vec<f64> {
    let (ids, reach, spacing) = (world.ids(), parameters.distance, world.domain.spacing);
    let fields = world.outlines.len();
    let edges: Vec<Vec<Edge>> = (0..fields).map(|field| edges_of(world, field)).collect();
    // What moves with an edge alone, Maximum Distance and the rest, at a point of it.
    let at = |own: &[Edge], which: usize, q: Point| {
        let apart = |q: Point| {
            let others = own.iter().enumerate().filter(|&(other, _)| other != which);
            others.map(|(_, edge)| nearest(edge.ends, q).1).fold(2.0 * reach, f64::min)
        };
        let room = |end: Point| {
            let free = own.iter().filter(|edge| edge.ends.contains(&end)).count() == 1;
            if free { apart(end) / 2.0 + distance(end, q) } else { f64::INFINITY }
        };
        let [a, b] = own[which].ends.map(room);
        let most = greatest_circle(own, which, q, reach).min(a).min(b);
        let [half, more] = moves(world, &edges, &own[which], q, reach);
        let part = apart(q).min(most) / reach;
        [half * part, most, half * (1.0 - part) + more]
    };
    let sample = |index: usize| {
        let (column, row) = (index % world.domain.width(), index / world.domain.width());
        let p = (world.domain.x(column), world.domain.y(row));
        let field = ids[(column, row)];
        if field == NONE {
            return f64::from(parameters.outside);
        }
        let own = &edges[field as usize];
        let terrain = f64::from(world.terrains[field as usize][(column, row)]);
        let nearest_of = |which: usize| nearest(own[which].ends, p);
        // Stations no farther apart than half a sample, straight between them.
        let between = |which: usize| {
            let (Edge { ends, .. }, t) = (&own[which], nearest_of(which).0);
            let steps = (2.0 * distance(ends[0], ends[1]) / spacing).ceil();
            let first = (t * steps).floor().min(steps - 1.0);
            let [low, high] =
                [first, first + 1.0].map(|station| at(own, which, point(*ends, station / steps)));
            [0, 1, 2].map(|i| low[i] + (high[i] - low[i]) * (t * steps - first))
        };
        let by_distance = |a: &usize, b: &usize| nearest_of(*a).1.total_cmp(&nearest_of(*b).1);
        let Some(which) = (0..own.len()).min_by(by_distance) else { return terrain };
        let apart = nearest_of(which).1;
        if apart >= reach {
            return terrain;
        }
        let [alone, most, shared] = between(which);
        let alone = if apart < most { alone * (1.0 - apart / most) } else { 0.0 };
        let (mut sum, mut weights) = (0.0, 0.0);
        for other in 0..own.len() {
            match nearness(own[other].ends, p, reach) {
                None => return terrain + alone + shared,
                Some([weight, _]) if weight > 0.0 => {
                    sum += weight * between(other)[2];
                    weights += weight;
                }
                Some(_) => {}
            }
        }
        terrain + alone + sum / weights * (1.0 - apart / reach)
    };
    (0..world.domain.len()).map(sample).collect()
}

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

/// How far a point of a field is from the field's nearest seam; infinitely far where it has none.
pub fn to_seam(world: &World, field: u32, p: Point) -> f64 {
    if field == NONE {
        return f64::INFINITY;
    }
    edges_of(world, field as usize).iter().map(|edge| nearest(edge.ends, p).1).fold(f64::INFINITY, f64::min)
}
