//! The server of a preview: the page, its content and its WebSocket, protected by a token.

mod app;
mod assets;
mod building;
mod content;
mod guard;
mod language_link;
mod messages;
mod socket;
mod token;
mod uris;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::{Notify, Semaphore};

use app::MAKERS;
pub use app::{App, Shown};
pub use guard::Rules;
pub use messages::{Page, handle_message};
pub use token::Token;

/// Maximum number of connections. Another connection closes the oldest one that has not sent the token. If
/// all have sent it, the new connection waits.
const CONNECTIONS: usize = 256;
/// Maximum number of header lines of a request.
const HEADERS: usize = 64;
/// Maximum size of a request's head in bytes.
const HEAD: usize = 16 << 10;

/// A server that runs until it is dropped.
pub struct Server {
    runtime: Option<tokio::runtime::Runtime>,
}

impl Server {
    /// Starts the server on its own threads. A connection is closed if it sends no complete request within
    /// `patience`, or is idle for that long after a response.
    ///
    /// # Errors
    /// When threads cannot be started or the socket cannot be used.
    pub fn start(
        listener: TcpListener,
        rules: Arc<Rules>,
        app: Arc<App>,
        patience: Duration,
    ) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(MAKERS + 2)
            .thread_name("terrane-view")
            .enable_all()
            .build()?;
        listener.set_nonblocking(true)?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        runtime.spawn(serve(listener, router(rules, app), patience));
        Ok(Self { runtime: Some(runtime) })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn router(rules: Arc<Rules>, app: Arc<App>) -> Router {
    Router::new()
        .route("/{token}/", get(|| async { file("index.html") }))
        .route("/{token}/live", get(socket::live))
        .route("/{token}/catalogue", get(building::catalogue))
        .route("/{token}/template/{name}", get(building::template))
        .route("/{token}/difference", get(building::differences))
        .route("/{token}/edited/{number}", get(building::edited_text))
        .route("/{token}/value/{id}/{what}", get(content::content))
        .route("/{token}/{*path}", get(|Path((_, path)): Path<(String, String)>| async move { file(&path) }))
        .fallback(|| async { nothing() })
        .layer(axum::middleware::from_fn_with_state(rules, guard::guard))
        .with_state(app)
}

fn file(path: &str) -> Response {
    match assets::asset(path) {
        Some(asset) => {
            ([(header::CONTENT_TYPE, asset.media), (header::CACHE_CONTROL, "no-cache")], asset.bytes)
                .into_response()
        }
        None => nothing(),
    }
}

fn nothing() -> Response {
    (StatusCode::NOT_FOUND, "there is nothing here\n").into_response()
}

/// A connection that may not have sent the token yet.
struct UnverifiedConnection {
    is_known: guard::HasToken,
    /// Closes the connection. The connection holds a second reference until it ends.
    close: Arc<Notify>,
}

impl UnverifiedConnection {
    fn is_there(&self) -> bool {
        Arc::strong_count(&self.close) > 1 && !self.is_known.get()
    }
}

async fn serve(listener: tokio::net::TcpListener, router: Router, patience: Duration) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_headers(HEADERS).max_buf_size(HEAD);
    let mut unverified = VecDeque::new();
    loop {
        if room.available_permits() == 0 {
            unverified.retain(UnverifiedConnection::is_there);
            if let Some(oldest) = unverified.pop_front() {
                oldest.close.notify_one();
            }
        }
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // Too many open files, or the client disconnected: keep accepting connections.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _slower = stream.set_nodelay(true);
        let is_known = guard::HasToken::default();
        let router = router.clone().layer(axum::Extension(is_known.clone()));
        let router = match stream.local_addr() {
            Ok(at) => router.layer(axum::Extension(guard::LocalAddress(at.ip().to_canonical()))),
            Err(_) => router,
        };
        let close = Arc::new(Notify::new());
        unverified.push_back(UnverifiedConnection { is_known, close: Arc::clone(&close) });
        if unverified.len() > 2 * CONNECTIONS {
            unverified.retain(UnverifiedConnection::is_there);
        }
        let service = TowerToHyperService::new(router);
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        tokio::spawn(async move {
            let (mut connection, mut closed) = (pin!(connection), pin!(close.notified()));
            poll_fn(|cx| match closed.as_mut().poll(cx) {
                Poll::Ready(()) => Poll::Ready(()),
                Poll::Pending => connection.as_mut().poll(cx).map(|_ended| ()),
            })
            .await;
            drop(place);
        });
    }
}

/// Opens a socket at an address. Unless `exact` is set, any free port is used if the port is taken.
///
/// # Errors
/// When no socket can be opened.
pub fn listen(address: SocketAddr, exact: bool) -> io::Result<TcpListener> {
    match TcpListener::bind(address) {
        Err(error) if !exact && error.kind() == io::ErrorKind::AddrInUse => {
            TcpListener::bind(SocketAddr::new(address.ip(), 0))
        }
        other => other,
    }
}
