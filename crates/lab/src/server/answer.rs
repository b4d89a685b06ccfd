//! Answers in JSON, refusals included.

use axum::body::Body;
use axum::extract::rejection::BytesRejection;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::Response;
use serde::Serialize;

use super::MOST_BODY_BYTES;
use crate::Refusal;

/// What can be sent as JSON from another thread.
pub(super) trait Answer: Serialize + Send + 'static {}

impl<T: Serialize + Send + 'static> Answer for T {}

/// The response to a request that is answered, or refused.
pub(super) fn of<T: Answer>(answer: Result<T, Refusal>) -> Response {
    let answer = answer.and_then(|answer| {
        serde_json::to_vec(&answer).map_err(|error| Refusal::new(500, format!("The answer is no JSON: {error}.")))
    });
    match answer {
        Ok(json) => json_response(StatusCode::OK, json),
        Err(refusal) => refused(&refusal),
    }
}

/// The response to a request that is refused.
pub(super) fn refused(refusal: &Refusal) -> Response {
    let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    json_response(status, refusal.to_json().to_string().into_bytes())
}

fn json_response(status: StatusCode, json: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(json));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    response
}

/// A body that could not be received.
pub(super) fn refused_body(rejection: &BytesRejection) -> Response {
    let refusal = if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Refusal::new(413, format!("The body is too large: {MOST_BODY_BYTES} bytes are enough for every experiment."))
    } else {
        Refusal::new(400, "The body did not arrive as a whole: send it again.")
    };
    refused(&refusal)
}

pub(super) async fn not_found(uri: Uri) -> Response {
    let path: String = uri.path().chars().take(100).collect();
    refused(&Refusal::new(404, format!("There is nothing at {path}: the page is at /.")))
}

pub(super) async fn wrong_method(method: Method, uri: Uri) -> Response {
    let (wanted, path) = (if method == Method::POST { "GET" } else { "POST" }, uri.path());
    refused(&Refusal::new(405, format!("{path} does not answer {method}: use {wanted}.")))
}
