//! What an editor that runs `terrane view --editor` sends and receives: lines of JSON.

use std::io::{BufRead as _, Read as _};
use std::path::Path;

use serde_json::{Value as Json, json};
use terrane_view::Remote;

use super::events;

/// Maximum length of a line in bytes.
const LONGEST: u64 = 64 << 10;

/// Reads lines of standard input until its end, on a thread of its own.
pub fn listen(remote: Remote) {
    let read = move || {
        let mut input = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match input.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let is_whole = line.ends_with(b"\n") || (line.len() as u64) < LONGEST;
            let done = if is_whole { take(&remote, &line) } else { Err(too_long()) };
            if !is_whole && input.skip_until(b'\n').is_err() {
                return;
            }
            if let Err(why) = done {
                let shown: String = String::from_utf8_lossy(&line).trim_end().chars().take(200).collect();
                events::print(&json!({ "event": "refused", "line": shown, "message": why }));
            }
        }
    };
    // Without a thread, pages work and the editor's lines are not read.
    let _no_thread = std::thread::Builder::new().name("editor".to_owned()).spawn(read);
}

fn too_long() -> String {
    format!("the line is longer than {LONGEST} bytes")
}

/// Does what a line asks for.
fn take(remote: &Remote, line: &[u8]) -> Result<(), String> {
    let expected = |found: String| format!("expected a line such as {{\"show\": \"hills\"}}: {found}");
    let line: Json = serde_json::from_slice(line).map_err(|error| expected(error.to_string()))?;
    let fields = line.as_object().filter(|fields| fields.len() == 1);
    let node = fields.and_then(|fields| fields.get("show")?.as_str());
    remote.show(node.ok_or_else(|| expected("it has other fields".to_owned()))?)
}

/// Prints the place of a node that a page asks to be shown.
pub fn print_source(file: &Path, line: usize, column: usize) {
    events::print(&json!({
        "event": "source", "file": file.to_string_lossy(), "line": line, "column": column,
    }));
}
