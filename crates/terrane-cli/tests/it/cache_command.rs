//! `terrane cache` in a folder that other programs also use.

use std::fs;
use std::path::Path;

use crate::running::{self, errors, files, terrane};

/// What a command that must succeed prints.
fn fine(folder: &Path, arguments: &str) -> String {
    let output = terrane(folder, arguments.split_whitespace());
    assert!(output.status.success(), "{arguments}: {}", errors(&output));
    errors(&output) + &String::from_utf8_lossy(&output.stdout)
}

/// A folder with a graph.
fn folder() -> tempfile::TempDir {
    let graph = "Graph(size: (9, 9), nodes: {\"h\": Perlin()}, outputs: {\"h.npy\": \"h\"})";
    running::folder(&[("g.ron", graph)])
}

#[test]
fn only_files_of_the_cache_are_removed() {
    let folder = folder();
    let folder = folder.path();
    let cache = folder.join("mine");
    for name in [
        "thesis.txt",
        "tmp/thesis.txt",
        "objects-3/notes.txt",
        "objects-3/ab/cd0123",
        "objects-3/pack/a",
        "index/ab/x",
        "outputs/b.txt",
        "explain/c.json",
    ] {
        fs::create_dir_all(cache.join(name).parent().unwrap()).unwrap();
        fs::write(cache.join(name), "mine").unwrap();
    }
    let before = files(&cache);
    fine(folder, "run g.ron --cache-dir mine");
    assert!(files(&cache).len() > before.len() + 2, "{:?}", files(&cache));
    // With the tag, backups would skip the other files in the folder.
    assert!(!cache.join("CACHEDIR.TAG").exists());
    for command in ["cache verify", "cache gc"] {
        let with = files(&cache);
        let said = fine(folder, &format!("{command} --cache-dir mine"));
        assert_eq!(files(&cache), with, "{command}: {said}");
    }
    let said = fine(folder, "cache clear --cache-dir mine");
    assert_eq!(files(&cache), before, "{said}");
    assert!(before.values().all(|content| content == b"mine"));
}

/// A folder of the cache that is a link to other data: other programs name files by digests too.
#[cfg(unix)]
#[test]
fn nothing_behind_a_link_is_removed() {
    let folder = folder();
    let folder = folder.path();
    let digest = "ab".repeat(32);
    for table in ["objects-3", "index-3", "index", "outputs", "explain", "tmp"] {
        let outside = folder.join("outside").join(table);
        for name in [format!("ab/{digest}"), format!("{}.json", &digest[..32]), "terrane-1".to_owned()] {
            let file = outside.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "theirs").unwrap();
            let old = std::time::SystemTime::UNIX_EPOCH;
            fs::File::options().write(true).open(&file).unwrap().set_modified(old).unwrap();
        }
        let kept = folder.join(format!("kept-{table}"));
        fs::create_dir_all(&kept).unwrap();
        std::os::unix::fs::symlink(&outside, kept.join(table)).unwrap();
        let before = files(&outside);
        for command in ["verify", "gc", "gc --cache-size 0", "clear"] {
            terrane(folder, format!("cache {command} --cache-dir kept-{table}").split_whitespace());
            assert_eq!(files(&outside), before, "{table}: {command}");
        }
    }
}

#[test]
fn a_folder_used_only_as_cache_is_tagged_and_removed() {
    let folder = folder();
    let folder = folder.path();
    fine(folder, "run g.ron --cache-dir own");
    let tag = fs::read_to_string(folder.join("own/CACHEDIR.TAG")).unwrap();
    assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"), "{tag}");
    fine(folder, "cache clear --cache-dir own");
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
    let bytes = |cache: &str| files(&folder.join(cache)).values().map(Vec::len).sum::<usize>();
    fine(folder, "run chain.ron --cache-dir few");
    assert!(bytes("few") < 20_000, "{}", bytes("few"));
    let said = fine(folder, "run chain.ron --cache-dir few --out again");
    assert!(said.contains("0 nodes ran"), "{said}");
    let said = fine(folder, "cache stat --cache-dir few");
    assert!(said.contains("1 results are not kept: Ramp computes it about as fast"), "{said}");
    let said = fine(folder, "explain chain.ron --cache-dir few");
    assert!(
        said.contains("n3 (Clamp)  not kept: Clamp computes it about as fast as it could be read"),
        "{said}"
    );
    fine(folder, "run chain.ron --cache-dir all --keep all");
    // Two of the eleven maps are the same.
    assert!(bytes("all") > 10 * 513 * 513 * 4, "{}", bytes("all"));
}
