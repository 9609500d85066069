//! Files on servers, through the crate `object_store`: addresses of `https://` and `http://`, and the stores of objects `s3://`, `gs://` and
//! `az://`.
//!
//! An object is read in ranges, like a file at any place. Its first range is fetched when it is opened, and says how long it is. Where a
//! reader goes from the front to the end, the ranges behind are on their way while one is parsed. Each answer says which version of the
//! object it is of, and an answer of another version is an error. A server that answers no ranges sends the whole object at once.
//!
//! Requests run on two threads of the object's own, so that those who wait for an answer can look at their `Cancel` token.

use std::collections::BTreeMap;
use std::future::Future;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::path::Path as Key;
use object_store::{ClientConfigKey, GetOptions, GetRange, ObjectMeta, ObjectStore, RetryConfig};
use tokio::runtime::Runtime;

use super::{HEAD, input, memory};
use crate::{Cancel, Error, Result};

/// Bytes of one range: enough for the time until an answer begins not to matter.
const RANGE: u64 = 4 << 20;

/// Ranges that are on their way at a time.
const AHEAD: u64 = 8;

/// How long a connection may be silent.
const SILENCE: &str = "30 seconds";

/// How long one answer may take in all, which ends those that trickle.
const ANSWER: &str = "1 hour";

/// An object as it was when it was opened.
pub(super) struct Object {
    server: Server,
    key: Key,
    about: ObjectMeta,
    head: Bytes,
    has_ranges: bool,
    /// Ranges by their number, those that were asked for of late and those behind.
    ahead: Mutex<BTreeMap<u64, Arc<Coming<Bytes>>>>,
}

/// What object_store makes, or fails to.
type Answer<T> = object_store::Result<T>;

impl Object {
    pub(super) fn open(path: &Path, cancel: &Cancel) -> Result<Object> {
        let (server, key) = Server::of(path)?;
        let first = first(server.store.clone(), key.clone());
        let (about, head, has_ranges) = server.wait(&server.begin(first), cancel)?;
        Ok(Object { server, key, about, head, has_ranges, ahead: Mutex::default() })
    }

    pub(super) fn len(&self) -> u64 {
        self.about.size
    }

    /// Whether the server answers ranges.
    pub(super) fn has_ranges(&self) -> bool {
        self.has_ranges
    }

    /// Fills `bytes` from `offset` on, and fetches no more than that.
    pub(super) fn read_at(&self, bytes: &mut [u8], offset: u64, cancel: &Cancel) -> Result<()> {
        if let Some(head) = self.head.get(offset as usize..offset as usize + bytes.len()) {
            bytes.copy_from_slice(head);
            return Ok(());
        }
        for (at, bytes) in (0..).zip(bytes.chunks_mut((AHEAD * RANGE) as usize)) {
            let first = offset + at * AHEAD * RANGE;
            let parts = (0..).zip(bytes.chunks_mut(RANGE as usize)).map(|(at, bytes)| {
                let at = first + at * RANGE;
                (self.fetch(at, bytes.len() as u64), bytes)
            });
            for (coming, bytes) in parts.collect::<Vec<_>>() {
                bytes.copy_from_slice(&self.server.wait(&coming, cancel)?);
            }
        }
        Ok(())
    }

    /// Fills `bytes` from `offset` on, and fetches what follows.
    pub(super) fn read_on(&self, bytes: &mut [u8], offset: u64, cancel: &Cancel) -> Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            let at = offset + done as u64;
            let range = self.server.wait(&self.range(at / RANGE), cancel)?;
            let there = &range[(at % RANGE) as usize..];
            let some = there.len().min(bytes.len() - done);
            bytes[done..done + some].copy_from_slice(&there[..some]);
            done += some;
        }
        Ok(())
    }

    /// All of an object whose server answers no ranges.
    pub(super) fn whole(&self, cancel: &Cancel) -> Result<Vec<u8>> {
        let refused = |refused| input::no_memory(&self.server.name, refused);
        memory::check(self.len()).map_err(refused)?;
        let (store, key, about) = (self.server.store.clone(), self.key.clone(), self.about.clone());
        let all = get(store, key, about, None);
        Ok(self.server.wait(&self.server.begin(all), cancel)?.into())
    }

    /// The range of a number, which is begun if it was not, and so are those behind it.
    fn range(&self, number: u64) -> Arc<Coming<Bytes>> {
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        for near in number..(number + AHEAD).min(self.len().div_ceil(RANGE)) {
            let at = near * RANGE;
            let begin = || self.fetch(at, RANGE.min(self.len() - at));
            ahead.entry(near).or_insert_with(begin);
        }
        // Threads are at places near each other, so that few ranges are asked for twice.
        ahead.retain(|&other, _| other + AHEAD > number && other < number + AHEAD);
        ahead[&number].clone()
    }

    fn fetch(&self, at: u64, len: u64) -> Arc<Coming<Bytes>> {
        let (store, key, about) = (self.server.store.clone(), self.key.clone(), self.about.clone());
        self.server.begin(get(store, key, about, Some(at..at + len)))
    }
}

/// What an object's first range says of it, its first bytes, and whether there are ranges.
async fn first(store: Arc<dyn ObjectStore>, key: Key) -> Answer<(ObjectMeta, Bytes, bool)> {
    let range = Some(GetRange::Bounded(0..HEAD));
    match store.get_opts(&key, GetOptions { range, ..GetOptions::default() }).await {
        Ok(found) => Ok((found.meta.clone(), found.bytes().await?, true)),
        // Of an object without bytes there is no range.
        Err(error) if no_ranges(&error) => {
            let found = store.get_opts(&key, GetOptions::default()).await?;
            let (about, mut content) = (found.meta.clone(), found.into_stream());
            let mut head = Vec::new();
            while (head.len() as u64) < HEAD
                && let Some(bytes) = content.try_next().await?
            {
                head.extend_from_slice(&bytes);
            }
            Ok((about, head.into(), false))
        }
        Err(error) => Err(error),
    }
}

fn no_ranges(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::NotSupported { .. }) || cause(error).starts_with("416")
}

/// Some bytes of an object, or all of it, where it still is what it was.
async fn get(
    store: Arc<dyn ObjectStore>,
    key: Key,
    about: ObjectMeta,
    range: Option<Range<u64>>,
) -> Answer<Bytes> {
    let len = range.as_ref().map_or(about.size, |range| range.end - range.start);
    let range = range.map(GetRange::Bounded);
    let found = store.get_opts(&key, GetOptions { range, ..GetOptions::default() }).await?;
    let version = |about: &ObjectMeta| (about.size, about.e_tag.clone(), about.last_modified);
    if version(&found.meta) != version(&about) {
        return Err(object_store::Error::Precondition {
            path: key.to_string(),
            source: "the object is another one now".into(),
        });
    }
    let bytes = found.bytes().await?;
    match bytes.len() as u64 == len {
        true => Ok(bytes),
        false => Err(object_store::Error::Generic {
            store: "server",
            source: format!("{} bytes came where {len} were asked for", bytes.len()).into(),
        }),
    }
}

/// An answer on its way, for all who wait for it.
struct Coming<T> {
    answer: Mutex<Option<std::result::Result<T, Arc<object_store::Error>>>>,
    arrived: Condvar,
}

/// A server, or a store of objects, and the threads that talk with it.
struct Server {
    name: String,
    store: Arc<dyn ObjectStore>,
    /// There until the end.
    threads: Option<Runtime>,
}

impl Server {
    /// The server that a path names, and what it calls the object.
    fn of(path: &Path) -> Result<(Server, Key)> {
        let url = path.to_string_lossy();
        let name = super::source::name(path);
        let failed = |error: object_store::Error| said(&name, &error);
        let (scheme, rest) = url.split_once("://").unwrap_or_default();
        let (place, key) = rest.split_once('/').unwrap_or((rest, ""));
        let key = Key::parse(key).map_err(|error| failed(error.into()));
        let bucket = format!("{scheme}://{place}");
        // What TLS is made with, unless the program has chosen something else.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let retry = RetryConfig {
            max_retries: 3,
            retry_timeout: Duration::from_secs(60),
            ..Default::default()
        };
        let (silence, answer) = (ClientConfigKey::ReadTimeout, ClientConfigKey::Timeout);
        let (store, key): (Arc<dyn ObjectStore>, Key) = match scheme.to_ascii_lowercase().as_str() {
            "s3" => {
                let store = AmazonS3Builder::from_env()
                    .with_url(bucket)
                    .with_config(AmazonS3ConfigKey::Client(silence), SILENCE)
                    .with_config(AmazonS3ConfigKey::Client(answer), ANSWER)
                    .with_retry(retry);
                (Arc::new(store.build().map_err(failed)?), key?)
            }
            "gs" => {
                let store = GoogleCloudStorageBuilder::from_env()
                    .with_url(bucket)
                    .with_config(GoogleConfigKey::Client(silence), SILENCE)
                    .with_config(GoogleConfigKey::Client(answer), ANSWER)
                    .with_retry(retry);
                (Arc::new(store.build().map_err(failed)?), key?)
            }
            "az" => {
                let store = MicrosoftAzureBuilder::from_env()
                    .with_url(bucket)
                    .with_config(AzureConfigKey::Client(silence), SILENCE)
                    .with_config(AzureConfigKey::Client(answer), ANSWER)
                    .with_retry(retry);
                (Arc::new(store.build().map_err(failed)?), key?)
            }
            _ => {
                // The address as it is, with its query.
                let store = HttpBuilder::new()
                    .with_url(url.split('#').next().unwrap_or_default())
                    .with_config(ClientConfigKey::AllowHttp, "true")
                    .with_config(silence, SILENCE)
                    .with_config(answer, ANSWER)
                    .with_retry(retry);
                (Arc::new(store.build().map_err(failed)?), Key::default())
            }
        };
        let mut threads = tokio::runtime::Builder::new_multi_thread();
        let threads = threads.worker_threads(2).thread_name("tribin-far").enable_all().build();
        let threads = threads.map_err(|source| Error::Io { path: path.into(), source })?;
        Ok((Server { name, store, threads: Some(threads) }, key))
    }

    /// Begins what its threads are to do.
    fn begin<T: Clone + Send + 'static>(
        &self,
        work: impl Future<Output = Answer<T>> + Send + 'static,
    ) -> Arc<Coming<T>> {
        let coming = Arc::new(Coming { answer: Mutex::default(), arrived: Condvar::new() });
        let theirs = coming.clone();
        if let Some(threads) = &self.threads {
            let work = threads.spawn(work);
            threads.spawn(async move {
                let answer = work.await.unwrap_or_else(|panicked| Err(panicked.into()));
                let mut place = theirs.answer.lock().unwrap_or_else(PoisonError::into_inner);
                *place = Some(answer.map_err(Arc::new));
                theirs.arrived.notify_all();
            });
        }
        coming
    }

    /// Waits for an answer, or until `cancel` says to stop.
    fn wait<T: Clone>(&self, coming: &Coming<T>, cancel: &Cancel) -> Result<T> {
        const LOOK: Duration = Duration::from_millis(50);
        let mut answer = coming.answer.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(answer) = &*answer {
                return answer.clone().map_err(|error| said(&self.name, &error));
            }
            cancel.check()?;
            let waited = coming.arrived.wait_timeout(answer, LOOK);
            answer = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Without waiting for answers that nobody wants any more, and from any thread.
        if let Some(threads) = self.threads.take() {
            threads.shutdown_background();
        }
    }
}

/// The innermost cause of an error, in one line that is not too long: what the server or the system said.
fn cause(error: &object_store::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let text = cause.to_string();
    let text = text.trim_start_matches("Server returned non-2xx status code: ");
    // The status alone, where the rest is a page for browsers, or nothing.
    let text = match text.split_once(": ") {
        Some((status, body)) if body.trim_start().starts_with("<!") || body.contains("<html") => {
            status
        }
        _ => text.trim_end_matches(": "),
    };
    text.replace(char::is_control, " ").chars().take(300).collect()
}

/// The message of what went wrong with the object of this name.
fn said(name: &str, error: &object_store::Error) -> Error {
    use object_store::Error::{NotFound, Precondition};
    let credentials = match name.split_once("://").unwrap_or_default().0 {
        "s3" => {
            "credentials are taken from variables such as AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION (AWS_SKIP_SIGNATURE=true reads what is public)"
        }
        "gs" => {
            "credentials are taken from variables such as GOOGLE_SERVICE_ACCOUNT (GOOGLE_SKIP_SIGNATURE=true reads what is public)"
        }
        "az" => {
            "credentials are taken from variables such as AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY (AZURE_SKIP_SIGNATURE=true reads what is public)"
        }
        _ => "check the address, and that it can be read without a login",
    };
    let cause = cause(error);
    input::error(
        name,
        match error {
            NotFound { .. } => {
                format!("the server has no such object ({cause}): check the address")
            }
            Precondition { .. } => super::source::CHANGED.into(),
            _ => format!("it cannot be fetched ({cause}): {credentials}"),
        },
    )
}

/// The objects of which the names begin with what a path of a store ends with: their names behind that, and their paths.
pub(super) fn list(path: &Path) -> Result<Vec<(String, PathBuf)>> {
    let (server, key) = Server::of(path)?;
    let store = server.store.clone();
    let prefix = Some(key.clone()).filter(|key| !key.as_ref().is_empty());
    let all = async move { store.list(prefix.as_ref()).try_collect::<Vec<ObjectMeta>>().await };
    let found = server.wait(&server.begin(all), &Cancel::new())?;
    let root = path.to_string_lossy();
    let root = root.trim_end_matches('/');
    let named = found.into_iter().filter(|about| about.size > 0).map(|about| {
        let within = about.location.as_ref().strip_prefix(key.as_ref()).unwrap_or_default();
        let within = within.trim_start_matches('/').to_owned();
        let path = format!("{root}/{within}").into();
        (within, path)
    });
    Ok(named.collect())
}
