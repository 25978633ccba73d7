//! Nodes to measure: each type's example with other parameters. Its inputs are evaluated in advance.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rayon::ThreadPool;
use terrane::flow::{Context, NodeSpec, Source, Value, Wanted};
use terrane::{Cancel, Engine, LoadOptions, Loaded, Terrain, load, registry};
use terrane_flow::testing::edited;
use terrane_tests::variants::extremes;
use terrane_tests::{engine, root};

use crate::measure::peak;

/// Maximum run time of a node. A node that takes longer is stopped, and the memory counted until then is
/// used.
const PATIENCE: Duration = Duration::from_millis(100);

/// A type of node over a map of some size, in the graph of its example.
pub struct Bench {
    pub spec: &'static NodeSpec,
    side: usize,
    node: String,
    text: String,
    spacing: f64,
    engine: Engine,
    made: RefCell<HashMap<(String, usize), Value>>,
}

/// The memory that a run used, and the forecast.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub peak: u64,
    pub forecast: u64,
    /// Whether the node finished.
    pub ended: bool,
}

impl Bench {
    /// The example of a type on `side`² samples of the same ground.
    pub fn new(spec: &'static NodeSpec, example: &str, side: usize) -> Self {
        let read = |options: &LoadOptions| {
            load("test.ron", example, &root().join("graphs"), &registry(), options)
                .unwrap_or_else(|errors| panic!("{}: {errors}", spec.name))
        };
        let loaded = read(&LoadOptions::default());
        let domain = Terrain::of(&*loaded.graph.header).unwrap().domain;
        let spacing = domain.spacing * domain.width() as f64 / side as f64;
        let own = loaded.graph.nodes.iter().find(|(_, node)| node.node().spec().name == spec.name);
        let (node, text) = (own.unwrap().0.clone(), example.to_owned());
        Self { spec, side, node, text, spacing, engine: engine(2, None), made: RefCell::default() }
    }

    /// The variants to measure: names and texts.
    pub fn variants(&self) -> Vec<(String, String)> {
        let mut all = vec![("example".to_owned(), self.text.clone())];
        let resets = |text: String, name: &str| match edited(&text, |graph| graph.reset(&self.node, name)) {
            Ok(without) if self.load(&without).is_some() => without,
            _ => text,
        };
        let params = self.spec.params.iter();
        let plain = params.clone().filter(|p| p.default.is_some()).map(|p| p.name);
        all.push(("defaults".to_owned(), plain.fold(self.text.clone(), resets)));
        let maps = self.spec.inputs.iter().filter(|input| input.kind.name == "map");
        if let Some(ground) = self.ground() {
            let wired = maps.fold(self.text.clone(), |text, input| {
                match edited(&text, |graph| graph.connect(&self.node, input.name, &ground)) {
                    Ok(wired) if self.load(&wired).is_some() => wired,
                    _ => text,
                }
            });
            all.push(("all maps".to_owned(), wired));
        }
        for param in params {
            for value in extremes(param) {
                if let Ok(text) = edited(&self.text, |graph| graph.set_field(&self.node, param.name, &value))
                {
                    all.push((format!("{}: {value}", param.name), text));
                }
            }
        }
        all
    }

    /// An output of the example that is a map of the graph's size and upstream of the node.
    fn ground(&self) -> Option<String> {
        let loaded = self.load(&self.text)?;
        let own = loaded.graph.nodes.get_index_of(&self.node)?;
        let wires = &loaded.plan.wires[own];
        wires.iter().find_map(|wire| {
            let (name, upstream) = loaded.graph.nodes.get_index(wire.node)?;
            let output = &upstream.node().spec().outputs[wire.output];
            (output.kind.name == "map").then(|| format!("{name}.{}", output.name))
        })
    }

    fn load(&self, text: &str) -> Option<Arc<Loaded>> {
        let (side, spacing) = (self.side, self.spacing);
        let header = vec![
            ("size".to_owned(), format!("({side}, {side})")),
            ("spacing".to_owned(), format!("{spacing:?}")),
        ];
        let options = LoadOptions { header, ..LoadOptions::default() };
        load("test.ron", text, &root().join("graphs"), &registry(), &options).ok().map(Arc::new)
    }

    /// The value of an output, evaluated once.
    fn input(&self, loaded: &Arc<Loaded>, upstream: usize, output: usize) -> Option<Value> {
        let (name, node) = loaded.graph.nodes.get_index(upstream)?;
        let key = (name.clone(), output);
        if let Some(value) = self.made.borrow().get(&key) {
            return Some(value.clone());
        }
        let port = format!("{name}.{}", node.node().spec().outputs[output].name);
        let wanted = vec![Wanted::from(port.as_str())];
        let evaluation = self.engine.start(loaded, wanted).ok()?.wait();
        let value = evaluation.outputs[0].value.clone()?;
        self.made.borrow_mut().insert(key, value.clone());
        Some(value)
    }

    /// Runs only the node. `None` if the text is not a graph or its inputs cannot be evaluated.
    pub fn run(&self, text: &str, asked: u32, pool: &ThreadPool) -> Option<Taken> {
        let loaded = self.load(text)?;
        let graph = &loaded.graph;
        let own = graph.nodes.get_index_of(&self.node)?;
        let mut own_node = graph.nodes[own].clone();
        let bound = own_node.node_mut();
        for wire in &loaded.plan.wires[own] {
            bound.port_mut(wire.input).connect(Source::Bound(self.input(&loaded, wire.node, wire.output)?));
        }
        let outputs = self.spec.outputs.len();
        let wanted: Vec<_> = (0..outputs).filter(|i| asked >> i & 1 == 1).map(|i| (own, i)).collect();
        let forecast = loaded.plan.forecast(graph, &wanted, pool.current_num_threads()).nodes[own];
        let cancel = Cancel::new();
        let cx = Context::new(&*graph.header, graph.seed, &cancel, &|_| (), &|_| ()).with_asked(asked);
        let (done, wait) = mpsc::channel::<()>();
        let watched = cancel.clone();
        let (made, peak) = thread::scope(|scope| {
            scope.spawn(move || {
                if wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    watched.cancel();
                }
            });
            let taken = peak(|| pool.install(|| bound.run(&cx)));
            drop(done);
            taken
        });
        Some(Taken { peak, forecast, ended: made.is_ok() })
    }
}
