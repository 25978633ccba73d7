//! Files of a crate use each other in one direction only: there are no import cycles, of any length.

mod imports;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use imports::imports;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use terrane_tests::root;

/// The import cycles of a crate: for each, the files that use each other, relative to `src`.
fn cycles(crate_root: &Path) -> BTreeSet<Vec<String>> {
    let imports = imports(crate_root);
    let graph: DiGraphMap<&str, ()> =
        imports.iter().map(|(user, used)| (user.as_str(), used.as_str())).collect();
    let circle = |mut files: Vec<&str>| {
        files.sort_unstable();
        (files.len() > 1).then(|| files.into_iter().map(str::to_owned).collect())
    };
    tarjan_scc(&graph).into_iter().filter_map(circle).collect()
}

/// All cycles of all crates, one a line.
fn all_cycles() -> String {
    let mut crates: Vec<_> =
        fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    crates.sort();
    let mut all = String::new();
    for folder in crates {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let roots = ["lib.rs", "main.rs"].map(|root| folder.join("src").join(root));
        for circle in roots.iter().filter(|root| root.exists()).flat_map(|root| cycles(root)) {
            writeln!(all, "{name}: {}", circle.join(" ")).unwrap();
        }
    }
    all
}

#[test]
fn files_have_no_import_cycles() {
    let found = all_cycles();
    assert!(found.is_empty(), "move what they share into files that use neither:\n{found}");
}

/// Folders of `terrane-flow`, and the folders that each may use. ARCHITECTURE.md has the same list.
const FOLDERS: &[(&str, &[&str])] = &[
    ("report", &[]),
    ("model", &["report"]),
    ("language", &["model", "report"]),
    ("engine", &["language", "model", "report"]),
    ("testing", &["engine", "language", "model", "report"]),
];

#[test]
fn folders_of_flow_use_only_allowed_folders() {
    let folder = |file: &str| file.split('/').next().unwrap().to_owned();
    for (user, used) in imports(&root().join("crates/terrane-flow/src/lib.rs")) {
        let (from, to) = (folder(&user), folder(&used));
        if from != to && from != "lib.rs" {
            let allowed =
                FOLDERS.iter().find(|(name, _)| *name == from).map_or(&[][..], |(_, allowed)| allowed);
            assert!(allowed.contains(&to.as_str()), "{user} must not use {used}");
        }
    }
}

/// A temporary crate from files' paths and texts.
fn sample(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let folder = sample(files);
    cycles(&folder.path().join("lib.rs")).into_iter().collect()
}

#[test]
fn a_cycle_is_found_through_reexports() {
    let circle = found(&[
        ("lib.rs", "mod a; mod b; pub use a::A;"),
        ("a.rs", "use crate::b::B; pub struct A(B);"),
        ("b.rs", "pub struct B; pub fn f() -> Option<crate::A> { None }"),
    ]);
    assert_eq!(circle, [["a.rs", "b.rs"]]);
}

#[test]
fn a_folder_that_only_declares_is_no_cycle() {
    let none = found(&[
        ("lib.rs", "mod a; pub use a::*;"),
        ("a/mod.rs", "mod one; mod two; pub use one::One; pub use two::Two;"),
        ("a/one.rs", "pub struct One;"),
        (
            "a/two.rs",
            "use super::One; pub struct Two(One);\n#[cfg(test)] mod tests { use super::super::Two; }",
        ),
    ]);
    assert_eq!(none, Vec::<Vec<String>>::new());
}

#[test]
fn a_folder_that_its_files_use_is_a_cycle() {
    let circle = found(&[
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod one; pub fn outer() { one::inner() }"),
        ("a/one.rs", "use super::outer; pub fn inner() { println!(\"{:?}\", outer()) }"),
    ]);
    assert_eq!(circle, [["a/mod.rs", "a/one.rs"]]);
}

#[test]
fn names_of_modules_and_calls_in_macros_are_followed() {
    let circle = found(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "use crate::b; pub fn f() { b::g() }"),
        ("b.rs", "pub fn g() { println!(\"{:?}\", crate::a::f()) }"),
    ]);
    assert_eq!(circle, [["a.rs", "b.rs"]]);
}
