//! Rivers and ridges along edges, and fields with reduced detail, in graphs.

use std::sync::Arc;

use terrane::values::{Fields, Map};
use terrane_tests::{load_text, run, value};

fn maps(text: &str, ports: &[&str]) -> Vec<Arc<Map>> {
    let out = run(text, ports);
    (0..ports.len()).map(|index| value::<Map>(&out, index)).collect()
}

/// Rivers around plains in a part of the map, with the node's defaults except for `more`.
fn rivers(seed: u64, more: &str) -> String {
    format!(
        r#"Graph(size: (161, 161), spacing: 2.0, seed: {seed}, nodes: {{
"graph": GridGraph(columns: 6, rows: 6, cell: 46, jitter: 0.2, corner: (21, 21)),
"empty": Section(graph: "graph"),
"fields": AssignTerrain(fields: "empty", descriptions: [
    ("Hills", Noise(amplitude: 60, wavelength: 90, offset: 20)),
    ("Plain", Noise(amplitude: 25, wavelength: 120, weight: 3)),
]),
"ground": StitchFields(fields: "fields", distance: 40, outside: 12.5),
"rivers": EdgeFeature(height: "ground", fields: "fields", between: [("Plain", "Plain"), ("Plain", "Hills")],
    {more}),
"water": Drainage(height: "rivers", lakes: false),
}})"#
    )
}

/// The lowest sample of each connected piece of the middle of beds.
fn lowest(map: &Map, mask: &Map) -> Vec<(usize, usize)> {
    let mut seen = vec![false; 161 * 161];
    let middle = |(x, y): (usize, usize)| mask[(x, y)] == 1.0;
    let mut found = Vec::new();
    for start in (0..161 * 161).map(|at| (at % 161, at / 161)) {
        if !middle(start) || seen[start.1 * 161 + start.0] {
            continue;
        }
        let (mut piece, mut low) = (vec![start], start);
        while let Some((x, y)) = piece.pop() {
            if std::mem::replace(&mut seen[y * 161 + x], true) {
                continue;
            }
            low = if map[(x, y)] < map[low] { (x, y) } else { low };
            let around = (y.saturating_sub(1)..161.min(y + 2))
                .flat_map(|y| (x.saturating_sub(1)..161.min(x + 2)).map(move |x| (x, y)));
            piece.extend(around.filter(|&at| middle(at) && !seen[at.1 * 161 + at.0]));
        }
        found.push(low);
    }
    found
}

/// On twenty seeds, with unlimited cuts: ground outside all fields keeps its bits, and nothing is raised.
/// Samples in the middle of beds have a lower neighbour, except at a node, at the border of all fields, or at
/// the lowest point of a network without an outlet. There the bed is level, and water leaves or stays.
#[test]
fn rivers_run_downhill_and_stay_in_their_fields() {
    let (mut middle, mut outside, mut nowhere) = (0, 0, 0);
    for seed in 0..20 {
        let bend = ["deepest: 1000", "deepest: 1000, bend: 1, bend_length: 60"][seed as usize % 2];
        let out = run(
            &rivers(seed, bend),
            &["ground", "rivers", "rivers.mask", "ground.field_ids", "water.receivers", "fields"],
        );
        let map = |index: usize| value::<Map>(&out, index);
        let (ground, after, mask, ids, ways) = (map(0), map(1), map(2), map(3), map(4));
        let mut ends = value::<Fields>(&out, 5).plane.nodes.clone();
        ends.extend(lowest(&after, &mask).into_iter().map(|(x, y)| (2.0 * x as f64, 2.0 * y as f64)));
        for y in 0..161usize {
            for x in 0..161usize {
                let at = (x, y);
                assert!(after[at] <= ground[at]);
                if ids[at] < 0.0 {
                    outside += 1;
                    assert!(after[at].to_bits() == ground[at].to_bits() && mask[at] == 0.0, "{seed} {at:?}");
                }
                middle += usize::from(mask[at] == 1.0);
                if mask[at] == 1.0 && ways[at] == 0.0 {
                    nowhere += 1;
                    let near = |node: &(f64, f64)| {
                        (node.0 - 2.0 * x as f64).abs().max((node.1 - 2.0 * y as f64).abs()) <= 5.0
                    };
                    let mut around = (y - 2..y + 3).flat_map(|y| (x - 2..x + 3).map(move |x| (x, y)));
                    let leaves = around.any(|at| ids[at] < 0.0);
                    assert!(leaves || ends.iter().any(near), "{seed}: {at:?}");
                }
            }
        }
    }
    println!("{middle} samples of beds, {nowhere} of them without a lower neighbour, at nodes");
    assert!(middle > 20_000 && outside > 20_000);
}

/// An edge, optionally with a very short one at its end, that does not reach the border of the fields.
fn inner(ground: &str, short: bool, feature: &str) -> String {
    let (node, edge, numbers) = if short { (", (198, 129)", ", (5, 6)", "6, 9") } else { ("", "", "6") };
    format!(
        r#"Graph(size: (129, 129), spacing: 2.0, seed: 20, nodes: {{
"graph": PlanarGraph(
    nodes: [(20, 20), (236, 20), (236, 236), (20, 236), (60, 128), (196, 128){node}],
    edges: [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 3), (4, 5), (5, 1), (5, 2){edge}],
),
"empty": Section(graph: "graph"),
"fields": AssignTerrain(fields: "empty", descriptions: [("A", Noise(amplitude: 60))]),
"ground": {ground},
"feature": EdgeFeature(height: "ground", fields: "fields", numbers: [{numbers}], {feature}),
}})"#
    )
}

/// A river that reaches no border ends at the lowest point of its course, not at its lower node. It digs no
/// pit on the way there: its depth below the ground exceeds its size only slightly, apart from the ground's
/// fall across it.
#[test]
fn a_river_without_an_outlet_digs_no_pit() {
    let ground = "Perlin(amplitude: 90, wavelength: 128, octaves: 2)";
    let found = maps(&inner(ground, false, ""), &["ground", "feature", "feature.mask"]);
    let deepest =
        (0..129 * 129).map(|at| found[0].samples()[at] - found[1].samples()[at]).fold(0.0, f32::max);
    let lowest = |map: &Map| {
        let course = (31..98).map(|x| map[(x, 64)]);
        course.fold(f32::INFINITY, f32::min)
    };
    assert!(deepest < 7.0, "{deepest}");
    assert!((4.9..5.1).contains(&(lowest(&found[0]) - lowest(&found[1]))));
}

/// The size rises over one width along the route, although the edge at its end is only two units long.
#[test]
fn an_edge_shorter_than_the_width_begins_without_a_wall() {
    let found = maps(&inner("Perlin(amplitude: 0)", true, "size: 10, crest: Ground"), &["feature"]);
    let steepest = (0..128 * 128).map(|at| (at % 128, at / 128)).map(|(x, y)| {
        let here = found[0][(x, y)];
        (found[0][(x + 1, y)] - here).abs().max((found[0][(x, y + 1)] - here).abs())
    });
    // The side is a smooth step of 10 over 5 samples, at most 3 per sample.
    let steepest = steepest.fold(0.0, f32::max);
    assert!(steepest <= 3.0, "{steepest}");
    let along = (60..110).map(|x| (found[0][(x + 1, 64)] - found[0][(x, 64)]).abs()).fold(0.0, f32::max);
    assert!(along <= 1.51 && found[0][(70, 64)] == 10.0, "{along}");
}

/// With `bend: 0`, neither the length of bends nor the seed matters. With bends, another seed gives other
/// courses, and about the same area of ridge.
#[test]
fn courses_bend_only_on_request() {
    let ridge =
        |more: &str| maps(&rivers(3, &format!("size: 9, crest: Ground, {more}")), &["rivers", "rivers.mask"]);
    let straight = ridge("");
    assert_eq!(straight[0].samples(), ridge("bend: 0, bend_length: 7, seed: 8")[0].samples());
    let (bent, other) = (ridge("bend: 0.9"), ridge("bend: 0.9, seed: 8"));
    let moved = |a: &Map, b: &Map| a.samples().iter().zip(b.samples()).filter(|(a, b)| a != b).count();
    assert!(moved(&bent[1], &straight[1]) > 1000 && moved(&bent[1], &other[1]) > 1000);
    let all = |mask: &Map| mask.samples().iter().map(|&part| f64::from(part)).sum::<f64>();
    assert!((all(&bent[1]) / all(&straight[1]) - 1.0).abs() < 0.2);
}

/// Fields with `detail` between their descriptions and the terrain.
fn detailed(size: (u32, u32), spacing: f64, origin: (f64, f64), detail: &str) -> String {
    format!(
        r#"Graph(size: {size:?}, spacing: {spacing:?}, origin: {origin:?}, seed: 4, nodes: {{
"graph": GridGraph(columns: 4, rows: 3, cell: 90, jitter: 0.2, corner: (-30, 10)),
"empty": Section(graph: "graph"),
"whole": AssignTerrain(fields: "empty", descriptions: [
    ("A", Noise(amplitude: 50, wavelength: 60)), ("B", MidpointDisplacement(amplitude: 60, offset: 20)),
]),
"fields": FieldDetail(fields: "whole", {detail}),
"steps": PopulateFields(fields: "fields"),
"terrain": StitchFields(fields: "fields", distance: 25),
"after": StitchFields(fields: "steps.fields", distance: 25),
"plain": StitchFields(fields: "whole", distance: 25),
"unchanged": PopulateFields(fields: "whole"),
}})"#
    )
}

#[test]
fn fields_have_the_detail_of_their_level() {
    let all = |level: u32| (0..12).map(|field| format!("({field}, {level}), ")).collect::<String>();
    let text = |detail: &str| detailed((221, 161), 2.0, (-48.0, 0.0), detail);
    // Level 0 has the same bits as no detail, however it is written.
    for detail in [
        "",
        "viewer: Some((0, 0)), near: 5000",
        &format!("viewer: Some((0, 0)), near: 10, levels: [{}]", all(0)),
    ] {
        let found = maps(&text(detail), &["steps.height", "unchanged.height", "terrain", "plain"]);
        assert_eq!(found[0].samples(), found[1].samples());
        assert_eq!(found[2].samples(), found[3].samples());
    }
    let whole = maps(&text(""), &["steps.height", "steps.field_ids"]);
    for level in 1..=3u32 {
        let step = 1 << level;
        let levels = format!("levels: [{}]", all(level));
        let found = maps(&text(&levels), &["steps.height", "terrain", "after", "fields.detail"]);
        // The same graph with its spacing times 2^level.
        let coarse = detailed((220 / step + 1, 160 / step + 1), 2.0 * f64::from(step), (-48.0, 0.0), "");
        let coarse = maps(&coarse, &["steps.height", "steps.field_ids"]);
        let (mut shared, mut other, mut differ) = (0, 0, 0);
        for y in 0..161usize {
            for x in 0..221usize {
                let at = (x, y);
                assert!(found[3][at] == level as f32 || whole[1][at] < 0.0);
                // The first sample is at -48 in the world, at the same offset from a multiple of the step
                // as 592.
                let step = step as usize;
                let (i, j) = ((2 * x + 592) % (2 * step), 2 * y % (2 * step));
                if whole[1][at] >= 0.0 && i == 0 && j == 0 {
                    shared += 1;
                    assert_eq!(found[0][at].to_bits(), whole[0][at].to_bits(), "{level} {at:?}");
                    if x % step == 0 && y % step == 0 {
                        let coarse = coarse[0][(x / step, y / step)];
                        assert_eq!(found[0][at].to_bits(), coarse.to_bits(), "{level} {at:?}");
                    }
                } else if whole[1][at] >= 0.0 {
                    other += 1;
                    differ += usize::from(found[0][at] != whole[0][at]);
                }
            }
        }
        assert!(shared > 20_000 / (step * step) as usize, "{shared}");
        assert!(differ > other * 9 / 10, "{differ} of {other}");
        assert_eq!(found[1].samples(), found[2].samples(), "whether populated first or not");
    }
}

/// Levels by distance differ by one between neighbours and leave no seams. Every window has the bits of the
/// whole.
#[test]
fn far_fields_are_coarse_and_meet_their_neighbours_in_every_window() {
    let detail = "viewer: Some((20, 50)), near: 50, levels: [((200, 200), 0)]";
    let ports = ["steps.height", "terrain", "fields.detail", "plain", "terrain.field_ids"];
    let whole = maps(&detailed((181, 141), 2.0, (-40.0, 0.0), detail), &ports);
    let mut levels: Vec<i32> = whole[2].samples().iter().map(|&level| level as i32).collect();
    levels.sort_unstable();
    levels.dedup();
    assert_eq!(levels, [-1, 0, 1, 2, 3]);
    // No step across edges of stitched fields is higher than with level 0 everywhere.
    let highest = |map: &Map| {
        let ids = &whole[4];
        let steps = (0..141).flat_map(|y| (0..180).map(move |x| ((x, y), (x + 1, y))));
        let across = steps.filter(|&(a, b)| ids[a] != ids[b] && ids[a] >= 0.0 && ids[b] >= 0.0);
        across.map(|(a, b)| (map[a] - map[b]).abs()).fold(0.0, f32::max)
    };
    assert!(highest(&whole[1]) < 1.1 * highest(&whole[3]) && highest(&whole[1]) < 0.5 * highest(&whole[0]));
    for (column, row, width, height) in [(0, 0, 61, 141), (77, 33, 80, 90), (121, 70, 9, 8)] {
        let origin = (-40.0 + 2.0 * f64::from(column), 2.0 * f64::from(row));
        let part = maps(&detailed((width, height), 2.0, origin, detail), &ports[..3]);
        for (port, part) in part.iter().enumerate() {
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let inner = part[(x as usize, y as usize)];
                let outer = whole[port][((x + column) as usize, (y + row) as usize)];
                assert_eq!(
                    inner.to_bits(),
                    outer.to_bits(),
                    "{} ({x}, {y}) of {width} x {height}",
                    ports[port]
                );
            }
        }
    }
}

/// Fields described by maps lose detail like others. Levels out of range are rejected.
#[test]
fn maps_lose_detail_too() {
    let text = |levels: &str| {
        format!(
            r#"Graph(size: (65, 65), spacing: 2.0, seed: 4, nodes: {{
"graph": GridGraph(columns: 1, rows: 1, cell: 128),
"empty": Section(graph: "graph"),
"named": AssignTerrain(fields: "empty", descriptions: [("A", Map())]),
"map": Perlin(wavelength: 40, amplitude: 20),
"given": DescribeTerrain(fields: "named", name: "A", height: "map"),
"fields": FieldDetail(fields: "given", levels: [({levels})]),
"steps": PopulateFields(fields: "fields"),
}})"#
        )
    };
    let found = maps(&text("(60, 60), 2"), &["steps.height", "map"]);
    let same = |x: usize, y: usize| found[0][(x, y)] == found[1][(x, y)];
    assert!((0..64).all(|i| (0..64).all(|j| same(i, j) || i % 4 != 0 || j % 4 != 0)));
    assert!((0..64).filter(|&i| same(i, i)).count() < 24);
    let errors = load_text(&text("0, 17")).err().map(|errors| errors.to_string()).unwrap_or_default();
    assert!(errors.contains("17 for field 0 is out of range"), "{errors}");
}
