//! Nodes for the bounds that paths put on the ground: widths, numbers, maps, pins, neighbours, masks and
//! lines, and their reports.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use terrane::flow::{Data, Evaluation, load};
use terrane::nodes::values::{Bounds, Map, Paths, Table};
use terrane::{LoadOptions, Wanted, registry};
use terrane_tests::engine;

/// Evaluates ports, in order, of the nodes of a patch at a position, with 33 x 33 samples 2 units apart.
fn run(folder: &Path, (x, y): (f64, f64), nodes: &str, outputs: &str) -> Evaluation {
    let text = format!(
        "Graph(size: (33, 33), spacing: 2.0, origin: ({x:?}, {y:?}), seed: 7, nodes: {{
            \"ground\": Perlin(wavelength: 40, octaves: 5, amplitude: 6.0), {nodes}
        }}, outputs: {{}})"
    );
    let loaded = load("test.ron", &text, folder, &registry(), &LoadOptions::default());
    let loaded = Arc::new(loaded.unwrap_or_else(|errors| panic!("{errors}")));
    let wanted: Vec<Wanted> = outputs.split_whitespace().map(Wanted::from).collect();
    engine(2, None).start(&loaded, wanted).unwrap_or_else(|errors| panic!("{errors}")).wait()
}

fn output<T: Data + Clone>(evaluation: &Evaluation, index: usize) -> T {
    assert!(evaluation.succeeded(), "{:?}", evaluation.nodes);
    evaluation.outputs[index].value.as_ref().and_then(|value| value.get::<T>()).cloned().unwrap()
}

/// The message of a failing run.
fn error(nodes: &str) -> String {
    let evaluation = run(Path::new("."), (0.0, 0.0), nodes, "a.mask");
    assert!(!evaluation.succeeded());
    format!("{:?}", evaluation.nodes)
}

const GRAPH: &str = "\"graph\": PathGraph(nodes: [(8, 10), (56, 30)], edges: [(0, 1)])";

#[test]
fn edges_keep_their_direction_number_and_width_after_a_cut() {
    // Edge 0 lies outside; edge 1 runs from right to left and leaves the patch on the left; edge 2 runs
    // upwards.
    let nodes = "\"whole\": PathGraph(nodes: [(-40, 0), (-30, 9), (60, 20), (-20, 20), (30, 60)],
            edges: [(0, 1), (2, 3), (4, 2)], widths: [2.0, 12.0, 0.0], node_widths: [0.0, 0.0, 0.0, 0.0, \
            20.0], cut: false),
         \"graph\": PathGraph(graph: \"whole\"),
         \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", border: 4.0)";
    let evaluation = run(Path::new("."), (0.0, 0.0), nodes, "bounds.paths bounds.mask");
    let (paths, mask) = (output::<Paths>(&evaluation, 0), output::<Map>(&evaluation, 1));
    assert_eq!(paths.attributes.column("edge"), Some(&[1.0, 2.0][..]));
    let ends: Vec<((f64, f64), (f64, f64))> =
        paths.lines.iter().map(|line| (line.points[0], line.points[line.points.len() - 1])).collect();
    assert_eq!(ends, [((60.0, 20.0), (0.0, 20.0)), ((30.0, 60.0), (60.0, 20.0))]);
    // The samples nearest to a line lie within half a diagonal of it. Six units around those of the first
    // edge, without a disc where it leaves the patch; only those of the second edge; ten units around node 4.
    let half = 2.0f64.sqrt();
    let points = |line: usize| -> Vec<(f64, f64)> {
        let parts = paths.lines[line].points.windows(2).flat_map(|ends| {
            let at =
                |t: f64, axis: fn((f64, f64)) -> f64| axis(ends[0]) + t * (axis(ends[1]) - axis(ends[0]));
            (0..=50).map(move |part| f64::from(part) / 50.0).map(move |t| (at(t, |p| p.0), at(t, |p| p.1)))
        });
        parts.collect()
    };
    let lines = [points(0), points(1), vec![(30.0, 60.0)]];
    let sample = |at: usize| (2.0 * (at % 33) as f64, 2.0 * (at / 33) as f64);
    let within = |(x, y): (f64, f64), line: &[(f64, f64)], reach: f64| {
        line.iter().any(|&(u, v)| (x - u) * (x - u) + (y - v) * (y - v) <= reach * reach)
    };
    let inside: Vec<(f64, f64)> = (0..33 * 33).filter(|&at| mask.samples()[at] == 1.0).map(sample).collect();
    for at in (0..33 * 33).map(sample) {
        let is_path = inside.contains(&at);
        let must = within(at, &lines[0], 6.0 - half) || within(at, &lines[2], 10.0);
        let may =
            within(at, &lines[0], 6.0 + half) || within(at, &lines[1], half) || within(at, &lines[2], 10.0);
        assert!(is_path >= must && is_path <= may, "{at:?} {is_path}");
    }
    // Corners are cut, so the line lies within a spacing of its samples.
    let far = lines[1].iter().find(|&&point| !within(point, &inside, 2.0));
    assert_eq!(far, None);
}

#[test]
fn a_constant_map_equals_its_number_and_maps_out_of_range_name_the_sample() {
    let bounds = |ports: &str| {
        let nodes = format!(
            "{GRAPH}, \"a\": Constant(value: 0.25), \"b\": Constant(value: 0.5), \"c\": Constant(value: 12),
             \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", {ports})"
        );
        output::<Bounds>(&run(Path::new("."), (0.0, 0.0), &nodes, "bounds bounds.mask"), 0)
    };
    let numbers = bounds("max_slope: 0.25, slope_gain: 0.5, border: 12");
    assert_eq!(bounds("max_slope: \"a\", slope_gain: \"b\", border: \"c\""), numbers);
    let said = error(&format!(
        "{GRAPH}, \"ramp\": Ramp(from: (0, 0), to: (64, 0), low: 0.3, high: -0.02),
         \"a\": SubdividePath(height: \"ground\", graph: \"graph\", max_slope: \"ramp\")"
    ));
    assert!(said.contains("`max_slope` is") && said.contains("at column 30, row 0, world (60, 0)"), "{said}");
}

#[test]
fn pins_are_kept_and_those_that_conflict_are_named() {
    let nodes = |high: f64| {
        format!(
            "\"graph\": PathGraph(nodes: [(8, 30), (30, 30), (56, 30)], edges: [(0, 1), (1, 2)]),
             \"up\": Ramp(from: (31, 0), to: (31.5, 0), low: 3.0, high: {high}),
             \"site\": Ramp(from: (27, 0), to: (28, 0)), \"end\": Ramp(from: (34, 0), to: (33, 0)),
             \"columns\": Combine(a: \"site\", b: \"end\", mode: Min),
             \"top\": Ramp(from: (0, 25), to: (0, 26)), \"bottom\": Ramp(from: (0, 35), to: (0, 34)),
             \"rows\": Combine(a: \"top\", b: \"bottom\", mode: Min),
             \"mask\": Combine(a: \"columns\", b: \"rows\", mode: Min),
             \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", slope_gain: 0.5, pins: \"up\", \
             pinned: \"mask\"),
             \"bent\": RelaxPath(height: \"ground\", subdivision: \"bounds\", solver: Draft, max_iterations: \
             20000),
             \"best\": ConstraintReport(height: \"bent\", subdivision: \"bounds\", border: \"ground\", \
             slope_tolerance: 0.0001)"
        )
    };
    let outputs = "bent bent.report mask best";
    let evaluation = run(Path::new("."), (0.0, 0.0), &nodes(3.0), outputs);
    let (bent, report, mask) =
        (output::<Map>(&evaluation, 0), output::<Table>(&evaluation, 1), output::<Map>(&evaluation, 2));
    assert_eq!(report.column("met"), Some(&[1.0][..]), "{:?}", evaluation.warnings);
    let pinned: Vec<usize> = (0..33 * 33).filter(|&at| mask.samples()[at] > 0.5).collect();
    assert_eq!(pinned.len(), 3 * 5);
    assert!(pinned.iter().all(|&at| bent.samples()[at] == 3.0));
    // A map of the border contains nothing inside.
    let kept = output::<Table>(&evaluation, 3);
    assert_eq!(kept.column("position"), Some(&[15.0][..]));
    assert_eq!(kept.column("position_missed"), Some(&[0.0][..]));
    let conflict = run(Path::new("."), (0.0, 0.0), &nodes(9.0), "bounds.mask");
    let said = conflict.warnings.join("\n");
    assert!(
        said.contains("pinned heights conflict: 3 at (30.0, ") && said.contains("9 at (32.0, "),
        "{said}"
    );
    let none = error(&format!(
        "{GRAPH}, \"none\": Constant(value: 0.5), \"a\": SubdividePath(height: \"ground\", graph: \"graph\", \
        pinned: \"none\")"
    ));
    assert!(none.contains("no sample of `pinned` is above 0.5"), "{none}");
}

/// A NumPy file of a map.
fn npy(map: &Map) -> Vec<u8> {
    let head =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", map.height(), map.width());
    let head = format!("{head:117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((head.len() as u16).to_le_bytes());
    bytes.extend(head.as_bytes());
    bytes.extend(map.samples().iter().flat_map(|height| height.to_le_bytes()));
    bytes
}

/// One path through two patches: the west patch first, then the east patch with the west patch as its
/// neighbour.
#[test]
fn a_patch_meets_an_existing_neighbour_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let nodes = |ports: &str, more: &str| {
        format!(
            "\"graph\": PathGraph(nodes: [(12, 24), (110, 40)], edges: [(0, 1)]), {more}
             \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", max_slope: 0.05, slope_gain: \
             0.3 {ports}),
             \"bent\": RelaxPath(height: \"ground\", subdivision: \"bounds\", solver: Draft, max_iterations: \
             20000)"
        )
    };
    let west = run(folder.path(), (0.0, 0.0), &nodes("", ""), "bent");
    let west = output::<Map>(&west, 0);
    fs::write(folder.path().join("west.npy"), npy(&west)).unwrap();
    let more = "\"west\": Import(file: \"west.npy\", origin: (0, 0)),";
    let east = nodes(", surround: Roughness, borders: Stitched, neighbour: \"west\"", more);
    let evaluation = run(folder.path(), (64.0, 0.0), &east, "bent bounds ground");
    let (bent, bounds, ground) =
        (output::<Map>(&evaluation, 0), output::<Bounds>(&evaluation, 1), output::<Map>(&evaluation, 2));
    for row in 0..33 {
        assert_eq!(bent[(0, row)].to_bits(), west[(32, row)].to_bits(), "{row}");
    }
    let moved = (0..33).filter(|&row| bent[(0, row)] != ground[(0, row)]).count();
    assert!(moved > 3, "the path has bent the neighbour's border: {moved}");
    assert_eq!(bounds.given.iter().filter(|given| !given.is_nan()).count(), 33, "other sides are free");
    // Ground that the path does not bind adapts to the border: there is no cliff.
    let steps =
        |map: &Map| (0..33).map(|row| f64::from((map[(1, row)] - map[(0, row)]).abs())).fold(0.0, f64::max);
    assert!(steps(&bent) < 2.0 * steps(&ground), "{} {}", steps(&bent), steps(&ground));
    let apart = run(folder.path(), (66.0, 0.0), &east, "bent");
    let said = format!("{:?}", apart.nodes);
    assert!(said.contains("`neighbour` shares no sample with the patch's border"), "{said}");
}

#[test]
fn masks_and_lines_of_any_process_can_be_walked() {
    let folder = tempfile::tempdir().unwrap();
    let line = r#"{"type": "Feature", "properties": {"width": 8, "slope": 0.02},
        "geometry": {"type": "LineString", "coordinates": [[4, -50], [60, -54]]}}"#;
    fs::write(folder.path().join("a.geojson"), line).unwrap();
    let nodes = "\"line\": Ramp(from: (0, 20), to: (0, 21)), \"end\": Ramp(from: (0, 31), to: (0, 30)),
         \"mask\": Combine(a: \"line\", b: \"end\", mode: Min),
         \"bounds\": SubdivideMask(height: \"ground\", mask: \"mask\", file: \"a.geojson\", slope_gain: 0.4),
         \"bent\": RelaxPath(height: \"ground\", subdivision: \"bounds\", solver: Draft),
         \"report\": ConstraintReport(height: \"bent\", subdivision: \"bounds\", slope_tolerance: 0.0001)";
    let outputs = "bent.report bounds report bounds.picture";
    let evaluation = run(folder.path(), (0.0, 0.0), nodes, outputs);
    assert_eq!(output::<Table>(&evaluation, 0).column("met"), Some(&[1.0][..]));
    assert_eq!(output::<Table>(&evaluation, 2).column("gradient_missed"), Some(&[0.0][..]));
    let bounds = output::<Bounds>(&evaluation, 1);
    let slope = |x: usize, y: usize| bounds.slope[y * 33 + x];
    assert_eq!((slope(16, 12), slope(16, 26), slope(16, 24)), (0.1, 0.02, 0.02));
    assert!(slope(16, 9).is_infinite() && slope(16, 23).is_infinite());
    let none =
        error("\"none\": Constant(value: 0), \"a\": SubdivideMask(height: \"ground\", mask: \"none\")");
    assert!(none.contains("no sample of the patch is on a path"), "{none}");
}

/// If the whole ground is raised, it misses only the given heights. If only its interior is raised, it also
/// misses the slope across the border and the roughness at a scale.
#[test]
fn reports_cover_all_kinds_of_bounds_and_given_heights_inside() {
    let nodes = "\"one\": Constant(value: 1), \"up\": Combine(a: \"ground\", b: \"one\"),
         \"noise\": Perlin(wavelength: 9, amplitude: 8.0, seed: 3), \"rough\": Combine(a: \"ground\", b: \
         \"noise\"), \"graph\": PathGraph(nodes: [(24, 24), (40, 40)], edges: [(0, 1)]),
         \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", borders: Stitched, border: 8),
         \"same\": ConstraintReport(height: \"up\", subdivision: \"bounds\", before: \"ground\", scales: [1, \
         4], border_slope: true),
         \"given\": ConstraintReport(height: \"up\", subdivision: \"bounds\", border: \"up\"),
         \"other\": ConstraintReport(height: \"rough\", subdivision: \"bounds\", before: \"ground\", scales: \
         [1, 4], border_slope: true, roughness_tolerance: 0.04)";
    let outputs = "same given other";
    let evaluation = run(Path::new("."), (0.0, 0.0), nodes, outputs);
    let number = |index: usize, name: &str| output::<Table>(&evaluation, index).column(name).unwrap()[0];
    assert_eq!((number(0, "position"), number(0, "position_missed")), (128.0, 1.0));
    assert!((number(0, "position_mean") - 1.0).abs() < 1e-6);
    assert_eq!((number(1, "position_missed"), number(1, "border_slope")), (0.0, 0.0));
    // Four rows along each side; diagonals from the corners have no pairs.
    assert_eq!(number(0, "border_slope"), 4.0 * (31.0 + 29.0 + 27.0 + 25.0));
    assert_eq!((number(0, "border_slope_missed"), number(0, "scales_missed")), (0.0, 0.0));
    assert!(number(0, "scales") > 0.0 && number(0, "scales") == number(0, "roughness"));
    assert!(number(2, "border_slope_missed") > 0.9 && number(2, "scales_missed") > 0.5);
}
