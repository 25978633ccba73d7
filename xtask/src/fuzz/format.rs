//! The formatter: it is idempotent, and the formatted text is the same graph, or has the same mistakes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use terrane::flow::{LoadOptions, Loaded, Registry, Source, format_text, load};

use super::mutate::Rng;
use super::tokens::Corpus;
use super::{Target, texts};
use crate::Result;

/// Targets for the formatter, on graphs.
pub fn targets() -> Result<Vec<Box<dyn Target>>> {
    Ok(vec![Box::new(Format {
        corpus: texts::corpus()?,
        registry: terrane::registry(),
        folder: texts::graphs(),
    })])
}

struct Format {
    corpus: Corpus,
    registry: Registry,
    folder: PathBuf,
}

impl Format {
    /// The result of loading a text: the graph, or its mistakes.
    fn meaning(&self, text: &str) -> std::result::Result<String, Vec<String>> {
        load("input.ron", text, &self.folder, &self.registry, &LoadOptions::default())
            .map(|loaded| picture(&loaded))
            .map_err(|mistakes| mistakes.0.into_iter().map(|mistake| mistake.message).collect())
    }
}

impl Target for Format {
    fn name(&self) -> &'static str {
        "format"
    }

    fn share(&self) -> u64 {
        8
    }

    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        self.corpus.mutated(rng).into_bytes()
    }

    fn run(&self, input: &[u8], _: &Path) -> std::result::Result<bool, String> {
        let text = String::from_utf8_lossy(input);
        let once = match format_text("input.ron", &text) {
            Ok(once) => once,
            Err(mistakes) => return texts::check_rendering(&mistakes).map(|()| false),
        };
        match format_text("input.ron", &once) {
            Err(mistakes) => {
                return Err(format!("the formatted text does not parse: {}", mistakes.render(false)));
            }
            Ok(twice) if twice != once => return Err("formatting twice changes the text".to_owned()),
            Ok(_) => {}
        }
        // The loader receives text without a byte order mark.
        let (before, after) = (self.meaning(text.trim_start_matches('\u{feff}')), self.meaning(&once));
        match (before, after) {
            (Ok(before), Ok(after)) if before == after => Ok(true),
            (Ok(_), Ok(_)) => Err("formatting changes the graph".to_owned()),
            (Err(before), Err(after)) if before.len() == after.len() => Ok(false),
            (Err(before), Err(after)) => Err(format!("the mistakes {before:?} become {after:?}")),
            (Ok(_), Err(after)) => Err(format!("formatting adds mistakes: {after:?}")),
            (Err(before), Ok(_)) => Err(format!("formatting removes mistakes: {before:?}")),
        }
    }
}

/// The content of a graph as text, independent of its layout.
pub fn picture(loaded: &Loaded) -> String {
    let graph = &loaded.graph;
    let mut out = format!("{} {:?}\n", graph.seed, graph.header.key());
    for (name, node) in &graph.nodes {
        let (node, spec) = (node.node(), node.node().spec());
        // Writing to a String cannot fail.
        let _infallible = write!(out, "{name}: {}", spec.name);
        for (index, param) in spec.params.iter().enumerate() {
            let _infallible = write!(out, " {}={}", param.name, node.param(index));
        }
        for (index, input) in spec.inputs.iter().enumerate() {
            let source = match node.port(index).source() {
                Source::Wire(reference) => reference.to_string(),
                Source::Number(number) => format!("{number:?}"),
                Source::Unset | Source::Bound(_) => "nothing".to_owned(),
            };
            let _infallible = write!(out, " {}<{source}", input.name);
        }
        out.push('\n');
    }
    for entry in &graph.outputs {
        let options: Vec<String> = entry.options.iter().map(|(name, value)| option(name, value)).collect();
        let _infallible = writeln!(out, "{} < {} {options:?}", entry.file, entry.from);
    }
    out
}

/// An option of an output, regardless of its layout: options keep their text.
fn option(name: &str, value: &str) -> String {
    let text =
        format_text("option", &format!("Option({name}: {value}\n)")).unwrap_or_else(|_| value.to_owned());
    text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect()
}
