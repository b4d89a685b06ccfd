//! Runs the same designs in every way that there is, and compares.

use std::cell::RefCell;

use policies::AnyRule;
use scenario::{DesignSet, ModeStreams, RequestStream, Sharing, SharingMemory, SharingStats};

thread_local! {
    /// Used by one comparison after the other, of whatever designs. (A case that fails for what others left in it may pass when it
    /// is run alone.)
    static MEMORY: RefCell<SharingMemory> = RefCell::default();
}

/// Panics unless all ways of running `designs` over `stream` give the same records. Returns what was shared.
pub(crate) fn assert_all_ways_agree(rules: &[AnyRule], designs: &DesignSet, stream: &RequestStream) -> SharingStats {
    let (plain, _) = designs.run(stream, Sharing::Plain);
    assert_eq!(plain.len(), rules.len());
    let (values, value_stats) = designs.run(stream, Sharing::Values);
    let (bits, bit_stats) = designs.run(stream, Sharing::Bits);
    let mut auto = Vec::new();
    MEMORY.with_borrow_mut(|memory| designs.run_in(memory, stream, Sharing::Auto, &mut auto));
    for (((rule, plain), values), (bits, auto)) in rules.iter().zip(&plain).zip(&values).zip(bits.iter().zip(&auto)) {
        assert_eq!(values, plain, "{rule} in worlds as values");
        assert_eq!(bits, plain, "{rule} in worlds as bits");
        assert_eq!(auto, plain, "{rule} however is fastest, in memory that has been used");
    }
    assert_eq!(value_stats, bit_stats, "both kinds of worlds fork and merge at the same requests");
    bit_stats
}

/// Panics unless every design has the same record in every mode, whether the modes are run together or not. Returns what
/// was shared.
pub(crate) fn assert_modes_agree(designs: &DesignSet, modes: &ModeStreams) -> SharingStats {
    let plain: Vec<_> = modes.streams().iter().map(|stream| designs.run(stream, Sharing::Plain).0).collect();
    let [values, bits, _, _] = [Sharing::Values, Sharing::Bits, Sharing::Auto, Sharing::Plain].map(|how| {
        let (records, stats) = designs.run_modes(modes, how);
        assert!(records == plain, "{how:?} differs from one design at a time");
        stats
    });
    let mut records = Vec::new();
    MEMORY.with_borrow_mut(|memory| designs.run_modes_in(memory, modes, Sharing::Auto, &mut records));
    assert!(records == plain, "memory that has been used makes a difference");
    assert_eq!(values, bits, "both kinds of worlds fork and merge at the same requests");
    bits
}
