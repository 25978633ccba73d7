//! Files of a crate use each other in one direction only: there are no import cycles, of any length.

mod imports;
mod python;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use imports::imports;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use terrane_tests::root;

/// The import cycles: for each, the files that use each other.
fn cycles(imports: &BTreeSet<(String, String)>) -> BTreeSet<Vec<String>> {
    let graph: DiGraphMap<&str, ()> =
        imports.iter().map(|(user, used)| (user.as_str(), used.as_str())).collect();
    let circle = |mut files: Vec<&str>| {
        files.sort_unstable();
        (files.len() > 1).then(|| files.into_iter().map(str::to_owned).collect())
    };
    tarjan_scc(&graph).into_iter().filter_map(circle).collect()
}

/// All cycles of all crates and of the Python package, one a line.
fn all_cycles() -> String {
    let mut crates: Vec<_> =
        fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    crates.sort();
    let mut all = String::new();
    for folder in crates {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let roots = ["lib.rs", "main.rs"].map(|root| folder.join("src").join(root));
        for circle in roots.iter().filter(|root| root.exists()).flat_map(|root| cycles(&imports(root))) {
            writeln!(all, "{name}: {}", circle.join(" ")).unwrap();
        }
    }
    for circle in cycles(&python::imports(&root().join("python/src/pyterrane"))) {
        writeln!(all, "pyterrane: {}", circle.join(" ")).unwrap();
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
    cycles(&imports(&folder.path().join("lib.rs"))).into_iter().collect()
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

/// The cycles of a Python package `own` with these files.
fn found_in_python(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let folder = sample(files);
    cycles(&python::imports(&folder.path().join("own"))).into_iter().collect()
}

#[test]
fn python_imports_in_functions_and_for_types_are_followed() {
    let circle = found_in_python(&[
        ("own/__init__.py", "from ._a import A\nfrom . import _native"),
        ("own/_a.py", "import numpy\nfrom ._b import (\n    B,  # and no more\n    C,\n)"),
        ("own/_b.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING: from own._c import D"),
        ("own/_c.py", "x = '#'\ndef late():\n    from . import _a as a, _b"),
    ]);
    assert_eq!(circle, [["_a.py", "_b.py", "_c.py"]]);
}

#[test]
fn python_stubs_and_names_of_the_package_are_followed() {
    let circle = found_in_python(&[
        ("own/__init__.py", "from ._a import *"),
        ("own/_a.py", "import sys; import own._b"),
        ("own/_b.py", "pass"),
        ("own/_b.pyi", "from . import A"),
    ]);
    assert_eq!(circle, [["__init__.py", "_a.py", "_b.py"]]);
}

#[test]
fn python_imports_in_docstrings_are_no_imports() {
    let none = found_in_python(&[
        ("own/__init__.py", "from . import _a\nfrom ._pyterrane import B"),
        (
            "own/_a.py",
            "\"\"\"Shows how.\n\nimport own\n\"\"\"\n# import own\nx = 'it\\'s'\nfrom . import _pyterrane",
        ),
    ]);
    assert_eq!(none, Vec::<Vec<String>>::new());
}
