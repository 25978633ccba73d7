//! The parts of a document: its fenced blocks and its links.

use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A fenced block.
pub struct Block {
    /// The line number of its opening fence, from 1.
    pub line: usize,
    /// The first word after the opening fence.
    pub language: String,
    /// The other words after the opening fence.
    pub marks: Vec<String>,
    /// The text between the fences.
    pub text: String,
}

impl Block {
    /// The file that the block's first line names, if that line is a comment such as `// hills.ron` or
    /// `<!-- coast.svg -->`.
    pub fn file(&self) -> Option<&str> {
        let line = self.text.lines().next()?.trim();
        let comment =
            line.strip_prefix("// ").or_else(|| line.strip_prefix("<!-- ")?.strip_suffix(" -->"))?;
        let named = Path::new(comment).extension().is_some_and(|extension| !extension.is_empty());
        (named && !comment.contains([' ', '/'])).then_some(comment)
    }
}

/// A document of the repository.
pub struct Document {
    /// Its path, relative to the repository's root.
    pub path: PathBuf,
    /// Its fenced blocks, in order.
    pub blocks: Vec<Block>,
    /// Code spans in its sentences.
    pub spans: Vec<String>,
    /// The targets of its links and pictures.
    pub links: Vec<String>,
}

impl Document {
    /// Parses a text.
    pub fn parse(path: PathBuf, text: &str) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        let (mut spans, mut links) = (Vec::new(), Vec::new());
        let mut inside = false;
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    let mut words = info.split([',', ' ']).map(str::to_owned);
                    let line = 1 + text[..range.start].matches('\n').count();
                    let language = words.next().unwrap_or_default();
                    blocks.push(Block { line, language, marks: words.collect(), text: String::new() });
                    inside = true;
                }
                Event::End(TagEnd::CodeBlock) => inside = false,
                Event::Text(part) if inside => {
                    if let Some(block) = blocks.last_mut() {
                        block.text.push_str(&part);
                    }
                }
                Event::Code(span) => spans.push(span.into_string()),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    links.push(dest_url.into_string());
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    links.extend(
                        html.split("src=\"").skip(1).filter_map(|s| s.split('"').next()).map(str::to_owned),
                    );
                }
                _ => {}
            }
        }
        Self { path, blocks, spans, links }
    }

    /// The position of a block, for messages.
    pub fn at(&self, block: &Block) -> String {
        format!("{}:{}", self.path.display(), block.line)
    }
}
