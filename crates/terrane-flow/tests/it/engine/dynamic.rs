//! Dynamic node types, which tests define with closures.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use terrane_flow::testing::{Toys, registry};
use terrane_flow::{
    AnyInput, Context, Cost, Data, Holes, InputSpec, Invalid, Kind, LoadOptions, Loaded, NameTaken, Node,
    NodeError, NodeSpec, OutputSpec, ParamSpec, Port, Range, Registry, Shape, Source, Tiles, Value, load,
};

/// The function of a node: computes a value from its parameter and the values at its ports.
pub type Act = dyn Fn(&Given<'_>) -> Result<Value, NodeError> + Send + Sync;

/// The inputs of a node.
pub struct Given<'a> {
    pub amount: f64,
    pub values: Vec<Option<Value>>,
    pub cx: &'a Context<'a>,
}

/// A node of a dynamic type.
#[derive(Clone)]
struct Dynamic {
    spec: &'static NodeSpec,
    inputs: Vec<AnyInput>,
    amount: f64,
    is_foreign: bool,
    act: Arc<Act>,
}

impl Node for Dynamic {
    fn spec(&self) -> &'static NodeSpec {
        self.spec
    }
    fn port(&self, index: usize) -> &dyn Port {
        &self.inputs[index]
    }
    fn port_mut(&mut self, index: usize) -> &mut dyn Port {
        &mut self.inputs[index]
    }
    fn param(&self, _: usize) -> String {
        terrane_flow::canonical(&self.amount)
    }
    fn check(&self) -> Result<(), Invalid> {
        if self.amount < 1000.0 {
            return Ok(());
        }
        Err(Invalid { field: "amount", message: "that is too much".into(), help: "take less".into() })
    }
    fn is_foreign(&self) -> bool {
        self.is_foreign
    }
    fn run(&mut self, cx: &Context<'_>) -> Result<Vec<Value>, NodeError> {
        let value = |input: &mut AnyInput| match input.take() {
            Source::Bound(value) => Some(value),
            _ => None,
        };
        let values = self.inputs.iter_mut().map(value).collect();
        (self.act)(&Given { amount: self.amount, values, cx }).map(|value| vec![value])
    }
}

/// Toy types and dynamic types.
pub struct Dynamics {
    pub toys: Toys,
    pub registry: Registry,
}

impl Dynamics {
    pub fn new() -> Self {
        Self { toys: Toys::default(), registry: registry() }
    }

    /// A foreign type with any number of inputs `a`, `b` and so on of one kind, and an `amount`.
    pub fn foreign<A: Data, B: Data>(
        &mut self,
        name: &str,
        inputs: usize,
        act: impl Fn(&Given<'_>) -> Result<B, NodeError> + Send + Sync + 'static,
    ) {
        let spec = spec(name, (Kind::of::<A>(), inputs), Kind::of::<B>());
        self.add(spec, true, Arc::new(move |given| act(given).map(Value::new))).unwrap();
    }

    /// Adds a type with a spec.
    pub fn add(&mut self, spec: &'static NodeSpec, is_foreign: bool, act: Arc<Act>) -> Result<(), NameTaken> {
        self.registry.add_dynamic(
            spec,
            Arc::new(move |fields| {
                let mut inputs: Vec<_> = spec.inputs.iter().map(|input| AnyInput::new(input.kind)).collect();
                inputs.iter_mut().enumerate().for_each(|(index, input)| fields.port(index, input));
                let amount = fields.param(0, 1.0);
                Box::new(Dynamic { spec, inputs, amount, is_foreign, act: Arc::clone(&act) })
            }),
        )
    }

    /// A graph of these nodes, with the forecast size of a block in bytes.
    pub fn graph(&self, size: u64, nodes: &str) -> Arc<Loaded> {
        let text = format!("Graph(size: {size}, nodes: {{ {nodes} }})");
        let loaded = load("g.ron", &text, Path::new("."), &self.registry, &LoadOptions::default());
        self.toys.logged(Arc::new(loaded.unwrap_or_else(|mistakes| panic!("{mistakes}\n{text}"))))
    }
}

/// The spec of a type.
pub fn spec(name: &str, (taken, inputs): (&'static Kind, usize), given: &'static Kind) -> &'static NodeSpec {
    let names = ["a", "b", "c", "d"];
    let input = |&name: &&'static str| InputSpec {
        name,
        docs: "A value.",
        unit: "",
        kind: taken,
        or: None,
        optional: false,
        scalar: false,
        none: false,
        default: None,
        range: Range::default(),
        any_size: true,
    };
    let amount = ParamSpec {
        name: "amount",
        docs: "How much.",
        unit: "",
        default: Some(&|| "1.0".to_owned()),
        range: Range { min: Some(0.0), ..Range::default() },
        shape: || Shape::Float,
        place: None,
        joins: None,
        each: None,
    };
    let output = OutputSpec { name: "out", docs: "It.", unit: "", kind: given, lazy: false, whole: false };
    Box::leak(Box::new(NodeSpec {
        name: Box::leak(Box::from(name)),
        docs: "Defined while the test runs.",
        category: "test",
        words: "",
        paper: "",
        version: 1,
        tiles: Tiles::Global,
        because: "it is for tests",
        working_maps: 0.0,
        header: false,
        cost: Cost::Dear,
        holes: Holes::Refused,
        suits: &[],
        fits: &[],
        main: &[],
        presets: &[],
        inputs: Box::leak(names[..inputs].iter().map(input).collect()),
        params: Box::leak(Box::new([amount])),
        outputs: Box::leak(Box::new([output])),
    }))
}

/// Runs a function that must end soon.
pub fn soon<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = channel();
    let thread = std::thread::spawn(move || sender.send(act()));
    match receiver.recv_timeout(Duration::from_secs(20)) {
        Ok(given) => given,
        Err(_) if thread.is_finished() => panic!("it panicked"),
        Err(_) => panic!("it does not end"),
    }
}
