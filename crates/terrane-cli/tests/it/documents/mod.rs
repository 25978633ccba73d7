//! Tests of the documents: every graph in them loads, every command runs, every link leads to a file.
//!
//! - A `ron` block is a whole graph or world; a part of one is marked `ron,fragment`.
//! - A block whose first line is a comment with a file name (`// hills.ron`) is saved under this name. Later
//!   blocks and commands of the document can use the file.
//! - The commands of `sh` blocks are run one after the other, in a folder with a copy of `graphs/`.
//! - Rust blocks are compiled by the doc tests of `tests/src/documents.rs`.

mod blocks;
mod commands;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use blocks::{Block, Document};
use rayon::prelude::*;
use terrane::world::LoadedWorld;
use terrane::{LoadOptions, load_file, registry};

/// The repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Files with an extension below a folder, in order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// All documents: those at the root, those next to graphs, and the book.
fn documents() -> Vec<Document> {
    let root = root();
    const AT_THE_ROOT: [&str; 7] =
        ["README", "ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "DECISIONS", "FIGURES", "SECURITY"];
    let mut paths: Vec<PathBuf> = AT_THE_ROOT.map(|name| root.join(name).with_extension("md")).into();
    paths.extend(files(&root.join("graphs"), "md"));
    paths.extend(files(&root.join("book/src"), "md"));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        Document::parse(path.strip_prefix(&root).unwrap().to_owned(), &text)
    };
    paths.into_iter().map(read).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &name);
        } else {
            fs::copy(&path, name).unwrap();
        }
    }
}

/// Checks that a graph or world loads. A block without a file name is read as if it were next to the
/// document, or in `graphs/`.
fn ron(document: &Document, block: &Block, folder: &Path) -> Result<(), String> {
    let world = block.text.lines().any(|line| line.starts_with("World("));
    let beside = document.path.parent().unwrap();
    let path = match block.file() {
        Some(file) => folder.join(file),
        None if beside.starts_with("graphs") => folder.join(beside).join("unnamed.ron"),
        None if world => folder.join("graphs/world/unnamed.ron"),
        None => folder.join("graphs/unnamed.ron"),
    };
    fs::write(&path, &block.text).unwrap();
    let options = LoadOptions::default();
    let mistakes = if world {
        LoadedWorld::load(&path, &registry(), &options).err()
    } else {
        load_file(&path, &registry(), &options).err()
    };
    mistakes.map_or(Ok(()), |mistakes| Err(mistakes.to_string()))
}

/// Checks that a Rust block is a doc test, or is included from an example, which is built.
fn rust(document: &Document, block: &Block) -> Result<(), String> {
    if block.marks.iter().any(|mark| mark == "ignore") {
        let line = block.text.trim();
        let file = line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}"));
        let file = file.and_then(|file| file.split(':').next()).ok_or("nothing compiles this block")?;
        let path = root().join(document.path.parent().unwrap()).join(file);
        let path = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
        let built = path.starts_with(root().join("examples/src"));
        return if built { Ok(()) } else { Err(format!("{} is no example", path.display())) };
    }
    let tests = fs::read_to_string(root().join("tests/src/documents.rs")).unwrap();
    let included = tests.contains(&format!("\"../../{}\"", document.path.display()));
    if included { Ok(()) } else { Err("add the document to tests/src/documents.rs".to_owned()) }
}

/// Checks that cargo can read a TOML block as a manifest, alone in a folder.
fn manifest(block: &Block) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Cargo.toml"), &block.text).unwrap();
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    if cargo.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&cargo.stderr).into_owned()) }
}

/// Checks that the tests of the Python package, which run Python blocks, name the document.
fn listed(document: &Document) -> Result<(), String> {
    const TESTS: &str = "python/tests/test_documents.py";
    let path = document.path.strip_prefix(root()).unwrap_or(&document.path).display().to_string();
    let tests = fs::read_to_string(root().join(TESTS)).unwrap();
    if tests.contains(&format!("\"{path}\"")) { Ok(()) } else { Err(format!("{TESTS} does not name {path}")) }
}

/// Checks all blocks of a document in order, and returns the problems. Its commands share a cache with those
/// of other documents, which evaluate many of the same nodes.
fn follow(document: &Document, cache: &Path) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    if !document.blocks.is_empty() {
        copy(&root().join("graphs"), &folder.path().join("graphs"));
    }
    let mut wrong = Vec::new();
    for block in &document.blocks {
        if let Some(file) = block.file() {
            fs::write(folder.path().join(file), &block.text).unwrap();
        }
        let result = match block.language.as_str() {
            "ron" if block.marks.iter().any(|mark| mark == "fragment") => Ok(()),
            "ron" => ron(document, block, folder.path()),
            "rust" => rust(document, block),
            "json" => {
                serde_json::from_str::<serde_json::Value>(&block.text).map(|_| ()).map_err(|e| e.to_string())
            }
            "sh" => commands::lines(&block.text).iter().try_for_each(|line| {
                commands::run(line, folder.path(), cache, &root()).map_err(|error| format!("{line}\n{error}"))
            }),
            "toml" => manifest(block),
            "python" => listed(document),
            "text" | "xml" => Ok(()),
            other => Err(format!("a block of `{other}`, which nothing here can check")),
        };
        if let Err(error) = result {
            wrong.push(format!("{}: {error}", document.at(block)));
        }
    }
    wrong
}

#[test]
fn graphs_load_and_commands_run() {
    let cache = tempfile::tempdir().unwrap();
    let wrong: Vec<String> =
        documents().par_iter().flat_map_iter(|document| follow(document, cache.path())).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn links_lead_to_files() {
    let mut wrong = Vec::new();
    for document in documents() {
        for link in &document.links {
            let target = link.split('#').next().unwrap_or_default();
            let elsewhere = target.is_empty() || target.contains("://") || target.starts_with("mailto:");
            if !elsewhere && !root().join(document.path.parent().unwrap()).join(target).exists() {
                wrong.push(format!("{} points to {link}", document.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn commands_in_sentences_are_known() {
    let mut wrong = Vec::new();
    for document in documents() {
        for span in &document.spans {
            if let Err(error) = commands::known(span, &root()) {
                wrong.push(format!("{}: {span}: {error}", document.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_book_has_all_its_chapters_and_graphs_as_fmt_writes_them() {
    let summary = fs::read_to_string(root().join("book/src/SUMMARY.md")).unwrap();
    for document in documents().iter().filter(|document| document.path.starts_with("book")) {
        let name = document.path.file_name().unwrap().to_str().unwrap();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name} is in no summary");
        let whole = |block: &&Block| block.language == "ron" && block.marks.is_empty();
        for block in document.blocks.iter().filter(whole) {
            let formatted = terrane::flow::format_text("block", &block.text).unwrap();
            assert_eq!(formatted, block.text, "{}", document.at(block));
        }
    }
}

/// Tests that the checks above find errors.
mod the_test_itself {
    use super::*;

    fn wrong(text: &str) -> String {
        let cache = tempfile::tempdir().unwrap();
        follow(&Document::parse(PathBuf::from("README.md"), text), cache.path()).join("\n")
    }

    #[test]
    fn finds_what_is_wrong() {
        let faulty = "```ron\nGraph(nodes: { \"a\": Perlim() })\n```\n";
        assert!(wrong(faulty).starts_with("README.md:1: "), "{}", wrong(faulty));
        assert!(wrong(faulty).contains("Perlim"));
        assert!(wrong("a\n\n```nim\n```\n").starts_with("README.md:3: a block of `nim`"));
        assert!(wrong("```\nbare\n```\n").contains("a block of ``"));
        assert!(wrong("```sh\nmake\n```\n").contains("make\na command that nothing here knows"));
        assert!(wrong("```sh\ncargo xtask nothing\n```\n").contains("`nothing` is no task"));
        assert!(wrong("```sh\nterrane run missing.ron\n```\n").contains("missing.ron"));
        assert!(wrong("```sh\nterrane run graphs/quickstart.ron | less\n```\n").contains("plain words"));
        assert!(wrong("```json\n{\n```\n").contains("EOF"));
        assert!(wrong("```toml\n[workspace]\n```\n").contains("virtual"));
        assert!(wrong("```rust,ignore\nfn main() {}\n```\n").contains("nothing compiles"));
    }

    #[test]
    fn starts_and_stops_a_watcher() {
        let watched = |graph: &str| {
            wrong(&format!("```ron\n// a.ron\n{graph}\n```\n```sh\nterrane watch a.ron\n```\n"))
        };
        let whole = "Graph(size: (9, 9), nodes: { \"a\": Perlin() }, outputs: { \"a.npy\": \"a\" })";
        assert_eq!(watched(whole), "");
        assert!(watched(&whole.replace("Perlin", "Perlim")).contains("\"event\":\"broken\""));
        let fails =
            "Graph(size: (9, 9), nodes: { \"b\": Perlin(), \"c\": Resample(height: \"b\", size: (5, 5)),
            \"a\": Combine(a: \"b\", b: \"c\") }, outputs: { \"a.npy\": \"a\" })";
        assert!(watched(fails).contains("\"event\":\"failed\""), "{}", watched(fails));
    }

    #[test]
    fn knows_commands_and_options() {
        let known = |span: &str| commands::known(span, &root());
        assert_eq!(known("terrane run GRAPH [--out DIR] [--set k=v]… -o DIR"), Ok(()));
        assert_eq!(known("terrain"), Ok(()));
        assert_eq!(known("terrane eval GRAPH PORT -o -"), Ok(()));
        assert_eq!(known("terrane runs GRAPH"), Err("`runs` is no command".to_owned()));
        assert_eq!(known("terrane run GRAPH [--outs DIR]"), Err("`run` has no `--outs`".to_owned()));
        assert_eq!(known("terrane run GRAPH [--se N]"), Err("`run` has no `--se`".to_owned()));
    }

    #[test]
    fn saves_named_blocks_for_what_follows() {
        let text = "```ron\n// small.ron\nGraph(size: (9, 9), nodes: { \"a\": Perlin() }, outputs: { \
            \"a.npy\": \"a\" })\n```\n\
            1. in a list\n\n   ```sh\n   # a remark\n   terrane run small.ron \\\n     --seed 3   # and \
            another\n   ```\n";
        assert_eq!(wrong(text), "");
        assert!(
            wrong("```ron\nGraph(size: (9, 9), nodes: {})\n```\n```sh\nterrane check small.ron\n```\n")
                .contains("small.ron")
        );
    }
}
