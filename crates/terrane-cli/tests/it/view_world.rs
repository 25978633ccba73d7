//! `terrane view` of a patch of a world, from a page's point of view.

use std::fs;

use serde_json::{Value as Json, json};

use crate::preview::{Page, Preview};
use crate::running::terrane;

const WORLD: &str = "// A world.
World(patch: \"hills.ron\")
";

/// A patch with a margin: `facts` describes the patch's own samples, and `soft` reads four samples around
/// each.
const HILLS: &str = "// Hills.
Graph(
    size: (33, 17), spacing: 2.0, seed: 3,
    params: { \"high\": 50.0 }, // one number
    nodes: {
        \"hills\": Perlin(wavelength: 40.0, octaves: 3, amplitude: \"$high\"),
        \"soft\": Blur(height: \"hills\", radius: 4.0), // looks around
        \"facts\": Statistics(height: \"soft\"),
    },
    outputs: { \"soft.npy\": \"soft\", \"facts.json\": \"facts\" },
)
";

const ROADS: &str = "World(patch: \"patch.ron\", nodes: [(5, 5), (60, 20)], edges: [(0, 1)])";
const PATCH: &str = "Graph(size: (33, 33), seed: 5, nodes: {
    \"ground\": Perlin(wavelength: 40, octaves: 4),
    \"graph\": PathGraph(nodes: [(1, 1), (9, 9)], edges: [(0, 1)]),
    \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", width: 2.0, border: 3.0, borders: Shared),
    \"height\": RelaxPath(height: \"ground\", subdivision: \"bounds\"),
}, outputs: { \"height.tif\": \"height\" })";

/// Reads messages until a node has another id, because a change is reported before it is evaluated.
fn until_other(page: &mut Page, node: &str, old: &str) {
    page.until(|graph, state| {
        let nodes = graph["nodes"].as_array().unwrap();
        let at = nodes.iter().position(|other| other["name"] == node);
        let now = at.and_then(|at| state["nodes"][at]["ids"][0].as_str());
        state["phase"] == "done"
            && state["revision"] == graph["revision"]
            && now.is_some_and(|now| now != old)
    });
}

fn numbers_of(preview: &Preview, page: &Page, node: &str) -> Json {
    preview.json(&format!("value/{}/numbers", page.id(page.number(node))))
}

#[test]
fn values_of_a_patch_are_changed_in_its_graph_file() {
    let preview = Preview::of(&[("w.ron", WORLD), ("hills.ron", HILLS)], &["--patch", "3,-2"]);
    let mut page = preview.page();
    page.done();
    assert_eq!(page.graph["title"], "w.ron, patch 3,-2");
    // Both the nodes with a margin and those of the patch alone refer to their lines in the graph file.
    let lines = ["hills", "soft", "soft.height (patch)", "facts"]
        .map(|node| page.graph["nodes"][page.number(node)]["line"].clone());
    assert_eq!(
        lines.map(|line| line.as_str().unwrap().rsplit(':').next().unwrap().parse::<u32>().unwrap()),
        [6, 7, 7, 8]
    );
    let size = |page: &Page, node: &str| {
        preview.json(&format!("value/{}/about", page.id(page.number(node))))["size"].clone()
    };
    assert_eq!(size(&page, "soft.height (patch)"), json!([33, 17]));
    assert!(size(&page, "soft")[0].as_u64().unwrap() > 33);
    // The values are equal to those of other commands.
    let own = |page: &Page| {
        let at = format!("value/{}/sample?x=5&y=7", page.id(page.number("soft.height (patch)")));
        preview.json(&at)
    };
    let folder = preview.folder.path();
    let eval = |node: &str| {
        let args = ["eval", "w.ron", node, "--patch", "3,-2", "-o", "-"];
        serde_json::from_slice::<Json>(&terrane(folder, args).stdout).unwrap()
    };
    let first = own(&page);
    assert_eq!(numbers_of(&preview, &page, "facts")["mean"], eval("facts")["mean"]);
    // First a value that the world sets, on a node that Terrane adds to cut the patch out. Then a value that
    // also affects the margin around the patch.
    let rim = page.param("soft.height (patch)", "rim");
    assert!(rim["why"].as_str().unwrap().contains("the world sets it"), "{rim}");
    assert_eq!(page.param("soft", "radius")["home"], "hills.ron: soft.radius");
    assert_eq!(page.graph["params"][0]["drives"], json!([["hills", "amplitude"]]));
    page.set("soft.height (patch)", "rim", 1);
    page.until(|_, state| {
        state["notice"].as_str().is_some_and(|notice| notice.contains("the world sets it"))
    });
    let old = page.id(page.number("soft.height (patch)"));
    page.set("soft", "radius", 6);
    until_other(&mut page, "soft.height (patch)", &old);
    assert_ne!(own(&page), first);
    assert_eq!(page.state["changes"][0]["value"], "6.0");
    assert_eq!(fs::read_to_string(preview.file("hills.ron")).unwrap(), HILLS, "the file waits");
    let before = page.id(page.number("facts"));
    page.set(Json::Null, "high", 70);
    page.until(|_, state| state["changes"].as_array().is_some_and(|changes| changes.len() == 2));
    page.say(&json!({ "do": "write" }));
    page.until(|_, state| state["changes"] == json!([]));
    let notice =
        page.until(|_, state| state["notice"].as_str().is_some_and(|text| text.starts_with("wrote")));
    assert_eq!(notice["notice"], "wrote 2 values to hills.ron");
    let turned = HILLS.replace("radius: 4.0", "radius: 6.0").replace("\"high\": 50.0", "\"high\": 70.0");
    assert_eq!(fs::read_to_string(preview.file("hills.ron")).unwrap(), turned);
    assert_eq!(fs::read_to_string(preview.file("w.ron")).unwrap(), WORLD);
    until_other(&mut page, "facts", &before);
    assert_eq!(numbers_of(&preview, &page, "facts")["mean"], eval("facts")["mean"]);
}

#[test]
fn saving_the_world_or_its_graph_updates_the_page() {
    let other = HILLS.replace("seed: 3", "seed: 4");
    let files = [("w.ron", WORLD), ("hills.ron", HILLS), ("other.ron", other.as_str())];
    let preview = Preview::of(&files, &["--patch", "0,0", "--level", "1"]);
    let mut page = preview.page();
    page.done();
    assert_eq!(page.graph["title"], "w.ron, patch 0,0, level 1");
    let own = |page: &Page| page.id(page.number("soft.height (patch)"));
    let next = |page: &mut Page, old: &str| until_other(page, "soft.height (patch)", old);
    let first = own(&page);
    fs::write(preview.file("hills.ron"), HILLS.replace("octaves: 3", "octaves: 2")).unwrap();
    next(&mut page, &first);
    let second = own(&page);
    fs::write(preview.file("w.ron"), WORLD.replace("hills.ron", "other.ron")).unwrap();
    next(&mut page, &second);
    let third = own(&page);
    // The graph that the world names now is watched, too.
    fs::write(preview.file("other.ron"), other.replace("octaves: 3", "octaves: 2")).unwrap();
    next(&mut page, &third);
    // If the world is broken, the page keeps the last result and shows the error.
    fs::write(preview.file("w.ron"), "World(patch: \"none.ron\")").unwrap();
    page.until(|_, state| state["errors"].to_string().contains("none.ron"));
    fs::write(preview.file("w.ron"), WORLD).unwrap();
    page.until(|_, state| state["errors"] == json!([]));
}

#[test]
fn a_patch_that_does_not_load_at_first_shows_its_errors() {
    let broken = HILLS.replace("Blur", "Blurr");
    let preview = Preview::of(&[("w.ron", WORLD), ("hills.ron", &broken)], &["--patch", "0,0"]);
    let mut page = preview.page();
    let state = page.until(|_, state| state["errors"] != json!([]));
    assert_eq!((&state["phase"], &state["errors"][0]["line"]), (&json!("waiting"), &json!(7)));
    fs::write(preview.file("hills.ron"), HILLS).unwrap();
    page.done();
    // The same for a file that cannot be recognised as a world.
    let preview = Preview::of(&[("w.ron", "{"), ("hills.ron", HILLS)], &["--patch", "0,0"]);
    let mut page = preview.page();
    page.until(|_, state| state["errors"] != json!([]));
    fs::write(preview.file("w.ron"), WORLD).unwrap();
    page.done();
}

#[test]
fn paths_of_the_world_cannot_be_changed_in_the_graph() {
    let preview = Preview::of(&[("w.ron", ROADS), ("patch.ron", PATCH)], &["--patch", "1,0"]);
    let mut page = preview.page();
    page.done();
    let nodes = page.param("graph", "nodes");
    assert!(nodes["why"].as_str().unwrap().contains("the world sets it"), "{nodes}");
    assert!(nodes["text"].as_str().unwrap().contains("60.0"), "those of the world: {nodes}");
    assert_eq!(page.param("bounds", "width")["home"], "patch.ron: bounds.width");
    let old = page.id(page.number("bounds"));
    page.set("bounds", "width", 3);
    until_other(&mut page, "bounds", &old);
    page.say(&json!({ "do": "write" }));
    page.until(|_, state| state["changes"] == json!([]));
    assert_eq!(
        fs::read_to_string(preview.file("patch.ron")).unwrap(),
        PATCH.replace("width: 2.0", "width: 3.0")
    );
    assert_eq!(fs::read_to_string(preview.file("w.ron")).unwrap(), ROADS);
}

#[test]
fn a_graph_outside_the_worlds_folder_is_not_written() {
    let world = WORLD.replace("hills.ron", "../hills.ron");
    let files = [("inner/w.ron", world.as_str()), ("hills.ron", HILLS)];
    let preview = Preview::of(&files, &["--patch", "0,0", "--allow-outside"]);
    let mut page = preview.page();
    page.done();
    let radius = page.param("soft", "radius");
    assert!(radius["why"].as_str().unwrap().ends_with("is outside the world's folder"), "{radius}");
    page.set("soft", "radius", 6);
    page.until(|_, state| state["notice"].as_str().is_some_and(|notice| notice.contains("outside")));
    page.say(&json!({ "do": "write" }));
    page.until(|_, state| state["notice"] == "there are no changes to write");
    assert_eq!(fs::read_to_string(preview.file("hills.ron")).unwrap(), HILLS);
}

#[test]
fn a_world_has_a_patch_and_a_graph_has_none() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("w.ron"), WORLD).unwrap();
    fs::write(folder.path().join("hills.ron"), HILLS).unwrap();
    for (args, part) in [
        (&["w.ron"][..], "choose one of its patches, such as --patch 3,-2"),
        (&["w.ron", "--level", "1"], "is unbounded"),
        (&["hills.ron", "--patch", "0,0"], "is a graph, not a world"),
        (&["hills.ron", "--level", "2"], "leave out --patch, --patches and --level"),
        (&["w.ron", "--patch", "x"], "is not a patch"),
    ] {
        let output = terrane(folder.path(), [&["view", "--no-open", "--port", "0"], args].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(part), "{args:?}: {said}");
    }
}

#[test]
fn a_large_patch_comes_coarse_first() {
    let large = HILLS.replace("(33, 17)", "(1025, 1025)");
    let preview = Preview::of(&[("w.ron", WORLD), ("hills.ron", &large)], &["--patch", "3,-2"]);
    let mut page = preview.page();
    page.until(|_, state| state["coarse"] == json!([257, 257]));
    page.done();
    assert!(page.state["nodes"].as_array().unwrap().iter().all(|node| node["coarse"] == false));
    let id = page.id(page.number("soft.height (patch)"));
    assert_eq!(preview.json(&format!("value/{id}/about"))["size"], json!([1025, 1025]));
}
