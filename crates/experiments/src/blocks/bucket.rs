//! Blocks as objects of a bucket, by the protocol of Amazon's S3.
//!
//! A block is put under its key on the condition that nothing has that key (`If-None-Match: *`), which the store decides: of
//! several writers one wins, and the others find its block. Whoever reads an object reads all of it or nothing.

mod profile;
mod settings;

use std::error::Error;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use object_store::client::{HttpError, HttpErrorKind};
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutPayload};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};

use super::destination::BucketAddress;
use super::place::{MOST_BYTES, Place, TOO_LARGE};
use super::store::{BlockError, FOLDER};

/// No object is read, put or removed for longer, however often a request is repeated within that time. An engine that asks a
/// shard to end waits at least 30 s, and usually 60 s or more.
const LIMIT: Duration = Duration::from_secs(45);
/// How long to wait before a block is put again of which it is not known whether it arrived.
const PAUSE: Duration = Duration::from_secs(1);

/// The blocks under a prefix of a bucket.
#[derive(Debug)]
pub(super) struct Bucket {
    /// As in messages: `s3://bucket/prefix/blocks`.
    location: PathBuf,
    prefix: Key,
    objects: Arc<dyn ObjectStore>,
    /// Only gone while this is dropped.
    runtime: Option<Runtime>,
}

impl Bucket {
    /// A bucket as the environment says it is reached. Credentials that have to be asked for are asked for at once, so that
    /// an hour's work is not done before they are missed.
    pub(super) fn open(address: &BucketAddress) -> Result<Self, BlockError> {
        let here = PathBuf::from(address.to_string());
        let failed = |cause, lasting| BlockError::Bucket { address: here.clone(), cause, lasting };
        let settings = settings::of_environment().map_err(|cause| failed(cause, true))?;
        let store = settings.builder.with_bucket_name(address.bucket()).build();
        let store = store.map_err(|error| failed(innermost(&error), true))?;
        let runtime = runtime().map_err(|error| failed(format!("no threads: {error}"), false))?;
        let credentials = Arc::clone(store.credentials());
        let asked = runtime.block_on(async { timeout(LIMIT, credentials.get_credential()).await });
        let refused = match asked {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(innermost(&error)),
            Err(_) => Some(format!("no answer within {} s", LIMIT.as_secs())),
        };
        match refused {
            None => Ok(Self::of(address, Arc::new(store), runtime)),
            Some(why) => {
                runtime.shutdown_background();
                Err(failed(settings.source.refusal(&why), false))
            }
        }
    }

    fn of(address: &BucketAddress, objects: Arc<dyn ObjectStore>, runtime: Runtime) -> Self {
        let prefix = Key::from(address.prefix()).join(FOLDER);
        let location = PathBuf::from(format!("{address}/{FOLDER}"));
        Self { location, prefix, objects, runtime: Some(runtime) }
    }

    /// A bucket of this process's memory.
    #[cfg(test)]
    pub(super) fn in_memory(address: &BucketAddress) -> Self {
        Self::of(address, Arc::new(object_store::memory::InMemory::new()), runtime().expect("no threads needed"))
    }

    fn key(&self, name: &str) -> Key {
        self.prefix.clone().join(name)
    }

    fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.as_ref().expect("there until dropped").block_on(future)
    }

    /// The same for what should not take long.
    fn wait_within_limit<T>(
        &self,
        name: &str,
        future: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, BlockError> {
        // The timer belongs to the runtime, which has to be entered first.
        match self.wait(async { timeout(LIMIT, future).await }) {
            Ok(result) => result.map_err(|error| failure(self.location.join(name), &error)),
            Err(_) => Err(BlockError::Bucket {
                address: self.location.join(name),
                cause: format!(
                    "it was not done within {} s. Check the network; on a slow one, fewer replications per block (--block N) \
                     make smaller objects",
                    LIMIT.as_secs()
                ),
                lasting: false,
            }),
        }
    }
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

impl Drop for Bucket {
    fn drop(&mut self) {
        // A name that is still being looked up is not waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Place for Bucket {
    fn location(&self) -> &Path {
        &self.location
    }

    fn create(&self) -> Result<(), BlockError> {
        Ok(())
    }

    /// Every page of a thousand names has its own time, however many there are.
    fn names(&self) -> Result<Vec<String>, BlockError> {
        let listed = self.wait(self.objects.list_with_delimiter(Some(&self.prefix)));
        let listed = listed.map_err(|error| failure(self.location.clone(), &error))?;
        Ok(listed.objects.iter().filter_map(|object| object.location.filename().map(str::to_owned)).collect())
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, BlockError> {
        let key = self.key(name);
        let bytes = self.wait_within_limit(name, async {
            let object = match self.objects.get(&key).await {
                Err(object_store::Error::NotFound { .. }) => return Ok(Err(io::ErrorKind::NotFound)),
                object => object?,
            };
            if object.meta.size > MOST_BYTES {
                return Ok(Err(io::ErrorKind::FileTooLarge));
            }
            object.bytes().await.map(|bytes| Ok(Vec::from(bytes)))
        })?;
        bytes.map_err(|kind| match kind {
            io::ErrorKind::FileTooLarge => BlockError::Damaged(self.location.join(name), TOO_LARGE),
            kind => BlockError::Io(self.location.join(name), kind.into()),
        })
    }

    fn publish_new(&self, name: &str, bytes: &[u8]) -> Result<bool, BlockError> {
        let key = self.key(name);
        let payload = PutPayload::from(bytes.to_vec());
        self.wait_within_limit(name, async {
            loop {
                match self.objects.put_opts(&key, payload.clone(), PutMode::Create.into()).await {
                    Ok(_) => return Ok(true),
                    Err(object_store::Error::AlreadyExists { .. }) => return Ok(false),
                    // If it did arrive, the next attempt finds it.
                    Err(error) if answer_was_lost(&error) => sleep(PAUSE).await,
                    Err(error) => return Err(error),
                }
            }
        })
    }

    fn remove(&self, name: &str) -> Result<(), BlockError> {
        let key = self.key(name);
        self.wait_within_limit(name, async {
            match self.objects.delete(&key).await {
                Err(object_store::Error::NotFound { .. }) => Ok(()),
                removed => removed,
            }
        })
    }

    fn remove_staged(&self) -> Result<(), BlockError> {
        Ok(())
    }

    fn remove_if_empty(&self) {}
}

/// Whether a request may have been done although it failed.
fn answer_was_lost(error: &object_store::Error) -> bool {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<HttpError>() {
            return matches!(error.kind(), HttpErrorKind::Timeout | HttpErrorKind::Interrupted);
        }
        next = error.source();
    }
    false
}

fn failure(address: PathBuf, error: &object_store::Error) -> BlockError {
    let text = error.to_string();
    // A failed listing is of no particular kind, whatever the answer was.
    let status = between(&text, "non-2xx status code: ", " ");
    let said = match (between(&text, "<Code>", "</Code>"), between(&text, "<Message>", "</Message>")) {
        (Some(code), message) => shown(&format!("{code}: {}", message.unwrap_or_default())),
        _ => innermost(error),
    };
    let (cause, lasting) = match status {
        Some("401" | "403") => (
            format!(
                "access is denied ({said}). The credentials have to be valid, and to allow s3:ListBucket of the bucket and \
                 s3:GetObject, s3:PutObject and s3:DeleteObject of its objects"
            ),
            true,
        ),
        Some("404") => {
            (format!("there is no such bucket ({said}). Create it, or correct its name or AWS_ENDPOINT_URL"), true)
        }
        _ if text.contains("Received redirect") => {
            ("the bucket is in another region: set AWS_REGION to it".to_owned(), true)
        }
        _ => (
            format!(
                "{said}. Requests were repeated where that could help. Check the network, AWS_REGION, and AWS_ENDPOINT_URL if it \
                 is set"
            ),
            false,
        ),
    };
    BlockError::Bucket { address, cause, lasting }
}

/// What was first wrong, without what was tried then.
fn innermost(error: &object_store::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    shown(&innermost.to_string())
}

/// What a server says, as far as it is fit to be shown.
fn shown(text: &str) -> String {
    const LONGEST: usize = 300;
    text.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once(end).map(|(inner, _)| inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of an error with this text: the message, and whether it lasts.
    fn failed(text: &str) -> (String, bool) {
        let error = object_store::Error::Generic { store: "S3", source: text.into() };
        match failure("s3://results/run".into(), &error) {
            BlockError::Bucket { cause, lasting, .. } => (cause, lasting),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn what_lasts_until_somebody_changes_something_is_told_from_what_may_pass() {
        let answer = |status: &str, code: &str| {
            failed(&format!(
                "Error performing GET http://x in 1s - Server returned non-2xx status code: {status}: \
                 <Error><Code>{code}</Code><Message>so</Message></Error>"
            ))
        };
        for (status, code, lasting, expected) in [
            ("403 Forbidden", "AccessDenied", true, "access is denied (AccessDenied: so)"),
            ("401 Unauthorized", "InvalidToken", true, "access is denied (InvalidToken: so)"),
            ("404 Not Found", "NoSuchBucket", true, "there is no such bucket (NoSuchBucket: so)"),
            ("503 Service Unavailable", "SlowDown", false, "SlowDown: so. Requests were repeated"),
            ("400 Bad Request", "ExpiredToken", false, "ExpiredToken: so."),
        ] {
            let (cause, lasts) = answer(status, code);
            assert!(lasts == lasting && cause.starts_with(expected), "{cause}");
        }
        assert!(failed("Received redirect without LOCATION").1);
        let (cause, lasts) = failed("connection refused");
        assert!(!lasts && cause.starts_with("connection refused. "), "{cause}");
    }

    #[test]
    fn what_a_server_says_is_shown_on_one_line_and_in_part() {
        let (cause, _) = failed(&format!("\u{1b}[2J\n{}", "x".repeat(100_000)));
        assert!(cause.len() < 1000 && !cause.contains(char::is_control), "{cause}");
    }
}
