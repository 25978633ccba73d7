//! How soon the language server answers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use terrane::flow::Disk;
use terrane::flow::syntax::Tree;
use terrane_lsp::completion::complete;
use terrane_lsp::document::Document;
use terrane_lsp::expected::Types;
use terrane_lsp::lines::Encoding;
use terrane_lsp::offers::Place;

use crate::{Result, root, say};

/// Reads each graph of the repository, cut behind each token, and completes what is begun there; then
/// completes a wire in a graph of many nodes. Prints the median and the longest time.
pub fn editor(nodes: usize) -> Result<()> {
    let registry = terrane::registry();
    let types = Types::new(&registry, &[]);
    let mut times = Vec::new();
    for path in graphs(&root().join("graphs"))? {
        let text = std::fs::read_to_string(&path)?;
        let tree = Tree::parse(&*text);
        for (_, span) in tree.tokens_from(0) {
            times.push((answer(&types, &path, text[..span.end].to_owned(), span.end)?, path.clone()));
        }
    }
    times.sort();
    let milliseconds = |time: &Duration| 1000.0 * time.as_secs_f64();
    if let (Some((middle, _)), Some((most, path))) = (times.get(times.len() / 2), times.last()) {
        say(&format!(
            "{} beginnings: median {:.2} ms, longest {:.1} ms ({})",
            times.len(),
            milliseconds(middle),
            milliseconds(most),
            path.display()
        ));
    }
    let mut text = "Graph(\n    nodes: {\n        \"n0\": Perlin(),\n".to_owned();
    for node in 1..nodes {
        writeln!(text, "        \"n{node}\": Blur(height: \"n{}\", radius: 3.0),", node - 1)?;
    }
    let at = text.len() - "\", radius: 3.0),\n".len();
    text += "    },\n)\n";
    let mut all: Vec<Duration> =
        (0..11).map(|_| answer(&types, Path::new("graph.ron"), text.clone(), at)).collect::<Result<_>>()?;
    all.sort();
    say(&format!("a wire in a graph of {nodes} nodes: median {:.1} ms", milliseconds(&all[5])));
    Ok(())
}

/// How long it takes to read a text and to complete what is begun in it.
fn answer(types: &Types<'_>, path: &Path, text: String, offset: usize) -> Result<Duration> {
    let uri = "file:///graph.ron".parse()?;
    let begin = Instant::now();
    let document = Document::new(uri, path.to_owned(), 1, text, Encoding::Utf16);
    let place = Place::new(types.registry, &Disk, path);
    let proposed = complete(&document, offset, types, &place, true);
    std::hint::black_box(proposed);
    Ok(begin.elapsed())
}

/// The graphs below a folder.
fn graphs(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(graphs(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "ron") {
            found.push(path);
        }
    }
    Ok(found)
}
