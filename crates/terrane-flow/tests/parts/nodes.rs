//! Small types of node over numbers, and what graphs of them say and give.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use terrane_flow::declared;
use terrane_flow::{
    Context, Data, Declare, Digest, Engine, EngineOptions, Entries, Evaluate, Family, FilePath, Header,
    Input, LoadOptions, Loaded, Node, NodeError, Reference, Registry, Scalar, ScalarInput, Wanted, load_file,
};

#[derive(Clone, Debug, PartialEq)]
pub struct Number(pub f64);

impl Data for Number {
    const KIND: &'static str = "number";

    fn encode(&self, writer: &mut dyn Write) -> io::Result<()> {
        writer.write_all(&self.0.to_le_bytes())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let bytes = bytes.try_into().map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Self(f64::from_le_bytes(bytes)))
    }

    fn heap_bytes(&self) -> usize {
        0
    }
}

#[derive(Clone, Debug)]
pub struct Words(pub String);

impl Data for Words {
    const KIND: &'static str = "words";

    fn encode(&self, writer: &mut dyn Write) -> io::Result<()> {
        writer.write_all(self.0.as_bytes())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        Ok(Self(String::from_utf8_lossy(bytes).into_owned()))
    }

    fn heap_bytes(&self) -> usize {
        self.0.len()
    }
}

#[derive(Debug)]
struct Nothing;

impl Header for Nothing {
    fn key(&self) -> Vec<u8> {
        Vec::new()
    }

    fn value_bytes(&self, _: &str) -> u64 {
        0
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A number that needs nothing.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "It.")]
#[output(twice: Number, doc = "Twice as much.")]
pub struct Take {
    /// How much.
    #[param(default = 1.0)]
    amount: f64,
    /// More numbers, with notes.
    #[param(default = Vec::new())]
    more: Vec<(f64, String)>,
    /// What chance adds.
    #[param(default = 0)]
    seed: u64,
}

impl Evaluate for Take {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let notes: usize = self.more.iter().map(|(_, note)| note.len()).sum();
        let more: f64 = self.more.iter().map(|(number, _)| number).sum();
        let out = self.amount + more + notes as f64 + (cx.seed() % 1000) as f64;
        Ok((Number(out), Number(out * 2.0)))
    }
}

/// A sum.
#[derive(Clone, Debug, Node)]
#[output(sum: Number, doc = "The sum.")]
#[output(rest: Number, doc = "The difference.")]
pub struct Add {
    /// One number.
    #[input]
    a: Input<Number>,
    /// The other, 0 where it is not given.
    #[input(default = 0.0)]
    b: ScalarInput<Number>,
    /// What the sum is multiplied by.
    #[param(default = 1.0)]
    by: f64,
}

impl Evaluate for Add {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let b = match self.b.get() {
            Scalar::Constant(number) => number,
            Scalar::Map(number) => number.0,
        };
        let a = self.a.get().0;
        Ok((Number((a + b) * self.by), Number((a - b) * self.by)))
    }
}

/// Words of a file: no other type gives any, and this one needs its file.
#[derive(Clone, Debug, Node)]
#[output(words: Words, doc = "The words.")]
pub struct Read {
    /// The file.
    #[param]
    file: FilePath,
    /// Others.
    #[param(default = Vec::new())]
    others: Vec<(FilePath, String)>,
}

impl Evaluate for Read {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let mut words = fs::read_to_string(self.file.path()).unwrap();
        for (file, note) in &self.others {
            words += &fs::read_to_string(file.path()).unwrap();
            words += note;
        }
        Ok((Words(words),))
    }
}

/// How many words there are.
#[derive(Clone, Debug, Node)]
#[output(count: Number, doc = "The number.")]
pub struct Count {
    /// The words.
    #[input]
    words: Input<Words>,
}

impl Evaluate for Count {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Number(self.words.get().0.split_whitespace().count() as f64),))
    }
}

/// A graph with a size, which does not matter.
#[derive(Clone, Debug, Declare)]
struct Sized {
    /// Nothing.
    #[param(default = 0.0)]
    size: f64,
    /// Nothing.
    #[param(default = 0)]
    seed: u64,
    /// Parameters.
    #[param(default = Entries)]
    params: Entries,
}

pub fn registry() -> Registry {
    let mut registry =
        Registry::new(Family { graph: Sized::spec(), ..declared::family(|_, _| Arc::new(Nothing)) });
    registry.add::<Take>().unwrap();
    registry.add::<Add>().unwrap();
    registry.add::<Read>().unwrap();
    registry.add::<Count>().unwrap();
    registry
}

/// A graph whose files are written into a folder, loaded.
pub fn loaded(folder: &Path, files: &[(&str, &str)], set: &[(&str, &str)]) -> Loaded {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let set = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = LoadOptions { set, ..LoadOptions::default() };
    let (name, text) = files[0];
    load_file(&folder.join(name), &registry(), &options)
        .unwrap_or_else(|errors| panic!("{}\n{text}\n{}", errors.render(false), files.last().unwrap().1))
}

/// What a graph says: its nodes by name, each with its parameters and wires, and its outputs. Names are as `name` makes them.
pub fn says(loaded: &Loaded, name: &dyn Fn(&str) -> String) -> BTreeMap<String, String> {
    let wire = |reference: &Reference| format!("{} {:?}", name(&reference.node), reference.output);
    let nodes = loaded.graph.nodes.iter().map(|(key, node)| {
        let node = node.node();
        let params: Vec<String> = (0..node.spec().params.len())
            .filter(|at| !["file", "others"].contains(&node.spec().params[*at].name))
            .map(|at| node.param(at))
            .collect();
        let ports: Vec<String> = (0..node.spec().inputs.len())
            .map(|at| node.port(at).source())
            .map(|source| source.wire().map_or_else(|| format!("{source:?}"), wire))
            .collect();
        (format!("node {}", name(key)), format!("{} {params:?} {ports:?}", node.spec().name))
    });
    let outputs = loaded.graph.outputs.iter();
    let outputs = outputs.map(|output| {
        (format!("output {}", output.file), format!("{} {:?}", wire(&output.from), output.options))
    });
    nodes.chain(outputs).collect()
}

/// The content of all first outputs of nodes, by the nodes' names.
pub fn results(loaded: &Loaded, name: &dyn Fn(&str) -> String) -> HashMap<String, Digest> {
    let engine = Engine::new(EngineOptions { threads: 1, memory: 0, disk: None, reuse: true }).unwrap();
    let names: Vec<String> = loaded.graph.nodes.keys().cloned().collect();
    let wanted: Vec<Wanted> = names
        .iter()
        .map(|name| Wanted::from(Reference { node: name.as_str().into(), output: None }))
        .collect();
    let evaluation = engine.start(&Arc::new(loaded.clone()), wanted).unwrap().wait();
    let pairs = names.iter().zip(evaluation.outputs);
    pairs.map(|(key, output)| (name(key), output.digest.unwrap())).collect()
}
