//! Guessing what a misspelt word was meant to be.

/// The known word that is most like the wrong one, if any is like it.
pub(crate) fn did_you_mean<'k>(wrong: &str, known: &[&'k str]) -> Option<&'k str> {
    let likeness = |word: &str| strsim::jaro_winkler(&wrong.to_lowercase(), &word.to_lowercase());
    known
        .iter()
        .copied()
        .map(|word| (likeness(word), word))
        .filter(|&(likeness, _)| likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}
