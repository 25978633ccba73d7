//! Short texts that stand for much are loaded in bounds, or refused.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use terrane_flow::testing::registry;
use terrane_flow::{Diagnostics, LoadOptions, Loaded, Setting, check_file, load_file};

/// A folder with a graph `g.ron` and other files.
fn folder(graph: &str, others: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in others.iter().chain(&[("g.ron", graph)]) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn checked(folder: &TempDir) -> Result<Loaded, Diagnostics> {
    check_file(&folder.path().join("g.ron"), &registry(), &LoadOptions::default())
}

fn refused(folder: &TempDir) -> String {
    checked(folder).unwrap_err().0.into_iter().map(|mistake| mistake.message + "\n").collect()
}

fn each(count: usize, entry: impl Fn(usize) -> String) -> String {
    (0..count).map(entry).collect::<Vec<_>>().join(", ")
}

const PART: &str = "Graph(params: { \"n\": 2 }, nodes: { \"x\": Take(), \"y\": Add(a: \"x\") }, outputs: { \
    \"y.txt\": \"y\" })";

#[test]
fn uses_of_a_subgraph_share_its_parameters() {
    let graph = "Graph(nodes: { \"x\": Take(),
        \"a\": Subgraph(file: \"s.ron\"),
        \"b\": Subgraph(file: \"s.ron\", inputs: { \"x\": \"a\" }),
        \"c\": Subgraph(file: \"s.ron\", params: { \"n\": 3 }),
        \"r\": Repeat(file: \"s.ron\", times: 3, params: { \"n\": 4 }, inputs: { \"x\": \"x\" }, \
        carry: { \"y\": \"x\" }) }, outputs: { \"b.txt\": \"b\", \"r.txt\": \"r\", \"y.txt\": \"r.y\" })";
    let loaded = checked(&folder(graph, &[("s.ron", PART)])).unwrap();
    let scope = |node: &str| &loaded.graph.nodes[node].location.as_ref().unwrap().scope;
    assert!(Arc::ptr_eq(scope("a/y"), scope("b/y")));
    assert!(!Arc::ptr_eq(scope("a/y"), scope("c/y")));
    assert!(Arc::ptr_eq(scope("r/1/y"), scope("r/3/y")));
    assert_eq!(
        [scope("b/y"), scope("c/y"), scope("r/2/y")].map(|scope| &*scope.params["n"].text),
        ["2", "3", "4"]
    );
    let from = |at: usize| loaded.graph.outputs[at].from.to_string();
    assert_eq!([from(0), from(1), from(2)], ["b/y", "r/3/y", "r/3/y"]);
    let wire = |node: &str| loaded.graph.nodes[node].node().port(0).source().wire().unwrap().to_string();
    assert_eq!([wire("b/y"), wire("r/1/y"), wire("r/3/y")], ["a/y", "x", "r/2/y"]);
}

#[test]
fn parameters_and_outputs_of_many_uses_are_bounded() {
    let params = each(1000, |at| format!("\"q{at}\": 1"));
    let outputs = each(200, |at| format!("\"o{at}.txt\": \"x\""));
    let part = format!("Graph(params: {{ {params} }}, nodes: {{ \"x\": Take() }}, outputs: {{ {outputs} }})");
    let uses = |count: usize, set: &str| {
        let uses = each(count, |at| format!("\"a{at}\": Subgraph(file: \"s.ron\"{set})"));
        folder(
            &format!("Graph(nodes: {{ {uses} }}, outputs: {{ \"o.txt\": \"a1.o7\" }})"),
            &[("s.ron", &part)],
        )
    };
    let start = Instant::now();
    assert_eq!(checked(&uses(2000, "")).unwrap().graph.nodes.len(), 2000);
    assert!(
        refused(&uses(2000, ", params: { \"q1\": 2 }")).contains("MiB of text that subgraphs can expand to")
    );
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn profiles_are_checked_within_one_budget() {
    let graph = |nodes: usize, profiles: usize| {
        let profiles = each(profiles, |at| format!("\"f{at}\": {{ \"n\": {at} }}"));
        let nodes = each(nodes, |at| format!("\"x{at}\": Take(amount: \"$n\")"));
        folder(
            &format!("Graph(params: {{ \"n\": 1 }}, profiles: {{ {profiles} }}, nodes: {{ {nodes} }})"),
            &[],
        )
    };
    assert_eq!(checked(&graph(100, 300)).unwrap().graph.profiles.len(), 300);
    let said = refused(&graph(20_000, 300));
    assert!(said.contains("with each of its 300 profiles: 20 were checked"), "{said}");
}

#[test]
fn files_of_subgraphs_are_bounded_together() {
    let long = format!("// {}\n{PART}", "x".repeat(12 << 20));
    let files: Vec<(String, &str)> = (0..3).map(|at| (format!("s{at}.ron"), &*long)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, *text)).collect();
    let uses = |count: usize| each(count, |at| format!("\"a{at}\": Subgraph(file: \"s{at}.ron\")"));
    let graph = |count: usize| folder(&format!("Graph(nodes: {{ {} }})", uses(count)), &files);
    assert!(checked(&graph(2)).is_ok());
    assert!(refused(&graph(3)).contains("more than 32 MiB together"));
    assert!(
        refused(&folder(&format!("// {}\n{PART}", "x".repeat(16 << 20)), &[])).contains("more than 16 MiB")
    );
}

#[test]
fn names_of_outputs_are_bounded_and_no_folder_is_a_file() {
    let with = |names: &[&str]| {
        let outputs = each(names.len(), |at| format!("\"{}\": \"x\"", names[at]));
        folder(&format!("Graph(nodes: {{ \"x\": Take() }}, outputs: {{ {outputs} }})"), &[])
    };
    let (deep, long) = ("a/".repeat(200_000) + "h.txt", "a".repeat(260) + ".txt");
    for name in [&*deep, &*long] {
        let said = refused(&with(&[name]));
        assert!(said.contains("bytes long") && said.len() < 500, "{said}");
    }
    for names in [["h.txt", "h.txt/x.txt"], ["A/B.txt/c/d.txt", "a/b.txt"], ["h.txt/x/y.txt", "./H.TXT"]] {
        let said = refused(&with(&names));
        assert!(said.contains("cannot be a folder of"), "{said}");
    }
    assert!(checked(&with(&["a/b.txt", "a.txt", "a/c.txt", "a-b/c.txt", "a/b/c.txt", "a/b-c.txt"])).is_ok());
}

#[test]
fn long_texts_are_cut_in_messages() {
    let long = "9".repeat(100_000);
    for value in [
        format!("\"$n * 1e{long}\""),
        format!("\"$n * {long}..{long}\""),
        format!("\"$n + {long}\""),
        format!("[\"{}\"]", "x".repeat(100_000)),
    ] {
        let graph = format!("Graph(params: {{ \"n\": 1 }}, nodes: {{ \"x\": Take(amount: {value}) }})");
        let said = refused(&folder(&graph, &[]));
        assert!(said.len() < 400, "{}", said.len());
    }
    for name in [long.clone(), "a/".repeat(10_000) + "s.ron", "../".repeat(10_000)] {
        let graph = format!("Graph(nodes: {{ \"x\": Subgraph(file: \"{name}\") }})");
        let said = refused(&folder(&graph, &[]));
        assert!(said.len() < 400, "{}", said.len());
    }
}

#[test]
fn arithmetic_without_result_names_no_node() {
    let graph =
        "Graph(params: { \"z\": 0 }, nodes: { \"a-b\": Take(), \"x\": Add(a: \"a-b\", b: \"1 / $z\") })";
    let said = refused(&folder(graph, &[]));
    assert!(said.contains("does not evaluate to a finite number") && !said.contains("no node"), "{said}");
}

#[test]
fn values_of_a_file_are_read_when_the_graph_is_loaded() {
    let graph = "Graph(params: { \"n\": 1 }, nodes: { \"x\": Take(amount: \"$n\") })";
    let folder = folder(graph, &[("v.ron", "{ \"n\": 5 }")]);
    let (path, file) = (folder.path().join("g.ron"), folder.path().join("v.ron"));
    let options =
        |file: &Path| LoadOptions { set: vec![Setting::Values(file.to_owned())], ..LoadOptions::default() };
    let amount = || {
        let loaded = load_file(&path, &registry(), &options(&file)).map_err(|wrong| wrong.render(false))?;
        assert_eq!(loaded.graph.files, [path.clone(), file.clone()]);
        Ok::<String, String>(loaded.graph.nodes["x"].node().param(0))
    };
    assert_eq!(amount().as_deref(), Ok("5.0"));
    fs::write(&file, "{ \"n\": 6 }").unwrap();
    assert_eq!(amount().as_deref(), Ok("6.0"));
    fs::write(&file, "{ \"m\": 6 }").unwrap();
    assert!(amount().unwrap_err().contains("has no parameter `m` to set"));
    fs::remove_file(&file).unwrap();
    assert!(amount().unwrap_err().contains("cannot read"));
}
