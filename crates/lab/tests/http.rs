//! The server as a browser or curl sees it, over a real connection.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::OnceLock;

use lab::server::{Lab, MOST_BODY_BYTES, serve};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// The port of a server that runs as long as the tests do.
fn port() -> u16 {
    static PORT: OnceLock<u16> = OnceLock::new();
    *PORT.get_or_init(|| {
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
                tell.send(listener.local_addr().expect("an address").port()).expect("a test that waits");
                serve(Lab::default(), listener, std::future::pending()).await
            })
        });
        told.recv().expect("a server")
    })
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {}", self.body))
    }

    fn sentence(&self) -> String {
        self.json()["error"]["sentence"].as_str().expect("a sentence").to_owned()
    }
}

/// Sends a request with these headers and reads the reply to the end.
fn send(method: &str, path: &str, headers: &str, body: &[u8]) -> Reply {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port())).expect("a connection");
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("sent");
    // A server that refuses a body may close before it is sent as a whole.
    let _ = stream.write_all(body);
    let mut reply = String::new();
    let _ = stream.read_to_string(&mut reply);
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Reply { status, head: head.to_lowercase(), body: body.to_owned() }
}

fn host() -> String {
    format!("Host: localhost:{}\r\n", port())
}

fn get(path: &str) -> Reply {
    send("GET", path, &host(), b"")
}

fn post(path: &str, body: &Value) -> Reply {
    send("POST", path, &host(), body.to_string().as_bytes())
}

#[test]
fn the_page_is_served_with_a_strict_policy() {
    let page = get("/");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-type: text/html; charset=utf-8"), "{}", page.head);
    assert!(page.body.to_lowercase().starts_with("<!doctype html>"));
    for part in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"] {
        assert!(page.head.contains(part), "{part} in {}", page.head);
    }
    // Nothing that would have to be fetched from elsewhere.
    for part in ["http://", "https://", "//cdn"] {
        let links = page.body.matches(&format!("src=\"{part}")).count()
            + page.body.matches(&format!("<link href=\"{part}")).count();
        assert_eq!(links, 0, "{part}");
    }
    let missing = get("/assets/../Cargo.toml");
    assert_eq!(
        (missing.status, missing.sentence()),
        (404, "There is nothing at /assets/../Cargo.toml: the page is at /.".to_owned())
    );
    assert_eq!(get("/assets/no-such-file.js").status, 404);
    assert_eq!(get("/elsewhere").status, 404);
}

#[test]
fn only_this_machines_names_are_answered() {
    let port = port();
    for host in ["localhost", "127.0.0.1", "[::1]"] {
        assert_eq!(send("GET", "/api/about", &format!("Host: {host}:{port}\r\n"), b"").status, 200, "{host}");
    }
    for headers in [
        "Host: example.org\r\n".to_owned(),
        format!("Host: example.org:{port}\r\n"),
        "Host: localhost\r\n".to_owned(),
        format!("Host: localhost:{}\r\n", port.wrapping_add(1)),
        format!("Host: localhost:{port}\r\nHost: example.org\r\n"),
        format!("Host: localhost:{port}\r\nOrigin: http://example.org\r\n"),
        format!("Host: localhost:{port}\r\nOrigin: null\r\n"),
        format!("Host: localhost:{port}\r\nOrigin: http://localhost:{}\r\n", port.wrapping_add(1)),
    ] {
        let reply = send("POST", "/api/run", &headers, b"{}");
        // A head with two hosts is not even HTTP, and hyper may say so itself.
        assert!(matches!(reply.status, 400 | 403), "{headers} {}", reply.status);
        assert!(!reply.body.contains("requests"), "{headers}");
    }
    let refused = send("GET", "/", "Host: example.org\r\n", b"");
    assert_eq!(refused.status, 403);
    assert!(refused.sentence().contains(&format!("http://localhost:{port}/")), "{}", refused.sentence());
    let own = format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n");
    assert_eq!(send("POST", "/api/run", &own, b"{}").status, 200);
}

#[test]
fn an_empty_body_runs_the_outage() {
    let by_default = post("/api/run", &json!({}));
    assert_eq!(by_default.status, 200);
    assert!(by_default.head.contains("content-type: application/json"));
    let run = by_default.json();
    assert_eq!((&run["final"]["succeeded"], &run["final"]["rejected"]), (&json!(744), &json!(316)));
    assert_eq!(run["requests"].as_array().map(Vec::len), Some(1_080));
    assert_eq!(send("POST", "/api/run", &host(), b"").body, by_default.body);
    // What it says it was asked, asked, gives the same bytes.
    assert_eq!(post("/api/run", &run["input"]).body, by_default.body);
}

#[test]
fn a_comparison_counts_the_difference() {
    let comparison = post("/api/compare", &json!({})).json();
    assert_eq!(comparison["difference"]["same_requests"], json!(true));
    assert_eq!(comparison["difference"]["attempts_avoided"], json!(316));
    assert_eq!(comparison["bypassed"]["final"]["failed"], json!(264));
    assert_eq!(comparison["protected"]["input"]["settings"]["breaker_enabled"], json!(true));
}

#[test]
fn about_offers_every_rule_with_its_parameters() {
    let about = get("/api/about").json();
    let kinds: Vec<&str> =
        about["rules"].as_array().expect("rules").iter().filter_map(|rule| rule["kind"].as_str()).collect();
    assert_eq!(kinds, lab::rules::kinds());
    // Everything offered can be run as it is offered.
    for rule in about["rules"].as_array().expect("rules") {
        let parameters = rule["parameters"].as_array().expect("parameters");
        let mut keys = json!({ "kind": rule["kind"] });
        for parameter in parameters {
            keys[parameter["name"].as_str().expect("a name")] = parameter["default"].clone();
        }
        assert_eq!(post("/api/run", &json!({"settings": {"rule": keys}})).status, 200, "{keys}");
        // The workspace's own parameters are independent of one another; a library may refuse a pair.
        let is_own = policies::AnyRule::NAMES.contains(&rule["kind"].as_str().expect("a name"));
        let ends = parameters.iter().flat_map(|parameter| [(parameter, "min"), (parameter, "max")]);
        for (parameter, end) in ends.filter(|_| is_own) {
            let key = format!("rule.{}", parameter["name"].as_str().expect("a name"));
            let edit = json!({"at": 1, "key": key, "value": parameter[end]});
            let body = json!({"settings": {"rule": keys}, "interventions": [edit]});
            assert_eq!(post("/api/run", &body).status, 200, "{body}");
        }
    }
    for preset in about["presets"].as_array().expect("presets") {
        let body = json!({ "settings": preset["settings"] });
        assert_eq!(post("/api/run", &body).json()["input"]["settings"], preset["settings"]);
    }
    assert_eq!(about["sweep"], Value::Null);
    assert_eq!(get("/api/sweep").status, 404);
    assert!(post("/api/sweep/run", &json!({})).sentence().contains("--sweep"));
}

#[test]
fn the_pool_is_always_there() {
    let pool = post("/api/pool", &json!({})).json();
    assert_eq!((&pool["label"], &pool["slots"]), (&json!("consecutive 5, open 1s"), &json!(32)));
    assert_eq!(pool["conservation"]["holds"], json!(true));
    let worse = post("/api/pool", &json!({"rule": {"kind": "none"}})).json();
    let lost = |pool: &Value| -> u64 {
        let record = pool["record"].as_array().expect("a record");
        let column = record.iter().find(|column| column["column"] == "neighbour_no_slot_fault").expect("the column");
        column["value"].as_str().and_then(|value| value.parse().ok()).expect("a number")
    };
    // Without a breaker the neighbours suffer: in `slowdown` about 97 calls per second hold a slot for 220 ms each.
    assert!(lost(&worse) > 3 * lost(&pool), "{} and {}", lost(&worse), lost(&pool));
    assert!(post("/api/pool", &json!({"mode": "slow"})).sentence().contains("did you mean \"slowdown\"?"));
}

#[test]
fn what_is_malformed_gets_a_sentence() {
    for (body, status, part) in [
        ("{", 400, "The body is not JSON"),
        ("nonsense", 400, "The body is not JSON"),
        ("[]", 422, "The body is a list"),
        ("{\"seed\": 1.5}", 422, "`seed` is 1.5: give a whole number"),
        ("{\"settings\": {\"requests_per_second\": 1e9}}", 422, "give a number from 0.1 to 200"),
        ("{\"settings\": {\"response_time\": -1}}", 422, "`settings.response_time` is -1"),
        ("{\"settings\": {\"rule\": {\"thresold\": 3}}}", 422, "did you mean `threshold`?"),
        ("{\"interventions\": {}}", 422, "`interventions` is an object: give a list"),
        ("{\"seed\": 1e999}", 400, "The body is not JSON"),
    ] {
        let reply = send("POST", "/api/run", &host(), body.as_bytes());
        assert_eq!(reply.status, status, "{body}: {}", reply.body);
        assert!(reply.sentence().contains(part), "{}", reply.sentence());
    }
    let binary = send("POST", "/api/run", &host(), &[0xff, 0xfe, 0x00]);
    assert_eq!(binary.status, 400);
    let wrong_method = get("/api/run");
    assert_eq!(
        (wrong_method.status, wrong_method.sentence()),
        (405, "/api/run does not answer GET: use POST.".to_owned())
    );
    assert_eq!(post("/api/about", &json!({})).sentence(), "/api/about does not answer POST: use GET.");
}

#[test]
fn too_much_is_refused() {
    let large = json!({ "preset": "x".repeat(MOST_BODY_BYTES) });
    let reply = post("/api/run", &large);
    assert_eq!(reply.status, 413);
    assert!(reply.sentence().contains("65536 bytes"), "{}", reply.sentence());
    let many = vec![json!({"at": 1, "key": "break_service"}); 201];
    let reply = post("/api/run", &json!({ "interventions": many }));
    assert_eq!(reply.status, 422);
    assert!(reply.sentence().contains("give 200 at most"), "{}", reply.sentence());
    let most = json!({"settings": {"requests_per_second": 200}, "interventions": vec![json!({"at": 1, "key": "break_service"}); 200]});
    assert_eq!(post("/api/run", &most).json()["final"]["generated"], json!(18_000));
    // JSON that is nested without end is no run either.
    let nested = "[".repeat(30_000);
    assert_eq!(send("POST", "/api/run", &host(), nested.as_bytes()).status, 400);
}
