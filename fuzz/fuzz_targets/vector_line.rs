//! A line of a recording.

#![no_main]

use experiments::robustness;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = robustness::vector_line(text);
});
