//! Access control: every request is checked here first.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::token::Token;
use crate::frame::Frame;

/// Whether a request on this connection had the token.
#[derive(Clone, Default)]
pub struct HasToken(Arc<AtomicBool>);

impl HasToken {
    pub fn get(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// The address of this machine that a connection was made to.
#[derive(Clone, Copy, Debug)]
pub struct LocalAddress(pub IpAddr);

/// A Content-Security-Policy in which only pages of these sources may show the page in a frame.
macro_rules! policy {
    ($ancestors:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; ",
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ",
            $ancestors,
        )
    };
}

/// The conditions that a request must meet.
#[derive(Debug)]
pub struct Rules {
    /// The secret that addresses begin with.
    pub token: Token,
    /// Host names that requests may use, in lower case and without port.
    pub hosts: Vec<String>,
    /// The port.
    pub port: u16,
    /// Whether the server listens at every address of the machine. A request must then name the address at
    /// which it arrived.
    everywhere: bool,
    /// The editor whose windows may show the page in a frame.
    frame: Option<Frame>,
}

impl Rules {
    /// Creates the rules for a server at an address, with further host names that the user allows. No frame
    /// may show the page.
    #[must_use]
    pub fn new(token: Token, address: SocketAddr, allowed: &[String]) -> Self {
        let mut hosts: Vec<String> =
            ["localhost", "127.0.0.1", "[::1]"].into_iter().map(str::to_owned).collect();
        hosts.push(match address {
            SocketAddr::V4(v4) => v4.ip().to_string(),
            SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
        });
        hosts.extend(allowed.iter().map(|host| host.to_ascii_lowercase()));
        Self { token, hosts, port: address.port(), everywhere: address.ip().is_unspecified(), frame: None }
    }

    /// The same rules, with frames in the windows of an editor.
    #[must_use]
    pub fn framed(self, frame: Option<Frame>) -> Self {
        Self { frame, ..self }
    }

    /// The policy that tells browsers what the page may load, and which frames may show it.
    const fn policy(&self) -> &'static str {
        match self.frame {
            None => policy!("'none'"),
            Some(Frame::VsCode) => policy!("vscode-webview: vscode-file:"),
        }
    }

    /// Whether `HOST` or `HOST:PORT` names this server: a host name that the user allows, or the address of
    /// the connection. This rejects other sites whose name resolves to this machine (DNS rebinding).
    fn names_us(&self, authority: &str, reached: Option<&LocalAddress>) -> bool {
        let authority = authority.to_ascii_lowercase();
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()),
            _ => (&*authority, Some(80)),
        };
        if let Some(LocalAddress(at)) = reached.filter(|_| self.everywhere)
            && host.trim_matches(['[', ']']).parse() == Ok(*at)
        {
            return port == Some(self.port);
        }
        // An allowed name may belong to a proxy, which has another port.
        let ours = host == "localhost" || host == "127.0.0.1" || host == "[::1]";
        self.hosts.iter().any(|known| known == host) && (!ours || port == Some(self.port)) && port.is_some()
    }

    /// The status and reason for rejecting a request; `None` if it is accepted.
    fn refusal(&self, request: &Request) -> Option<(StatusCode, &'static str)> {
        let headers = request.headers();
        let reached = request.extensions().get::<LocalAddress>();
        match one(headers, &header::HOST) {
            Some(host) if self.names_us(host, reached) => {}
            Some(_) => {
                return Some((
                    StatusCode::FORBIDDEN,
                    "this host name is not allowed: start terrane view with --allow-host NAME",
                ));
            }
            None => return Some((StatusCode::BAD_REQUEST, "the request has no Host header, or several")),
        }
        if headers.contains_key(header::ORIGIN) {
            let origin = one(headers, &header::ORIGIN);
            let authority = origin.and_then(|origin| {
                origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))
            });
            if !authority.is_some_and(|authority| self.names_us(authority, reached)) {
                return Some((StatusCode::FORBIDDEN, "the request comes from another site"));
            }
        }
        let given = request.uri().path().trim_start_matches('/').split('/').next().unwrap_or_default();
        if !self.token.is(given) {
            return Some((StatusCode::FORBIDDEN, "the address lacks the token that `terrane view` printed"));
        }
        if has_body(headers) {
            return Some((StatusCode::PAYLOAD_TOO_LARGE, "requests must not have a body"));
        }
        (request.method() != Method::GET)
            .then_some((StatusCode::METHOD_NOT_ALLOWED, "only GET requests are accepted"))
    }
}

/// The value of a header that occurs exactly once and is text.
fn one<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(header::TRANSFER_ENCODING)
        || headers.get_all(header::CONTENT_LENGTH).iter().any(|length| length != "0")
}

/// Accepts or rejects a request, and adds security headers to every response.
pub async fn guard(State(rules): State<Arc<Rules>>, request: Request, next: Next) -> Response {
    let mut response = match rules.refusal(&request) {
        None => {
            if let Some(known) = request.extensions().get::<HasToken>() {
                known.0.store(true, Relaxed);
            }
            next.run(request).await
        }
        Some((status, why)) => {
            let mut response = (status, format!("{why}\n")).into_response();
            // The rest of the request is not read.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            response
        }
    };
    let headers = response.headers_mut();
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(rules.policy()));
    for (name, value) in ALWAYS {
        headers.entry(*name).or_insert(HeaderValue::from_static(value));
    }
    response
}

const ALWAYS: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cache-control", "no-store"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_and_without_port() {
        let token = Token::random().unwrap();
        let rules = Rules::new(token, "127.0.0.1:4000".parse().unwrap(), &["Studio.local".to_owned()]);
        for good in [
            "127.0.0.1:4000",
            "localhost:4000",
            "LOCALHOST:4000",
            "[::1]:4000",
            "studio.local:443",
            "studio.local",
        ] {
            assert!(rules.names_us(good, None), "{good}");
        }
        for bad in [
            "evil.example:4000",
            "127.0.0.1",
            "127.0.0.1:4001",
            "localhost:x",
            "[::1]",
            "",
            ":4000",
            "localhost.evil.example:4000",
        ] {
            assert!(!rules.names_us(bad, None), "{bad}");
        }
    }

    #[test]
    fn a_server_on_all_addresses_accepts_the_address_of_the_connection() {
        let rules = |at: &str| Rules::new(Token::random().unwrap(), at.parse().unwrap(), &[]);
        let reached = |at: &str| Some(LocalAddress(at.parse().unwrap()));
        let everywhere = rules("0.0.0.0:4000");
        assert!(everywhere.names_us("192.168.1.5:4000", reached("192.168.1.5").as_ref()));
        assert!(rules("[::]:4000").names_us("[fe80::1]:4000", reached("fe80::1").as_ref()));
        for other in ["192.168.1.6:4000", "192.168.1.5:4001", "192.168.1.5", "evil.example:4000"] {
            assert!(!everywhere.names_us(other, reached("192.168.1.5").as_ref()), "{other}");
        }
        assert!(!rules("127.0.0.1:4000").names_us("192.168.1.5:4000", reached("192.168.1.5").as_ref()));
    }
}
