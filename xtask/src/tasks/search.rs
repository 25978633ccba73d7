//! The fixed search that solves tasks: it knows what the server says, and nothing of any node type.

use std::collections::BTreeSet;
use std::io;

use serde_json::{Value as Json, json};

use super::candidates::{all_fixed, mended};
use super::catalogue::{Catalogue, text};
use super::client::Client;

/// The maximum number of calls for a task.
pub const MAX_CALLS: u32 = 600;

/// How deep mistakes are mended one after the other.
const MAX_DEPTH: u32 = 14;

/// The output and the digest to find.
pub struct Asked {
    /// The graph's file.
    pub file: String,
    /// The output file.
    pub output: String,
    /// The digest of its value.
    pub digest: String,
}

/// How a search ended.
pub struct Ended {
    /// Whether the output was written with the digest that was asked for.
    pub is_solved: bool,
    /// Whether a run said that it succeeded and named no output.
    pub is_empty: bool,
    /// The number of calls.
    pub calls: u32,
    /// The text at the end.
    pub text: String,
}

struct Search<'a> {
    client: &'a mut Client,
    catalogue: Catalogue,
    asked: &'a Asked,
    tried: BTreeSet<String>,
    text: String,
    digest: String,
    is_empty: bool,
}

/// Solves a task.
pub fn solve(client: &mut Client, asked: &Asked) -> io::Result<Ended> {
    let catalogue = client.call("catalogue", &json!({}))?.unwrap_or_default();
    let read = client.call("read", &json!({ "path": asked.file }))?.unwrap_or_default();
    let (own, digest) = (text(&read["text"]).to_owned(), text(&read["digest"]).to_owned());
    let mut search = Search {
        catalogue: Catalogue::new(&catalogue),
        asked,
        tried: BTreeSet::new(),
        text: own.clone(),
        digest,
        is_empty: false,
        client,
    };
    let is_solved = search.visit(own, 0, usize::MAX)?;
    Ok(Ended { is_solved, is_empty: search.is_empty, calls: search.client.calls, text: search.text })
}

impl Search<'_> {
    /// Tries a text, and all texts that mend its mistakes.
    fn visit(&mut self, own: String, depth: u32, most: usize) -> io::Result<bool> {
        if depth > MAX_DEPTH || self.client.calls > MAX_CALLS || !self.tried.insert(own.clone()) {
            return Ok(false);
        }
        let Some(check) = self.write(&own)? else { return Ok(false) };
        let mistakes: Vec<Json> = check["mistakes"].as_array().cloned().unwrap_or_default();
        let nodes: Vec<Json> = check["nodes"].as_array().cloned().unwrap_or_default();
        if check["valid"] == true {
            return self.finish(&check, &nodes);
        }
        // A text with more mistakes is no progress. Some mistakes hide others, so a few more are allowed.
        if mistakes.len() > most || depth > 0 && mistakes.iter().any(|mistake| mistake["code"] == "cycle") {
            return Ok(false);
        }
        let most = mistakes.len() + 3;
        if let Some(fixed) = all_fixed(&own, &mistakes)
            && self.visit(fixed, depth + 1, most)?
        {
            return Ok(true);
        }
        let Some(first) = mistakes.first() else { return Ok(false) };
        for next in mended(&own, first, &nodes, (&self.catalogue, &mut *self.client))? {
            if self.visit(next, depth + 1, most)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes the text as one edit of bytes, and returns the check of it.
    fn write(&mut self, own: &str) -> io::Result<Option<Json>> {
        if own == self.text {
            return Ok(self.client.call("check", &json!({ "path": self.asked.file }))?.ok());
        }
        let (start, end, with) = difference(&self.text, own);
        let edits = json!([{ "start": start, "end": end, "text": with }]);
        let arguments = json!({ "path": self.asked.file, "digest": self.digest, "edits": edits });
        let Ok(answer) = self.client.call("edit", &arguments)? else { return Ok(None) };
        own.clone_into(&mut self.text);
        text(&answer["digest"]).clone_into(&mut self.digest);
        Ok(Some(answer["check"].clone()))
    }

    /// A text without mistakes: whether its output has the digest, or another port that then becomes the
    /// output.
    fn finish(&mut self, check: &Json, nodes: &[Json]) -> io::Result<bool> {
        let outputs = check["outputs"].as_array().into_iter().flatten();
        match outputs.into_iter().find(|output| output["file"] == *self.asked.output) {
            Some(output) => {
                Ok(self.has_digest(vec![text(&output["from"]).to_owned()])?.is_some() && self.run()?)
            }
            None => {
                let mut ports = Vec::new();
                for node in nodes {
                    for output in self.catalogue.listed(text(&node["type"]), "outputs") {
                        ports.push(format!("{}.{}", text(&node["name"]), text(&output["name"])));
                    }
                }
                let Some(port) = self.has_digest(ports)? else { return Ok(false) };
                let edits = json!([{ "op": "add_output", "file": self.asked.output, "from": port }]);
                let arguments = json!({ "path": self.asked.file, "digest": self.digest, "edits": edits });
                Ok(self.client.call("edit", &arguments)?.is_ok() && self.run()?)
            }
        }
    }

    /// The port among these whose value has the digest.
    fn has_digest(&mut self, ports: Vec<String>) -> io::Result<Option<String>> {
        let arguments = json!({ "path": self.asked.file, "ports": ports });
        let answer = match self.client.call("digest", &arguments)? {
            Ok(answer) => answer,
            // One of several ports may fail.
            Err(_) if ports.len() > 1 => {
                for port in ports {
                    if let Some(found) = self.has_digest(vec![port])? {
                        return Ok(Some(found));
                    }
                }
                return Ok(None);
            }
            Err(_) => return Ok(None),
        };
        let mut values = answer["values"].as_array().into_iter().flatten();
        let found = values.find(|value| value["digest"] == *self.asked.digest);
        Ok(found.map(|value| text(&value["port"]).to_owned()))
    }

    /// Runs the graph. Whether it wrote the output with the digest.
    fn run(&mut self) -> io::Result<bool> {
        let arguments = json!({ "path": self.asked.file, "only": [self.asked.output] });
        let Ok(answer) = self.client.call("run", &arguments)? else { return Ok(false) };
        let files = answer["files"].as_array().cloned().unwrap_or_default();
        self.is_empty |= files.is_empty();
        Ok(files
            .iter()
            .any(|file| file["output"] == *self.asked.output && file["digest"] == *self.asked.digest))
    }
}

/// The bytes in which two texts differ, and the new text there.
fn difference<'n>(old: &str, new: &'n str) -> (usize, usize, &'n str) {
    let mut start = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
        start -= 1;
    }
    let most = (old.len() - start).min(new.len() - start);
    let mut same = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
    while !old.is_char_boundary(old.len() - same) || !new.is_char_boundary(new.len() - same) {
        same -= 1;
    }
    (start, old.len() - same, &new[start..new.len() - same])
}
