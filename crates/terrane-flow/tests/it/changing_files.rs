//! Files that change while nodes read them: no result is stored under the key of other content.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use terrane_flow::cache::{DiskCache, Store};
use terrane_flow::declared;
use terrane_flow::testing::{self, Words};
use terrane_flow::{
    Context, Engine, EngineOptions, Evaluate, Evaluation, FilePath, LoadOptions, Node, NodeError, Outcome,
    Registry, Wanted, load,
};

/// Changes of the file, one per read: its content when its second half is read, and its content afterwards.
static MEANWHILE: Mutex<Vec<(&str, &str)>> = Mutex::new(Vec::new());

/// Reads a file in two halves.
#[derive(Clone, Debug, Node)]
#[output(out: Words, doc = "What stood in the file.")]
struct Read {
    /// The file.
    #[param]
    file: FilePath,
}

/// Longer than the resolution of file times.
fn wait() {
    sleep(Duration::from_millis(25));
}

impl Evaluate for Read {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let path = self.file.path();
        let first = fs::read_to_string(&path).unwrap();
        wait();
        let next = { MEANWHILE.lock().unwrap().pop() };
        if let Some((during, _)) = next {
            fs::write(&path, during).unwrap();
        }
        let second = fs::read_to_string(&path).unwrap();
        if let Some((_, after)) = next {
            wait();
            fs::write(&path, after).unwrap();
        }
        Ok((Words(first[..2].to_owned() + &second[2..]),))
    }
}

fn run(folder: &Path, meanwhile: &[(&'static str, &'static str)]) -> Evaluation {
    let mut registry = Registry::new(declared::family(|_, _| testing::header()));
    registry.add::<Read>().unwrap();
    *MEANWHILE.lock().unwrap() = meanwhile.iter().rev().copied().collect();
    let text = "Graph(nodes: { \"r\": Read(file: \"data.txt\") }, outputs: { \"r.txt\": \"r\" })";
    let loaded = Arc::new(load("g.ron", text, folder, &registry, &LoadOptions::default()).unwrap());
    let store: Arc<dyn Store> = Arc::new(DiskCache::new(folder.join("cache"), 1 << 20));
    let options = EngineOptions { threads: 1, memory: 0, store: Some(store), ..EngineOptions::default() };
    let engine = Engine::new(options).unwrap();
    wait();
    let wanted: Vec<Wanted> = loaded.graph.outputs.iter().map(|output| output.from.clone().into()).collect();
    engine.start(&loaded, wanted).unwrap().wait()
}

fn text(evaluation: &Evaluation) -> String {
    evaluation.outputs[0].value.as_ref().unwrap().get::<Words>().unwrap().0.clone()
}

#[test]
fn results_are_stored_under_the_key_of_the_content_they_were_computed_from() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data.txt");
    // Overwritten while it is read.
    fs::write(&file, "aaaa").unwrap();
    let evaluation = run(folder.path(), &[("bbbb", "bbbb")]);
    assert_eq!(text(&evaluation), "bbbb");
    assert_eq!(evaluation.warnings, ["r: a file changed while it was read, and is read again"]);
    fs::write(&file, "aaaa").unwrap();
    assert_eq!(text(&run(folder.path(), &[])), "aaaa");
    // Overwritten and restored.
    fs::write(&file, "cccc").unwrap();
    assert_eq!(text(&run(folder.path(), &[("dddd", "cccc"), ("dddd", "cccc")])), "cccc");
    let known = run(folder.path(), &[]);
    assert_eq!((text(&known).as_str(), &known.nodes[0].outcome), ("cccc", &Outcome::Cached));
    // Changed at every read.
    fs::write(&file, "eeee").unwrap();
    let evaluation = run(folder.path(), &[("ffff", "eeee"); 40]);
    let Outcome::Failed(error) = &evaluation.nodes[0].outcome else { panic!("{:?}", evaluation.nodes) };
    assert!(error.to_string().contains("keeps changing"), "{error}");
    assert_eq!(text(&run(folder.path(), &[])), "eeee");
}
