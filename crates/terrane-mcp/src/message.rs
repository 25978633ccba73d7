//! Messages: JSON-RPC 2.0, one message per line.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value as Json, json};

/// The maximum number of bytes of a message.
const MAX_BYTES: u64 = 16 << 20;

/// The text is no JSON.
pub const PARSE: i64 = -32700;
/// The JSON is no request.
pub const INVALID: i64 = -32600;
/// There is no such method.
pub const NO_METHOD: i64 = -32601;
/// The parameters of a method are wrong.
pub const PARAMS: i64 = -32602;
/// There is no such resource.
pub const NO_RESOURCE: i64 = -32002;

/// A message of the client.
#[derive(Debug)]
pub enum Message {
    /// A request, which is answered.
    Request {
        /// Its number or text.
        id: Json,
        /// The method.
        method: String,
        /// The parameters, or null.
        params: Json,
    },
    /// A notification, which is not answered.
    Notification {
        /// The method.
        method: String,
        /// The parameters, or null.
        params: Json,
    },
    /// An answer to a request of the server, which makes none.
    Answer,
    /// Not a message: the number of its request, the code of the error, and why.
    Wrong(Json, i64, String),
}

/// Reads a line; `None` at the end. A line that is too long is skipped and reported.
pub fn read(input: &mut dyn BufRead) -> io::Result<Option<Message>> {
    loop {
        let mut line = Vec::new();
        if (&mut *input).take(MAX_BYTES + 1).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 > MAX_BYTES && line.last() != Some(&b'\n') {
            skip(input)?;
            let why = format!("the message has more than {MAX_BYTES} bytes: send less in one message");
            return Ok(Some(Message::Wrong(Json::Null, INVALID, why)));
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(parse(&line)));
        }
    }
}

/// Skips the rest of a line.
fn skip(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let part = input.fill_buf()?;
        let end = part.iter().position(|byte| *byte == b'\n');
        let (read, is_end) = (end.map_or(part.len(), |end| end + 1), end.is_some() || part.is_empty());
        input.consume(read);
        if is_end {
            return Ok(());
        }
    }
}

/// The message in a line.
pub fn parse(line: &[u8]) -> Message {
    let json: Json = match serde_json::from_slice(line) {
        Ok(json) => json,
        Err(error) => {
            return Message::Wrong(Json::Null, PARSE, format!("the line is no JSON: {error}"));
        }
    };
    let Json::Object(mut object) = json else {
        let why = "expected one JSON-RPC object per line".to_owned();
        return Message::Wrong(Json::Null, INVALID, why);
    };
    let id = object.remove("id");
    let known = id.clone().filter(|id| id.is_string() || id.is_number());
    if object.get("jsonrpc").and_then(Json::as_str) != Some("2.0") {
        let why = "expected \"jsonrpc\": \"2.0\"".to_owned();
        return Message::Wrong(known.unwrap_or(Json::Null), INVALID, why);
    }
    let params = object.remove("params").unwrap_or(Json::Null);
    match (object.remove("method"), id) {
        (Some(Json::String(method)), None) => Message::Notification { method, params },
        (Some(Json::String(method)), Some(_)) => match known {
            Some(id) => Message::Request { id, method, params },
            None => {
                let why = "the id of a request is a text or a number".to_owned();
                Message::Wrong(Json::Null, INVALID, why)
            }
        },
        (None, Some(_)) if object.contains_key("result") || object.contains_key("error") => Message::Answer,
        _ => Message::Wrong(known.unwrap_or(Json::Null), INVALID, "expected a method".to_owned()),
    }
}

/// Where answers go: one line each, from any thread.
pub struct Out<W>(Mutex<W>);

impl<W: Write> Out<W> {
    pub fn new(out: W) -> Self {
        Self(Mutex::new(out))
    }

    /// Answers a request.
    pub fn result(&self, id: &Json, result: &Json) -> io::Result<()> {
        self.line(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }

    /// Refuses a request.
    pub fn error(&self, id: &Json, code: i64, message: &str) -> io::Result<()> {
        self.line(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }))
    }

    fn line(&self, message: &Json) -> io::Result<()> {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Within JSON texts, line breaks are escaped.
        writeln!(out, "{message}")?;
        out.flush()
    }
}
