//! The rules of libraries say what the libraries themselves were recorded to say.

mod drawn;
mod phases;
mod promises;
mod recordings;
mod vector;
