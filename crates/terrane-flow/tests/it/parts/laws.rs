//! Properties of random graphs.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::nodes::{extract, inline, loaded, results, says};

/// A subgraph for all graphs.
const BASE: &str = "Graph(
    params: { \"n\": 2.0, \"m\": \"$n * 3\" },
    nodes: {
        \"in\": Take(amount: \"$n\"), // below
        // On top.
        \"top\": Add(a: \"in\", b: \"$m\"),
    },
    outputs: { \"high.txt\": \"top.rest\", \"low.txt\": \"in\" },
)
";

/// A node as numbers: its type, connections, values and layout.
type Shape = (usize, [usize; 2], usize, usize);

fn shapes() -> impl Strategy<Value = Vec<Shape>> {
    prop::collection::vec((0..5usize, prop::array::uniform2(0..64usize), 0..6usize, 0..5usize), 1..8)
}

fn is_base(shape: &Shape) -> bool {
    shape.0 == 4
}

/// A wire to an earlier node, in one of the possible notations; `None` for the first node.
fn wire(shapes: &[Shape], at: usize, pick: usize) -> Option<String> {
    let to = (at > 0).then(|| pick % at)?;
    Some(match (is_base(&shapes[to]), pick / 8 % 4) {
        (true, 0) => format!("n{to}"),
        (true, 1) => format!("n{to}.low"),
        (true, 2) => format!("n{to}/top"),
        // A replaced node does not exist.
        (true, _) if shapes[to].2 > 2 => format!("n{to}/top.rest"),
        (true, _) => format!("n{to}/in.twice"),
        (false, 0) if shapes[to].0 < 2 || to == 0 => format!("n{to}.twice"),
        (false, 1) if shapes[to].0 >= 2 && to > 0 => format!("n{to}.rest"),
        (false, _) => format!("n{to}"),
    })
}

fn number(pick: usize) -> &'static str {
    ["1.5", "\"$p\"", "\"$p * 2 - 1\"", "\"$q\"", "\"-($q + $p) / 4\"", "-0.25"][pick % 6]
}

/// The text of a graph.
fn graph(shapes: &[Shape], pick: usize) -> String {
    let last = shapes.len() - 1;
    let mut nodes = String::new();
    for (at, shape) in shapes.iter().enumerate() {
        let (kind, wires, value, layout) = *shape;
        let (a, b) = (wire(shapes, at, wires[0]), wire(shapes, at, wires[1]));
        let by = number(value);
        let call = match (kind, a) {
            (4, Some(a)) if value > 2 => {
                format!(
                    "Subgraph(file: \"base.ron\", inputs: {{ \"in\": \"{a}\" }}, params: {{ \"n\": {by} }})"
                )
            }
            (4, _) => format!(
                "Subgraph(file: \"base.ron\", params: {{ \"n\": {by}, \"m\": {} }})",
                number(value + 1)
            ),
            (0, _) => format!("Take(amount: {by} /* much */, more: [({by}, \"is $p, {{\"), (1, \"\")])"),
            (_, None) | (1, _) => {
                format!("Take(\n            amount: {by}, // much\n            seed: {value},\n        )")
            }
            (2, Some(_)) => format!("Add(a: \"$wire\", b: {by})"),
            (_, Some(a)) => format!("Add(a: \"{a}\", b: \"{}\", by: {by})", b.unwrap_or_default()),
        };
        let name = format!("n{at}");
        nodes += &match layout {
            0 => format!("        \"{name}\": {call},\n"),
            1 => format!(
                "        // Of {name},\n        // above.\n        \"{name}\": {call}, // behind {name}\n"
            ),
            2 => format!("\n        \"{name}\": {call}, /* behind {name} */\n"),
            3 => format!("        /* before {name} */ \"{name}\": {call},\n\n        // apart\n\n"),
            _ => format!("        \"{name}\": {call} // no comma {name}\n        ,\n"),
        };
    }
    let other = if is_base(&shapes[last]) { format!("n{last}/top") } else { format!("n{last}") };
    let seed = pick % 1000;
    format!(
        "Graph(\n    seed: {seed},\n    params: {{\n        \"p\": 2.5, // first\n        \"q\": \"$p / \
        2\",\n        \"wire\": \"n0\",\n    }},\n    nodes: {{\n{nodes}    }},\n    outputs: {{ \"a.txt\": \
        \"n{}\", \"b.txt\": Export(from: \"{other}\") }},\n)\n",
        pick % shapes.len(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Moved nodes are unchanged, with all references and with any parameters set from outside. Their
    /// comments move too. Moving them back restores the text.
    #[test]
    fn moved_nodes_are_the_same_and_come_back(
        shapes in shapes(),
        pick in 0..4096usize,
        bits in 1..256usize,
        prefix in prop::sample::select(vec!["", "x "]),
    ) {
        let text = graph(&shapes, pick);
        let is_chosen = |at: &usize| bits >> at & 1 == 1;
        let names: Vec<String> = (0..shapes.len()).filter(is_chosen).map(|at| format!("n{at}")).collect();
        prop_assume!(!names.is_empty());
        let nodes: Vec<&str> = names.iter().map(String::as_str).collect();
        let (outer, part) = extract(&text, &nodes, "part.ron", "p art").unwrap();
        for (at, shape) in shapes.iter().enumerate() {
            let moves = nodes.contains(&&*format!("n{at}"));
            let notes: &[&str] = match shape.3 {
                0 => &[],
                1 => &["// Of @,\n        // above.\n", ", // behind @\n"],
                2 => &[", /* behind @ */"],
                3 => &["/* before @ */ \""],
                _ => &[" // no comma @\n"],
            };
            for note in notes {
                let note = note.replace('@', &format!("n{at}"));
                prop_assert_eq!(part.contains(&note), moves, "{}\n{}", note, part);
                prop_assert_eq!(outer.contains(&note), !moves, "{}\n{}", note, outer);
            }
        }
        let back = inline(&outer, "p art", &part, prefix).unwrap();
        let inside = |name: &str| {
            let moves = nodes.contains(&name.split('/').next().unwrap());
            if moves { format!("p art/{name}") } else { name.to_owned() }
        };
        let behind = |name: &str| {
            let moves = nodes.contains(&name.split('/').next().unwrap());
            if moves { format!("{prefix}{name}") } else { name.to_owned() }
        };
        let same = |name: &str| name.to_owned();
        let folder = tempfile::tempdir().unwrap();
        for set in [&[][..], &[("p", "7.25")], &[("q", "3.0")]] {
            let before = loaded(folder.path(), &[("graph.ron", &text), ("base.ron", BASE)], set);
            let after = loaded(folder.path(), &[("outer.ron", &outer), ("part.ron", &part)], set);
            prop_assert_eq!(says(&before, &inside), says(&after, &same), "{}\n{}\n{}", text, outer, part);
            let (expected, found) = (results(&before, &inside), results(&after, &same));
            prop_assert_eq!(expected, found, "{}\n{}\n{}", text, outer, part);
            let flat = loaded(folder.path(), &[("back.ron", &back)], set);
            prop_assert_eq!(says(&before, &behind), says(&flat, &same), "{}\n{}\n{}", outer, part, back);
            prop_assert_eq!(results(&before, &behind), results(&flat, &same), "{}\n{}", text, back);
        }
        loaded(folder.path(), &[("part.ron", &part)], &[]);
        let (first, last) = (bits.trailing_zeros() as usize, nodes.len());
        let is_row = nodes.iter().enumerate().all(|(at, name)| *name == format!("n{}", first + at));
        // Detached comments stay.
        let is_whole = shapes[first..first + last - 1].iter().all(|shape| shape.3 < 3);
        if is_row && is_whole && prefix.is_empty() && shapes[first + last - 1].3 < 4 {
            prop_assert_eq!(back, text);
        }
    }

    /// An inlined subgraph has the same nodes under other names, with the same results.
    #[test]
    fn an_inlined_subgraph_is_the_same(shapes in shapes(), pick in 0..4096usize, prefix in "[a-z]{0,2}") {
        let mut text = graph(&shapes, pick);
        let before = text.clone();
        let mut names = HashMap::new();
        let folder = tempfile::tempdir().unwrap();
        for at in (0..shapes.len()).filter(|at| is_base(&shapes[*at])) {
            let node = format!("n{at}");
            let known = loaded(folder.path(), &[("graph.ron", &text), ("base.ron", BASE)], &[]);
            let taken: HashSet<&str> =
                known.graph.nodes.keys().map(|name| name.split('/').next().unwrap()).collect();
            text = inline(&text, &node, BASE, &prefix).unwrap();
            for inner in ["in", "top"] {
                let plain = format!("{prefix}{inner}");
                let free = std::iter::once(plain.clone()).chain((2..).map(|n| format!("{plain}_{n}")));
                let new = free.into_iter().find(|name| !taken.contains(name.as_str())).unwrap();
                if text.contains(&format!("\"{new}\": ")) {
                    names.insert(format!("{node}/{inner}"), new);
                }
            }
        }
        prop_assert!(!text.contains("Subgraph"));
        let renamed = |name: &str| names.get(name).cloned().unwrap_or_else(|| name.to_owned());
        let same = |name: &str| name.to_owned();
        for set in [&[][..], &[("p", "7.25")], &[("q", "3.0")]] {
            let old = loaded(folder.path(), &[("graph.ron", &before), ("base.ron", BASE)], set);
            let new = loaded(folder.path(), &[("flat.ron", &text)], set);
            prop_assert_eq!(says(&old, &renamed), says(&new, &same), "{}\n{}", before, text);
            prop_assert_eq!(results(&old, &renamed), results(&new, &same), "{}\n{}", before, text);
        }
    }

    /// Any text is either rejected or changed.
    #[test]
    fn any_broken_text_is_rejected_or_changed(
        shapes in shapes(),
        pick in 0..4096usize,
        cut in 0..2000usize,
        sign in "[\"(){}\\[\\],:$/ \n]{0,3}",
    ) {
        let text = graph(&shapes, pick);
        let at = text.floor_char_boundary(cut.min(text.len()));
        let broken = format!("{}{sign}{}", &text[..at], text.get(at + 1..).unwrap_or_default());
        for text in [&broken, &text[..at]] {
            let _ = extract(text, &["n0"], "part.ron", "part");
            let _ = inline(text, "n0", BASE, "");
            let _ = inline(&graph(&shapes, pick), "n0", text, "");
        }
    }
}

/// If any step scanned the whole text per node, this would take minutes.
#[test]
fn moving_many_nodes_takes_time_linear_in_the_text() {
    let mut text = "Graph(params: { \"p\": 1.0, \"w\": \"n0\" }, nodes: {\n \"n0\": Take(),\n".to_owned();
    for at in 1..10_000 {
        let output = if at % 3 == 0 { ".rest" } else { "" };
        text += &format!(
            "    // Node {at}.\n    \"n{at}\": Add(a: \"n{}{output}\", b: \"$w\", by: \"$p * {at}\"),\n",
            at - 1
        );
    }
    text += "})";
    let names: Vec<String> = (0..10_000).step_by(2).map(|at| format!("n{at}")).collect();
    let nodes: Vec<&str> = names.iter().map(String::as_str).collect();
    let start = std::time::Instant::now();
    let (outer, part) = extract(&text, &nodes, "part.ron", "part").unwrap();
    let back = inline(&outer, "part", &part, "x").unwrap();
    assert_eq!(back.matches(": Add(").count(), 9_999);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
