//! Files of kinds that are easily misread, with their right heights.

use std::path::{Path, PathBuf};

use terrane_io::{ReadOptions, read_heightmap};

use crate::testing::Run;
use crate::values::Map;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sources/import/cases")
}

fn right(name: &str) -> Vec<f32> {
    let read = read_heightmap(&folder().join(name), &ReadOptions::default()).unwrap();
    read.map.samples().to_vec()
}

/// Imports a file at its own size.
fn import(size: (usize, usize), spacing: f64, parameters: &str) -> Run {
    let text = format!(
        "Graph(size: {size:?}, spacing: {spacing:?}, nodes: {{ \"a\": Import({parameters}) }}, outputs: {{ \
        \"h.npy\": \"a\", \"m.npy\": \"a.mask\" }})"
    );
    Run::of(&text, &folder()).unwrap()
}

#[test]
fn heights_are_those_that_the_file_means() {
    for (parameters, size, wanted) in [
        ("file: \"scale.tif\"", (53, 37), "scale.npy"),
        ("file: \"min_is_white.tif\"", (53, 37), "min_is_white.npy"),
        ("file: \"lzw_tiles_i16.tif\"", (150, 150), "lzw_tiles_i16.npy"),
        ("file: \"lzw_tiles_u8.tif\"", (83, 67), "lzw_tiles_u8.npy"),
        ("file: \"colour_and_depth.exr\", channel: Some(\"R\")", (53, 37), "colour_and_depth.npy"),
        ("file: \"layers.exr\", channel: Some(\"height.Y\")", (53, 37), "layers.npy"),
    ] {
        let run = import(size, 1.0, parameters);
        assert_eq!(run.value::<Map>(0).samples(), right(wanted), "{parameters}");
        assert_eq!(run.warnings(), "", "{parameters}");
    }
}

#[test]
fn missing_samples_are_those_that_the_file_declares() {
    for (file, size, wanted, mask, missing) in [
        ("nodata_rounded.tif", (53, 37), "nodata_rounded.npy", "nodata_rounded_mask.npy", 61),
        ("nodata_comma.tif", (53, 37), "nodata_comma.npy", "nodata_rounded_mask.npy", 61),
        ("mask.tif", (83, 67), "mask.npy", "mask_mask.npy", 81),
    ] {
        let run = import(size, 1.0, &format!("file: {file:?}"));
        let (heights, known) = (run.value::<Map>(0), run.value::<Map>(1));
        assert_eq!(known.samples(), right(mask), "{file}");
        let valid = || known.samples().iter().enumerate().filter(|(_, known)| **known == 1.0);
        let wanted = right(wanted);
        assert!(valid().all(|(at, _)| heights.samples()[at] == wanted[at]), "{file}");
        let kept = import(size, 1.0, &format!("file: {file:?}, voids: Keep"));
        for (at, height) in kept.value::<Map>(0).samples().iter().enumerate() {
            assert!(
                if known.samples()[at] == 1.0 { *height == wanted[at] } else { height.is_nan() },
                "{file}"
            );
        }
        assert_eq!(kept.warnings(), "", "{file}");
        let range = valid()
            .map(|(at, _)| wanted[at])
            .fold((f32::MAX, f32::MIN), |(low, high), h| (low.min(h), high.max(h)));
        assert!(heights.samples().iter().all(|h| (range.0..=range.1).contains(h)), "{file}");
        assert_eq!(
            run.warnings(),
            format!(
                "a: {missing} missing samples were filled in; output `mask` shows which, and `voids: Keep` \
                keeps them as holes"
            ),
            "{file}"
        );
    }
    let only = import((53, 37), 1.0, "file: \"only_nodata.tif\"");
    assert!(!only.warnings().contains("geographic"), "{}", only.warnings());
}

#[test]
fn samples_that_look_missing_are_pointed_out_and_the_remedy_works() {
    let run = import((53, 37), 1.0, "file: \"undeclared.tif\"");
    let warning =
        "a: 61 samples are -32768, 33152 below all others: set `nodata: -32768` if they are missing";
    assert_eq!(run.warnings(), warning);
    let remedied = import((53, 37), 1.0, "file: \"undeclared.tif\", nodata: Some(-32768.0)");
    let (heights, known) = (remedied.value::<Map>(0), remedied.value::<Map>(1));
    assert_eq!(known.samples().iter().filter(|known| **known == 0.0).count(), 61);
    assert!(heights.samples().iter().all(|h| (383.0..=1329.0).contains(h)));
}

#[test]
fn another_spacing_is_told_whatever_the_reference_system() {
    let degrees = import((60, 60), 30.0, "file: \"degrees.tif\"").warnings();
    let right =
        "20.9321 m apart from west to east and 30.8835 m from north to south, and the graph's spacing is 30";
    assert!(degrees.contains(right), "{degrees}");
    assert!(degrees.ends_with("`size: (60, 88), spacing: 20.9321` is right"), "{degrees}");
    let remedied = import((60, 88), 20.9321, "file: \"degrees.tif\"").warnings();
    assert!(remedied.starts_with("a: rows were resampled by 1.47458 for square cells"), "{remedied}");
    let metre = import((60, 60), 30.0, "file: \"one_metre.tif\"").warnings();
    assert!(metre.contains("are 1 m apart and the graph's spacing is 30"), "{metre}");
    assert_eq!(import((60, 60), 1.0, "file: \"one_metre.tif\"").warnings(), "");
    let stretched = import((119, 119), 1.0, "file: \"one_metre.tif\"").warnings();
    assert!(stretched.contains("stretched over the graph, are 0.5 m apart"), "{stretched}");
}

#[test]
fn a_graph_takes_the_spacing_and_the_size_of_a_file() {
    let graph = |header: &str, parameters: &str| {
        let text = format!(
            "Graph({header} spacing: File(\"a\"), nodes: {{ \"a\": Import(file: {parameters}) }}, outputs: \
            {{ \"h.npy\": \"a\" }})"
        );
        Run::of(&text, &folder())
    };
    let domain = |header: &str, parameters: &str| graph(header, parameters).unwrap().value::<Map>(0).domain();
    let metre = domain("", "\"one_metre.tif\"");
    assert_eq!((metre.size, metre.spacing), ((60, 60), 1.0));
    let finer = domain("size: (119, 119),", "\"one_metre.tif\"");
    assert_eq!((finer.size, finer.spacing), ((119, 119), 0.5));
    let degrees = domain("origin: (5, 7),", "\"degrees.tif\"");
    assert_eq!((degrees.size, degrees.origin), ((60, 88), (5.0, 7.0)));
    assert!((degrees.spacing - 20.9321).abs() < 1e-4, "{}", degrees.spacing);
    for (parameters, message) in [
        ("\"scale.npy\"", "scale.npy has no sidecar, world file or geographic tags"),
        ("\"none.tif\"", "none.tif cannot be read"),
    ] {
        let refused = graph("", parameters).err().unwrap_or_default();
        assert!(refused.contains(message) && refused.contains("test.ron:1:"), "{refused}");
    }
    let text = "Graph(spacing: File(\"dme\"), nodes: { \"dem\": Import(file: \"scale.tif\") })";
    let refused = Run::of(text, &folder()).err().unwrap_or_default();
    assert!(refused.contains("there is no Import `dme`") && refused.contains("`dem`"), "{refused}");
}

#[test]
fn a_raster_whose_first_row_is_the_southernmost_is_turned() {
    let text = r#"Graph(size: (50, 40), spacing: 30.0, nodes: {
        "dem": Import(file: "south_up.tif"), "shade": Hillshade(height: "dem"),
    }, outputs: { "shade.npy": "shade", "dem.tif": "dem" })"#;
    let run = Run::of(text, &folder()).unwrap();
    let shade = run.value::<Map>(0);
    let wanted = right("south_up_shade.npy");
    assert!(shade.samples().iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-6));
    assert!(run.warnings().contains("its first row is the southernmost: the raster was turned"));
    assert_eq!(run.value::<Map>(1).georef().unwrap().axes(), Some(((400_015.0, 3_999_985.0), (30.0, -30.0))));
}

#[test]
fn what_cannot_be_read_is_refused_with_a_remedy() {
    for (parameters, message) in [
        ("file: \"colour.exr\"", "is a colour picture: the channels differ first at column 0, row 0"),
        ("file: \"colour_and_depth.exr\"", "has several channels: `A`, `B`, `G`, `R`, `Z`"),
        ("file: \"layers.exr\"", "has several channels: `height.Y`, `mask.Y`"),
        ("file: \"layers.exr\", channel: Some(\"Y\")", "has no channel `Y`: it has `height.Y`, `mask.Y`"),
        ("file: \"grid.asc\"", "neither the content (it starts with"),
    ] {
        let failure = import((53, 37), 1.0, parameters).failure();
        assert!(failure.contains(message), "{failure}");
    }
}
