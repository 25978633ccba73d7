//! Benchmarks of the language on a graph of 10,000 nodes, and on texts that are invalid or far too long.
//!
//! `cargo bench -p terrane-flow --bench language`

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use terrane_flow::syntax::Tree;
use terrane_flow::testing::{self, Number};
use terrane_flow::{
    Context, Evaluate, GraphText, LoadOptions, Node, NodeError, OptionalInput, Registry, declared,
    format_text, load,
};

/// A node with a port and a parameter.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "A number.")]
struct Plus {
    /// A number.
    #[input]
    a: OptionalInput<Number>,
    /// The addend.
    #[param(default = 1.0)]
    b: f64,
}

impl Evaluate for Plus {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        Ok((Number(0.0),))
    }
}

fn chain(nodes: usize) -> String {
    let mut text = String::from("Graph(\n    nodes: {\n");
    for i in 0..nodes {
        let from = i.max(1) - 1;
        let input = if i == 0 { String::new() } else { format!("a: \"n{from}\", ") };
        let _infallible = writeln!(text, "        \"n{i}\": Plus({input}b: {i}.5),");
    }
    text + "    },\n)\n"
}

fn language(criterion: &mut Criterion) {
    let mut registry = Registry::new(declared::family(|_, _| testing::header()));
    registry.add::<Plus>().expect("one type");
    let text = chain(10_000);
    let read = |text: &str| load("g.ron", text, Path::new("."), &registry, &LoadOptions::default());
    criterion.bench_function("10,000 nodes, parsed", |b| b.iter(|| Tree::parse(black_box(&*text))));
    criterion.bench_function("10,000 nodes, parsed and checked", |b| b.iter(|| read(&text)));
    criterion.bench_function("10,000 nodes, formatted", |b| b.iter(|| format_text("g.ron", &text)));
    let mut graph = GraphText::new(&text).expect("a graph");
    let mut round = 0;
    criterion.bench_function("10,000 nodes, a value set", |b| {
        b.iter(|| {
            round += 1;
            graph.set_parameter("n5000", "b", &format!("{round}.25"))
        });
    });
    criterion.bench_function("10,000 nodes, a node added and removed", |b| {
        b.iter(|| graph.add_node("new", "Plus()").and_then(|()| graph.remove_node("new")));
    });
    // The worst cases for the parser: a missing quote in the middle, and a missing comma on every fifth line.
    let quote = text.replacen("\"n5000\"", "\"n5000", 1);
    criterion.bench_function("10,000 nodes, a quote missing", |b| b.iter(|| Tree::parse(black_box(&*quote))));
    let commas: String =
        text.lines()
            .enumerate()
            .map(|(i, line)| {
                if i % 5 == 0 { line.trim_end_matches(',').to_owned() + "\n" } else { line.to_owned() + "\n" }
            })
            .collect();
    criterion.bench_function("10,000 nodes, 2,000 commas missing", |b| {
        b.iter(|| Tree::parse(black_box(&*commas)));
    });
    let fields = "x: 1, ".repeat(20_000);
    let wrong = format!("Graph(nodes: {{ \"a\": Plus({fields}) }})");
    criterion.bench_function("20,000 mistakes in a line, reported", |b| {
        b.iter(|| read(&wrong).expect_err("mistakes").render(false));
    });
    let long = chain(170_000);
    assert!(long.len() > 5_000_000);
    let mut slow = criterion.benchmark_group("long");
    slow.sample_size(10);
    slow.bench_function("170,000 nodes, parsed", |b| b.iter(|| Tree::parse(black_box(&*long))));
    slow.bench_function("170,000 nodes, rejected", |b| b.iter(|| read(&long)));
    let deep = "Graph(".to_owned() + &"[".repeat(100_000);
    slow.bench_function("100,000 brackets", |b| b.iter(|| read(&deep)));
    slow.finish();
}

criterion_group!(benches, language);
criterion_main!(benches);
