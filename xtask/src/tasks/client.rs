//! A client of `terrane mcp`: starts the program, and calls its tools.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value as Json, json};

/// A running server.
pub struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The number of calls so far.
    pub calls: u32,
}

/// The result of a tool: the facts, or the error.
pub type Answer = Result<Json, Json>;

impl Client {
    /// Starts the program for a folder.
    pub fn start(program: &Path, folder: &Path) -> std::io::Result<Self> {
        let mut child = Command::new(program)
            .args(["mcp", "--timeout", "60", "--folder"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::Error::other("the program has no streams"));
        };
        let mut this = Self { child, input, output: BufReader::new(output), calls: 0 };
        this.request("initialize", &json!({ "protocolVersion": "2025-06-18", "capabilities": {} }))?;
        Ok(this)
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, arguments: &Json) -> std::io::Result<Answer> {
        let result = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))?;
        let facts = result["structuredContent"].clone();
        Ok(if result["isError"] == false { Ok(facts) } else { Err(facts["error"].clone()) })
    }

    fn request(&mut self, method: &str, params: &Json) -> std::io::Result<Json> {
        self.calls += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.calls, "method": method, "params": params });
        writeln!(self.input, "{message}")?;
        self.input.flush()?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let answer: Json = serde_json::from_str(&line)?;
        if answer["id"] != self.calls {
            return Err(std::io::Error::other(format!("unexpected answer: {line}")));
        }
        match answer.get("result") {
            Some(result) => Ok(result.clone()),
            None => Err(std::io::Error::other(format!("{method} was refused: {line}"))),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _already_ended = self.child.kill();
        let _status = self.child.wait();
    }
}
