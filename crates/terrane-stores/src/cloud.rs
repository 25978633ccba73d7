//! Objects in a bucket that speaks S3.

use std::time::Duration;

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
const PATIENCE: Duration = Duration::from_secs(180);

impl Bucket {
    /// The bucket of `s3://BUCKET/NAME`, with the usual variables of the environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
    /// `AWS_REGION`, `AWS_ENDPOINT` and `AWS_ALLOW_HTTP` among them.
    ///
    /// # Errors
    /// That the name is none, or that the environment does not say how to reach it.
    pub fn open(name: &str) -> Result<Self, Failure> {
        let help = "write s3://BUCKET/NAME.zarr; how to reach it is said by AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and, for other services, AWS_ENDPOINT";
        let wrong = |what: &dyn std::fmt::Display| Failure::usage(format!("{name}: {what}"), help);
        let (bucket, below) = name
            .strip_prefix("s3://")
            .and_then(|rest| rest.trim_end_matches('/').split_once('/'))
            .filter(|(bucket, below)| !bucket.is_empty() && !below.is_empty())
            .ok_or_else(|| wrong(&"is no store that is known"))?;
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
        Ok(Self { store, below, name: name.trim_end_matches('/').to_owned(), runtime })
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').filter(|part| !part.is_empty()).fold(self.below.clone(), |path, part| path.join(part))
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
        // Errors say what they come from in their own words, over several lines.
        let text: Vec<String> = error.to_string().split_whitespace().map(str::to_owned).collect();
        Problem::new(format!("{}/{name}: {}", self.name, text.join(" ")), help)
    }
}

impl Objects for Bucket {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        let path = self.path(name);
        let read = async {
            match self.store.get(&path).await {
                Ok(found) => found.bytes().await.map(|bytes| Some(bytes.to_vec())),
                Err(Error::NotFound { source, .. }) if !is_bucket(&*source) => Ok(None),
                Err(error) => Err(error),
            }
        };
        self.runtime.block_on(read).map_err(|error| self.told(name, &error))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        let path = self.path(name);
        let put = self.store.put(&path, bytes.to_vec().into());
        self.runtime.block_on(put).map(|_| ()).map_err(|error| self.told(name, &error))
    }

    fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, Problem> {
        let path = self.path(name);
        let create = || {
            let options = PutOptions::from(PutMode::Create);
            self.runtime.block_on(self.store.put_opts(&path, bytes.to_vec().into(), options))
        };
        match create() {
            Ok(_) => Ok(true),
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
        let all = self.store.list(Some(&prefix)).map_ok(|object| object.location);
        let all: Vec<Path> =
            self.runtime.block_on(all.try_collect()).map_err(|error| self.told(below, &error))?;
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
