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

/// Nodes of a field where it meets others, and how much it moves there and how far.
fn pinches(world: &World, field: usize, reach: f64) -> Vec<(Point, f64, f64)> {
    let all: Vec<Vec<Edge>> = (0..world.outlines.len()).map(|field| edges_of(world, field)).collect();
    let mut nodes: Vec<u32> = all[field].iter().flat_map(|edge| edge.nodes).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let place = |node: u32| world.graph.nodes[node as usize];
    let pinch = |&node: &u32| {
        let meeting =
            all.iter().enumerate().filter(|(_, edges)| edges.iter().any(|edge| edge.nodes.contains(&node)));
        let heights: Vec<f64> = meeting.map(|(field, _)| bilinear(world, field, place(node))).collect();
        let mean = heights.iter().sum::<f64>() / heights.len() as f64;
        let others =
            nodes.iter().filter(|&&other| other != node).map(|&other| distance(place(other), place(node)));
        (place(node), mean - bilinear(world, field, place(node)), others.fold(reach, f64::min))
    };
    nodes.iter().map(pinch).collect()
}

/// By what nodes change a field at a point.
fn pinched(pinches: &[(Point, f64, f64)], p: Point) -> f64 {
    pinches.iter().map(|&(at, change, radius)| change * (1.0 - distance(at, p) / radius).max(0.0)).sum()
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
        others.into_iter().all(|(_, edge)| nearest(edge.ends, middle).1 >= radius * (1.0 - 1e-10))
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

/// Every sample's height.
pub fn linear(world: &World, parameters: &Stitch<'_>) -> Vec<f64> {
    let (ids, reach, spacing) = (world.ids(), parameters.distance, world.domain.spacing);
    let fields = world.outlines.len();
    let edges: Vec<Vec<Edge>> = (0..fields).map(|field| edges_of(world, field)).collect();
    let pinches: Vec<_> = (0..fields).map(|field| pinches(world, field, reach)).collect();
    let sample = |index: usize| {
        let (column, row) = (index % world.domain.width(), index / world.domain.width());
        let p = (world.domain.x(column), world.domain.y(row));
        let field = ids[(column, row)];
        if field == NONE {
            return f64::from(parameters.outside);
        }
        let own = &edges[field as usize];
        let terrain =
            f64::from(world.terrains[field as usize][(column, row)]) + pinched(&pinches[field as usize], p);
        let by_distance =
            |a: &usize, b: &usize| nearest(own[*a].ends, p).1.total_cmp(&nearest(own[*b].ends, p).1);
        let Some(which) = (0..own.len()).min_by(by_distance) else { return terrain };
        let Edge { ends, fields: [a, b], .. } = own[which];
        let (t, apart) = nearest(ends, p);
        // Stations no farther apart than half a sample, straight between them.
        let steps = (2.0 * distance(ends[0], ends[1]) / spacing).ceil();
        let first = (t * steps).floor().min(steps - 1.0);
        let between = |of: &dyn Fn(Point) -> f64| {
            let (low, high) = (of(point(ends, first / steps)), of(point(ends, (first + 1.0) / steps)));
            low + (high - low) * (t * steps - first)
        };
        let difference = between(&|q| {
            bilinear(world, b, q) + pinched(&pinches[b], q) - bilinear(world, a, q) - pinched(&pinches[a], q)
        });
        let most = between(&|q| greatest_circle(own, which, q, reach));
        let weight = if apart < most { 1.0 - apart / most } else { 0.0 };
        terrain + 0.5 * difference * weight
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
    world: &'a World,
    edges: Vec<&'a Edge>,
    length: f64,
    steps: i64,
    closed: bool,
}

impl<'a> Border<'a> {
    /// The border that an edge is of, and how far along it the edge begins. `everywhere` are all fields' edges.
    fn of(world: &'a World, edge: &'a Edge, own: &'a [Edge], everywhere: &[Vec<Edge>]) -> (Self, f64) {
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
        (Self { world, edges, length, steps, closed }, begins)
    }

    /// Half of the way to the other field, at a station.
    fn at(&self, station: i64) -> f64 {
        let mut along = station as f64 / self.steps as f64 * self.length;
        let mut found = self.edges[0];
        for next in &self.edges[1..] {
            let length = distance(found.ends[0], found.ends[1]);
            if along <= length {
                break;
            }
            (found, along) = (next, along - length);
        }
        let q = point(found.ends, (along / distance(found.ends[0], found.ends[1])).min(1.0));
        let [own, other] = found.fields;
        0.5 * (bilinear(self.world, other, q) - bilinear(self.world, own, q))
    }

    fn between_ends(&self, part: f64) -> f64 {
        if self.closed { 0.0 } else { self.at(0) + (self.at(self.steps) - self.at(0)) * step(part) }
    }

    /// What the way from end to end leaves, smoothed so many times, each time twice as widely; around where the border is closed, else 0 beyond the ends
    /// and so many stations.
    fn rest(&self, station: i64, times: u32, beyond: i64) -> f64 {
        let station = if self.closed { station.rem_euclid(self.steps) } else { station };
        if station < -beyond || station > self.steps + beyond {
            return 0.0;
        }
        if times == 0 {
            let within = (0..=self.steps).contains(&station);
            let part = station as f64 / self.steps as f64;
            return if within { self.at(station) - self.between_ends(part) } else { 0.0 };
        }
        let apart = 1 << times;
        [(0, 6.0), (-apart, 4.0), (apart, 4.0), (-2 * apart, 1.0), (2 * apart, 1.0)]
            .iter()
            .map(|&(by, weight)| weight / 16.0 * self.rest(station + by, times - 1, beyond))
            .sum()
    }
}

/// Every sample's height by the smooth stitch, where all fields share alike.
pub fn smooth(world: &World, parameters: &Stitch<'_>) -> Vec<f64> {
    let (ids, reach, spacing) = (world.ids(), parameters.distance, world.domain.spacing);
    let fields = world.outlines.len();
    let edges: Vec<Vec<Edge>> = (0..fields).map(|field| edges_of(world, field)).collect();
    let pinches: Vec<_> = (0..fields).map(|field| pinches(world, field, reach)).collect();
    let tiny = 1e-6 * spacing;
    let sample = |index: usize| {
        let (column, row) = (index % world.domain.width(), index / world.domain.width());
        let p = (world.domain.x(column), world.domain.y(row));
        let field = ids[(column, row)];
        if field == NONE {
            return f64::from(parameters.outside);
        }
        let own = &edges[field as usize];
        let (mut sum, mut weights, mut unseen) = (0.0, 0.0, 1.0);
        for edge in own {
            let [a, b] = edge.ends;
            let length = distance(a, b);
            let along = dot(sub(p, a), sub(b, a)) / length;
            let before = ((b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)) / length;
            let near = nearest(edge.ends, p).1;
            if near >= reach {
                continue;
            }
            let (border, begins) = Border::of(world, edge, own, &edges);
            let front = 0.5 + 0.5 * (before + tiny) / (near + tiny);
            let far = near / reach;
            let fall = 1.0 - step(far);
            // Level at the reach, and as steep as 1.5 at the edge: no bend between two fields alike.
            let slope = fall - 1.5 * far * (1.0 - far) * (1.0 - far);
            let weight = libm::pow(front, 16.0) * fall / (near * near + tiny * tiny);
            let octave = libm::log2(1.0 + near / spacing).floor();
            let within = (1.0 + near / spacing) / libm::exp2(octave) - 1.0;
            let place = (begins + along) / border.length * border.steps as f64;
            let first = place.floor() as i64;
            let beyond = (reach / (border.length / border.steps as f64)).ceil() as i64 + 2;
            let smoothed = |station: i64| {
                let [low, high] =
                    [octave as u32, octave as u32 + 1].map(|times| border.rest(station, times, beyond));
                low + (high - low) * step(within)
            };
            let rest = smoothed(first) + (smoothed(first + 1) - smoothed(first)) * (place - first as f64);
            let node = |end: usize| {
                let last = border.edges.len() - 1;
                let at = border.edges[end * last].ends[end];
                let pinch = pinches[field as usize].iter().find(|pinch| pinch.0 == at);
                let whole = if end == 0 { 0 } else { border.steps };
                if border.closed { 0.0 } else { pinch.map_or(0.0, |pinch| pinch.1) - border.at(whole) }
            };
            let near_node = |from: f64| {
                let x = (from / reach.min(border.length)).min(1.0);
                1.0 - step(x) - 1.5 * x * (1.0 - x) * (1.0 - x)
            };
            let on = (begins + along).clamp(0.0, border.length);
            let nodes = node(0) * near_node(on) + node(1) * near_node(border.length - on);
            sum += weight
                * (slope * (border.between_ends(on / border.length) + rest)
                    + (1.0 - step(far * far)) * nodes);
            weights += weight;
            unseen *= 1.0 - step(2.0 * front);
        }
        let by = if weights > 0.0 { sum / weights * (1.0 - unseen) } else { 0.0 };
        f64::from(world.terrains[field as usize][(column, row)]) + by
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
