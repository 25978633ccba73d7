//! The code of `terrane-flow` names nothing of terrain, and no file format of values.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use terrane::values::{KINDS, TerrainKind};
use terrane_tests::root;

/// Words that no name and no text in the code may contain. Words of rasters, such as tile and sample, are
/// allowed.
const WORDS: &[&str] = &[
    "terrain",
    "height",
    "elevation",
    "erosion",
    "slope",
    "hydro",
    "perlin",
    "sidecar",
    "georef",
    "heightmap",
];

/// Extensions of the files of values. JSON is left out, since the engine's own files are JSON too.
fn extensions() -> BTreeSet<&'static str> {
    KINDS.iter().flat_map(TerrainKind::extensions).filter(|extension| *extension != "json").collect()
}

/// The forbidden words and extensions in the code of a file. Comments and tests are ignored: they may have
/// examples.
fn forbidden(text: &str) -> Vec<String> {
    let code = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    let code = code.filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n").to_lowercase();
    let words = WORDS.iter().filter(|word| code.contains(**word)).map(|word| (*word).to_owned());
    let endings = extensions().into_iter().filter(|extension| {
        let is_text = |before: &str| code.contains(&format!("{before}{extension}\""));
        is_text(".") || is_text("\"")
    });
    words.chain(endings.map(str::to_owned)).collect()
}

fn check(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.ends_with("testing") || path.ends_with("tests.rs") {
            continue;
        }
        if path.is_dir() {
            check(&path, found);
        } else {
            let words = forbidden(&fs::read_to_string(&path).unwrap());
            found.extend(words.into_iter().map(|word| format!("{}: {word}", path.display())));
        }
    }
}

#[test]
fn flow_knows_nothing_of_terrain_and_of_files_of_values() {
    let mut found = Vec::new();
    for name in ["terrane-flow", "terrane-flow-derive"] {
        check(&root().join("crates").join(name).join("src"), &mut found);
    }
    assert!(found.is_empty(), "ask the family instead, as `CheckOutput` does:\n{}", found.join("\n"));
}

#[test]
fn words_are_found() {
    assert_eq!(forbidden("/// height.png\nlet a = 1;\n#[cfg(test)]\nmod t { \"a.png\" }"), [""; 0]);
    assert_eq!(forbidden("fn may_have_sidecar() { [\"csv\", \"a.TIF\"]; }"), ["sidecar", "csv", "tif"]);
    assert!(!extensions().is_empty());
}
