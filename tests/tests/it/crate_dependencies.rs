//! Crates depend only on the crates that the architecture allows.

use std::fs;
use std::path::Path;

use terrane_tests::root;

/// Each crate, with the Terrane crates that it may depend on. ARCHITECTURE.md has the same list.
const ALLOWED: &[(&str, &[&str])] = &[
    ("terrane-grid", &[]),
    ("terrane-compute", &[]),
    ("terrane-kernels", &["terrane-grid", "terrane-compute", "terrane-param"]),
    ("terrane-paths", &["terrane-grid", "terrane-compute", "terrane-param"]),
    ("terrane-fields", &["terrane-grid", "terrane-compute", "terrane-param", "terrane-paths"]),
    ("terrane-charts", &[]),
    ("terrane-syntax", &[]),
    ("terrane-flow", &["terrane-flow-derive", "terrane-param", "terrane-syntax"]),
    ("terrane-flow-derive", &[]),
    ("terrane-param", &["terrane-flow-derive"]),
    ("terrane-io", &["terrane-grid", "terrane-param"]),
    (
        "terrane-nodes",
        &[
            "terrane-charts",
            "terrane-grid",
            "terrane-compute",
            "terrane-kernels",
            "terrane-paths",
            "terrane-fields",
            "terrane-flow",
            "terrane-io",
        ],
    ),
    ("terrane-view", &["terrane-flow", "terrane-grid", "terrane-io", "terrane-kernels"]),
    (
        "terrane-runs",
        &[
            "terrane-charts",
            "terrane-grid",
            "terrane-kernels",
            "terrane-paths",
            "terrane-flow",
            "terrane-io",
            "terrane-nodes",
        ],
    ),
    ("terrane-stores", &["terrane-grid", "terrane-flow", "terrane-io", "terrane-nodes", "terrane-runs"]),
    ("terrane-signatures", &["terrane-flow"]),
    (
        "terrane-python",
        &[
            "terrane-grid",
            "terrane-flow",
            "terrane-io",
            "terrane-nodes",
            "terrane-runs",
            "terrane-signatures",
            "terrane-stores",
        ],
    ),
    (
        "terrane",
        &[
            "terrane-grid",
            "terrane-kernels",
            "terrane-paths",
            "terrane-fields",
            "terrane-flow",
            "terrane-io",
            "terrane-nodes",
            "terrane-runs",
            "terrane-stores",
            "terrane-view",
        ],
    ),
    (
        "terrane-cli",
        &[
            "terrane",
            "terrane-grid",
            "terrane-flow",
            "terrane-io",
            "terrane-nodes",
            "terrane-runs",
            "terrane-stores",
            "terrane-view",
        ],
    ),
];

/// Names of Terrane crates in the dependency tables of a manifest, except dev-dependencies: tests may read
/// files.
fn ours(manifest: &str) -> Vec<String> {
    let mut in_dependencies = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = line.contains("dependencies") && !line.contains("dev-");
        } else if in_dependencies {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if name.starts_with("terrane") {
                names.push(name.to_owned());
            }
        }
    }
    names
}

#[test]
fn crates_use_only_allowed_crates() {
    for (name, allowed) in ALLOWED {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        for used in ours(&manifest) {
            assert!(allowed.contains(&used.as_str()), "{name} must not use {used}");
        }
    }
}

#[test]
fn every_crate_is_listed() {
    let mut crates: Vec<String> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    crates.sort();
    let mut known: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(crates, known);
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
    let manifest = "[package]\nname = \"x\"\n[dependencies]\nterrane-io.workspace = true\nserde = \
        \"1\"\n[dev-dependencies]\nterrane-flow = \"0\"\n[lints]\nterrane-no = 1\n";
    assert_eq!(ours(manifest), ["terrane-io"]);
}
