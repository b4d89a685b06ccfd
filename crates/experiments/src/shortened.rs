//! What messages repeat of long texts.

/// The beginning of a text, and a sign where there is more of it.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(MOST).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn short_texts_stay_and_long_ones_end() {
        assert_eq!(shortened("ä b"), "ä b");
        assert_eq!(shortened(&"ä".repeat(100)), "ä".repeat(80) + "…");
    }
}
