//! Sentences that fit a width.

/// The text in lines of at most `width` characters, broken between words where that is possible; lines after the first
/// begin with `indent`, and the first one with the blanks that the text begins with.
pub(crate) fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let (blanks, words) = text.split_at(text.len() - text.trim_start_matches(' ').len());
    let mut lines: Vec<String> = vec![blanks.to_owned()];
    for word in words.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let is_first = lines.len() == 1;
            let line = lines.last_mut().expect("there is a line");
            let start = if is_first { blanks.len() } else { indent.chars().count() };
            let taken = line.chars().count();
            let gap = usize::from(taken > start);
            if taken + gap + word.len() <= width {
                line.extend((gap > 0).then_some(' ').into_iter().chain(word));
                break;
            }
            if gap == 0 {
                let rest = word.split_off(width.saturating_sub(start).max(1).min(word.len()));
                line.extend(std::mem::replace(&mut word, rest));
            }
            lines.push(indent.to_owned());
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_break_between_words_and_within_what_is_too_long() {
        assert_eq!(wrapped("a short line", 20, "  "), "a short line");
        assert_eq!(wrapped("open for 5s, probes 2/3", 12, "  "), "open for 5s,\n  probes 2/3");
        assert_eq!(wrapped("slidingWindowType 5", 10, ""), "slidingWin\ndowType 5");
        assert_eq!(wrapped("", 10, ""), "");
        assert_eq!(wrapped("  open for 5s", 8, "  "), "  open\n  for 5s");
    }
}
