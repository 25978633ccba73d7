//! Whether paths can be walked. The slopes are computed here, from the heights alone.

use std::sync::Arc;

use terrane::nodes::values::{Map, Paths};
use terrane_tests::{engine, evaluate, load_text};

const SLOPE: f64 = 0.0035;
/// The thesis's tolerance, and the default of `RelaxPath`.
const TOLERANCE: f64 = 1.0e-5;
/// Two connected components, with five nodes and with two.
const NODES: [(f64, f64); 7] =
    [(20.0, 26.0), (38.0, 96.0), (102.0, 108.0), (96.0, 32.0), (64.0, 64.0), (8.0, 120.0), (60.0, 122.0)];
const EDGES: [(usize, usize); 6] = [(0, 4), (1, 4), (2, 4), (3, 4), (0, 3), (5, 6)];

/// The ground before and after, the mask of the path, and its routes.
fn paths(side: usize, seed: u64, solver: &str) -> (Map, Map, Map, Paths) {
    let text = format!(
        "Graph(size: ({side}, {side}), spacing: {}, seed: {seed}, nodes: {{
            \"ground\": MidpointDisplacement(lattice: 2),
            \"unit\": Remap(height: \"ground\"),
            \"graph\": PathGraph(nodes: {NODES:?}, edges: {EDGES:?}),
            \"bounds\": SubdividePath(height: \"unit\", graph: \"graph\", max_slope: {SLOPE}, cost: Thesis),
            \"paths\": RelaxPath(height: \"unit\", subdivision: \"bounds\", solver: {solver}),
        }}, outputs: {{ \"a.npy\": \"unit\", \"b.npy\": \"paths\", \"c.npy\": \"bounds.mask\", \"d.json\": \
        \"bounds.paths\" }})",
        128.0 / (side - 1) as f64
    );
    let loaded = Arc::new(load_text(&text).unwrap_or_else(|errors| panic!("{errors}")));
    let evaluation = evaluate(&engine(2, None), &loaded);
    assert!(evaluation.succeeded(), "{:?}", evaluation.nodes);
    let value = |index: usize| evaluation.outputs[index].value.clone().unwrap();
    let map = |index: usize| value(index).get::<Map>().unwrap().clone();
    (map(0), map(1), map(2), value(3).get::<Paths>().unwrap().clone())
}

/// The steepest slope at a sample, up or down, in a direction between two of its neighbours, one in its row
/// and one in its column.
fn steepest(map: &Map, column: usize, row: usize) -> f64 {
    let (width, height) = map.domain().size;
    let height_at = |x: usize, y: usize| f64::from(map.samples()[y * width + x]);
    let here = height_at(column, row);
    let mut along_row = Vec::new();
    let mut along_column = Vec::new();
    if column > 0 {
        along_row.push(height_at(column - 1, row) - here);
    }
    if column + 1 < width {
        along_row.push(height_at(column + 1, row) - here);
    }
    if row > 0 {
        along_column.push(height_at(column, row - 1) - here);
    }
    if row + 1 < height {
        along_column.push(height_at(column, row + 1) - here);
    }
    let most = |rises: &[f64]| rises.iter().fold(0.0f64, |most, rise| most.max(rise.abs()));
    let (across, along) = (most(&along_row), most(&along_column));
    (across * across + along * along).sqrt() / map.spacing()
}

/// The samples that a walker can reach by steps along rows and columns, over samples that are flat enough.
fn reached(map: &Map, from: (usize, usize)) -> Vec<bool> {
    let (width, height) = map.domain().size;
    let mut seen = vec![false; width * height];
    let mut open = vec![from];
    while let Some((x, y)) = open.pop() {
        if x >= width || y >= height || seen[y * width + x] || steepest(map, x, y) > SLOPE + TOLERANCE {
            continue;
        }
        seen[y * width + x] = true;
        open.extend([(x + 1, y), (x.wrapping_sub(1), y), (x, y + 1), (x, y.wrapping_sub(1))]);
    }
    seen
}

/// The number of each node's component. Connected nodes have the same number.
fn components() -> [usize; 7] {
    let mut of = [0, 1, 2, 3, 4, 5, 6];
    for _ in NODES {
        for (a, b) in EDGES {
            of[a] = of[a].min(of[b]);
            of[b] = of[a];
        }
    }
    of
}

/// The number of pairs of connected nodes, and the number of these pairs between which the way can be walked.
fn walks(map: &Map) -> (usize, usize) {
    let of = components();
    let spacing = map.spacing();
    let sample = |node: usize| {
        let (x, y) = NODES[node];
        ((x / spacing).round() as usize, (y / spacing).round() as usize)
    };
    let (mut joined, mut walked) = (0, 0);
    for from in 0..NODES.len() {
        let seen = reached(map, sample(from));
        for to in (0..NODES.len()).filter(|&to| to != from && of[to] == of[from]) {
            let (x, y) = sample(to);
            joined += 1;
            walked += usize::from(seen[y * map.width() + x]);
        }
    }
    (joined, walked)
}

#[test]
fn every_node_can_be_reached_from_every_other_in_its_component() {
    for (side, seed, solver) in [
        (65, 1, "Reference"),
        (65, 2, "Draft"),
        (65, 3, "NearOptimal"),
        (129, 4, "Draft"),
        (129, 5, "NearOptimal"),
    ] {
        let (before, after, mask, ways) = paths(side, seed, solver);
        let (joined, walked) = walks(&before);
        assert_eq!(joined, 22);
        assert!(walked < joined, "{side} {solver}: the ground needs changes");
        assert_eq!(walks(&after), (22, 22), "{side} {solver}");
        // No sample of the path is too steep, on the routes or next to them.
        let steep = |x: usize, y: usize| steepest(&after, x, y) > SLOPE + TOLERANCE;
        let on_path = |x: usize, y: usize| mask.samples()[y * side + x] == 1.0;
        let all = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let (mut count, mut too_steep) = (0, Vec::new());
        for (x, y) in all.filter(|&(x, y)| on_path(x, y)) {
            count += 1;
            if steep(x, y) {
                too_steep.push((x, y, steepest(&after, x, y)));
            }
        }
        assert!(count > side && too_steep.is_empty(), "{side} {solver}: {count} {too_steep:?}");
        assert_eq!(ways.lines.len(), EDGES.len());
        for point in ways.lines.iter().flat_map(|line| &line.points) {
            let (x, y) = ((point.0 / after.spacing()) as usize, (point.1 / after.spacing()) as usize);
            assert!(on_path(x, y), "{side} {solver}: the route leaves its path at {point:?}");
        }
    }
}
