//! Worlds in Zarr stores: shares of any count, order and overlap write the same store, even if their
//! processes are killed and started again. Its samples are equal to those of a world in files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use terrane_stores::{Windows, open};

use crate::running::{self, command, files, told, verify};

const PATCH: &str = r#"Graph(size: (17, 17), spacing: 30.0, seed: 5, params: { "talus": 0.6 }, nodes: {
    "hills": Perlin(wavelength: 400, octaves: 5, amplitude: 200),
    "worn": ThermalErosion(height: "hills", talus: "$talus", iterations: 4),
    "relief": ColorRelief(height: "worn", range: (-200.0, 200.0)),
    "facts": Statistics(height: "worn"),
}, outputs: { "worn.npy": "worn", "maps/relief.png": "relief", "facts.json": "facts",
    "worn.tif": "hills" })"#;

fn run<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", "world.ron", "--patches=-3..4,0..5", "--block", "2", "--no-cache", "-o", out], more].concat()
}

fn folder() -> tempfile::TempDir {
    running::folder(&[("patch.ron", PATCH), ("world.ron", r#"World(patch: "patch.ron")"#)])
}

#[test]
fn a_store_has_the_samples_of_the_whole_map() {
    let folder = folder();
    let path = folder.path();
    let (output, said) = told(path, run("world.zarr", &[]));
    assert!(output.status.success(), "{said}");
    assert!(said.contains("facts.json is left out: a store holds maps and pictures only"), "{said}");
    assert!(said.contains("12 blocks made, 0 already there"), "{said}");
    let files_of =
        ["run", "world.ron", "--patches=-3..4,0..5", "--mosaic", "--only", "worn.npy", "-o", "out"];
    assert!(told(path, files_of).0.status.success());
    let whole = fs::read(path.join("out/worn.npy")).unwrap();
    let (columns, rows) = (7 * 16 + 1, 5 * 16 + 1);
    let samples = &whole[whole.len() - columns * rows * 4..];
    let wanted = |x: usize, y: usize| &samples[(y * columns + x) * 4..][..4];
    let store = open(path.join("world.zarr").to_str().unwrap()).unwrap();
    let windows = Windows::open(&*store, "worn").unwrap();
    for level in 0..5u32 {
        let size = ((columns - 1).div_ceil(1 << level), (rows - 1).div_ceil(1 << level));
        let found = windows.read(level, (0, 0), size).unwrap();
        for (at, found) in found.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (at % size.0, at / size.0);
            assert_eq!(found, wanted(x << level, y << level), "level {level}, ({x}, {y})");
        }
    }
    let part = windows.read(0, (29, 30), (40, 3)).unwrap();
    assert_eq!(part[..4], *wanted(29, 30));
    assert_eq!(part[(2 * 40 + 39) * 4..], *wanted(68, 32));
    // If two outputs have the same stem, the name of the second array includes the extension.
    assert!(Windows::open(&*store, "worn_tif").is_ok() && Windows::open(&*store, "maps/relief.png").is_ok());
    let Err(wrong) = Windows::open(&*store, "sea") else { panic!("there is no sea") };
    assert!(wrong.to_string().contains("no array `sea`"), "{wrong}");
    // The whole array as one file.
    let (output, said) = told(path, ["world", "geotiff", "world.zarr", "worn", "-o", "worn.tif"]);
    assert!(output.status.success(), "{said}");
    fs::write(
        path.join("back.ron"),
        r#"Graph(size: (112, 80), spacing: 30.0,
            nodes: { "back": Import(file: "worn.tif") }, outputs: { "back.npy": "back" })"#,
    )
    .unwrap();
    let (output, said) = told(path, ["run", "back.ron", "-o", "."]);
    assert!(output.status.success(), "{said}");
    let back = fs::read(path.join("back.npy")).unwrap();
    let back = back[back.len() - 112 * 80 * 4..].as_chunks::<4>().0;
    assert!((0..80).all(|y| (0..112).all(|x| back[y * 112 + x] == *wanted(x, y))));
}

#[test]
fn shares_of_any_count_order_and_overlap_make_the_same_store() {
    let folder = folder();
    let path = folder.path();
    let (output, said) = told(path, run("whole.zarr", &[]));
    assert!(output.status.success(), "{said}");
    let whole = files(&path.join("whole.zarr"));
    for shares in [&["1/2", "2/2"][..], &["3/3", "1/3", "2/3"], &["2/4", "1/3", "4/4", "3/4", "1/4", "2/4"]] {
        let out = format!("of{}.zarr", shares.len());
        for one in shares {
            let (output, said) = told(path, run(&out, &["--share", one]));
            assert!(output.status.success(), "{said}");
        }
        assert!(files(&path.join(&out)) == whole, "{shares:?}");
    }
    // All shares at the same time, one of them twice, with different numbers of threads.
    let started = |(one, threads): (&str, &str)| {
        command(path, run("at_once.zarr", &["--share", one, "--threads", threads])).spawn().unwrap()
    };
    let shares = [("1/4", "1"), ("2/4", "3"), ("2/4", "1"), ("3/4", "2"), ("4/4", "8")];
    let children: Vec<Child> = shares.map(started).into();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(files(&path.join("at_once.zarr")) == whole);
    let (code, said) = verify(path, "at_once.zarr");
    assert!(code == Some(0) && said.contains("12 blocks of 36 objects"), "{said}");
}

#[test]
fn a_run_that_is_killed_at_any_time_is_run_again() {
    let folder = folder();
    let path = folder.path();
    assert!(told(path, run("whole.zarr", &[])).0.status.success());
    for killed in 0..20 {
        let mut child = command(path, run("killed.zarr", &[])).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(2 + 6 * killed));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (output, said) = told(path, run("killed.zarr", &[]));
    assert!(output.status.success(), "{said}");
    assert!(files(&path.join("killed.zarr")) == files(&path.join("whole.zarr")));
    // Existing blocks are not computed again.
    let (_, said) = told(path, run("killed.zarr", &[]));
    assert!(said.contains("0 blocks made, 12 already there, 0 nodes ran"), "{said}");
}

#[test]
fn missing_and_damaged_blocks_are_named_and_made_again() {
    let folder = folder();
    let path = folder.path();
    let (code, said) = verify(path, "nowhere.zarr");
    assert!(code == Some(2) && said.contains("there is no store of a world at"), "{said}");
    assert!(told(path, run("out.zarr", &["--share", "1/4"])).0.status.success());
    let (code, said) = verify(path, "out.zarr");
    assert!(code == Some(1) && said.contains("9 of 12 blocks are missing: (2, 0), (3, 0)"), "{said}");
    let (output, said) = told(path, ["world", "geotiff", "out.zarr", "worn", "-o", "worn.tif"]);
    assert!(output.status.code() == Some(1) && said.contains("is missing"), "{said}");
    assert!(!path.join("worn.tif").exists());
    assert!(told(path, run("out.zarr", &[])).0.status.success());
    let whole = files(&path.join("out.zarr"));
    let damage = |file: &str, act: &dyn Fn(&Path)| {
        let at = path.join("out.zarr").join(file);
        assert!(at.is_file(), "{file}");
        act(&at);
        let (code, said) = verify(path, "out.zarr");
        assert_eq!(code, Some(1), "{file}: {said}");
        let (output, said) = told(path, run("out.zarr", &[]));
        assert!(output.status.success() && said.contains("1 block made, 11 already there"), "{file}: {said}");
        assert!(files(&path.join("out.zarr")) == whole, "{file}");
    };
    let flip = |at: &Path| {
        let mut bytes = fs::read(at).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(at, bytes).unwrap();
    };
    let cut = |at: &Path| fs::write(at, &fs::read(at).unwrap()[..10]).unwrap();
    let remove = |at: &Path| fs::remove_file(at).unwrap();
    let swap = |at: &Path| {
        fs::copy(path.join("out.zarr/terrane/blocks/3_2.json"), at).unwrap();
    };
    for file in ["0/worn/c/1/2", "0/maps_relief/c/0/0/0", "terrane/blocks/0_1.json"] {
        damage(file, &flip);
        damage(file, &cut);
        damage(file, &remove);
    }
    damage("terrane/blocks/1_1.json", &swap);
    let lengthen = |at: &Path| fs::write(at, [fs::read(at).unwrap(), b" \n".to_vec()].concat()).unwrap();
    damage("terrane/blocks/0_0.json", &lengthen);
    // If a block's object belongs to another block, no GeoTIFF is written.
    let one = path.join("out.zarr/0/worn/c/0/1");
    fs::copy(path.join("out.zarr/0/worn/c/0/0"), &one).unwrap();
    let (output, said) = told(path, ["world", "geotiff", "out.zarr", "worn", "-o", "worn.tif"]);
    assert!(output.status.code() == Some(1) && said.contains("is not as it was written"), "{said}");
    assert!(told(path, run("out.zarr", &[])).0.status.success());
    // Each object that is not part of a block is repaired, too.
    let beside =
        |file: &PathBuf| !file.to_string_lossy().contains("/c/") || file.parent().unwrap().ends_with("x/c");
    let names: Vec<_> =
        whole.keys().filter(|file| beside(file) && !file.starts_with("terrane/blocks")).collect();
    assert!(names.len() > 6, "{names:?}");
    for (number, name) in names.into_iter().enumerate() {
        let at = path.join("out.zarr").join(name);
        [&flip as &dyn Fn(&Path), &cut, &remove, &lengthen][number % 4](&at);
        assert_eq!(verify(path, "out.zarr").0.map(|code| code > 0), Some(true), "{name:?}");
        let (output, said) = told(path, run("out.zarr", &[]));
        assert!(
            output.status.success() && said.contains("0 blocks made, 12 already there"),
            "{name:?}: {said}"
        );
        assert!(files(&path.join("out.zarr")) == whole, "{name:?}");
    }
}

#[test]
#[cfg(unix)]
fn links_are_not_followed() {
    let folder = folder();
    let path = folder.path();
    assert!(told(path, run("out.zarr", &[])).0.status.success());
    let (object, victim) = (path.join("out.zarr/0/worn/c/0/1"), path.join("victim"));
    fs::write(&victim, "mine").unwrap();
    fs::remove_file(&object).unwrap();
    std::os::unix::fs::symlink(&victim, &object).unwrap();
    let (output, said) = told(path, run("out.zarr", &[]));
    assert!(output.status.code() == Some(1) && said.contains("is a link, which leads out"), "{said}");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
}

#[test]
fn a_store_of_another_world_is_refused() {
    let folder = folder();
    let path = folder.path();
    assert!(told(path, run("out.zarr", &[])).0.status.success());
    let whole = files(&path.join("out.zarr"));
    // As if the run had ended before the root was written.
    fs::remove_file(path.join("out.zarr/zarr.json")).unwrap();
    let (output, said) = told(path, run("out.zarr", &["--seed", "6"]));
    assert!(output.status.code() == Some(2) && said.contains("holds another world"), "{said}");
    assert!(told(path, run("out.zarr", &[])).0.status.success());
    assert!(files(&path.join("out.zarr")) == whole);
    // Descriptions that are invalid, or too large for any machine.
    let root = path.join("out.zarr/zarr.json");
    let text = fs::read_to_string(&root).unwrap();
    for (from, to) in [
        ("17,", "1000000000,"),
        ("\"spacing\": 30.0", "\"spacing\": 0.0"),
        ("\"block\": 2", "\"block\": 1000000"),
    ] {
        assert!(text.contains(from), "{from}");
        fs::write(&root, text.replacen(from, to, 1)).unwrap();
        let (code, said) = verify(path, "out.zarr");
        assert!(
            code == Some(2) && said.contains("does not describe a world, or is damaged"),
            "{from}: {said}"
        );
    }
}

#[test]
fn a_store_of_something_else_is_refused() {
    let folder = folder();
    let path = folder.path();
    assert!(told(path, run("out.zarr", &["--share", "1/2"])).0.status.success());
    let before = files(&path.join("out.zarr"));
    let refused = |args: &[&str], why: &str| {
        let (output, said) = told(path, args);
        assert!(output.status.code() == Some(2) && said.contains(why), "{why}: {said}");
        assert!(said.contains("help:"), "{said}");
        assert!(files(&path.join("out.zarr")) == before);
    };
    refused(&run("out.zarr", &["--set", "talus=0.5"]), "holds another world");
    refused(&run("out.zarr", &["--seed", "6"]), "holds another world");
    refused(&run("out.zarr", &["--level", "1"]), "holds another world");
    refused(&run("out.zarr", &["--only", "worn.npy"]), "other outputs of the same world");
    refused(&run("out.zarr", &["--only", "facts.json"]), "no output is a map or a picture");
    refused(&run("out.zarr", &["--share", "0/4"]), "counted from 1 to 4");
    refused(&run("out.zarr", &["--share", "5/4"]), "counted from 1 to 4");
    refused(&run("out", &[]), "--block applies only to .zarr stores");
    refused(&run("s4://bucket/out.zarr", &[]), "s4://bucket/out.zarr");
    let other =
        |patches, block| ["run", "world.ron", "--patches", patches, "--block", block, "-o", "out.zarr"];
    refused(&other("0..2,0..2", "2"), "covers patches -3..4,0..5, not 0..2,0..2");
    refused(&other("-3..4,0..5", "3"), "blocks of 2 patches to a side, not of 3");
    refused(&other("0..2,0..2", "0"), "cannot have 0 patches");
    let mosaic = ["run", "world.ron", "--patches", "0..2,0..2", "--mosaic", "-o", "out.zarr"];
    refused(&mosaic, "--mosaic joins files");
    fs::write(path.join("patch.ron"), PATCH.replace("iterations: 4", "iterations: 5")).unwrap();
    refused(&run("out.zarr", &["--share", "2/2"]), "holds another world");
    fs::write(path.join("patch.ron"), PATCH).unwrap();
    // A store of another program.
    fs::create_dir(path.join("other.zarr")).unwrap();
    fs::write(path.join("other.zarr/zarr.json"), r#"{"zarr_format": 3, "node_type": "group"}"#).unwrap();
    refused(&run("other.zarr", &[]), "does not describe a world");
    refused(&["run", "patch.ron", "-o", "out.zarr"], "only worlds are written to stores");
    let far = ["run", "world.ron", "--patches", "1073741820..1073741823,0..1", "-o", "far.zarr"];
    refused(&far, "coordinates are rounded");
    assert!(!path.join("far.zarr").exists());
    let (output, said) = told(path, run("patch.ron/out.zarr", &[]));
    assert!(output.status.code() == Some(1) && said.contains("patch.ron/out.zarr"), "{said}");
    assert!(told(path, run("out.zarr", &["--share", "2/2"])).0.status.success());
    assert_eq!(verify(path, "out.zarr").0, Some(0));
}

#[test]
fn a_block_that_fails_is_named_and_the_others_are_complete() {
    let folder = folder();
    let path = folder.path();
    let rest = r#"Graph(size: (17, 17), spacing: 30.0, nodes: {
        "hills": Perlin(wavelength: 400),
        "bad": Remap(height: "hills", from: (0.0, 1.0), to: (0.0, 1.0)),
    }, outputs: { "worn.npy": "bad" })"#;
    fs::write(path.join("patch.ron"), rest).unwrap();
    let (output, said) = told(path, run("out.zarr", &[]));
    assert!(output.status.success(), "{said}");
    // An object that cannot be replaced.
    let object = path.join("out.zarr/0/worn/c/0/1");
    fs::remove_file(&object).unwrap();
    fs::create_dir(&object).unwrap();
    let (output, said) = told(path, run("out.zarr", &[]));
    assert!(output.status.code() == Some(1) && said.contains("block 1,0:"), "{said}");
    assert!(said.contains("0 blocks made, 11 already there"), "{said}");
    fs::remove_dir(&object).unwrap();
    assert!(told(path, run("out.zarr", &[])).0.status.success());
    assert_eq!(verify(path, "out.zarr").0, Some(0));
}

#[test]
fn a_virtual_dataset_covers_all_shares_in_files() {
    let folder = folder();
    let path = folder.path();
    let share = |one| ["run", "world.ron", "--patches=-3..4,0..5", "--share", one, "-o", "out"];
    assert!(told(path, share("1/2")).0.status.success());
    let (output, said) = told(path, ["world", "vrt", "out", "worn.tif"]);
    assert!(output.status.code() == Some(2) && said.contains("is missing"), "{said}");
    assert!(told(path, share("2/2")).0.status.success());
    let (output, said) = told(path, ["world", "vrt", "out", "worn.tif"]);
    assert!(output.status.success() && said.contains("wrote out/worn.vrt"), "{said}");
    let plain = ["run", "world.ron", "--patches=-3..4,0..5", "-o", "plain"];
    assert!(told(path, plain).0.status.success());
    assert_eq!(fs::read(path.join("out/worn.vrt")).unwrap(), fs::read(path.join("plain/worn.vrt")).unwrap());
    let (output, said) = told(path, ["world", "vrt", "out", "worn.npy"]);
    assert!(output.status.code() == Some(2) && said.contains("its TIFF files are worn.tif"), "{said}");
}
