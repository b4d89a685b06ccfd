//! The command line.

use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use tokio::net::TcpListener;

use crate::server::{self, Lab};
use crate::sweep::OpenSweep;

/// Without `--port`, the first free one of these is taken.
const USUAL_PORTS: std::ops::RangeInclusive<u16> = 7410..=7419;

#[derive(Parser, Debug)]
#[command(
    name = "lab",
    version,
    about = "Shows a circuit breaker at work: a page in the browser, protected against bypassed",
    long_about = "Serves one page on this machine: break a dependency, watch the breaker protect it, and decide when traffic \
                  can return. Nothing is fetched from the network, and nothing leaves this machine. Ctrl-C ends it."
)]
struct Cli {
    /// The port on this machine; 0 for any free one. Without it: the first free one from 7410 to 7419
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Print the page's address and leave the browser alone
    #[arg(long)]
    no_open: bool,
    /// Open the results of a sweep, such as data/sweep, to play any of its runs
    #[arg(long, value_name = "DIR")]
    sweep: Option<PathBuf>,
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            // Nothing can be done about a terminal that is gone.
            let _ = writeln!(io::stderr(), "error: {sentence}");
            ExitCode::from(1)
        }
    }
}

fn run(cli: &Cli) -> Result<(), String> {
    let sweep = cli.sweep.as_deref().map(OpenSweep::open).transpose().map_err(|failure| failure.to_string())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(4)
        .build()
        .map_err(|error| format!("the server cannot be started: {error}"))?;
    let lab = Lab::new(sweep);
    let served = runtime.block_on(async {
        let listener = listen(cli.port).await?;
        let port = listener.local_addr().map_err(|error| format!("the port has no number: {error}"))?.port();
        announce(port, cli.no_open);
        server::serve(lab, listener, stopped()).await.map_err(|error| format!("the server stopped: {error}"))
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// Takes the port that was asked for, or the first free one of the usual ones.
async fn listen(port: Option<u16>) -> Result<TcpListener, String> {
    if let Some(port) = port {
        return bind(port).await.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => {
                format!("port {port} is in use by another program: choose another one, or --port 0 for any free one")
            }
            _ => format!("port {port} cannot be used: {error}; choose another one, or --port 0 for any free one"),
        });
    }
    for port in USUAL_PORTS {
        if let Ok(listener) = bind(port).await {
            return Ok(listener);
        }
    }
    let (first, last) = USUAL_PORTS.into_inner();
    Err(format!(
        "the ports {first} to {last} are all in use: choose another one with --port N, or --port 0 for any free one"
    ))
}

async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

fn announce(port: u16, no_open: bool) {
    let address = format!("http://localhost:{port}/");
    let mut out = io::stdout();
    // Nothing can be done about a reader who has gone.
    let _ = writeln!(out, "The lab is open at {address} (Ctrl-C ends it)").and_then(|()| out.flush());
    if !no_open && let Err(error) = open::that_detached(&address) {
        let _ = writeln!(io::stderr(), "note: no browser could be opened ({error}): open {address} yourself");
    }
}

/// Done at Ctrl-C or, where there is such a thing, at a request to terminate.
async fn stopped() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) else {
            let _ = interrupt.await;
            return;
        };
        tokio::select! {
            _ = interrupt => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    let _ = interrupt.await;
}
