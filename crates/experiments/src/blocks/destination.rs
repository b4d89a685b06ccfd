//! Where blocks go: into a folder, or into a bucket of an object store.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// The beginning of a bucket's address.
const SCHEME: &str = "s3://";
/// A key has 1024 bytes at most, of which a block's own name takes less than 100.
const LONGEST_PREFIX: usize = 900;

/// Where blocks lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// In the folder `blocks` of this folder.
    Folder(PathBuf),
    /// In a bucket.
    Bucket(BucketAddress),
}

impl Destination {
    /// A bucket if the text begins with `s3://`, else a folder.
    ///
    /// # Errors
    ///
    /// When it is the address of something else, or no bucket or prefix can be called so.
    pub fn parse(text: OsString) -> Result<Self, DestinationError> {
        match text.to_str() {
            Some(address) if address.starts_with(SCHEME) => Ok(Self::Bucket(BucketAddress::parse(address)?)),
            Some(address) if has_scheme(address) => Err(DestinationError(format!(
                "only folders and {SCHEME}BUCKET/PREFIX are known; for a folder of this name write ./{address}"
            ))),
            _ => Ok(Self::Folder(text.into())),
        }
    }

    /// The folder, if it is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Bucket(_) => None,
        }
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Bucket(address) => address.fmt(f),
        }
    }
}

/// A folder where tables or figures go, which are files.
///
/// # Errors
///
/// When it is the address of a bucket or of something else that is no folder.
pub fn local_folder(text: OsString) -> Result<PathBuf, DestinationError> {
    match text.to_str() {
        Some(address) if has_scheme(address) => Err(DestinationError(format!(
            "tables and figures are files, and only blocks go into a bucket. Simulate into it with `experiments shard SWEEP \
             --index 0 --count 1 --out {SCHEME}BUCKET/PREFIX`, and make the tables with `experiments merge SWEEP --from \
             {SCHEME}BUCKET/PREFIX --out DIR`; for a folder of this name write ./{address}"
        ))),
        _ => Ok(text.into()),
    }
}

/// `scheme://` as of RFC 3986, in whatever case.
fn has_scheme(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// The address `s3://bucket/prefix`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketAddress {
    bucket: String,
    prefix: String,
}

impl BucketAddress {
    fn parse(address: &str) -> Result<Self, DestinationError> {
        let rest = address.strip_prefix(SCHEME).unwrap_or(address);
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
        let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let named = (3..=63).contains(&bucket.len())
            && bucket.chars().all(|c| inner(c) || c == '-' || c == '.')
            && bucket.starts_with(inner)
            && bucket.ends_with(inner)
            && !bucket.contains("..");
        if !named {
            return Err(DestinationError(
                "a bucket's name has 3 to 63 lower-case letters, digits, hyphens and dots: write s3://BUCKET/PREFIX"
                    .to_owned(),
            ));
        }
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        // Of what keys may contain, that which is the same in addresses, signatures and listings.
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.=+@,".contains(c);
        let segment = |segment: &str| !matches!(segment, "" | "." | "..") && segment.chars().all(plain);
        if !prefix.is_empty() && (prefix.len() > LONGEST_PREFIX || !prefix.split('/').all(segment)) {
            return Err(DestinationError(format!(
                "a prefix has {LONGEST_PREFIX} characters at most, in parts between single slashes, of letters, digits and \
                 -_.=+@, alone: write s3://BUCKET/PREFIX"
            )));
        }
        Ok(Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }

    /// The bucket's name.
    #[must_use]
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// What all keys begin with, without a slash at its end; may be empty.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }
}

impl fmt::Display for BucketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", self.bucket)?;
        if self.prefix.is_empty() { Ok(()) } else { write!(f, "/{}", self.prefix) }
    }
}

/// What cannot be a destination, and what would be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DestinationError(String);

impl fmt::Display for DestinationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DestinationError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_told_from_folders() {
        let parse = |text: &str| Destination::parse(text.into());
        for (text, bucket, prefix) in [
            ("s3://results", "results", ""),
            ("s3://results/", "results", ""),
            ("s3://my.results-1/a/b=2", "my.results-1", "a/b=2"),
            ("s3://results/run/", "results", "run"),
        ] {
            let Ok(Destination::Bucket(address)) = parse(text) else { panic!("{text}") };
            assert_eq!((address.bucket(), address.prefix()), (bucket, prefix));
            assert_eq!(address.to_string(), text.trim_end_matches('/'));
        }
        for folder in ["results", "/data/s3:", "s3:/x", "./s3://results", "a b", ""] {
            assert_eq!(parse(folder), Ok(Destination::Folder(folder.into())));
            assert_eq!(local_folder(folder.into()), Ok(folder.into()));
        }
    }

    #[test]
    fn what_leads_elsewhere_is_refused() {
        for text in [
            "s3://",
            "s3:///run",
            "s3://ab",
            "s3://Results/run",
            "s3://.results/run",
            "s3://re..sults",
            "s3://user@host/run",
            "s3://results:80/run",
            "s3://results?x/run",
            "s3://results/a//b",
            "s3://results/../other",
            "s3://results/a/./b",
            "s3://results/%2e%2e",
            "s3://results/a?b",
            "s3://results/a#b",
            "s3://results/a\nb",
            "s3://results/ä",
            &format!("s3://results/{}", "a".repeat(901)),
            "S3://results/run",
            "gs://results/run",
            "https://results/run",
        ] {
            let said = Destination::parse(text.into()).expect_err(text).to_string();
            assert!(said.contains("s3://BUCKET/PREFIX"), "{said}");
            assert!(local_folder(text.into()).is_err(), "{text}");
        }
    }
}
