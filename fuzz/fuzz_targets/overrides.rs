//! `--set` arguments, one a line, for a sweep that is right.

#![no_main]

use experiments::robustness;
use libfuzzer_sys::fuzz_target;

const BASE: &str = include_str!("../../sweeps/brownout.toml");

fuzz_target!(|text: &str| {
    let overrides: Vec<String> = text.lines().map(str::to_owned).collect();
    let _ = robustness::sweep_file(BASE, &overrides);
});
