//! The server of a preview: one page, its content and a link, for those who know the token.

mod app;
mod assets;
mod content;
mod guard;
mod socket;
mod token;

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

pub use app::App;
use app::MAKERS;
pub use guard::Rules;
pub use socket::hear;
pub use token::Token;

/// Connections at once. For one more, the oldest goes that has not shown the token; where all have, it waits.
const CONNECTIONS: usize = 256;
/// Header lines of a request.
const HEADERS: usize = 64;
/// Bytes of a request's head.
const HEAD: usize = 16 << 10;

/// A server that runs until it is dropped.
pub struct Server {
    runtime: Option<tokio::runtime::Runtime>,
}

impl Server {
    /// Serves on threads of its own. A connection that sends no whole request within `patience`, or stays
    /// idle for as long after an answer, is closed.
    ///
    /// # Errors
    /// When the system gives no threads or does not let the socket be used.
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
        .route("/{token}/value/{digest}/{what}", get(content::content))
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

/// A connection that may not have shown the token yet.
struct Stranger {
    is_known: guard::Known,
    /// Closes the connection, which holds it as well as long as it is there.
    close: Arc<Notify>,
}

impl Stranger {
    fn is_there(&self) -> bool {
        Arc::strong_count(&self.close) > 1 && !self.is_known.get()
    }
}

async fn serve(listener: tokio::net::TcpListener, router: Router, patience: Duration) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_headers(HEADERS).max_buf_size(HEAD);
    let mut strangers = VecDeque::new();
    loop {
        if room.available_permits() == 0 {
            strangers.retain(Stranger::is_there);
            if let Some(oldest) = strangers.pop_front() {
                oldest.close.notify_one();
            }
        }
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // Too many files are open, or the other side went away: others may still come.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _slower = stream.set_nodelay(true);
        let is_known = guard::Known::default();
        let router = router.clone().layer(axum::Extension(is_known.clone()));
        let router = match stream.local_addr() {
            Ok(at) => router.layer(axum::Extension(guard::Reached(at.ip().to_canonical()))),
            Err(_) => router,
        };
        let close = Arc::new(Notify::new());
        strangers.push_back(Stranger { is_known, close: Arc::clone(&close) });
        if strangers.len() > 2 * CONNECTIONS {
            strangers.retain(Stranger::is_there);
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

/// A socket at an address; where the port is nobody's wish and is taken, any free one.
///
/// # Errors
/// When there is none.
pub fn listen(address: SocketAddr, exact: bool) -> io::Result<TcpListener> {
    match TcpListener::bind(address) {
        Err(error) if !exact && error.kind() == io::ErrorKind::AddrInUse => {
            TcpListener::bind(SocketAddr::new(address.ip(), 0))
        }
        other => other,
    }
}
