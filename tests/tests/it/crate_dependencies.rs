//! Crates depend on the crates that the architecture lists, and on no other.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use terrane_tests::root;

/// Which crates of this workspace a crate uses, and whether each is behind a feature.
type Uses = BTreeMap<String, bool>;

/// The crates of ARCHITECTURE.md's table, each with what it uses: those in parentheses are behind a feature.
fn table() -> BTreeMap<String, Uses> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, rows) = text.split_once("| crate | uses |\n|---|---|\n").unwrap();
    let mut table = BTreeMap::new();
    for row in rows.lines().take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').collect();
        let (always, optional) = cells[2].split_once('(').unwrap_or((cells[2], ""));
        let words = |text: &str| -> Vec<String> {
            text.split([',', ')']).map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let named = |word: String| if word == "terrane" { word } else { format!("terrane-{word}") };
        let uses =
            |text: &str, is_optional| words(text).into_iter().map(move |word| (named(word), is_optional));
        let uses: Uses = uses(always, false).chain(uses(optional, true)).collect();
        for name in words(cells[1]) {
            table.insert(name.trim_matches('`').to_owned(), uses.clone());
        }
    }
    table
}

/// The Terrane crates in the dependency tables of a manifest, except dev-dependencies: tests may read files.
fn uses(manifest: &str) -> Uses {
    let mut in_dependencies = false;
    let mut uses = Uses::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = line.contains("dependencies") && !line.contains("dev-");
        } else if in_dependencies && line.starts_with("terrane") {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            uses.insert(name.to_owned(), line.contains("optional = true"));
        }
    }
    uses
}

#[test]
fn the_table_of_the_architecture_has_what_each_crate_uses() {
    let mut found = BTreeMap::new();
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        let folder = folder.unwrap();
        let manifest = fs::read_to_string(folder.path().join("Cargo.toml")).unwrap();
        found.insert(folder.file_name().to_string_lossy().into_owned(), uses(&manifest));
    }
    assert_eq!(found, table());
}

/// Whether a Rust file in a folder has a unit test.
fn has_tests(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.any(|path| {
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        path.is_dir() && has_tests(&path) || is_rust && fs::read_to_string(path).unwrap().contains("#[test]")
    })
}

/// `test = false` saves a program per crate, and would hide unit tests. Those of `experiments` run on demand.
#[test]
fn crates_without_a_test_program_have_no_unit_tests() {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let others = ["tests", "examples", "words", "xtask"].map(|name| root().join(name));
    for folder in crates.chain(others) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let is_off = manifest.lines().any(|line| line == "test = false");
        assert!(!is_off || !has_tests(&folder.join("src")), "{}", folder.display());
    }
}

#[test]
fn dependencies_are_read_from_manifests() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\nterrane-io.workspace = true\nterrane-view = { \
        workspace = true, optional = true }\nserde = \"1\"\n[dev-dependencies]\nterrane-flow = \
        \"0\"\n[lints]\nterrane-no = 1\n";
    assert_eq!(uses(manifest), [("terrane-io".to_owned(), false), ("terrane-view".to_owned(), true)].into());
}
