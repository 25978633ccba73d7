//! Which requests the server accepts and rejects, tested over raw sockets.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};

use terrane_flow::{Engine, EngineOptions, LoadOptions, Registry, declared, testing};
use terrane_view::{Answer, Face, Faces, Frame, Language, LanguageSession, View, ViewError, ViewOptions};
use tungstenite::Message;

const TOKEN: &str = "a-token-of-some-length";
const FACES: Faces = Faces {
    of: |_| Face::Nothing,
    size: |_| None,
    resize: |_| (String::new(), String::new()),
    is_height: |_| false,
    is_scene: |_| false,
    shorten: |_| (),
    lines: |_| None,
    suited: |_, _, _| None,
};

fn open(engine: Engine, options: &ViewOptions) -> Result<View, ViewError> {
    let registry = Registry::new(declared::family(|_, _| testing::header()));
    View::open(engine, FACES, registry, View::load_options(LoadOptions::default()).1, options)
}

/// A server, and where it listens.
fn server(patience: Duration) -> (View, SocketAddr) {
    server_with(ViewOptions { patience, ..ViewOptions::default() })
}

/// A server at any port, and where it listens.
fn server_with(options: ViewOptions) -> (View, SocketAddr) {
    let engine = Engine::new(EngineOptions { threads: 1, ..EngineOptions::default() }).unwrap();
    let options = ViewOptions { port: Some(0), token: Some(TOKEN.to_owned()), ..options };
    let view = open(engine, &options).unwrap();
    let at = view.address().strip_prefix("http://").unwrap().split('/').next().unwrap().parse().unwrap();
    (view, at)
}

fn patient() -> (View, SocketAddr) {
    server(Duration::from_secs(10))
}

/// Sends text and reads the answer until the server closes the connection or has sent the announced length.
fn ask(at: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(at).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(8))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(count) => answer.extend(&part[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("no answer: {error}"),
        }
        let text = String::from_utf8_lossy(&answer).to_ascii_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if length.is_some_and(|length: usize| body.len() >= length) || head.contains(" 101 ") {
                break;
            }
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(at: SocketAddr, path: &str, headers: &str) -> String {
    ask(at, &format!("GET {path} HTTP/1.1\r\nHost: {at}\r\n{headers}\r\n"))
}

fn status(answer: &str) -> u16 {
    answer
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok())
        .unwrap_or_else(|| panic!("no status: {answer:?}"))
}

/// A WebSocket handshake.
fn upgrade(at: SocketAddr, token: &str, headers: &str) -> String {
    let headers = format!(
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \
        dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}"
    );
    get(at, &format!("/{token}/live"), &headers)
}

fn link(at: SocketAddr) -> tungstenite::WebSocket<TcpStream> {
    let stream = TcpStream::connect(at).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(8))).unwrap();
    tungstenite::client(format!("ws://{at}/{TOKEN}/live"), stream).unwrap().0
}

#[test]
fn with_the_token_the_page_is_served_with_strict_headers() {
    let (_view, at) = patient();
    let page = get(at, &format!("/{TOKEN}/"), "");
    assert_eq!(status(&page), 200);
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(page.contains(header), "{header} in {page}");
    }
    assert!(page.contains("<title>Terrane</title>"));
    assert_eq!(status(&get(at, &format!("/{TOKEN}/app.js"), "")), 200);
    assert_eq!(status(&get(at, &format!("/{TOKEN}/"), &format!("Origin: http://{at}\r\n"))), 200);
    assert_eq!(status(&upgrade(at, TOKEN, &format!("Origin: http://{at}\r\n"))), 101);
}

/// The sources whose frames may show a page, as its policy lists them.
fn ancestors(answer: &str) -> Vec<&str> {
    let policies: Vec<&str> =
        answer.lines().filter_map(|line| line.strip_prefix("content-security-policy: ")).collect();
    assert_eq!(policies.len(), 1, "{answer}");
    let listed = policies[0].split("; ").filter_map(|part| part.strip_prefix("frame-ancestors "));
    listed.flat_map(str::split_whitespace).collect()
}

#[test]
fn no_frame_shows_the_page_unless_the_command_line_names_an_editor() {
    let (_view, at) = patient();
    for path in [format!("/{TOKEN}/"), format!("/{TOKEN}/app.js"), "/".to_owned()] {
        assert_eq!(ancestors(&get(at, &path, "")), ["'none'"], "{path}");
    }
}

#[test]
fn a_frame_in_an_editor_is_allowed_by_schemes_that_no_web_page_has() {
    let (_view, at) = server_with(ViewOptions { frame: Some(Frame::VsCode), ..ViewOptions::default() });
    let page = get(at, &format!("/{TOKEN}/"), "");
    assert_eq!(ancestors(&page), ["vscode-webview:", "vscode-file:"]);
    let default = patient();
    let other = get(default.1, &format!("/{TOKEN}/"), "");
    let rest = |answer: &str| {
        let head =
            answer.split("\r\n\r\n").next().unwrap().split(" frame-ancestors").next().unwrap().to_owned();
        head.lines().filter(|line| !line.starts_with("date:")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rest(&page), rest(&other), "all other headers are the same");
    // The token and the server's own origin are still required.
    assert_eq!(status(&get(at, "/", "")), 403);
    for origin in ["vscode-webview://0a1b2c", "vscode-file://vscode-app", "null", "http://evil.example"] {
        let header = format!("Origin: {origin}\r\n");
        assert_eq!(status(&get(at, &format!("/{TOKEN}/"), &header)), 403, "{origin}");
        assert_eq!(status(&upgrade(at, TOKEN, &header)), 403, "{origin}, to the link");
    }
}

#[test]
fn without_the_token_every_request_is_rejected() {
    let (_view, at) = patient();
    for path in [
        "/",
        "/index.html",
        "/app.js",
        "/live",
        "/wrong-token-of-some/",
        "/a-token-of-some-lengt/",
        "//",
        "/?token=a-token-of-some-length",
    ] {
        let answer = get(at, path, "");
        assert_eq!(status(&answer), 403, "{path}");
        assert!(!answer.contains("<title>") && !answer.contains(TOKEN), "{answer}");
    }
    assert_eq!(status(&upgrade(at, "wrong-token-of-some", "")), 403);
}

#[test]
fn other_names_and_other_sites_are_rejected() {
    let (_view, at) = patient();
    let named = |host: &str| ask(at, &format!("GET /{TOKEN}/ HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    for host in
        ["evil.example", "evil.example:80", &format!("127.0.0.1.evil.example:{}", at.port()), "127.0.0.1:1"]
    {
        assert_eq!(status(&named(host)), 403, "{host}");
    }
    assert_eq!(status(&named(&format!("localhost:{}", at.port()))), 200);
    assert_eq!(status(&ask(at, &format!("GET /{TOKEN}/ HTTP/1.1\r\n\r\n"))), 400, "no host");
    let twice = format!("GET /{TOKEN}/ HTTP/1.1\r\nHost: {at}\r\nHost: evil.example\r\n\r\n");
    assert_eq!(status(&ask(at, &twice)), 400, "two hosts");
    for origin in [
        "http://evil.example",
        "null",
        "https://evil.example",
        &format!("http://127.0.0.1:{}", at.port() ^ 1),
        "file://",
    ] {
        let header = format!("Origin: {origin}\r\n");
        assert_eq!(status(&get(at, &format!("/{TOKEN}/"), &header)), 403, "{origin}");
        assert_eq!(status(&upgrade(at, TOKEN, &header)), 403, "{origin}, to the link");
    }
}

#[test]
fn no_path_leads_to_a_file() {
    let (_view, at) = patient();
    for path in [
        "../Cargo.toml",
        "..%2f..%2fCargo.toml",
        "vendor/../../../Cargo.toml",
        "%2e%2e/Cargo.toml",
        "....//Cargo.toml",
        "/etc/passwd",
        "index.html/..",
        "app.js%00.css",
        "graph.ron",
        "value/../app.js",
        "value/zz/thumbnail",
        "value/0000000000000000000000000000000000000000000000000000000000000000/thumbnail",
    ] {
        let answer = get(at, &format!("/{TOKEN}/{path}"), "");
        assert_eq!(status(&answer), 404, "{path}");
        assert!(!answer.contains("[package]") && !answer.contains("root:"), "{path}");
    }
    let above = get(at, &format!("/{TOKEN}/../Cargo.toml"), "");
    assert_eq!(status(&above), 404);
    assert_eq!(status(&get(at, &format!("/x/../{TOKEN}/"), "")), 403, "dots are not resolved");
}

#[test]
fn bodies_are_rejected_unread_and_only_get_is_accepted() {
    let (_view, at) = patient();
    let with = |method: &str, headers: &str| {
        status(&ask(at, &format!("{method} /{TOKEN}/ HTTP/1.1\r\nHost: {at}\r\n{headers}\r\n")))
    };
    assert_eq!(with("POST", "Content-Length: 1073741824\r\n"), 413);
    assert_eq!(with("GET", "Content-Length: 1073741824\r\n"), 413);
    assert_eq!(with("POST", "Transfer-Encoding: chunked\r\n"), 413);
    assert_eq!(with("POST", "Content-Length: 0\r\n"), 405);
    assert_eq!(with("DELETE", ""), 405);
    assert_eq!(with("GET", &format!("X-Long: {}\r\n", "x".repeat(64 << 10))), 431);
    assert_eq!(with("GET", &"X: y\r\n".repeat(200)), 431);
}

#[test]
fn half_open_connections_are_closed() {
    let (_view, at) = server(Duration::from_millis(300));
    for beginning in ["", "GET /", &format!("GET /{TOKEN}/ HTTP/1.1\r\nHost: {at}\r\nX-Slow: ")] {
        let mut stream = TcpStream::connect(at).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(8))).unwrap();
        stream.write_all(beginning.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let end = stream.read_to_end(&mut answer);
        assert!(
            end.is_ok() || end.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset),
            "{beginning:?}"
        );
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || status(&answer) == 408, "{answer}");
    }
    // A connection that stays idle after an answer is closed too.
    let mut stream = TcpStream::connect(at).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(8))).unwrap();
    stream.write_all(format!("GET /{TOKEN}/icon.svg HTTP/1.1\r\nHost: {at}\r\n\r\n").as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert_eq!(status(&String::from_utf8_lossy(&answer)), 200);
}

#[test]
fn many_half_open_connections_do_not_keep_others_out_for_long() {
    let (_view, at) = server(Duration::from_millis(500));
    let idle: Vec<TcpStream> = (0..300).map(|_| TcpStream::connect(at).unwrap()).collect();
    assert_eq!(status(&get(at, &format!("/{TOKEN}/"), "")), 200);
    drop(idle);
}

#[test]
fn half_open_connections_make_room_at_once() {
    // With this timeout, idle connections would block new ones for an hour if the server did not close them
    // to make room.
    let (_view, at) = server(Duration::from_secs(3600));
    let mut page = link(at);
    let idle: Vec<TcpStream> = (0..300).map(|_| TcpStream::connect(at).unwrap()).collect();
    assert_eq!(status(&get(at, &format!("/{TOKEN}/"), "")), 200);
    // A connection that has sent the token stays open.
    page.send(Message::text("{\"do\":\"discard\"}")).unwrap();
    assert!(page.read().unwrap().into_text().unwrap().contains("\"type\":\"hello\""));
    drop(idle);
}

#[test]
fn the_socket_accepts_only_short_and_known_messages() {
    let (_view, at) = patient();
    let close = |message: Message| {
        let mut socket = link(at);
        let sent = format!("{message:.20}");
        let _may_be_cut_off = socket.send(message);
        loop {
            match socket.read() {
                Ok(Message::Close(frame)) => return frame.map(|frame| u16::from(frame.code)),
                Ok(_) => {}
                Err(error) => panic!("no close frame after {sent}: {error}"),
            }
        }
    };
    assert_eq!(close(Message::text("x".repeat(17 << 10))), Some(1009));
    assert_eq!(close(Message::text("{}")), Some(1008));
    assert_eq!(close(Message::text("{\"do\":\"reset\",\"home\":\"a\",\"more\":1}")), Some(1008));
    assert_eq!(close(Message::text("{\"do\":\"write\",\"x\":1}")), Some(1008));
    assert_eq!(close(Message::text("{\"do\":\"discard\",\"x\":1}")), Some(1008));
    assert_eq!(close(Message::binary(vec![0; 10])), Some(1008));
    let mut socket = link(at);
    socket.send(Message::text("{\"do\":\"set\",\"node\":\"none\",\"parameter\":\"p\",\"value\":1}")).unwrap();
    socket.send(Message::text("{\"do\":\"look\",\"ports\":[[\"none\",0]]}")).unwrap();
    let mut said = || socket.read().unwrap().into_text().unwrap();
    assert!(said().contains("\"type\":\"hello\""));
    let first = said();
    assert!(first.contains("\"phase\":\"waiting\""), "{first}");
}

/// A language service that answers each message with the message, until one has the method `exit`.
#[derive(Debug)]
struct Echo;

struct EchoSession(Option<std::sync::mpsc::Sender<Json>>);

impl Language for Echo {
    fn open(&self, _: &Path, mut answer: Answer) -> std::io::Result<Box<dyn LanguageSession>> {
        let (sender, received) = std::sync::mpsc::channel::<Json>();
        std::thread::Builder::new().spawn(move || {
            for message in received {
                if message["method"] == "exit" || !answer(json!({ "id": message["id"], "result": message })) {
                    return;
                }
            }
        })?;
        Ok(Box::new(EchoSession(Some(sender))))
    }
}

impl LanguageSession for EchoSession {
    fn take(&mut self, message: Json) -> bool {
        self.0.as_ref().is_some_and(|sender| sender.send(message).is_ok())
    }
}

/// A server with a language service for a file's folder.
fn with_language(graph: &Path, read_only: bool) -> (View, SocketAddr) {
    let engine = Engine::new(EngineOptions { threads: 1, ..EngineOptions::default() }).unwrap();
    let options = ViewOptions {
        graph: graph.to_owned(),
        port: Some(0),
        token: Some(TOKEN.to_owned()),
        read_only,
        language: Some(Arc::new(Echo)),
        ..ViewOptions::default()
    };
    let view = open(engine, &options).unwrap();
    let at = view.address().strip_prefix("http://").unwrap().split('/').next().unwrap().parse().unwrap();
    (view, at)
}

/// The next message of a type.
fn next(socket: &mut tungstenite::WebSocket<TcpStream>, kind: &str) -> Json {
    loop {
        let message: Json = serde_json::from_str(&socket.read().unwrap().into_text().unwrap()).unwrap();
        if message["type"] == kind {
            return message;
        }
    }
}

fn language(method: &str, params: &Json) -> Message {
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    Message::text(json!({ "do": "language", "message": message }).to_string())
}

#[test]
fn messages_of_the_language_service_name_files_below_the_folder_only() {
    let folder = tempfile::tempdir().unwrap();
    let (_view, at) = with_language(&folder.path().join("g.ron"), false);
    let mut socket = link(at);
    assert_eq!(next(&mut socket, "hello")["language"], true);
    let of = |uri: &str| json!({ "textDocument": { "uri": uri } });
    let mut ask = |method: &str, params: Json| {
        socket.send(language(method, &params)).unwrap();
        next(&mut socket, "language")["message"].clone()
    };
    // The service's answer has the address that the page gave, and not that of the folder.
    let answer = ask("textDocument/hover", of("terrane:/sub/g.ron"));
    assert_eq!(answer["result"]["params"], of("terrane:/sub/g.ron"));
    for (method, uri, why) in [
        ("textDocument/hover", "file:///etc/passwd", "is not below the graph's folder"),
        ("textDocument/didOpen", "terrane:/../g.ron", "is not below the graph's folder"),
        ("workspace/executeCommand", "terrane:/g.ron", "is not a request that pages may make"),
    ] {
        let answer = ask(method, of(uri));
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.ends_with(why), "{method}: {said}");
    }
    let root = folder.path().canonicalize().unwrap();
    let answer = ask("initialize", json!({ "rootUri": "file:///" })).to_string();
    assert!(!answer.contains(root.to_str().unwrap()) && answer.contains("terrane:/"), "{answer}");
    // A service that has ended is said, and begins again with the next message.
    socket.send(language("exit", &Json::Null)).unwrap();
    let ended = next(&mut socket, "language");
    assert!(ended["message"].is_null() && ended["ended"] == "the language service has ended", "{ended}");
    socket.send(language("textDocument/hover", &of("terrane:/g.ron"))).unwrap();
    assert!(next(&mut socket, "language")["message"]["result"].is_object());
}

#[test]
fn pages_that_only_read_get_no_edits() {
    let folder = tempfile::tempdir().unwrap();
    let (_view, at) = with_language(&folder.path().join("g.ron"), true);
    let mut socket = link(at);
    let of = json!({ "textDocument": { "uri": "terrane:/g.ron" } });
    for (method, is_given) in [("textDocument/hover", true), ("textDocument/rename", false)] {
        socket.send(language(method, &of)).unwrap();
        let answer = next(&mut socket, "language");
        assert_eq!(answer["message"]["result"].is_object(), is_given, "{answer}");
    }
    let text = json!({ "do": "text", "file": "g.ron", "before": "", "after": "Graph()", "tag": "1" });
    socket.send(Message::text(text.to_string())).unwrap();
    loop {
        let state = next(&mut socket, "state");
        if state["notice"].as_str().is_some_and(|notice| notice.contains("--read-only")) {
            break;
        }
    }
}

#[test]
fn only_texts_may_be_long() {
    let folder = tempfile::tempdir().unwrap();
    let (_view, at) = with_language(&folder.path().join("g.ron"), false);
    let long = "x".repeat(100 << 10);
    let mut socket = link(at);
    let text = |text: &str| json!({ "do": "text", "file": "g.ron", "before": "", "after": text, "tag": "1" });
    socket.send(Message::text(text(&long).to_string())).unwrap();
    socket.send(language("textDocument/didOpen", &json!({ "text": long }))).unwrap();
    assert_eq!(next(&mut socket, "language")["message"]["result"]["params"]["text"], long);
    socket.send(Message::text(text(&"x".repeat(2 << 20)).to_string())).unwrap();
    loop {
        let state = next(&mut socket, "state");
        if state["notice"].as_str().is_some_and(|notice| notice.contains("too long to be edited here")) {
            break;
        }
    }
    for message in [
        json!({ "do": "set", "node": null, "parameter": "p", "value": long }),
        json!({ "do": "edit", "what": { "edit": "text", "after": long }, "tag": "1" }),
        json!({ "do": "read", "file": long }),
    ] {
        let mut socket = link(at);
        socket.send(Message::text(message.to_string())).unwrap();
        let code = loop {
            if let Message::Close(frame) = socket.read().unwrap() {
                break frame.map(|frame| u16::from(frame.code));
            }
        };
        assert_eq!(code, Some(1009));
    }
}

#[test]
fn without_an_editor_nothing_is_shown_in_one() {
    let (_view, at) = patient();
    let mut socket = link(at);
    socket.send(Message::text("{\"do\":\"source\",\"node\":\"a\"}")).unwrap();
    loop {
        let state = next(&mut socket, "state");
        if state["notice"].as_str().is_some_and(|notice| notice.contains("without --editor")) {
            break;
        }
    }
}

#[test]
fn every_run_sends_a_unique_id_first() {
    let ids = [patient(), patient()].map(|(view, at)| {
        let hello =
            |mut socket: tungstenite::WebSocket<TcpStream>| socket.read().unwrap().into_text().unwrap();
        let (one, other) = (hello(link(at)), hello(link(at)));
        drop(view);
        assert_eq!(one, other, "one run");
        assert!(one.starts_with("{\"type\":\"hello\",\"run\":\"") && one.len() > 40, "{one}");
        one
    });
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn deeply_nested_and_long_values_do_no_harm() {
    let (_view, at) = patient();
    let mut socket = link(at);
    let set = |value: &str| format!("{{\"do\":\"set\",\"node\":null,\"parameter\":\"p\",\"value\":{value}}}");
    socket.send(Message::text(set("[[[[1, \"$p\"]]]]"))).unwrap();
    loop {
        let said = socket.read().unwrap().into_text().unwrap();
        if said.contains("no graph is loaded yet") {
            break;
        }
    }
    socket.send(Message::text(set(&format!("{}1{}", "[".repeat(5000), "]".repeat(5000))))).unwrap();
    let closed = loop {
        if let Message::Close(frame) = socket.read().unwrap() {
            break frame.map(|frame| u16::from(frame.code));
        }
    };
    assert_eq!(closed, Some(1008));
    assert_eq!(status(&get(at, &format!("/{TOKEN}/"), "")), 200, "the server goes on");
}

#[test]
fn invalid_tokens_and_taken_ports_are_errors() {
    let engine = Engine::new(EngineOptions { threads: 1, ..EngineOptions::default() }).unwrap();
    let open = |options: ViewOptions| open(engine.clone(), &options);
    let short =
        open(ViewOptions { token: Some("short".to_owned()), port: Some(0), ..ViewOptions::default() });
    assert!(short.err().unwrap().to_string().contains("16 to 128"));
    let (_view, at) = patient();
    let taken = open(ViewOptions { port: Some(at.port()), ..ViewOptions::default() });
    assert!(taken.err().unwrap().to_string().starts_with(&format!("cannot listen at {at}")));
}
