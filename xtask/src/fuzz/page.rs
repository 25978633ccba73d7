//! Messages from a page to a preview. Whatever their content, the graph's files stay valid, comments are
//! kept, and the written text is the text shown.

use std::path::Path;
use std::sync::Arc;

use terrane::flow::{LoadOptions, Registry, Value, load_file};
use terrane::view::{Desk, Face, Faces};
use terrane::{Engine, EngineOptions};

use super::Target;
use super::format::picture;
use super::mutate::Rng;
use super::tokens::Corpus;
use crate::Result;

/// A graph and its subgraph, with comments next to everything that is not a value.
const FILES: [(&str, &str); 2] = [
    (
        "graph.ron",
        concat!(
            "// kept 1\n",
            "Graph(\n",
            "    size: (9, 9), // kept 2\n",
            "    params: {\n",
            "        \"p\": 0.5, // kept 3\n",
            "        \"list\": [(0.0, 0.0), (1.0, 1.0)],\n",
            "        \"count\": 2,\n",
            "    },\n",
            "    nodes: {\n",
            "        // kept 4\n",
            "        \"a\": Perlin(wavelength: 5.0, octaves: \"$count\", persistence: \"$p\"), // kept 5\n",
            "        \"b\": Perturb(height: \"a\", magnitude: 0.25),\n",
            "        \"c\": Curve(height: \"b\", points: \"$list\"),\n",
            "        \"d\": Combine(a: \"a\", b: \"c\", mode: Lerp, weight: 0.5),\n",
            "        \"v\": Voronoi(regions: 3, coefficients: [-1.0, 1.0]),\n",
            "        \"g\": GridGraph(),\n",
            "        \"s\": Section(graph: \"g\"),\n",
            "        \"t\": AssignTerrain(fields: \"s\", ",
            "descriptions: [(\"hills\", Noise(amplitude: 5.0))]),\n",
            "        \"part\": Subgraph(file: \"part.ron\", params: { \"q\": 0.25 /* kept 6 */ }),\n",
            "    },\n",
            "    outputs: { \"d.tif\": \"d\" },\n",
            ")\n",
        ),
    ),
    (
        "part.ron",
        "Graph(params: { \"q\": 1.0 }, nodes: { /* kept 7 */ \"x\": Constant(value: \"$q\"), \"y\": Ramp() \
        })\r\n",
    ),
];

/// Messages as pages send them.
const MESSAGES: [&str; 63] = [
    r#"{"do":"set","node":"a","parameter":"wavelength","value":7.5}"#,
    r#"{"do":"set","node":"a","parameter":"octaves","value":3}"#,
    r#"{"do":"set","node":"a","parameter":"persistence","value":0.75}"#,
    r#"{"do":"set","node":"b","parameter":"magnitude","value":"0.5"}"#,
    r#"{"do":"set","node":"b","parameter":"boundary","value":"Open"}"#,
    r#"{"do":"set","node":"c","parameter":"points","value":[[0,0],[0.5,0.1],[1,1]]}"#,
    r#"{"do":"set","node":"d","parameter":"mode","value":"Add"}"#,
    r#"{"do":"set","node":"d","parameter":"weight","value":null}"#,
    r#"{"do":"set","node":"v","parameter":"coefficients","value":[1,2,3]}"#,
    r#"{"do":"set","node":"v","parameter":"regions","value":65536}"#,
    concat!(
        r#"{"do":"set","node":"t","parameter":"descriptions","#,
        r#""value":[["hills",{"name":"Noise","fields":{"amplitude":7}}]]}"#
    ),
    r#"{"do":"set","node":"part/x","parameter":"value","value":2}"#,
    r#"{"do":"set","node":"part/y","parameter":"low","value":-1}"#,
    r#"{"do":"set","parameter":"p","value":0.125}"#,
    r#"{"do":"set","node":null,"parameter":"count","value":"4"}"#,
    r#"{"do":"set","parameter":"list","value":[[0,1]]}"#,
    r#"{"do":"set","node":"g","parameter":"columns","value":16384}"#,
    r#"{"do":"set","node":"t","parameter":"descriptions","value":[["a\"$p\"), // \\ ","x"]]}"#,
    r#"{"do":"reset","home":"HOME: a.wavelength"}"#,
    r#"{"do":"reset","home":"part.ron: y.low"}"#,
    r#"{"do":"discard"}"#,
    r#"{"do":"write"}"#,
    r#"{"do":"write"}"#,
    r#"{"do":"look","ports":[["a",0],["part/x",0],["d",7]]}"#,
    r#"{"do":"set","header":true,"parameter":"size","value":[17,9]}"#,
    r#"{"do":"set","header":true,"parameter":"seed","value":3}"#,
    r#"{"do":"set","node":"b","parameter":"magnitude","value":0.25,"keep":true}"#,
    r#"{"do":"edit","tag":"1","what":{"edit":"add","type":"Blur","values":{},"from":"a","into":null}}"#,
    r#"{"do":"edit","tag":"9","what":{"edit":"add","type":"Curve","from":"a","heights":[1,9],"ground":"b"}}"#,
    r#"{"do":"edit","tag":"8","what":{"edit":"connect","node":"c","port":"a","from":"a","taken":["b","a"]}}"#,
    r#"{"do":"set","node":"a","parameter":"octaves","value":3,"with":true}"#,
    r#"{"do":"edit","tag":"2","what":{"edit":"add","type":"Combine","into":["c","height"]}}"#,
    r#"{"do":"edit","tag":"3","what":{"edit":"add","type":"Import","values":{"file":"../up.tif"}}}"#,
    r#"{"do":"edit","tag":"4","what":{"edit":"connect","node":"c","port":"height","from":"a"}}"#,
    r#"{"do":"edit","tag":"5","what":{"edit":"clear","node":"d","field":"weight"}}"#,
    r#"{"do":"edit","tag":"6","what":{"edit":"delete","nodes":["b","v"]}}"#,
    r#"{"do":"edit","tag":"7","what":{"edit":"bypass","node":"b"}}"#,
    r#"{"do":"edit","tag":"8","what":{"edit":"copy","node":"a"}}"#,
    r#"{"do":"edit","tag":"9","what":{"edit":"rename","node":"a","to":"hills"}}"#,
    r#"{"do":"edit","tag":"10","what":{"edit":"group","nodes":["b","c"],"name":"new"}}"#,
    r#"{"do":"edit","tag":"11","what":{"edit":"group","nodes":["v"],"name":"../part"}}"#,
    r#"{"do":"edit","tag":"12","what":{"edit":"output","file":"e.png","from":"c"}}"#,
    r#"{"do":"edit","tag":"13","what":{"edit":"unoutput","file":"d.tif"}}"#,
    r#"{"do":"edit","tag":"14","what":{"edit":"parameter","name":"m","node":"b","field":"magnitude"}}"#,
    r#"{"do":"edit","tag":"15","what":{"edit":"bind","node":"b","field":"magnitude","name":"p"}}"#,
    r#"{"do":"edit","tag":"16","what":{"edit":"preset","node":"a","name":"ridges"}}"#,
    r#"{"do":"undo"}"#,
    r#"{"do":"redo"}"#,
    r#"{"do":"drop","number":1}"#,
    r#"{"do":"look","ports":[]}"#,
    r#"{"do":"read","file":"graph.ron"}"#,
    r#"{"do":"read","file":"../page/part.ron"}"#,
    r#"{"do":"source","node":"part/x"}"#,
    concat!(
        r#"{"do":"text","file":"part.ron","before":"Graph()","after":"Graph(nodes: { /* kept 7 */ })""#,
        r#","tag":"1"}"#
    ),
    concat!(
        r#"{"do":"text","file":"part.ron","before":"Graph()","after":"Graph(nodes: { /* kept 7 */ })""#,
        r#","tag":"3","with":true}"#
    ),
    // Both files are there: nothing is to be restored.
    r#"{"do":"restore","file":"part.ron","text":"Graph(nodes: {})"}"#,
    r#"{"do":"restore","file":"../outside.ron","text":"Graph()"}"#,
    r#"{"do":"text","file":"../outside.ron","before":"","after":"Graph()","tag":"2"}"#,
    concat!(
        r#"{"do":"edit","tag":"17","what":{"edit":"text","file":"graph.ron","line":2,"before":"    si"#,
        r#"ze: (9, 9), // kept 2\n","after":"    size: (17, 9), // kept 2\n"}}"#
    ),
    concat!(
        r#"{"do":"language","message":{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":"#,
        r#"{"textDocument":{"uri":"terrane:/graph.ron"},"position":{"line":1,"character":2}}}}"#
    ),
    concat!(
        r#"{"do":"language","message":{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","pa"#,
        r#"rams":{"uri":"file:///etc/passwd"}}}"#
    ),
    concat!(
        r#"{"do":"language","message":{"jsonrpc":"2.0","id":3,"method":"textDocument/rename","params""#,
        r#":{"changes":{"terrane:/../x.ron":[]}}}}"#
    ),
    r#"{"do":"language","message":null}"#,
];

/// Words that pages may send.
const WORDS: [&str; 10] = [
    "\"a\"",
    "\"part/x\"",
    "\"part/y\"",
    "\"part\"",
    "\"size\"",
    "\"file\"",
    "\"$p\"",
    "\"inf\"",
    "null",
    "true",
];

const FACES: Faces = Faces {
    of,
    size: |_| None,
    resize: |_| (String::new(), String::new()),
    is_height: |unit| unit == "world units",
    is_scene: |_| false,
    shorten: |_| (),
    lines: |_| None,
    suited: |_, _, _| None,
};

fn of(_: &Value) -> Face<'_> {
    Face::Nothing
}

/// Targets for messages of pages.
pub fn targets() -> Result<Vec<Box<dyn Target>>> {
    let messages = MESSAGES.iter().map(|&text| text.to_owned()).collect();
    let registry = Arc::new(terrane::registry());
    let named =
        registry.nodes().flat_map(|node| node.spec().params).map(|param| format!("\"{}\"", param.name));
    let corpus = Corpus::new(messages, named.chain(WORDS.map(str::to_owned)));
    let engine = Engine::new(EngineOptions { threads: 1, memory: 0, ..EngineOptions::default() })?;
    Ok(vec![Box::new(Page { corpus, registry, engine })])
}

/// A page's messages, one per line.
struct Page {
    corpus: Corpus,
    registry: Arc<Registry>,
    engine: Engine,
}

impl Target for Page {
    fn name(&self) -> &'static str {
        "page"
    }

    fn share(&self) -> u64 {
        2
    }

    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let line = |rng: &mut Rng| {
            let text =
                if rng.one_in(3) { self.corpus.text(rng).to_owned() } else { self.corpus.mutated(rng) };
            text.replace('\n', " ")
        };
        let lines: Vec<String> = (0..rng.few(6)).map(|_| line(rng)).collect();
        let last = if rng.one_in(2) { "\n{\"do\":\"write\"}" } else { "" };
        format!("{}{last}", lines.join("\n")).into_bytes()
    }

    fn run(&self, input: &[u8], folder: &Path) -> std::result::Result<bool, String> {
        let outside = folder.join("outside");
        let folder = outside.join("page");
        let _none_yet = std::fs::remove_dir_all(&outside);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        for (name, text) in FILES {
            std::fs::write(folder.join(name), text).map_err(|error| error.to_string())?;
        }
        let file = folder.join("graph.ron");
        let input = String::from_utf8_lossy(input).replace("HOME", &file.display().to_string());
        let desk = Desk::new(&self.engine, FACES, Arc::clone(&self.registry), &file)
            .map_err(|error| error.to_string())?;
        // Such edits remove comments with what they belong to.
        let removes =
            ["delete", "unparameter", "unoutput", "clear", "text"].iter().any(|edit| input.contains(edit));
        let mut known = false;
        for message in input.split('\n') {
            let shown = desk.shown().map(|loaded| picture(&loaded));
            let before = texts(&folder)?;
            known |= desk.hear(message);
            let after = texts(&folder)?;
            if before != after {
                // After *Undo* of a write, the draft differs from the file again.
                let is_write = message.contains("\"write\"");
                self.written(&file, shown.ok().as_deref().filter(|_| is_write), &after, removes)?;
            }
            let beside = std::fs::read_dir(&outside).map_err(|error| error.to_string())?.count();
            if beside != 1 {
                return Err("a file was made outside the graph's folder".to_owned());
            }
            if serde_json::from_str::<serde_json::Value>(&desk.told()).is_err() {
                return Err("a message to pages is not JSON".to_owned());
            }
        }
        Ok(known)
    }
}

impl Page {
    /// After a file was written: checks that it equals the text shown, and that all comments remain.
    fn written(
        &self,
        file: &Path,
        shown: Option<&str>,
        texts: &[String],
        removes: bool,
    ) -> std::result::Result<(), String> {
        let options = LoadOptions { unconnected: true, ..LoadOptions::default() };
        let loaded = load_file(file, &self.registry, &options)
            .map_err(|mistakes| format!("the written graph does not load: {}", mistakes.render(false)))?;
        if shown.is_some_and(|shown| shown != picture(&loaded)) {
            return Err("the written text is not the text shown".to_owned());
        }
        let all = texts.concat();
        match (1..=7).find(|number| !removes && !all.contains(&format!("kept {number}"))) {
            Some(lost) => Err(format!("comment {lost} is lost")),
            None => Ok(()),
        }
    }
}

/// The texts of all files in the graph's folder.
fn texts(folder: &Path) -> std::result::Result<Vec<String>, String> {
    let text = |entry: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(entry?.path());
    let files = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut texts =
        files.map(text).collect::<std::io::Result<Vec<_>>>().map_err(|error| error.to_string())?;
    texts.sort_unstable();
    Ok(texts)
}
