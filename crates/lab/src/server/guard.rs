//! Who may ask: pages and programs on this machine that call the server by a name of this machine.
//!
//! The listener is on the loopback interface, which keeps other machines out. A page from elsewhere in the browser of this
//! machine is kept out by its `Host` (a name that was made to resolve to 127.0.0.1) or its `Origin`.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use super::answer;
use crate::Refusal;

/// The names of this machine.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// What the page may load, and who may show it: nothing and nobody but this server.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                                       font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
                                       form-action 'none'; frame-ancestors 'none'";

/// Checks a request, and adds to every response what a browser may do with it.
pub(super) async fn check(State(port): State<u16>, request: Request, next: Next) -> Response {
    let mut response = match refusal(request.headers(), port) {
        Some(refusal) => answer::refused(&refusal),
        None => next.run(request).await,
    };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refusal(headers: &HeaderMap, port: u16) -> Option<Refusal> {
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = text(header::HOST).filter(|_| hosts.next().is_some() && hosts.next().is_none());
    if !host.is_some_and(|host| is_here(host, port)) {
        return Some(Refusal::new(
            403,
            format!("This server answers to its own name only: open http://localhost:{port}/ on this machine."),
        ));
    }
    let origin = text(header::ORIGIN)?;
    let is_own = origin.strip_prefix("http://").is_some_and(|host| is_here(host, port));
    (!is_own)
        .then(|| Refusal::new(403, format!("This server answers its own page only: open http://localhost:{port}/.")))
}

/// Whether an authority is a name of this machine with the server's port.
fn is_here(authority: &str, port: u16) -> bool {
    let (name, given) = match authority.rsplit_once(':') {
        Some((name, digits)) if !digits.ends_with(']') => (name, digits.parse().ok()),
        _ => (authority, Some(80)),
    };
    given == Some(port) && NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine() {
        for (authority, port, is_known) in [
            ("localhost:7410", 7410, true),
            ("LocalHost:7410", 7410, true),
            ("127.0.0.1:7410", 7410, true),
            ("[::1]:7410", 7410, true),
            ("[::1]", 80, true),
            ("localhost", 80, true),
            ("localhost", 7410, false),
            ("localhost:7411", 7410, false),
            ("localhost:", 7410, false),
            ("localhost.:7410", 7410, false),
            ("127.0.0.2:7410", 7410, false),
            ("::1:7410", 7410, false),
            ("example.org:7410", 7410, false),
            ("localhost.example.org:7410", 7410, false),
            ("user@localhost:7410", 7410, false),
            ("", 7410, false),
        ] {
            assert_eq!(is_here(authority, port), is_known, "{authority}");
        }
    }
}
