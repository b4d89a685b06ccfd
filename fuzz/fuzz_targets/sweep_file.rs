//! A sweep file; what follows a NUL is a `--set` argument.

#![no_main]

use experiments::robustness;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut parts = text.split('\0');
    let file = parts.next().unwrap_or_default();
    let overrides: Vec<String> = parts.map(str::to_owned).collect();
    let _ = robustness::sweep_file(file, &overrides);
});
