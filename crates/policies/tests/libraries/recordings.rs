//! Traces that were recorded from the libraries: settings, every question and result, and what the library said.

use std::path::Path;

use policies::libraries;

use crate::vector::difference;

/// The recordings of a library, of which there are so many.
fn agrees(library: &str, recordings: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(format!("{library}.jsonl"));
    let text = std::fs::read_to_string(&path).expect("the recordings lie beside the tests");
    assert_eq!(text.lines().count(), recordings);
    let differences: Vec<_> = text.lines().filter_map(difference).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

macro_rules! recorded {
    ($($library:ident: $recordings:literal),* $(,)?) => {
        $(
            #[test]
            fn $library() {
                agrees(stringify!($library), $recordings);
            }
        )*

        #[test]
        fn every_library_has_recordings() {
            let names: Vec<_> = libraries().iter().map(|library| library.name).collect();
            let mut recorded = vec![$(stringify!($library)),*];
            recorded.sort_unstable_by_key(|name| names.iter().position(|other| other == name));
            assert_eq!(recorded, names);
        }
    };
}

recorded! {
    cockatiel: 12,
    failsafe_go: 12,
    failsafe_java: 16,
    failsafe_rs: 27,
    gobreaker: 27,
    hystrix_1_5_13: 25,
    hystrix_1_5_18: 24,
    opossum: 34,
    pybreaker: 32,
    recloser: 26,
    resilience4j: 18,
    sentinel: 30,
}
