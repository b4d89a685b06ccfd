//! The settings of a library's breaker, by the library's own names.

use std::fmt;

use engine::Duration;

/// The value of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A count, a share, a percentage.
    Number(f64),
    /// A switch.
    Flag(bool),
    /// One of the words that the parameter knows.
    Word(&'static str),
    /// A time.
    Time(Duration),
    /// A list of times.
    Times(Durations),
}

/// Named values, in the order in which they were given. A parameter that is not among them has its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings(Vec<(&'static str, Value)>);

impl Settings {
    /// Nothing is given: every parameter has its default.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Gives a parameter its value; an earlier value of the same parameter is replaced.
    pub fn set(&mut self, name: &'static str, value: Value) {
        match self.0.iter_mut().find(|(given, _)| *given == name) {
            Some((_, given)) => *given = value,
            None => self.0.push((name, value)),
        }
    }

    /// The same with one more value.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: Value) -> Self {
        self.set(name, value);
        self
    }

    /// The value that was given to a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value> {
        self.0.iter().find(|(given, _)| *given == name).map(|&(_, value)| value)
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Value)> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<(&'static str, Value)> for Settings {
    fn from_iter<I: IntoIterator<Item = (&'static str, Value)>>(values: I) -> Self {
        let mut settings = Self::new();
        values.into_iter().for_each(|(name, value)| settings.set(name, value));
        settings
    }
}

/// A short list of whole milliseconds, kept in place so that rules are plain numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Durations {
    millis: [u32; Self::MOST],
    number: u8,
}

impl Durations {
    /// The longest list.
    pub const MOST: usize = 12;

    /// The list of so many milliseconds; `None` if it is empty or longer than [`Durations::MOST`].
    #[must_use]
    pub fn from_millis(list: &[u32]) -> Option<Self> {
        if list.is_empty() || list.len() > Self::MOST {
            return None;
        }
        let mut millis = [0; Self::MOST];
        millis[..list.len()].copy_from_slice(list);
        Some(Self { millis, number: list.len() as u8 })
    }

    /// Reads milliseconds with commas between them, such as `100,300,700`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let list: Result<Vec<u32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        Self::from_millis(&list.ok()?)
    }

    /// Element `index`, or the last one if there are fewer.
    #[must_use]
    pub fn get_or_last(&self, index: usize) -> Duration {
        Duration::from_millis(self.millis[index.min(usize::from(self.number) - 1)].into())
    }

    /// The longest time of the list.
    #[must_use]
    pub fn longest(&self) -> Duration {
        let longest = self.millis[..usize::from(self.number)].iter().max();
        Duration::from_millis(longest.copied().unwrap_or(0).into())
    }
}

impl fmt::Display for Durations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list: Vec<_> = self.millis[..usize::from(self.number)].iter().map(u32::to_string).collect();
        f.write_str(&list.join(","))
    }
}

impl fmt::Debug for Durations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_times_repeats_its_last() {
        let list = Durations::parse("100, 300,700").expect("a list");
        assert_eq!(list.to_string(), "100,300,700");
        for (index, millis) in [(0, 100), (2, 700), (3, 700)] {
            assert_eq!(list.get_or_last(index), Duration::from_millis(millis));
        }
        for wrong in ["", "1,,2", "1.5", "-1", "0,1,2,3,4,5,6,7,8,9,10,11,12"] {
            assert_eq!(Durations::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_later_value_replaces_an_earlier_one() {
        let settings = Settings::new().with("a", Value::Number(1.0)).with("b", Value::Flag(true));
        let settings = settings.with("a", Value::Number(2.0));
        let expected = [("a", Value::Number(2.0)), ("b", Value::Flag(true))];
        assert_eq!(settings.iter().collect::<Vec<_>>(), expected);
        assert_eq!(settings.get("c"), None);
    }
}
