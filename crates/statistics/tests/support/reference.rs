//! Numbers from the files that `tools/statistics_reference.py` makes.

/// The numbers of a file, row by row.
pub(crate) fn rows<const COLUMNS: usize>(csv: &str) -> Vec<[f64; COLUMNS]> {
    let number = |field: &str| field.parse::<f64>().unwrap_or_else(|_| panic!("not a number: {field}"));
    let row =
        |line: &str| line.split(',').map(number).collect::<Vec<_>>().try_into().expect("as many fields as columns");
    csv.lines().skip(1).map(row).collect()
}

/// Fails unless `ours` is within the relative `tolerance` of `reference`.
pub(crate) fn assert_close(ours: f64, reference: f64, tolerance: f64, what: impl std::fmt::Debug) {
    let off = (ours - reference).abs();
    assert!(off <= tolerance * reference.abs(), "{what:?}: {ours:e}, not {reference:e}");
}
