//! Which files the server reads and writes.

use std::fs;

use serde_json::json;

use crate::client::{HILLS, calls, digest, error};

#[test]
fn only_texts_that_were_read_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.ron");
    fs::write(&path, HILLS).unwrap();
    let edit = |digest: &str| json!({ "path": "g.ron", "digest": digest, "text": "Graph(nodes: {})" });
    let results = calls(
        folder.path(),
        &[
            ("edit", json!({ "path": "g.ron", "text": "x" })),
            ("edit", edit(&digest(HILLS))),
            ("edit", json!({ "path": "g.ron", "create": true, "text": "x" })),
            ("edit", json!({ "path": "new.ron", "text": "x" })),
            ("edit", json!({ "path": "notes.txt", "create": true, "text": "x" })),
            ("read", json!({ "path": "g.ron" })),
            ("edit", edit(&"0".repeat(64))),
            (
                "edit",
                json!({
                    "path": "g.ron", "digest": digest(HILLS), "edits": [{ "start": 5, "end": 2, "text": "" }],
                }),
            ),
        ],
    );
    for (number, result) in results.iter().enumerate().filter(|(number, _)| *number != 5) {
        error(result);
        assert_eq!(fs::read_to_string(&path).unwrap(), HILLS, "{number}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let read = ("read", json!({ "path": "g.ron" }));
    let results = calls(folder.path(), &[read, ("edit", edit(&digest(HILLS)))]);
    assert_eq!(results[1]["isError"], false, "{:#}", results[1]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "Graph(nodes: {})");
}

#[test]
fn a_run_keeps_files_that_no_run_wrote() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.ron"), HILLS).unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("out/b.npy"), "mine").unwrap();
    let run = || ("run", json!({ "path": "g.ron" }));
    let what = error(&calls(folder.path(), &[run()])[0])["what"].as_str().unwrap().to_owned();
    assert!(what.contains("`out/b.npy` exists"), "{what}");
    assert_eq!(fs::read_to_string(folder.path().join("out/b.npy")).unwrap(), "mine");
    fs::remove_file(folder.path().join("out/b.npy")).unwrap();
    let results = calls(folder.path(), &[run(), run()]);
    assert!(results.iter().all(|result| result["isError"] == false), "{results:#?}");
    fs::write(folder.path().join("out/a.png"), "changed by hand").unwrap();
    error(&calls(folder.path(), &[run()])[0]);
}

#[cfg(unix)]
#[test]
fn nothing_outside_the_folder_is_read_or_written() {
    use std::os::unix::fs::symlink;
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("secret.ron"), HILLS).unwrap();
    fs::write(folder.path().join("g.ron"), HILLS).unwrap();
    fs::write(
        folder.path().join("import.ron"),
        HILLS.replace("Perlin(wavelength: 8.0)", "Import(file: \"link/secret.npy\")"),
    )
    .unwrap();
    symlink(outside.path(), folder.path().join("link")).unwrap();
    symlink(outside.path().join("secret.ron"), folder.path().join("file.ron")).unwrap();
    let absolute = outside.path().join("secret.ron").display().to_string();
    let up = format!("../{}/secret.ron", outside.path().file_name().unwrap().display());
    let before = fs::read_dir(outside.path()).unwrap().count();
    for path in ["link/secret.ron", "file.ron", &absolute, &up, "import.ron", "", "\0", "/dev/zero", "link"] {
        for tool in ["read", "check", "digest", "run", "picture", "explain", "snapshot_test"] {
            if path == "import.ron" && ["read", "check"].contains(&tool) {
                continue;
            }
            error(&calls(folder.path(), &[(tool, json!({ "path": path }))])[0]);
        }
    }
    for path in ["link/new.ron", &format!("{absolute}2.ron"), "../new.ron", "link"] {
        error(&calls(folder.path(), &[("edit", json!({ "path": path, "create": true, "text": HILLS }))])[0]);
    }
    for out in ["link", "link/deep", "..", "../x", &outside.path().display().to_string()] {
        error(&calls(folder.path(), &[("run", json!({ "path": "g.ron", "out": out }))])[0]);
    }
    symlink(outside.path(), folder.path().join("snapshots")).unwrap();
    error(&calls(folder.path(), &[("snapshot_test", json!({ "path": "g.ron", "accept": true }))])[0]);
    fs::create_dir(folder.path().join("out")).unwrap();
    symlink(outside.path().join("b.npy"), folder.path().join("out/b.npy")).unwrap();
    error(&calls(folder.path(), &[("run", json!({ "path": "g.ron" }))])[0]);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), before);
}
