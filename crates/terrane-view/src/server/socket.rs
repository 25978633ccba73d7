//! The link to a page: it is told the latest state, and tells what it wants.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value as Json;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::app::App;
use crate::parameters::to_ron;
use crate::wishes::Change;

/// Bytes of a message that a page may send.
const LONGEST_MESSAGE: usize = 16 << 10;
/// The least time between two messages to a page.
const PACE: Duration = Duration::from_millis(33);
/// How often a silent page is asked whether it is there; twice without an answer, it is gone.
const PULSE: Duration = Duration::from_secs(20);
/// Ports that a page can look at.
const MOST_LOOKS: usize = 4;
/// Parameters that can differ from the file.
const MOST_CHANGES: usize = 1000;

/// What a page says.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Word {
    /// Try a parameter, of a node or of the graph.
    Set { node: Option<String>, parameter: String, value: Json },
    /// Leave what is written in a place as the file has it.
    Reset { home: String },
    // Of variants without braces serde lets unknown fields pass.
    /// Leave all parameters as the file has them.
    Discard {},
    /// Write the changes into the file.
    Write {},
    /// Look at these outputs, by node and position.
    Look { ports: Vec<(String, usize)> },
}

/// Answers `live`.
pub async fn live(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&app.links).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open\n").into_response();
    };
    upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE).write_buffer_size(0).on_upgrade(
        move |socket| async move {
            attend(app, socket).await;
            drop(place);
        },
    )
}

async fn attend(app: Arc<App>, mut socket: WebSocket) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let page = NEXT.fetch_add(1, Ordering::Relaxed);
    let reason = talk(&app, &mut socket, page).await;
    app.wishes.wants().looks.swap_remove(&page);
    if let Some((code, reason)) = reason {
        let frame = CloseFrame { code, reason: reason.into() };
        let _gone = timeout(PACE * 10, socket.send(Message::Close(Some(frame)))).await;
    }
}

/// Talks until one of both ends it; gives the code and the reason to close with.
async fn talk(app: &App, socket: &mut WebSocket, page: u64) -> Option<(u16, &'static str)> {
    const TOO_LARGE: (u16, &str) = (1009, "the message is too large");
    const UNKNOWN: (u16, &str) = (1008, "the message is not known");
    let mut changes = app.board.changes();
    let (mut known, mut heard) = (None, Instant::now());
    let mut pulse = heard + PULSE;
    changes.mark_changed();
    let hello = serde_json::json!({ "type": "hello", "run": app.run, "graph": app.graph });
    send(socket, Message::text(hello.to_string())).await?;
    loop {
        // Either the page says something, or the board changes, or it is time to ask whether the page is
        // there.
        let happened = {
            let change = changes.changed();
            let word = socket.recv();
            timeout_at(pulse, either(word, change)).await.ok()
        };
        match happened {
            Some(Either::Word(None)) => return None,
            Some(Either::Word(Some(Err(error)))) => {
                // Too much text is the page's fault; anything else is the line's.
                return error.to_string().contains("too long").then_some(TOO_LARGE);
            }
            Some(Either::Word(Some(Ok(message)))) => {
                heard = Instant::now();
                match message {
                    Message::Text(text) => {
                        if !hear(app, page, &text) {
                            return Some(UNKNOWN);
                        }
                    }
                    Message::Binary(_) => return Some(UNKNOWN),
                    Message::Close(_) => return None,
                    Message::Ping(_) | Message::Pong(_) => {}
                }
            }
            Some(Either::Change(false)) => return Some((1001, "the server is ending")),
            Some(Either::Change(true)) => {
                let (graph, state, revision) = app.board.tell(known);
                if let Some(graph) = graph {
                    send(socket, Message::text(&*graph)).await?;
                    known = Some(revision);
                }
                send(socket, Message::text(state)).await?;
                sleep(PACE).await;
            }
            None => {
                if heard.elapsed() > 2 * PULSE {
                    return Some((1001, "the page is silent"));
                }
                send(socket, Message::Ping(Default::default())).await?;
                pulse = Instant::now() + PULSE;
            }
        }
    }
}

/// Sends; a page that takes nothing for long is gone.
async fn send(socket: &mut WebSocket, message: Message) -> Option<()> {
    timeout(PULSE, socket.send(message)).await.ok()?.ok()
}

enum Either {
    Word(Option<Result<Message, axum::Error>>),
    Change(bool),
}

/// Whichever comes first; words go before changes, so that a busy board does not drown them.
async fn either(
    word: impl Future<Output = Option<Result<Message, axum::Error>>>,
    change: impl Future<Output = Result<(), tokio::sync::watch::error::RecvError>>,
) -> Either {
    let (mut word, mut change) = (std::pin::pin!(word), std::pin::pin!(change));
    std::future::poll_fn(move |cx| {
        if let std::task::Poll::Ready(word) = word.as_mut().poll(cx) {
            return std::task::Poll::Ready(Either::Word(word));
        }
        change.as_mut().poll(cx).map(|change| Either::Change(change.is_ok()))
    })
    .await
}

/// Does what a page says; false where that is not known.
pub fn hear(app: &App, page: u64, text: &str) -> bool {
    serde_json::from_str(text).map(|word| obey(app, page, word)).is_ok()
}

fn obey(app: &App, page: u64, word: Word) {
    let known = |node: &str| app.board.spec(node);
    if !matches!(word, Word::Look { .. }) {
        app.board.change(crate::board::State::spoken);
    }
    match word {
        Word::Look { mut ports } => {
            ports.truncate(MOST_LOOKS);
            // What is made only when it is asked for must be asked for; the rest is there.
            let lazy = |(node, output): &(String, usize)| {
                known(node).and_then(|spec| spec.outputs.get(*output)).is_some_and(|output| output.lazy)
            };
            let more = ports.iter().any(lazy);
            app.wishes.wants().looks.insert(page, ports);
            if !more {
                return;
            }
        }
        Word::Set { node, parameter, value } => {
            let done = set(app, node, parameter, value);
            let refused = done.is_err();
            app.board.change(|state| state.notice(done.err()));
            if refused {
                return;
            }
        }
        Word::Reset { home } => app.wishes.wants().changes.retain(|_, change| change.name != home),
        Word::Discard {} => app.wishes.wants().changes.clear(),
        Word::Write {} => app.wishes.write(),
    }
    app.wishes.ring();
}

/// Tries a value, once it is known to be one of the parameter's.
fn set(app: &App, node: Option<String>, parameter: String, value: Json) -> Result<(), String> {
    let places = app.board.places().ok_or("there is no graph yet")?;
    let place = match &node {
        Some(node) => places.field(node, &parameter),
        None => places.param(&parameter),
    };
    let place = place.map_err(|why| format!("`{parameter}` cannot be turned: {why}"))?;
    let text = to_ron(&parameter, &place.shape, &value)?;
    let name = places.name(&place.home);
    let mut wants = app.wishes.wants();
    if wants.changes.len() >= MOST_CHANGES && !wants.changes.contains_key(&place.home) {
        return Err(format!("there are {MOST_CHANGES} changes already: write or discard them"));
    }
    let change = Change { value: text, given: value, node, parameter, name, problem: None };
    wants.changes.insert(place.home, change);
    Ok(())
}
