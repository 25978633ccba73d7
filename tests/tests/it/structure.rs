//! Adding, removing and renaming nodes, wires, outputs and parameters in the text of every graph of the
//! repository.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use terrane::flow::{GraphText, RewriteError, load, load_file};
use terrane::{LoadOptions, Loaded, registry};
use terrane_flow::testing::edited;
use terrane_tests::{graphs, root};

fn loaded(text: &str, folder: &Path) -> Loaded {
    let registry = registry();
    load("graph.ron", text, folder, &registry, &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// The content of a graph as lines of text, with one name replaced by another.
fn says(loaded: &Loaded, from: &str, to: &str) -> Vec<String> {
    says_as(loaded, &|name| match name.strip_prefix(from) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{to}{rest}"),
        _ => name.to_owned(),
    })
}

/// The content of a graph as lines of text, with names mapped by `renamed`.
fn says_as(loaded: &Loaded, renamed: &dyn Fn(&str) -> String) -> Vec<String> {
    let nodes = loaded.graph.nodes.iter().map(|(name, node)| {
        let spec = node.node().spec();
        let params: Vec<String> = (0..spec.params.len()).map(|at| node.node().param(at)).collect();
        let ports: Vec<String> = (0..spec.inputs.len())
            .map(|at| {
                let source = node.node().port(at).source();
                source.wire().map_or_else(
                    || format!("{source:?}"),
                    |wire| format!("{}.{:?}", renamed(&wire.node), wire.output),
                )
            })
            .collect();
        format!("{}: {}({params:?}, {ports:?})", renamed(name), spec.name)
    });
    let outputs = loaded.graph.outputs.iter().map(|output| {
        format!(
            "{}: {}.{:?} {:?}",
            output.file,
            renamed(&output.from.node),
            output.from.output,
            output.options
        )
    });
    nodes.chain(outputs).collect()
}

/// Every graph of the repository that is a single file of moderate size.
fn texts() -> Vec<(std::path::PathBuf, String)> {
    let texts = graphs().into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap()));
    texts.filter(|(_, text)| text.len() < 20_000).collect()
}

#[test]
fn a_node_is_renamed_everywhere_and_back() {
    let mut count = 0;
    for (path, text) in texts() {
        let folder = path.parent().unwrap();
        let before = loaded(&text, folder);
        let names: Vec<String> =
            before.graph.nodes.keys().filter(|name| !name.contains('/')).cloned().collect();
        for name in names.iter().step_by(3) {
            let renamed =
                edited(&text, |graph| graph.rename_node(name, "quite another", &registry())).unwrap();
            assert_eq!(
                says(&loaded(&renamed, folder), "", ""),
                says(&before, name, "quite another"),
                "{name} of {}",
                path.display()
            );
            let back =
                edited(&renamed, |graph| graph.rename_node("quite another", name, &registry())).unwrap();
            assert_eq!(back, text, "{name} of {}", path.display());
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_value_becomes_a_parameter() {
    let mut count = 0;
    for (path, text) in texts() {
        let folder = path.parent().unwrap();
        let before = loaded(&text, folder);
        for (name, node) in before.graph.nodes.iter().filter(|(name, _)| !name.contains('/')).step_by(4) {
            let Some(param) = node.node().spec().params.first() else { continue };
            let with =
                match edited(&text, |graph| graph.add_param("quite_new", name, param.name, &registry())) {
                    Ok(with) => with,
                    Err(RewriteError::NoField { .. }) => continue,
                    Err(error) => panic!("{error}"),
                };
            assert_eq!(
                says(&loaded(&with, folder), "", ""),
                says(&before, "", ""),
                "{name} of {}",
                path.display()
            );
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn nodes_and_outputs_are_added_and_removed() {
    for (path, text) in texts() {
        let folder = path.parent().unwrap();
        let before = says(&loaded(&text, folder), "", "");
        let mut graph = GraphText::new(&text).unwrap();
        graph.add_node("quite new", "Perlin(octaves: 2)").unwrap();
        graph.add_output("quite_new.npy", "quite new").unwrap();
        let with = says(&loaded(graph.text(), folder), "", "");
        assert_eq!(with.len(), before.len() + 2, "{}", path.display());
        graph.remove_output("quite_new.npy").unwrap();
        graph.remove_node("quite new").unwrap();
        assert_eq!(graph.text(), text, "{}", path.display());
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &name) } else { fs::copy(&path, name).map(|_| ()).unwrap() }
    }
}

#[test]
fn nodes_move_to_a_separate_file_and_back() {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("graphs"), folder.path());
    let registry = registry();
    let sorted = |says: Vec<String>| says.into_iter().collect::<BTreeSet<_>>();
    let (mut count, mut alone) = (0, 0);
    for (path, text) in texts() {
        let path = folder.path().join(path.strip_prefix(root().join("graphs")).unwrap());
        let folder = path.parent().unwrap();
        let before = loaded(&text, folder);
        let mut names: Vec<&str> =
            before.graph.nodes.keys().map(|name| name.split('/').next().unwrap()).collect();
        names.dedup();
        let third = names.len().div_ceil(3);
        let every_other: Vec<&str> = names.iter().copied().step_by(2).collect();
        for moved in [&names[..third], &names[names.len() - third..], &every_other, &names] {
            let mut edited = GraphText::new(&text).unwrap();
            let part = edited
                .extract_subgraph(moved, "quite_new.ron", "quite new", &registry)
                .unwrap_or_else(|error| panic!("{error}\n{moved:?} of {}", path.display()));
            fs::write(folder.join("quite_new.ron"), part.text()).unwrap();
            let moved: HashSet<&str> = moved.iter().copied().collect();
            let inside = |name: &str| {
                let moves = moved.contains(name.split('/').next().unwrap());
                if moves { format!("quite new/{name}") } else { name.to_owned() }
            };
            assert_eq!(
                sorted(says_as(&loaded(edited.text(), folder), &str::to_owned)),
                sorted(says_as(&before, &inside)),
                "{moved:?} of {}\n{}\n{}",
                path.display(),
                edited.text(),
                part.text()
            );
            edited
                .inline_subgraph("quite new", &part, "", &registry)
                .unwrap_or_else(|error| panic!("{error}\n{moved:?} of {}", path.display()));
            assert_eq!(
                sorted(says(&loaded(edited.text(), folder), "", "")),
                sorted(says(&before, "", "")),
                "{moved:?} of {}\n{}",
                path.display(),
                edited.text()
            );
            count += 1;
            let is_graph = load("part.ron", part.text(), folder, &registry, &LoadOptions::default()).is_ok();
            alone += usize::from(is_graph);
            fs::remove_file(folder.join("quite_new.ron")).unwrap();
        }
    }
    assert!(count > 100 && alone * 2 > count, "{alone} of {count} parts are graphs by themselves");
}

#[test]
fn subgraphs_are_inlined() {
    let registry = registry();
    let mut count = 0;
    for (path, text) in texts() {
        let folder = path.parent().unwrap();
        for (at, _) in text.match_indices(": Subgraph(") {
            let name = text[..at].trim_end_matches('"').rsplit('"').next().unwrap();
            let file = text[at..].split('"').nth(1).unwrap();
            let part = GraphText::new(&fs::read_to_string(folder.join(file)).unwrap()).unwrap();
            let flat = edited(&text, |graph| graph.inline_subgraph(name, &part, "its ", &registry))
                .unwrap_or_else(|error| panic!("{error}\n{name} of {}", path.display()));
            let renamed = |other: &str| match other.strip_prefix(name).and_then(|rest| rest.strip_prefix('/'))
            {
                Some(inner) => format!("its {inner}"),
                None => other.to_owned(),
            };
            let sorted = |says: Vec<String>| says.into_iter().collect::<BTreeSet<_>>();
            assert_eq!(
                sorted(says_as(&loaded(&flat, folder), &str::to_owned)),
                sorted(says_as(&loaded(&text, folder), &renamed)),
                "{name} of {}\n{flat}",
                path.display()
            );
            count += 1;
        }
    }
    assert!(count > 5, "{count}");
}

const TEXT: &str = "\
Graph(
    params: { \"from\": \"hills.slope\" },
    nodes: {
        \"hills\": Perlin(octaves: 3 /* few */, wavelength: 200.0), // ground
        // turned over
        \"over\": Invert(height: \"hills\"),
        \"steep\": Clamp(height: \"$from\", min: 0.0),
        \"s\": Subgraph(file: \"graphs/quickstart.ron\", inputs: { \"hills\": \"hills\" }),
    },
    outputs: { \"a.npy\": \"over\", \"b.tif\": Export(from: \"hills\", range: (0, 1)) },
)
";

const PROFILES: &str = "    profiles: { \"p\": { \"low\": [2] } },\n";

fn change(edit: impl FnOnce(&mut GraphText) -> Result<(), RewriteError>) -> Result<String, RewriteError> {
    edited(TEXT, edit)
}

#[test]
fn every_other_byte_stays() {
    let replaced = |from: &str, to: &str| TEXT.replace(from, to);
    let renamed = change(|graph| graph.rename_node("hills", "ground", &registry())).unwrap();
    let expected = replaced("\"hills\": Perlin", "\"ground\": Perlin")
        .replace("height: \"hills\"", "height: \"ground\"")
        .replace("\"hills.slope\"", "\"ground.slope\"")
        .replace("{ \"hills\": \"hills\" }", "{ \"hills\": \"ground\" }")
        .replace("from: \"hills\"", "from: \"ground\"");
    assert_eq!(renamed, expected);
    assert_eq!(
        change(|graph| graph.remove_node("hills")).unwrap(),
        replaced("        \"hills\": Perlin(octaves: 3 /* few */, wavelength: 200.0), // ground\n", "")
    );
    assert_eq!(
        change(|graph| graph.reset("hills", "wavelength")).unwrap(),
        replaced(", wavelength: 200.0", "")
    );
    assert_eq!(
        change(|graph| graph.reset("hills", "octaves")).unwrap(),
        replaced("octaves: 3 /* few */, ", "/* few */, ").replace("(/* few */, ", "(")
    );
    assert_eq!(
        change(|graph| graph.disconnect("over", "height")).unwrap(),
        replaced("Invert(height: \"hills\")", "Invert()")
    );
    assert_eq!(
        change(|graph| graph.connect("over", "height", "steep")).unwrap(),
        replaced("Invert(height: \"hills\")", "Invert(height: \"steep\")")
    );
    assert_eq!(
        change(|graph| graph.add_param("low", "steep", "min", &registry())).unwrap(),
        replaced("\"hills.slope\" }", "\"hills.slope\", \"low\": 0.0 }").replace("min: 0.0", "min: \"$low\"")
    );
    assert_eq!(
        edited("Graph()", |graph| {
            graph.add_node("a", "Perlin()")?;
            graph.add_output("a.png", "a")
        })
        .unwrap(),
        "Graph(nodes: { \"a\": Perlin() }, outputs: { \"a.png\": \"a\" })"
    );
    assert_eq!(
        edited("Graph(\n    nodes: { \"a\": Perlin(octaves: 2) },\n)\n", |graph| {
            graph.add_param("n", "a", "octaves", &registry())
        })
        .unwrap(),
        "Graph(\n    params: { \"n\": 2 },\n    nodes: { \"a\": Perlin(octaves: \"$n\") },\n)\n"
    );
    let with = replaced(
        " },\n    nodes",
        ", \"low\": [1] },\n    profiles: { \"p\": { \"low\": [2] } },\n    nodes",
    );
    assert_eq!(edited(TEXT, |graph| graph.declare_param("low", "[1]")).unwrap(), with.replace(PROFILES, ""));
    assert_eq!(
        edited(&with, |graph| graph.remove_param("low")).unwrap().replace("{  }", "{}"),
        replaced(" },\n    nodes", " },\n    profiles: { \"p\": {} },\n    nodes")
    );
    assert!(root().join("graphs/quickstart.ron").exists());
}

#[test]
fn nodes_are_inserted_copied_bypassed_and_deleted_with_their_wires() {
    let replaced = |from: &str, to: &str| TEXT.replace(from, to);
    let own = "        \"over\": Invert(height: \"hills\"),\n";
    assert_eq!(
        change(|graph| graph.insert_node("low", "Clamp()", "over")).unwrap(),
        replaced(own, &format!("{own}        \"low\": Clamp(),\n"))
    );
    assert_eq!(
        change(|graph| graph.copy_node("hills", "more")).unwrap(),
        replaced(
            "// ground\n",
            "// ground\n        \"more\": Perlin(octaves: 3 /* few */, wavelength: 200.0),\n"
        )
    );
    let bypassed = replaced("\"a.npy\": \"over\"", "\"a.npy\": \"hills\"");
    assert_eq!(change(|graph| graph.bypass_node("over", &registry()).map(|_| ())).unwrap(), bypassed);
    assert_eq!(change(|graph| graph.delete_node("over", &registry())).unwrap(), bypassed.replace(own, ""));
    // A source has nothing that takes its place: what read it is not connected, and its output is removed.
    let gone = change(|graph| graph.delete_node("hills", &registry())).unwrap();
    assert!(gone.contains("\"over\": Invert(),") && gone.contains("inputs: {  }"), "{gone}");
    assert!(!gone.contains("Export") && gone.contains("\"a.npy\": \"over\""), "{gone}");
    let said = |result: Result<String, RewriteError>| result.unwrap_err().to_string();
    assert!(said(change(|graph| graph.delete_node("hils", &registry()))).contains("did you mean `hills`?"));
    assert!(said(change(|graph| graph.copy_node("hills", "over"))).contains("is taken"));
    assert!(
        said(change(|graph| graph.insert_node("x", "Clamp()", "hils"))).contains("did you mean `hills`?")
    );
}

/// A height takes the place of another height, and not of a mask.
#[test]
fn a_deleted_mask_is_not_replaced_by_a_height() {
    let text = "Graph(nodes: { \"h\": Perlin(), \"m\": Select(height: \"h\"), \"c\": Blur(height: \"h\"), \
        \"b\": Blend(a: \"c\", b: \"h\", mask: \"m\") }, outputs: { \"m.png\": \"m\", \"b.png\": \"b\" })";
    let without = |node: &str| edited(text, |graph| graph.delete_node(node, &registry())).unwrap();
    let left = without("m");
    assert!(left.contains("Blend(a: \"c\", b: \"h\")") && !left.contains("m.png"), "{left}");
    assert!(without("c").contains("Blend(a: \"h\", b: \"h\", mask: \"m\")"));
    let bypassed = edited(text, |graph| graph.bypass_node("m", &registry()).map(|_| ())).unwrap();
    assert!(bypassed.contains("mask: \"h\""), "a bypass is asked for: {bypassed}");
}

/// Deleting any node of any graph of the gallery leaves a text whose only mistakes are ports without a wire.
#[test]
fn a_deleted_node_is_named_nowhere() {
    let registry = registry();
    for name in ["quickstart", "island", "lakes", "canyon", "regions"] {
        let path = root().join(format!("graphs/{name}.ron"));
        let text = fs::read_to_string(&path).unwrap();
        let loaded = load_file(&path, &registry, &LoadOptions::default()).unwrap();
        for node in loaded.graph.nodes.keys().filter(|node| !node.contains('/')) {
            let without = edited(&text, |graph| graph.delete_node(node, &registry)).unwrap();
            let options = LoadOptions { unconnected: true, ..LoadOptions::default() };
            let folder = path.parent().unwrap();
            let left = load(name, &without, folder, &registry, &options);
            let left = left.unwrap_or_else(|mistakes| panic!("{name} without {node}: {mistakes}\n{without}"));
            assert!(!left.graph.nodes.contains_key(node));
        }
    }
}

#[test]
fn impossible_changes_have_messages() {
    let said = |result: Result<String, RewriteError>| result.unwrap_err().to_string();
    for (message, expected) in [
        (
            said(change(|graph| graph.add_node("over", "Perlin()"))),
            "the name `over` is taken among the nodes",
        ),
        (said(change(|graph| graph.add_node("a/b", "Perlin()"))), "`a/b` is not a valid node name"),
        (
            said(change(|graph| graph.add_node("a", "Perlin("))),
            "the value `Perlin(` cannot be read: this `(` is not closed",
        ),
        (said(change(|graph| graph.remove_node("hils"))), "did you mean `hills`?"),
        (
            said(change(|graph| graph.rename_node("hills", "over", &registry()))),
            "the name `over` is taken among the nodes",
        ),
        (said(change(|graph| graph.reset("hills", "amplitude"))), "`hills` does not set `amplitude`"),
        (said(change(|graph| graph.remove_output("c.png"))), "the graph has no output `c.png`"),
        (
            said(change(|graph| graph.add_output("a.npy", "hills"))),
            "the name `a.npy` is taken among the outputs",
        ),
        (
            said(change(|graph| graph.add_param("from", "steep", "min", &registry()))),
            "the name `from` is taken among the parameters",
        ),
        (
            said(change(|graph| graph.add_param("a b", "steep", "min", &registry()))),
            "`a b` is not a valid field name",
        ),
        (
            said(change(|graph| graph.add_param("x", "steep", "nope", &registry()))),
            "`steep` does not set `nope`",
        ),
        (said(edited("Graph(nodes: {", |graph| graph.remove_node("a"))), "this `{` is not closed"),
        (said(change(|graph| graph.remove_param("form"))), "did you mean `from`?"),
    ] {
        assert!(message.contains(expected), "{message}\n{expected}");
    }
}
