
impl Recloser {
    /// The state in words. Reading changes nothing.
    pub fn state_in_words(&self, guard: &Guard) -> &'static str {
        let shared = self.state.load(Ordering::Acquire, guard);
        // The pointer is never null, and the guard keeps alive what it points to.
        match unsafe { shared.deref() } {
            State::Closed(_) => "closed",
            State::Open(..) => "open",
            State::HalfOpen(..) => "half_open",
        }
    }
}
