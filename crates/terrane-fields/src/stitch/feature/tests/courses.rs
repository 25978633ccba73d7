//! Where courses lie.

use super::course::Piece;
use super::*;
use crate::stitch::outline::Point;

/// The points of each edge's course.
fn courses(graph: &PlanarGraph, bend: &Bend, domain: &Domain) -> Vec<Vec<Point>> {
    let all: Vec<u32> = (0..graph.edges.len() as u32).collect();
    let edges = edges(graph, &all);
    let pieces = pieces(graph, &edges, bend, domain, 0.0, &Silent).unwrap();
    let of_edge = |edge: usize| {
        let own: Vec<&Piece> = pieces.iter().filter(|piece| piece.edge == edge).collect();
        let first = own.first().map(|piece| piece.line.ends[0]);
        first.into_iter().chain(own.iter().map(|piece| piece.line.ends[1])).collect()
    };
    (0..edges.len()).map(of_edge).collect()
}

fn cross(a: [Point; 2], b: [Point; 2]) -> bool {
    let turn = |[a, b]: [Point; 2], c: Point| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    turn(a, b[0]) * turn(a, b[1]) < 0.0 && turn(b, a[0]) * turn(b, a[1]) < 0.0
}

/// With maximum bends, all courses begin and end at their nodes, keep to their side of the middle to any
/// other edge, and cross neither another course nor an edge.
#[test]
fn courses_stay_between_their_fields_and_meet_at_nodes() {
    let (mut wandered, mut checked) = (0.0f64, 0);
    for seed in 0..12 {
        let graph = cells(30, 200.0, seed);
        let domain = Domain::new(201, 201);
        let bend = Bend { amount: 1.0, length: [15.0, 40.0, 150.0][seed as usize % 3], seed: Seed(seed) };
        let courses = courses(&graph, &bend, &domain);
        let all: Vec<u32> = (0..graph.edges.len() as u32).collect();
        let lines: Vec<Line> = edges(&graph, &all).into_iter().map(|edge| edge.line).collect();
        for (index, course) in courses.iter().enumerate() {
            let line = &lines[index];
            assert_eq!((course[0], course[course.len() - 1]), (line.ends[0], line.ends[1]));
            for &at in course {
                let seen = line.see(0, at);
                let (side, foot) = (seen.square.sqrt(), line.point(seen.along));
                let others = lines.iter().enumerate().filter(|(other, _)| *other != index);
                let nearest =
                    others.map(|(_, other)| other.see(0, foot).square.sqrt()).fold(f64::INFINITY, f64::min);
                assert!(side <= 0.45 * nearest + 1e-9 && side <= bend.length / 4.0, "{side} {nearest}");
                wandered = wandered.max(side);
            }
            let pairs = || course.windows(2).map(|pair| [pair[0], pair[1]]);
            for (after, other) in courses[index + 1..].iter().enumerate() {
                for b in other.windows(2).map(|pair| [pair[0], pair[1]]) {
                    checked += course.len() - 1;
                    let other = index + 1 + after;
                    assert!(pairs().all(|a| !cross(a, b)), "{seed}: {index} and {other}");
                }
            }
        }
    }
    assert!(wandered > 5.0 && checked > 1_000_000, "{wandered} {checked}");
}

/// No kinks: of three consecutive points the middle one is near the mean of the others.
#[test]
fn courses_are_smooth() {
    let graph = PlanarGraph {
        nodes: vec![(0.0, 0.0), (300.0, 40.0), (150.0, 60.0), (140.0, 140.0)],
        edges: vec![(0, 1), (2, 3)],
    };
    let bend = Bend { amount: 1.0, length: 80.0, seed: Seed(2) };
    let course = &courses(&graph, &bend, &Domain::new(301, 101))[0];
    let turns = course.windows(3).map(|at| {
        let step = |a: Point, b: Point| (b.0 - a.0, b.1 - a.1);
        let (a, b) = (step(at[0], at[1]), step(at[1], at[2]));
        libm::atan2(a.0 * b.1 - a.1 * b.0, a.0 * b.0 + a.1 * b.1).abs()
    });
    let most = turns.fold(0.0, f64::max);
    assert!(course.len() > 100 && (0.05..0.5).contains(&most), "{} {most}", course.len());
}

/// Windows have the bits of the whole, and edges far away change nothing.
#[test]
fn every_window_has_the_same_ridges() {
    let (graph, far) = (cells(30, 200.0, 4), (700.0, 0.0));
    let mut more = graph.clone();
    more.nodes.extend([far, (far.0 + 9.0, 9.0), (far.0, 20.0)]);
    let count = graph.nodes.len() as u32;
    more.edges.extend([(count, count + 1), (count + 1, count + 2), (count + 2, count)]);
    let all: Vec<u32> = (0..graph.edges.len() as u32).collect();
    let bend = Bend { amount: 0.9, length: 50.0, seed: Seed(1) };
    let ridge = Feature { size: 12.0, crest: Crest::Ground, width: 9.0, bend, ..feature(&all) };
    let of = |graph: &PlanarGraph, domain: Domain| {
        let map =
            Heightmap::from_fn(domain, |column, row| (domain.x(column) * 0.3 + domain.y(row) * 0.1) as f32);
        trace(&map, graph, &outlines(graph), &ridge, &Silent).unwrap()
    };
    let whole = of(&graph, Domain::new(201, 201));
    assert_eq!(whole.0.samples(), of(&more, Domain::new(201, 201)).0.samples());
    for (column, row, width, height) in [(0, 0, 60, 201), (90, 40, 111, 20), (77, 130, 9, 9)] {
        let part = of(&graph, Domain::new(width, height).with_origin(column as f64, row as f64));
        for y in 0..height {
            for x in 0..width {
                let at = (column + x, row + y);
                assert_eq!(part.0[(x, y)].to_bits(), whole.0[at].to_bits(), "{x} {y}");
                assert_eq!(part.1[(x, y)], whole.1[at]);
            }
        }
    }
}
