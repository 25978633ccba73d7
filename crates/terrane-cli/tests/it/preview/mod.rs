//! A preview from a page's point of view: its WebSocket and its content.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tungstenite::{Message, WebSocket};

/// `terrane view` of a graph or a world, in its own folder.
pub struct Preview {
    child: Child,
    pub folder: tempfile::TempDir,
    host: String,
    token: String,
}

impl Drop for Preview {
    fn drop(&mut self) {
        let _ended_by_itself = self.child.kill();
        let _waited = self.child.wait();
    }
}

impl Preview {
    /// A preview of the first of the given files.
    pub fn of(files: &[(&str, &str)], arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_terrane"))
            .args(["view", files[0].0, "--no-open", "--port", "0"])
            .args(arguments)
            .current_dir(folder.path())
            .env("TERRANE_CACHE_DIR", folder.path().join("cache"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (host, token) =
            line.trim().strip_prefix("http://").unwrap().trim_end_matches('/').split_once('/').unwrap();
        Self { child, folder, host: host.to_owned(), token: token.to_owned() }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn page(&self) -> Page {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let address = format!("ws://{}/{}/live", self.host, self.token);
        Page { socket: tungstenite::client(address, stream).unwrap().0, graph: Json::Null, state: Json::Null }
    }

    /// The status, the headers and the body of the response for a path.
    pub fn get(&self, path: &str) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let request = format!(
            "GET /{}/{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.token, self.host
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        (head[9..12].parse().unwrap(), head, answer.split_off(end + 4))
    }

    pub fn json(&self, path: &str) -> Json {
        serde_json::from_slice(&self.get(path).2).unwrap()
    }
}

pub struct Page {
    socket: WebSocket<TcpStream>,
    pub graph: Json,
    pub state: Json,
}

impl Page {
    pub fn say(&mut self, word: &Json) {
        self.socket.send(Message::text(word.to_string())).unwrap();
    }

    /// Reads messages until the graph and the state satisfy a condition.
    pub fn until(&mut self, wanted: impl Fn(&Json, &Json) -> bool) -> &Json {
        assert!(self.becomes(wanted, 20.0), "the state stays {}", self.state);
        &self.state
    }

    /// Whether the graph and the state satisfy a condition within some seconds.
    pub fn becomes(&mut self, wanted: impl Fn(&Json, &Json) -> bool, seconds: f64) -> bool {
        let deadline = Instant::now() + Duration::from_secs_f64(seconds);
        while self.state == Json::Null || !wanted(&self.graph, &self.state) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            self.socket.get_ref().set_read_timeout(Some(left)).unwrap();
            let Ok(message) = self.socket.read() else { return false };
            if let Message::Text(text) = message {
                let message: Json = serde_json::from_str(&text).unwrap();
                match message["type"].as_str() {
                    Some("graph") => self.graph = message,
                    Some("state") => self.state = message,
                    _ => {}
                }
            }
        }
        true
    }

    pub fn done(&mut self) -> &Json {
        self.until(|graph, state| state["phase"] == "done" && state["revision"] == graph["revision"])
    }

    pub fn id(&self, node: usize) -> String {
        self.state["nodes"][node]["ids"][0].as_str().unwrap_or_default().to_owned()
    }

    /// The number of a node.
    pub fn number(&self, node: &str) -> usize {
        let nodes = self.graph["nodes"].as_array().unwrap();
        nodes.iter().position(|other| other["name"] == node).unwrap()
    }

    /// The page's description of a parameter of a node.
    pub fn param(&self, node: &str, name: &str) -> Json {
        let node = &self.graph["nodes"][self.number(node)];
        let params = self.graph["types"][node["type"].as_str().unwrap()]["params"].as_array().unwrap();
        let at = params.iter().position(|param| param["name"] == name).unwrap();
        node["params"][at].clone()
    }

    /// Requests another value of a parameter of a node or of the graph.
    pub fn set(&mut self, node: impl Into<Json>, parameter: &str, value: impl Into<Json>) {
        let (node, value): (Json, Json) = (node.into(), value.into());
        self.say(&json!({ "do": "set", "node": node, "parameter": parameter, "value": value }));
    }
}
