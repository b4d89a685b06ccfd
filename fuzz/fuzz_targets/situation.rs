//! The file of a situation, with variants.

#![no_main]

use experiments::robustness;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = robustness::situation(text, &[]);
});
