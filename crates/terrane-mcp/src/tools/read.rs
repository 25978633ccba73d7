//! `read` and `list`: the texts of graphs, with their digests, and the files of the folder.

use std::path::Path;

use serde_json::json;

use super::tool::{Tool, schema};
use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::graph;
use crate::refusal::Refusal;
use crate::setup::Shared;
use crate::stop::Stop;

/// The maximum number of files that `list` names, and of folders that it looks into.
const MOST: usize = 500;

pub const TOOL: Tool = Tool {
    name: "read",
    description: "The text of a file, and its digest, which `edit` needs to replace the text.",
    schema: || {
        let path = json!({ "type": "string", "description": "The file, relative to the server's folder." });
        schema(json!({ "path": path }), &["path"])
    },
    reads_only: true,
    work: read,
};

pub const LIST: Tool = Tool {
    name: "list",
    description: "The graph files (.ron) below the server's folder.",
    schema: || schema(json!({}), &[]),
    reads_only: true,
    work: list,
};

fn read(shared: &Shared, arguments: &Arguments<'_>, _: &Stop) -> Result<Answer, Refusal> {
    let path = shared.folder.existing(arguments.text("path")?)?;
    let (text, digest) = graph::text(shared, &path)?;
    let name = shared.folder.relative(&path);
    let facts = json!({ "path": name, "digest": digest, "bytes": text.len(), "text": text });
    Ok(Answer::new(format!("{name}, digest {digest}:\n{text}"), facts))
}

fn list(shared: &Shared, _: &Arguments<'_>, stop: &Stop) -> Result<Answer, Refusal> {
    let (mut files, mut folders) = (Vec::new(), vec![shared.folder.root().to_owned()]);
    let mut looked = 0;
    while let Some(folder) = folders.pop().filter(|_| looked < MOST && files.len() < MOST) {
        looked += 1;
        if let Some(refusal) = stop.reason() {
            return Err(refusal);
        }
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        // Links are not followed.
        for entry in entries.flatten() {
            let (path, kind) = (entry.path(), entry.file_type());
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if kind.as_ref().is_ok_and(std::fs::FileType::is_dir) && !is_hidden {
                folders.push(path);
            } else if kind.is_ok_and(|kind| kind.is_file()) && path.extension() == Some("ron".as_ref()) {
                files.push(shared.folder.relative(Path::new(&path)));
            }
        }
    }
    files.sort();
    let is_whole = folders.is_empty();
    let more = if is_whole { "" } else { " (there are more, which are not listed)" };
    let text = format!("graph files{more}: {}", files.join(", "));
    Ok(Answer::new(text, json!({ "files": files, "complete": is_whole })))
}
