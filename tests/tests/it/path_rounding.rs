//! `met` refers to the written heights. They are in single precision, which is coarse for heights far from 0.

use std::path::Path;
use std::sync::Arc;

use terrane::flow::load;
use terrane::nodes::values::{Bounds, Map, Table};
use terrane::{LoadOptions, Wanted, registry};
use terrane_tests::engine;

/// The slope tolerance, the default of both nodes.
const TOLERANCE: f64 = 1e-5;

/// The result of a road over ground with an offset.
struct Outcome {
    met: bool,
    /// Number of bounds that `RelaxPath` counts as missed, and that `ConstraintReport` does.
    missed: [f64; 2],
    /// The maximum by which slopes on the path exceed their bound, computed from the definition.
    steepest: f64,
}

fn road(offset: u32, solver: &str) -> Outcome {
    let text = format!(
        "Graph(
            size: (65, 65), spacing: 0.5, seed: 32,
            nodes: {{
                \"ground\": MidpointDisplacement(lattice: 2, amplitude: 1, offset: {offset}),
                \"graph\": PathGraph(nodes: [(4.5, 25.0), (27.5, 22.5), (16.0, 15.0)], edges: [(0, 2), (2, \
                1)]),
                \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", max_slope: 0.0035, width: \
                2.0, border: 3.0),
                \"h\": RelaxPath(height: \"ground\", subdivision: \"bounds\", max_iterations: 60000, solver: \
                {solver}),
                \"rep\": ConstraintReport(height: \"h\", subdivision: \"bounds\", before: \"ground\"),
            }},
            outputs: {{}},
        )"
    );
    let options = LoadOptions::default();
    let loaded = load("test.ron", &text, Path::new("."), &registry(), &options);
    let loaded = loaded.unwrap_or_else(|errors| panic!("{errors}"));
    let wanted = ["h", "h.report", "rep", "bounds"].map(Wanted::from);
    let evaluation = engine(2, None).start(&Arc::new(loaded), wanted).unwrap().wait();
    let value = |index: usize| evaluation.outputs[index].value.clone().unwrap();
    let (map, report, survey, bounds) = (value(0), value(1), value(2), value(3));
    let (map, bounds) = (map.get::<Map>().unwrap(), bounds.get::<Bounds>().unwrap());
    let (report, survey) = (report.get::<Table>().unwrap(), survey.get::<Table>().unwrap());
    let number = |table: &Table, name: &str| table.column(name).unwrap_or_else(|| panic!("{name}"))[0];
    let kinds = ["gradient", "directional", "bank"];
    let shares = kinds.map(|kind| number(survey, kind) * number(survey, &format!("{kind}_missed")));
    Outcome {
        met: number(report, "met") == 1.0,
        missed: [number(report, "missed"), shares.iter().sum::<f64>().round()],
        steepest: steepest(map, bounds),
    }
}

/// The maximum by which the gradient of a quadrant exceeds the path's bound.
fn steepest(map: &Map, bounds: &Bounds) -> f64 {
    let (width, height) = map.domain().size;
    let mut most = f64::NEG_INFINITY;
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let bound = f64::from(bounds.slope[y * width + x]);
        for (dx, dy) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
            let (u, v) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            if u < width && v < height {
                let rise = |at: (usize, usize)| (f64::from(map[at]) - f64::from(map[(x, y)])) / map.spacing();
                let (gx, gy) = (rise((u, y)), rise((x, v)));
                most = most.max((gx * gx + gy * gy).sqrt() - bound);
            }
        }
    }
    most
}

/// With an offset of 300, rounding adds more than half of the tolerance to slopes, and solvers tighten the
/// bounds by that amount. With 3000, the rounding step of heights is an eighth of the path's rise between
/// samples.
#[test]
fn met_refers_to_heights_as_written() {
    for (offset, must_be_met) in [(0, true), (300, true), (3000, false)] {
        for solver in ["Reference", "Draft"] {
            let Outcome { met, missed, steepest } = road(offset, solver);
            let of = format!("{solver}, offset {offset}: {missed:?}, {steepest:e}");
            assert_eq!(missed[0], missed[1], "the two nodes agree: {of}");
            assert_eq!(met, missed[0] == 0.0, "{of}");
            assert!(!met || steepest <= TOLERANCE + 1e-12, "{of}");
            assert!(met || !must_be_met, "{of}");
        }
    }
}
