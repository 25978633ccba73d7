//! The rows of a sweep's table after several sweeps, and after runs that fail.

use std::fs;
use std::process::Command;

use crate::running::Folder;

/// `read` fails if the file does not hold the map. The number of rows of `bins` is a parameter.
const GRAPH: &str = "Graph(
    size: (17, 17),
    params: { \"level\": 1.0, \"noise\": 4.0, \"file\": \"map.r32\", \"bins\": 4 },
    nodes: {
        \"ground\": Constant(value: \"$level\"),
        \"hills\": Perlin(wavelength: 8.0, amplitude: \"$noise\"),
        \"sum\": Combine(a: \"hills\", b: \"ground\", mode: Add),
        \"eroded\": ThermalErosion(height: \"sum\", talus: 0.05, iterations: 4, history_every: 2),
        \"bins\": Histogram(height: \"sum\", bins: \"$bins\"),
        \"read\": Import(file: \"$file\"),
    },
    outputs: { \"sum.npy\": \"sum\" },
)
";

/// A folder with the graph and a map of zeros.
fn folder() -> Folder {
    let folder = Folder::new(&[("g.ron", GRAPH)]);
    fs::write(folder.path("map.r32"), [0; 17 * 17 * 4]).unwrap();
    folder
}

/// The first cells of each row.
fn rows_of(folder: &Folder, file: &str, count: usize) -> Vec<String> {
    let text = folder.read(file);
    text.lines().skip(1).map(|line| line.split(',').take(count).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn rows_of_earlier_sweeps_stay_in_the_table() {
    let folder = folder();
    for file in ["t.csv", "t.json"] {
        let sweep = |seeds: &str, levels: &str| {
            let arguments =
                format!("--seeds {seeds} --set level={levels} --metric sum.max -o {file} --summary s.csv");
            folder.sweep(0, &arguments)
        };
        sweep("0..5", "0.5,2.50,3");
        let whole = folder.read(file);
        fs::remove_file(folder.path(file)).unwrap();
        sweep("0..3", "0.5,3");
        assert_eq!(sweep("3..5", "0.5,3"), format!("4 rows, 6 others kept; wrote {file}\n"));
        assert_eq!(rows_of(&folder, "s.csv", 2), ["0.5 2", "3 2"], "the summary is of what was asked for");
        assert_eq!(sweep("0..5", "2.50"), format!("5 rows, 10 others kept; wrote {file}\n"));
        assert_eq!(folder.read(file), whole, "as if all had been asked for at once");
        assert_eq!(sweep("1", "3"), format!("1 row, 1 already in the table, 14 others kept; wrote {file}\n"));
        assert_eq!(folder.read(file), whole);
    }
}

#[test]
fn rows_that_would_be_lost_stop_a_sweep_before_it_runs() {
    let folder = folder();
    folder.sweep(0, "--seeds 0..3 --metric sum.max -o t.csv");
    let before = folder.read("t.csv");
    let lost = |arguments: &str, why: &str| {
        let text = folder.sweep(2, &format!("{arguments} -o t.csv"));
        assert!(text.contains("t.csv has 3 rows that this sweep would lose: "), "{text}");
        assert!(text.contains(why) && text.contains("choose another file with -o"), "{text}");
        assert_eq!(folder.read("t.csv"), before);
    };
    lost("--seeds 0..3 --metric sum.min", "its column `sum.max` does not belong to this sweep");
    lost("--seeds 0..3 --set level=1,2 --metric sum.max", "it has no column `level`");
    lost("--seeds 3..5 --metric sum.max --metric sum.min", "does not compute them again");
    fs::write(folder.path("g.ron"), GRAPH.replace("8.0", "4.0")).unwrap();
    lost("--seeds 3..5 --metric sum.max", "they belong to an older graph");
    // If the sweep computes all of them again, none is lost.
    assert_eq!(folder.sweep(0, "--seeds 0..4 --metric sum.max -o t.csv"), "4 rows; wrote t.csv\n");
}

#[test]
fn a_picture_or_a_curve_that_fails_leaves_the_numbers_alone() {
    let folder = folder();
    let arguments = "--seeds 0..2 --metric eroded.history.score@last -o t.csv";
    folder.sweep(0, arguments);
    let before = folder.read("t.csv");
    // A picture that fails, for rows already in the table and for new rows.
    fs::write(folder.path("map.r32"), "no floats").unwrap();
    for table in ["t.csv", "u.csv"] {
        // The graph reads this file, so the first sweep writes new rows to each table, and the second sweep
        // finds them there.
        let picture = format!(
            "--seeds 0..2 --metric eroded.history.score@last -o {table} --sheet s.png --picture read \
            --curves c.svg"
        );
        for _ in 0..2 {
            let text = folder.sweep(1, &picture);
            assert!(
                text.contains("2 of 2 runs lack their picture or curves; the first: node `read`"),
                "{text}"
            );
            assert!(text.contains("their numbers are in the table"), "{text}");
            assert_eq!(
                rows_of(&folder, table, 3),
                before
                    .lines()
                    .skip(1)
                    .map(|line| { line.split(',').take(3).collect::<Vec<_>>().join(" ") })
                    .collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn the_error_of_a_run_is_in_its_row() {
    let folder = folder();
    // With one bin, the table has one row. With several, a metric without a row is an error.
    for threads in [1, 4] {
        let table = format!("t{threads}.csv");
        let text = folder.sweep(
            1,
            &format!(
                "--set bins=1,4 --seeds 0..3 --metric bins.count --metric sum.max -o {table} --threads \
                {threads}"
            ),
        );
        assert!(
            text.contains("3 of 6 runs failed; the first: --metric bins.count: its table has 4 rows"),
            "{text}"
        );
        let rows = rows_of(&folder, &table, 3);
        assert!(rows[..3].iter().all(|row| row.ends_with(" 1 289")) && rows.len() == 6, "{rows:?}");
    }
    // If no run has succeeded yet, the command itself is reported as wrong. Runs that started before the
    // first one failed may fail, too.
    let text = folder.sweep(2, "--set bins=4,1 --seeds 0..40 --metric bins.count -o u.csv --threads 1");
    assert!(text.contains("rows, but a metric needs one"), "{text}");
    assert!(!folder.path("u.csv").exists());
}

#[test]
fn texts_with_two_dots_are_values() {
    let folder = folder();
    fs::create_dir(folder.path("in")).unwrap();
    fs::copy(folder.path("map.r32"), folder.path("in/map.r32")).unwrap();
    folder.sweep(0, "--set file=\"in/../map.r32\",\"in/map.r32\" --seeds 1 --metric read.max -o t.csv");
    assert_eq!(rows_of(&folder, "t.csv", 3), ["1 \"\"\"in/../map.r32\"\"\" 0", "1 \"\"\"in/map.r32\"\"\" 0"]);
}

/// Twenty runs on one thread.
fn twenty(folder: &Folder) -> Command {
    folder.command("sweep slow.ron --seeds 0..20 --metric s.mean -o t.csv --no-cache --threads 1")
}

/// Applies a change while the twenty runs are in progress: after some of their rows are in the table.
fn sweep_meanwhile(folder: &Folder, change: impl FnOnce()) {
    let mut sweep = twenty(folder).spawn().unwrap();
    while !folder.path("t.csv").exists() && sweep.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(sweep.try_wait().unwrap().is_none(), "the sweep was over too soon");
    change();
    assert!(sweep.wait().unwrap().success());
}

/// A graph whose mean is the mean of `ground`, and whose runs take a while.
fn slow(ground: &str) -> String {
    format!(
        "Graph(size: (400, 400), nodes: {{
            \"ground\": {ground},
            \"hills\": MidpointDisplacement(amplitude: 100.0),
            \"work\": ThermalErosion(height: \"hills\", talus: 0.2, iterations: 200),
            \"none\": Combine(a: \"work\", b: 0.0, mode: Multiply),
            \"sum\": Combine(a: \"ground\", b: \"none\", mode: Add),
            \"s\": Statistics(height: \"sum\"),
        }}, outputs: {{ \"s.json\": \"s\" }})"
    )
}

fn means(folder: &Folder) -> Vec<String> {
    let text = folder.read("t.csv");
    text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn editing_a_graph_during_its_sweep_does_not_affect_the_rows() {
    let folder = folder();
    fs::write(folder.path("slow.ron"), slow("Constant(value: 1.0)")).unwrap();
    sweep_meanwhile(&folder, || {
        fs::write(folder.path("slow.ron"), slow("Constant(value: 2.0)")).unwrap();
    });
    assert_eq!(means(&folder), ["1"; 20]);
}

#[test]
fn rows_of_a_file_that_is_replaced_during_the_sweep_are_computed_again() {
    let folder = folder();
    let map = |value: f32| value.to_le_bytes().repeat(400 * 400);
    let replace = |value: f32| {
        fs::write(folder.path("new.r32"), map(value)).unwrap();
        fs::rename(folder.path("new.r32"), folder.path("ground.r32")).unwrap();
    };
    replace(1.0);
    fs::write(folder.path("slow.ron"), slow("Import(file: \"ground.r32\")")).unwrap();
    sweep_meanwhile(&folder, || replace(2.0));
    let first = means(&folder);
    assert!(first.contains(&"1".to_owned()) && first.contains(&"2".to_owned()), "{first:?}");
    replace(1.0);
    assert!(twenty(&folder).status().unwrap().success());
    assert_eq!(means(&folder), ["1"; 20]);
}

#[test]
fn a_second_sweep_to_one_table_does_not_begin() {
    let folder = folder();
    fs::write(folder.path("slow.ron"), slow("Constant(value: 1.0)")).unwrap();
    sweep_meanwhile(&folder, || {
        let second = twenty(&folder).output().unwrap();
        let said = String::from_utf8(second.stderr).unwrap();
        assert_eq!(second.status.code(), Some(2), "{said}");
        assert!(said.contains("another sweep is writing"), "{said}");
    });
    assert_eq!(means(&folder), ["1"; 20]);
    assert!(!folder.path("t.csv.lock").exists());
}
