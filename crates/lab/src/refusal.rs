//! Why a request is not answered, in a sentence for whoever sent it.

use std::fmt;

use serde_json::{Value, json};

/// Why a request is not answered, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The key to blame, as a path into the request's body.
    pub key: Option<String>,
    /// What is wrong and what would be right.
    pub sentence: String,
}

impl Refusal {
    /// A refusal with a status of its own.
    #[must_use]
    pub fn new(status: u16, sentence: impl Into<String>) -> Self {
        Self { status, key: None, sentence: sentence.into() }
    }

    /// A body that can be read and says something impossible, at `key`.
    #[must_use]
    pub fn of_key(key: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self { status: 422, key: Some(key.into()), sentence: sentence.into() }
    }

    /// The body of the answer.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({ "error": { "sentence": self.sentence, "key": self.key } })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Refusal {}
