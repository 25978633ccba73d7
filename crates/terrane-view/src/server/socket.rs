//! The WebSocket connection to a page: sends the latest state and receives requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::app::App;
use crate::changes::Change;
use crate::draft::{Asked, Draft};
use crate::page_requests::{Request, Requests};
use crate::parameters::to_ron;
use crate::template::Template;

/// Maximum size of a page's message in bytes.
const LONGEST_MESSAGE: usize = 16 << 10;
/// The minimum time between two messages to a page.
const PACE: Duration = Duration::from_millis(33);
/// Interval of pings to a silent page. After two without an answer, the connection is closed.
const PULSE: Duration = Duration::from_secs(20);
/// Maximum number of outputs that a page can show.
const MAX_VIEWED: usize = 8;
/// Maximum number of unwritten changes.
const MAX_CHANGES: usize = 1000;
/// Maximum number of requests that wait for the main loop.
const MAX_QUEUED: usize = 1000;
/// Maximum length of the tag of a request.
const LONGEST_TAG: usize = 40;

/// A message from a page.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum PageMessage {
    /// Try a parameter, of a node or of the graph, or a field of the graph's header.
    Set {
        node: Option<String>,
        parameter: String,
        value: Json,
        #[serde(default)]
        header: bool,
        /// Whether to write the value even if it is the default.
        #[serde(default)]
        keep: bool,
        /// Whether it belongs to the change before, so that both are undone together.
        #[serde(default)]
        with: bool,
    },
    /// Discard the change at a position in a file.
    Reset { home: String },
    // For variants without braces, serde would ignore unknown fields.
    /// Discard all changes.
    Discard {},
    /// Write the changes into the file.
    Write {},
    /// Change the structure of the graph. The state names the tag with what the change made.
    Edit { what: Json, tag: String },
    /// Discard one change of the structure.
    Drop { number: u64 },
    /// Begin the graph's missing file with a template.
    Start { template: String },
    /// Take back the last step.
    Undo {},
    /// Repeat the last step that was undone.
    Redo {},
    /// Show these outputs, given by node and position.
    Look { ports: Vec<(String, usize)> },
}

/// Answers `live`.
pub async fn live(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&app.links).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open\n").into_response();
    };
    upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE).write_buffer_size(0).on_upgrade(
        move |socket| async move {
            serve_page(app, socket).await;
            drop(place);
        },
    )
}

async fn serve_page(app: Arc<App>, mut socket: WebSocket) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let page = NEXT.fetch_add(1, Ordering::Relaxed);
    let reason = exchange(&app, &mut socket, page).await;
    app.requests.lock().viewed.swap_remove(&page);
    if let Some((code, reason)) = reason {
        let frame = CloseFrame { code, reason: reason.into() };
        let _gone = timeout(PACE * 10, socket.send(Message::Close(Some(frame)))).await;
    }
}

/// Exchanges messages until either side ends the connection. Returns the code and the reason to close with.
async fn exchange(app: &App, socket: &mut WebSocket, page: u64) -> Option<(u16, &'static str)> {
    const TOO_LARGE: (u16, &str) = (1009, "the message is too large");
    const UNKNOWN: (u16, &str) = (1008, "the message is not known");
    let mut changes = app.shared.changes();
    let (mut known, mut heard) = (None, Instant::now());
    let mut pulse = heard + PULSE;
    changes.mark_changed();
    let template = |template: &Template| {
        let has_picture = !template.picture.is_empty();
        json!({ "name": template.name, "about": template.about, "picture": has_picture })
    };
    let templates: Vec<Json> = app.shown.templates.iter().map(template).collect();
    let hello = json!({
        "type": "hello", "run": app.run, "graph": app.shown.graph, "read_only": app.shown.read_only,
        "templates": templates,
    });
    send(socket, Message::text(hello.to_string())).await?;
    loop {
        // Waits for a message, a change of the state, or the time of the next ping.
        let happened = {
            let change = changes.changed();
            let word = socket.recv();
            timeout_at(pulse, either(word, change)).await.ok()
        };
        match happened {
            Some(Either::Received(None)) => return None,
            Some(Either::Received(Some(Err(error)))) => {
                // A message that is too long is the page's fault; other errors are the connection's.
                return error.to_string().contains("too long").then_some(TOO_LARGE);
            }
            Some(Either::Received(Some(Ok(message)))) => {
                heard = Instant::now();
                match message {
                    Message::Text(text) => {
                        if !handle_message(app, page, &text) {
                            return Some(UNKNOWN);
                        }
                    }
                    Message::Binary(_) => return Some(UNKNOWN),
                    Message::Close(_) => return None,
                    Message::Ping(_) | Message::Pong(_) => {}
                }
            }
            Some(Either::Change(false)) => return Some((1001, "the server is shutting down")),
            Some(Either::Change(true)) => {
                let (graph, state, revision) = app.shared.tell(known);
                if let Some(graph) = graph {
                    send(socket, Message::text(&*graph)).await?;
                    known = Some(revision);
                }
                send(socket, Message::text(state)).await?;
                sleep(PACE).await;
            }
            None => {
                if heard.elapsed() > 2 * PULSE {
                    return Some((1001, "the page does not answer"));
                }
                send(socket, Message::Ping(Default::default())).await?;
                pulse = Instant::now() + PULSE;
            }
        }
    }
}

/// Sends a message; `None` if the page does not accept it in time.
async fn send(socket: &mut WebSocket, message: Message) -> Option<()> {
    timeout(PULSE, socket.send(message)).await.ok()?.ok()
}

enum Either {
    Received(Option<Result<Message, axum::Error>>),
    Change(bool),
}

/// Waits for either. Messages take precedence, so that frequent changes of the state do not delay them.
async fn either(
    word: impl Future<Output = Option<Result<Message, axum::Error>>>,
    change: impl Future<Output = Result<(), tokio::sync::watch::error::RecvError>>,
) -> Either {
    let (mut word, mut change) = (std::pin::pin!(word), std::pin::pin!(change));
    std::future::poll_fn(move |cx| {
        if let std::task::Poll::Ready(word) = word.as_mut().poll(cx) {
            return std::task::Poll::Ready(Either::Received(word));
        }
        change.as_mut().poll(cx).map(|change| Either::Change(change.is_ok()))
    })
    .await
}

/// Handles a page's message; false if it is not valid.
pub fn handle_message(app: &App, page: u64, text: &str) -> bool {
    serde_json::from_str(text).map(|message| apply_message(app, page, message)).is_ok()
}

fn apply_message(app: &App, page: u64, message: PageMessage) {
    if !matches!(message, PageMessage::Look { .. }) {
        if app.shown.read_only {
            let notice = "this page only shows the graph: terrane view was started with --read-only";
            return app.shared.change(|state| state.notice(Some(notice.to_owned())));
        }
        app.shared.change(crate::shared_state::PageState::spoken);
        if app.requests.lock().queue.len() >= MAX_QUEUED {
            return app.shared.change(|state| state.notice(Some("too many requests at once".to_owned())));
        }
    }
    match message {
        PageMessage::Look { mut ports } => {
            ports.truncate(MAX_VIEWED);
            app.requests.lock().viewed.insert(page, ports);
            return app.requests.notify();
        }
        PageMessage::Set { node, parameter, value, header, keep, with } => {
            let done = set(app, (node, parameter, header), value, (keep, (page, with)));
            let refused = done.is_err();
            app.shared.change(|state| state.notice(done.err()));
            if refused {
                return;
            }
        }
        PageMessage::Reset { home } => {
            app.shared.change(|state| state.notice(None));
            let mut pending = app.requests.lock();
            pending.remember(&format!("reset {home}"));
            pending.draft.changes.retain(|_, change| change.name != home);
        }
        PageMessage::Drop { number } => {
            app.shared.change(|state| state.notice(None));
            let mut pending = app.requests.lock();
            pending.remember("discard an edit");
            pending.draft.steps.retain(|step| step.number != number);
        }
        PageMessage::Discard {} => {
            app.shared.change(|state| state.notice(None));
            let mut pending = app.requests.lock();
            pending.remember("discard");
            pending.draft = Draft::default();
        }
        PageMessage::Write {} => app.requests.write(),
        PageMessage::Edit { what, tag } => {
            let asked = if tag.len() > LONGEST_TAG {
                Err("the tag is too long".to_owned())
            } else {
                Asked::deserialize(&what).map_err(|error| error.to_string())
            };
            match asked {
                Ok(asked) if app.requests.lock().queue.len() < MAX_QUEUED => {
                    app.requests.lock().queue.push(Request::Edit {
                        asked: Box::new(asked),
                        given: what,
                        tag,
                    });
                }
                Ok(_) => {
                    return app.shared.change(|state| state.notice(Some("too many requests".to_owned())));
                }
                Err(why) => return app.shared.change(|state| state.notice(Some(why))),
            }
        }
        PageMessage::Start { template } => app.requests.lock().queue.push(Request::Start(template)),
        PageMessage::Undo {} => app.requests.lock().queue.push(Request::Undo),
        PageMessage::Redo {} => app.requests.lock().queue.push(Request::Redo),
    }
    app.requests.lock().read = true;
    app.requests.notify();
}

/// Records a change after checking that the parameter permits the value.
fn set(
    app: &App,
    (node, parameter, header): (Option<String>, String, bool),
    value: Json,
    (keep, by): (bool, (u64, bool)),
) -> Result<(), String> {
    let editable = app.shared.editable().ok_or("no graph is loaded yet")?;
    let place = match &node {
        Some(node) => editable.field(node, &parameter),
        None if header => editable.header(&parameter).0,
        None => editable.param(&parameter),
    };
    let place = place.map_err(|why| format!("`{parameter}` cannot be changed: {why}"))?;
    let text = to_ron(&parameter, &place.shape, &value)?;
    let name = editable.name(&place.home);
    let mut pending = app.requests.lock();
    let changes = &pending.draft.changes;
    if changes.len() >= MAX_CHANGES && !changes.contains_key(&place.home) {
        return Err(format!("the limit of {MAX_CHANGES} changes is reached: write or discard them"));
    }
    let Requests { draft, history, .. } = &mut *pending;
    history.record_value(&place.home, draft, &format!("set {name}"), by);
    let change =
        Change { value: text, given: value, node, parameter, name, problem: None, keep, is_same: false };
    draft.changes.insert(place.home, change);
    Ok(())
}
