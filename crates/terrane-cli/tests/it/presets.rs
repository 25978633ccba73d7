//! Exports for game engines, read back as the engines read them.

use std::fs;
use std::path::Path;

use terrane::io::{ReadOptions, read_heightmap};

use crate::running::terrane;

fn graph(size: &str, outputs: &str) -> String {
    format!(
        "Graph(size: {size}, spacing: 2.0, nodes: {{
            \"hills\": Perlin(wavelength: 40.0, amplitude: 80.0, offset: -20.0),
            \"other\": Resample(height: \"hills\", size: (127, 253)),
            \"soft\": Blur(height: \"other\", radius: 4.0),
            \"back\": Resample(height: \"soft\"),
            \"shade\": ColorRelief(height: \"hills\"),
        }}, outputs: {{ {outputs} }})"
    )
}

/// Runs a graph, and returns its exit code and standard error.
fn run(folder: &Path, graph: &str) -> (Option<i32>, String) {
    fs::write(folder.join("g.ron"), graph).unwrap();
    let output = terrane(folder, ["run", "g.ron"]);
    // Drawn messages are broken into lines.
    let words: Vec<String> =
        String::from_utf8_lossy(&output.stderr).split_whitespace().map(str::to_owned).collect();
    (output.status.code(), words.join(" "))
}

fn sidecar(folder: &Path, file: &str) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join(format!("out/{file}.json"))).unwrap()).unwrap()
}

#[test]
fn files_are_as_the_engines_read_them() {
    let folder = tempfile::tempdir().unwrap();
    let outputs = "\"exact.npy\": \"hills\",
        \"unity.raw\": Export(from: \"hills\", preset: Unity, range: (-100, 100)),
        \"unreal.png\": Export(from: \"other\", preset: Unreal),
        \"unreal.r16\": Export(from: \"other\", preset: Unreal),
        \"godot.exr\": Export(from: \"hills\", preset: Godot),
        \"godot.r16\": Export(from: \"hills\", preset: Godot),
        \"bevy.png\": Export(from: \"hills\", preset: Bevy),
        \"bevy.r32\": Export(from: \"hills\", preset: Bevy)";
    let (code, text) = run(folder.path(), &graph("(65, 65)", outputs));
    assert_eq!(code, Some(0), "{text}");
    let read = |file: &str| {
        let path = folder.path().join("out").join(file);
        read_heightmap(&path, &ReadOptions::default()).unwrap().map
    };
    let exact = read("exact.npy");
    // Unity: nothing but little-endian codes of the range.
    let bytes = fs::read(folder.path().join("out/unity.raw")).unwrap();
    assert_eq!(bytes.len(), 65 * 65 * 2);
    for (code, height) in bytes.as_chunks::<2>().0.iter().zip(exact.samples()) {
        let read = f64::from(u16::from_le_bytes(*code)) / 65535.0 * 200.0 - 100.0;
        assert!((read - f64::from(*height)).abs() <= 100.0 / 65535.0 + 1e-5, "{read} {height}");
    }
    let unity = sidecar(folder.path(), "unity.raw");
    assert_eq!((&unity["engine"], &unity["settings"]["Byte Order"]), (&"Unity".into(), &"Windows".into()));
    assert_eq!(unity["settings"]["Resolution"], 65);
    assert_eq!(unity["settings"]["Terrain Size"], serde_json::json!({ "x": 128.0, "y": 200.0, "z": 128.0 }));
    // Unreal: the two formats have the same codes.
    assert_eq!(read("unreal.png").samples(), read("unreal.r16").samples());
    assert_eq!(
        sidecar(folder.path(), "unreal.png")["settings"]["Overall Resolution"],
        serde_json::json!([127, 253])
    );
    // Godot and Bevy: unscaled heights, because these formats hold real numbers.
    for file in ["godot.exr", "bevy.r32"] {
        assert_eq!(read(file).samples(), exact.samples(), "{file}");
    }
    let godot = sidecar(folder.path(), "godot.r16");
    assert_eq!(godot["settings"]["r16_range"], serde_json::json!([godot["minimum"], godot["maximum"]]));
    assert_eq!(sidecar(folder.path(), "godot.exr")["settings"]["vertex_spacing"], 2.0);
    assert_eq!(sidecar(folder.path(), "bevy.png")["settings"]["texture_format"], "R16Unorm");
}

#[test]
fn unsupported_exports_are_reported_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    for (size, export, wanted) in [
        ("(64, 64)", "\"a.raw\": Export(from: \"hills\", preset: Unity)", "not 64 x 64"),
        ("(64, 64)", "\"a.raw\": Export(from: \"hills\", preset: Unity)", "the nearest is size: (65, 65)"),
        ("(64, 64)", "\"a.raw\": Export(from: \"back\", preset: Unity)", "the nearest is size: (65, 65)"),
        ("(65, 65)", "\"a.png\": Export(from: \"hills\", preset: Unity)", "choose one of .r16, .raw"),
        ("(65, 65)", "\"a.r16\": Export(from: \"other\", preset: Unity)", "not 127 x 253"),
        ("(65, 65)", "\"a.png\": Export(from: \"hills\", preset: Unreal)", "the nearest is size: (127, 127)"),
        ("(65, 65)", "\"a.png\": Export(from: \"hills\", preset: Godot)", "Godot does not take PNG"),
        ("(65, 65)", "\"a.raw\": Export(from: \"hills\", preset: Unty)", "did you mean `Unity`?"),
        ("(65, 65)", "\"a.raw\": Export(from: \"hills\", preset: Unity, depth: U16)", "leave `depth` out"),
        ("(65, 65)", "\"a.png\": Export(from: \"shade\", preset: Bevy)", "only maps have range, depth"),
        ("(65, 65)", "\"a.jpg\": Export(from: \"shade\", quality: 0)", "from 1 to 100"),
        ("(65, 65)", "\"a.webp\": Export(from: \"shade\", quality: 90)", "WebP keeps every colour"),
        ("(65, 65)", "\"a.png\": Export(from: \"hills\", quality: 90)", "takes no option `quality`"),
        ("(65, 65)", "\"a.jpg\": Export(from: \"hills\")", "a map cannot be written to `a.jpg`"),
    ] {
        let (code, text) = run(folder.path(), &graph(size, export));
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(wanted) && text.contains("g.ron:7:"), "{export}: {text}");
        assert!(!folder.path().join("out").exists());
    }
    // The size of this map is known only once it is computed. It is rejected then, and not written.
    let (code, text) =
        run(folder.path(), &graph("(65, 65)", "\"a.raw\": Export(from: \"soft\", preset: Unity)"));
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("not 127 x 253") && text.contains("the nearest is size: (257, 257)"), "{text}");
    assert!(!folder.path().join("out/a.raw").exists());
    // Resampled to the graph's size, it is accepted.
    let (code, text) =
        run(folder.path(), &graph("(65, 65)", "\"a.raw\": Export(from: \"back\", preset: Unity)"));
    assert_eq!(code, Some(0), "{text}");
}
