//! The engine's own overhead: 10,000 trivial nodes.

use std::any::Any;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_flow::declared;
use terrane_flow::{
    Context, Data, Engine, EngineOptions, Evaluate, Header, LoadOptions, Loaded, Node, NodeError,
    OptionalInput, Reference, Registry, Session, Source, Wanted, load,
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
    /// The number that is added.
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
    let family = declared::family(|_, _| Arc::new(Nothing));
    let mut registry = Registry::new(family);
    registry.add::<Plus>()?;
    let read = |text: &str| load("bench.ron", text, Path::new("."), &registry, &LoadOptions::default());
    for fan in [false, true] {
        let (mut parse, mut first, mut read_again, mut again) = (vec![], vec![], vec![], vec![]);
        for round in 0..ROUNDS {
            let (before, after) = (text(fan, round), text(fan, round + 100));
            let started = Instant::now();
            let mut loaded = Arc::new(read(&before)?);
            parse.push(started.elapsed());
            let changed = Arc::new(read(&after)?);
            let mut editor = Editor::new(fan)?;
            first.push(editor.time(&loaded)?);
            read_again.push(editor.time(&changed)?);
            editor.time(&loaded)?;
            let leaf = format!("n{}", NODES - 1);
            let input = OptionalInput::from_source(Source::Wire(Reference::parse(&format!(
                "n{}",
                if fan { 0 } else { NODES - 2 }
            ))));
            let started = Instant::now();
            Arc::make_mut(&mut loaded).replace(&leaf, Box::new(Plus { a: input, b: -1.5 - round as f64 }))?;
            let replaced = started.elapsed();
            again.push(replaced + editor.time(&loaded)?);
        }
        let name = if fan { "fan-out" } else { "chain" };
        say(&format!(
            "{name} of {NODES}: parse and check {}, evaluate {}; after one leaf changed: in the graph {}, in \
            a graph that was read again {}",
            ms(median(parse)),
            ms(median(first)),
            ms(median(again)),
            ms(median(read_again))
        ));
    }
    Ok(())
}

/// Evaluates a changing graph and keeps the contents of its outputs.
struct Editor {
    session: Session,
    wanted: Vec<Wanted>,
}

impl Editor {
    fn new(fan: bool) -> Result<Self> {
        let nodes = if fan { 0..NODES } else { NODES - 1..NODES };
        let wanted = nodes.map(|i| Wanted::from(Reference::parse(&format!("n{i}")))).collect();
        let engine = Engine::new(EngineOptions { threads: 2, ..EngineOptions::default() })?;
        Ok(Self { session: engine.session(), wanted })
    }

    /// Plans and evaluates every node.
    fn time(&mut self, loaded: &Arc<Loaded>) -> Result<Duration> {
        let wanted = self.wanted.clone();
        let started = Instant::now();
        let evaluation = self.session.start(loaded, wanted)?.wait();
        let time = started.elapsed();
        for (wanted, output) in self.wanted.iter_mut().zip(&evaluation.outputs) {
            wanted.have = output.id;
        }
        if evaluation.succeeded() { Ok(time) } else { Err("a trivial node failed".into()) }
    }
}
