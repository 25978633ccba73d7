//! Worlds of any graph: patches of any size are bit for bit parts of one terrain.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use terrane::flow::{Diagnostic, Value};
use terrane::values::TerrainKind;
use terrane::world::{Asked, LoadedWorld};
use terrane::{Engine, EngineOptions, LoadOptions, Terrain, Wanted, load, registry};
use terrane_grid::Tiling;

const OUTPUTS: [&str; 5] = ["worn", "mixed", "slope", "soft", "relief"];

/// Noise, masks, thermal erosion, slopes and colours.
fn patch(size: usize, iterations: u32, outputs: &str) -> String {
    format!(
        r#"Graph(
            size: ({size}, {size}), spacing: 30.0, seed: 7,
            nodes: {{
                "hills": Perlin(fractal: Ridged, octaves: 7, wavelength: 2400.0, amplitude: 900.0),
                "high": Select(height: "hills", by: Height, range: (300.0, 2000.0), falloff: 100.0),
                "worn": ThermalErosion(height: "hills", talus: 0.6, iterations: {iterations}),
                "mixed": Blend(a: "hills", b: "worn", mask: "high"),
                "slope": SlopeMap(height: "mixed"),
                "shade": Hillshade(height: "mixed"),
                "soft": Blur(height: "mixed", radius: 200.0),
                "relief": ColorRelief(height: "mixed", shade: "shade", range: (0.0, 900.0)),
                "facts": Statistics(height: "mixed"),
                "lines": Contours(height: "mixed", interval: 50.0),
            }},
            outputs: {{ {outputs} }},
        )"#
    )
}

const ALL: &str = r#""worn.npy": "worn", "mixed.npy": "mixed", "slope.npy": "slope", "soft.npy": "soft",
    "relief.png": "relief", "facts.json": "facts", "lines.geojson": "lines.lines""#;

fn world(folder: &Path, patch: &str) -> Result<LoadedWorld, String> {
    std::fs::write(folder.join("patch.ron"), patch).unwrap();
    std::fs::write(folder.join("world.ron"), r#"World(patch: "patch.ron")"#).unwrap();
    LoadedWorld::load(&folder.join("world.ron"), &registry(), &LoadOptions::default()).map_err(|errors| {
        let message = |error: &Diagnostic| {
            format!("{}: {} ({})\n", error.location().unwrap_or_default(), error.message, error.help)
        };
        errors.0.iter().map(message).collect()
    })
}

fn engine() -> Engine {
    Engine::new(EngineOptions { threads: 2, ..EngineOptions::default() }).unwrap()
}

/// Values of a patch, in the order of its outputs.
fn made(world: &LoadedWorld, engine: &Engine, at: (i64, i64)) -> Vec<Value> {
    let loaded = Arc::new(world.patch(engine, at).unwrap());
    let wanted: Vec<Wanted> = loaded.graph.outputs.iter().map(|entry| entry.from.clone().into()).collect();
    let evaluation = engine.start(&loaded, wanted).unwrap().wait();
    evaluation.outputs.iter().map(|output| output.value.clone().unwrap()).collect()
}

/// Values of the same nodes over one map that covers the patches from `low` to `high` and `rim` samples
/// around them.
fn whole(text: &str, tiling: &Tiling, low: (i64, i64), high: (i64, i64), rim: usize) -> Vec<Value> {
    let mut loaded = load("whole.ron", text, Path::new("."), &registry(), &LoadOptions::default()).unwrap();
    let inner = tiling.domain_of(low, high);
    let back = |first: f64| first - rim as f64 * tiling.spacing;
    let size = (inner.size.0 + 2 * rim, inner.size.1 + 2 * rim);
    let domain = terrane_grid::Domain { size, origin: (back(inner.origin.0), back(inner.origin.1)), ..inner };
    loaded.graph.header = Arc::new(Terrain::new(domain));
    let wanted = OUTPUTS.map(Wanted::from);
    let evaluation = engine().start(&Arc::new(loaded), wanted).unwrap().wait();
    evaluation.outputs.iter().map(|output| output.value.clone().unwrap()).collect()
}

fn part(value: &Value, first: (usize, usize), size: (usize, usize)) -> Value {
    TerrainKind::find(value.kind()).unwrap().part(value, first, size).unwrap()
}

/// Compares patches with the whole.
fn compare(size: usize, iterations: u32, patches: &[(i64, i64)]) {
    let folder = tempfile::tempdir().unwrap();
    let text = patch(size, iterations, ALL);
    let world = world(folder.path(), &text).unwrap();
    let (engine, tiling) = (engine(), world.tiling());
    let ends = |of: fn(&(i64, i64)) -> i64| {
        (patches.iter().map(of).min().unwrap(), patches.iter().map(of).max().unwrap())
    };
    let ((left, right), (top, bottom)) = (ends(|patch| patch.0), ends(|patch| patch.1));
    // More than the total reach of thermal erosion and two downstream nodes.
    let rim = 2 * iterations as usize + 16;
    let whole = whole(&text, &tiling, (left, top), (right, bottom), rim);
    for &(i, j) in patches {
        let values = made(&world, &engine, (i, j));
        assert_eq!(values.len(), 7);
        let first = (rim + (i - left) as usize * (size - 1), rim + (j - top) as usize * (size - 1));
        for ((name, own), whole) in OUTPUTS.iter().zip(&values).zip(&whole) {
            let there = part(whole, first, (size, size));
            assert_eq!(own.digest(), there.digest(), "{name} of patch {i},{j} of {size} samples");
        }
    }
}

#[test]
fn patches_of_any_size_match_the_whole() {
    compare(33, 20, &[(0, 0), (1, 0), (0, 1), (2, 1), (-1, -1)]);
    compare(65, 20, &[(0, 0), (1, 0), (-1, 1)]);
    compare(257, 20, &[(0, 0), (0, -1)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_patch_matches_the_whole(
        size in 2usize..40, iterations in 0u32..9, i in -1000i64..1000, j in -1000i64..1000,
    ) {
        compare(size, iterations, &[(i, j), (i + 1, j)]);
    }
}

#[test]
fn borders_are_equal_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path(), &patch(33, 5, ALL)).unwrap();
    let (alone, after) = (made(&world, &engine(), (3, 4)), {
        let engine = engine();
        made(&world, &engine, (2, 4));
        made(&world, &engine, (3, 4))
    });
    assert!(alone.iter().zip(&after).all(|(a, b)| a.digest() == b.digest()));
    let beside = made(&world, &engine(), (4, 4));
    for (own, next) in alone.iter().zip(&beside).take(OUTPUTS.len()) {
        assert_eq!(part(own, (32, 0), (1, 33)).digest(), part(next, (0, 0), (1, 33)).digest());
    }
}

#[test]
fn a_coarse_level_is_the_graph_at_a_larger_spacing() {
    let folder = tempfile::tempdir().unwrap();
    let text = patch(33, 3, ALL);
    world(folder.path(), &text).unwrap();
    let coarse = LoadedWorld::load_asked(
        &folder.path().join("world.ron"),
        &registry(),
        &LoadOptions::default(),
        &Asked { level: 2, ..Asked::default() },
    )
    .unwrap();
    let at_120 = text.replace("spacing: 30.0", "spacing: 120.0");
    std::fs::write(folder.path().join("patch.ron"), at_120).unwrap();
    let again =
        LoadedWorld::load(&folder.path().join("world.ron"), &registry(), &LoadOptions::default()).unwrap();
    let (a, b) = (made(&coarse, &engine(), (1, -2)), made(&again, &engine(), (1, -2)));
    assert!(a.iter().zip(&b).all(|(a, b)| a.digest() == b.digest()));
}

#[test]
fn nodes_that_depend_on_the_whole_map_are_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = patch(33, 3, r#""flat.npy": "flat", "water.npy": "water", "mixed.npy": "mixed""#).replace(
        r#""facts":"#,
        r#""flat": Remap(height: "mixed"), "water": Drainage(height: "mixed"), "facts":"#,
    );
    let errors = world(folder.path(), &wrong).err().unwrap();
    for said in [
        "`flat` (Remap) depends on the whole map",
        "`from: None` is the map's range of heights",
        "`water` (Drainage) depends on the whole map",
        "water comes from the whole drainage area upstream",
        "patch.ron:12:25: `flat`",
        "terrane nodes TYPE",
    ] {
        assert!(errors.contains(said), "{said}: {errors}");
    }
    let mended = patch(33, 3, r#""flat.npy": "flat""#)
        .replace(r#""facts":"#, r#""flat": Remap(height: "mixed", from: (0.0, 900.0)), "facts":"#);
    assert!(world(folder.path(), &mended).is_ok());
}

#[test]
fn cells_that_depend_on_the_patch_size_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let graph = |cells: &str, more: &str| {
        format!(
            r#"Graph(size: (33, 33), nodes: {{ "cells": Voronoi({cells}),
                "slope": SlopeMap(height: "cells") }},
                outputs: {{ "cells.npy": "cells"{more} }})"#
        )
    };
    let errors = world(folder.path(), &graph("regions: 3", "")).err().unwrap();
    assert!(errors.contains("`cells` (Voronoi) depends on the size of the map"), "{errors}");
    assert!(world(folder.path(), &graph("region_size: 11.0", r#", "slope.npy": "slope""#)).is_ok());
}

#[test]
fn impossible_sizes_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let errors = world(folder.path(), &patch(33, 1_000_000_000, ALL)).err().unwrap();
    assert!(errors.contains("`worn` (ThermalErosion) reads 2000000000 samples around each"), "{errors}");
}

/// Compares the first output of patches with that of the same graph over a larger area.
fn same(folder: &Path, text: &str, margin: usize) {
    let world = world(folder, text).unwrap();
    let (engine, tiling) = (engine(), world.tiling());
    let mut loaded = load("whole.ron", text, Path::new("."), &registry(), &LoadOptions::default()).unwrap();
    let inner = tiling.domain_around((0, 0), margin as u64);
    let (columns, rows) = tiling.size;
    let size = (inner.size.0 + columns - 1, inner.size.1 + rows - 1);
    loaded.graph.header = Arc::new(Terrain::new(terrane_grid::Domain { size, ..inner }));
    let wanted: Vec<Wanted> = loaded.graph.outputs.iter().map(|entry| entry.from.clone().into()).collect();
    let whole = engine.start(&Arc::new(loaded), wanted).unwrap().wait();
    for (i, j) in [(0, 0), (1, 0), (1, 1)] {
        for (own, whole) in made(&world, &engine, (i, j)).iter().zip(&whole.outputs) {
            if !TerrainKind::find(own.kind()).unwrap().is_raster {
                continue;
            }
            let first = (margin + i as usize * (columns - 1), margin + j as usize * (rows - 1));
            let there = part(whole.value.as_ref().unwrap(), first, tiling.size);
            assert_eq!(own.digest(), there.digest(), "{} of patch {i},{j}", whole.output);
        }
    }
}

#[test]
fn all_parts_of_graphs_are_the_same_in_patches() {
    let folder = tempfile::tempdir().unwrap();
    // Fields with reduced detail, one of them described by a map.
    same(
        folder.path(),
        r#"Graph(size: (33, 33), spacing: 1.0, seed: 3, nodes: {
            "hills": Perlin(wavelength: 30.0, amplitude: 20.0),
            "grid": GridGraph(columns: 9, rows: 9, cell: 24.0, jitter: 0.2, corner: (-60.0, -60.0)),
            "sections": Section(graph: "grid"),
            "kinds": AssignTerrain(fields: "sections", descriptions: [("Map", Map()),
                ("Low", Noise(wavelength: 9.0, amplitude: 5.0))]),
            "fields": DescribeTerrain(fields: "kinds", name: "Map", height: "hills"),
            "detail": FieldDetail(fields: "fields", viewer: Some((0.0, 0.0)), near: 4.0, most: 3),
            "height": PopulateFields(fields: "detail"),
        }, outputs: { "height.npy": "height.height" })"#,
        40,
    );
    // An unread input of a switch, names that clash with those of cut rasters, and a ground that is used
    // twice.
    same(
        folder.path(),
        r#"Graph(size: (33, 33), spacing: 0.1, seed: 3, nodes: {
            "a": Voronoi(region_size: 0.7),
            "a (patch)": Perlin(wavelength: 2.0),
            "unread": OpenSimplex(wavelength: 4.0),
            "s": Switch(a: "a", b: "unread", choice: A),
            "f": Blur(height: "s", radius: 0.4),
            "g": Combine(a: "f", b: "a (patch)"),
        }, outputs: { "g.npy": "g", "a.npy": "a", "p.npy": "a (patch)",
            "points.json": "a.feature_points" })"#,
        20,
    );
}

#[test]
fn levels_begin_where_the_graph_does_and_share_samples_with_finer_ones() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"Graph(size: (17, 17), spacing: 30.0, origin: (90.0, 60.0), seed: 3, nodes: {
        "a": Perlin(wavelength: 500.0, amplitude: 90.0), "b": Voronoi(region_size: 400.0),
            "c": Combine(a: "a", b: "b"),
    }, outputs: { "c.npy": "c" })"#;
    let fine = world(folder.path(), text).unwrap();
    let engine = engine();
    let map = |value: &Value| value.clone().downcast::<terrane::values::Map>().unwrap();
    for level in 1..4u32 {
        let asked = Asked { level, ..Asked::default() };
        let path = folder.path().join("world.ron");
        let coarse = LoadedWorld::load_asked(&path, &registry(), &LoadOptions::default(), &asked).unwrap();
        assert_eq!(coarse.tiling().domain((0, 0)).origin, (90.0, 60.0));
        let (own, of) = (map(&made(&coarse, &engine, (0, 0))[0]), map(&made(&fine, &engine, (0, 0))[0]));
        let step = 1 << level;
        for (x, y) in [(0, 0), (16 / step, 0), (16 / step, 16 / step)] {
            assert_eq!(own.grid()[(x, y)].to_bits(), of.grid()[(x * step, y * step)].to_bits(), "{level}");
        }
    }
}

#[test]
fn patches_with_rounded_positions_are_rejected_and_others_have_notes() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"Graph(size: (65, 65), spacing: 7.3, origin: (13.37, -55.5), nodes: { "a": Perlin(),
        "b": Blur(height: "a") }, outputs: { "b.png": "b", "c.tif": Export(from: "b", depth: U16),
        "d.tif": "b", "e.png": Export(from: "b", range: (0, 1)), "f.tif": Export(from: "b", depth: I16) })"#;
    let world = world(folder.path(), text).unwrap();
    let notes = world.notes().join("\n");
    assert_eq!(notes.matches("is scaled from").count(), 2, "{notes}");
    for said in
        ["patches begin at (14.6", "samples of ground around them", "`b.png` is scaled", "`c.tif` is scaled"]
    {
        assert!(notes.contains(said), "{said}: {notes}");
    }
    let engine = engine();
    assert!(world.patch(&engine, (8_000_000, -8_000_000)).is_ok());
    for far in [(9_000_000, 0), (0, -1 << 30)] {
        let error = world.patch(&engine, far).err().unwrap();
        assert!(error.message.contains("coordinates are rounded"), "{}", error.message);
    }
}
