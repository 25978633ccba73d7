//! `edit`: changes the text of a graph, or writes a new one.

use std::path::Path;

use serde_json::{Map, Value as Json, json};
use terrane_flow::GraphText;
use terrane_io::{create_atomic, write_atomic_if};

use super::tool::{Tool, schema};
use super::{check, difference, operations};
use crate::answer::Answer;
use crate::arguments::{Arguments, missing};
use crate::failures;
use crate::graph;
use crate::refusal::{self, Refusal};
use crate::setup::Shared;
use crate::stop::Stop;

pub const TOOL: Tool = Tool {
    name: "edit",
    description: "Changes a file: edits of bytes {start, end, text}, all positions in the text before; \
        or operations {op, ...} by names; or the whole `text`. Needs the digest of the text that is \
        changed, except with create: true for a new file. Answers the new digest, a unified difference \
        and a check.",
    schema: || {
        let edits = format!(
            "Either {{start, end, text}}: the bytes from start to end become the text. Or {{op, ...}}, \
                one of {}; values and calls are RON texts.",
            operations::described()
        );
        let properties = json!({
            "path": { "type": "string", "description": "The file, relative to the server's folder." },
            "digest": { "type": "string", "description": "The digest of the present text: of read, check \
                or edit." },
            "create": { "type": "boolean", "description": "Writes a new file." },
            "text": { "type": "string", "description": "The whole new text, instead of edits." },
            "edits": { "type": "array", "items": { "type": "object" }, "description": edits },
            "dry_run": { "type": "boolean", "description": "Answers the difference and writes nothing." },
        });
        schema(properties, &["path"])
    },
    reads_only: false,
    work: edit,
};

fn edit(shared: &Shared, arguments: &Arguments<'_>, stop: &Stop) -> Result<Answer, Refusal> {
    let given = arguments.text("path")?;
    let (whole, edits) = (arguments.optional_text("text")?, arguments.objects("edits")?);
    if whole.is_some() != edits.is_empty() {
        return Err(Refusal::new("give either `text` or `edits`", "leave out one of the two").at("arguments"));
    }
    let is_new = arguments.flag("create")?;
    let (path, old) =
        if is_new { (new_file(shared, given)?, String::new()) } else { known(shared, arguments)? };
    let name = shared.folder.relative(&path);
    let new = match whole {
        Some(text) => text.to_owned(),
        None => changed(shared, &old, &edits)?,
    };
    if let Some(refusal) = stop.reason() {
        return Err(refusal);
    }
    let difference = difference::unified(&name, &old, &new);
    if arguments.flag("dry_run")? {
        let facts = json!({ "path": name, "written": false, "difference": difference });
        return Ok(Answer::new(format!("{name} would change:\n{difference}"), facts));
    }
    write(&path, (!is_new).then_some(&*old), &new).map_err(|why| {
        Refusal::new(format!("cannot write `{name}`: {}", shared.folder.shown(&why)), REREAD)
    })?;
    let checked = check::facts(shared, &path)?;
    let digest = graph::digest(&new);
    if checked["digest"] != *digest {
        return Err(Refusal::new(format!("`{name}` was changed by another program at once"), REREAD).at(name));
    }
    let mut text = format!("{name} is written, digest {digest}\n{difference}");
    for mistake in checked["mistakes"].as_array().into_iter().flatten() {
        text += &refusal::line(mistake);
    }
    let facts = json!({
        "path": name, "written": true, "digest": digest, "bytes": new.len(), "difference": difference,
        "check": checked,
    });
    Ok(Answer::new(text, facts))
}

const REREAD: &str = "read the file again, and edit its present text";

/// The path of a new file, which does not exist yet.
fn new_file(shared: &Shared, given: &str) -> Result<std::path::PathBuf, Refusal> {
    let path = shared.folder.writable(given)?;
    if path.symlink_metadata().is_ok() {
        let remedy = "edit it without `create`, with the digest of its text; or choose another name";
        return Err(Refusal::new(format!("`{given}` exists"), remedy).at("path"));
    }
    if path.extension() != Some("ron".as_ref()) {
        let found = path.extension().map_or_else(String::new, |e| e.to_string_lossy().into_owned());
        return Err(Refusal::new(
            format!("`{given}` is no name of a graph"),
            "write a name such as hills.ron",
        )
        .at("path")
        .expected("a name that ends with .ron", found));
    }
    Ok(path)
}

/// The path and the text of a file that the client has read.
fn known(shared: &Shared, arguments: &Arguments<'_>) -> Result<(std::path::PathBuf, String), Refusal> {
    let given = arguments.text("path")?;
    if shared.folder.writable(given).is_ok_and(|path| path.symlink_metadata().is_err()) {
        return Err(
            Refusal::new(format!("`{given}` does not exist"), "set create: true to write it").at("path")
        );
    }
    let path = shared.folder.existing(given)?;
    let digest = arguments.optional_text("digest")?;
    let digest =
        digest.ok_or_else(|| missing("digest", "the digest of the present text, from read or check"))?;
    let was_read = shared.was_read(&path, digest);
    let (text, present) = graph::text(shared, &path)?;
    if present != digest || !was_read {
        let wrong = Refusal::new(format!("the text of `{given}` is not the one that was read"), REREAD);
        return Err(wrong.at("digest").expected(present, digest));
    }
    Ok((path, text))
}

/// The text after all edits.
fn changed(shared: &Shared, old: &str, edits: &[&Map<String, Json>]) -> Result<String, Refusal> {
    if edits.iter().all(|edit| edit.contains_key("op")) {
        let mut graph = GraphText::new(old).map_err(|error| match error {
            terrane_flow::RewriteError::Text(mistakes) => {
                let refusal = failures::of_graph(&mistakes, &shared.folder);
                let remedy =
                    "operations need a text without syntax errors: mend it with edits of bytes first";
                refusal.mended_by(remedy)
            }
            other => Refusal::new(other.to_string(), "edit bytes instead"),
        })?;
        for edit in edits {
            operations::apply(&mut graph, &shared.setup.registry, edit)?;
        }
        return Ok(graph.into_text());
    }
    let mut spans = Vec::new();
    for edit in edits {
        spans.push(span(old, edit)?);
    }
    spans.sort_by_key(|(start, end, _)| (*start, *end));
    let (mut new, mut at) = (String::new(), 0);
    for (start, end, text) in spans {
        if start < at {
            let what = format!("the edits overlap at byte {start}");
            return Err(Refusal::new(what, "give edits of separate bytes").at("edits"));
        }
        new += &old[at..start];
        new += text;
        at = end;
    }
    Ok(new + &old[at..])
}

/// The bytes and the new text of an edit.
fn span<'a>(old: &str, edit: &'a Map<String, Json>) -> Result<(usize, usize, &'a str), Refusal> {
    let position = |name: &str| {
        let number = edit.get(name).and_then(Json::as_u64).and_then(|number| usize::try_from(number).ok());
        number.filter(|at| old.is_char_boundary(*at)).ok_or_else(|| {
            let found = edit.get(name).map_or_else(|| "nothing".to_owned(), Json::to_string);
            let expected = format!("a position between characters, from 0 to {}", old.len());
            Refusal::new(
                format!("`{name}` of an edit is no position in the text"),
                format!("give {expected}"),
            )
            .at("edits")
            .expected(expected, found)
        })
    };
    let (start, end) = (position("start")?, position("end")?);
    if start > end {
        let what = format!("an edit begins at byte {start} and ends before it, at byte {end}");
        return Err(Refusal::new(what, "give start <= end").at("edits"));
    }
    let text = edit.get("text").and_then(Json::as_str).ok_or_else(|| missing("text", "the new text"))?;
    match edit.keys().find(|key| !["start", "end", "text"].contains(&key.as_str())) {
        Some(unknown) => {
            let what =
                format!("an edit of bytes takes no argument {}", terrane_flow::suggest::shorten(unknown));
            Err(Refusal::new(what, "give start, end and text; or only edits with `op`").at("edits"))
        }
        None => Ok((start, end, text)),
    }
}

/// Writes a text. An existing file must still have the text `old`.
fn write(path: &Path, old: Option<&str>, new: &str) -> Result<(), String> {
    use std::io::{Error, Write as _};
    let Some(old) = old else {
        let created = create_atomic(path, |out| out.write_all(new.as_bytes()));
        return match created {
            Ok(true) => Ok(()),
            Ok(false) => Err("it exists".to_owned()),
            Err(error) => Err(error.problem.to_string()),
        };
    };
    let still = || match terrane_io::read_regular(path) {
        Ok(bytes) if bytes == old.as_bytes() => Ok(()),
        Ok(_) => Err(Error::other("another program has changed it")),
        Err(error) => Err(error),
    };
    let written = write_atomic_if(path, still, |out| out.write_all(new.as_bytes()));
    written.map(|_| ()).map_err(|error| error.problem.to_string())
}
