//! Which evaluations the cache saves, and how it survives damage.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_tests::{digests, engine, evaluate, load_text};

fn graph(talus: f64) -> String {
    format!(
        "Graph(size: (65, 65), seed: 5, nodes: {{
            \"hills\": MidpointDisplacement(amplitude: 40.0),
            \"cells\": Voronoi(amplitude: 40.0),
            \"base\": Combine(a: \"hills\", b: \"cells\", mode: Lerp, weight: 0.3),
            \"eroded\": ThermalErosion(height: \"base\", talus: {talus}, iterations: 9),
            \"shade\": Hillshade(height: \"eroded\"),
            \"numbers\": Statistics(height: \"cells\"),
        }}, outputs: {{ \"a.png\": \"shade\", \"b.json\": \"numbers\", \"c.npy\": \"hills\" }})"
    )
}

fn run(cache: &Path, text: &str) -> terrane::Evaluation {
    evaluate(&engine(2, Some(cache)), &Arc::new(load_text(text).unwrap_or_else(|errors| panic!("{errors}"))))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() { folders.push(entry.path()) } else { all.push(entry.path()) }
        }
    }
    all.sort();
    all
}

#[test]
fn a_change_runs_exactly_the_downstream_nodes() {
    let cache = tempfile::tempdir().unwrap();
    assert_eq!(run(cache.path(), &graph(0.5)).ran().len(), 6);
    assert_eq!(run(cache.path(), &graph(0.5)).ran().len(), 0);
    assert_eq!(run(cache.path(), &graph(0.6)).ran(), ["eroded", "shade"]);
    let formatted = graph(0.6).replace("talus: 0.6,", "/* steep */ talus: 0.60, // same\n");
    assert_eq!(run(cache.path(), &formatted).ran().len(), 0, "formatting and comments change nothing");
}

#[test]
fn a_change_without_effect_runs_nothing_downstream() {
    let cache = tempfile::tempdir().unwrap();
    let text = graph(1000.0);
    run(cache.path(), &text);
    // Nothing is steeper than either talus, so the erosion has the same bits and downstream results are
    // cached.
    assert_eq!(run(cache.path(), &graph(2000.0)).ran(), ["eroded"]);
}

#[test]
fn damaged_entries_are_recomputed() {
    let cache = tempfile::tempdir().unwrap();
    let expected = digests(&run(cache.path(), &graph(0.5)));
    let damage: [fn(&Path); 4] = [
        |file| fs::write(file, fs::read(file).unwrap().split_at(10).0).unwrap(),
        |file| {
            let mut bytes = fs::read(file).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(file, bytes).unwrap();
        },
        |file| fs::write(file, b"something else").unwrap(),
        |file| fs::remove_file(file).unwrap(),
    ];
    for harm in damage {
        for every in [1, 2, 3] {
            for file in files(cache.path()).iter().step_by(every) {
                harm(file);
            }
            let evaluation = run(cache.path(), &graph(0.5));
            assert!(evaluation.succeeded(), "{:?}", evaluation.nodes);
            assert_eq!(digests(&evaluation), expected);
            assert!(evaluation.outputs.iter().all(|output| output.value.is_some()));
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("not-a-folder");
    fs::write(&file, "x").unwrap();
    let engine = engine(2, Some(&file));
    let evaluation = evaluate(&engine, &Arc::new(load_text(&graph(0.5)).unwrap()));
    assert!(evaluation.succeeded());
    let problem = engine.flush().unwrap();
    assert!(problem.contains("cannot write results to the cache"), "{problem}");
}

#[test]
fn two_engines_at_once_agree() {
    let cache = tempfile::tempdir().unwrap();
    let expected = digests(&run(tempfile::tempdir().unwrap().path(), &graph(0.5)));
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| digests(&run(cache.path(), &graph(0.5))))).collect();
        for run in runs {
            assert_eq!(run.join().unwrap(), expected);
        }
    });
}
