//! The web server: one page, a few questions in JSON, on the loopback interface only.

mod answer;
mod guard;
mod page;

use std::future::Future;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::middleware;
use axum::response::Response;
use axum::routing::{get, post};
use serde_json::Value;
use tokio::net::TcpListener;

use crate::comparison::Comparison;
use crate::input::Input;
use crate::pool::{PoolHistory, PoolInput};
use crate::sweep::OpenSweep;
use crate::{KeptRuns, Refusal, about, body};
use answer::Answer;

/// No request's body is larger.
pub const MOST_BODY_BYTES: usize = 65_536;

/// What the server answers from.
#[derive(Default)]
pub struct Lab {
    runs: KeptRuns,
    sweep: Option<OpenSweep>,
}

impl Lab {
    /// A lab in which a sweep is open, or none.
    #[must_use]
    pub fn new(sweep: Option<OpenSweep>) -> Self {
        Self { runs: KeptRuns::default(), sweep }
    }

    fn sweep(&self) -> Result<&OpenSweep, Refusal> {
        self.sweep.as_ref().ok_or_else(|| {
            Refusal::new(404, "No sweep is open: start the lab with --sweep and the folder of a finished sweep.")
        })
    }
}

/// Serves until `stop` is done. The listener has to be on the loopback interface.
///
/// # Errors
///
/// When the listener fails.
pub async fn serve(
    lab: Lab,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let port = listener.local_addr()?.port();
    axum::serve(listener, router(lab, port)).with_graceful_shutdown(stop).await
}

/// What is answered, on a server at `port`.
fn router(lab: Lab, port: u16) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/assets/{*path}", get(page::asset))
        .route("/api/about", get(about))
        .route("/api/run", post(run))
        .route("/api/compare", post(compare))
        .route("/api/pool", post(pool))
        .route("/api/sweep", get(sweep))
        .route("/api/sweep/run", post(replay))
        .fallback(answer::not_found)
        .method_not_allowed_fallback(answer::wrong_method)
        .layer(DefaultBodyLimit::max(MOST_BODY_BYTES))
        .layer(middleware::from_fn_with_state(port, guard::check))
        .with_state(Arc::new(lab))
}

async fn about(State(lab): State<Arc<Lab>>) -> Response {
    answer::of(Ok(about::about(lab.sweep.as_ref().map(OpenSweep::name))))
}

async fn sweep(State(lab): State<Arc<Lab>>) -> Response {
    answer::of(lab.sweep().map(OpenSweep::listing))
}

async fn replay(State(lab): State<Arc<Lab>>, body: Result<Bytes, BytesRejection>) -> Response {
    compute(body, move |body| {
        let sweep = lab.sweep()?;
        sweep.replay(sweep.read(body)?)
    })
    .await
}

async fn run(State(lab): State<Arc<Lab>>, body: Result<Bytes, BytesRejection>) -> Response {
    compute(body, move |body| Ok(lab.runs.history(&Input::read(body)?).0)).await
}

async fn compare(State(lab): State<Arc<Lab>>, body: Result<Bytes, BytesRejection>) -> Response {
    let compare = move |body: &Value| {
        let input = Input::read(body)?;
        let history = |enabled| lab.runs.history(&input.with_breaker(enabled)).0;
        Ok(Comparison::new(history(true), history(false)))
    };
    compute(body, compare).await
}

async fn pool(body: Result<Bytes, BytesRejection>) -> Response {
    compute(body, |body| PoolHistory::of(&PoolInput::read(body)?)).await
}

/// Reads a body and answers it on a thread on which that may take its time.
async fn compute<T: Answer>(
    body: Result<Bytes, BytesRejection>,
    answer: impl FnOnce(&Value) -> Result<T, Refusal> + Send + 'static,
) -> Response {
    let bytes = match body {
        Ok(bytes) => bytes,
        Err(rejection) => return answer::refused_body(&rejection),
    };
    let computed =
        tokio::task::spawn_blocking(move || answer::of(body::parse(&bytes).and_then(|body| answer(&body)))).await;
    computed.unwrap_or_else(|_| {
        answer::of::<Value>(Err(Refusal::new(500, "The run failed; the reason is on the terminal.")))
    })
}
