//! Whatever is in a file, it is read or a reason is given.

use std::fs;

use experiments::sweep_file::parse;

use crate::repository_file;

/// Reads a text; a refusal has to give a place and a remedy.
fn read_or_refuse(text: &str) -> bool {
    match parse("my.toml", text, &[], None) {
        Ok(sweep) => {
            assert!(!sweep.designs.is_empty() && !sweep.modes.is_empty() && sweep.replications > 0);
            true
        }
        Err(error) => {
            assert!(!error.findings().is_empty());
            for finding in error.findings() {
                assert!(
                    finding.place.starts_with("my.toml:") && !finding.remedy.is_empty(),
                    "{finding}\nabout\n{text}"
                );
            }
            false
        }
    }
}

#[test]
fn files_that_end_too_early() {
    let text = fs::read_to_string(repository_file("sweeps/brownout.toml")).unwrap();
    let mut refused = 0;
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        refused += u32::from(!read_or_refuse(&text[..end]));
    }
    assert!(refused > 1_000, "{refused}");
    assert!(read_or_refuse(&text));
}

#[test]
fn files_with_damaged_bytes() {
    let text = fs::read_to_string(repository_file("sweeps/brownout.toml")).unwrap();
    let damage = b"=[]{}\"'#.,-+0123456789eE_\n \tnaz";
    // Knuth's MMIX generator: the damage is the same in every run of the test.
    let mut state = 1_u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut outcomes = [0; 2];
    for _ in 0..3_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=next(3) {
            bytes[next(text.len())] = damage[next(damage.len())];
        }
        let damaged = String::from_utf8(bytes).expect("the sample is ASCII");
        outcomes[usize::from(read_or_refuse(&damaged))] += 1;
    }
    assert!(outcomes.iter().all(|&count| count > 100), "{outcomes:?}");
}

#[test]
fn depth_without_end() {
    for text in [
        format!("{} = 1\n", vec!["a"; 100_000].join(".")),
        format!("[{}]\n", vec!["a"; 100_000].join(".")),
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
    ] {
        assert!(!read_or_refuse(&text));
        let argument = format!("scenario.slots={}", &text[4..]);
        assert!(parse("my.toml", "[[rule]]\nkind = \"none\"\n", &[argument], None).is_err());
    }
}
