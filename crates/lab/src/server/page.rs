//! The page and its parts, embedded in the program.

use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderValue, Uri, header};
use axum::response::Response;
use rust_embed::Embed;

use super::answer;

#[derive(Embed)]
#[folder = "page/"]
struct Page;

pub(super) async fn index(uri: Uri) -> Response {
    file("index.html", uri).await
}

pub(super) async fn asset(Path(path): Path<String>, uri: Uri) -> Response {
    file(&path, uri).await
}

async fn file(path: &str, uri: Uri) -> Response {
    let Some(file) = Page::get(path) else {
        return answer::not_found(uri).await;
    };
    let mut response = Response::new(Body::from(file.data));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    response
}

/// What a file is, by its extension.
fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_has_a_content_type() {
        for path in Page::iter() {
            assert_ne!(content_type(&path), "application/octet-stream", "{path}");
        }
    }
}
