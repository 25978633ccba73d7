//! Edits that are rejected or need changes.

use terrane_flow::RewriteError;

use super::cases::{BASE, TEXT};
use super::nodes::{self, loaded, results, says};

#[test]
fn files_are_found_from_another_folder() {
    let text = "Graph(
    params: { \"f\": \"data/a.txt\" },
    nodes: {
        \"read\": Read(file: \"data/a.txt\", others: [(\"b.txt\", \"b.txt\"), (\"in/c.txt\", \"\")]),
        \"n\": Count(words: \"read\"),
        \"base\": Subgraph(file: \"in/base.ron\"),
        \"o\": Count(words: \"base/r\"),
        \"p\": Read(file: \"$f\"),
    },
)";
    let base = "Graph(nodes: { \"r\": Read(file: \"c.txt\") })";
    let folder = tempfile::tempdir().unwrap();
    let files =
        [("data/a.txt", "one two"), ("b.txt", " three"), ("in/c.txt", " four five"), ("in/base.ron", base)];
    let with = |name: &'static str, text: &str, part: &str| {
        let mut all = vec![(name, text)];
        all.extend(files);
        all.push(("in/deep/part.ron", part));
        loaded(folder.path(), &all, &[])
    };
    let (graph, part) = nodes::extract(text, &["read", "base"], "in/deep/part.ron", "part").unwrap();
    assert!(
        part.contains(
            "Read(file: \"../../data/a.txt\", others: [(\"../../b.txt\", \"b.txt\"), (\"../c.txt\", \"\")])"
        ),
        "{part}"
    );
    assert!(part.contains("Subgraph(file: \"../base.ron\")"), "{part}");
    let inside = |name: &str| {
        if name.starts_with("read") || name.starts_with("base") {
            format!("part/{name}")
        } else {
            name.to_owned()
        }
    };
    let same = |name: &str| name.to_owned();
    let (before, after) = (with("a.ron", text, ""), with("b.ron", &graph, &part));
    assert_eq!(says(&before, &inside), says(&after, &same));
    assert_eq!(results(&before, &inside), results(&after, &same));
    let back = nodes::inline(&graph, "part", &part, "").unwrap();
    assert_eq!(results(&before, &same), results(&with("c.ron", &back, ""), &same));
    assert!(
        back.contains("\"in/base.ron\"") && back.contains("[(\"b.txt\", \"b.txt\"), (\"in/c.txt\", \"\")]"),
        "{back}"
    );
    // A file path in a parameter can move only if paths do not change.
    let moved = |file: &str| nodes::extract(text, &["p"], file, "part");
    assert!(moved("part.ron").is_ok());
    assert!(matches!(moved("in/part.ron"), Err(RewriteError::Inexact { .. })));
    // No placeholder type exists for the input of `n`, so the part is complete only where it is used.
    let (graph, part) = nodes::extract(text, &["n"], "part.ron", "part").unwrap();
    assert!(part.contains("\"read\": Read(file: \"data/a.txt\""), "{part}");
    std::fs::write(folder.path().join("part.ron"), part).unwrap();
    assert_eq!(with("d.ron", &graph, "").graph.nodes.len(), 5);
    let (_, part) = nodes::extract(text, &["o"], "part.ron", "part").unwrap();
    assert!(part.contains("\"base_r\": Take()"), "{part}");
}

#[test]
fn nodes_that_cannot_move_are_reported() {
    let extract = |nodes: &[&str], file: &str, name: &str| {
        nodes::extract(TEXT, nodes, file, name).unwrap_err().to_string()
    };
    let inline = |text: &str, node: &str, part: &str, prefix: &str| {
        nodes::inline(text, node, part, prefix).unwrap_err().to_string()
    };
    let unknown = TEXT.replace("Take(", "Tack(");
    let using = |call: &str| {
        format!(
            "Graph(params: {{ \"k\": \"ground\" }}, nodes: {{ \"s\": Subgraph({call}), \"z\": Add(a: \"s\") \
            }})"
        )
    };
    let circle = "Graph(nodes: { \"x\": Take(), \"y\": Take() }, outputs: { \"o.txt\": \"x\" })";
    for (message, expected) in [
        (extract(&[], "p.ron", "p"), "no nodes are given"),
        (extract(&["over", "ovr"], "p.ron", "p"), "did you mean `over`?"),
        (extract(&["base/top"], "p.ron", "p"), "it is in the file of the subgraph `base`"),
        (extract(&["over"], "p.ron", "end"), "the name `end` is taken among the nodes"),
        (extract(&["over"], "p.ron", "a/b"), "`a/b` is not a valid node name"),
        (extract(&["over"], "base.ron", "p"), "the name `base.ron` is taken among the files"),
        (extract(&["over"], "./base.ron", "p"), "is taken among the files"),
        (extract(&["over"], "../p.ron", "p"), "it is outside the graph's folder"),
        (extract(&["over"], "", "p"), "it names no file"),
        (
            nodes::extract(&unknown, &["over"], "p.ron", "p").unwrap_err().to_string(),
            "`hills` has the unknown type `Tack`",
        ),
        (nodes::extract("Graph(nodes: {", &["over"], "p.ron", "p").unwrap_err().to_string(), "is not closed"),
        (inline(TEXT, "over", BASE, ""), "`over` is of type `Add`, and only a `Subgraph`"),
        (inline(TEXT, "bas", BASE, ""), "did you mean `base`?"),
        (inline(TEXT, "base", "Graph(nodes: {", ""), "is not closed"),
        (inline(TEXT, "base", BASE, "a/"), "is not a valid node name"),
        (
            inline(TEXT, "base", &BASE.replace("\"n\"", "\"nn\""), ""),
            "has no parameter `n`: did you mean `nn`?",
        ),
        (inline(TEXT, "base", &BASE.replace("\"ground\":", "\"soil\":"), ""), "no node `base/ground`"),
        (inline(TEXT, "base", &BASE.replace("\"low.txt\"", "\"deep.txt\""), ""), "no output `base.low`"),
        (
            inline(
                TEXT,
                "base",
                &BASE.replace("\"top\": Add", "\"topp\": Add").replace("\"top.rest\"", "\"topp\""),
                "",
            ),
            "no node `base/top`",
        ),
        (inline(TEXT, "base", &BASE.replace("\"$from\"", "\"hills\""), ""), "no node `base/hills`"),
        (inline(TEXT, "base", &BASE.replace("Take(", "Tack("), ""), "unknown type `Tack`"),
        (
            inline(&using("file: \"base.ron\", params: { \"from\": \"$k\" }"), "s", BASE, ""),
            "`top` cannot be moved unchanged: its `a` names a node through a parameter",
        ),
        (
            inline(&using("file: \"base.ron\", params: { \"n\": \"$nope\" }"), "s", BASE, ""),
            "refers to an unknown parameter",
        ),
        (
            inline(&using("file: \"c.ron\", inputs: { \"x\": \"s\" }"), "s", circle, ""),
            "leads through more than 64",
        ),
    ] {
        assert!(message.contains(expected), "{message}\n{expected}");
    }
}

#[test]
fn edits_that_would_change_a_node_are_rejected() {
    // This text is not arithmetic, although it looks like it. With a renamed parameter the text would change.
    let part =
        "Graph(params: { \"n\": 1 }, nodes: { \"x\": Take(more: [(1, \"2 * $n\"), (\"2 * $n\", \"\")]) })";
    let text = "Graph(params: { \"n\": 5 }, nodes: { \"s\": Subgraph(file: \"p.ron\") })";
    let message = nodes::inline(text, "s", part, "").unwrap_err().to_string();
    assert!(message.contains("`x` cannot be moved unchanged: its `more` would change"), "{message}");
    let free = text.replace("\"n\"", "\"m\"");
    let flat = nodes::inline(&free, "s", part, "").unwrap();
    assert_eq!(
        flat,
        "Graph(params: { \"m\": 5, \"n\": 1 }, nodes: { \"x\": Take(more: [(1, \"2 * $n\"), (\"2 * $n\", \
        \"\")]) })"
    );
}
