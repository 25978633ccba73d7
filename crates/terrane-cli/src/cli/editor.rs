//! What an editor that runs `terrane view --editor` sends and receives: lines of JSON.

use std::io::{BufRead as _, Read as _};
use std::path::Path;

use serde_json::{Value as Json, json};
use terrane_view::Remote;

use super::events;

/// Maximum length of a line in bytes.
const LONGEST: u64 = 64 << 10;

/// Reads lines of standard input on a thread of its own. At their end, the program ends: an editor that is
/// gone, also one that was killed, leaves no previews behind.
pub fn listen(remote: Remote) {
    let read = move || {
        let _ended = lines(&remote);
        std::process::exit(0);
    };
    // Without a thread, pages work and the editor's lines are not read.
    let _no_thread = std::thread::Builder::new().name("editor".to_owned()).spawn(read);
}

/// Reads lines until their end.
fn lines(remote: &Remote) -> std::io::Result<()> {
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let is_whole = line.ends_with(b"\n") || (line.len() as u64) < LONGEST;
        let done = if is_whole { take(remote, &line) } else { Err(too_long()) };
        if !is_whole {
            input.skip_until(b'\n')?;
        }
        if let Err(why) = done {
            let shown: String = String::from_utf8_lossy(&line).trim_end().chars().take(200).collect();
            events::print(&json!({ "event": "refused", "line": shown, "message": why }));
        }
    }
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
