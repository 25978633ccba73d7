//! Objects in a bucket that speaks S3.

use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, RetryConfig};
use terrane_flow::syntax::Problem;
use terrane_runs::Failure;
use tokio::runtime::Runtime;

use crate::objects::Objects;

/// A bucket that speaks S3: of AWS, or of whatever `AWS_ENDPOINT` names.
pub struct Bucket {
    store: AmazonS3,
    /// What stands before the names of objects.
    below: Path,
    name: String,
    runtime: Runtime,
}

/// After so long without an end requests are given up; until then they are tried again.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long the first answer may take, and how many times it is asked for.
const FIRST: Duration = Duration::from_secs(4);
const ASKED: u32 = 3;

/// The longest wait before a request is tried again.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

impl Bucket {
    /// The bucket of `s3://BUCKET/NAME`, with the usual variables of the environment: `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT` and `AWS_ALLOW_HTTP` among them.
    ///
    /// # Errors
    /// That the name is none, or that the environment does not say how to reach it.
    pub fn open(name: &str) -> Result<Self, Failure> {
        let help = "write s3://BUCKET/NAME.zarr; how to reach it is said by AWS_ACCESS_KEY_ID, \
            AWS_SECRET_ACCESS_KEY, AWS_REGION and, for other services, AWS_ENDPOINT";
        let wrong = |what: &dyn std::fmt::Display| Failure::usage(format!("{name}: {what}"), help);
        let (bucket, below) = name
            .strip_prefix("s3://")
            .and_then(|rest| rest.trim_end_matches('/').split_once('/'))
            .filter(|(bucket, below)| !bucket.is_empty() && !below.is_empty())
            .ok_or_else(|| wrong(&"is not the address of a store"))?;
        let retry = RetryConfig { max_retries: 20, retry_timeout: PATIENCE, ..RetryConfig::default() };
        let store = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_retry(retry)
            .build()
            .map_err(|error| wrong(&error))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| wrong(&error))?;
        let below = Path::parse(below).map_err(|error| wrong(&error))?;
        let this = Self { store, below, name: name.trim_end_matches('/').to_owned(), runtime };
        this.answers()?;
        Ok(this)
    }

    /// Asks once before all else: where nobody answers, nobody is to wait until patience ends.
    fn answers(&self) -> Result<(), Failure> {
        let path = self.path("zarr.json");
        for _ in 0..ASKED {
            let ask = async { tokio::time::timeout(FIRST, self.store.head(&path)).await };
            match self.runtime.block_on(ask) {
                Ok(Ok(_)) => return Ok(()),
                Ok(Err(Error::NotFound { source, .. })) if !is_bucket(&*source) => return Ok(()),
                Ok(Err(Error::Generic { .. })) | Err(_) => {}
                Ok(Err(error)) => return Err(Failure::Usage(self.told("zarr.json", &error))),
            }
        }
        let seconds = FIRST.as_secs() * u64::from(ASKED);
        Err(Failure::usage(
            format!("{} does not answer within {seconds} s", self.name),
            "look at AWS_ENDPOINT, AWS_REGION and the network; without AWS_ACCESS_KEY_ID the machine itself \
            is asked for keys",
        ))
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').filter(|part| !part.is_empty()).fold(self.below.clone(), |path, part| path.join(part))
    }

    /// Does something with the store, again and again while connections are lost: all of it may be done
    /// twice.
    fn patiently<T>(&self, act: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
        let begun = Instant::now();
        let mut pause = Duration::from_millis(50);
        loop {
            match act() {
                Err(Error::Generic { .. }) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                done => return done,
            }
        }
    }

    /// What went wrong with an object.
    fn told(&self, name: &str, error: &Error) -> Problem {
        let help = match error {
            Error::Unauthenticated { .. } | Error::PermissionDenied { .. } => {
                "look at AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they may do in this bucket"
            }
            Error::NotFound { .. } => "look at the name of the bucket, AWS_REGION and AWS_ENDPOINT",
            _ => "look at AWS_ENDPOINT, AWS_REGION and the service, then run again: what is there stays",
        };
        // The service's own answer comes last, as XML, of which its message is for people.
        let text = error.to_string();
        let (own, answer) = text.split_at(text.find('<').unwrap_or(text.len()));
        let message = answer.split_once("<Message>").and_then(|(_, rest)| rest.split_once("</Message>"));
        let words =
            own.split_whitespace().chain(message.map_or("", |(message, _)| message).split_whitespace());
        let text = words.collect::<Vec<_>>().join(" ");
        Problem::new(format!("{}/{name}: {text}", self.name), help)
    }
}

impl Objects for Bucket {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        let path = self.path(name);
        let read = || {
            self.runtime.block_on(async {
                match self.store.get(&path).await {
                    Ok(found) => found.bytes().await.map(|bytes| Some(bytes.to_vec())),
                    Err(Error::NotFound { source, .. }) if !is_bucket(&*source) => Ok(None),
                    Err(error) => Err(error),
                }
            })
        };
        self.patiently(read).map_err(|error| self.told(name, &error))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        let (path, bytes) = (self.path(name), Bytes::copy_from_slice(bytes));
        let put = || self.runtime.block_on(self.store.put(&path, bytes.clone().into()));
        self.patiently(put).map(|_| ()).map_err(|error| self.told(name, &error))
    }

    fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, Problem> {
        let (path, own) = (self.path(name), Bytes::copy_from_slice(bytes));
        let create = || {
            let options = PutOptions::from(PutMode::Create);
            self.runtime.block_on(self.store.put_opts(&path, own.clone().into(), options))
        };
        match self.patiently(create) {
            Ok(_) => Ok(true),
            // It may be what an answer was lost of.
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            // Of services that know no conditions the last one stays.
            Err(Error::NotImplemented { .. } | Error::NotSupported { .. }) => {
                if self.read(name)?.is_some() {
                    return Ok(false);
                }
                self.write(name, bytes).map(|()| true)
            }
            Err(error) => Err(self.told(name, &error)),
        }
    }

    fn list(&self, below: &str) -> Result<Vec<String>, Problem> {
        let prefix = self.path(below);
        let list = || {
            let all = self.store.list(Some(&prefix)).map_ok(|object| object.location);
            self.runtime.block_on(all.try_collect::<Vec<Path>>())
        };
        let all = self.patiently(list).map_err(|error| self.told(below, &error))?;
        let own = format!("{}/", self.below);
        let mut names: Vec<String> =
            all.iter().filter_map(|path| path.as_ref().strip_prefix(&own).map(str::to_owned)).collect();
        names.sort();
        Ok(names)
    }

    fn place(&self) -> String {
        self.name.clone()
    }
}

/// Whether it is the bucket that is not there.
fn is_bucket(error: &dyn std::error::Error) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.to_string().contains("NoSuchBucket") {
            return true;
        }
        next = error.source();
    }
    false
}
