//! `terrane test` from a user's point of view.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use terrane::testing;

use crate::running;

const GRAPH: &str = "Graph(
    size: (33, 17),
    nodes: {
        \"hills\": Perlin(wavelength: 16.0, seed: 1),
        \"shade\": Hillshade(height: \"hills\"),
        \"score\": ErosionScore(height: \"hills\"),
    },
    outputs: { \"hills.png\": \"hills\", \"maps/shade.png\": \"shade\", \"score.json\": \"score\" },
)
";

struct Folder(running::Folder);

impl Folder {
    fn new() -> Self {
        Self(running::Folder::new(&[("hills.ron", GRAPH)]))
    }

    fn write(&self, graph: &str) {
        self.0.write("hills.ron", graph);
    }

    fn test(&self, arguments: &[&str]) -> Output {
        self.0.terrane([&["test"], arguments].concat())
    }

    /// Runs the command and checks its exit code; returns standard error.
    fn says(&self, code: i32, arguments: &[&str]) -> String {
        self.0.says(code, [&["test"], arguments].concat())
    }

    fn snapshot(&self, name: &str) -> PathBuf {
        self.0.path("snapshots").join(name)
    }

    fn files(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path("snapshots")).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn new_snapshots_wait_for_review_and_pass_after_they_are_accepted() {
    let folder = Folder::new();
    let text = folder.says(1, &["hills.ron"]);
    assert!(text.contains("new: maps/shade.png of hills.ron\n"), "{text}");
    assert!(text.contains("0 passed, 3 new\nreview the"), "{text}");
    let news = [
        "hills__hills.png-picture.snap.new",
        "hills__hills.png-picture.snap.new.png",
        "hills__hills.png.snap.new",
        "hills__maps__shade.png-picture.snap.new",
        "hills__maps__shade.png-picture.snap.new.png",
        "hills__maps__shade.png.snap.new",
        "hills__score.json.snap.new",
    ];
    assert_eq!(folder.files(), news);
    assert!(folder.says(1, &["hills.ron"]).contains("3 new"), "nothing is accepted by asking again");
    assert!(folder.says(0, &["hills.ron", "--accept"]).contains("0 passed, 3 accepted\n"));
    assert_eq!(folder.files(), news.map(|name| name.replace(".new", "")));
    assert_eq!(folder.says(0, &["hills.ron"]), "3 passed\n");
}

#[test]
fn a_change_is_shown_in_lines_and_in_a_picture() {
    let folder = Folder::new();
    folder.says(0, &["hills.ron", "--accept"]);
    folder.write(&GRAPH.replace("seed: 1", "seed: 2"));
    let text = folder.says(1, &["hills.ron"]);
    assert!(text.contains("changed: hills.png of hills.ron\n--- accepted\n+++ now\n"), "{text}");
    assert!(
        text.contains("\n-hash: ") && text.contains("\n+hash: ") && text.contains("0 passed, 3 changed"),
        "{text}"
    );
    let picture = folder.snapshot("hills__hills.png.diff.png");
    assert_eq!(terrane::io::read_picture(&picture, 1 << 20).unwrap().size(), (3 * 33 + 2 * 4, 17));
    assert!(text.contains("see snapshots/hills__hills.png.diff.png"), "{text}");
    assert!(folder.snapshot("hills__score.json.snap.new").is_file());
    // After the change is reverted, the files for review are removed.
    folder.write(GRAPH);
    assert_eq!(folder.says(0, &["hills.ron"]), "3 passed\n");
    assert!(folder.files().iter().all(|name| !name.contains(".new") && !name.contains(".diff")));
    folder.write(&GRAPH.replace("seed: 1", "seed: 2"));
    folder.says(0, &["hills.ron", "--accept"]);
    assert_eq!(folder.says(0, &["hills.ron"]), "3 passed\n");
}

#[test]
fn unused_snapshots_are_named_and_removed_by_accept() {
    let folder = Folder::new();
    folder.says(0, &["hills.ron", "--accept"]);
    // Another graph whose snapshots begin with the same letters keeps them.
    fs::copy(folder.0.path("hills.ron"), folder.0.path("hills__two.ron")).unwrap();
    folder.says(0, &["hills__two.ron", "--accept"]);
    folder.write(&GRAPH.replace("\"maps/shade.png\": \"shade\", ", ""));
    let text = folder.says(0, &["hills.ron"]);
    assert!(text.contains("unused: maps/shade.png of hills.ron\n2 passed, 1 unused\n"), "{text}");
    assert!(folder.says(0, &["hills.ron", "--accept"]).contains("2 passed, 1 removed\n"));
    assert!(!folder.files().iter().any(|name| name.starts_with("hills__maps")));
    assert_eq!(folder.says(0, &["hills.ron", "hills__two.ron"]), "5 passed\n");
}

#[test]
fn two_names_with_one_snapshot_are_refused_and_a_new_name_keeps_it() {
    let folder = Folder::new();
    let twice = GRAPH.replace("\"score.json\"", "\"maps__shade.png\": \"shade\", \"score.json\"");
    folder.write(&twice);
    let text = folder.says(2, &["hills.ron", "--accept"]);
    assert!(
        text.contains("the output `maps/shade.png` and the output `maps__shade.png` would share"),
        "{text}"
    );
    assert!(text.contains("hills__maps__shade.png.snap") && text.contains("rename one"), "{text}");
    assert!(!folder.0.path("snapshots").exists(), "nothing is evaluated or written");
    folder.write(GRAPH);
    folder.says(0, &["hills.ron", "--accept"]);
    let before = folder.files();
    folder.write(&GRAPH.replace("maps/shade.png", "maps__shade.png"));
    assert_eq!(folder.says(0, &["hills.ron", "--accept"]), "3 passed\n");
    assert_eq!(folder.files(), before, "the snapshot is in use, by another name");
}

#[test]
fn ports_are_tested_once_they_were_accepted() {
    let folder = Folder::new();
    folder.says(0, &["hills.ron", "--port", "hills.height", "--accept"]);
    assert_eq!(folder.says(0, &["hills.ron"]), "4 passed\n");
    let text = folder.says(2, &["hills.ron", "--port", "hils"]);
    assert!(text.contains("--port hils in hills.ron: there is no node `hils`"), "{text}");
    assert!(text.contains("did you mean `hills`?"), "{text}");
}

#[test]
fn broken_graphs_failing_nodes_and_damaged_snapshots_are_reported() {
    let folder = Folder::new();
    fs::write(folder.0.path("broken.ron"), GRAPH.replace("Hillshade", "Hilshade")).unwrap();
    let text = folder.says(2, &["hills.ron", "broken.ron"]);
    assert!(text.contains("broken.ron:5:18") && text.contains("did you mean `Hillshade`?"), "{text}");
    assert!(!folder.0.path("snapshots").exists(), "nothing is evaluated or written");
    folder.says(0, &["hills.ron", "--accept"]);
    fs::write(folder.snapshot("hills__hills.png-picture.snap.png"), "no picture").unwrap();
    let text = folder.says(1, &["hills.ron"]);
    assert!(
        text.contains("2 passed, 1 failed") && text.contains("hills__hills.png-picture.snap.png"),
        "{text}"
    );
    assert!(folder.says(0, &["hills.ron", "--accept"]).contains("2 passed, 1 accepted"));
    assert_eq!(folder.says(0, &["hills.ron"]), "3 passed\n");
}

#[test]
fn json_has_an_object_per_output() {
    let folder = Folder::new();
    folder.says(0, &["hills.ron", "--accept"]);
    folder.write(&GRAPH.replace("\"score\": ErosionScore", "\"score\": Statistics"));
    let output = folder.test(&["hills.ron", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let lines = String::from_utf8(output.stdout).unwrap();
    let objects: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[1]["name"], "maps/shade.png");
    assert_eq!((&objects[1]["outcome"], &objects[2]["outcome"]), (&"passed".into(), &"changed".into()));
    assert!(objects[2]["difference"].as_str().unwrap().contains("+hash: "));
    assert_eq!(
        objects[0]["snapshot"],
        Path::new("snapshots").join("hills__hills.png.snap").to_str().unwrap()
    );
}

#[test]
fn insta_reads_what_was_written() {
    let folder = Folder::new();
    folder.says(0, &["hills.ron", "--port", "hills", "--accept"]);
    let graph = folder.0.path("hills.ron");
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(folder.0.path("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| {
        insta::assert_snapshot!("hills__score.json", testing::describe(&graph, "score").unwrap());
        insta::assert_snapshot!("hills__maps/shade.png", testing::describe(&graph, "shade").unwrap());
        // The map is smaller than the limit for stored pictures, so it is stored in full size.
        let png = testing::png(&testing::evaluate(&graph, "hills").unwrap()).unwrap();
        insta::assert_binary_snapshot!("hills__hills-picture.png", png);
    });
    let snapshot = insta::Snapshot::from_file(&folder.snapshot("hills__maps__shade.png.snap")).unwrap();
    assert_eq!(snapshot.metadata().source(), Some("hills.ron"));
    assert_eq!(snapshot.metadata().expression(), Some("output(\"maps/shade.png\")"));
}
