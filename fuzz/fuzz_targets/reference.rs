//! The figures of an independent program.

#![no_main]

use experiments::robustness;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = robustness::reference(text);
});
