//! The program as a user starts and stops it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.arg("--no-open").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program")
}

/// The address that the program prints.
fn address(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().expect("its output")).read_line(&mut line).expect("a line");
    let start = line.find("http://localhost:").unwrap_or_else(|| panic!("no address in {line}"));
    line[start..].split(' ').next().expect("a word").trim().to_owned()
}

/// What a program says that cannot start, and its exit code.
fn failure(arguments: &[&str]) -> (Option<i32>, String) {
    let output = start(arguments).wait_with_output().expect("its end");
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

#[test]
fn prints_its_address_answers_there_and_ends_when_asked() {
    let mut lab = start(&["--port", "0"]);
    let address = address(&mut lab);
    let authority = address.strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect("an address");
    let mut stream = TcpStream::connect(authority).expect("a connection");
    write!(stream, "GET /api/about HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n").expect("sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("an answer");
    assert!(reply.starts_with("HTTP/1.1 200 OK"), "{reply}");
    let killed = Command::new("kill").args(["-INT", &lab.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    assert!(lab.wait().expect("its end").success());
}

#[test]
fn a_port_in_use_is_named() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let (code, said) = failure(&["--port", &port]);
    assert_eq!(code, Some(1));
    assert_eq!(
        said.trim(),
        format!("error: port {port} is in use by another program: choose another one, or --port 0 for any free one")
    );
}

#[test]
fn a_folder_without_results_is_named() {
    let (code, said) = failure(&["--sweep", "no/such/folder"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("cannot read no/such/folder/runs.parquet"), "{said}");
}
