//! Whole sessions: each tool, what it answers, and what it refuses.

use serde_json::{Value as Json, json};

use crate::client::{HILLS, answers, calls, digest, error, fine, line, setup};

#[test]
fn the_protocol_is_spoken() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"resources/list"}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"terrane://llms.txt"}}"#,
        r#"{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"terrane://nodes/Blur"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#,
        r#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"chek"}}"#,
        r#"{"jsonrpc":"2.0","id":9,"method":"nothing"}"#,
        "no json",
        "[]",
        r#"{"id":10,"method":"ping"}"#,
    ];
    let answers = answers(setup(folder.path()), &(lines.join("\n") + "\n"));
    let of = |id: Json| answers.iter().find(|answer| answer["id"] == id).unwrap().clone();
    assert_eq!(of(json!(1))["result"]["protocolVersion"], "2025-03-26");
    assert_eq!(of(json!(2))["result"], json!({}));
    let tools = of(json!(3))["result"]["tools"].clone();
    for tool in tools.as_array().unwrap() {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["description"].as_str().unwrap().len() > 20);
    }
    assert!(of(json!(4))["result"]["resources"].as_array().unwrap().len() > 80);
    assert!(of(json!(5))["result"]["contents"][0]["text"].as_str().unwrap().contains("Graph("));
    assert!(of(json!(6))["result"]["contents"][0]["text"].as_str().unwrap().contains("radius"));
    assert_eq!(of(json!(7))["error"]["code"], -32002);
    assert!(of(json!(8))["error"]["message"].as_str().unwrap().contains("did you mean `check`?"));
    assert_eq!(of(json!(9))["error"]["code"], -32601);
    assert_eq!(of(json!(10))["error"]["code"], -32600);
    let codes: Vec<i64> = answers.iter().filter_map(|answer| answer["error"]["code"].as_i64()).collect();
    assert_eq!(codes.iter().filter(|code| **code == -32700).count(), 1);
}

#[test]
fn a_graph_is_written_mended_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = HILLS.replace("Blur", "Blurr").replace("height: \"a\"", "height: \"aa\"");
    let made = fine(folder.path(), "edit", &json!({ "path": "g.ron", "create": true, "text": wrong }));
    assert_eq!((&made["digest"], &made["check"]["valid"]), (&json!(digest(&wrong)), &json!(false)));
    let fix = made["check"]["mistakes"][0]["fix"].clone();
    assert_eq!(fix["text"], "Blur");
    let mended = fix["start"].as_u64().unwrap() as usize..fix["end"].as_u64().unwrap() as usize;
    assert_eq!(&wrong[mended], "Blurr");
    let read = ("read", json!({ "path": "g.ron" }));
    let results = calls(
        folder.path(),
        &[
            read.clone(),
            ("edit", json!({ "path": "g.ron", "digest": digest(&wrong), "edits": [fix] })),
            ("check", json!({ "path": "g.ron" })),
            ("run", json!({ "path": "g.ron" })),
        ],
    );
    assert_eq!(results[0]["structuredContent"]["text"], json!(wrong));
    let edited = &results[1]["structuredContent"];
    assert!(edited["difference"].as_str().unwrap().contains("+        \"b\": Blur("), "{edited:#}");
    assert_eq!(results[2]["structuredContent"]["mistakes"].as_array().unwrap().len(), 1);
    let refused = error(&results[3]);
    assert_eq!(refused["mistakes"][0]["fix"]["text"], "\"a\"", "{refused:#}");
    assert!(!folder.path().join("out").exists());
    let half = std::fs::read_to_string(folder.path().join("g.ron")).unwrap();
    let connect = json!([{ "op": "connect", "node": "b", "port": "height", "from": "a" }]);
    let results = calls(
        folder.path(),
        &[
            read,
            ("edit", json!({ "path": "g.ron", "digest": digest(&half), "edits": connect })),
            ("explain", json!({ "path": "g.ron" })),
            ("digest", json!({ "path": "g.ron" })),
            ("run", json!({ "path": "g.ron" })),
            ("explain", json!({ "path": "g.ron" })),
        ],
    );
    assert_eq!(results[1]["structuredContent"]["check"]["valid"], true, "{:#}", results[1]);
    assert_eq!(results[2]["structuredContent"]["nodes"][0]["runs"], true);
    let (values, files) =
        (&results[3]["structuredContent"]["values"], &results[4]["structuredContent"]["files"]);
    assert_eq!(files.as_array().unwrap().len(), 2, "{:#}", results[4]);
    for (value, file) in values.as_array().unwrap().iter().zip(files.as_array().unwrap()) {
        assert_eq!((&value["digest"], value["kind"].as_str()), (&file["digest"], Some("map")));
        let path = folder.path().join(file["file"].as_str().unwrap());
        assert_eq!(std::fs::metadata(path).unwrap().len(), file["bytes"].as_u64().unwrap());
    }
    assert_eq!(results[5]["structuredContent"]["nodes"][0]["cached"], true, "{:#}", results[5]);
}

#[test]
fn answers_about_mistakes_are_short_and_whole() {
    let folder = tempfile::tempdir().unwrap();
    let nodes: String = (0..300).map(|at| format!("        \"n{at}\": Perlin(octave: 3),\n")).collect();
    let many = format!("Graph(\n    nodes: {{\n{nodes}    }},\n)\n");
    let word = format!("Graph(nodes: {{ \"a\": Perlin(seed: {}) }})", "x".repeat(100_000));
    std::fs::write(folder.path().join("many.ron"), many).unwrap();
    std::fs::write(folder.path().join("word.ron"), word).unwrap();
    std::fs::write(folder.path().join("g.ron"), HILLS).unwrap();
    let set = json!([{ "op": "set", "node": "b", "field": "radius", "value": "f: 1" }]);
    let results = calls(
        folder.path(),
        &[
            ("check", json!({ "path": "many.ron" })),
            ("check", json!({ "path": "word.ron" })),
            ("edit", json!({ "path": "g.ron", "digest": digest(HILLS), "edits": set })),
        ],
    );
    let many = &results[0]["structuredContent"];
    assert_eq!((&many["mistake_count"], many["mistakes"].as_array().unwrap().len()), (&json!(300), 200));
    assert!(results[1].to_string().len() < 10_000, "{}", results[1].to_string().len());
    let refused = error(&results[2]);
    assert_eq!(refused["what"].as_str().unwrap().matches('`').count() % 2, 0, "{refused:#}");
}

#[test]
fn no_run_succeeds_without_an_output() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let without = HILLS.split("    outputs").next().unwrap().to_owned() + ")\n";
    write("none.ron", &without);
    write("empty.ron", &(without.trim_end().trim_end_matches(')').to_owned() + "    outputs: {},\n)\n"));
    write(
        "fails.ron",
        "Graph(size: (9, 9), nodes: { \"r\": Ramp(from: (1.0, 1.0), to: (1.0, 1.0)) }, outputs: {\
        \"r.npy\": \"r\" })",
    );
    write("good.ron", HILLS);
    std::fs::create_dir_all(folder.path().join("taken/b.npy")).unwrap();
    let results = calls(
        folder.path(),
        &[
            ("run", json!({ "path": "none.ron" })),
            ("run", json!({ "path": "empty.ron" })),
            ("run", json!({ "path": "fails.ron" })),
            ("run", json!({ "path": "good.ron", "only": ["c.npy"] })),
            ("run", json!({ "path": "good.ron", "out": "taken" })),
            ("digest", json!({ "path": "none.ron" })),
        ],
    );
    for (number, told) in [(0, "no outputs"), (1, "no outputs"), (3, "no output `c.npy`"), (5, "no outputs")]
    {
        let what = error(&results[number])["what"].as_str().unwrap().to_owned();
        assert!(what.contains(told), "{number}: {what}");
    }
    error(&results[2]);
    error(&results[4]);
}

#[test]
fn values_are_shown_with_their_range_and_digest() {
    use base64::Engine as _;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("g.ron"), HILLS).unwrap();
    let results = calls(
        folder.path(),
        &[
            ("picture", json!({ "path": "g.ron", "port": "a", "size": [600, 300] })),
            ("digest", json!({ "path": "g.ron", "ports": ["a"], "size": [600, 300] })),
            ("picture", json!({ "path": "g.ron", "port": "a", "side": 513 })),
            ("digest", json!({ "path": "g.ron", "ports": ["c"] })),
        ],
    );
    let image = &results[0]["content"][1];
    assert_eq!((image["type"].as_str(), image["mimeType"].as_str()), (Some("image"), Some("image/png")));
    let data = base64::engine::general_purpose::STANDARD.decode(image["data"].as_str().unwrap()).unwrap();
    let decoder = png::Decoder::new(std::io::Cursor::new(data)).read_info().unwrap();
    assert_eq!((decoder.info().width, decoder.info().height), (512, 256));
    let (shown, told) = (&results[0]["structuredContent"], &results[1]["structuredContent"]["values"][0]);
    for fact in ["digest", "min", "max", "holes", "size"] {
        assert_eq!(shown[fact], told[fact], "{fact}");
    }
    assert!(told["min"].as_f64().unwrap() < told["max"].as_f64().unwrap());
    assert_eq!(error(&results[2])["where"], "side");
    assert!(error(&results[3])["what"].as_str().unwrap().contains("no node `c`"));
}

#[test]
fn snapshots_are_compared_and_accepted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("g.ron"), HILLS).unwrap();
    let test = |accept: bool| {
        calls(folder.path(), &[("snapshot_test", json!({ "path": "g.ron", "accept": accept }))]).remove(0)
    };
    assert_eq!(error(&test(false))["results"][0]["outcome"], "new");
    assert_eq!(test(true)["structuredContent"]["results"][0]["outcome"], "accepted");
    assert_eq!(test(false)["structuredContent"]["passed"], true);
    std::fs::write(folder.path().join("g.ron"), HILLS.replace("radius: 2.0", "radius: 3.0")).unwrap();
    let changed = test(false);
    assert!(!error(&changed)["results"][0]["difference"].as_str().unwrap().is_empty());
}

#[test]
fn slow_calls_end_in_time_and_cancelled_ones_are_not_answered() {
    let folder = tempfile::tempdir().unwrap();
    let slow = "Graph(size: (513, 513), nodes: { \"a\": Perlin(wavelength: 90.0), \"b\": \
        ThermalErosion(height: \
        \"a\", talus: 0.0, iterations: 100000) }, outputs: { \"b.npy\": \"b\" })";
    std::fs::write(folder.path().join("g.ron"), slow).unwrap();
    let mut short = setup(folder.path());
    short.timeout = std::time::Duration::from_millis(300);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let digest = json!({ "path": "g.ron" });
    let lines = format!("{}{}{cancel}\n", line(0, "digest", &digest), line(1, "digest", &digest));
    let answers = answers(short, &lines);
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(error(&answers[0]["result"])["what"].as_str().unwrap().contains("took too long"));
}

#[test]
fn a_graph_that_needs_too_much_memory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("g.ron"), HILLS).unwrap();
    let large = json!({ "path": "g.ron", "size": [30000, 30000] });
    let result = calls(folder.path(), &[("run", large)]).remove(0);
    assert!(error(&result)["remedy"].as_str().unwrap().contains("--memory"));
    assert!(!folder.path().join("out").exists());
}
