//! Effects that an untrusted graph must not have, and how the command reports failures to its caller.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::running::{command, errors, terrane};

/// A graph with a map and a table of numbers.
fn folder(outputs: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let graph = format!(
        "Graph(size: (9, 9), nodes: {{ \"h\": Perlin(), \"s\": Statistics(height: \"h\") }}, outputs: {{ \
        {outputs} }})"
    );
    fs::write(folder.path().join("g.ron"), graph).unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("precious"), "mine").unwrap();
    folder
}

#[test]
fn outputs_do_not_leave_their_folder_through_links() {
    // The link's path below `out`, its target, and the output that would be written through it.
    let cases = [
        ("s.csv", "../precious", "\"s.csv\": \"s\""),
        ("s.csv", "../not_there", "\"s.csv\": \"s\""),
        ("sub", "../home", "\"sub/s.csv\": \"s\""),
        ("sub", "../home", "\"sub/deeper/s.csv\": \"s\""),
        ("h.png.json", "../precious", "\"h.png\": \"h\""),
    ];
    for (link, target, output) in cases {
        let folder = folder(output);
        fs::create_dir(folder.path().join("home")).unwrap();
        symlink(target, folder.path().join("out").join(link)).unwrap();
        let run = terrane(folder.path(), ["run", "g.ron"]);
        let said = errors(&run);
        assert_eq!(run.status.code(), Some(1), "{link}: {said}");
        assert!(
            said.contains(&format!("the link out/{link} leads out of out"))
                && said.contains("remove the link"),
            "{said}"
        );
        assert_eq!(fs::read_to_string(folder.path().join("precious")).unwrap(), "mine");
        assert!(!folder.path().join("not_there").exists());
        assert_eq!(fs::read_dir(folder.path().join("home")).unwrap().count(), 0);
    }
}

#[test]
fn links_within_the_folder_of_outputs_and_to_it_are_followed() {
    let folder = folder("\"a/s.csv\": \"s\"");
    fs::create_dir(folder.path().join("out/b")).unwrap();
    symlink("b", folder.path().join("out/a")).unwrap();
    symlink("out", folder.path().join("there")).unwrap();
    let run = terrane(folder.path(), ["run", "g.ron", "--out", "there"]);
    assert!(run.status.success(), "{}", errors(&run));
    assert!(folder.path().join("out/b/s.csv").is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_reported_and_the_work_is_done() {
    let folder = folder("\"s.csv\": \"s\"");
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    fs::write(folder.path().join("broken.ron"), "Graph(nodes: {\"a\": Perlin(octaves: 99)})").unwrap();
    for (arguments, code) in [
        (&["run", "g.ron", "--json"][..], 1),
        (&["check", "broken.ron", "--json"], 2),
        (&["eval", "g.ron", "s", "-o", "-"], 1),
        (&["completions", "bash"], 1),
    ] {
        let output = command(folder.path(), arguments).stdout(full()).output().unwrap();
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert_eq!(said.matches("cannot write to standard output").count(), 1, "{arguments:?}: {said}");
    }
    assert!(folder.path().join("out/s.csv").is_file());
}

#[test]
fn a_closed_pipe_ends_the_output_and_not_the_work() {
    let folder = folder("\"s.csv\": \"s\"");
    fs::write(folder.path().join("broken.ron"), "Graph(nodes: {\"a\": Perlin(octaves: 99)})").unwrap();
    for (arguments, code) in [(["run", "g.ron", "--json"], 0), (["check", "broken.ron", "--json"], 2)] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command(folder.path(), arguments).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", errors(&output));
    }
    assert!(folder.path().join("out/s.csv").is_file());
}

#[test]
fn two_outputs_in_one_file_are_an_error() {
    for (first, second) in [
        ("h.png", "./h.png"),
        ("x//h.npy", "x/h.npy"),
        ("A.png", "a.png"),
        ("h.png", "h.png.json"),
        ("h.png.json", "H.png"),
    ] {
        let value = |name: &str| if name.ends_with("json") { "s" } else { "h" };
        let folder =
            folder(&format!("\"{first}\": \"{}\", \"{second}\": \"{}\"", value(first), value(second)));
        let check = terrane(folder.path(), ["check", "g.ron"]);
        let said = errors(&check);
        assert_eq!(check.status.code(), Some(2), "{first} {second}: {said}");
        assert!(said.contains(&format!("`{second}` and `{first}` would overwrite each other")), "{said}");
    }
    // These do not conflict: a table has no sidecar, and the pictures are in different folders.
    let folder = folder("\"s.csv\": \"s\", \"s.csv.json\": \"s\", \"h.png\": \"h\", \"x/h.png\": \"h\"");
    let check = terrane(folder.path(), ["check", "g.ron"]);
    assert!(check.status.success(), "{}", errors(&check));
    let folder = self::folder(concat!("\"a", "\u{1b}", "[31mb.npy\": \"h\""));
    let said = errors(&terrane(folder.path(), ["check", "g.ron"]));
    assert!(said.contains("control characters") && !said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn outputs_do_not_overwrite_the_files_that_a_graph_reads() {
    let folder = folder("\"dem.npy\": \"h\"");
    assert!(terrane(folder.path(), ["run", "g.ron", "--out", "."]).status.success());
    let before = fs::read(folder.path().join("dem.npy")).unwrap();
    let graph = "Graph(nodes: {\"i\": Import(file: \"dem.npy\"), \"h\": Remap(height: \"i\", to: (0, 9))}, \
        outputs: {\"dem.npy\": \"h\"})";
    fs::write(folder.path().join("again.ron"), graph).unwrap();
    let run = terrane(folder.path(), ["run", "again.ron", "--out", "."]);
    assert_eq!(run.status.code(), Some(1));
    assert!(errors(&run).contains("the graph reads this file"), "{}", errors(&run));
    // Files that the user names.
    let sweep = ["sweep", "again.ron", "--seeds", "0..2", "--metric", "h.mean", "-o", "t.csv"];
    for arguments in [
        &["eval", "again.ron", "h", "-o", "dem.npy"][..],
        &["eval", "again.ron", "h", "-o", "./dem.npy"],
        &["eval", "again.ron", "h", "-o", "again.ron"],
        &[&sweep[..], &["--curves", "again.ron.svg", "--summary", "dem.csv"]].concat(),
    ] {
        for (link, file) in [("again.ron.svg", "again.ron"), ("dem.csv", "dem.npy")] {
            let _there_is_one = fs::hard_link(folder.path().join(file), folder.path().join(link));
        }
        let graph = fs::read(folder.path().join("again.ron")).unwrap();
        let run = terrane(folder.path(), arguments);
        assert_ne!(run.status.code(), Some(0), "{arguments:?}");
        assert_eq!(fs::read(folder.path().join("again.ron")).unwrap(), graph, "{arguments:?}");
        assert_eq!(fs::read(folder.path().join("dem.npy")).unwrap(), before, "{arguments:?}");
    }
    // A file of `--set` is read too.
    let graph = "Graph(size: (9, 9), params: {\"a\": 1}, nodes: {\"h\": Perlin(amplitude: \"$a\"), \"s\": \
        Statistics(height: \"h\")}, outputs: {\"v.json\": \"s\"})";
    fs::write(folder.path().join("set.ron"), graph).unwrap();
    fs::write(folder.path().join("v.json"), "{ \"a\": 2 }").unwrap();
    let run = terrane(folder.path(), ["run", "set.ron", "--out", ".", "--set", "@v.json"]);
    assert!(errors(&run).contains("the graph reads this file"), "{}", errors(&run));
    assert_eq!(fs::read(folder.path().join("v.json")).unwrap(), b"{ \"a\": 2 }");
}

/// A table, points and a picture that the graph reads, as files of a sweep.
#[test]
fn sweeps_do_not_overwrite_the_files_that_a_graph_reads() {
    let graph = "Graph(size: (9, 9), nodes: {\"p\": Points(file: \"p.csv\"), \"m\": \
        MidpointDisplacement(points: \"p\")}, outputs: {\"m.npy\": \"m\"})";
    let points = "x,y,height\n1,1,5\n4,4,9\n";
    let folder = crate::running::folder(&[("g.ron", graph), ("p.csv", points)]);
    for option in ["--summary", "--curves", "-o"] {
        let mut arguments = vec!["sweep", "g.ron", "--seeds", "0..2", "--metric", "m.mean", option, "p.csv"];
        if option != "-o" {
            arguments.extend(["-o", "t.csv"]);
        }
        let run = terrane(folder.path(), &arguments);
        assert_ne!(run.status.code(), Some(0), "{option}: {}", errors(&run));
        assert_eq!(fs::read_to_string(folder.path().join("p.csv")).unwrap(), points, "{option}");
    }
}

#[test]
fn sidecars_stay_in_the_folder_too() {
    let outside = tempfile::tempdir().unwrap();
    let folder = folder("\"h.png\": \"h\"");
    assert!(terrane(folder.path(), ["run", "g.ron", "--out", "."]).status.success());
    let graph = "Graph(nodes: {\"i\": Import(file: \"h.png\")}, outputs: {\"i.npy\": \"i\"})";
    fs::write(folder.path().join("i.ron"), graph).unwrap();
    assert!(terrane(folder.path(), ["run", "i.ron"]).status.success());
    let sidecar = folder.path().join("h.png.json");
    fs::rename(&sidecar, outside.path().join("h.png.json")).unwrap();
    symlink(outside.path().join("h.png.json"), &sidecar).unwrap();
    let said = errors(&terrane(folder.path(), ["run", "i.ron"]));
    assert!(said.contains("h.png.json` is outside the graph's folder"), "{said}");
    assert!(terrane(folder.path(), ["run", "i.ron", "--allow-outside"]).status.success());
    fs::remove_file(&sidecar).unwrap();
    assert!(Command::new("mkfifo").arg(&sidecar).status().unwrap().success());
    for arguments in [["run", "i.ron"], ["check", "i.ron"]] {
        let output = terrane(folder.path(), arguments);
        let said = errors(&output);
        assert!(!output.status.success() && said.contains("is not a regular file"), "{arguments:?}: {said}");
    }
    // A pipe in the position of a sidecar does not block the run either: it is replaced or reported.
    let output = terrane(folder.path(), ["run", "g.ron", "--out", ".", "--no-cache"]);
    assert!(output.status.success() || errors(&output).contains("regular file"), "{}", errors(&output));
}

#[test]
fn snapshots_stay_in_the_folder() {
    let outside = tempfile::tempdir().unwrap();
    let folder = folder("\"s.csv\": \"s\"");
    symlink(outside.path(), folder.path().join("snapshots")).unwrap();
    let said = errors(&terrane(folder.path(), ["test", "g.ron", "--accept"]));
    assert!(said.contains("leads out of the graph's folder"), "{said}");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    fs::remove_file(folder.path().join("snapshots")).unwrap();
    assert!(terrane(folder.path(), ["test", "g.ron", "--accept"]).status.success());
    let pipe = folder.path().join("snapshots/g__s.csv.snap");
    fs::remove_file(&pipe).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let said = errors(&terrane(folder.path(), ["test", "g.ron"]));
    assert!(said.contains("regular file"), "{said}");
}
