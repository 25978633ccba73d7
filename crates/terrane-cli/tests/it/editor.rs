//! An editor's side of `terrane lsp`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value as Json, json};

/// A language server, and the editor that talks to it.
pub struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
    /// What the server said without being asked.
    pub told: Vec<Json>,
}

impl Editor {
    pub fn start(folder: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_terrane"))
            .args(["lsp", "--stdio", "--cache-dir"])
            .arg(folder.join("cache"))
            .env("TERRANE_CACHE_DIR", folder.join("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut editor = Self { child, input, output, next: 0, told: Vec::new() };
        let root = uri(folder);
        editor.ask(
            "initialize",
            json!({
                "capabilities": { "window": { "showDocument": { "support": true } } },
                "workspaceFolders": [{ "uri": root, "name": "folder" }],
            }),
        );
        editor.send(json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
        editor
    }

    pub fn send(&mut self, message: Json) {
        self.write(&message.to_string());
    }

    /// Sends a text that need not be a message.
    pub fn write(&mut self, text: &str) {
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    pub fn read(&mut self) -> Json {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            if line.trim().is_empty() {
                break;
            }
            if let Some(given) = line.strip_prefix("Content-Length: ") {
                length = given.trim().parse().unwrap();
            }
        }
        let mut content = vec![0; length];
        self.output.read_exact(&mut content).unwrap();
        serde_json::from_slice(&content).unwrap()
    }

    pub fn ask(&mut self, method: &str, params: Json) -> Json {
        self.next += 1;
        let id = self.next;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.read();
            if message.get("method").is_none() && message["id"] == id {
                return message.get("result").or(message.pointer("/error/message")).unwrap().clone();
            }
            self.told.push(message);
        }
    }

    /// The exit code of a server that ends.
    pub fn ended(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    pub fn execute(&mut self, command: &str, arguments: Json) -> Json {
        self.ask("workspace/executeCommand", json!({ "command": command, "arguments": arguments }))
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // The test fails by itself if the server has ended before.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.canonicalize().unwrap().display())
}
