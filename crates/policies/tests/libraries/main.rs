//! The rules of libraries say what the libraries themselves were recorded to say.

mod recordings;
mod vector;
