//! `terrane sweep` from a user's point of view.

use std::fs;
use terrane_grid::{Domain, Grid, Heightmap};
use terrane_io::{WriteOptions, write_heightmap};

use crate::running::Folder;

const GRAPH: &str = "Graph(
    size: (33, 17),
    params: { \"high\": 1.0, \"mode\": Add },
    nodes: {
        \"ground\": Constant(value: 1.0),
        \"hills\": Perlin(wavelength: 16.0, amplitude: \"$high\"),
        \"sum\": Combine(a: \"hills\", b: \"ground\", mode: \"$mode\"),
        \"score\": ErosionScore(height: \"sum\"),
        \"bins\": Histogram(height: \"sum\"),
        \"eroded\": ThermalErosion(height: \"sum\", talus: 0.01, iterations: 4),
        \"relief\": ColorRelief(height: \"sum\"),
    },
    outputs: { \"sum.npy\": \"sum\" },
)
";

/// Runs a sweep, checks its exit code and returns standard error.
fn says(folder: &Folder, code: i32, arguments: &[&str]) -> String {
    folder.says(code, [&["sweep", "g.ron"], arguments].concat())
}

/// The table without its last column, the key.
fn cells(csv: &str) -> Vec<Vec<String>> {
    let row = |line: &str| line.rsplit_once(',').unwrap().0.split(',').map(str::to_owned).collect();
    csv.lines().map(row).collect()
}

#[test]
fn rows_are_in_order_and_the_same_on_any_number_of_threads() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let arguments = ["--seeds", "3..6", "--set", "high=0..10:3", "--metric", "sum.max", "--metric", "score"];
    let sweep = |file: &str, threads: &str| {
        says(&folder, 0, &[&arguments[..], &["-o", file, "--threads", threads, "--no-cache"]].concat())
    };
    assert_eq!(sweep("one.csv", "1"), "9 rows; wrote one.csv\n");
    sweep("four.csv", "4");
    assert_eq!(folder.read("one.csv"), folder.read("four.csv"));
    let table = cells(&folder.read("one.csv"));
    assert_eq!(
        table[0],
        ["seed", "high", "sum.max", "score.mean", "score.deviation", "score.score", "error"]
    );
    let places: Vec<(&str, &str)> = table[1..].iter().map(|row| (row[1].as_str(), row[0].as_str())).collect();
    assert_eq!(places[..4], [("0", "3"), ("0", "4"), ("0", "5"), ("5", "3")]);
    assert_eq!(table[1][2], "1", "without hills there is the ground alone");
    assert!(table[9][2].parse::<f64>().unwrap() > 5.0);
    sweep("four.json", "4");
    let json: Vec<serde_json::Value> = serde_json::from_str(&folder.read("four.json")).unwrap();
    assert_eq!((json.len(), &json[8]["high"], &json[8]["error"]), (9, &10.into(), &serde_json::Value::Null));
    assert_eq!(json[8]["sum.max"].as_f64(), table[9][2].parse().ok());
}

#[test]
fn existing_rows_are_kept_until_the_graph_changes() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let sweep = |seeds: &str| says(&folder, 0, &["--seeds", seeds, "--metric", "sum.mean", "-o", "t.csv"]);
    sweep("0..3");
    let mut text = folder.read("t.csv");
    // A number that no run computes shows that the row is taken from the table.
    let (line, cell) = (text.lines().nth(2).unwrap().to_owned(), cells(&text)[2][1].clone());
    text = text.replace(&line, &line.replace(&cell, "77"));
    fs::write(folder.path("t.csv"), &text).unwrap();
    assert_eq!(sweep("0..5"), "5 rows, 3 already in the table; wrote t.csv\n");
    assert_eq!(
        (cells(&folder.read("t.csv"))[2][1].as_str(), folder.read("t.csv").lines().count()),
        ("77", 6)
    );
    fs::write(folder.path("g.ron"), GRAPH.replace("16.0", "8.0")).unwrap();
    assert_eq!(sweep("0..5"), "5 rows; wrote t.csv\n");
    assert_ne!(cells(&folder.read("t.csv"))[2][1], "77");
    // An interrupted sweep leaves the rows that are complete so far.
    let part: Vec<&str> = text.lines().take(2).collect();
    fs::write(folder.path("g.ron"), GRAPH).unwrap();
    fs::write(folder.path("t.csv"), part.join("\n")).unwrap();
    assert_eq!(sweep("0..3"), "3 rows, 1 already in the table; wrote t.csv\n");
}

#[test]
fn a_run_that_fails_has_its_error_in_the_table() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    fs::write(
        folder.path("g.ron"),
        GRAPH.replace(
            "height: \"sum\"),\n        \"bins",
            "height: \"bad\"),\n        \"bad\": Import(file: \"map.r32\"),\n        \"bins",
        ),
    )
    .unwrap();
    fs::write(folder.path("map.r32"), "no floats").unwrap();
    let text =
        says(&folder, 1, &["--seeds", "1,2", "--metric", "score.mean", "--metric", "sum.max", "-o", "t.csv"]);
    assert!(text.contains("2 of 2 runs failed; the first: node `bad`"), "{text}");
    assert!(text.contains("see the column `error` of t.csv"), "{text}");
    let table = folder.read("t.csv");
    assert!(
        table.starts_with("seed,error,key\n1,\"node `bad`")
            || table.starts_with("seed,error,key\n1,node `bad`"),
        "{table}"
    );
    // Rows with errors are run again.
    fs::write(folder.path("g.ron"), GRAPH).unwrap();
    let text =
        says(&folder, 0, &["--seeds", "1,2", "--metric", "score.mean", "--metric", "sum.max", "-o", "t.csv"]);
    assert_eq!(text, "2 rows; wrote t.csv\n");
}

#[test]
fn a_changed_sidecar_reruns_rows() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let graph = "Graph(size: (2, 2), nodes: {
        \"map\": Import(file: \"map.png\"), \"score\": ErosionScore(height: \"map\"),
    })";
    fs::write(folder.path("g.ron"), graph).unwrap();
    let map = Heightmap::from_grid(Domain::new(2, 2), Grid::from_vec(2, 2, vec![0.0, 4.0, 8.0, 16.0]));
    write_heightmap(&folder.path("map.png"), &map, &WriteOptions::default()).unwrap();
    let sweep = || {
        let said = says(&folder, 0, &["--seeds", "1", "--metric", "score.mean", "-o", "t.csv"]);
        (said, cells(&folder.read("t.csv"))[1][1].clone())
    };
    let (_, first) = sweep();
    // The same picture for a different terrain.
    let sidecar = fs::read_to_string(folder.path("map.png.json")).unwrap();
    let twice = sidecar.replace("\"maximum\": 16.0", "\"maximum\": 32.0");
    assert_ne!(sidecar, twice);
    fs::write(folder.path("map.png.json"), twice).unwrap();
    let (said, second) = sweep();
    assert_eq!(said, "1 row; wrote t.csv\n");
    assert_ne!(first, second);
}

#[test]
fn profiles_and_files_of_values_apply_to_all_runs() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let profiles = "profiles: { \"twice\": { \"high\": 2.0 }, \"even\": { \"high\": 0.0 } },\n    nodes: {";
    fs::write(folder.path("g.ron"), GRAPH.replacen("nodes: {", profiles, 1)).unwrap();
    fs::write(folder.path("even.ron"), "{ \"high\": 0.0 }").unwrap();
    let column = |file: &str, set: &[&str]| {
        let set: Vec<&str> = set.iter().flat_map(|set| ["--set", set]).collect();
        says(&folder, 0, &[&["--seeds", "1,2", "--metric", "sum.max", "-o", file], &set[..]].concat());
        // `error` is the last column.
        cells(&folder.read(file))[1..].iter().map(|row| row[row.len() - 2].clone()).collect::<Vec<_>>()
    };
    let even = ["1".to_owned(), "1".to_owned()];
    assert_eq!(column("even.csv", &["@even"]), even);
    assert_eq!(column("file.csv", &["@even.ron"]), even);
    assert_ne!(column("twice.csv", &["@twice"]), even);
    assert_ne!(column("one.csv", &["@even", "high=1"]), even, "varied parameters override those of profiles");
    // Rows of another profile, or of no profile, are different rows even for the same seeds.
    for more in [
        &["--seeds", "3", "--set", "@twice"][..],
        &["--seeds", "1,2", "--set", "@twice"],
        &["--seeds", "1,2"],
    ] {
        let said = says(&folder, 2, &[&["--metric", "sum.max", "-o", "even.csv"], more].concat());
        assert!(said.contains("even.csv has 2 rows that this sweep would lose"), "{said}");
    }
    assert_eq!(column("even.csv", &["@even"]), even);
}

#[test]
fn errors_are_reported_before_anything_runs() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let said = |arguments: &[&str]| {
        let text = says(&folder, 2, &[arguments, &["-o", "t.csv"]].concat());
        assert!(!folder.path("t.csv").exists() && !folder.path("cache").exists(), "nothing ran: {text}");
        text
    };
    let metric = ["--metric", "score.mean"];
    let with = |more: &[&str]| said(&[&metric[..], more].concat());
    assert!(with(&["--set", "@night"]).contains("`g.ron` has no profile `night`"));
    assert!(with(&["--set", "hihg=1,2"]).contains("did you mean `high`?"));
    assert!(with(&["--set", "mode=Add,Ad"]).contains("`mode` is `Ad`"));
    assert!(with(&["--set", "high=1..2"]).contains("--set high=1..2 is not a range"));
    assert!(with(&["--set", "high=1", "--set", "high=2"]).contains("already has a column `high`"));
    assert!(with(&["--set", "high=0..1:99999999999"]).contains("or more than a million"));
    assert!(with(&["--seeds", "0..99999999999"]).contains("names more than 1000000 seeds"));
    assert!(with(&["--seeds", "5..5"]).contains("write 0..10 (excluding 10) or 1,5,9"));
    assert!(with(&["--seeds", "0..999999", "--set", "high=1,2"]).contains("more than 1000000 runs"));
    assert!(said(&["--metric", "scroe"]).contains("did you mean `score`?"));
    assert!(said(&["--metric", "sum.maen"]).contains("did you mean `mean`?"));
    assert!(said(&["--metric", "relief"]).contains("`relief` is a picture, which has no numbers"));
    assert!(with(&["--plot", "a.svg"]).contains("--plot has no horizontal axis"));
    assert!(with(&["--plot", "a.png", "--seeds", "0..2"]).contains("ends with .svg"));
    assert!(
        says(&folder, 2, &["--metric", "sum", "-o", "t.csv", "--summary", "t.csv"])
            .contains("t.csv is named twice")
    );
    assert!(with(&["--seeds", "0..3,2"]).contains("seed is 2 twice"));
    assert!(with(&["--set", "high=1,2,1"]).contains("high is 1 twice"));
    assert!(with(&["--set", "high=0.5,0.50"]).contains("high is 0.50 twice"));
    assert!(with(&["--size", "33x33,33X33"]).contains("size is 33X33 twice"));
    assert!(
        with(&["--size", "33x33,33x65", "--plot", "a.svg"]).contains("sizes that differ in their columns")
    );
    assert!(with(&["--seeds", "0..2", "--plot", "p.svg", "--curves", "./p.svg"]).contains("the same file"));
    assert!(with(&["--seeds", "0..2", "--summary", "./t.csv"]).contains("the same file"));
    assert!(with(&["--summary", "a.txt"]).contains("ends with .md, .csv or .json"));
    assert!(with(&["--summary-rows", "nodes"]).contains("--summary <FILE.md>"));
    assert!(with(&["--curves", "a.svg"]).contains("such as thermal.history.score@last"));
    assert!(with(&["--curves", "a.md"]).contains("ends with .svg or .csv"));
    assert!(with(&["--size", "9x9,12"]).contains("--size 12 is not a size"));
    assert!(with(&["--size", "9x9,8x8", "--set", "size=1"]).contains("already has a column `size`"));
    assert!(said(&["--metric", "sum@last"]).contains("`sum` is a map, which has no rows"));
    assert!(said(&["--metric", "bins.count@lst"]).contains("write @last, @0 for the first"));
    assert!(said(&["--metric", "scroes*.score"]).contains("no node with a matching name has this metric"));
    assert!(said(&["--metric", "reli*"]).contains("no node with a matching name has this metric"));
    assert!(with(&["--sheet", "a.png", "--picture", "sun.npy"]).contains("did you mean `sum.npy`?"));
    assert!(with(&["--sheet", "a.png", "--picture", "score"]).contains("a table is not a picture"));
    assert!(
        says(&folder, 2, &["--metric", "sum", "-o", "t.txt"])
            .contains("choose a name that ends with .csv or .json")
    );
    // The columns of a table are known only after the first run.
    let text = says(&folder, 2, &["--metric", "score.maen", "-o", "t.csv"]);
    assert!(
        text.contains("the table `score` has no column `maen`") && text.contains("did you mean `mean`?"),
        "{text}"
    );
    let text = says(&folder, 2, &["--metric", "bins.count", "-o", "t.csv"]);
    assert!(
        text.contains("64 rows, but a metric needs one") && text.contains("name a row: bins.count@last"),
        "{text}"
    );
    let help = |row: &str| {
        says(&folder, 2, &["--metric", &format!("bins.count@{row}"), "-o", "t.csv", "--seeds", "1..9"])
    };
    assert!(help("64").contains("its rows are @0 to @63"));
    assert!(help("low=1e9").contains("has no row where `low` is 1000000000"));
    assert!(help("lwo=0").contains("did you mean `low`?"));
    let text = says(&folder, 2, &["--metric", "eroded.history@last", "-o", "t.csv"]);
    assert!(text.contains("has no rows") && text.contains("`history_every` is above 0"), "{text}");
    assert!(!folder.path("t.csv").exists());
    fs::write(folder.path("t.csv"), "my own notes\n").unwrap();
    assert!(says(&folder, 2, &["--metric", "sum", "-o", "t.csv"]).contains("is not a table of a sweep"));
    assert_eq!(folder.read("t.csv"), "my own notes\n");
}

#[test]
fn a_chart_and_a_sheet_come_with_the_table() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let arguments = [
        "--seeds",
        "0..2",
        "--set",
        "mode=Add,Max",
        "--set",
        "high=1,2,4",
        "--metric",
        "score",
        "-o",
        "t.csv",
        "--plot",
        "t.svg",
        "--sheet",
        "t.png",
        "--picture",
        "sum.npy",
    ];
    says(&folder, 0, &arguments);
    let svg = folder.read("t.svg");
    assert_eq!((svg.matches("<polyline").count() >= 6, svg.matches("<polygon").count()), (true, 6));
    for text in ["mode Add", "mode Max", "score.mean", "score.deviation", "score.score", "high"] {
        assert!(svg.contains(text), "{text}");
    }
    let before = fs::read(folder.path("t.png")).unwrap();
    let size = terrane::io::read_picture(&folder.path("t.png"), 1 << 24).unwrap().size();
    assert_eq!(size, (4 * 168 + 8, 3 * (17 + 30 + 8) + 8), "twelve pictures of 33 by 17 under three lines");
    // The sheet also has the pictures of rows that were already in the table.
    assert_eq!(says(&folder, 0, &arguments), "12 rows, 12 already in the table; wrote t.csv\n");
    assert_eq!(fs::read(folder.path("t.png")).unwrap(), before);
}
