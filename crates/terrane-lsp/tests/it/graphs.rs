//! The graphs of this repository.

use std::path::{Path, PathBuf};

/// All graphs in `graphs/`.
pub fn graphs() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs").canonicalize().unwrap(), &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ron") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}
