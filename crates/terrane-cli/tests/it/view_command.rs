//! `terrane view` from a page's point of view: its WebSocket and its content.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};

use crate::preview::{self, Preview};

const GRAPH: &str = "// A graph.
Graph(
    size: (65, 33), spacing: 2.0,
    nodes: {
        \"ramp\": Ramp(to: (128.0, 0.0), high: 64.0), // from west to east
        \"soft\": Blur(height: \"ramp\", radius: 4.0),
        \"score\": ErosionScore(height: \"soft\"),
    },
    outputs: { \"soft.npy\": \"soft\" },
)
";

/// A graph that uses another graph twice, once with a different parameter.
const USES: &str = "// Two of one.
Graph(
    size: (65, 33), spacing: 2.0,
    params: { \"top\": 64.0 }, // one number
    nodes: {
        \"a\": Subgraph(file: \"ground.ron\", params: { \"high\": \"$top\" }),
        \"b\": Subgraph(file: \"ground.ron\"),
        \"both\": Combine(a: \"a\", b: \"b\", mode: Add),
    },
    outputs: { \"both.npy\": \"both\" },
)
";
const GROUND: &str = "Graph(
    size: (65, 33), params: { \"high\": 32.0 },
    nodes: {
        \"ramp\": Ramp(to: (128.0, 0.0), high: \"$high\"),
        \"bent\": Curve(
            height: \"ramp\",
            points: [(0.0, 0.0), (32, 10), (64.0, 64.0)], // bends
        ),
    },
    outputs: { \"bent.npy\": \"bent\" },
)
";

#[test]
fn content_is_addressed_by_digest_and_read_at_full_resolution() {
    let preview = Preview::of(&[("g.ron", GRAPH)], &[]);
    let mut page = preview.page();
    page.done();
    assert_eq!(page.graph["wires"], json!([[0, 0, 1, 0], [1, 0, 2, 0]]));
    assert_eq!(page.graph["nodes"][1]["line"], "g.ron:6");
    let ramp = page.id(0);
    let about = preview.json(&format!("value/{ramp}/about"));
    assert_eq!(
        (&about["face"], &about["size"], &about["max"]),
        (&json!("heights"), &json!([65, 33]), &json!(64.0))
    );
    let at = preview.json(&format!("value/{ramp}/sample?x=10&y=5"));
    assert_eq!(at, json!({ "x": 20.0, "y": 10.0, "height": 10.0, "slope": 0.5 }));
    assert_eq!(preview.json(&format!("value/{ramp}/sample?x=65&y=5")), json!({}), "outside");
    let (status, head, heights) = preview.get(&format!("value/{ramp}/heights?side=33"));
    assert!(status == 200 && head.contains("immutable"), "{head}");
    assert_eq!(heights.len(), 33 * 17 * 4);
    assert_eq!(
        f32::from_le_bytes(heights[16 * 4..17 * 4].try_into().unwrap()),
        32.0,
        "the middle of the first row"
    );
    for picture in ["thumbnail", "tile?level=0&x=0&y=0", "picture?side=2048&ramp=ocean&contours=1"] {
        let (status, head, body) = preview.get(&format!("value/{ramp}/{picture}"));
        assert!(
            status == 200 && head.contains("image/png") && body.starts_with(b"\x89PNG"),
            "{picture}: {head}"
        );
    }
    assert_eq!(preview.get(&format!("value/{ramp}/tile?level=0&x=1&y=0")).0, 404);
    assert_eq!(preview.get(&format!("value/{ramp}/tile?level=99999999999&x=99999999999&y=0")).0, 404);
    assert_eq!(preview.get(&format!("value/{ramp}/numbers")).0, 404);
    let score = page.id(2);
    assert!(preview.json(&format!("value/{score}/numbers"))["score"].is_number());
}

#[test]
fn a_change_is_previewed_and_written_only_on_request() {
    let preview = Preview::of(&[("g.ron", GRAPH)], &[]);
    let (mut page, mut other) = (preview.page(), preview.page());
    page.done();
    let first = page.id(1);
    page.say(&json!({ "do": "look", "ports": [["soft", 0]] }));
    page.set("soft", "radius", 6);
    // A change is reported before it is evaluated. Until its evaluation starts, the state is still `done`,
    // from the last evaluation.
    let changed = |graph: &Json, state: &Json| {
        state["phase"] == "done"
            && state["revision"] == graph["revision"]
            && state["changes"][0]["value"] == "6.0"
            && state["nodes"][1]["ids"][0] != first.as_str()
    };
    page.until(changed);
    other.until(changed);
    assert_eq!(page.id(1), other.id(1));
    assert_eq!(fs::read_to_string(preview.file("g.ron")).unwrap(), GRAPH, "the file waits");
    for (parameter, value) in
        [("radius", json!("6.0), \"x\": Ramp(")), ("nothing", json!(1)), ("radius", json!(null))]
    {
        page.set("soft", parameter, value);
        page.until(|_, state| {
            state["notice"].as_str().is_some_and(|notice| notice.contains(&format!("`{parameter}`")))
        });
        assert_eq!(page.state["changes"].as_array().unwrap().len(), 1);
    }
    page.set("soft", "radius", -1);
    page.until(|_, state| {
        state["errors"][0]["message"].as_str().is_some_and(|error| error.contains("radius"))
    });
    assert_eq!(page.id(1), other.id(1), "the last good result stays");
    page.set("soft", "radius", 6);
    // The file is saved in the meantime: the change is written into the new text.
    fs::write(preview.file("g.ron"), GRAPH.replace("128.0", "256.0")).unwrap();
    page.until(|graph, state| {
        state["errors"] == json!([]) && graph["nodes"][0]["params"].to_string().contains("256.0")
    });
    page.say(&json!({ "do": "write" }));
    page.until(|_, state| state["changes"] == json!([]));
    assert_eq!(page.until(|_, state| state["notice"].is_string())["notice"], "wrote 1 value to g.ron");
    let text = fs::read_to_string(preview.file("g.ron")).unwrap();
    assert_eq!(text, GRAPH.replace("128.0", "256.0").replace("radius: 4.0", "radius: 6.0"));
}

/// A file that has become a link or a pipe since it was read is not written.
#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_or_into_a_pipe() {
    let preview = Preview::of(&[("g.ron", GRAPH)], &[]);
    let mut page = preview.page();
    page.done();
    let (file, outside) = (preview.file("g.ron"), tempfile::tempdir().unwrap());
    let precious = outside.path().join("precious.ron");
    fs::write(&precious, GRAPH).unwrap();
    for number in 0..4 {
        let value = 6 + number;
        let is_changed = |state: &Json| {
            let changes = state["changes"].as_array();
            changes.is_some_and(|changes| changes.iter().any(|change| change["given"] == value))
        };
        page.set("soft", "radius", value);
        page.until(|_, state| is_changed(state));
        fs::remove_file(&file).unwrap();
        match number {
            0 | 1 => std::os::unix::fs::symlink(&precious, &file).unwrap(),
            2 => std::os::unix::fs::symlink(outside.path().join("not there"), &file).unwrap(),
            _ => assert!(Command::new("mkfifo").arg(&file).status().unwrap().success()),
        }
        if number == 1 {
            // The page has read the graph through the link.
            std::thread::sleep(std::time::Duration::from_secs(2));
            page.set("soft", "radius", value);
            page.until(|_, state| is_changed(state) || state["notice"].is_string());
        }
        page.say(&json!({ "do": "write" }));
        let said = page.until(|_, state| state["notice"].is_string())["notice"].clone();
        assert!(!said.as_str().unwrap().starts_with("wrote"), "{number}: {said}");
        assert!(!fs::symlink_metadata(&file).unwrap().is_file(), "{number}: {said}");
        assert_eq!(fs::read_to_string(&precious).unwrap(), GRAPH, "{number}: {said}");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "{number}: {said}");
        fs::remove_file(&file).unwrap();
        fs::write(&file, GRAPH).unwrap();
        page.until(|_, state| state["errors"] == json!([]));
    }
}

#[test]
fn values_are_changed_in_the_file_that_defines_them() {
    let preview = Preview::of(&[("g.ron", USES), ("ground.ron", GROUND)], &[]);
    let inner = preview.file("ground.ron");
    let mut page = preview.page();
    page.done();
    assert_eq!(page.param("a/bent", "points")["in"], json!({ "file": "ground.ron", "uses": 2 }));
    assert_eq!(page.param("a/ramp", "high")["home"], "g.ron: $top");
    assert_eq!(page.param("b/ramp", "high")["home"], "ground.ron: $high");
    page.set("a/bent", "points", json!([[0, 0], [32, 20], [64, 64]]));
    page.set("a/ramp", "high", 50);
    page.set("b/ramp", "high", 40);
    page.until(|graph, state| {
        state["phase"] == "done"
            && state["revision"] == graph["revision"]
            && state["changes"].as_array().is_some_and(|changes| changes.len() == 3)
    });
    assert_eq!(
        page.param("b/bent", "points")["value"],
        json!([[0.0, 0.0], [32.0, 20.0], [64.0, 64.0]]),
        "both uses change"
    );
    assert_eq!(page.graph["params"][0]["value"], json!(50.0));
    assert_eq!(page.graph["params"][0]["drives"], json!([["a/ramp", "high"]]));
    page.set(Json::Null, "top", 55);
    page.until(|graph, _| graph["params"][0]["value"] == json!(55.0));
    assert_eq!(page.state["changes"].as_array().unwrap().len(), 3, "one place is one change");
    page.say(&json!({ "do": "reset", "home": "ground.ron: $high" }));
    page.until(|_, state| state["changes"].as_array().is_some_and(|changes| changes.len() == 2));
    page.say(&json!({ "do": "write" }));
    page.until(|_, state| state["changes"] == json!([]));
    let notice = page.until(|_, state| state["notice"].is_string())["notice"].clone();
    assert_eq!(notice, "wrote 1 value to ground.ron and 1 value to g.ron");
    assert_eq!(
        fs::read_to_string(preview.file("g.ron")).unwrap(),
        USES.replace("\"top\": 64.0", "\"top\": 55.0")
    );
    let points = "points: [(0.0, 0.0), (32, 20.0), (64.0, 64.0)], // bends";
    assert_eq!(
        fs::read_to_string(&inner).unwrap(),
        GROUND.replace("points: [(0.0, 0.0), (32, 10), (64.0, 64.0)], // bends", points)
    );
}

#[test]
fn json_events_are_the_same_as_those_of_watch() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.ron"), GRAPH).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_terrane"))
        .args(["view", "g.ron", "--no-open", "--port", "0", "--json", "--profile"])
        .current_dir(folder.path())
        .env("TERRANE_CACHE_DIR", folder.path().join("cache"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |wanted: &str| {
        let mut seen = Vec::new();
        loop {
            let line: Json = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
            seen.push(line["event"].as_str().unwrap().to_owned());
            if line["event"] == wanted {
                return (line, seen);
            }
        }
    };
    let (listening, seen) = until("listening");
    assert!(seen.len() == 1 && listening["address"].as_str().unwrap().starts_with("http://127.0.0.1:"));
    let (done, seen) = until("done");
    assert_eq!((&done["ran"], &done["coarse"]), (&json!(["ramp", "soft", "score"]), &json!(false)));
    assert!(seen.contains(&"planned".to_owned()) && seen.contains(&"finished".to_owned()), "{seen:?}");
    fs::write(folder.path().join("g.ron"), "Graph(").unwrap();
    assert!(until("broken").0["diagnostic"]["message"].is_string());
    child.kill().unwrap();
    let mut table = String::new();
    child.stderr.take().unwrap().read_to_string(&mut table).unwrap();
    child.wait().unwrap();
    assert!(
        table.contains("node")
            && table.lines().any(|line| line.starts_with("score") && line.ends_with("ran")),
        "{table}"
    );
}

#[test]
fn errors_have_their_lines_and_disappear_when_fixed() {
    let preview = Preview::of(&[("g.ron", "Graph(nodes: {")], &[]);
    let mut page = preview.page();
    let state = page.until(|_, state| state["errors"] != json!([]));
    assert_eq!(
        (&state["phase"], &state["errors"][0]["line"]),
        (&json!("waiting"), &json!(1)),
        "a first load that fails"
    );
    fs::write(preview.file("g.ron"), GRAPH).unwrap();
    page.done();
    let good = page.id(1);
    fs::write(preview.file("g.ron"), GRAPH.replace("Blur", "Blurr")).unwrap();
    let error = page.until(|_, state| state["errors"] != json!([]))["errors"][0].clone();
    assert_eq!(
        (&error["file"], &error["line"], &error["column"], &error["length"]),
        (&json!("g.ron"), &json!(6), &json!(17), &json!(5))
    );
    assert_eq!(error["excerpt"][3], json!([6, "        \"soft\": Blurr(height: \"ramp\", radius: 4.0),"]));
    assert_eq!(page.id(1), good);
    fs::remove_file(preview.file("g.ron")).unwrap();
    page.until(|_, state| {
        state["errors"][0]["message"].as_str().is_some_and(|message| message.starts_with("cannot read"))
    });
    fs::write(preview.file("g.ron"), GRAPH).unwrap();
    page.until(|_, state| state["errors"] == json!([]));
}

#[test]
fn large_graphs_come_coarse_first() {
    let text = GRAPH.replace("(65, 33)", "(1025, 1025)").replace(
        "Blur(height: \"ramp\", radius: 4.0)",
        "ThermalErosion(height: \"ramp\", talus: 0.1, iterations: 200)",
    );
    let preview = Preview::of(&[("g.ron", &text)], &[]);
    let mut page = preview.page();
    page.until(|_, state| state["coarse"] == json!([257, 257]));
    page.until(|_, state| state["nodes"][0]["coarse"] == true);
    page.done();
    assert!(page.state["nodes"].as_array().unwrap().iter().all(|node| node["coarse"] == false));
    assert_eq!(preview.json(&format!("value/{}/about", page.id(1)))["size"], json!([1025, 1025]));
}

/// What a page shows is evaluated before what it does not show, and a costly picture only for a page that
/// shows it.
#[test]
fn what_a_page_shows_comes_first() {
    let text = "Graph(size: (257, 257), params: { \"rough\": 0.5 }, nodes: {
        \"hills\": Perlin(wavelength: 90.0, amplitude: 60.0, persistence: \"$rough\"),
        \"high\": Select(height: \"hills\", range: (30.0, 90.0)),
        \"slow\": ThermalErosion(height: \"hills\", talus: 0.1, iterations: 2000),
        \"after\": Blur(height: \"slow\", radius: 4.0),
        \"scene\": Render(height: \"hills\", pixels: (257, 257)),
        \"drawn over\": Overlay(picture: \"scene\", mask: \"high\", opacity: 0.5),
    })";
    let preview = Preview::of(&[("g.ron", text)], &[]);
    let mut page = preview.page();
    page.done();
    let status = |state: &Json, node: usize| state["nodes"][node]["status"].clone();
    for unseen in [4, 5] {
        assert_eq!(status(&page.state, unseen), json!("unseen"));
        assert_eq!(page.id(unseen), "");
    }
    // The tuned node is there while a slow one has not ended.
    page.say(&json!({ "do": "look", "ports": [["high", 0]] }));
    for (step, rough) in [0.4, 0.45].into_iter().enumerate() {
        let before = page.id(1);
        page.set(Json::Null, "rough", rough);
        page.until(|_, state| state["nodes"][1]["ids"][0] != json!(before));
        assert_ne!(status(&page.state, 2), json!("done"), "{step}");
        assert_eq!(page.state["nodes"][1]["coarse"], json!(false));
        // Another selection interrupts the slow node.
        if step == 1 {
            break;
        }
        page.done();
    }
    page.say(&json!({ "do": "look", "ports": [["drawn over", 0]] }));
    page.until(|_, state| state["nodes"][5]["ids"] != json!([]));
    assert_ne!(status(&page.state, 2), json!("done"));
    page.done();
    assert!((0..6).all(|node| !page.id(node).is_empty()));
    assert_eq!(preview.json(&format!("value/{}/about", page.id(4)))["size"], json!([257, 257]));
}

/// Results of nodes on which a change has no effect are not replaced by coarse ones.
#[test]
fn coarse_results_replace_no_full_ones() {
    let text = "Graph(size: (1025, 1025), nodes: {
        \"hills\": Perlin(wavelength: 90.0, amplitude: 60.0),
        \"slow\": ThermalErosion(height: \"hills\", talus: 0.1, iterations: 60),
        \"soft\": Blur(height: \"slow\", radius: 60.0),
    })";
    let preview = Preview::of(&[("g.ron", text)], &[]);
    let mut page = preview.page();
    page.say(&json!({ "do": "look", "ports": [["soft", 0]] }));
    page.done();
    let (hills, soft) = (page.id(0), page.id(2));
    page.set("slow", "iterations", 61);
    page.until(|_, state| {
        assert_eq!(state["nodes"][0]["ids"][0], json!(hills));
        assert_eq!(state["nodes"][0]["coarse"], json!(false));
        state["nodes"][2]["coarse"] == json!(true)
    });
    page.done();
    assert_eq!(page.id(0), hills);
    assert!(page.id(2) != soft && page.state["nodes"][2]["coarse"] == json!(false));
}

#[test]
fn bad_arguments_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.ron"), GRAPH).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_terrane"))
        .args(["view", "g.ron", "--no-open", "--token", "short"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("16 to 128 letters") && text.contains("leave --token out"), "{text}");
}

#[test]
fn a_lazy_output_is_evaluated_when_a_page_shows_it() {
    let text = "Graph(size: (65, 33), nodes: { \"noise\": Perlin(wavelength: 20.0) })";
    let preview = Preview::of(&[("g.ron", text)], &[]);
    let mut page = preview.page();
    page.done();
    let id = |page: &preview::Page, output: usize| {
        page.state["nodes"][0]["ids"][output].as_str().unwrap_or_default().to_owned()
    };
    let (height, nothing) = (id(&page, 0), id(&page, 1));
    page.say(&json!({ "do": "look", "ports": [["noise", 1], ["noise", 2]] }));
    page.until(|_, state| {
        let ids = &state["nodes"][0]["ids"];
        state["phase"] == "done" && ids[1] != json!(nothing) && ids[1] != ids[2]
    });
    assert_eq!(id(&page, 0), height);
    for output in [1, 2] {
        assert_eq!(preview.json(&format!("value/{}/about", id(&page, output)))["size"], json!([65, 33]));
    }
}
