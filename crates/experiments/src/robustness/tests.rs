//! The properties, with changed files of this repository and with texts made to hurt.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::blocks::robustness::whole_block;
use crate::manifest::{Execution, Manifest, manifest_file};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The texts of a folder's files with an ending, in the order of their names.
fn texts(folder: &str, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(repository().join(folder)).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    paths.sort();
    assert!(!paths.is_empty(), "{folder} has no {ending}");
    paths.into_iter().map(|path| fs::read_to_string(path).expect("text")).collect()
}

/// What files of this project and of strangers go wrong with.
const BARBS: [&str; 48] = [
    "nan",
    "-nan",
    "inf",
    "-inf",
    "NaN",
    "Infinity",
    "-0",
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "1e999999999",
    "2147483647",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "9223372036854775808s",
    "\"9223372036854775808s\"",
    "\"1ns\"",
    "\"0s\"",
    "\"584years\"",
    "\"1e18s\"",
    "\"1/s\"",
    "\"1e9/s\"",
    "\"0/s\"",
    "{ from = 1, to = 1000000000000, step = 1 }",
    "{ from = 0, to = 1, step = 1e-300 }",
    "\"../../etc/passwd\"",
    "\"a/b\"",
    "\"\"",
    "\"\\u001b[2J\"",
    "\"\\u0000\"",
    "\u{202e}",
    "\u{0}",
    "\n",
    "]",
    "[[",
    "{",
    "}",
    "\"",
    "'",
    "null",
];

/// One change of a text at a place.
#[derive(Clone, Debug)]
enum Change {
    /// The word there is replaced.
    Word(Index, &'static str),
    /// Something is put there.
    Insert(Index, &'static str),
    /// So many characters are taken out.
    Remove(Index, u8),
    /// A line is repeated elsewhere.
    Line(Index, Index),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        4 => (any::<Index>(), select(&BARBS[..])).prop_map(|(at, barb)| Change::Word(at, barb)),
        1 => (any::<Index>(), select(&BARBS[..])).prop_map(|(at, barb)| Change::Insert(at, barb)),
        1 => (any::<Index>(), any::<u8>()).prop_map(|(at, length)| Change::Remove(at, length)),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Change::Line(from, to)),
    ];
    vec(change, 1..4)
}

fn changed(text: &str, changes: &[Change]) -> String {
    changes.iter().fold(text.to_owned(), |text, change| {
        let characters: Vec<char> = text.chars().collect();
        let at = |index: &Index| index.index(characters.len() + 1);
        let joined = |parts: [&[char]; 2], between: &str| {
            parts[0].iter().copied().chain(between.chars()).chain(parts[1].iter().copied()).collect::<String>()
        };
        match change {
            Change::Word(index, barb) => {
                let is_word = |character: &char| character.is_alphanumeric() || "._\"%/".contains(*character);
                let at = at(index);
                let begin = characters[..at].iter().rposition(|next| !is_word(next)).map_or(0, |before| before + 1);
                let end =
                    characters[at..].iter().position(|next| !is_word(next)).map_or(characters.len(), |end| at + end);
                joined([&characters[..begin], &characters[end..]], barb)
            }
            Change::Insert(index, barb) => joined([&characters[..at(index)], &characters[at(index)..]], barb),
            Change::Remove(index, length) => {
                let begin = at(index);
                joined([&characters[..begin], &characters[(begin + usize::from(*length)).min(characters.len())..]], "")
            }
            Change::Line(from, to) => {
                let mut lines: Vec<&str> = text.lines().collect();
                if !lines.is_empty() {
                    lines.insert(to.index(lines.len() + 1), lines[from.index(lines.len())]);
                }
                lines.join("\n")
            }
        }
    })
}

fn check<T: std::fmt::Debug>(cases: u32, strategy: &impl Strategy<Value = T>, holds: impl Fn(T)) {
    let config = ProptestConfig { cases: cases * more_cases(), failure_persistence: None, ..ProptestConfig::default() };
    let result = proptest::test_runner::TestRunner::new(config).run(strategy, |value| {
        holds(value);
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

/// `TRIPCURVE_CASES=100 cargo test` looks for a hundred times as long.
fn more_cases() -> u32 {
    std::env::var("TRIPCURVE_CASES").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

fn check_changed(cases: u32, texts: Vec<String>, read: fn(&str) -> bool) {
    for text in &texts {
        assert!(read(text), "a sample is refused:\n{text}");
    }
    check(cases, &(select(texts), changes()), |(text, changes)| {
        read(&changed(&text, &changes));
    });
}

#[test]
fn changed_sweep_files() {
    check_changed(400, texts("sweeps", "toml"), |text| sweep_file(text, &[]));
}

#[test]
fn changed_situations() {
    check_changed(200, texts("scenarios", "toml"), |text| situation(text, &[]));
}

#[test]
fn arguments() {
    let base = fs::read_to_string(repository().join("sweeps/service.toml")).expect("text");
    let keys: &[&str] = &[
        "name",
        "root_seed",
        "replications",
        "level",
        "modes",
        "mode",
        "mode.0.name",
        "mode.0.regime.1.at",
        "rule",
        "rule.0",
        "rule.0.kind",
        "rule.0.threshold",
        "rule.0.open_for",
        "rule.0.window",
        "scenario",
        "scenario.slots",
        "scenario.horizon",
        "scenario.fault_at",
        "scenario.warm_up",
        "scenario.heal_after",
        "scenario.dependency.arrivals.rate",
        "scenario.callers",
        "scenario.neighbour.hold",
        "scenario.queue",
        "scenario.time_out",
        "scenario.instances",
        "scenario.retries.attempts",
        "scenario.retries.delay",
        "scenario.retries.budget.most",
        "scenario.load.slots",
        "scenario.load.slowdown",
        "variant",
        "scenario.regimes.healthy.failure_probability",
        "scenario.regimes.healthy.success",
        "a.b.c",
        "",
        ".",
        "rule.9.kind",
        "rule.-1.kind",
        "rule.99999999999999999999.kind",
        "\u{1b}[2J",
    ];
    let argument = (select(keys), prop_oneof![select(&BARBS[..]).prop_map(str::to_owned), "\\PC{0,12}"])
        .prop_map(|(key, value)| format!("{key}={value}"));
    check(400, &vec(argument, 1..4), |arguments| {
        sweep_file(&base, &arguments);
    });
}

#[test]
fn changed_manifests() {
    let manifests = texts("sweeps", "toml").into_iter().map(|text| {
        let sweep = parse("sample.toml", &text, &[], None).expect("a sample");
        let execution = Execution {
            complete: true,
            replications: 1,
            replications_done: 1,
            replications_finished: 1,
            replications_reused: 0,
            jobs: 1,
            elapsed_secs: 1.0,
            designs_simulated: 1,
            requests_simulated: 1,
            precision: None,
        };
        manifest_file(&Manifest::new(&sweep), &execution)
    });
    check_changed(200, manifests.collect(), manifest);
}

#[test]
fn changed_figures() {
    check_changed(200, texts("sweeps", "txt"), reference);
}

#[test]
fn changed_recordings() {
    let vectors = texts("crates/policies/tests/vectors", "jsonl");
    // Short ones: what is long says nothing else.
    let lines = vectors.iter().flat_map(|text| text.lines().filter(|line| line.len() < 4_000).take(8));
    check_changed(400, lines.map(str::to_owned).collect(), vector_line);
}

/// The designs of the sample sweeps as configurations of their libraries: the file's name, and its text.
fn configurations() -> Vec<(&'static str, String)> {
    let forms = [
        ("resilience4j", "application.yml"),
        ("hystrix", "config.properties"),
        ("gobreaker", "settings.go"),
        ("opossum", "opossum.js"),
        ("cockatiel", "cockatiel.ts"),
        ("sentinel", "rules.json"),
    ];
    let mut found = Vec::new();
    for text in texts("sweeps", "toml") {
        let sweep = parse("sample.toml", &text, &[], None).expect("a sample");
        for design in sweep.designs.iter().take(200) {
            for (format, file) in forms {
                let format = FORMATS.iter().find(|known| known.name == format).expect("a form");
                found.extend(library_formats::export(&design.rule, format, "orders").map(|text| (file, text)));
            }
        }
    }
    found.dedup();
    for (_, file) in forms {
        assert!(found.iter().any(|(known, _)| *known == file), "no sample is a {file}");
    }
    found
}

#[test]
fn changed_configurations() {
    let samples = configurations();
    for (file, text) in &samples {
        assert!(library_configuration(file, text, None), "{file}:\n{text}");
    }
    check(600, &(select(samples), changes()), |((file, text), changes)| {
        library_configuration(file, &changed(&text, &changes), None);
    });
}

#[test]
fn any_text_at_all() {
    check(300, &("\\PC{0,80}", select(&Source::NAMES[..])), |(text, (name, source))| {
        sweep_file(&text, &[]);
        situation(&text, std::slice::from_ref(&text));
        manifest(&text);
        reference(&text);
        vector_line(&text);
        for file in ["a.yml", "a.properties", "a.go", "a.js", name] {
            library_configuration(file, &text, Some(source));
            library_configuration(file, &text, None);
        }
    });
}

#[test]
fn any_bytes_and_changed_blocks() {
    let whole = whole_block();
    assert!(block(&whole));
    // What a block is without its checksum, and unpacked.
    let frame = whole[32..].to_vec();
    let payload = zstd::decode_all(&frame[..]).expect("whole");
    assert!(block(&frame) && block(&payload));
    let samples = vec![whole, frame, payload];
    check(200, &(select(samples), vec(any::<(Index, u8)>(), 1..6), any::<Index>()), |(mut bytes, changes, cut)| {
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = block(&bytes);
        bytes.truncate(cut.index(bytes.len()));
        let _ = block(&bytes);
    });
    check(100, &vec(any::<u8>(), 0..400), |bytes| {
        let _ = block(&bytes);
    });
}

/// Whatever a library's settings may be, a run of it ends.
#[test]
fn every_library_at_the_ends_of_its_settings() {
    let text = fs::read_to_string(repository().join("sweeps/dialects.toml")).expect("text");
    let designs = parse("sample.toml", &text, &[], None).expect("a sample").designs;
    let (mut run, mut refused) = (0, 0);
    for rule in designs.iter().map(|design| design.rule) {
        let Some(dialect) = rule.dialect() else { continue };
        for parameter in dialect.library().parameters {
            for value in ["0", "1", "2147483648", "1e308", "0s", "1ns", "1000000h"] {
                let set = ["modes=[\"down\"]".to_owned(), format!("rule.0.{}={value}", parameter.name)];
                let Ok(sweep) = parse("bounds.toml", &rule_table(&rule), &set, None) else {
                    refused += 1;
                    continue;
                };
                run += 1;
                let designs = crate::runner::DistinctDesigns::of(&sweep).design_set(&sweep);
                let runs = crate::runner::simulate(&sweep, &designs, scenario::Sharing::Auto, 0);
                assert_eq!((runs.runs.len(), runs.runs[0].len()), (1, 1));
            }
        }
    }
    assert!(run > 100 && refused > 100, "{run} runs, {refused} refused");
}

/// By name.
type Reader = (String, Box<dyn Fn(&str) -> bool>);

/// All that reads a text, by name.
fn readers() -> Vec<Reader> {
    let mut readers: Vec<Reader> = vec![
        ("sweep".to_owned(), Box::new(|text| sweep_file(text, &[]))),
        ("set".to_owned(), Box::new(|text| sweep_file("[[rule]]\nkind = \"none\"\n", &[format!("rule={text}")]))),
        ("situation".to_owned(), Box::new(|text| situation(text, &[]))),
        ("manifest".to_owned(), Box::new(manifest)),
        ("vector".to_owned(), Box::new(vector_line)),
        ("reference".to_owned(), Box::new(reference)),
    ];
    for file in ["a.yml", "a.js", "a.json", "a.go", "a.properties"] {
        readers.push((file.to_owned(), Box::new(move |text| library_configuration(file, text, None))));
    }
    readers
}

/// What is large, deep or twisted is refused or read at once: else it would take hours, all memory or all of the stack.
#[test]
fn size_and_depth_without_end() {
    const DEPTH: usize = 20_000;
    const MANY: usize = 5_000;
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(DEPTH), close.repeat(DEPTH));
    let lines = |line: &dyn Fn(usize) -> String| (0..MANY).map(|number| line(number) + "\n").collect::<String>();
    let nested = [deep("[", "]"), deep("{a=", "}"), deep("{\"a\":", "}"), "[".repeat(DEPTH), "{a:".repeat(DEPTH)];
    let nested = nested
        .into_iter()
        .flat_map(|text| [text.clone(), format!("a = {text}"), format!("x: {text}"), format!("Settings{{A: {text}")]);
    let long = [
        lines(&|number| format!("k{number} = 1")),
        lines(&|number| format!("k{number}: 1,")),
        lines(&|number| format!("[[variant]]\nname = \"v{number}\"\nset = []")),
        lines(&|number| format!("[[rule]]\nkind = \"ratio{number}\"")),
        lines(&|number| format!("[[mode]]\nname = \"m{number}\"")),
        lines(&|_| "Settings {}".to_owned()),
        lines(&|number| format!("resilience4j.circuitbreaker.instances.b{number}.slidingWindowSize=10")),
        lines(&|number| format!("hystrix.command.c{number}.circuitBreaker.requestVolumeThreshold=10")),
        lines(&|_| "# 5 replications".to_owned()),
        "1*".repeat(DEPTH),
        format!("x:\n{}", lines(&|number| format!("  - &a{number} [*a{}, *a{}]", number / 2, number / 2))),
        format!("options = {{{}}}", lines(&|number| format!("k{number}: 1,"))),
        format!("a.b = [{}]", "1,".repeat(MANY)),
        "x".repeat(50 * DEPTH),
    ];
    let readers = readers();
    for (number, text) in nested.chain(long).enumerate() {
        for (name, read) in &readers {
            let began = Instant::now();
            let _ = read(&text);
            let took = began.elapsed();
            assert!(took < Duration::from_secs(20), "{name} takes {took:?} for text {number}: {text:.60}…");
        }
    }
}
