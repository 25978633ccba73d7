//! Samples without a height: every node that takes them keeps them, and all others refuse them.

use std::path::Path;
use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::StdRng;
use terrane::flow::{Holes, LoadOptions, Loaded, NodeSpec, Reach, load};
use terrane::io::{ReadOptions, WriteOptions, read_heightmap, write_heightmap};
use terrane::registry;
use terrane::runs::outputs::run_all;
use terrane::values::{Map, Table};
use terrane::{Domain, Heightmap};
use terrane_tests::{engine, evaluate, variants};

const SIZE: (usize, usize) = (33, 29);

/// Rough ground on a slope, and the same ground with holes in its middle, at its border and in a corner.
fn ground() -> [Heightmap; 2] {
    let lattice = terrane_grid::Seed(11).lattice();
    let domain = Domain::new(SIZE.0, SIZE.1).with_spacing(2.0);
    let whole =
        Heightmap::from_fn(domain, |x, y| 3.0 * lattice.unit(x as i64, y as i64) + x as f32 + 0.5 * y as f32);
    let mut holed = whole.clone();
    for at in 0..SIZE.0 * SIZE.1 {
        let (x, y) = (at % SIZE.0, at / SIZE.0);
        let is_hole = x + y < 5 || (14..17).contains(&x) && (12..14).contains(&y) || (x, y) == (32, 20);
        if is_hole {
            holed.samples_mut()[at] = f32::NAN;
        }
    }
    [whole, holed]
}

fn loaded(text: &str, folder: &Path) -> Option<Arc<Loaded>> {
    load("g.ron", text, folder, &registry(), &LoadOptions::default()).ok().map(Arc::new)
}

/// A graph of one node over a file, with the node's parameters as given.
fn graph(spec: &NodeSpec, params: &[String], file: &str) -> String {
    let wired = |(name, kind): (&str, &str)| match kind {
        "map" if name == "receivers" => Some("receivers: \"water.receivers\"".to_owned()),
        "map" if name == "drainage" => Some("drainage: \"water\"".to_owned()),
        "map" => Some(format!("{name}: \"dem\"")),
        "picture" => Some(format!("{name}: \"relief\"")),
        "paths" if name == "rivers" => Some("rivers: \"lines\"".to_owned()),
        _ => None,
    };
    let inputs = spec.inputs.iter().filter(|input| !input.scalar || !input.optional);
    let inputs = inputs.filter_map(|input| wired((input.name, input.kind.name)));
    let fields: Vec<String> = inputs.chain(params.iter().cloned()).collect();
    let outputs: Vec<String> = spec
        .outputs
        .iter()
        .enumerate()
        .map(|(index, output)| {
            let extension = match output.kind.name {
                "map" | "level" => "npy",
                "picture" => "png",
                "mesh" => "obj",
                "paths" => "geojson",
                _ => "json",
            };
            format!("\"{index}.{extension}\": \"node.{}\"", output.name)
        })
        .collect();
    format!(
        "Graph(size: {SIZE:?}, spacing: 2.0, nodes: {{ \"dem\": Import(file: \"{file}\", voids: Keep), \
        \"filled\": Import(file: \"{file}\"), \"water\": Drainage(height: \"dem\"), \
        \"relief\": ColorRelief(height: \"filled\"), \
        \"other\": Perlin(wavelength: 20.0, amplitude: 9.0), \"flow\": Drainage(height: \"other\"), \
        \"lines\": Rivers(receivers: \"flow.receivers\", drainage: \"flow\", height: \"other\"), \
        \"node\": {}({}) }}, outputs: {{ {} }})",
        spec.name,
        fields.join(", "),
        outputs.join(", ")
    )
}

#[test]
fn nodes_that_keep_holes_change_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, holed] = ground();
    write_heightmap(&folder.path().join("whole.npy"), &whole, &WriteOptions::default()).unwrap();
    write_heightmap(&folder.path().join("holed.npy"), &holed, &WriteOptions::default()).unwrap();
    let (engine, mut random) = (engine(2, None), StdRng::seed_from_u64(20));
    for (spec, _) in variants::examples().iter().filter(|(spec, _)| spec.holes == Holes::Kept) {
        let mut runs = 0;
        for number in 0..12 {
            let wanted = spec.params.iter().filter(|param| param.default.is_none() || number > 0);
            let params: Vec<String> = wanted
                .filter_map(|param| Some((param, variants::ordinary(&mut random, param, 1).pop()?)))
                .map(|(param, value)| format!("{}: {value}", param.name))
                .collect();
            let [a, b] =
                ["whole.npy", "holed.npy"].map(|file| loaded(&graph(spec, &params, file), folder.path()));
            let (Some(a), Some(b)) = (a, b) else { continue };
            let reach = b.graph.nodes["node"].node().reach(&*b.graph.header);
            let (without, with) = (evaluate(&engine, &a), evaluate(&engine, &b));
            if !without.succeeded() || !with.succeeded() {
                assert!(without.succeeded() == with.succeeded(), "{} {params:?}", spec.name);
                continue;
            }
            runs += 1;
            for (whole, kept) in without.outputs.iter().zip(&with.outputs) {
                let values = [whole, kept].map(|output| output.value.clone().unwrap());
                if let [Some(whole), Some(kept)] = values.each_ref().map(|value| value.get::<Map>()) {
                    compare(spec, &holed, (&whole.0, &kept.0), &reach, &params);
                }
                if let Some(table) = values[1].get::<Table>() {
                    let numbers = table.columns().iter().flat_map(|(_, numbers)| numbers.to_vec());
                    assert!(numbers.into_iter().all(f64::is_finite), "{} {params:?}", spec.name);
                }
            }
        }
        assert!(runs >= 2, "{} ran {runs} times", spec.name);
    }
}

/// Compares the results over ground without holes and over ground with holes.
fn compare(
    spec: &NodeSpec,
    ground: &Heightmap,
    (whole, kept): (&Heightmap, &Heightmap),
    reach: &Reach,
    params: &[String],
) {
    let is_hole = |at: usize| ground.samples()[at].is_nan();
    let near = |at: usize, reach: usize| {
        let (x, y) = (at % SIZE.0, at / SIZE.0);
        (0..SIZE.0 * SIZE.1).any(|other| {
            is_hole(other) && (other % SIZE.0).abs_diff(x).max((other / SIZE.0).abs_diff(y)) <= reach
        })
    };
    for at in 0..SIZE.0 * SIZE.1 {
        let (whole, kept) = (whole.samples()[at], kept.samples()[at]);
        let place = format!("{} {params:?} at {at}: {whole} {kept}", spec.name);
        if is_hole(at) {
            assert_eq!(kept.to_bits(), f32::NAN.to_bits(), "{place}");
            continue;
        }
        assert!(!kept.is_nan() || whole.is_nan(), "{place}");
        if let Reach::Samples(reach) = reach
            && !near(at, *reach as usize)
        {
            assert_eq!(whole.to_bits(), kept.to_bits(), "{place}");
        }
    }
}

#[test]
fn other_nodes_refuse_holes_where_they_are_connected() {
    let folder = tempfile::tempdir().unwrap();
    let [_, holed] = ground();
    write_heightmap(&folder.path().join("holed.npy"), &holed, &WriteOptions::default()).unwrap();
    let text = r#"Graph(size: (33, 29), nodes: {
    "dem": Import(file: "holed.npy", voids: Keep),
    "lower": Combine(a: "dem", b: 3.0, mode: Subtract),
    "worn": ThermalErosion(
        height: "lower",
    ),
    "filled": FillHoles(height: "lower"),
    "fine": ThermalErosion(height: "filled"),
}, outputs: { "worn.png": "worn", "mask.png": "dem.mask", "lower.png": "lower", "fine.png": "fine" })"#;
    let mistakes = load("g.ron", text, folder.path(), &registry(), &LoadOptions::default()).unwrap_err();
    insta::assert_snapshot!("other nodes refuse holes", mistakes.render(false));
}

#[test]
fn holes_of_a_file_come_back_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, holed] = ground();
    write_heightmap(&folder.path().join("holed.tif"), &holed, &WriteOptions::default()).unwrap();
    let text = r#"Graph(size: (33, 29), spacing: 2.0, nodes: {
        "dem": Import(file: "holed.tif", voids: Keep),
        "same": Resample(height: "dem", filter: Bicubic),
        "half": Resample(height: "dem", size: Some((17, 15)), filter: Area),
        "twice": Resample(height: "dem", size: Some((65, 57)), filter: Bilinear),
        "part": Crop(height: "dem", size: (20, 20), origin: Some((10.0, 8.0))),
        "still": Transform(height: "dem"),
    }, outputs: { "dem.tif": "dem", "dem.exr": "dem", "same.npy": "same", "half.tif": "half",
        "twice.npy": "twice", "part.tif": "part", "still.npy": "still" })"#;
    let loaded = loaded(text, folder.path()).unwrap();
    run_all(&engine(2, None), &loaded, &folder.path().join("out")).unwrap();
    let keep = ReadOptions { fill: false, ..ReadOptions::default() };
    let read = |name: &str| read_heightmap(&folder.path().join("out").join(name), &keep).unwrap();
    let bits = |map: &Heightmap| map.samples().iter().map(|sample| sample.to_bits()).collect::<Vec<_>>();
    for name in ["dem.tif", "dem.exr", "same.npy", "still.npy"] {
        assert_eq!(bits(&read(name).map), bits(&holed), "{name}");
    }
    // The tag that says so to programs that know no not-a-number.
    assert_eq!(read("dem.tif").georef.unwrap().nodata.as_deref(), Some("nan"));
    assert_eq!(bits(&read("part.tif").map), bits(&holed.part((5, 4), (20, 20))));
    // Counted apart from this program. Stretched ground has a height wherever half of what it is made from
    // has one, and no other heights.
    let range = |map: &Heightmap| {
        let known = map.samples().iter().copied().filter(|sample| !sample.is_nan());
        known.fold((f32::MAX, f32::MIN), |(low, high), sample| (low.min(sample), high.max(sample)))
    };
    let (low, high) = range(&whole);
    for (name, holes) in [("half.tif", 8), ("twice.npy", 61)] {
        let map = read(name).map;
        let (from, to) = range(&map);
        let count = map.samples().iter().filter(|sample| sample.is_nan()).count();
        assert!(from >= low && to <= high && holes == count, "{name}: {from} {to} {count}");
    }
}
