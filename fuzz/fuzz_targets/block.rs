//! A block of finished work, or its content.

#![no_main]

use experiments::robustness;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = robustness::block(bytes);
});
