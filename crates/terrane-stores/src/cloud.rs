//! Objects in an S3 bucket.

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

/// An S3 bucket, at AWS or at the address in `AWS_ENDPOINT`.
pub struct Bucket {
    store: AmazonS3,
    /// The prefix of all object names.
    below: Path,
    name: String,
    runtime: Runtime,
}

/// How long a failing request is retried.
const PATIENCE: Duration = Duration::from_secs(120);

/// The time limit for each attempt of the first request, and the number of attempts.
const FIRST_RESPONSE: Duration = Duration::from_secs(4);
const FIRST_ATTEMPTS: u32 = 3;

/// The longest pause between two retries.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

impl Bucket {
    /// The bucket of `s3://BUCKET/NAME`, configured by the usual environment variables, such as
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT` and `AWS_ALLOW_HTTP`.
    ///
    /// # Errors
    /// Fails if the name is not a valid address, or if the bucket cannot be reached with these variables.
    pub fn open(name: &str) -> Result<Self, Failure> {
        let help = "write s3://BUCKET/NAME.zarr; to connect, set AWS_ACCESS_KEY_ID, \
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
        this.check_connection()?;
        Ok(this)
    }

    /// Sends a first request with few attempts, so that an unreachable server is reported early.
    fn check_connection(&self) -> Result<(), Failure> {
        let path = self.path("zarr.json");
        for _ in 0..FIRST_ATTEMPTS {
            let ask = async { tokio::time::timeout(FIRST_RESPONSE, self.store.head(&path)).await };
            match self.runtime.block_on(ask) {
                Ok(Ok(_)) => return Ok(()),
                Ok(Err(Error::NotFound { source, .. })) if !is_missing_bucket(&*source) => return Ok(()),
                Ok(Err(Error::Generic { .. })) | Err(_) => {}
                Ok(Err(error)) => return Err(Failure::Usage(self.problem("zarr.json", &error))),
            }
        }
        let seconds = FIRST_RESPONSE.as_secs() * u64::from(FIRST_ATTEMPTS);
        Err(Failure::usage(
            format!("{} does not answer within {seconds} s", self.name),
            "check AWS_ENDPOINT, AWS_REGION and the network; if AWS_ACCESS_KEY_ID is not set, keys are \
            requested from the machine's metadata service",
        ))
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').filter(|part| !part.is_empty()).fold(self.below.clone(), Path::join)
    }

    /// Runs a request, and repeats it while connections are lost. A request may therefore take effect twice.
    fn with_retries<T>(&self, act: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
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

    /// Describes a failed request for an object.
    fn problem(&self, name: &str, error: &Error) -> Problem {
        let help = match error {
            Error::Unauthenticated { .. } | Error::PermissionDenied { .. } => {
                "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and their permissions for this bucket"
            }
            Error::NotFound { .. } => "check the name of the bucket, AWS_REGION and AWS_ENDPOINT",
            _ => "check AWS_ENDPOINT, AWS_REGION and the service, then run again: finished blocks are kept",
        };
        // The error text ends with the service's response as XML. Of this XML, only `<Message>` is for
        // people.
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
                    Err(Error::NotFound { source, .. }) if !is_missing_bucket(&*source) => Ok(None),
                    Err(error) => Err(error),
                }
            })
        };
        self.with_retries(read).map_err(|error| self.problem(name, &error))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        let (path, bytes) = (self.path(name), Bytes::copy_from_slice(bytes));
        let put = || self.runtime.block_on(self.store.put(&path, bytes.clone().into()));
        self.with_retries(put).map(|_| ()).map_err(|error| self.problem(name, &error))
    }

    fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, Problem> {
        let (path, own) = (self.path(name), Bytes::copy_from_slice(bytes));
        let create = || {
            let options = PutOptions::from(PutMode::Create);
            self.runtime.block_on(self.store.put_opts(&path, own.clone().into(), options))
        };
        match self.with_retries(create) {
            Ok(_) => Ok(true),
            // The existing object may be that of an earlier attempt whose response was lost.
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            // The service has no conditional writes, so the last writer wins.
            Err(Error::NotImplemented { .. } | Error::NotSupported { .. }) => {
                if self.read(name)?.is_some() {
                    return Ok(false);
                }
                self.write(name, bytes).map(|()| true)
            }
            Err(error) => Err(self.problem(name, &error)),
        }
    }

    fn list(&self, below: &str) -> Result<Vec<String>, Problem> {
        let prefix = self.path(below);
        let list = || {
            let all = self.store.list(Some(&prefix)).map_ok(|object| object.location);
            self.runtime.block_on(all.try_collect::<Vec<Path>>())
        };
        let all = self.with_retries(list).map_err(|error| self.problem(below, &error))?;
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

/// Whether the bucket itself is missing.
fn is_missing_bucket(error: &dyn std::error::Error) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.to_string().contains("NoSuchBucket") {
            return true;
        }
        next = error.source();
    }
    false
}
