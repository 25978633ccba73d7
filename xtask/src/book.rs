//! Builds the pictures of the book, and the book.

use std::path::Path;
use std::process::{Command, Stdio};

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use crate::pages::{self, Files};
use crate::picture::{self, Renderer};
use crate::{Result, root, say};

/// Side of a picture, in samples.
const SIDE: usize = 384;

/// Writes the pictures that chapters show, or compares them with the existing ones. Then builds the book.
pub fn book(renderer: &Renderer, check: bool) -> Result<()> {
    let folder = root().join("book/src");
    let mut pictures = Files::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            chapter(renderer, &path, &mut pictures)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    let folder = folder.join("pictures");
    if check {
        return pages::compare(&folder, &pictures, "cargo xtask book");
    }
    pages::write(&folder, &pictures)?;
    mdbook()
}

/// Draws the pictures of one chapter. `pictures/GRAPH-OUTPUT.jpg` shows the output `OUTPUT.png`, or `OUTPUT`
/// in another format, of the chapter's graph `GRAPH.ron`.
fn chapter(renderer: &Renderer, path: &Path, pictures: &mut Files) -> Result<()> {
    let text = std::fs::read_to_string(path)?;
    let folder = tempfile::tempdir()?;
    copy_data(folder.path())?;
    let mut block: Option<String> = None;
    for event in Parser::new(&text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => block = Some(String::new()),
            Event::Text(part) => {
                if let Some(block) = &mut block {
                    block.push_str(&part);
                }
            }
            Event::End(TagEnd::CodeBlock) => save(&block.take().unwrap_or_default(), folder.path())?,
            Event::Start(Tag::Image { dest_url, .. }) => {
                if let Some(name) = dest_url.strip_prefix("pictures/") {
                    pictures.insert(name.to_owned(), draw(renderer, name, folder.path())?);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Copies the data of the repository's graphs, which chapters read. Links would not do: a graph cannot read
/// files outside its folder.
fn copy_data(folder: &Path) -> Result<()> {
    let copies = folder.join("graphs/data");
    std::fs::create_dir_all(&copies)?;
    for entry in std::fs::read_dir(root().join("graphs/data"))? {
        let entry = entry?;
        std::fs::copy(entry.path(), copies.join(entry.file_name()))?;
    }
    Ok(())
}

/// Saves a block under the name in its first line, which is a comment.
fn save(block: &str, folder: &Path) -> Result<()> {
    let line = block.lines().next().unwrap_or_default();
    let name = line.strip_prefix("// ").or_else(|| line.strip_prefix("<!-- ")?.strip_suffix(" -->"));
    if let Some(name) = name.filter(|name| name.contains('.') && !name.contains([' ', '/'])) {
        std::fs::write(folder.join(name), block)?;
    }
    Ok(())
}

fn draw(renderer: &Renderer, name: &str, folder: &Path) -> Result<Vec<u8>> {
    let stem = name.strip_suffix(".jpg").unwrap_or(name);
    let (graph, output) = stem.split_once('-').ok_or_else(|| format!("{name} is not GRAPH-OUTPUT.jpg"))?;
    let path = folder.join(graph).with_extension("ron");
    if terrane_flow::described_type(&terrane_flow::Disk, &path).as_deref() == Some("World") {
        return picture::jpeg(&picture::shrink(&renderer.world(&path, 3, 129)?, SIDE));
    }
    let loaded = renderer.load_within(&path, 1025)?;
    let is = |file: &str| Path::new(file).file_stem().is_some_and(|stem| stem == output);
    let entry = loaded.graph.outputs.iter().find(|entry| is(&entry.file));
    let entry = entry.ok_or_else(|| format!("{graph}.ron has no output `{output}` above {name}"))?;
    // Outputs with 8 bits are not heights. They are shown as in the file.
    let mask = entry.options.iter().any(|(name, value)| name == "depth" && value == "U8");
    let shown =
        if mask { renderer.grey(&loaded, &entry.from)? } else { renderer.output(&loaded, &entry.from)? };
    picture::jpeg(&picture::shrink(&shown, SIDE))
}

/// Builds the pages into `target/book`.
fn mdbook() -> Result<()> {
    let version =
        Command::new("mdbook").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        say("the pages need mdbook: cargo install mdbook");
        return Ok(());
    }
    let status = Command::new("mdbook").args(["build", "book"]).current_dir(root()).status()?;
    if status.success() { Ok(()) } else { Err("mdbook failed".into()) }
}
