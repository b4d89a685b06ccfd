//! Values that are out of use, kept for the memory that they own.

/// Spare values. They are nobody's state, so a clone has none.
pub(super) struct Pool<T>(Vec<T>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Clone for Pool<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> Pool<T> {
    pub(super) fn put(&mut self, spare: T) {
        self.0.push(spare);
    }

    pub(super) fn take(&mut self) -> Option<T> {
        self.0.pop()
    }
}
