//! Whatever is in a file, it is read or a reason is given.

use std::fs;

use experiments::sweep_file::parse;

use crate::repository_file;

/// Reads a text; a refusal has to give a place and a remedy.
fn read_or_refuse(text: &str) -> bool {
    experiments::robustness::sweep_file(text, &[])
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

#[test]
fn what_is_repeated_of_a_long_text_is_short() {
    let (letters, digits) = ("x".repeat(100_000), "9".repeat(100_000));
    let rule = "[[rule]]\nkind = \"consecutive\"\nthreshold = 5\nopen_for = \"1s\"\n";
    let keys = [
        "name",
        "root_seed",
        "level",
        "modes",
        "mode",
        "mode.0",
        "rule",
        "rule.0",
        "rule.0.kind",
        "rule.0.threshold",
        "rule.0.open_for",
        "rule.0.zip",
        "scenario",
        "scenario.slots",
        "scenario.outcome",
        "scenario.horizon",
        "scenario.dependency.arrivals",
        "scenario.dependency.arrivals.kind",
        "scenario.neighbour.hold",
        "scenario.regimes.healthy.failure_probability",
        "scenario.fault_at",
    ];
    let values = [
        letters.clone(),
        digits.clone(),
        format!("{digits}.5"),
        format!("-{digits}"),
        format!("{digits}s"),
        format!("5{letters}"),
        format!("{digits}/s"),
        format!("5/{letters}"),
        format!("1e{digits}s"),
        format!("[\"{letters}\", \"{letters}\"]"),
        format!("[\"{letters}\", {digits}"),
        format!("{{ {letters} = 1 }}"),
        format!("{{ kind = \"{letters}\" }}"),
    ];
    let mut arguments: Vec<String> =
        keys.iter().flat_map(|key| values.iter().map(move |value| format!("{key}={value}"))).collect();
    arguments.extend([
        letters.clone(),
        format!("{letters}=1"),
        format!("{letters}.0.x=1"),
        format!("rule.{digits}.kind=none"),
        format!("mode.{digits}.name=x"),
        format!("rule.0.kind.{letters}=none"),
        format!("rule.0.{letters}.x=1"),
        format!("{}=1", vec![&*letters; 20].join(".")),
    ]);
    let mut refused = 0;
    for argument in arguments {
        let Err(error) = parse("my.toml", rule, &[argument], None) else { continue };
        refused += 1;
        for line in error.to_string().lines() {
            assert!(line.chars().count() < 1_000, "{}…", &line.chars().take(400).collect::<String>());
        }
    }
    assert!(refused > 250, "{refused}");
}

#[test]
fn no_more_modes_than_one_can_look_at() {
    let given = "regime = [{ at = \"0s\", regime = \"healthy\" }, { at = \"fault\", regime = \"down\" }]";
    let text = |modes: usize| {
        let modes = (0..modes).map(|number| format!("[[mode]]\nname = \"mode-{number}\"\n{given}\n"));
        format!("[[rule]]\nkind = \"none\"\n{}", modes.collect::<String>())
    };
    assert_eq!(crate::read(&text(60)).modes.len(), 64);
    assert_eq!(
        crate::complaint(&text(61)),
        "my.toml:1:1: key `modes`: 4 given modes and 61 own ones would run; list at most 64 of them in `modes`"
    );
    let said = crate::complaint(&text(65));
    assert!(said.ends_with("key `mode`: 65 modes are defined; define at most 64"), "{said}");
    let names: Vec<String> = (0..65).map(|number| format!("\"mode-{number}\"")).collect();
    let said = crate::complaint(&format!("modes = [{}]\n{}", names.join(", "), text(64)));
    assert!(said.contains("key `modes`: 65 modes are listed; list at most 64"), "{said}");
}
