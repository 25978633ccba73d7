//! Mistakes of graphs as JSON: where they are, and the edits that mend them.

use serde_json::Value as Json;
use terrane_flow::{Diagnostic, Diagnostics};
use terrane_runs::lint::Warning;

use crate::folder::Folder;

/// Mistakes that are listed, at most, and characters of the text of each.
const MOST: usize = 200;
const LONGEST: usize = 400;

/// The first mistakes, each with its place as line, column and bytes, and its fix as an edit.
pub fn listed(found: &Diagnostics, folder: &Folder) -> Json {
    let all = found.0.iter().zip(found.to_json());
    all.take(MOST).map(|(mistake, json)| one(mistake, json, folder)).collect()
}

fn one(mistake: &Diagnostic, mut json: Json, folder: &Folder) -> Json {
    if let Some((source, span)) = &mistake.place {
        json["file"] = folder.shown(&source.name).into();
        json["start"] = span.start.into();
        json["end"] = span.end.into();
        let text = source.text.get(span.clone()).unwrap_or_default();
        json["text"] = text.chars().take(LONGEST).collect::<String>().into();
    }
    for field in ["message", "help"] {
        json[field] = folder.shown(json[field].as_str().unwrap_or_default()).into();
    }
    json
}

/// The number of mistakes in words.
pub fn counted(count: usize) -> String {
    match count {
        0 => "no mistakes".to_owned(),
        1 => "1 mistake".to_owned(),
        _ => format!("{count} mistakes"),
    }
}

/// Warnings as JSON, each with its node; its code is the name that a comment can allow.
pub fn warnings(found: &[Warning], folder: &Folder) -> Json {
    let json = |warning: &Warning| {
        let mut json = one(&warning.diagnostic, warning.diagnostic.to_json(), folder);
        json["node"] = warning.node.as_str().into();
        json
    };
    found.iter().take(MOST).map(json).collect()
}
