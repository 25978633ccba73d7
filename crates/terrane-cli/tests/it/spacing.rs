//! The spacing of imported files, as `terrane check` and `terrane run` compare it with the graph's.

use std::fs;
use std::path::Path;

use crate::running::{self, flat, terrane, told};

fn folder(text: &str) -> tempfile::TempDir {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs/data/bigtujunga_30m.tif");
    running::folder(&[("g.ron", text.as_bytes().to_vec()), ("dem.tif", fs::read(data).unwrap())])
}

/// The warnings in a text.
fn warnings(said: &str) -> Vec<&str> {
    said.split("warning: ").skip(1).map(|text| text.split(" is right").next().unwrap()).collect()
}

#[test]
fn check_says_what_run_says() {
    for (used, spacing, count) in [(true, "30.0", 0), (true, "90.0", 1), (false, "90.0", 1)] {
        let output = if used { "dem" } else { "noise" };
        let folder = folder(&format!(
            "// allow: unused-node\n\
            Graph(size: (513, 513), spacing: {spacing}, nodes: {{ \"dem\": Import(file: \"dem.tif\"), \
            \"noise\": Perlin() }}, outputs: {{ \"a.npy\": \"{output}\" }})"
        ));
        let (check, checked) = told(folder.path(), ["check", "g.ron"]);
        let (run, ran) = told(folder.path(), ["run", "g.ron"]);
        assert!(check.status.success() && run.status.success(), "{checked} {ran}");
        assert_eq!(warnings(&checked), warnings(&ran));
        assert_eq!(warnings(&checked).len(), count, "{checked}");
        if count == 1 {
            let expected = "dem: the file's samples are 30 m apart and the graph's spacing is 90: slopes are \
                0.333333 times the true ones; `spacing: 30`";
            assert_eq!(warnings(&checked)[0], expected);
        }
        let json = String::from_utf8(terrane(folder.path(), ["check", "g.ron", "--json"]).stdout).unwrap();
        assert_eq!(json.contains("\"warning\":\"the file's samples"), count == 1, "{json}");
        if !used {
            fs::write(folder.path().join("w.ron"), "World(patch: \"g.ron\")").unwrap();
            let (run, ran) = told(folder.path(), ["run", "w.ron", "--patches", "0..1,0..1"]);
            assert!(run.status.success(), "{ran}");
            assert_eq!(warnings(&ran), warnings(&checked));
        }
    }
}

#[test]
fn a_rotated_file_has_no_spacing_and_is_called_rotated() {
    let folder = folder(
        "Graph(spacing: File(\"dem\"), nodes: { \"dem\": Import(file: \"dem.png\") }, outputs: { \"a.npy\": \
        \"dem\" })",
    );
    let ramp = "Graph(size: (9, 9), nodes: { \"a\": Ramp(to: (8, 0)) }, outputs: { \"dem.png\": \"a\" })";
    fs::write(folder.path().join("ramp.ron"), ramp).unwrap();
    let made = terrane(folder.path(), ["run", "ramp.ron", "-o", "made"]);
    assert!(made.status.success(), "{}", flat(&made));
    fs::copy(folder.path().join("made/dem.png"), folder.path().join("dem.png")).unwrap();
    fs::write(folder.path().join("dem.pgw"), "26\n15\n15\n-26\n400000\n4000000\n").unwrap();
    let (output, said) = told(folder.path(), ["check", "g.ron"]);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("turned") && said.contains("30.0 degrees") && said.contains("gdalwarp"), "{said}");
}
