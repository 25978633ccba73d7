//! Levels of water: ground that is raised through a lake stands dry in every picture.

use std::sync::Arc;

use terrane::values::{Levels, Map, MeshValue, Paths, Picture, Table};
use terrane_flow::{Data, Evaluation};
use terrane_tests::{engine, evaluate, load_text};

fn run(nodes: &str, outputs: &str) -> Evaluation {
    let text = format!(
        "Graph(size: (129, 129), spacing: 8.0, seed: 5, nodes: {{ {nodes} }}, outputs: {{ {outputs} }})"
    );
    let loaded = load_text(&text).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let evaluation = evaluate(&engine(2, None), &Arc::new(loaded));
    assert!(evaluation.succeeded(), "{:?}", evaluation.nodes);
    evaluation
}

fn value<T: Data + Clone>(evaluation: &Evaluation, index: usize) -> T {
    evaluation.outputs[index].value.as_ref().unwrap().get::<T>().unwrap().clone()
}

/// A lake, and ground through which a hill and a bank of 40 m rise.
const RAISED: &str = r#"
    "hills": Perlin(octaves: 5, wavelength: 900.0, amplitude: 300.0),
    "lakes": Lakes(height: "hills"),
    "hill": Ramp(shape: Radial, from: (560.0, 430.0), to: (400.0, 430.0), low: 0.0, high: 400.0),
    "line": Ramp(from: (0.0, 700.0), to: (0.0, 740.0), low: 0.0, high: 1.0),
    "bank": Select(height: "line", range: (0.1, 0.9)),
    "causeway": Combine(a: "lakes.nearest", b: 40.0),
    "with hill": Combine(a: "hills", b: "hill"),
    "raised": Blend(a: "with hill", b: "causeway", mask: "bank"),
"#;

#[test]
fn raised_ground_stands_dry_in_every_picture() {
    let nodes = format!(
        r#"{RAISED}
        "water": Water(height: "raised", water: "lakes"),
        "bare": ColorRelief(height: "raised"),
        "relief": ColorRelief(height: "raised", water: "lakes"),
        "overlay": Overlay(picture: "bare", height: "raised", water: "lakes"),
        "by depth": Overlay(picture: "bare", water: "lakes.depth"),
        "mesh": Mesh(height: "raised", water: "lakes"),
        "view": Render(height: "raised", water: "lakes", pixels: (160, 90)),
        "dry": Render(height: "raised", pixels: (160, 90)),
        "same": Render(height: "raised", water: "water.depth", pixels: (160, 90)),"#
    );
    let outputs = r#""raised.tif": "raised", "lakes.tif": "lakes", "mask.tif": "water.mask",
        "bare.png": "bare",
        "relief.png": "relief", "overlay.png": "overlay", "depth.png": "by depth",
        "mesh.glb": "mesh",
        "view.png": "view", "dry.png": "dry", "same.png": "same", "water.tif": "water""#;
    let run = run(&nodes, outputs);
    let [raised, mask] = [0, 2].map(|index| value::<Map>(&run, index));
    let (lakes, left) = (value::<Levels>(&run, 1), value::<Levels>(&run, 11));
    let [bare, relief, overlay, by_depth] = [3, 4, 5, 6].map(|index| value::<Picture>(&run, index).0);
    let (mut emerged, mut wet) = (0, 0);
    for at in 0..raised.samples().len() {
        let [ground, level] = [raised.samples()[at], lakes.samples()[at]];
        let is_wet = level > ground;
        emerged += usize::from(level <= ground);
        wet += usize::from(is_wet);
        for picture in [&relief, &overlay] {
            assert_eq!(picture.as_slice()[at] != bare.as_slice()[at], is_wet, "sample {at}");
        }
        assert_eq!(mask.samples()[at] == 1.0, is_wet);
        assert!(if is_wet { left.samples()[at] == level } else { left.samples()[at].is_nan() });
    }
    assert!(emerged > 200 && wet > 200, "{emerged} {wet}");
    // The depth of the lake rises with the ground, as it did without levels.
    let hills = (0..raised.samples().len()).filter(|at| lakes.samples()[*at] <= raised.samples()[*at]);
    assert!(hills.clone().all(|at| by_depth.as_slice()[at] != bare.as_slice()[at]));
    let mesh = value::<MeshValue>(&run, 7);
    let water = mesh.water.as_ref().unwrap();
    let levels: Vec<f32> = lakes.samples().iter().copied().filter(|level| !level.is_nan()).collect();
    assert!(water.positions.iter().all(|position| levels.contains(&position[1])), "level all over");
    let [view, dry, same] = [8, 9, 10].map(|index| value::<Picture>(&run, index).0);
    assert!(view != dry);
    let differ = view.as_slice().iter().zip(same.as_slice()).filter(|(a, b)| a != b).count();
    assert!(differ < 20, "a level and its depth look alike: {differ}");
}

#[test]
fn lowered_ground_beside_water_is_named() {
    let nodes = format!(
        r#"{RAISED}
        "pit": Combine(a: "hills", b: "hill", mode: Subtract),
        "relief": ColorRelief(height: "pit", water: "lakes"),"#
    );
    let run = run(&nodes, r#""relief.png": "relief""#);
    assert!(
        run.warnings.iter().any(|warning| warning.contains("above dry ground beside it")),
        "{:?}",
        run.warnings
    );
}

#[test]
fn rivers_run_from_lake_to_lake_in_their_beds() {
    let nodes = r#"
        "hills": Perlin(octaves: 5, wavelength: 900.0, amplitude: 300.0),
        "lakes": Lakes(height: "hills"),
        "flow": Drainage(height: "hills"),
        "lines": Rivers(receivers: "flow.receivers", drainage: "flow", height: "hills", water: "lakes",
            threshold: 20000.0),
        "carved": CarveRivers(height: "hills", rivers: "lines", water: "lakes", width_factor: 60.0),
        "bare": CarveRivers(height: "hills", rivers: "lines", width_factor: 60.0),
        "plain": Rivers(receivers: "flow.receivers", drainage: "flow", threshold: 20000.0),
    "#;
    let outputs = r#""hills.tif": "hills", "lakes.tif": "lakes", "ground.tif": "carved", "level.tif":
        "carved.level", "mask.tif": "carved.mask",
        "rivers.geojson": "carved.rivers", "lakes.csv": "lakes.lakes""#;
    let run = run(nodes, outputs);
    let [hills, ground, mask] = [0, 2, 4].map(|index| value::<Map>(&run, index));
    let [lakes, level] = [1, 3].map(|index| value::<Levels>(&run, index));
    let (rivers, table) = (value::<Paths>(&run, 5), value::<Table>(&run, 6));
    assert!(rivers.lines.len() > 10 && table.rows() > 1);
    let column = |name: &str| rivers.points.column(name).unwrap();
    for rows in rivers.rows() {
        assert!(column("z")[rows].windows(2).all(|pair| pair[0] >= pair[1]), "a river climbs");
    }
    assert!(rivers.attributes.column("order").unwrap().iter().any(|order| *order > 1.0));
    for at in 0..hills.samples().len() {
        let [before, after, own] = [hills.samples()[at], ground.samples()[at], level.samples()[at]];
        assert_eq!(own > after, !own.is_nan());
        if lakes.samples()[at] > before {
            assert!(after <= before && own >= lakes.samples()[at]);
        } else {
            assert_eq!(mask.samples()[at] == 1.0, !own.is_nan());
        }
    }
    // Without heights of points there is nothing to carve, and without lakes some rivers end on land.
    let failed = load_text(&format!(
        r#"Graph(size: (129, 129), spacing: 8.0, seed: 5, nodes: {{ {nodes}
        "c": CarveRivers(height: "hills", rivers: "plain") }}, outputs: {{ "c.tif": "c" }})"#
    ));
    let failed =
        evaluate(&engine(1, None), &Arc::new(failed.unwrap_or_else(|mistakes| panic!("{mistakes}"))));
    let said = format!("{:?}", failed.nodes);
    assert!(said.contains("the points of the lines at `rivers` have no `z`"), "{said}");
}

#[test]
fn wires_of_other_kinds_are_named() {
    let wrong = |node: &str| {
        let text = format!(
            r#"Graph(size: (9, 9), nodes: {{ "hills": Perlin(), "lakes": Lakes(height: "hills"),
            "n": {node} }}, outputs: {{ "n.json": "n" }})"#
        );
        load_text(&text).unwrap_err().to_string()
    };
    let table = wrong(r#"Water(height: "hills", water: "lakes.lakes")"#);
    assert!(table.contains("takes a map or a level, but `lakes.lakes` is of kind table"), "{table}");
    assert!(table.contains("its outputs of kind map or level are: level, depth, shore, nearest"), "{table}");
    let level = wrong(r#"Statistics(height: "lakes")"#);
    assert!(level.contains("takes a map, but `lakes` is of kind level"), "{level}");
    assert!(level.contains("a Water node makes maps of it"), "{level}");
    let lines = wrong(r#"CarveRivers(height: "hills", rivers: "lakes")"#);
    assert!(lines.contains("takes paths, but") && !lines.contains("makes maps"), "{lines}");
}
