//! The configuration of a library; its first line is the name of the file.

#![no_main]

use experiments::library_formats::Source;
use experiments::robustness;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (name, text) = text.split_once('\n').unwrap_or(("options.json", text));
    let source = Source::NAMES.iter().find(|(known, _)| name.contains(known)).map(|&(_, source)| source);
    let _ = robustness::library_configuration(name, text, source);
});
