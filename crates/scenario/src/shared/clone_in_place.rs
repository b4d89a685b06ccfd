//! Copies that keep the memory of what they overwrite.

/// Implements `Clone` field by field, `clone_from` too: derived, that would make a new value and drop the old one.
///
/// Generics come first: `clone_in_place!([const K: usize] Lanes<K> { left, word })`.
macro_rules! clone_in_place {
    ([$($generics:tt)*] $type:ty { $($field:ident),+ $(,)? }) => {
        impl<$($generics)*> Clone for $type {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),+ }
            }

            fn clone_from(&mut self, other: &Self) {
                $(self.$field.clone_from(&other.$field);)+
            }
        }
    };
    ($type:ty { $($field:ident),+ $(,)? }) => {
        clone_in_place!([] $type { $($field),+ });
    };
}

pub(super) use clone_in_place;
