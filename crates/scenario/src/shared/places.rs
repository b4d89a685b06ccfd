//! Lists that are filled without a branch for each candidate.

/// The places of those candidates that are wanted. Where nothing can foretell which they are, a branch for each of them would
/// cost more than to write down all of them, one over the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// The first `number` of them count.
    places: Vec<usize>,
    number: usize,
}

impl Places {
    /// Lists the places, by order of candidates, of those that are `wanted`; what was in the list is forgotten.
    #[inline(always)]
    pub(super) fn fill(&mut self, wanted: impl ExactSizeIterator<Item = bool>) {
        let candidates = wanted.len();
        if self.places.len() < candidates {
            self.places.resize(candidates, 0);
        }
        let places = &mut self.places[..candidates];
        let mut number = 0;
        for (place, wanted) in wanted.enumerate() {
            places[number] = place;
            number += usize::from(wanted);
        }
        self.number = number;
    }

    /// Takes out the last one.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<usize> {
        self.number = self.number.checked_sub(1)?;
        Some(self.places[self.number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_is_listed_and_nothing_from_before() {
        let mut places = Places::default();
        for wanted in [&[true, false, true, true][..], &[false, false], &[], &[false, true]] {
            places.fill(wanted.iter().copied());
            let listed: Vec<usize> = std::iter::from_fn(|| places.pop()).collect();
            let expected: Vec<usize> = (0..wanted.len()).rev().filter(|&place| wanted[place]).collect();
            assert_eq!(listed, expected);
        }
    }
}
