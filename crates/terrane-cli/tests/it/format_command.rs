//! `terrane fmt` from a user's point of view.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const UGLY: &str =
    "Graph(size:(9,9),  // small\nnodes:{\"a\":Constant(value:1.0)},outputs:{\"a.npy\":\"a\"})";
const FINE: &str = "Graph(\n    size: (9, 9), // small\n    nodes: { \"a\": Constant(value: 1.0) },\n    \
    outputs: { \"a.npy\": \"a\" },\n)\n";

fn fmt(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_terrane"))
        .arg("fmt")
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn files_are_formatted_once_and_then_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    fs::write(&path, UGLY).unwrap();
    let check = fmt(folder.path(), &["--check", "a.ron"], "");
    assert_eq!(check.status.code(), Some(1));
    assert!(stderr(&check).contains("`a.ron` is not formatted"), "{}", stderr(&check));
    assert_eq!(fs::read_to_string(&path).unwrap(), UGLY, "--check changes nothing");
    assert_eq!(stderr(&fmt(folder.path(), &["a.ron"], "")), "formatted a.ron\n");
    assert_eq!(fs::read_to_string(&path).unwrap(), FINE);
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(stderr(&fmt(folder.path(), &["a.ron"], "")), "");
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), time);
    assert!(fmt(folder.path(), &["--check", "a.ron"], "").status.success());
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let output = fmt(folder.path(), &["-"], UGLY);
    assert_eq!((String::from_utf8(output.stdout).unwrap().as_str(), output.status.code()), (FINE, Some(0)));
    assert_eq!(fmt(folder.path(), &["-", "--check"], UGLY).status.code(), Some(1));
    assert_eq!(fmt(folder.path(), &["-", "--check"], FINE).status.code(), Some(0));
}

#[test]
fn a_broken_file_stays_and_the_others_are_formatted() {
    let folder = tempfile::tempdir().unwrap();
    let broken = "Graph(nodes: { \"a\" Constant() })";
    fs::write(folder.path().join("a.ron"), broken).unwrap();
    fs::write(folder.path().join("b.ron"), UGLY).unwrap();
    let output = fmt(folder.path(), &["a.ron", "b.ron", "c.ron"], "");
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("a.ron:1:16") && text.contains("expected a colon"), "{text}");
    assert!(text.contains("cannot read `c.ron`"), "{text}");
    assert_eq!(fs::read_to_string(folder.path().join("a.ron")).unwrap(), broken);
    assert_eq!(fs::read_to_string(folder.path().join("b.ron")).unwrap(), FINE);
}
