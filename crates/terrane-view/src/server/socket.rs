//! The WebSocket connection to a page: sends the latest state and receives requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json, json};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::app::App;
use super::messages::{LONGEST, LONGEST_OTHER, Page, handle_message};
use crate::page_texts::Seen;
use crate::template::Template;

/// The minimum time between two messages to a page.
const PACE: Duration = Duration::from_millis(33);
/// Interval of pings to a silent page. After two without an answer, the connection is closed.
const PULSE: Duration = Duration::from_secs(20);
/// Answers `live`.
pub async fn live(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&app.links).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open\n").into_response();
    };
    upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).write_buffer_size(0).on_upgrade(
        move |socket| async move {
            serve_page(app, socket).await;
            drop(place);
        },
    )
}

async fn serve_page(app: Arc<App>, mut socket: WebSocket) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut page = Page::new(NEXT.fetch_add(1, Ordering::Relaxed));
    let reason = exchange(&app, &mut socket, &mut page).await;
    app.requests.lock().leave(page.number);
    if let Some((code, reason)) = reason {
        let frame = CloseFrame { code, reason: reason.into() };
        let _gone = timeout(PACE * 10, socket.send(Message::Close(Some(frame)))).await;
    }
}

/// Exchanges messages until either side ends the connection. Returns the code and the reason to close with.
async fn exchange(app: &App, socket: &mut WebSocket, page: &mut Page) -> Option<(u16, &'static str)> {
    const TOO_LARGE: (u16, &str) = (1009, "the message is too large");
    const UNKNOWN: (u16, &str) = (1008, "the message is not known");
    let mut changes = app.shared.changes();
    let (mut known, mut heard) = (None, Instant::now());
    let mut read: Option<Text> = None;
    let mut pulse = heard + PULSE;
    changes.mark_changed();
    let template = |template: &Template| {
        let has_picture = !template.picture.is_empty();
        json!({ "name": template.name, "about": template.about, "picture": has_picture })
    };
    let templates: Vec<Json> = app.shown.templates.iter().map(template).collect();
    let hello = json!({
        "type": "hello", "run": app.run, "graph": app.shown.graph, "read_only": app.shown.read_only,
        "templates": templates, "language": app.shown.language.is_some(), "editor": app.shown.editor,
    });
    send(socket, Message::text(hello.to_string())).await?;
    loop {
        // Waits for a message, a change of the state, or the time of the next ping.
        let happened = {
            let change = changes.changed();
            let word = socket.recv();
            timeout_at(pulse, any(word, page.language.next(), change)).await.ok()
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
                            return Some(if text.len() > LONGEST_OTHER { TOO_LARGE } else { UNKNOWN });
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
                let file = app.requests.lock().reading.get(&page.number).cloned();
                if file.is_none() {
                    read = None;
                }
                let now = file.and_then(|file| app.shared.text(&file, page.number));
                if let Some(now) = now.filter(|now| Some(now) != read.as_ref()) {
                    send(socket, Message::text(described(&now))).await?;
                    read = Some(now);
                }
                sleep(PACE).await;
            }
            Some(Either::Answer(answer)) => send(socket, Message::text(answer.to_string())).await?,
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

/// A text, and the last edit of the page that it contains.
type Text = (Arc<Json>, Option<Seen>);

/// The message with a text.
fn described((text, seen): &Text) -> String {
    let mut message = (**text).clone();
    message["type"] = json!("text");
    message["seen"] = json!(seen.as_ref().map(|seen| (&seen.tag, &seen.refused)));
    message.to_string()
}

enum Either {
    Received(Option<Result<Message, axum::Error>>),
    Answer(Json),
    Change(bool),
}

/// Waits for any of three. Messages take precedence, so that frequent changes of the state do not delay them.
async fn any(
    word: impl Future<Output = Option<Result<Message, axum::Error>>>,
    answer: impl Future<Output = Json>,
    change: impl Future<Output = Result<(), tokio::sync::watch::error::RecvError>>,
) -> Either {
    let (mut word, mut answer, mut change) =
        (std::pin::pin!(word), std::pin::pin!(answer), std::pin::pin!(change));
    std::future::poll_fn(move |cx| {
        if let Poll::Ready(word) = word.as_mut().poll(cx) {
            return Poll::Ready(Either::Received(word));
        }
        if let Poll::Ready(answer) = answer.as_mut().poll(cx) {
            return Poll::Ready(Either::Answer(answer));
        }
        change.as_mut().poll(cx).map(|change| Either::Change(change.is_ok()))
    })
    .await
}
