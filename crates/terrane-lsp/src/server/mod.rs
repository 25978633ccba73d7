//! The server: handles messages of an editor one after the other.

mod actions;
mod answers;
mod documents;
mod executing;
mod features;
mod transport;

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use gen_lsp_types as lsp;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use terrane_flow::{Disk, Files, LoadOptions, NodeSpec, Overlay, Registry};

use crate::colours::presentation;
use crate::commands::{COMMANDS, Previews, Told};
use crate::diagnostics::Found;
use crate::document::Document;
use crate::expected::Types;
use crate::habits::Habits;
use crate::lines::Encoding;
use crate::offers::Place;
use crate::results::Results;
use crate::semantic;
use crate::symbols::{folds, symbols};
use crate::workspace::{Workspace, path_of, real};

/// What a server knows about graphs.
pub struct Setup {
    /// The node types.
    pub registry: Registry,
    /// Other types of files, such as `World`.
    pub others: Vec<&'static NodeSpec>,
    /// The version of the program.
    pub version: &'static str,
    /// The program that previews and runs graphs; without it, the server has no commands.
    pub program: Option<PathBuf>,
    /// Results of earlier runs, for editors to show.
    pub results: Option<Results>,
}

/// What an editor can do.
#[derive(Clone, Copy, Debug, Default)]
struct Able {
    /// It knows snippets.
    snippets: bool,
    /// It shows documents and addresses that a server names.
    shows: bool,
    /// It creates files that an edit names.
    creates: bool,
}

impl Able {
    fn of(capabilities: &Json) -> Self {
        let has = |path: &str| capabilities.pointer(path).and_then(Json::as_bool).unwrap_or(false);
        let operations = capabilities.pointer("/workspace/workspaceEdit/resourceOperations");
        let operations = operations.and_then(Json::as_array).cloned().unwrap_or_default();
        Self {
            snippets: has("/textDocument/completion/completionItem/snippetSupport"),
            shows: has("/window/showDocument/support"),
            creates: has("/workspace/workspaceEdit/documentChanges") && operations.contains(&json!("create")),
        }
    }
}

/// A server for one editor.
struct Server<'a> {
    setup: &'a Setup,
    types: Types<'a>,
    connection: &'a Connection,
    files: Arc<Overlay>,
    workspace: Workspace,
    encoding: Encoding,
    able: Able,
    documents: HashMap<PathBuf, Document>,
    /// What the graphs of the folder write, if they were read since the last file was saved.
    habits: OnceCell<Habits>,
    /// By the document that was checked and the file, the mistakes that the editor shows.
    found: HashMap<PathBuf, BTreeMap<PathBuf, Vec<Found>>>,
    /// When mistakes are looked for.
    due: Option<Instant>,
    /// How often they are looked for again, since files of others may change: not every editor says so.
    again: u32,
    previews: Previews,
    /// What previews tell.
    told: (Sender<Told>, Receiver<Told>),
    /// The number of the last request to the editor.
    asked: i32,
}

/// Serves an editor until it ends the connection. The first message is the editor's `initialize`.
///
/// # Errors
/// If the connection fails, or the editor breaks the protocol.
pub fn serve(connection: &Connection, setup: &Setup) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    serve_from(connection, setup, Arc::new(Disk))
}

/// As [`serve`], with other files than those of the disk.
///
/// # Errors
/// As [`serve`].
pub fn serve_from(
    connection: &Connection,
    setup: &Setup,
    files: Arc<dyn Files>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let (id, params) = connection.initialize_start()?;
    let params: lsp::InitializeParams = serde_json::from_value(params).inspect_err(|error| {
        let answer = Response::new_err(id.clone(), ErrorCode::InvalidParams as i32, error.to_string());
        let _gone = connection.sender.send(answer.into());
    })?;
    let general = params.capabilities.general.as_ref();
    let encodings = general.and_then(|general| general.position_encodings.clone()).unwrap_or_default();
    let is_utf8 = encodings.contains(&lsp::PositionEncodingKind::UTF8);
    let encoding = if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
    let able = Able::of(&serde_json::to_value(&params.capabilities)?);
    let mut roots: Vec<PathBuf> = serde_json::to_value(&params.workspace_folders_initialize_params)
        .ok()
        .and_then(|all| {
            let folders = all.get("workspaceFolders")?.as_array()?.clone();
            let of = |folder: &Json| path_of(&folder.get("uri")?.as_str()?.parse().ok()?);
            Some(folders.iter().filter_map(of).collect())
        })
        .unwrap_or_default();
    #[expect(deprecated, reason = "older editors name one folder")]
    if roots.is_empty() {
        roots.extend(params.root_uri.as_ref().and_then(path_of));
    }
    // Only such a name is given to a program.
    let given = serde_json::to_value(&params.initialization_options)?;
    let frame = given.get("previewFrame").and_then(Json::as_str);
    let frame = frame.filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase()));
    let previews = Previews::of(frame);
    connection.initialize_finish(id, capabilities(encoding, setup))?;
    let mut server = Server {
        setup,
        types: Types::new(&setup.registry, &setup.others),
        connection,
        files: Arc::new(Overlay::new(files)),
        workspace: Workspace::new(roots),
        encoding,
        able,
        documents: HashMap::new(),
        habits: OnceCell::new(),
        found: HashMap::new(),
        due: None,
        again: 0,
        previews,
        told: unbounded(),
        asked: 0,
    };
    let told = server.told.1.clone();
    loop {
        let wait =
            server.due.map_or(Duration::from_secs(3600), |due| due.saturating_duration_since(Instant::now()));
        select! {
            recv(connection.receiver) -> message => match message {
                Ok(Message::Request(request)) => {
                    if request.method == "shutdown" {
                        return shut_down(connection, request.id);
                    }
                    if let Some(response) = server.take_request(request) {
                        connection.sender.send(response.into())?;
                    }
                }
                Ok(Message::Notification(own)) if own.method == "exit" => {
                    return Err("the editor sent `exit` without `shutdown` before it".into());
                }
                Ok(Message::Notification(notification)) => server.note(notification),
                Ok(Message::Response(_)) => {}
                Err(_) => return Ok(()),
            },
            recv(told) -> told => told.into_iter().for_each(|told| server.show_source(&told)),
            default(wait) => server.publish(),
        }
    }
}

/// Waits for the end of a connection, whose editor has asked for it.
fn shut_down(connection: &Connection, id: RequestId) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    connection.sender.send(Response::new_ok(id, Json::Null).into())?;
    for message in &connection.receiver {
        match message {
            Message::Notification(own) if own.method == "exit" => break,
            Message::Request(late) => {
                let why = "the server was shut down".to_owned();
                let answer = Response::new_err(late.id, ErrorCode::InvalidRequest as i32, why);
                connection.sender.send(answer.into())?;
            }
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    Ok(())
}

/// Serves an editor through standard input and output.
///
/// # Errors
/// As [`serve`].
pub fn serve_stdio(setup: &Setup) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let (connection, threads) = transport::stdio();
    let served = serve(&connection, setup);
    drop(connection);
    threads.end()?;
    served
}

/// What the server can do.
fn capabilities(encoding: Encoding, setup: &Setup) -> Json {
    let commands: &[&str] = if setup.program.is_some() { &COMMANDS } else { &[] };
    json!({
        "capabilities": {
            "positionEncoding": if encoding == Encoding::Utf8 { "utf-8" } else { "utf-16" },
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "completionProvider": { "triggerCharacters": ["\"", ".", "$", "(", ":", " ", "/"] },
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "renameProvider": { "prepareProvider": true },
            "documentFormattingProvider": true,
            "documentSymbolProvider": true,
            "foldingRangeProvider": true,
            "codeActionProvider": {
                "codeActionKinds": ["quickfix", "source.fixAll", "refactor.extract", "refactor.inline"],
            },
            "semanticTokensProvider": {
                "legend": { "tokenTypes": semantic::KINDS, "tokenModifiers": semantic::MODIFIERS },
                "full": true,
                "range": true,
            },
            "inlayHintProvider": true,
            "colorProvider": true,
            "codeLensProvider": { "resolveProvider": false },
            "executeCommandProvider": { "commands": commands },
        },
        "serverInfo": { "name": "terrane", "version": setup.version },
    })
}

type Answer = Result<Json, (ErrorCode, String)>;

fn refused(why: impl Into<String>) -> (ErrorCode, String) {
    (ErrorCode::RequestFailed, why.into())
}

fn read<T: DeserializeOwned>(params: Json) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

impl Server<'_> {
    /// The answer to a request; `None` if it follows when a command has ended.
    fn take_request(&mut self, request: Request) -> Option<Response> {
        if request.method == "workspace/executeCommand" {
            return self.execute(request.id, request.params);
        }
        Some(self.answer(request))
    }

    /// The answer to a request about a document.
    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match &*method {
            "textDocument/completion" => read(params).and_then(|params| self.completion(params)),
            "textDocument/hover" => read(params).and_then(|params| self.hover(params)),
            "textDocument/definition" => read(params).and_then(|params| self.definition(params)),
            "textDocument/references" => read(params).and_then(|params| self.references(params)),
            "textDocument/documentHighlight" => read(params).and_then(|params| self.highlights(params)),
            "textDocument/prepareRename" => read(params).and_then(|params| self.prepare_rename(params)),
            "textDocument/rename" => read(params).and_then(|params| self.rename(params)),
            "textDocument/formatting" => read(params).and_then(|params| self.format(params)),
            "textDocument/documentSymbol" => read(params).and_then(|params: lsp::DocumentSymbolParams| {
                Ok(json!(symbols(self.document(&params.text_document.uri)?)))
            }),
            "textDocument/foldingRange" => read(params).and_then(|params: lsp::FoldingRangeParams| {
                Ok(json!(folds(self.document(&params.text_document.uri)?)))
            }),
            "textDocument/codeAction" => read(params).and_then(|params| self.actions(params)),
            "textDocument/semanticTokens/full" => read(params).and_then(|params| self.tokens(params)),
            "textDocument/semanticTokens/range" => read(params).and_then(|params| self.some_tokens(params)),
            "textDocument/inlayHint" => read(params).and_then(|params| self.hints(params)),
            "textDocument/documentColor" => read(params).and_then(|params| self.colours(params)),
            "textDocument/colorPresentation" => read(params).map(|params| presentation(&params)),
            "textDocument/codeLens" => read(params).and_then(|params| self.lenses(params)),
            other => Err((ErrorCode::MethodNotFound, format!("terrane does not know `{other}`"))),
        };
        match answer {
            Ok(result) => Response::new_ok(id, result),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        }
    }

    /// Takes a message that has no answer.
    fn note(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        // A message that cannot be read is the editor's fault, and has no answer.
        let _taken = match &*method {
            "textDocument/didOpen" => read(params).map(|params| self.open(params)),
            "textDocument/didChange" => read(params).map(|params| self.change(params)),
            "textDocument/didClose" => read(params).map(|params| self.close(&params)),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.habits.take();
                self.look(Duration::ZERO);
                Ok(())
            }
            _ => Ok(()),
        };
    }

    fn document(&self, uri: &lsp::Uri) -> Result<&Document, (ErrorCode, String)> {
        let path = path_of(uri).map(|path| real(&path)).unwrap_or_default();
        self.documents.get(&path).ok_or_else(|| refused(format!("{uri} is not open")))
    }

    /// The document and the byte of a position.
    fn at(&self, of: &lsp::TextDocumentPositionParams) -> Result<(&Document, usize), (ErrorCode, String)> {
        let document = self.document(&of.text_document.uri)?;
        Ok((document, document.lines.offset(of.position)))
    }

    fn place(&self, path: &Path) -> Place<'_> {
        Place::new(&self.setup.registry, &*self.files, path)
    }

    fn options(&self) -> LoadOptions {
        let files: Arc<dyn Files> = Arc::<Overlay>::clone(&self.files);
        LoadOptions { files, ..LoadOptions::default() }
    }
}
