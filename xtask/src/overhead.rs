//! What the engine itself costs: 10,000 trivial nodes.

use std::any::Any;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_flow::{
    Context, Data, Engine, EngineOptions, Evaluate, Family, Header, LoadOptions, Loaded, Node, NodeError,
    OptionalInput, Reference, Registry, Wanted, load,
};

use crate::{Result, say};

const NODES: usize = 10_000;
const ROUNDS: usize = 9;

/// A number.
#[derive(Clone, Debug)]
struct Number(f64);

impl Data for Number {
    const KIND: &'static str = "number";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.0.to_le_bytes())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        bytes.try_into().map(|b| Self(f64::from_le_bytes(b))).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    fn heap_bytes(&self) -> usize {
        0
    }
}

/// One more than its input.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "The sum.")]
struct Plus {
    /// A number.
    #[input]
    a: OptionalInput<Number>,
    /// What is added.
    #[param(default = 1.0)]
    b: f64,
}

impl Evaluate for Plus {
    fn evaluate(&mut self, _cx: &Context<'_>) -> std::result::Result<Self::Outputs, NodeError> {
        Ok((Number(self.a.get().map_or(0.0, |a| a.0) + self.b),))
    }
}

#[derive(Debug)]
struct Nothing;

impl Header for Nothing {
    fn key(&self) -> Vec<u8> {
        Vec::new()
    }

    fn value_bytes(&self, _kind: &str) -> u64 {
        0
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A chain, or a fan-out from one node, with the parameter of the last node changed by `round`.
fn text(fan: bool, round: usize) -> String {
    let mut text = String::from("Graph(nodes: {\n");
    for i in 0..NODES {
        let from = if fan { 0 } else { i.max(1) - 1 };
        let b = if i == NODES - 1 { round as f64 + 2.5 } else { i as f64 };
        let input = if i == 0 { String::new() } else { format!("a: \"n{from}\", ") };
        let _infallible = writeln!(text, "\"n{i}\": Plus({input}b: {b:.1}),");
    }
    text + "})"
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

/// Prints medians.
pub fn overhead() -> Result<()> {
    let family = Family {
        header: Vec::new(),
        read_header: |_, _| Ok(Arc::new(Nothing)),
        check_output: |_, _, _| Ok(()),
    };
    let mut registry = Registry::new(family);
    registry.add::<Plus>()?;
    let read = |text: &str| load("bench.ron", text, Path::new("."), &registry, &LoadOptions::default());
    for fan in [false, true] {
        let (mut parse, mut first, mut again) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            let (before, after) = (text(fan, round), text(fan, round + 100));
            let started = Instant::now();
            let loaded = Arc::new(read(&before)?);
            parse.push(started.elapsed());
            let changed = Arc::new(read(&after)?);
            let engine = Engine::new(EngineOptions { threads: 2, ..EngineOptions::default() })?;
            first.push(time(&engine, &loaded, fan)?);
            again.push(time(&engine, &changed, fan)?);
        }
        let name = if fan { "fan-out" } else { "chain" };
        say(&format!(
            "{name} of {NODES}: parse and check {}, evaluate {}, again after one leaf changed {}",
            ms(median(parse)),
            ms(median(first)),
            ms(median(again))
        ));
    }
    Ok(())
}

/// Plans and evaluates every node.
fn time(engine: &Engine, loaded: &Arc<Loaded>, fan: bool) -> Result<Duration> {
    let wanted = |i: usize| Wanted::from(Reference::parse(&format!("n{i}")));
    let wanted: Vec<Wanted> = if fan { (0..NODES).map(wanted).collect() } else { vec![wanted(NODES - 1)] };
    let started = Instant::now();
    let evaluation = engine.start(loaded, wanted)?.wait();
    let time = started.elapsed();
    if evaluation.succeeded() { Ok(time) } else { Err("a trivial node failed".into()) }
}
