//! The examples print what lies beside them, to the last character, and are short enough to read.

#![allow(dead_code, reason = "the examples come with a main, which the tests do not call")]

#[path = "../examples/bank_renege.rs"]
mod bank_renege;
#[path = "../examples/carwash.rs"]
mod carwash;
#[path = "../examples/machine_shop.rs"]
mod machine_shop;
#[path = "../examples/mmc.rs"]
mod mmc;

fn assert_short(code: &str) {
    assert!(code.lines().count() < 100);
}

#[test]
fn bank_renege_prints_its_diary() {
    assert_eq!(bank_renege::report(), include_str!("../examples/bank_renege.out"));
    assert_short(include_str!("../examples/bank_renege.rs"));
}

#[test]
fn carwash_prints_its_diary() {
    assert_eq!(carwash::report(), include_str!("../examples/carwash.out"));
    assert_short(include_str!("../examples/carwash.rs"));
}

#[test]
fn machine_shop_prints_its_parts() {
    assert_eq!(machine_shop::report(), include_str!("../examples/machine_shop.out"));
    assert_short(include_str!("../examples/machine_shop.rs"));
}

#[test]
fn mmc_prints_waits_beside_erlangs() {
    assert_eq!(mmc::report(), include_str!("../examples/mmc.out"));
    assert_short(include_str!("../examples/mmc.rs"));
}
