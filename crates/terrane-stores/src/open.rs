//! Opening a store by its name.

use std::path::Path;

use terrane_runs::Failure;

use crate::folder::Folder;
use crate::objects::Objects;

/// Opens a store: a folder, or `s3://BUCKET/NAME.zarr`.
///
/// # Errors
/// Fails if the address is invalid, or if this program was built without network stores.
pub fn open(name: &str) -> Result<Box<dyn Objects>, Failure> {
    match name.split_once("://") {
        None => Ok(Box::new(Folder::new(Path::new(name)))),
        Some(("file", path)) => Ok(Box::new(Folder::new(Path::new(path)))),
        Some(_) => cloud(name),
    }
}

#[cfg(feature = "cloud")]
fn cloud(name: &str) -> Result<Box<dyn Objects>, Failure> {
    Ok(Box::new(crate::cloud::Bucket::open(name)?))
}

#[cfg(not(feature = "cloud"))]
fn cloud(name: &str) -> Result<Box<dyn Objects>, Failure> {
    let help =
        "use a folder, or build it with them: cargo install --path crates/terrane-cli --features cloud";
    Err(Failure::usage(format!("{name}: this terrane was built without network stores"), help))
}
