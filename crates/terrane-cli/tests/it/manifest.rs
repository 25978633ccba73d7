//! `manifest.json` next to outputs, and `terrane verify`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::running::{Folder, errors};

const GRAPH: &str = r#"Graph(
    size: (33, 17), spacing: 2.0, origin: (10.0, -4.0), seed: 7,
    params: { "high": 8.0 },
    nodes: {
        "hills": Perlin(wavelength: 16.0, amplitude: "$high"),
        "sum": Statistics(height: "hills"),
        "shade": ColorRelief(height: "hills"),
    },
    outputs: {
        "hills.png": Export(from: "hills", range: (0, 8)),
        "maps/hills.npy": "hills",
        "shade.png": "shade",
        "sum.csv": "sum",
    },
)
"#;

fn folder() -> Folder {
    Folder::new(&[("g.ron", GRAPH)])
}

/// Runs the command and checks its exit code; returns standard output and standard error.
fn terrane(folder: &Folder, code: i32, arguments: &[&str]) -> (String, String) {
    let output = folder.terrane(arguments);
    let error = errors(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    (String::from_utf8(output.stdout).unwrap(), error)
}

fn manifest_of(folder: &Folder, out: &str) -> Value {
    read(&folder.path(out).join("manifest.json"))
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn file<'a>(manifest: &'a Value, name: &str) -> &'a Value {
    let runs = manifest["runs"].as_array().unwrap();
    let mut files = runs.iter().flat_map(|run| run["files"].as_array().unwrap());
    files.find(|file| file["file"] == name).unwrap_or_else(|| panic!("{name} is not in {manifest:#}"))
}

#[test]
fn it_lists_each_file_and_its_sources() {
    let folder = folder();
    terrane(&folder, 0, &["run", "g.ron", "--set", "high=4"]);
    let manifest = manifest_of(&folder, "out");
    let run = &manifest["runs"][0];
    assert_eq!((&run["graph"], &run["seed"], &run["size"]), (&json!("g.ron"), &json!(7), &json!([33, 17])));
    assert_eq!((&run["spacing"], &run["origin"]), (&json!(2.0), &json!([10.0, -4.0])));
    assert_eq!(run["parameters"], json!({ "high": "4" }));
    assert_eq!(run["nodes"]["Perlin"], json!(terrane::registry().node("Perlin").unwrap().spec().version));
    let hash = |path: &str| blake3::hash(&fs::read(folder.path(path)).unwrap()).to_hex().to_string();
    assert_eq!(run["sources"], json!([{ "file": "g.ron", "blake3": hash("g.ron") }]));
    let png = file(&manifest, "hills.png");
    assert_eq!(png["value"]["extent"], json!([10.0, -4.0, 74.0, 28.0]));
    assert_eq!(
        (&png["kind"], &png["unit"], &png["from"]),
        (&json!("map"), &json!("world units"), &json!("hills"))
    );
    assert_eq!(png["options"], json!({ "range": "(0, 8)" }));
    assert_eq!(png["blake3"], json!(hash("out/hills.png")));
    assert_eq!(png["sidecar"]["blake3"], json!(hash("out/hills.png.json")));
    assert_eq!(png["bytes"], json!(fs::metadata(folder.path("out/hills.png")).unwrap().len()));
    // The same value in another format.
    let npy = file(&manifest, "maps/hills.npy");
    assert_eq!((&npy["content"], &npy["value"]), (&png["content"], &png["value"]));
    let table = fs::read_to_string(folder.path("out/sum.csv")).unwrap();
    let cells: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let of = |name: &str| cells[1][cells[0].iter().position(|own| *own == name).unwrap()].parse().unwrap();
    let range: [f64; 2] = [of("min"), of("max")];
    assert_eq!(png["value"]["range"], json!(range));
    assert_eq!(file(&manifest, "sum.csv")["value"]["rows"], json!(1));
    assert_eq!(file(&manifest, "shade.png")["value"], json!({ "size": [33, 17] }));
}

#[test]
fn the_same_run_has_the_same_manifest_anywhere() {
    let bytes = |threads: &str, more: &[&str]| {
        let folder = folder();
        terrane(&folder, 0, &[&["run", "g.ron", "--threads", threads, "--out", "elsewhere"], more].concat());
        fs::read(folder.path("elsewhere/manifest.json")).unwrap()
    };
    let first = bytes("1", &[]);
    assert_eq!(bytes("8", &[]), first);
    assert_eq!(bytes("3", &["--no-cache"]), first);
}

#[test]
fn a_second_run_leaves_it_and_a_lost_one_comes_back_from_the_cache() {
    let folder = folder();
    terrane(&folder, 0, &["run", "g.ron", "--keep", "all"]);
    let first = manifest_of(&folder, "out");
    let (_, said) = terrane(&folder, 0, &["run", "g.ron"]);
    assert!(said.starts_with("0 nodes ran") && said.contains("4 files unchanged"), "{said}");
    assert_eq!(manifest_of(&folder, "out"), first);
    let text = fs::read_to_string(folder.path("out/manifest.json")).unwrap();
    for damaged in [None, Some(&text[..300]), Some(&text.replace("\"seed\"", "\"sede\""))] {
        match damaged {
            None => fs::remove_file(folder.path("out/manifest.json")).unwrap(),
            Some(text) => fs::write(folder.path("out/manifest.json"), text).unwrap(),
        }
        let (_, said) = terrane(&folder, 0, &["run", "g.ron"]);
        assert!(said.starts_with("wrote out/manifest.json\n0 nodes ran"), "{said}");
        assert_eq!(manifest_of(&folder, "out"), first);
    }
    // A changed file is written again.
    fs::write(folder.path("out/sum.csv"), "mine").unwrap();
    let (_, said) = terrane(&folder, 0, &["run", "g.ron"]);
    assert!(said.contains("wrote out/sum.csv") && said.contains("3 files unchanged"), "{said}");
    assert_eq!(manifest_of(&folder, "out"), first);
}

#[test]
fn every_file_belongs_to_the_run_that_made_it_last() {
    let folder = folder();
    fs::write(folder.path("h.ron"), GRAPH.replace("hills.png", "other.png")).unwrap();
    terrane(&folder, 0, &["run", "g.ron"]);
    terrane(&folder, 0, &["run", "g.ron", "--set", "high=2", "--only", "sum.csv"]);
    terrane(&folder, 0, &["run", "h.ron", "--only", "other.png"]);
    let manifest = manifest_of(&folder, "out");
    let runs: Vec<(Value, Value, Vec<&Value>)> = manifest["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| {
            let files = run["files"].as_array().unwrap().iter().map(|file| &file["file"]).collect();
            (run["graph"].clone(), run["parameters"]["high"].clone(), files)
        })
        .collect();
    let names = |names: &[&str]| names.iter().map(|name| json!(name)).collect::<Vec<_>>();
    let expected = [
        (json!("g.ron"), json!("8.0"), names(&["hills.png", "maps/hills.npy", "shade.png"])),
        (json!("g.ron"), json!("2"), names(&["sum.csv"])),
        (json!("h.ron"), json!("8.0"), names(&["other.png"])),
    ];
    for ((graph, high, files), (own_graph, own_high, own)) in runs.iter().zip(&expected) {
        assert_eq!((graph, high), (own_graph, own_high));
        assert_eq!(files.iter().map(|file| (*file).clone()).collect::<Vec<_>>(), *own);
    }
    assert_eq!(runs.len(), 3);
    // Files that the first run writes again belong to it again, and runs without files are removed.
    terrane(&folder, 0, &["run", "g.ron"]);
    assert_eq!(manifest_of(&folder, "out")["runs"].as_array().unwrap().len(), 2);
}

#[test]
fn many_runs_at_once_lose_nothing() {
    let folder = folder();
    let names: Vec<String> = (0..8).map(|n| format!("g{n}.ron")).collect();
    for (n, name) in names.iter().enumerate() {
        let graph = GRAPH.replace("hills.png", &format!("{n}.png"));
        fs::write(folder.path(name), graph).unwrap();
    }
    std::thread::scope(|scope| {
        for (n, name) in names.iter().enumerate() {
            let folder = &folder;
            scope.spawn(move || terrane(folder, 0, &["run", name, "--only", &format!("{n}.png")]));
        }
    });
    let manifest = manifest_of(&folder, "out");
    (0..8).for_each(|n| drop(file(&manifest, &format!("{n}.png")).clone()));
    assert!(!folder.path("out/manifest.json.lock").exists());
    terrane(&folder, 0, &["verify", "out"]);
}

#[test]
fn files_written_by_concurrent_runs_belong_to_one_run() {
    let folder = folder();
    for round in 0..6 {
        std::thread::scope(|scope| {
            for seed in 0..5 {
                let (folder, seed) = (&folder, (10 * round + seed).to_string());
                scope.spawn(move || terrane(folder, 0, &["run", "g.ron", "--seed", &seed, "--threads", "1"]));
            }
        });
        terrane(&folder, 0, &["verify", "out"]);
        let runs = manifest_of(&folder, "out")["runs"].as_array().unwrap().len();
        assert_eq!(runs, 1, "all files are of the last run");
    }
}

#[test]
fn verify_reports_changed_and_missing_files() {
    let folder = folder();
    terrane(&folder, 0, &["run", "g.ron"]);
    let (out, said) = terrane(&folder, 0, &["verify", "out"]);
    // The picture of heights has a sidecar. So does the array, because its spacing is not 1.
    assert_eq!((out.as_str(), said.as_str()), ("", "6 files unchanged\n"));
    fs::write(folder.path("out/sum.csv"), "mine").unwrap();
    fs::remove_file(folder.path("out/shade.png")).unwrap();
    fs::write(folder.path("out/hills.png.json"), "{}").unwrap();
    let (out, said) = terrane(&folder, 1, &["verify", "out", "--json"]);
    let verdicts: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| verdicts.iter().find(|v| v["file"] == name).unwrap()["verdict"].clone();
    assert_eq!((of("out/sum.csv"), of("out/shade.png")), (json!("changed"), json!("missing")));
    assert_eq!((of("out/hills.png"), of("out/hills.png.json")), (json!("same"), json!("changed")));
    for told in ["sum.csv is not as it was written", "shade.png is missing", "run again what wrote"] {
        assert!(said.contains(told), "{told}: {said}");
    }
    terrane(&folder, 0, &["run", "g.ron"]);
    terrane(&folder, 0, &["verify", "out"]);
}

#[test]
fn invalid_manifests_are_reported() {
    let folder = folder();
    let (_, said) = terrane(&folder, 2, &["verify", "nowhere"]);
    assert!(said.contains("nowhere") && said.contains("choose a folder that a run wrote to"), "{said}");
    fs::create_dir_all(folder.path("out/empty")).unwrap();
    assert!(terrane(&folder, 2, &["verify", "out"]).1.contains("has no manifest.json"));
    terrane(&folder, 0, &["run", "g.ron"]);
    let good = manifest_of(&folder, "out");
    let with = |name: &str| {
        let mut bad = good.clone();
        bad["runs"][0]["files"][0]["file"] = json!(name);
        bad.to_string()
    };
    let newer = good.to_string().replacen("\"manifest\":1", "\"manifest\":2", 1);
    for (text, told) in [
        ("{", "EOF"),
        ("[]", "manifest.json"),
        (newer.as_str(), "its version is 2, but this program supports only 1"),
        (with("../g.ron").as_str(), "leads out of its folder"),
        (with("/etc/passwd").as_str(), "leads out of its folder"),
    ] {
        fs::write(folder.path("out/manifest.json"), text).unwrap();
        let (_, said) = terrane(&folder, 1, &["verify", "out"]);
        assert!(said.contains(told), "{told}: {said}");
    }
    // An output named `manifest.json` would be overwritten.
    fs::write(folder.path("m.ron"), GRAPH.replace("sum.csv", "manifest.json")).unwrap();
    let (_, said) = terrane(&folder, 2, &["check", "m.ron"]);
    assert!(said.contains("every run lists its outputs there"), "{said}");
}

#[test]
fn files_of_other_programs_and_of_newer_ones_stay() {
    let folder = folder();
    fs::create_dir(folder.path("out")).unwrap();
    let page = folder.path("out/manifest.json");
    let newer = "{\n  \"manifest\": 2,\n  \"things\": []\n}";
    for (text, told) in [
        ("{\"name\": \"an app\"}", "is not a list of outputs"),
        (newer, "its version is 2, but this program supports only 1"),
    ] {
        fs::write(&page, text).unwrap();
        let (_, said) = terrane(&folder, 2, &["run", "g.ron"]);
        assert!(said.contains(told) && said.contains("--out"), "{said}");
        assert_eq!(fs::read_to_string(&page).unwrap(), text);
        assert_eq!(fs::read_dir(folder.path("out")).unwrap().count(), 1, "nothing is written");
    }
    let (_, said) = terrane(&folder, 2, &["run", "g.ron", "-o", "g.ron"]);
    assert!(said.contains("g.ron is a file, and outputs go into a folder"), "{said}");
    for name in
        ["./manifest.json", "Manifest.JSON", "a/manifest.json", "manifest.json/x.csv", "manifest.json.lock"]
    {
        fs::write(folder.path("m.ron"), GRAPH.replace("sum.csv", name)).unwrap();
        terrane(&folder, 2, &["check", "m.ron"]);
    }
}

#[test]
fn removed_and_respelled_outputs_are_listed_once() {
    let folder = folder();
    terrane(&folder, 0, &["run", "g.ron"]);
    let first = fs::read(folder.path("out/manifest.json")).unwrap();
    terrane(&folder, 0, &["run", "g.ron"]);
    assert_eq!(fs::read(folder.path("out/manifest.json")).unwrap(), first, "the same run, the same bytes");
    // An output that the graph no longer has, and one whose name is now spelt differently.
    fs::remove_file(folder.path("out/shade.png")).unwrap();
    fs::write(
        folder.path("g.ron"),
        GRAPH.replace("shade.png", "other.png").replace("\"sum.csv", "\"./sum.csv"),
    )
    .unwrap();
    terrane(&folder, 0, &["run", "g.ron"]);
    let (_, said) = terrane(&folder, 0, &["verify", "out"]);
    assert!(said.starts_with("6 files"), "{said}");
    // A file next to a table is not a sidecar.
    fs::write(folder.path("out/sum.csv.json"), "{}").unwrap();
    terrane(&folder, 0, &["run", "g.ron", "--no-cache"]);
    assert!(file(&manifest_of(&folder, "out"), "sum.csv")["sidecar"].is_null());
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_not_followed() {
    let folder = folder();
    terrane(&folder, 0, &["run", "g.ron"]);
    let secret = folder.path("secret");
    fs::write(&secret, "mine").unwrap();
    fs::remove_file(folder.path("out/sum.csv")).unwrap();
    std::os::unix::fs::symlink(&secret, folder.path("out/sum.csv")).unwrap();
    assert!(terrane(&folder, 1, &["verify", "out"]).1.contains("leads out of its folder"));
    fs::remove_file(folder.path("out/sum.csv")).unwrap();
    std::os::unix::fs::symlink(folder.path("made"), folder.path("out/manifest.json.lock")).unwrap();
    terrane(&folder, 0, &["run", "g.ron"]);
    assert!(!folder.path("made").exists());
    fs::remove_file(folder.path("out/manifest.json")).unwrap();
    std::os::unix::fs::symlink("sum.csv", folder.path("out/manifest.json")).unwrap();
    assert!(terrane(&folder, 2, &["run", "g.ron"]).1.contains("is a link"));
}

#[test]
fn each_patch_of_a_world_has_its_own_manifest() {
    let folder = folder();
    let graphs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs/world");
    for name in ["world.ron", "patch.ron"] {
        fs::copy(graphs.join(name), folder.path(name)).unwrap();
    }
    terrane(&folder, 0, &["run", "world.ron", "--patches", "0..2,0..1", "--size", "33x33"]);
    let (left, right) = (manifest_of(&folder, "out/0_0"), manifest_of(&folder, "out/1_0"));
    assert_ne!(left["runs"][0]["origin"], right["runs"][0]["origin"]);
    assert_eq!(left["runs"][0]["parameters"], right["runs"][0]["parameters"]);
    let sources = left["runs"][0]["sources"].as_array().unwrap();
    let names: Vec<&Value> = sources.iter().map(|source| &source["file"]).collect();
    assert_eq!(names, [&json!("patch.ron"), &json!("world.ron")]);
    terrane(&folder, 0, &["verify", "out"]);
}
