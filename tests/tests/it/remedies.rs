//! The remedies in errors of nodes: a number that a help names is taken by the node.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use terrane::flow::{Evaluation, NodeError, Outcome};
use terrane::{Engine, LoadOptions, Loaded, registry};
use terrane_flow::testing::edited;
use terrane_tests::variants::{examples, extremes};
use terrane_tests::{engine, evaluate_for, load_small, root};

/// An error of a node: its message and its help.
type Told = (String, String);

/// The error of a graph, before or during a run, if it says one soon.
fn told(engine: &Engine, text: &str, node: &str) -> Option<Told> {
    let file = root().join("graphs/test.ron");
    let loaded: Arc<Loaded> = match load_small(&file, text, (29, 33)) {
        Ok(loaded) => Arc::new(loaded),
        Err(mistakes) => return mistakes.0.into_iter().next().map(|first| (first.message, first.help)),
    };
    failure(&evaluate_for(engine, &loaded, Duration::from_millis(500))?, node)
}

fn failure(evaluation: &Evaluation, node: &str) -> Option<Told> {
    let of_node = evaluation.nodes.iter().find(|timing| &*timing.node == node)?;
    match &of_node.outcome {
        Outcome::Failed(NodeError::Failed { message, help }) => Some((message.clone(), help.clone())),
        _ => None,
    }
}

/// The number that a help gives, and the parameter that its message or help is about.
fn number((message, help): &Told) -> Option<(String, String)> {
    let after = ["at most ", "at least ", "use history_every: "].iter().find_map(|words| {
        let (_, rest) = help.split_once(words)?;
        let end = rest.find(|c: char| !(c.is_ascii_digit() || "+-.e".contains(c))).unwrap_or(rest.len());
        Some(rest[..end].trim_end_matches('.').to_owned())
    });
    let number = after.filter(|number| number.parse::<f64>().is_ok())?;
    let name = |text: &str| text.split('`').nth(1).map(str::to_owned);
    let own = if help.contains("history_every") { Some("history_every".to_owned()) } else { None };
    Some((own.or_else(|| name(help)).or_else(|| name(message))?, number))
}

/// A message without its numbers.
fn words(message: &str) -> String {
    message.chars().filter(|c| !(c.is_ascii_digit() || "+-.".contains(*c))).collect()
}

#[test]
fn a_number_in_a_help_is_taken() {
    let engine = engine(2, None);
    let (mut wrong, mut followed) = (Vec::new(), 0);
    for (spec, example) in examples() {
        let options = LoadOptions { allow_outside: true, ..LoadOptions::default() };
        let folder: &Path = &root().join("graphs");
        let Ok(loaded) = terrane::load("test.ron", example, folder, &registry(), &options) else { continue };
        let own = loaded.graph.nodes.iter().find(|(_, node)| node.node().spec().name == spec.name);
        let Some((node, _)) = own else { panic!("{}", spec.name) };
        for param in spec.params {
            for value in extremes(param) {
                let Ok(text) = edited(example, |graph| graph.set_field(node, param.name, &value)) else {
                    continue;
                };
                let Some(first) = told(&engine, &text, node) else { continue };
                let Some((field, number)) = number(&first) else { continue };
                let Ok(mended) = edited(&text, |graph| graph.set_field(node, &field, &number)) else {
                    continue;
                };
                followed += 1;
                if let Some(second) = told(&engine, &mended, node)
                    && words(&second.0) == words(&first.0)
                {
                    wrong.push(format!(
                        "{}({}: {value}): {first:?} with {field}: {number}",
                        spec.name, param.name
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {followed}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(followed >= 5, "{followed}");
}
