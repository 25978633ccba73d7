//! `terrane run --share` and `terrane world verify`: shares of any count, order and overlap write the same
//! files, even if their processes are killed and started again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use crate::running::{self, command, told, verify};

const PATCH: &str = r#"Graph(size: (17, 17), spacing: 30.0, seed: 5, params: { "talus": 0.6 }, nodes: {
    "hills": Perlin(wavelength: 400, octaves: 5, amplitude: 200),
    "worn": ThermalErosion(height: "hills", talus: "$talus", iterations: 4),
    "facts": Statistics(height: "worn"),
}, outputs: { "worn.npy": "worn", "worn.tif": "worn", "facts.json": "facts" })"#;

fn share<'a>(share: &'a str, out: &'a str) -> [&'a str; 8] {
    ["run", "world.ron", "--patches=-3..4,0..5", "--share", share, "-o", out, "--no-cache"]
}

fn folder() -> tempfile::TempDir {
    running::folder(&[("patch.ron", PATCH), ("world.ron", r#"World(patch: "patch.ron")"#)])
}

/// Every file of a world except the records of its shares.
fn made(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = running::files(out);
    files.retain(|path, _| !path.starts_with("shares"));
    files
}

#[test]
fn a_node_of_a_patch_has_the_same_value_as_in_the_run() {
    let folder = folder();
    let path = folder.path();
    let run = ["run", "world.ron", "--patch=3,-2", "-o", "out"];
    assert!(told(path, run).0.status.success());
    let (output, said) = told(path, ["eval", "world.ron", "worn", "--patch=3,-2", "-o", "worn.npy"]);
    assert!(output.status.success(), "{said}");
    assert_eq!(fs::read(path.join("worn.npy")).unwrap(), fs::read(path.join("out/3_-2/worn.npy")).unwrap());
    // A node that no output needs, and a node that a world cannot have.
    let graph = PATCH.replace(
        "nodes: {",
        r#"nodes: { "rough": Roughness(height: "hills"), "water": Drainage(height: "hills"),"#,
    );
    fs::write(path.join("patch.ron"), graph).unwrap();
    let (output, said) = told(path, ["eval", "world.ron", "rough", "--patch=3,-2", "-o", "rough.npy"]);
    assert!(output.status.success(), "{said}");
    let (output, said) = told(path, ["eval", "world.ron", "water", "--patch=3,-2", "-o", "water.npy"]);
    assert!(output.status.code() == Some(2) && said.contains("`water` (Drainage) depends on the"), "{said}");
}

#[test]
fn shares_of_any_count_order_and_overlap_make_the_same_files() {
    let folder = folder();
    let path = folder.path();
    let (output, said) = told(path, share("1/1", "whole"));
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("wrote whole/shares/-3_0-3_4/1-of-1.json") && said.contains("35 patches"),
        "{said}"
    );
    for shares in [&["1/2", "2/2"][..], &["3/3", "1/3", "2/3"], &["2/4", "1/3", "4/4", "3/4", "1/4", "2/4"]] {
        let out = format!("of{}", shares.len());
        for one in shares {
            let (output, said) = told(path, share(one, &out));
            assert!(output.status.success(), "{said}");
        }
        assert_eq!(made(&path.join(&out)), made(&path.join("whole")), "{shares:?}");
        let (code, said) = verify(path, &out);
        assert!(code == Some(0) && said.contains("35 patches by"), "{said}");
    }
    // All shares at the same time, and one of them twice.
    let started = |one: &str| command(path, share(one, "at_once")).spawn().unwrap();
    let children: Vec<Child> = ["1/4", "2/4", "2/4", "3/4", "4/4"].map(started).into();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(made(&path.join("at_once")), made(&path.join("whole")));
    assert_eq!(verify(path, "at_once").0, Some(0));
}

#[test]
fn a_share_that_is_killed_at_any_time_is_run_again() {
    let folder = folder();
    let path = folder.path();
    assert!(told(path, share("1/1", "whole")).0.status.success());
    for killed in 0..20 {
        let mut child = command(path, share("1/2", "killed")).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(2 + 7 * killed));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    for one in ["1/2", "2/2"] {
        let (output, said) = told(path, share(one, "killed"));
        assert!(output.status.success(), "{said}");
    }
    let mut there = made(&path.join("killed"));
    // Temporary files of a killed process are removed later.
    there.retain(|file, _| !file.file_name().unwrap().to_string_lossy().starts_with('.'));
    assert_eq!(there, made(&path.join("whole")));
    assert_eq!(verify(path, "killed").0, Some(0));
}

#[test]
fn missing_and_damaged_files_are_named() {
    let folder = folder();
    let path = folder.path();
    let (code, said) = verify(path, "nowhere");
    assert!(code == Some(2) && said.contains("world.json") && said.contains("help:"), "{said}");
    assert!(told(path, share("1/4", "out")).0.status.success());
    assert!(told(path, share("3/4", "out")).0.status.success());
    let (code, said) = verify(path, "out");
    assert!(code == Some(1) && said.contains("of 35 patches are missing"), "{said}");
    assert!(said.contains("--patches=-3..4,0..5") && said.contains("--share 2/4, 4/4"), "{said}");
    for one in ["2/4", "4/4"] {
        assert!(told(path, share(one, "out")).0.status.success());
    }
    assert_eq!(verify(path, "out").0, Some(0));
    // A damaged file, a missing patch, and a record of a share that is not valid JSON.
    let tif = path.join("out/0_0/worn.tif");
    let mut bytes = fs::read(&tif).unwrap();
    bytes[20] ^= 1;
    fs::write(&tif, bytes).unwrap();
    fs::remove_dir_all(path.join("out/-3_4")).unwrap();
    fs::write(path.join("out/shares/-3_0-3_4/2-of-4.json"), "{").unwrap();
    // Records of shares that were changed after they were written.
    let page = path.join("out/shares/-3_0-3_4/1-of-4.json");
    let text = fs::read_to_string(&page).unwrap();
    for (from, to) in [
        ("[-3, 0]", "[-2, 0]"),
        ("[1, 4]", "[2, 4]"),
        ("[1, 4]", "[0, 4]"),
        ("\"terrane\": \"", "\"terrane\": \"9"),
        ("\"worn.npy\"", "\"born.npy\""),
        ("[3, 4]", "[1073741824, 1073741824]"),
    ] {
        assert!(text.contains(from), "{from}: {text}");
        fs::write(&page, text.replacen(from, to, 1)).unwrap();
        let (code, said) = verify(path, "out");
        assert!(code == Some(1) && said.contains("1-of-4.json"), "{from}: {said}");
    }
    fs::write(&page, text).unwrap();
    let (code, said) = verify(path, "out");
    assert_eq!(code, Some(1), "{said}");
    let plain = said.replace(['\n', '│', ' '], "");
    for wrong in ["0_0/worn.tifisnotasitwaswritten", "2-of-4.json:", "patchesaremissing"] {
        assert!(plain.contains(wrong), "{wrong}: {said}");
    }
    for one in ["1/4", "2/4", "3/4", "4/4"] {
        assert!(told(path, share(one, "out")).0.status.success());
    }
    assert_eq!(verify(path, "out").0, Some(0));
}

#[test]
fn shares_of_another_world_are_refused() {
    let folder = folder();
    let path = folder.path();
    assert!(told(path, share("1/2", "out")).0.status.success());
    let before = made(&path.join("out"));
    let refused = |args: &[&str], why: &str| {
        let (output, said) = told(path, args);
        let plain = said.replace(['\n', '│'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.code() == Some(2) && plain.contains(why), "{why}: {said}");
        assert_eq!(made(&path.join("out")), before);
    };
    let second = share("2/2", "out");
    refused(&[&second[..], &["--set", "talus=0.5"]].concat(), "shares of another world");
    refused(&[&second[..], &["--seed", "6"]].concat(), "shares of another world");
    // Each level has its own folder.
    assert!(told(path, [&second[..], &["--level", "1"]].concat()).0.status.success());
    assert!(path.join("out/level_1/shares").exists());
    fs::remove_dir_all(path.join("out/level_1")).unwrap();
    // The same without a share.
    let plain = ["run", "world.ron", "--patches=-3..4,0..5", "-o", "out", "--no-cache", "--seed", "6"];
    refused(&plain, "shares of another world");
    refused(&[&second[..], &["--only", "worn.npy"]].concat(), "with other outputs");
    fs::write(path.join("patch.ron"), PATCH.replace("iterations: 4", "iterations: 5")).unwrap();
    refused(&second, "shares of another world");
    fs::write(path.join("patch.ron"), PATCH).unwrap();
    assert!(told(path, second).0.status.success());
    assert_eq!(verify(path, "out").0, Some(0));
    for (wrong, why) in
        [("0/4", "counted from 1 to 4"), ("5/4", "counted from 1 to 4"), ("two", "is not a share")]
    {
        let (output, said) = told(path, share(wrong, "other"));
        assert!(output.status.code() == Some(2) && said.contains(why), "{said}");
    }
    assert!(!path.join("other").exists());
    let (output, _) = told(path, ["run", "world.ron", "--share", "1/2"]);
    assert_eq!(output.status.code(), Some(2), "a share is one of patches");
    // More shares than patches: some shares are empty, and all of them together are complete.
    for number in 1..=5 {
        let one = format!("{number}/5");
        let (output, said) =
            told(path, ["run", "world.ron", "--patches", "0..2,0..1", "--share", &one, "-o", "few"]);
        assert!(output.status.success(), "{said}");
    }
    assert_eq!(verify(path, "few").0, Some(0));
}
