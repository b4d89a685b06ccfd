//! The label of an axis and, at the axis's better end, an arrow with the word "better".

use super::canvas::{Fitted, Lettering};
use super::style::{BETTER, INK};

/// The size of a label that has enough room.
pub(super) const LABEL_TEXT: f64 = 14.5;
/// The size of the word "better".
const WORD_TEXT: f64 = 13.0;
/// How far the arrow reaches from the better end.
pub(super) const ARROW: f64 = 58.0;
/// The room between the arrow, its word and the label.
const GAP: f64 = 6.0;

/// How a label stands beside its arrow.
#[derive(Clone, Debug)]
pub(super) struct AxisLabel {
    pub(super) label: Fitted,
    /// Whether it stands in the middle of the axis, and not at its worse end.
    pub(super) centred: bool,
    /// The word at the arrow. A label that would have to shrink for it stands beside the arrow alone.
    pub(super) word: Option<Fitted>,
    /// Where the word begins, from the better end.
    pub(super) word_start: f64,
}

impl AxisLabel {
    /// Arranges a label on an axis so long, in page units. Needs the font to be registered.
    pub(super) fn new(label: &str, length: f64) -> Self {
        let look = Lettering::new(LABEL_TEXT, INK);
        let word = Lettering::new(WORD_TEXT, BETTER).fit("better", f64::INFINITY);
        let word_start = ARROW + GAP;
        let beside_word = length - word_start - word.look.width(&word.text) - 10.0;
        let width = look.width(label);
        if width <= beside_word {
            // In the middle if as much room is left on either side.
            let centred = (length + width) / 2.0 <= beside_word;
            return Self { label: look.fit(label, beside_word), centred, word: Some(word), word_start };
        }
        Self { label: look.fit(label, length - ARROW - 10.0), centred: false, word: None, word_start }
    }

    /// Where the label lies on the axis, from the better end.
    #[cfg(test)]
    fn span(&self, length: f64) -> (f64, f64) {
        let width = self.label.look.width(&self.label.text);
        if self.centred { ((length - width) / 2.0, (length + width) / 2.0) } else { (length - width, length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_reaches_the_arrow_its_word_or_the_end() {
        super::super::font::register().unwrap();
        for length in [220.0, 312.0, 442.0, 900.0] {
            for letters in (0..200).step_by(3) {
                let text = "requests turned away ".repeat(10)[..letters].to_owned();
                let placed = AxisLabel::new(&text, length);
                let taken = placed.word.as_ref().map_or(ARROW, |word| placed.word_start + word.look.width(&word.text));
                let (from, to) = placed.span(length);
                assert!(from >= taken && to <= length, "{text} on {length}: {placed:?}");
            }
        }
    }

    #[test]
    fn the_label_of_a_full_grid_keeps_every_letter() {
        super::super::font::register().unwrap();
        let label = "healthy: valid requests turned away per run";
        let placed = AxisLabel::new(label, 312.0);
        assert_eq!(placed.label.text, label);
        assert!(placed.label.look.size > 11.5, "{placed:?}");
    }

    #[test]
    fn a_label_with_room_is_centred_beside_the_word() {
        super::super::font::register().unwrap();
        let placed = AxisLabel::new("rejections", 442.0);
        assert!(placed.centred && placed.word.is_some() && placed.label.look.size == LABEL_TEXT);
    }
}
