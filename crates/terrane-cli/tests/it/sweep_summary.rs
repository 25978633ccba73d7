//! `terrane sweep` over many runs: summaries, curves, rows of tables.

use std::fs;

use crate::running::Folder;

/// Heights that a reader can calculate: a constant, plus noise from the seed if `noise` is above 0.
const GRAPH: &str = "Graph(
    size: (17, 17),
    spacing: 1.0,
    params: { \"level\": 1.0, \"noise\": 4.0, \"talus\": 0.05 },
    nodes: {
        \"ground\": Constant(value: \"$level\"),
        \"hills\": Perlin(wavelength: 8.0, amplitude: \"$noise\"),
        \"sum\": Combine(a: \"hills\", b: \"ground\", mode: Add),
        \"slow\": ThermalErosion(height: \"sum\", talus: \"$talus\", iterations: 8, history_every: 2),
        \"quick\": ThermalErosion(height: \"sum\", talus: \"$talus\", iterations: 8, history_every: 2, \
        scheme: Fast),
        \"bins\": Histogram(height: \"sum\", bins: 4),
        \"coast\": FractalDimension(height: \"sum\", level: 1.5),
        \"score_slow\": ErosionScore(height: \"slow\"),
        \"score_quick\": ErosionScore(height: \"quick\"),
    },
    outputs: { \"sum.npy\": \"sum\" },
)
";

/// A column of a CSV file.
fn column(folder: &Folder, file: &str, name: &str) -> Vec<f64> {
    let text = folder.read(file);
    let mut lines = text.lines();
    let at = lines.next().unwrap().split(',').position(|cell| cell == name).unwrap();
    lines.map(|line| line.split(',').nth(at).unwrap().parse().unwrap()).collect()
}

#[test]
fn a_summary_has_a_row_per_combination_of_parameters() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let metrics = "--metric ground.mean --metric sum.mean";
    folder.sweep(0, &format!("--seeds 0..3 --set level=1,4 {metrics} -o t.csv --summary s.md"));
    // The summary of the table, calculated here a second time.
    let runs = column(&folder, "t.csv", "sum.mean");
    let mean = (runs[0] + runs[1] + runs[2]) / 3.0;
    let squares = runs[..3].iter().map(|run| (run - mean) * (run - mean)).sum::<f64>();
    folder.sweep(0, &format!("--seeds 0..3 --set level=1,4 {metrics} -o t.csv --summary s.csv"));
    assert_eq!(column(&folder, "s.csv", "sum.mean mean")[0], mean);
    assert_eq!(column(&folder, "s.csv", "sum.mean deviation")[0], (squares / 2.0).sqrt());
    assert_eq!(column(&folder, "s.csv", "ground.mean deviation"), [0.0, 0.0]);
    assert_eq!(column(&folder, "s.csv", "ground.mean most"), [1.0, 4.0]);
    insta::assert_snapshot!(folder.read("s.md"), @r"
    | level | runs | ground.mean |      sum.mean |
    |-------|-----:|------------:|--------------:|
    | 1     |    3 |       1 ± 0 | 2.958 ± 0.023 |
    | 4     |    3 |       4 ± 0 | 5.958 ± 0.023 |
    ");
}

#[test]
fn a_summary_of_nodes_compares_them() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let metrics = "--metric score_*.score.score --metric score_*.score.mean";
    folder.sweep(0, &format!("--seeds 0..3 {metrics} -o t.csv --summary s.md --summary-rows nodes"));
    insta::assert_snapshot!(folder.read("s.md"), @r"
    | node        | runs |         score |          mean |
    |-------------|-----:|--------------:|--------------:|
    | score_slow  |    3 | 0.297 ± 0.026 | 0.086 ± 0.017 |
    | score_quick |    3 | 0.327 ± 0.045 | 0.065 ± 0.010 |
    ");
    let head = folder.read("t.csv").lines().next().unwrap().to_owned();
    assert_eq!(
        head,
        "seed,score_slow.score.score,score_quick.score.score,score_slow.score.mean,\
        score_quick.score.mean,error,key"
    );
}

#[test]
fn a_resumed_sweep_gives_the_same_bits_on_any_number_of_threads() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let sweep = |seeds: &str, table: &str, to: &str, threads: u32| {
        folder.sweep(
            0,
            &format!(
                "--seeds {seeds} --set level=1,2 --metric slow.history@last --metric coast -o {table} \
                --threads {threads} \
                 --summary {to}.csv --curves {to}.svg"
            ),
        );
        (folder.read(&format!("{to}.csv")), folder.read(&format!("{to}.svg")))
    };
    let whole = sweep("0..6", "all.csv", "whole", 1);
    for table in ["part.csv", "part.json"] {
        sweep("2..4", table, "first", 3);
        assert_eq!(sweep("0..6", table, "again", 3), whole, "{table}");
    }
}

#[test]
fn failed_runs_and_missing_numbers_are_reported_and_left_out() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    // Terrain of height 1 everywhere has no coast at 1.5, and therefore no dimension.
    let sweep = "--set noise=0,1 --seeds 0..2 --metric coast.dimension.dimension --metric sum.max -o t.csv \
        --summary s.md";
    let text = folder.sweep(0, sweep);
    assert!(text.contains("coast.dimension.dimension has no number in 2 of 4 runs"), "{text}");
    let summary = folder.read("s.md");
    let row = summary.lines().nth(2).unwrap();
    assert!(
        row.starts_with("| 0     |    2 |") && row.contains(" none |") && row.contains(" 1 ± 0 |"),
        "{summary}"
    );
    // Only the run of the seed whose file is missing fails.
    let text =
        GRAPH.replace("\"ground\": Constant(value: \"$level\")", "\"ground\": Import(file: \"$level\")");
    let text = text.replace("\"level\": 1.0", "\"level\": \"a.npy\"");
    folder.write("g.ron", &text);
    folder.write("b.npy", "no numbers");
    let flat = "Graph(size: (17, 17), nodes: { \"a\": Constant(value: 1.0) }, outputs: { \"a.npy\": \"a\" })";
    let flat = Folder::new(&[("g.ron", flat)]);
    flat.says(0, ["eval", "g.ron", "a", "-o", "a.npy"]);
    fs::copy(flat.path("a.npy"), folder.path("a.npy")).unwrap();
    let text = folder
        .sweep(1, "--set level=\"a.npy\",\"b.npy\" --seeds 0..2 --metric sum.min -o u.csv --summary u.md");
    assert!(text.contains("2 of 4 runs failed"), "{text}");
    let summary = folder.read("u.md");
    let rows: Vec<&str> = summary.lines().skip(2).collect();
    assert!(
        rows[0].contains("|      2 |") && rows[1].contains("| 0 of 2 |") && rows[1].contains("none |"),
        "{summary}"
    );
}

#[test]
fn a_row_that_one_run_lacks_does_not_stop_the_others() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    // On flat terrain nothing slides, so its history ends with the first rows. The first run has all rows.
    let text = folder.sweep(
        0,
        "--set noise=9,0 --seeds 0..2 --metric slow.history.score@iteration=8 -o t.csv --summary s.csv \
        --curves c.csv",
    );
    assert!(
        text.contains("slow.history.score@iteration=8 has no number in 2 of 4 runs; the first: ")
            && text.contains("no row where `iteration` is 8"),
        "{text}"
    );
    assert_eq!(column(&folder, "s.csv", "slow.history.score@iteration=8 runs"), [2.0, 0.0]);
    // The order of the runs does not matter.
    let text = folder.sweep(
        0,
        "--set noise=0,9 --seeds 0..2 --metric slow.history.score@iteration=8 -o u.csv --summary u_s.csv",
    );
    assert!(text.contains("slow.history.score@iteration=8 has no number in 2 of 4 runs"), "{text}");
    assert_eq!(column(&folder, "u_s.csv", "slow.history.score@iteration=8 runs"), [0.0, 2.0]);
    // A row that no run has is a mistake in the metric.
    let none = "--set noise=0,9 --seeds 0..2 --metric slow.history.score@iteration=7";
    let text = folder.sweep(2, &format!("{none} -o v.csv"));
    assert!(text.contains("no row where `iteration` is 7"), "{text}");
    assert!(!folder.path("v.csv").exists());
    let text = folder.sweep(2, &format!("{none} --metric sum.max -o v.csv"));
    assert!(text.contains("no row where `iteration` is 7"), "{text}");
    assert_eq!(column(&folder, "v.csv", "sum.max").len(), 4, "the other metric is not lost");
}

#[test]
fn curves_are_means_over_seeds_of_every_row() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let arguments =
        "--seeds 0..3 --metric *.history.score@last --metric slow.history.score@iteration=4 -o t.csv";
    folder.sweep(0, &format!("{arguments} --curves c.csv"));
    let text = folder.read("c.csv");
    assert!(
        text.starts_with("node,column,iteration,runs,mean,deviation,least,most\nslow,history.score,0,3,"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1 + 2 * 5, "a line per node, five places each");
    let third = column(&folder, "t.csv", "slow.history.score@iteration=4");
    assert_eq!(column(&folder, "c.csv", "mean")[2], third.iter().sum::<f64>() / 3.0);
    folder.sweep(0, &format!("{arguments} --curves c.svg"));
    let svg = folder.read("c.svg");
    for text in ["iteration", "history.score", "\nslow\n", "\nquick\n"] {
        assert!(svg.contains(text), "{text}");
    }
    assert_eq!(svg.matches("<polygon").count(), 2, "a band each");
    // The bins depend on each run's heights, so no two runs share a value of `low`.
    let text = folder.sweep(1, "--seeds 0..3 --metric bins.count@0 -o u.csv --curves u.svg");
    assert!(text.contains("no two runs of `bins.count` share a value of `low`"), "{text}");
    assert!(!folder.path("u.svg").exists());
}

#[test]
fn sizes_are_varied_as_parameters_are() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    folder.sweep(
        0,
        "--size 9x9,17x17 --set level=1,2 --seeds 0..2 --metric sum.mean -o t.csv --summary s.md \
        --plot p.svg",
    );
    assert!(folder.read("t.csv").starts_with("seed,size,level,sum.mean,error,key\n0,9x9,1,"));
    assert_eq!(folder.read("s.md").lines().count(), 2 + 4);
    assert!(folder.read("p.svg").contains("\nsize\n"));
    // A sweep of one size has the same results as a sweep of several sizes.
    folder.sweep(0, "--size 9x9 --set level=1,2 --seeds 0..2 --metric sum.mean -o one.csv");
    assert_eq!(column(&folder, "one.csv", "sum.mean"), column(&folder, "t.csv", "sum.mean")[..4]);
}

#[test]
fn time_is_measured_only_for_nodes_that_ran() {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    let arguments = "--seeds 0..2 --metric slow.seconds --metric sum.mean --threads 1";
    folder.sweep(0, &format!("{arguments} -o t.csv"));
    let first = column(&folder, "t.csv", "slow.seconds");
    assert!(first.iter().all(|seconds| *seconds > 0.0), "{first:?}");
    // A row in the table keeps its measured time. A row computed from the cache has no time.
    folder.sweep(0, &format!("{arguments} -o t.csv"));
    assert_eq!(column(&folder, "t.csv", "slow.seconds"), first);
    let text = folder.sweep(0, &format!("{arguments} -o u.csv"));
    assert!(
        text.contains("slow.seconds has no number in 2 of 2 runs; cached nodes are not measured: --no-cache"),
        "{text}"
    );
    assert!(column(&folder, "u.csv", "slow.seconds").iter().all(|seconds| seconds.is_nan()));
    // The hint in the message helps.
    let text = folder.sweep(0, &format!("{arguments} -o u.csv --no-cache"));
    assert_eq!(text, "2 rows; wrote u.csv\n");
    assert!(column(&folder, "u.csv", "slow.seconds").iter().all(|seconds| *seconds > 0.0));
    assert_eq!(
        folder.sweep(0, &format!("{arguments} -o u.csv --no-cache")),
        "2 rows, 2 already in the table; wrote u.csv\n"
    );
}
