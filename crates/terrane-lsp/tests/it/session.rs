//! An editor that talks to a server in memory.

use std::path::PathBuf;
use std::thread::JoinHandle;

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value as Json, json};
use terrane_flow::Declare as _;
use terrane_lsp::{Setup, serve};
use terrane_runs::world::World;

/// An editor with an open folder, and its server.
pub struct Session {
    connection: Connection,
    server: Option<JoinHandle<()>>,
    folder: tempfile::TempDir,
    next: i32,
    /// Messages of the server that were not asked for.
    pub told: Vec<Notification>,
}

impl Session {
    /// Starts a server for a folder with these files.
    pub fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, true)
    }

    /// Starts a server for an editor that may know no snippets.
    pub fn with(files: &[(&str, &str)], snippets: bool) -> Self {
        let completion = json!({ "completionItem": { "snippetSupport": snippets } });
        Self::with_capabilities(files, json!({ "textDocument": { "completion": completion } }))
    }

    /// Starts a server for an editor with these capabilities.
    pub fn with_capabilities(files: &[(&str, &str)], capabilities: Json) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || {
            let setup = Setup {
                registry: terrane_nodes::registry(),
                others: vec![World::spec()],
                version: "0",
                program: None,
                results: None,
            };
            serve(&server, &setup).unwrap();
        });
        let mut session = Self { connection, server: Some(server), folder, next: 0, told: Vec::new() };
        let root = session.uri("");
        session.ask(
            "initialize",
            json!({
                "capabilities": capabilities,
                "workspaceFolders": [{ "uri": root, "name": "folder" }],
            }),
        );
        session.tell("initialized", json!({}));
        session
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display()).trim_end_matches('/').to_owned()
    }

    pub fn tell(&self, method: &str, params: Json) {
        self.connection.sender.send(Notification::new(method.to_owned(), params).into()).unwrap();
    }

    /// The result of a request; an error as its message.
    pub fn ask(&mut self, method: &str, params: Json) -> Json {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.connection.sender.send(Request::new(id.clone(), method.to_owned(), params).into()).unwrap();
        loop {
            match self.connection.receiver.recv_timeout(std::time::Duration::from_secs(20)).unwrap() {
                Message::Response(response) if response.id == id => {
                    let value = serde_json::to_value(&response).unwrap();
                    return value
                        .get("result")
                        .or_else(|| value.pointer("/error/message"))
                        .cloned()
                        .unwrap_or(Json::Null);
                }
                Message::Notification(notification) => self.told.push(notification),
                other => panic!("{other:?}"),
            }
        }
    }

    /// Opens a file with a text. `$0` in it is the cursor, whose position is returned.
    pub fn open(&self, name: &str, text: &str) -> Json {
        let (text, position) = cursor(text);
        let item = json!({ "uri": self.uri(name), "languageId": "ron", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
        position
    }

    /// Replaces the text of an open file.
    pub fn set(&self, name: &str, version: i32, text: &str) -> Json {
        let (text, position) = cursor(text);
        let document = json!({ "uri": self.uri(name), "version": version });
        let change = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.tell("textDocument/didChange", change);
        position
    }

    /// A request about the cursor in a file.
    pub fn at(&mut self, method: &str, name: &str, position: &Json) -> Json {
        let params = json!({ "textDocument": { "uri": self.uri(name) }, "position": position });
        self.ask(&format!("textDocument/{method}"), params)
    }

    /// The mistakes and warnings of a file that the editor shows, once they are those of a version.
    pub fn mistakes(&mut self, name: &str, version: i32) -> Vec<Json> {
        let uri = self.uri(name);
        loop {
            let found = self.told.iter().rev().find(|told| {
                told.method == "textDocument/publishDiagnostics"
                    && told.params["uri"] == json!(uri)
                    && told.params["version"] == json!(version)
            });
            if let Some(found) = found {
                return found.params["diagnostics"].as_array().unwrap().clone();
            }
            match self.connection.receiver.recv_timeout(std::time::Duration::from_secs(20)).unwrap() {
                Message::Notification(notification) => self.told.push(notification),
                other => panic!("{other:?}"),
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.ask("shutdown", Json::Null);
        self.tell("exit", Json::Null);
        self.server.take().unwrap().join().unwrap();
    }
}

/// A text without its cursor `$0`, and the cursor's position.
fn cursor(text: &str) -> (String, Json) {
    let at = text.find("$0").unwrap_or(0);
    let before = &text[..at];
    let line = before.matches('\n').count();
    let character = before.rsplit('\n').next().unwrap_or("").encode_utf16().count();
    (text.replacen("$0", "", 1), json!({ "line": line, "character": character }))
}

/// A text with edits, whose positions count units of UTF-16.
pub fn applied(text: &str, mut edits: Vec<Json>) -> String {
    let place =
        |position: &Json| (position["line"].as_u64().unwrap(), position["character"].as_u64().unwrap());
    // From the last to the first.
    edits.sort_by_key(|edit| std::cmp::Reverse(place(&edit["range"]["start"])));
    let mut text = text.to_owned();
    for edit in edits {
        let [start, end] = ["start", "end"].map(|end| {
            let (line, character) = place(&edit["range"][end]);
            let start: usize = text.split_inclusive('\n').take(line as usize).map(str::len).sum();
            let before: Vec<u16> = text[start..].encode_utf16().take(character as usize).collect();
            start + String::from_utf16(&before).unwrap().len()
        });
        text.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    text
}
