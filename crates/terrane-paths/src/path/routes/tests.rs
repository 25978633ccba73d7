use terrane_grid::Seed;

use super::*;
use crate::Silent;
use crate::path::builder::{Builder, Road};
use crate::path::grounds::{GROUNDS, SIDE as SAMPLES, ends, hills as ground, obstacles};
use crate::path::point::apart;
use crate::path::road::ALLOWANCE;
use crate::path::site::Site;
use crate::path::terrain::Terrain;
use crate::path::{Costs, Details, Prices, Surround};
use crate::planar::check_graph;

const BUILDER: Costs = Costs::Builder(Prices { excess: None, side: 0.1 });
const SIDE: usize = 33;

fn hills() -> Heightmap {
    let lattice = Seed(5).lattice();
    Heightmap::from_fn(Domain::new(SIDE, SIDE).with_spacing(2.0).with_origin(10.0, 20.0), |x, y| {
        3.0 * lattice.unit(x as i64 / 4, y as i64 / 4)
    })
}

/// A mask that is 1 where `f`.
fn mask(f: impl Fn(usize, usize) -> bool) -> Heightmap {
    hills().with_grid(terrane_grid::Grid::from_fn(SIDE, SIDE, |x, y| f32::from(u8::from(f(x, y)))))
}

fn found(
    map: &Heightmap,
    nodes: [(f64, f64); 2],
    borders: Borders,
    forbidden: &Heightmap,
) -> Result<Vec<Place>, SubdivideError> {
    let parameters = Subdivide {
        search: Search { forbidden: Some(forbidden), ..Search::by(BUILDER) },
        width: 4.0,
        node_width: 4.0,
        border: 4.0,
        max_slope: 0.1,
        edge_slopes: &[],
        slope_gain: 0.05,
        surround: Surround::Directional,
        borders,
        anchors: &[],
        details: Details::default(),
    };
    let graph = PlanarGraph { nodes: nodes.to_vec(), edges: vec![(0, 1)] };
    routes(map, &graph, &parameters, &Silent).map(|mut routes| routes.paths.remove(0))
}

/// Positions of samples.
const A: (f64, f64) = (20.0, 30.0);
const B: (f64, f64) = (64.0, 72.0);

#[test]
fn a_route_is_the_same_from_both_ends() {
    let free = mask(|_, _| false);
    for borders in [Borders::Free, Borders::Shared] {
        let route = found(&hills(), [A, B], borders, &free).unwrap();
        let mut back = found(&hills(), [B, A], borders, &free).unwrap();
        back.reverse();
        assert_eq!(route, back);
        assert_eq!((route[0], route[route.len() - 1]), ((5, 5), (27, 26)));
    }
}

/// To the bit, on twenty grounds and around obstacles.
#[test]
fn lines_are_the_same_from_both_ends() {
    for number in 0..GROUNDS {
        let (map, mask) = (ground(number), obstacles(number));
        let nodes = ends(number).map(|(x, y)| (4.0 * x as f64, 4.0 * y as f64));
        for borders in [Borders::Free, Borders::Shared] {
            let lines = |nodes: [(f64, f64); 2]| {
                let graph = PlanarGraph { nodes: nodes.to_vec(), edges: vec![(0, 1)] };
                let forbidden = (borders == Borders::Free).then_some(&mask);
                let search = Search { forbidden, ..Search::by(BUILDER) };
                let parameters = Subdivide { search, borders, ..Subdivide::default() };
                let mut found = routes(&map, &graph, &parameters, &Silent).unwrap();
                (found.lines.remove(0), found.paths.remove(0))
            };
            let (line, path) = lines(nodes);
            let (mut line_back, mut path_back) = lines([nodes[1], nodes[0]]);
            line_back.reverse();
            path_back.reverse();
            assert_eq!((line, path), (line_back, path_back), "ground {number}");
        }
    }
}

/// With shared borders a road enters the patch on the straight line between its nodes, and bends inside.
#[test]
fn lines_are_straight_near_shared_borders() {
    for number in 0..GROUNDS {
        let map = ground(number);
        let graph = PlanarGraph { nodes: vec![(-100.0, 130.0), (610.0, 390.0)], edges: vec![(0, 1)] };
        let parameters = Subdivide { borders: Borders::Shared, ..Subdivide::default() };
        let found = routes(&map, &graph, &parameters, &Silent).unwrap();
        let line = &found.lines[0];
        // Stations are at (-25, 33) and (153, 98); roads reach 4 + 16 units and two samples.
        let row = |x: f64| 33.0 + 65.0 * (x + 25.0) / 178.0;
        let last = line[line.len() - 1];
        assert!((line[0].0, last.0) == (0.0, 128.0) && (line[0].1 - row(0.0)).abs() < 1e-9);
        assert!((last.1 - row(128.0)).abs() < 1e-9 && (line[1].1 - row(7.0)).abs() < 1e-9);
        assert!(line[1].0 == 7.0 && line[line.len() - 2].0 == 121.0, "{line:?}");
    }
}

#[test]
fn routes_avoid_forbidden_samples() {
    let wall = mask(|x, y| x == 16 && y < 27);
    for borders in [Borders::Free, Borders::Shared] {
        let route = found(&hills(), [A, (64.0, 34.0)], borders, &wall).unwrap();
        assert!(route.iter().any(|&(x, y)| x == 16 && y >= 27), "{route:?}");
    }
}

#[test]
fn unreachable_ends_are_named() {
    // A ring without gaps around the first node, with nine samples inside.
    let ring = mask(|x, y| x.abs_diff(5).max(y.abs_diff(5)) == 2);
    let enclosed = |node, at, reached| Err(SubdivideError::Enclosed { node, edge: 0, at, reached });
    assert_eq!(found(&hills(), [A, B], Borders::Free, &ring), enclosed(0, (5, 5), 9));
    assert_eq!(found(&hills(), [B, A], Borders::Free, &ring), enclosed(1, (5, 5), 9));
    let on_it = mask(|x, y| (x, y) == (27, 26));
    for borders in [Borders::Free, Borders::Shared] {
        let forbidden = SubdivideError::Forbidden { node: 1, edge: 0 };
        assert_eq!(found(&hills(), [A, B], borders, &on_it), Err(forbidden));
    }
    let mut hole = hills();
    hole.samples_mut()[26 * SIDE + 27] = f32::NAN;
    let free = mask(|_, _| false);
    let no_height = Err(SubdivideError::NoHeight { edge: 0, at: (27, 26) });
    assert_eq!(found(&hole, [A, B], Borders::Free, &free), no_height);
}

#[test]
fn near_shared_borders_the_line_must_not_be_forbidden() {
    // A diagonal out of the patch: samples beside it count, since it passes their corners.
    let out = [(20.0, 30.0), (0.0, 10.0)];
    for at in [(1, 1), (1, 2), (0, 1)] {
        let on_line = mask(|x, y| (x, y) == at);
        let place = (at.0 as i64, at.1 as i64);
        let forbidden = Err(SubdivideError::ForbiddenBorder { edge: 0, at: place });
        assert_eq!(found(&hills(), out, Borders::Shared, &on_line), forbidden);
    }
    assert!(found(&hills(), out, Borders::Shared, &mask(|x, y| x == y + 2)).is_ok());
}

/// Three to six places on a ground, one of them a crossing or a turning point.
fn places(number: u64) -> PlanarGraph {
    let lattice = Seed(number + 7).lattice();
    let unit = |at: i64| f64::from(lattice.unit(at, 11));
    let count = 3 + number as i64 % 4;
    let place = |at: i64| (20.0 + 470.0 * unit(2 * at), 20.0 + 470.0 * unit(2 * at + 1));
    let mut graph = PlanarGraph { nodes: (0..count).map(place).collect(), edges: Vec::new() };
    for at in 1..count as u32 {
        let any = (unit(100 + i64::from(at)) * f64::from(at)) as u32;
        graph.edges.push((if number.is_multiple_of(2) { at - 1 } else { any }, at));
        if check_graph(&graph).is_err() {
            graph.edges.pop();
        }
    }
    graph
}

/// Length of the part of a line, from its start, that is within 1.5 samples of another line.
fn stem(line: &[Point], other: &[Point]) -> f64 {
    let apart_from = |at: Point| {
        let to_part = |(a, b): (Point, Point)| {
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let along = ((at.0 - a.0) * dx + (at.1 - a.1) * dy) / (dx * dx + dy * dy);
            apart(at, (a.0 + along.clamp(0.0, 1.0) * dx, a.1 + along.clamp(0.0, 1.0) * dy))
        };
        other.windows(2).map(|ends| to_part((ends[0], ends[1]))).fold(f64::INFINITY, f64::min)
    };
    let parts = line.windows(2).take_while(|ends| apart_from(ends[1]) <= 1.5);
    parts.map(|ends| apart(ends[0], ends[1])).sum()
}

/// The longest stem that two lines share at a common node, and how many pairs share one of four samples.
fn stems(graph: &PlanarGraph, lines: &[Vec<Point>]) -> (f64, usize) {
    let (mut longest, mut count) = (0.0f64, 0);
    for node in 0..graph.nodes.len() as u32 {
        let leaving: Vec<Vec<Point>> = std::iter::zip(&graph.edges, lines)
            .filter(|((a, b), _)| *a == node || *b == node)
            .map(|((a, _), line)| match *a == node {
                true => line.clone(),
                false => line.iter().rev().copied().collect(),
            })
            .collect();
        for (at, line) in leaving.iter().enumerate() {
            for other in &leaving[..at] {
                let stem = stem(line, other);
                longest = longest.max(stem);
                count += usize::from(stem > 4.0);
            }
        }
    }
    (longest, count)
}

/// Roads do not go to a node and back along one stem. Each by itself, without the others, they do. To part,
/// none costs over half as much again, apart from what a curve may cost more than its route.
#[test]
fn roads_leave_nodes_apart() {
    let (mut alone, mut together, mut longest, mut dearest) = (0, 0, 0.0f64, 0.0f64);
    for number in 0..GROUNDS {
        let (map, graph) = (ground(number), places(number));
        let lines = |graph: &PlanarGraph| routes(&map, graph, &Subdivide::default(), &Silent).unwrap().lines;
        let single = |&edge: &(u32, u32)| {
            lines(&PlanarGraph { nodes: graph.nodes.clone(), edges: vec![edge] }).remove(0)
        };
        let (parted, singles) = (lines(&graph), graph.edges.iter().map(single).collect::<Vec<_>>());
        let found = stems(&graph, &parted);
        together += found.1;
        longest = longest.max(found.0);
        alone += stems(&graph, &singles).1;
        let last = SAMPLES as i64 - 1;
        let terrain = Terrain::new(&map, None, None, Frame { low: (0, 0), high: (last, last) }).unwrap();
        let site = Site::new(&terrain, &Silent).unwrap();
        let builder = Builder::new(&site, Prices::default(), Road { width: 8.0, max_slope: 0.1 });
        let costs = |line: &[Point]| builder.line_cost(line).unwrap();
        for (parted, single) in parted.iter().zip(&singles) {
            dearest = dearest.max(costs(parted) / costs(single));
        }
    }
    println!(
        "longest stem {longest:.1} samples; {together} pairs share one of four samples, alone {alone}; at \
        most {dearest:.2} times the cost"
    );
    assert!(together == 0 && alone > 5, "{together} {alone}");
    assert!(dearest <= 1.5 * (1.0 + ALLOWANCE), "{dearest}");
}

/// Routes do not depend on the order of edges, nor of the nodes that an edge names.
#[test]
fn routes_of_a_graph_do_not_depend_on_orders() {
    for number in [7, 13, 17, 19] {
        let (map, graph) = (ground(number), places(number));
        let turned = PlanarGraph {
            nodes: graph.nodes.clone(),
            edges: graph.edges.iter().rev().map(|&(a, b)| (b, a)).collect(),
        };
        let lines = |graph: &PlanarGraph| routes(&map, graph, &Subdivide::default(), &Silent).unwrap().lines;
        let mut other = lines(&turned);
        other.reverse();
        other.iter_mut().for_each(|line| line.reverse());
        assert_eq!(lines(&graph), other, "ground {number}");
    }
}
