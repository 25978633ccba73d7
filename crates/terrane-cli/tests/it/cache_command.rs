//! `terrane cache` in a folder that other programs also use.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn terrane(folder: &Path, arguments: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.args(arguments.split_whitespace()).current_dir(folder).env("NO_COLOR", "1");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            files.extend(self::files(&entry.path()));
        } else {
            files.push(entry.path());
        }
    }
    files.sort();
    files
}

/// A folder with a graph.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let graph = "Graph(size: (9, 9), nodes: {\"h\": Perlin()}, outputs: {\"h.npy\": \"h\"})";
    fs::write(folder.path().join("g.ron"), graph).unwrap();
    folder
}

#[test]
fn only_files_of_the_cache_are_removed() {
    let folder = folder();
    let folder = folder.path();
    let cache = folder.join("mine");
    for name in [
        "thesis.txt",
        "tmp/thesis.txt",
        "objects/notes.txt",
        "objects/ab/cd0123",
        "objects/pack/a",
        "index/ab/x",
        "outputs/b.txt",
        "explain/c.json",
    ] {
        fs::create_dir_all(cache.join(name).parent().unwrap()).unwrap();
        fs::write(cache.join(name), "mine").unwrap();
    }
    let before = files(&cache);
    terrane(folder, "run g.ron --cache-dir mine");
    assert!(files(&cache).len() > before.len() + 2, "{:?}", files(&cache));
    // With the tag, backups would skip the other files in the folder.
    assert!(!cache.join("CACHEDIR.TAG").exists());
    for command in ["cache verify", "cache gc"] {
        let with = files(&cache);
        let said = terrane(folder, &format!("{command} --cache-dir mine"));
        assert_eq!(files(&cache), with, "{command}: {said}");
    }
    let said = terrane(folder, "cache clear --cache-dir mine");
    assert_eq!(files(&cache), before, "{said}");
    assert!(before.iter().all(|file| fs::read_to_string(file).unwrap() == "mine"));
}

#[test]
fn a_folder_used_only_as_cache_is_tagged_and_removed() {
    let folder = folder();
    let folder = folder.path();
    terrane(folder, "run g.ron --cache-dir own");
    let tag = fs::read_to_string(folder.join("own/CACHEDIR.TAG")).unwrap();
    assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"), "{tag}");
    terrane(folder, "cache clear --cache-dir own");
    assert_eq!(fs::read_dir(folder.join("own")).unwrap().count(), 0);
}

#[test]
fn results_as_fast_to_compute_as_to_read_are_not_stored() {
    let folder = folder();
    let folder = folder.path();
    let mut nodes = String::from("\"n0\": Ramp(), ");
    for i in 1..11 {
        nodes += &format!("\"n{i}\": Clamp(height: \"n{}\", min: 0.0{i}), ", i - 1);
    }
    let graph = format!(
        "Graph(size: (513, 513), nodes: {{{nodes} \"s\": Statistics(height: \"n10\")}}, outputs: \
        {{\"s.json\": \"s\"}})"
    );
    fs::write(folder.join("chain.ron"), graph).unwrap();
    let bytes =
        |cache: &str| -> u64 { files(&folder.join(cache)).iter().map(|f| f.metadata().unwrap().len()).sum() };
    terrane(folder, "run chain.ron --cache-dir few");
    assert!(bytes("few") < 20_000, "{}", bytes("few"));
    let said = terrane(folder, "run chain.ron --cache-dir few --out again");
    assert!(said.contains("0 nodes ran"), "{said}");
    let said = terrane(folder, "cache stat --cache-dir few");
    assert!(said.contains("1 results are not kept: Ramp computes it about as fast"), "{said}");
    let said = terrane(folder, "explain chain.ron --cache-dir few");
    assert!(
        said.contains("n3 (Clamp)  not kept: Clamp computes it about as fast as it could be read"),
        "{said}"
    );
    terrane(folder, "run chain.ron --cache-dir all --keep all");
    // Two of the eleven maps are the same.
    assert!(bytes("all") > 10 * 513 * 513 * 4, "{}", bytes("all"));
}
